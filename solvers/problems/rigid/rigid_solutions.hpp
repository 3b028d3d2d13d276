#pragma once
/// What the problems of one rigid frictional impact share: their results.

#include <optional>

#include <models/rigid_contact.hpp>
#include <solvers/case/outcome.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::solvers {

/// Solves a contact by maximum dissipation, by Coulomb, and, if wanted, with restitution, and adds
/// summary, tables, VTK files and warnings. `is_orthonormal`: of the contact frame.
void add_solutions(Outcome& outcome, const rigid::ContactProblem& problem,
                   const std::optional<models::RestitutionKeys>& restitution, bool is_orthonormal);

}  // namespace stoss::solvers
