#pragma once
/// Figures and report parts of `stoss conformance`.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// e given against e asked with the own coefficient of each program; error of the calibrated
/// parameters.
std::vector<Figure> conformance_figures(const Run& run);
ReportParts conformance_report(const Run& run);

}  // namespace stoss::postproc
