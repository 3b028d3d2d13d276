#pragma once
/// What the problems of a struck beam share.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <models/beam_collision.hpp>
#include <models/mode_choice.hpp>
#include <solvers/beam_binding.hpp>
#include <solvers/outcome.hpp>
#include <solvers/problem.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// Throws core::InputError with every violation at its place, in the order of the file; returns if
/// there is none.
void refuse(const io::Document& document, const std::vector<core::Violation>& violations);

/// What is wrong with a collision once a key has that value [SI]: its range, and models::check.
std::vector<core::Violation> check_with(const models::BeamCollision& collision,
                                        const std::string& key, double value);

/// "turn the sign of the motion...": what to do about bodies that do not close.
inline constexpr const char* how_to_approach =
    "V_rel = striker velocity - beam velocity at xi: turn the sign of the motion, or strike "
    "elsewhere";

/// What is wrong with a case whose bodies do not close at `location.xi`: V_rel [m/s] is not > 0.
core::Violation bodies_do_not_approach(double xi, double approach_speed);

/// Gives every beam whose `mesh.modes` is `auto` the number that all of them need at `places`:
/// `choice`, left empty if there is no such beam. False if the run was stopped before that was
/// known.
bool settle_modes(std::span<models::BeamCollision* const> beams, std::span<const double> places,
                  const RunOptions& options, std::optional<models::ModeChoice>& choice);

/// Notes in the outcome what `auto` came to. `settled`: the collision of the case itself with these
/// modes; nullptr if the case must keep the word, because it sweeps a key of the mesh.
void add_choice(Outcome& outcome, const std::optional<models::ModeChoice>& choice,
                const models::BeamCollision* settled);

/// T, l, EI/l^2, the frequencies of the modes in use, and k: at xi, or if that is the same
/// everywhere.
void add_model_scales(io::Value& summary, const models::BeamModel& model,
                      std::optional<double> xi = std::nullopt);

/// How one collision ended, what its energies lack, and how well its restitution is known (NaN: the
/// scheme does not say).
struct Ended {
    impact::Status status;
    double energy_residual;
    double cor_error;
};

/// Adds a warning for each kind of doubt about the collisions, and sets the ending if one failed.
void judge(Outcome& outcome, std::span<const Ended> collisions, const impact::Scheme& scheme);

}  // namespace stoss::solvers
