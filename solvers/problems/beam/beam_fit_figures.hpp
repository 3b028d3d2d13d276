#pragma once
/// How a `beam_fit` is shown.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `fit`: measured points, the fitted curve with its confidence band, and the differences.
/// `measured_against_fitted`: one against the other, with the standard errors of both.
std::vector<Figure> beam_fit_figures(const Run& run);
ReportParts beam_fit_report(const Run& run);

}  // namespace stoss::postproc
