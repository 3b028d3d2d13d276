#pragma once
/// Figures and report of one frictional impact of rigid bodies: problems `rigid_contact`,
/// `six_mass_body`, `sliding_rod`, `compliant_impact` and `impact_hypotheses`.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `section`: the plane of maximum compression; `objective`: along the edge of the friction cone.
/// None if the bodies do not approach or there is no friction. `routh_path` if the impact follows
/// Routh's path.
std::vector<Figure> rigid_contact_figures(const Run& run);
ReportParts rigid_contact_report(const Run& run);

/// `critical_friction`: mu_* against the angle, and what the rod does on either side.
std::vector<Figure> sliding_rod_figures(const Run& run);
ReportParts sliding_rod_report(const Run& run);

/// `directions`: normal impulse, slip and dissipated energy against the inclination.
std::vector<Figure> rigid_impact_map_figures(const Run& run);
ReportParts rigid_impact_map_report(const Run& run);

/// `convergence`: distance of the compliant impact from its limit and from the rigid solutions.
std::vector<Figure> compliant_impact_figures(const Run& run);
ReportParts compliant_impact_report(const Run& run);

/// `routh_path`: normal velocity and slip along Routh's path, and where the hypotheses end it.
std::vector<Figure> impact_hypotheses_figures(const Run& run);
ReportParts impact_hypotheses_report(const Run& run);

}  // namespace stoss::postproc
