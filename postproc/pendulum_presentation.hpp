#pragma once
/// Figures and report of a pair of pendulums.

#include <vector>

#include <postproc/presentation.hpp>
#include <postproc/run_data.hpp>

namespace stoss::postproc {

std::vector<Plan> pendulum_pair_figures(const Run& run);
ReportParts pendulum_pair_report(const Run& run);

}  // namespace stoss::postproc
