#pragma once
/// Events in contact that must not lie inside a long step of the splitting scheme: the end of the
/// overlap, of compression, of the force, and kinks of the law (theory/splitting_scheme.md,
/// Events).

#include <algorithm>
#include <cmath>

#include <stoss/contact/contact.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/detail/run_state.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_step.hpp>
#include <stoss/impact/detail/step_levels.hpp>
#include <stoss/time/cubic_event.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class ContactEvents {
  public:
    /// Both must live as long as this is used.
    ContactEvents(RunState<Law>& run, const SplittingStep& step) : run_(run), step_(step) {}

    /// For one more run.
    void start() {
        to_piece_ = static_cast<int>(std::lround(2.0 - 2.5 * core::log2(run_.resolution.kappa)));
        to_turn_ = SplittingLaw<Law>::memory_changes_in_contact ? 5 : to_piece_;
    }
    /// A sub-impact begins.
    void begin_contact() { release_ = core::infinity; }

    /// True if the step is as short as steps become.
    bool is_shortest() const {
        return step_.level == StepLevels::last || halvings() >= StepLevels::to_release;
    }

    /// True if the step meets something that must not lie inside a step of its length.
    bool is_met() const {
        const modal::Overlap& end = step_.end;
        const contact::Contact<Law>& contact = run_.contact;
        const int halvings = this->halvings();
        if (!(end.x > contact.end_overlap()) && halvings < StepLevels::to_release) return true;
        if (halvings < to_turn_ && !run_.sums.compression_has_ended() &&
            !(step_.approach_velocity > 0.0)) {
            return true;
        }
        // What is remembered may be the largest overlap.
        const bool turns = run_.at.rate > 0.0 && !(end.v > 0.0);
        if constexpr (contact::Piecewise<Law>) {
            if (!contact.is_of_one_piece(run_.at.x, end.x) && halvings < to_piece_) return true;
        }
        if constexpr (contact::Hysteretic<Law>) {
            const double kink = contact.kink_overlap();
            if ((turns || (run_.at.x < kink && end.x > kink)) && halvings < StepLevels::to_release)
                return true;
        } else if (SplittingLaw<Law>::memory_changes_in_contact && turns && halvings < to_turn_) {
            return true;
        }
        if (!(halvings < StepLevels::to_release && releases())) return false;
        const time::Triple& nodes = step_.nodes.force;
        return !is_slight_release(step_.flow->step,
                                  std::max({run_.at.force, nodes[0], nodes[1], nodes[2]}));
    }

    /// True if the law would pull at the end of the step.
    bool releases() const {
        return SplittingLaw<Law>::has_rates && run_.contact.would_release(step_.end.x, step_.end.v);
    }

    /// The level of a step that ends just before the law would pull, by the cubic of the overlap.
    /// Notes the instant at which that is expected, if the deviation is carried along.
    int level_before_release() {
        constexpr int halvings = 8;
        const RunInstant& at = run_.at;
        const modal::Overlap& end = step_.end;
        const double h = step_.flow->step;
        const time::CubicStep overlap{at.x, end.x, h * at.rate, h * end.v};
        double before = 0.0, after = 1.0;
        for (int i = 0; i < halvings; ++i) {
            const double part = 0.5 * (before + after);
            const bool pulls = run_.contact.would_release(overlap(part), overlap.slope(part) / h);
            (pulls ? after : before) = part;
        }
        const double step = std::max(before, std::ldexp(1.0, -halvings)) * h;
        // Two runs that are compared must not differ in the steps before a release.
        if (run_.motion.carries_deviation) release_ = at.time + after * h;
        return std::clamp(run_.motion.propagators.level_within(step), step_.level + 1,
                          StepLevels::last);
    }

    /// The level of a step that ends before the instant at which the law is expected to pull, or
    /// just after it if it may.
    int level_to_release() const {
        if (!(release_ < core::infinity)) return run_.levels.coarsest;
        const int before = run_.motion.propagators.level_within(release_ - run_.at.time);
        const int after = std::max(before - 1, run_.levels.coarsest);
        return is_slight_release(run_.motion.propagators.step(after), run_.at.force) ? after
                                                                                     : before;
    }

    /// A step of this length [s] is over, which led towards a release: when the law is expected to
    /// pull, by the secant of the force [N].
    void expect_release(double step, double force_before) {
        if (!(release_ < core::infinity)) return;
        const double force = run_.at.force, fall = force_before - force;
        release_ = fall > 0.0 ? run_.at.time + step * force / fall : core::infinity;
    }

    /// True if the force vanishes before the overlap does, which is expected after a time `ahead`
    /// [s]. The rest of such a contact (12.4) does not say when, unless the last steps before a
    /// release would be lost in the roundoff of time or overlap.
    bool releases_before_edge(double ahead) const {
        constexpr double part = 1.0 / (1 << StepLevels::to_release);
        const RunInstant& at = run_.at;
        const double edge = run_.contact.end_overlap();
        return SplittingLaw<Law>::has_rates && would_release_above(run_.contact, edge, at.rate) &&
               at.time + part * ahead > at.time &&
               part * (at.x - edge) > run_.motion.roundoff_of_overlap();
    }

  private:
    /// How often the step has been halved.
    int halvings() const { return (step_.level - step_.wanted) / StepLevels::octave; }

    /// True if a step in which the law begins to pull may be so long [s], where a force [N] is
    /// left: its parabola misses the kink there.
    bool is_slight_release(double step, double force) const {
        constexpr double part = 1e-6;  // of what may be left to the rest of a contact
        const double rate = run_.at.rate;
        return run_.motion.carries_deviation && rate < 0.0 &&
               run_.limits.compliance * std::abs(force) * step <=
                   part * run_.limits.epsilon * -rate;
    }

    RunState<Law>& run_;
    const SplittingStep& step_;
    int to_turn_ = 0;   // halvings of a step that meets the end of compression
    int to_piece_ = 0;  // halvings of a step from one piece of the force curve to the next
    double release_ = core::infinity;  // when the law is expected to pull [s]; infinity: not known
};

}  // namespace stoss::impact
