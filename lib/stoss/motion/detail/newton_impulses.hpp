#pragma once
/// Newton's law of impact for contacts that close at the same instant.

#include <cstddef>
#include <span>
#include <vector>

#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// Impulses P_c >= 0 [N s] of contacts whose overlap is 0, with the rates v_c and e_c of each
/// (theory/impact_motion.md 27.8): w_c = -(v_c' + e_c max(v_c, 0)) >= 0, P_c >= 0, P_c w_c = 0,
/// where v' = v - G P and G_cd = sum_j phi_cj phi_dj (Moreau 1988). Writes the impulses.
void newton_impulses(const System& system, std::span<const std::size_t> closed,
                     std::span<const double> rates, std::vector<double>& impulses);

}  // namespace stoss::motion
