#pragma once
/// Problem `pendulum_pair`: two pendulums that hit each other.

#include <solvers/case/problem.hpp>

namespace stoss::solvers {

extern const Problem pendulum_pair_problem;

}  // namespace stoss::solvers
