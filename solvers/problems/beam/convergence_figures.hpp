#pragma once
/// How a convergence study is shown.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `convergence`: changes of e over modes, elements and time steps, with the measured orders.
std::vector<Figure> convergence_figures(const Run& run);

ReportParts convergence_report(const Run& run);

}  // namespace stoss::postproc
