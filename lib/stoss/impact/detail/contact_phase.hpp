#pragma once
/// Contact in a run of the splitting scheme, from the instant at which a force sets in to the last
/// interval, whose impulse acts at once (theory/splitting_scheme.md 12.3, 12.4, 12.13).

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <stoss/contact/contact.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/impact/detail/collocation_step.hpp>
#include <stoss/impact/detail/contact_events.hpp>
#include <stoss/impact/detail/contact_resolution.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/impact/detail/error_transport.hpp>
#include <stoss/impact/detail/run_state.hpp>
#include <stoss/impact/detail/series_spring.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_step.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/cubic_event.hpp>
#include <stoss/time/detail/collocation.hpp>
#include <stoss/time/detail/largest_force.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class ContactPhase {
  public:
    /// `run` must live as long as this is used.
    ContactPhase(RunState<Law>& run, bool remembers_approach)
        : run_(run),
          error_(run, remembers_approach),
          events_(run, step_),
          resolution_(run),
          spring_(run),
          collocation_(run, step_, error_, events_, spring_) {}
    ContactPhase(const ContactPhase&) = delete;  // its parts refer to each other
    ContactPhase& operator=(const ContactPhase&) = delete;

    /// For one more run.
    void start() {
        error_.start();
        events_.start();
        resolution_.start();
    }

    /// A sub-impact begins. `onset`: ratio of the epsilon of (12.4) for its first step to that for
    /// its last interval.
    void begin(double onset) {
        RunInstant& at = run_.at;
        run_.sums.add_contact_loss(run_.contact.accept(at.x, at.rate));
        run_.sums.begin_sub_impact(at.time);
        ++count_;
        resolution_.begin_contact(onset);
        events_.begin_contact();
        slope_ = 0.0;
        // A law that pushes again after a release has not begun anew.
        const bool is_onset = !(at.x > run_.contact.begin_overlap());
        error_.begin_contact(is_onset);
        if (is_onset) {
            run_.recorder.note_onset(at.rate);
        } else {
            run_.recorder.note_resumption();
        }
        spring_.enter_contact();
        if (is_onset) note_jump(run_.at.force);
        has_ended_ = false;
        predict_step();
    }

    /// Bodies that were about to part press on each other again.
    void resume() {
        run_.recorder.note_resumption();
        spring_.enter_contact();
        predict_step();
    }

    /// The sub-impact ends: force or overlap have vanished, or it is too late.
    void end() {
        run_.sums.end_sub_impact(run_.at.time);
        if (!has_ended_) return;
        spring_.unload();
        spring_.leave_contact();
        if constexpr (SplittingLaw<Law>::has_rates) {
            if (!run_.contact.released()) note_jump(-last_force(run_.contact, run_.at.rate));
        }
        run_.recorder.note_end_of_contact();
    }

    bool has_ended() const { return has_ended_; }
    /// Sub-impacts so far, in all runs: grows when the limits change.
    std::size_t count() const { return count_; }
    const ErrorTransport<Law>& error() const { return error_; }
    SplittingStep& step() { return step_; }
    CollocationStep<Law>& collocation() { return collocation_; }

    /// True if the last interval of the contact has begun (12.4). It has where a step would move
    /// the overlap by its roundoff, however large the force of a law that attracts still is.
    bool is_nearly_over() const {
        const RunInstant& at = run_.at;
        const double left = at.x - run_.contact.end_overlap();
        const bool is_last =
            (prediction_.nearly_over && !pulls_ahead()) ||
            (at.rate < 0.0 && run_.limits.closing * left <= resolution_.unseen_overlap());
        return is_last && !events_.releases_before_edge(prediction_.ahead);
    }

    /// Chooses the next step.
    void choose_step() {
        step_.wanted =
            std::max(modal::Propagators::level_of(prediction_.step), run_.levels.coarsest);
        collocation_.choose(std::max(step_.wanted, events_.level_to_release()));
    }

    /// The end of the step becomes the present state.
    void accept(const StepOutcome& outcome) {
        RunInstant& at = run_.at;
        const double h = step_.flow->step;
        const double velocity_before = at.approach_velocity, force_before = at.force;
        add_work_at_nodes(outcome);
        run_.recorder.note_step(step_, outcome.force);
        run_.motion.accept(collocation_.moves_deviation());
        if (collocation_.moves_deviation()) error_.accept(step_, outcome.force);
        ++at.steps;
        run_.sums.note_force(largest(outcome));
        at.of_modes = step_.of_modes;
        at.x = step_.end.x;
        at.rate = step_.end.v;
        at.acceleration = outcome.acceleration;
        slope_ = outcome.slope;
        at.force = outcome.force;
        at.approach_velocity = step_.approach_velocity;
        run_.sums.add_contact_loss(run_.contact.accept(at.x, at.rate));
        if constexpr (contact::Hysteretic<Law>) slope_ = std::max(slope_, unloading_slope());
        run_.recorder.note_memory();
        note_compression_end(velocity_before, outcome.impulse, force_before);
        // V_rel falls by what the impulse takes from it, and rises evenly by the loads.
        run_.sums.add_step(
            outcome.impulse,
            0.5 * outcome.impulse * (velocity_before + at.approach_velocity) +
                run_.motion.pair.load_acceleration * (outcome.moment - 0.5 * h * outcome.impulse));
        at.advance(h);
        if constexpr (SplittingLaw<Law>::has_rates) events_.expect_release(h, force_before);
        run_.recorder.sample();
        has_ended_ = run_.contact.released() || !(at.x > run_.contact.end_overlap());
    }

    /// What comes next in contact, found here or elsewhere.
    void predict_step() {
        const RunInstant& at = run_.at;
        const double law =
            SplittingLaw<Law>::is_smooth ? at.force : run_.contact.force(at.x, at.rate);
        const double force = governing_force<SplittingLaw<Law>::has_rates>(run_.contact, at.x, law);
        const auto predict = [&](double edge) {
            return step_prediction(at.x - edge, at.rate, at.acceleration, force, slope_,
                                   run_.limits);
        };
        prediction_ = predict(run_.contact.end_overlap());
        if constexpr (contact::SingularInside<Law>) {
            // The step over the singularity is as long as a first one.
            const double onset = run_.limits.onset / run_.limits.longest;
            const double near = predict(run_.contact.singular_overlap()).step;
            prediction_.step = std::min(prediction_.step, std::max(near, onset));
        }
    }
    void set_prediction(const StepPrediction& next) { prediction_ = next; }

    /// The impulse of the last interval, at once (12.4). True if the bodies are then apart: a law
    /// that pulls at the end stretches the residual spring, and without the force there is no
    /// overlap left.
    bool apply_rest() {
        RunInstant& at = run_.at;
        // Nothing lies ahead where the overlap has just vanished.
        const modal::LateForce late =
            rest_of_force(prediction_.ahead < core::infinity ? prediction_.ahead : 0.0);
        spring_.leave_contact();
        const modal::Overlap change = run_.motion.apply_late_force(late);
        at.x += change.x;
        at.rate += change.v;
        const double velocity_before = at.approach_velocity;
        at.approach_velocity = run_.motion.bodies.approach_velocity(run_.motion.now());
        run_.sums.add_step(late.impulse,
                           0.5 * late.impulse * (velocity_before + at.approach_velocity));
        if (!run_.sums.compression_has_ended() && !(at.approach_velocity > 0.0)) {
            run_.recorder.note_compression(0.0);
            run_.sums.end_compression(at.time, 0.0, 0.0);
        }
        at.force = 0.0;
        return spring_.is_present() && !(at.x > run_.contact.end_overlap());
    }
    /// After `apply_rest`, where the overlap has vanished.
    void accept_end() {
        run_.sums.add_contact_loss(run_.contact.accept(run_.at.x, run_.at.rate));
        has_ended_ = true;
    }

  private:
    /// The force rises by `jump` [N] as the overlap meets its limit.
    void note_jump(double jump) {
        if (jump != 0.0 && run_.motion.carries_deviation)
            run_.motion.push_deviation(error_.impulse_of_jump(jump));
    }

    /// True if the force with which the law pulls where contact ends can still do something. The
    /// present force vanishes where it turns from a push to a pull.
    bool pulls_ahead() const {
        if constexpr (SplittingLaw<Law>::may_be_continuous) return false;
        const RunInstant& at = run_.at;
        const double last = run_.contact.unlimited_force(run_.contact.end_overlap(), 0.0);
        return run_.limits.compliance * std::abs(last) * prediction_.ahead >
               run_.limits.epsilon * -at.rate;
    }

    /// What the force took from the modes, and the law turned into heat.
    void add_work_at_nodes(const StepOutcome& outcome) {
        if (!run_.motion.needs_rates()) return;
        const time::NodeForces& nodes = step_.nodes;
        for (std::size_t k = 0; k < 3; ++k) {
            const double weight = step_.flow->step * core::Gauss3::weight[k];
            run_.sums.add_contact_work(weight * nodes.force[k] * nodes.v[k]);
            run_.sums.add_contact_loss(weight * outcome.dissipated[k]);
        }
    }

    /// The largest force of the step: of a smooth law it is the force at the largest overlap.
    time::Largest largest(const StepOutcome& outcome) const {
        const RunInstant& at = run_.at;
        const time::NodeForces& nodes = step_.nodes;
        if constexpr (SplittingLaw<Law>::is_smooth) {
            if (!(collocation_.turns() && nodes.solved))
                return {std::max(at.force, outcome.peak), 0.0};
            const time::Largest overlap = time::largest_overlap(step_.flow->step, at.x, at.rate,
                                                                nodes.x, step_.end.x, step_.end.v);
            const core::Dual force =
                run_.contact.force(core::Dual::variable(overlap.value), core::Dual(0.0));
            return {force.value, force.derivative * overlap.error};
        } else {
            return time::largest_force(at.force, nodes.force, outcome.force);
        }
    }

    /// dP/dx [N/m] of a law that unloads more steeply than it loads, where the overlap falls: a
    /// step from the largest overlap has yet to meet it. Elsewhere 0.
    double unloading_slope() const {
        const RunInstant& at = run_.at;
        if (at.rate > 0.0) return 0.0;
        const double below = std::nextafter(at.x, -core::infinity);
        return run_.contact.force(core::Dual::variable(below), core::Dual(at.rate)).derivative;
    }

    /// The end of compression, if it lies in the step that is just accepted: V_rel falls by what
    /// the impulse takes from it.
    void note_compression_end(double velocity_before, double impulse, double force_before) {
        const RunInstant& at = run_.at;
        const SplittingMotion& motion = run_.motion;
        if (run_.sums.compression_has_ended() || at.approach_velocity > 0.0) return;
        const double h = step_.flow->step;
        const double slope_before =
            motion.bodies.approach_acceleration(motion.next(), force_before);
        const double slope_after = motion.bodies.approach_acceleration(motion.now(), at.force);
        const time::CubicStep velocity{velocity_before, at.approach_velocity, h * slope_before,
                                       h * slope_after};
        const double fraction = velocity.root();
        run_.recorder.note_compression(fraction);
        // Of this step's impulse: the share that takes V_rel, and what the load adds, to zero.
        const double added = motion.pair.load_acceleration * h;
        const double share = impulse == 0.0 ? 0.0
                                            : (velocity_before + fraction * added) /
                                                  (velocity_before + added - at.approach_velocity);
        run_.sums.end_compression(at.time + h * fraction, share * impulse,
                                  0.5 * share * impulse * velocity_before);
    }

    /// Impulse and moments of the force over the rest of a contact [s], with the overlap as a
    /// parabola.
    modal::LateForce rest_of_force(double rest) {
        const RunInstant& at = run_.at;
        run_.recorder.note_rest(rest);
        modal::LateForce late{rest};
        for (std::size_t k = 0; k < 3; ++k) {
            const double s = core::Gauss3::node[k] * rest;
            const double w = core::Gauss3::weight[k] * rest;
            const double x = at.x + s * (at.rate + 0.5 * s * at.acceleration);
            const double v = at.rate + s * at.acceleration;
            const double force = run_.contact.force(x, v);
            late.impulse += w * force;
            late.first += s * w * force;
            late.second += 0.5 * s * s * w * force;
            run_.sums.add_contact_work(w * force * v);
            if constexpr (SplittingLaw<Law>::has_rates)
                run_.sums.add_contact_loss(w * run_.contact.dissipated_power(x, v));
        }
        return late;
    }

    RunState<Law>& run_;
    SplittingStep step_;
    ErrorTransport<Law> error_;
    ContactEvents<Law> events_;
    ContactResolution<Law> resolution_;
    SeriesSpring<Law> spring_;
    CollocationStep<Law> collocation_;
    StepPrediction prediction_{};
    double slope_ = 0.0;      // largest dP/dx in the last step in contact, or ahead of it [N/m]
    bool has_ended_ = false;  // the present sub-impact
    std::size_t count_ = 0;
};

}  // namespace stoss::impact
