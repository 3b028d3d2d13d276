#pragma once
/// Problems `rigid_contact` and `six_mass_body`: one frictional impact of rigid bodies.

#include <solvers/case/problem.hpp>

namespace stoss::solvers {

extern const Problem rigid_contact_problem;
extern const Problem six_mass_body_problem;

}  // namespace stoss::solvers
