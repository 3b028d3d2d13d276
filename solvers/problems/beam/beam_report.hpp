#pragma once
/// What the report of a struck beam shows beside what every report does.

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

ReportParts beam_impact_report(const Run& run);
ReportParts beam_impact_map_report(const Run& run);

}  // namespace stoss::postproc
