#pragma once
/// `scheme_comparison` on a struck beam: every scheme against the converged collision.

#include <vector>

#include <solvers/outcome.hpp>
#include <solvers/problem.hpp>
#include <solvers/scheme_comparison.hpp>
#include <stoss/core/error.hpp>

namespace stoss::solvers {

/// What no single key says about a comparison on a beam.
std::vector<core::Violation> check_beam_comparison(const SchemeComparison& comparison);

/// Results without header and expectations. Precondition: `check_beam_comparison` found nothing.
Outcome compare_on_beam(const SchemeComparison& comparison, const RunOptions& options);

}  // namespace stoss::solvers
