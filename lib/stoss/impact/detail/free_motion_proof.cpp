#include <stoss/impact/detail/free_motion_proof.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <stoss/core/elementary.hpp>
#include <stoss/time/cubic_event.hpp>

namespace stoss::impact {

int FreeMotionProof::likely_level(int level, bool may_grow) {
    constexpr int octave = StepLevels::octave;
    const double gap = sign_ * (at_.x - edge_), v = sign_ * at_.rate, a = sign_ * at_.acceleration;
    if (may_grow && level > levels_.event) return std::max(level - octave, levels_.event);
    // The condition of `holds`, if the gap went on as a parabola; bounds count twice.
    const double smooth = 16.0 / 3.0 * bounds(levels_.event).smooth;
    const auto is_likely = [&](int l) {
        const double h = motion_.propagators.step(l);
        const double end = gap + h * (v + h * (0.5 * a));
        if (!(end > 0.0)) return false;
        const double middle = gap + h * (0.5 * v + h * (a / 12.0));
        const double square = h * h * levels_.per_event_step * levels_.per_event_step;
        if (middle >= smooth * (square * square)) return true;
        return std::min({gap, middle, end}) > 2.0 * bounds(l).any;
    };
    while (level < levels_.event && !is_likely(level)) level += octave;
    while (may_grow && level - octave >= levels_.coarsest && is_likely(level - octave))
        level -= octave;
    return level;
}

/// The cubic Hermite polynomial of the gap has positive Bernstein coefficients, also after the
/// largest error that it can have is taken off.
bool FreeMotionProof::holds(int level, const modal::Overlap& end) {
    const modal::FreeMotionBounds bound = bounds(level);
    const double third = motion_.propagators.step(level) / 3.0;
    const double x0 = at_.x - edge_, x1 = end.x - edge_;
    const double p0 = sign_ * x0, p1 = sign_ * (x0 + third * at_.rate);
    const double p2 = sign_ * (x1 - third * end.v), p3 = sign_ * x1;
    if (std::min({p0, p1, p2, p3}) > bound.any) return true;
    return p0 >= 0.0 && p0 + 3.0 * p1 >= 0.0 && 0.5 * (p1 + p2) >= 8.0 / 3.0 * bound.smooth &&
           p3 + 3.0 * p2 >= 0.0 && p3 > 0.0;
}

int FreeMotionProof::halvings_before_zero(bool crossed, const modal::Overlap& end) const {
    const double gap = std::abs(at_.x - edge_);
    const double fraction = gap / (gap + std::abs(end.x - edge_));
    if (!crossed || gap == 0.0 || fraction > 0.5) return 1;
    return fraction > 0.25 ? 2 : 3;  // no more: it is no good where contact has just ended
}

double FreeMotionProof::dip(double step, const modal::Overlap& end) const {
    if (!(sign_ * at_.rate < 0.0 && sign_ * end.v > 0.0)) return 0.0;
    const time::CubicStep gap{sign_ * (at_.x - edge_), sign_ * (end.x - edge_),
                              sign_ * step * at_.rate, sign_ * step * end.v};
    const double after = gap.turn(20).high;
    return gap(after) < -motion_.roundoff_of_overlap() ? after : 0.0;
}

double FreeMotionProof::crossing(double step, const modal::Overlap& end) const {
    return time::CubicStep{at_.x - edge_, end.x - edge_, step * at_.rate, step * end.v}.root(1e-7);
}

bool FreeMotionProof::is_at_edge(double x) const {
    return std::abs(x - edge_) <= motion_.roundoff_of_overlap();
}

void FreeMotionProof::find_reach() {
    reach_ = slow_reach_ = motion_.amplitudes();
    slow_drift_ = 0.0;
    since_ = at_.time;
    if (motion_.pair.loaded) return;
    constexpr double slow = 1e-5;  // of the highest frequency
    const double limit = slow * motion_.propagators.highest_omega();
    for (std::size_t j = 0; j < motion_.bodies.size(); ++j) {
        const double omega = motion_.bodies.omega(j);
        if (omega > 0.0 && omega < limit) return find_slow_reach(limit);
    }
}

/// Modes or blocks below the frequency `limit` [1/s] are slow.
void FreeMotionProof::find_slow_reach(double limit) {
    const modal::ContactShape& shape = motion_.bodies.shape();
    const auto [q, v] = motion_.now();
    double lasting_velocity = 0.0, reach = 0.0, drift = 0.0;
    for (std::size_t j = 0; j < motion_.bodies.size(); ++j) {
        const double omega = motion_.bodies.omega(j), d = motion_.propagators.dampings()[j];
        const double out_q = shape.out_q[j], out_v = shape.out_v ? shape.out_v[j] : 0.0;
        if (omega >= limit) {
            reach += motion_.memory.reach[j];
        } else if (omega > 0.0) {
            const double highest_rate = core::hypot(omega * q[j], v[j]);
            reach -= out_q * q[j] + out_v * v[j];
            drift += highest_rate * (std::abs(out_q) + (omega + d) * std::abs(out_v));
        } else if (d == 0.0) {
            lasting_velocity -= out_q * v[j];
        } else if (!motion_.pair.coupled) {
            return;  // the rigid bodies do not keep their velocities
        }
    }
    if (lasting_velocity + drift > 0.0) return;
    slow_reach_ = reach;
    slow_drift_ = drift;
}

const modal::FreeMotionBounds& FreeMotionProof::bounds(int level) {
    const auto l = static_cast<std::size_t>(level);
    if (!has_bounds_[l]) {
        if (!reach_) find_reach();
        bounds_[l] = motion_.free_motion_bounds(motion_.propagators.step(level));
        has_bounds_[l] = true;
    }
    return bounds_[l];
}

}  // namespace stoss::impact
