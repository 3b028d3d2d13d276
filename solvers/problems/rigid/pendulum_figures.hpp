#pragma once
/// Figures and report of a pair of pendulums.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

std::vector<Figure> pendulum_pair_figures(const Run& run);
ReportParts pendulum_pair_report(const Run& run);

}  // namespace stoss::postproc
