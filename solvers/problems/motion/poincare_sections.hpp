#pragma once
/// Motions that are seen once a period: Poincare sections and bifurcation diagrams.

#include <models/impact_motion.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/ranged_case.hpp>
#include <solvers/problems/motion/impact_motion.hpp>

namespace stoss::solvers {

/// Adds summary, sections.csv and, of a range, map.csv to `outcome`. Precondition: `keys.poincare`
/// is given.
Outcome solve_sections(const ImpactMotion& keys, const RangedCase<models::MotionModel>& motions,
                       const RunOptions& options, Outcome outcome);

}  // namespace stoss::solvers
