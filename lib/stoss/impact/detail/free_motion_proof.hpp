#pragma once
/// Steps of a free motion in which the overlap provably keeps its side of an edge
/// (theory/splitting_scheme.md 12.6).

#include <algorithm>
#include <array>
#include <optional>

#include <stoss/impact/detail/run_instant.hpp>
#include <stoss/impact/detail/splitting_motion.hpp>
#include <stoss/impact/detail/step_levels.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

/// The side of the edge on which a free motion goes on.
enum class Side { apart, overlapping };

class FreeMotionProof {
  public:
    /// All must live as long as this is used.
    FreeMotionProof(SplittingMotion& motion, const RunInstant& at, const StepLevels& levels)
        : motion_(motion), at_(at), levels_(levels) {}

    /// For one more free motion, from the present state on; `edge`: overlap that would end it [m].
    void begin(Side side, double edge) {
        sign_ = side == Side::apart ? -1.0 : 1.0;
        edge_ = edge;
        forget_bounds();
    }
    /// The next call computes the bounds from the present state: for a new free motion, and for one
    /// that damping has weakened.
    void forget_bounds() {
        reach_.reset();
        has_bounds_.fill(false);
    }

    double edge() const { return edge_; }
    /// +1 or -1: sign() (x - edge) is the gap, which is positive until the edge is reached.
    double sign() const { return sign_; }
    /// Bound of what the vibrations add to the overlap [m], from now on and while the rigid bodies
    /// move apart as they do (theory/collision.md 6.9).
    double reach() {
        if (!reach_) find_reach();
        return std::min(*reach_, slow_reach_ + slow_drift_ * (at_.time - since_));
    }

    /// The level of the longest step that is likely to be proven; no longer than that of `level`
    /// unless it `may_grow`. Of steps shorter than that of the event level nothing is proven.
    int likely_level(int level, bool may_grow);

    /// (12.6): no zero of the gap inside a step that leads to `end`.
    bool holds(int level, const modal::Overlap& end);

    /// How often a step that holds a zero of the gap, or may hold one, is halved next: until it
    /// ends before the zero of the secant.
    int halvings_before_zero(bool crossed, const modal::Overlap& end) const;

    /// Where the gap is least inside a step [s] that is too short to be proven, if its cubic is
    /// below zero there by more than roundoff; else 0.
    double dip(double step, const modal::Overlap& end) const;

    /// Fraction of a step [s] at which the overlap crosses the edge, to about 1e-7.
    double crossing(double step, const modal::Overlap& end) const;

    bool is_at_edge(double x) const;

  private:
    const modal::FreeMotionBounds& bounds(int level);
    void find_reach();
    void find_slow_reach(double limit);

    SplittingMotion& motion_;
    const RunInstant& at_;
    const StepLevels& levels_;
    double edge_ = 0.0, sign_ = 1.0;
    std::optional<double> reach_;  // by the amplitudes
    // With slow modes by their rates (6.9): slow_reach_ + slow_drift_ t, from `since_` on.
    double slow_reach_ = 0.0, slow_drift_ = 0.0, since_ = 0.0;
    std::array<modal::FreeMotionBounds, modal::Propagators::levels> bounds_;
    std::array<bool, modal::Propagators::levels> has_bounds_{};
};

}  // namespace stoss::impact
