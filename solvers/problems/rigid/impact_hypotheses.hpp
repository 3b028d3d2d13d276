#pragma once
/// Problem `impact_hypotheses`: where Newton's, Poisson's and Stronge's hypotheses end Routh's
/// path, beside maximum dissipation and a compliant contact of infinite stiffness.

#include <solvers/case/problem.hpp>

namespace stoss::solvers {

extern const Problem impact_hypotheses_problem;

}  // namespace stoss::solvers
