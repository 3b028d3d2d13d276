#pragma once
/// What the problems of rigid frictional impacts share: their results.

#include <optional>

#include <models/rigid_contact.hpp>
#include <solvers/case/outcome.hpp>
#include <stoss/io/json.hpp>
#include <stoss/rigid/contact_problem.hpp>
#include <stoss/rigid/routh.hpp>

namespace stoss::solvers {

/// Adds the three entries of a vector: `name`_n_`unit` and so on.
void add_entries(io::Value& object, const rigid::ContactVector& v, const char* name,
                 const char* unit);

/// The impact with restitution, and the events on its path if its law is incremental.
rigid::RouthImpact rebound_of(const rigid::ContactProblem& problem,
                              const models::RestitutionKeys& keys);

/// Solves a contact by maximum dissipation, by Coulomb, and, if wanted, with restitution, and adds
/// summary, tables, VTK files and warnings. `is_orthonormal`: of the contact frame.
void add_solutions(Outcome& outcome, const rigid::ContactProblem& problem,
                   const std::optional<models::RestitutionKeys>& restitution, bool is_orthonormal);

}  // namespace stoss::solvers
