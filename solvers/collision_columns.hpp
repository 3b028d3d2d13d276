#pragma once
/// One collision as numbers with names: the columns of map.csv and the keys of summary.json.

#include <span>
#include <string_view>
#include <vector>

#include <models/beam_collision.hpp>
#include <stoss/impact/collide.hpp>

namespace stoss::solvers {

/// Names of the numbers of any collision, units in the names, in the order of `result_values`.
std::span<const std::string_view> result_columns();

/// The numbers of a collision, one a column. NaN where it did not end with the bodies apart.
std::vector<double> result_values(const impact::CollisionResult& result);

/// The same of a struck beam: its place before, numbers without dimension behind.
std::span<const std::string_view> collision_columns();
std::vector<double> collision_values(const models::BeamModel& model, double xi,
                                     const impact::CollisionResult& result);

}  // namespace stoss::solvers
