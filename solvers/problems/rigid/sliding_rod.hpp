#pragma once
/// Problem `sliding_rod`: a rod grazes along a plane, over angle and friction.

#include <solvers/case/problem.hpp>

namespace stoss::solvers {

extern const Problem sliding_rod_problem;

}  // namespace stoss::solvers
