#pragma once
/// Problem `compliant_impact`: two bodies with a compliant contact, ever stiffer, beside the rigid
/// solutions.

#include <solvers/case/problem.hpp>

namespace stoss::solvers {

extern const Problem compliant_impact_problem;

}  // namespace stoss::solvers
