#pragma once
/// Free motion of a run of the splitting scheme: exactly to the instant at which the overlap
/// vanishes, or until it is known that it never will (theory/splitting_scheme.md 12.6, 12.11,
/// theory/collision.md 6.9, 6.14).

#include <algorithm>
#include <cmath>
#include <optional>

#include <stoss/contact/contact.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/detail/collision_outcome.hpp>
#include <stoss/impact/detail/free_motion_proof.hpp>
#include <stoss/impact/detail/run_state.hpp>
#include <stoss/impact/detail/step_levels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/cubic_event.hpp>

namespace stoss::impact {

enum class FreeMotionEnd {
    crossed,    ///< at the edge
    turned,     ///< before that a released law presses again, or the bodies close again
    separated,  ///< no contact follows ever after
    late        ///< the time limit, or rest
};

template <contact::ContactLaw Law>
class FreePhase {
  public:
    /// `run` must live as long as this is used.
    explicit FreePhase(RunState<Law>& run) : run_(run), proof_(run.motion, run.at, run.levels) {}

    /// For one more run.
    void start() { graze_level_ = graze_level(); }

    /// Free motion while the overlap keeps its side of the edge at which contact begins or ends. No
    /// zero is missed: each step is proven free of them (12.6), but for those shorter than the
    /// event level's step. `until_turn`: ends also where overlapping bodies close again.
    FreeMotionEnd move(Side side, bool until_turn = false) {
        begin(side, until_turn);
        std::optional<FreeMotionEnd> end;
        while (!end) {
            run_.check_stop();
            end = is_over();
            if (!end) end = try_step();
        }
        run_.recorder.end_free_motion(*end == FreeMotionEnd::crossed);
        return *end;
    }

    /// True if a released law presses again at the latest where the overlap is about to vanish at
    /// this rate [m/s]: its spring outweighs the damper at small overlaps, however small these are.
    bool presses_at_edge(double rate) const {
        return run_.contact.released() && !would_release_above(run_.contact, proof_.edge(), rate);
    }

    /// For the history only: a little beyond the separation [s] of bodies that have parted for
    /// good.
    void record_aftermath(double separation) {
        const modal::Propagator& flow = run_.motion.flow(run_.levels.coarsest);
        while (run_.at.time < aftermath * separation) {
            run_.check_stop();
            const modal::Overlap end = run_.motion.move_freely(flow);
            if (end.x > proof_.edge()) return;  // loads bring the bodies together again
            accept(flow, end);
        }
    }

  private:
    /// A step that is tried.
    struct Trial {
        const modal::Propagator& flow;
        modal::Overlap end;
        bool crossed;  ///< the edge
        bool resumes;  ///< the law, once released, presses again
        bool closes;   ///< overlapping bodies close again
    };

    /// Level of the shortest step of a free motion. The loads may turn the rigid motion around in a
    /// fraction 2^-`to_graze` of the time in which they change its velocity by itself.
    int graze_level() const {
        constexpr int to_graze = 17;
        const modal::Propagators& propagators = run_.motion.propagators;
        const double load = std::abs(run_.motion.pair.load_acceleration);
        const double shortest =
            std::ldexp(StepLevels::brief * run_.at.approach_velocity / load, -to_graze);
        int level = run_.levels.event;
        while (load > 0.0 && level < StepLevels::last && propagators.step(level) > shortest)
            ++level;
        return level;
    }

    void begin(Side side, bool until_turn) {
        side_ = side;
        until_turn_ = until_turn;
        const double edge =
            side == Side::apart ? run_.contact.begin_overlap() : run_.contact.end_overlap();
        run_.recorder.begin_free_motion(edge);
        proof_.begin(side, edge);
        // Only steps that resolve all modes show whether a released law has a force again.
        longest_ = side == Side::overlapping && run_.contact.released() ? run_.levels.event
                                                                        : run_.levels.coarsest;
        level_ = std::max(proof_.likely_level(run_.levels.event, true), longest_);
        patience_ = 0;
        since_reach_ = 0;
        leaving_ = -run_.at.rate;
        over_ = core::infinity;
        resuming_level_ = resuming_level();
    }

    /// The end, if nothing more can come.
    std::optional<FreeMotionEnd> is_over() {
        const RunInstant& at = run_.at;
        const SplittingMotion& motion = run_.motion;
        if (run_.rests(proof_.edge())) return FreeMotionEnd::late;
        if (side_ == Side::apart) {
            if (motion.bodies.parts_for_good(motion.now(), at.approach_velocity, proof_.reach()))
                return FreeMotionEnd::separated;
            if (motion.pair.loaded) {
                over_ = std::min(over_, widest_gap(proof_.reach()));
                if (at.time >= over_) return FreeMotionEnd::separated;
            }
        }
        if (at.time >= run_.time_limit) return FreeMotionEnd::late;
        return {};
    }

