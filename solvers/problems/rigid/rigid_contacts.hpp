#pragma once
/// Problem `rigid_contacts`: many frictional impacts of rigid bodies, a row of a table each.

#include <solvers/case/problem.hpp>

namespace stoss::solvers {

extern const Problem rigid_contacts_problem;

}  // namespace stoss::solvers
