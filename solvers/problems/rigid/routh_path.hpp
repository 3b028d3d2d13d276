#pragma once
/// Routh's path of one impact in tables: problems `rigid_contact`, `six_mass_body` and
/// `impact_hypotheses`.

#include <solvers/case/problem.hpp>
#include <stoss/rigid/routh.hpp>

namespace stoss::solvers {

/// Velocity and work along the path, from p = 0 to `end` [N s]. Precondition: an impulse acts.
io::Table path_table(const rigid::ContactProblem& problem, double end);

/// What happens on the path.
void add_events(io::Value& summary, const rigid::PathEvents& events);

}  // namespace stoss::solvers
