#pragma once
/// Figures and report of `structure_impact`.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `chart`: e, duration and peak force over the parameter of the structure, with the impacts of the
/// run.
std::vector<Figure> structure_impact_figures(const Run& run);
ReportParts structure_impact_report(const Run& run);

}  // namespace stoss::postproc
