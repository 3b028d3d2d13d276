#pragma once
/// One collision as numbers with names: the columns of map.csv and the keys of summary.json.

#include <span>
#include <string_view>
#include <vector>

#include <models/beam_collision.hpp>
#include <stoss/impact/collide.hpp>

namespace stoss::solvers {

/// Names of the numeric columns, units in the names, in the order of `collision_values`.
std::span<const std::string_view> collision_columns();

/// The numbers of a collision at xi, one a column. NaN where the collision did not end with the
/// bodies apart.
std::vector<double> collision_values(const models::BeamModel& model, double xi,
                                     const impact::CollisionResult& result);

}  // namespace stoss::solvers
