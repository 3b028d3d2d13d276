#pragma once
/// How a `beam_optimize` is shown.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `design`: the result along the beam before and after, with the places at which the goal counts.
/// `path`: how far each search was from the goal, step by step.
std::vector<Figure> beam_optimize_figures(const Run& run);
ReportParts beam_optimize_report(const Run& run);

}  // namespace stoss::postproc
