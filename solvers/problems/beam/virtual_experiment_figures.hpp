#pragma once
/// How a `virtual_experiment` is shown.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `truth`: restitution of each simulated collision against the place that was struck.
std::vector<Figure> virtual_experiment_figures(const Run& run);
ReportParts virtual_experiment_report(const Run& run);

}  // namespace stoss::postproc
