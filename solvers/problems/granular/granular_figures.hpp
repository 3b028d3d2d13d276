#pragma once
/// Figures and report of many spheres in contact.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

std::vector<Figure> box_settle_figures(const Run& run);
ReportParts box_settle_report(const Run& run);

std::vector<Figure> channel_flow_figures(const Run& run);
ReportParts channel_flow_report(const Run& run);

}  // namespace stoss::postproc
