#pragma once
/// The scalar equation of an implicit step with contact.

#include <algorithm>
#include <cmath>
#include <limits>

#include <stoss/core/dual.hpp>

namespace stoss::time {

/// Force P [N] that acts at the end of a step whose motion depends on it linearly
/// (theory/newmark.md 7.4): with x = free_overlap - overlap_per_force P and v = free_rate -
/// rate_per_force P, P = force(x, v).
///
/// Solved for the overlap x above `contact.threshold()`, where the law begins to act, by Newton's
/// method inside a shrinking bracket. Where the force jumps there so far that no x above balances
/// it, x stays at the threshold and P is what keeps it there. NaN where the law gives NaN.
/// `contact.force(x, v)` must be pure, zero below the threshold, grow with x, and be written for
/// core::Dual.
template <class Contact>
double solve_contact_force(const Contact& contact, double free_overlap, double free_rate,
                           double overlap_per_force, double rate_per_force) {
    const double threshold = contact.threshold();
    if (!(free_overlap > threshold)) return 0.0;
    const double rate_per_overlap = rate_per_force / overlap_per_force;
    const auto residual = [&](double x) {
        const core::Dual overlap = core::Dual::variable(x);
        const core::Dual rate = free_rate - rate_per_overlap * (free_overlap - overlap);
        return overlap - free_overlap + overlap_per_force * contact.force(overlap, rate);
    };
    // A force that pulls brings the bodies closer than they would come freely.
    const double pull = std::max(0.0, -contact.force(free_overlap, free_rate));
    double low = threshold, high = free_overlap + overlap_per_force * pull;
    double x = free_overlap;
    for (int iteration = 0; iteration < 100; ++iteration) {
        const core::Dual r = residual(x);
        if (std::isnan(r.value)) return r.value;
        (r.value > 0.0 ? high : low) = x;
        double next = x - r.value / r.derivative;
        const double last_bits = 2.0 * std::numeric_limits<double>::epsilon() * std::abs(x);
        const bool settled = std::abs(next - x) <= last_bits;
        if (settled) break;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        x = next;
    }
    // Two ways to the same force; each loses digits where the other does not.
    const double force = contact.force(x, free_rate - rate_per_overlap * (free_overlap - x));
    const bool is_weak = 2.0 * std::abs(overlap_per_force * force) < free_overlap - threshold;
    return is_weak ? force : (free_overlap - x) / overlap_per_force;
}

}  // namespace stoss::time
