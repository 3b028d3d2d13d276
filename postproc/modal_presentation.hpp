#pragma once
/// How a `modal_analysis` is shown, from the files of its run.

#include <vector>

#include <postproc/presentation.hpp>
#include <postproc/run_data.hpp>

namespace stoss::postproc {

/// `shapes`: the first modes along the beam, with centre of mass and of percussion; `damping`:
/// damping ratio against frequency, if there is any.
std::vector<Plan> modal_analysis_figures(const Run& run);

ReportParts modal_analysis_report(const Run& run);

}  // namespace stoss::postproc
