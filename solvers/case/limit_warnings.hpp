#pragma once
/// Warnings about collisions that are beyond the limits of the theory.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <models/theory_limits.hpp>
#include <solvers/case/outcome.hpp>

namespace stoss::solvers {

/// A collision with the numbers that its limits ask for.
struct LimitedCollision {
    const models::TheoryLimits* limits = nullptr;
    double xi = 0.0;
    std::vector<std::optional<double>> values;  ///< as TheoryLimits::values
    std::string where = {};  ///< of a sweep: the value of the swept key, in words
};

/// Adds a warning for each limit that a collision exceeds: how many exceed it, the worst value and
/// its place, the bound, the rule, its source and the remedy.
void warn_of_limits(Outcome& outcome, std::span<const LimitedCollision> collisions);

}  // namespace stoss::solvers
