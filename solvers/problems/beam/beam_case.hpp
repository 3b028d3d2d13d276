#pragma once
/// What the problems of a struck beam share.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <models/beam_model.hpp>
#include <models/mode_choice.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// What is wrong with a collision once a key has that value [SI]: its range, and models::check.
std::vector<core::Violation> check_with(const models::BeamCollision& collision,
                                        const std::string& key, double value);

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

/// A collision, by its place, what further modes would change of its e (none: not known), and the
/// words that tell its curve from others.
struct TruncatedCollision {
    double xi;
    std::optional<double> cor_truncation;
    std::string where;
};

/// Sets `cor_truncation_max` (of the collisions within it), `not_predictable` and `cor_tolerance`,
/// which is `mesh.tolerance`, in the summary, and adds a warning that names
/// the collisions whose e further modes change by more than `mesh.tolerance`.
void warn_of_truncation(Outcome& outcome, const models::Mesh& mesh,
                        std::span<const TruncatedCollision> collisions);

}  // namespace stoss::solvers
