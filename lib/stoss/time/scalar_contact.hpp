#pragma once
/// The scalar equation of an implicit step with contact.

#include <cmath>
#include <limits>

#include <stoss/core/dual.hpp>

namespace stoss::time {

/// Force P [N] that acts at the end of a step whose motion depends on it linearly (7.4): with
/// x = free_overlap - overlap_per_force P and v = free_rate - rate_per_force P, P = force(x, v).
///
/// Solved for the overlap x in (0, free_overlap] by Newton's method inside a shrinking bracket.
/// Where the force jumps at onset so far that no x > 0 balances it, x = 0 and P is what keeps it
/// there. NaN where the law gives NaN. `contact.force(x, v)` must be pure, zero for x <= 0, and
/// written for core::Dual.
template <class Contact>
double solve_contact_force(const Contact& contact, double free_overlap, double free_rate,
                           double overlap_per_force, double rate_per_force) {
    if (!(free_overlap > 0.0)) return 0.0;
    const double rate_per_overlap = rate_per_force / overlap_per_force;
    const auto residual = [&](double x) {
        const core::Dual overlap = core::Dual::variable(x);
        const core::Dual rate = free_rate - rate_per_overlap * (free_overlap - overlap);
        return overlap - free_overlap + overlap_per_force * contact.force(overlap, rate);
    };
    double low = 0.0, high = free_overlap;
    double x = free_overlap;
    for (int iteration = 0; iteration < 100; ++iteration) {
        const core::Dual r = residual(x);
        if (std::isnan(r.value)) return r.value;
        (r.value > 0.0 ? high : low) = x;
        double next = x - r.value / r.derivative;
        const bool settled = std::abs(next - x) <= 2.0 * std::numeric_limits<double>::epsilon() * x;
        if (settled) break;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        x = next;
    }
    // Two ways to the same force; each loses digits where the other does not.
    const double force = contact.force(x, free_rate - rate_per_overlap * (free_overlap - x));
    return 2.0 * overlap_per_force * force < free_overlap ? force
                                                          : (free_overlap - x) / overlap_per_force;
}

}  // namespace stoss::time