    /// A step of the present level: either it is too long, or it is taken. The end, if that is one.
    std::optional<FreeMotionEnd> try_step() {
        const modal::Propagator& flow = run_.motion.flow(level_);
        const Trial trial = tried(flow);
        if (shorten_if_too_long(trial)) return {};
        if (trial.crossed) {
            const double fraction = proof_.crossing(flow.step, trial.end);
            // Near the begin of a long step the root would lose digits.
            const bool is_near = fraction < 0.1 && level_ < StepLevels::last;
            const bool leaves = this->leaves(trial);
            if (is_near && shorten_towards_crossing(trial, leaves, fraction)) return {};
            if (!(is_near && leaves)) {
                if (run_.at.time + fraction * flow.step > over_) return FreeMotionEnd::separated;
                accept_crossing(flow.step, fraction, trial.end);
                return FreeMotionEnd::crossed;
            }
        }
        accept(flow, trial.end);
        if (trial.crossed) run_.at.x = proof_.edge();  // by roundoff only
        if ((trial.resumes && !run_.contact.would_release(run_.at.x, run_.at.rate)) ||
            (until_turn_ && !(run_.at.rate < 0.0)))
            return FreeMotionEnd::turned;
        if (run_.motion.pair.damped && ++since_reach_ == 8) {
            proof_.forget_bounds();
            since_reach_ = 0;
        }
        level_ = std::max(proof_.likely_level(level_, --patience_ < 0), longest_);
        return {};
    }

    Trial tried(const modal::Propagator& flow) {
        const modal::Overlap end = run_.motion.move_freely(flow);
        const bool crossed = proof_.sign() * (end.x - proof_.edge()) < 0.0;
        const bool resumes = side_ == Side::overlapping && may_resume(flow.step, end);
        const bool closes = until_turn_ && !crossed && closes_unfelt(flow.step, end);
        return {flow, end, crossed, resumes, closes};
    }

    /// True if a shorter step is to be tried, which then has its level: the step meets something,
    /// or nothing is proven of it.
    bool shorten_if_too_long(const Trial& trial) {
        const bool proven =
            !trial.crossed && !trial.resumes && !trial.closes && proof_.holds(level_, trial.end);
        const int finest = trial.resumes  ? resuming_level_
                           : trial.closes ? std::max(resuming_level_, graze_level_)
                                          : graze_level_;
        if (!proven && level_ < finest) {
            const int halvings = proof_.halvings_before_zero(trial.crossed, trial.end);
            level_ = std::min(level_ + StepLevels::octave * halvings, finest);
            patience_ = 3;
            return true;
        }
        if (proven || trial.crossed || level_ == StepLevels::last) return false;
        const double part = proof_.dip(trial.flow.step, trial.end);
        if (!(part > 0.0)) return false;
        const int at_dip = run_.motion.propagators.level_within(part * trial.flow.step);
        level_ = std::max(level_ + 1, at_dip);
        return true;
    }

    /// True if the bodies leave the edge on the side on which they are.
    bool leaves(const Trial& trial) const {
        return proof_.sign() * run_.at.rate >= 0.0 ||
               (side_ == Side::apart && turns_unseen(trial.flow.step, trial.end));
    }

    /// True if a step that crosses the edge near its begin is to be shorter, which then has its
    /// level. Bodies that leave throughout so short a step cross by roundoff only.
    bool shorten_towards_crossing(const Trial& trial, bool leaves, double fraction) {
        const bool begins_at_edge = proof_.is_at_edge(run_.at.x);
        const bool by_roundoff =
            proof_.is_at_edge(trial.end.x) || proof_.sign() * trial.end.v >= 0.0;
        if (begins_at_edge && (!leaves || by_roundoff)) return false;
        const int nearer =
            begins_at_edge ? 0
                           : run_.motion.propagators.level_within(2.0 * fraction * trial.flow.step);
        level_ = std::min(std::max(level_ + StepLevels::octave, nearer), StepLevels::last);
        return true;
    }

    /// The instant at which the loads turn the rigid bodies around, if the gap is then too wide for
    /// the vibrations (6.14); infinity: it is not, or the bodies do not turn.
    double widest_gap(double reach) const {
        const RunInstant& at = run_.at;
        const SplittingMotion& motion = run_.motion;
        const double back = motion.bodies.approach_acceleration(motion.now(), 0.0);
        if (!(at.approach_velocity < 0.0 && back > 0.0)) return core::infinity;
        const double rise = 0.5 * at.approach_velocity * at.approach_velocity / back;
        const bool is_wide = motion.bodies.rigid_overlap(motion.now()) - rise + reach < 0.0;
        return is_wide ? at.time - at.approach_velocity / back : core::infinity;
    }

