#pragma once
/// Figures and report of `impact_motion`.

#include <vector>

#include <postproc/report/figure.hpp>

namespace stoss::postproc {

/// `motion`, `contacts`, `energy` of one motion; `section` of one seen once a period; `bifurcation`
/// over a key, and `lyapunov` if its exponents were asked for.
std::vector<Figure> motion_figures(const Run& run);

/// How the motion ended.
ReportParts motion_report(const Run& run);

}  // namespace stoss::postproc
