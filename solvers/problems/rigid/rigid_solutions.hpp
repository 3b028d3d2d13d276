#pragma once
/// What the problems of rigid frictional impacts share: their results.

#include <optional>
#include <string>
#include <string_view>

#include <models/rigid_contact.hpp>
#include <solvers/case/outcome.hpp>
#include <stoss/contact/friction.hpp>
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

/// True for a rebound that was refused. Its numbers are those that the hypothesis required.
bool is_refused(rigid::ImpactStatus status);

/// Warns of a rebound that was refused or not found; without numbers the run has failed. `name`:
/// of the hypothesis, as the warning begins.
void warn_of_rebound(Outcome& outcome, std::string_view name, rigid::ImpactStatus status);

/// Why a compliant impact with that friction was given up, and what helps: completes "the impact ".
std::string out_of_steps_words(const contact::Friction& friction);

/// Solves a contact by maximum dissipation, by Coulomb, and, if wanted, with restitution, and adds
/// summary, tables, VTK files and warnings. `is_orthonormal`: of the contact frame.
void add_solutions(Outcome& outcome, const rigid::ContactProblem& problem,
                   const std::optional<models::RestitutionKeys>& restitution, bool is_orthonormal);

}  // namespace stoss::solvers
