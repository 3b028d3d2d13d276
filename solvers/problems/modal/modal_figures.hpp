#pragma once
/// How a `modal_analysis`, a `mesh_modes` and a `modal_impact` are shown, from the files of their
/// runs.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `shapes`: the first modes along the beam, with centre of mass and of percussion; `damping`:
/// damping ratio against frequency, if there is any.
std::vector<Figure> modal_analysis_figures(const Run& run);

ReportParts modal_analysis_report(const Run& run);

/// `frequencies`: those of the modes, in their order.
std::vector<Figure> mesh_modes_figures(const Run& run);

ReportParts mesh_modes_report(const Run& run);

/// `collision`: force, overlap and energies over time, of one collision; `cor`: restitution at each
/// point, of several.
std::vector<Figure> modal_impact_figures(const Run& run);

ReportParts modal_impact_report(const Run& run);

}  // namespace stoss::postproc
