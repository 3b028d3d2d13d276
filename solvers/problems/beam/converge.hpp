#pragma once
/// `stoss converge`: how well a case of a struck beam knows the coefficient of restitution.

#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// `resolved`: the case of the document with all defaults written out.
/// Errors: core::InputError with everything that is wrong with the case or keeps it from being
/// studied: another problem, a swept mesh or integration.
void check_convergence(const io::Document& document, const io::Node& resolved);

/// Studies the case at no more than 25 of its places (convergence_study.hpp). Tables:
/// convergence.csv, a row a resolution, and places.csv.
/// Errors: as `check_convergence`; core::NumericalError if there is no place where all collisions
/// end with the bodies apart.
Outcome study_convergence(const io::Document& document, const io::Node& resolved,
                          const RunOptions& options);

}  // namespace stoss::solvers
