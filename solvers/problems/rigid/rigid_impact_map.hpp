#pragma once
/// Problem `rigid_impact_map`: a rigid frictional impact over its direction and friction.

#include <solvers/case/problem.hpp>

namespace stoss::solvers {

extern const Problem rigid_impact_map_problem;

}  // namespace stoss::solvers
