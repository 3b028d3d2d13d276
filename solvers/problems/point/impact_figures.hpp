#pragma once
/// Figures and report of the impacts of a point mass: problems `restitution`, `bead`, `calibrate`
/// and `bouncing_ball`; and of a sphere: `sphere_impact`.

#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// `impact` and `hysteresis` of a single impact; `cor` over one key; `cor_map` over two.
std::vector<Figure> restitution_figures(const Run& run);
ReportParts restitution_report(const Run& run);

/// `cor` and `error` against the damping.
std::vector<Figure> bead_figures(const Run& run);
ReportParts bead_report(const Run& run);

/// `calibration`: restitution given against restitution asked for.
std::vector<Figure> calibrate_figures(const Run& run);
ReportParts calibrate_report(const Run& run);

/// `bounces`: height against time, and restitution against speed.
std::vector<Figure> bouncing_ball_figures(const Run& run);
ReportParts bouncing_ball_report(const Run& run);

/// `impact` and `energies` of a single impact; `rebound` over one key.
std::vector<Figure> sphere_impact_figures(const Run& run);
ReportParts sphere_impact_report(const Run& run);

}  // namespace stoss::postproc
