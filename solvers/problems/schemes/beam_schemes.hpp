#pragma once
/// `scheme_comparison` on a struck beam: every scheme against the converged collision.

#include <vector>

#include <solvers/case/input_echo.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/problems/schemes/scheme_comparison.hpp>
#include <stoss/core/error.hpp>

namespace stoss::solvers {

/// What no single key says about a comparison on a beam.
std::vector<core::Violation> check_beam_comparison(const SchemeComparison& comparison);

/// What was understood of the beam and its striker. Precondition: as below.
InputEcho echo_of_beam_comparison(const SchemeComparison& comparison);

/// Results without header and expectations. Precondition: `check_beam_comparison` found nothing.
Outcome compare_on_beam(const SchemeComparison& comparison, const RunOptions& options);

}  // namespace stoss::solvers
