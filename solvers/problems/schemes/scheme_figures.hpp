#pragma once
/// How a comparison of time schemes is shown.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// Of a point mass `phase` (phase portraits), `energy` (H against v), `rebounds` (only of more than
/// one impact) and `work_precision`; of a beam `work_precision`.
std::vector<Figure> scheme_comparison_figures(const Run& run);

ReportParts scheme_comparison_report(const Run& run);

}  // namespace stoss::postproc
