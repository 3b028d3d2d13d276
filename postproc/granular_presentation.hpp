#pragma once
/// Figures and report of many spheres in contact.

#include <vector>

#include <postproc/presentation.hpp>
#include <postproc/run_data.hpp>

namespace stoss::postproc {

std::vector<Plan> box_settle_figures(const Run& run);
ReportParts box_settle_report(const Run& run);

std::vector<Plan> channel_flow_figures(const Run& run);
ReportParts channel_flow_report(const Run& run);

}  // namespace stoss::postproc
