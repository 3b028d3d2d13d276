#pragma once
/// What the problems of a struck beam share.

#include <string>
#include <vector>

#include <models/beam_collision.hpp>
#include <solvers/outcome.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// The keys of a struck-beam problem: those of the collision, then the problem's own.
template <core::Described P>
io::Choice describe_beam_problem() {
    io::Choice choice = io::describe_choice<P>();
    auto keys = io::describe_keys<models::BeamCollision>();
    keys.insert(keys.end(), choice.keys.begin(), choice.keys.end());
    choice.keys = std::move(keys);
    return choice;
}

/// Throws core::InputError with every violation at its place in the file; returns if there is none.
void refuse(const io::Document& document, const std::vector<core::Violation>& violations);

/// The bodies do not close at `xi`.
core::Violation no_approach(std::string key, double xi, double approach_speed);

/// T, l, EI/l^2, k and the frequencies of the modes in use.
void add_model_scales(io::Value& summary, const models::BeamModel& model);

/// Says in words what is doubtful about `count` collisions that ended so.
void warn_of(Outcome& outcome, impact::Status status, std::size_t count, double energy_residual);

}  // namespace stoss::solvers
