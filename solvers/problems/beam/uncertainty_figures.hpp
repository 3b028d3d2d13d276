#pragma once
/// How the uncertainty of a map is shown, from uncertainty.csv and summary.json.

#include <string>
#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// True if the map was computed with `uncertainty:`.
bool has_uncertainty(const Run& run);

/// `uncertainty`: mean and band of restitution along the beam, and below the Sobol indices.
/// Errors: core::FileError if a column or key is missing.
Figure uncertainty_figure(const Run& run);

/// Tables of the uncertain keys and of the result, as HTML.
std::string uncertainty_section(const Run& run);

}  // namespace stoss::postproc