    /// True if the law, once released, would press again at the end of a step [s] or inside it.
    bool may_resume(double step, const modal::Overlap& end) const {
        const contact::Contact<Law>& contact = run_.contact;
        if (!contact.released()) return false;
        const time::CubicStep overlap{run_.at.x, end.x, step * run_.at.rate, step * end.v};
        for (const double part : {0.25, 0.5, 0.75}) {
            const double x = overlap(part), v = overlap.slope(part) / step;
            if (contact.would_release(x, v)) continue;
            // In a short step the overlap hardly changes by more than its roundoff.
            const double uncertain = 3.0 * run_.motion.roundoff_of_overlap() / step;
            if (!contact.would_release(x, v - uncertain)) return true;
        }
        if (end.x > proof_.edge()) return !contact.would_release(end.x, end.v);
        return presses_at_edge(overlap.slope(proof_.crossing(step, end)) / step);
    }

    /// The level of the step in which a force sets in again: as short as that of a release, against
    /// the vibrations and, once released, against the time in which the overlap vanishes.
    int resuming_level() const {
        const RunInstant& at = run_.at;
        int level = run_.levels.event;
        if (run_.contact.released())
            level = std::max(level, run_.motion.propagators.level_within(
                                        std::abs((at.x - proof_.edge()) / at.rate)));
        return std::min(level + StepLevels::octave * StepLevels::to_release, StepLevels::last);
    }

    /// True if bodies that touch close so slowly that they turn back, in a step [s] or with its
    /// deceleration, before their overlap exceeds its roundoff: no step would resolve that contact.
    /// A law that attracts has a force there all the same.
    bool turns_unseen(double step, const modal::Overlap& end) const {
        const RunInstant& at = run_.at;
        if (!(proof_.is_at_edge(at.x) && proof_.is_at_edge(end.x))) return false;
        const double lost = at.rate - end.v;
        const double turning = lost > 0.0 ? 0.5 * step * at.rate / lost : core::infinity;
        const double deepest = at.rate * std::min(turning, run_.time_limit - at.time);
        const double above = std::nextafter(proof_.edge(), core::infinity);
        return deepest <= run_.motion.roundoff_of_overlap() &&
               !(run_.contact.force(above, at.rate) < 0.0);
    }

    /// True if overlapping bodies close again in a step [s], and deep enough for the force that is
    /// left out (12.4) to matter beside the rate at which they were leaving.
    bool closes_unfelt(double step, const modal::Overlap& end) const {
        if (end.v < 0.0) return false;
        const double force = std::abs(run_.contact.force(std::max(run_.at.x, end.x), 0.0));
        return !(run_.limits.compliance * force * step <= run_.limits.epsilon * leaving_);
    }

    void accept(const modal::Propagator& flow, const modal::Overlap& end) {
        const double h = flow.step;
        RunInstant& at = run_.at;
        ++at.steps;
        run_.motion.accept(run_.motion.carries_deviation);
        follow_compression(h);
        at.advance(h);
        at.acceleration = (end.v - at.rate) / h;
        at.x = end.x;
        at.rate = end.v;
        run_.recorder.sample();
    }

    /// To the edge inside a step [s], no longer than that of the event level, that crosses it.
    void accept_crossing(double step, double fraction, const modal::Overlap& end) {
        RunInstant& at = run_.at;
        double time = step * fraction;
        modal::Overlap there = run_.motion.move_briefly(time);
        const double correction = (proof_.edge() - there.x) / there.v;  // Newton, once
        if (std::abs(correction) < 1e-3 * step) {
            time += correction;
            there = run_.motion.correct_briefly(correction);
        }
        ++at.steps;
        run_.motion.accept_brief(time);
        follow_compression(time);
        at.advance(time);
        at.acceleration = (end.v - at.rate) / step;
        at.x = proof_.edge();
        at.rate = there.v;
        run_.recorder.sample();
    }

    /// External damping or loads may end the approach of the rigid bodies in free motion, in the
    /// step [s] that is just accepted.
    void follow_compression(double step) {
        RunInstant& at = run_.at;
        const SplittingMotion& motion = run_.motion;
        at.approach_velocity = motion.bodies.approach_velocity(motion.now());
        if (run_.sums.compression_has_ended() || at.approach_velocity > 0.0) return;
        const double end = at.time + motion.bodies.approach_end(motion.next(), step);
        run_.recorder.note_compression_at(end);
        run_.sums.end_compression(end, 0.0, 0.0);
    }

    RunState<Law>& run_;
    FreeMotionProof proof_;
    int graze_level_ = 0;
    // Of the present free motion.
    Side side_ = Side::apart;
    bool until_turn_ = false;
    int level_ = 0, longest_ = 0, resuming_level_ = 0;
    int patience_ = 0;              // steps before the next longer one
    int since_reach_ = 0;           // steps since the bounds were found
    double leaving_ = 0.0;          // the rate at which the bodies were leaving each other [m/s]
    double over_ = core::infinity;  // the instant at which only loads can still bring them back [s]
};

}  // namespace stoss::impact
