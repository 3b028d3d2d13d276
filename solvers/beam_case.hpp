#pragma once
/// What the problems of a struck beam share.

#include <span>
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

/// Throws core::InputError with every violation at its place, in the order of the file; returns if
/// there is none.
void refuse(const io::Document& document, const std::vector<core::Violation>& violations);

/// "turn the sign of the motion...": what to do about bodies that do not close.
inline constexpr const char* how_to_approach =
    "V_rel = striker velocity - beam velocity at xi: turn the sign of the motion, or strike "
    "elsewhere";

/// T, l, EI/l^2, k and the frequencies of the modes in use.
void add_model_scales(io::Value& summary, const models::BeamModel& model);

/// How one collision ended, and what its energies lack.
struct Ended {
    impact::Status status;
    double energy_residual;
};

/// Adds a warning for each kind of doubt about the collisions, and sets the ending if one failed.
void judge(Outcome& outcome, std::span<const Ended> collisions);

}  // namespace stoss::solvers
