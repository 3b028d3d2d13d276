#pragma once
/// One collision as numbers with names: the columns of map.csv and the keys of summary.json.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <models/beam_model.hpp>
#include <models/theory_limits.hpp>
#include <models/truncation.hpp>
#include <stoss/impact/collide.hpp>

namespace stoss::solvers {

/// Names of the numbers of any collision, units in the names, in the order of `result_values`.
std::span<const std::string_view> result_columns();

/// True if damping brought the bodies to rest against each other
/// (theory/splitting_scheme.md 12.11): the run ended in contact and before its time limit [s].
bool came_to_rest(const impact::CollisionResult& result, double time_limit);

/// e_N, which is 0 of bodies that have come to rest against each other; NaN if it is not known.
double known_restitution(const impact::CollisionResult& result, double time_limit);

/// The numbers of a collision, one a column. NaN where it did not end with the bodies apart; of
/// bodies `at_rest` (`came_to_rest`) e_N = 0, impulse and peak force are known all the same.
std::vector<double> result_values(const impact::CollisionResult& result, bool at_rest);

/// What is known of a struck beam beside its model.
struct BeamStudy {
    const models::BeamModel& model;
    models::TheoryLimits limits;
    models::Truncation truncation;

    explicit BeamStudy(const models::BeamModel& of) : model(of), limits(of), truncation(of) {}
};

/// The column of what further modes would change of e_N.
inline constexpr std::string_view truncation_column = "cor_truncation";

/// The same of a struck beam: its place before, numbers without dimension behind, then those of the
/// largest Hertz contact and what is known of the errors. `truncation`: see models/truncation.hpp.
std::span<const std::string_view> collision_columns();
/// Number of the column of that name. Precondition: there is one.
std::size_t column_index(std::string_view name);
std::vector<double> collision_values(const BeamStudy& study, double xi,
                                     const impact::CollisionResult& result,
                                     std::optional<double> truncation);

}  // namespace stoss::solvers
