#pragma once
/// A step in contact by the splitting scheme: the contact force is a parabola, which agrees with
/// the law at three Gauss nodes (theory/splitting_scheme.md 12.1, 12.2).

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <stoss/contact/contact.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/impact/detail/contact_events.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/impact/detail/error_transport.hpp>
#include <stoss/impact/detail/run_state.hpp>
#include <stoss/impact/detail/series_spring.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_step.hpp>
#include <stoss/impact/detail/step_levels.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class CollocationStep {
  public:
    /// All must live as long as this is used. `step`: where the step is written.
    CollocationStep(RunState<Law>& run, SplittingStep& step, const ErrorTransport<Law>& error,
                    ContactEvents<Law>& events, const SeriesSpring<Law>& spring)
        : run_(run), step_(step), error_(error), events_(events), spring_(spring) {}

    void choose(int level) {
        step_.level = level;
        step_.flow = &run_.motion.flow(level);
        step_.compliance = &run_.motion.compliances(level);
    }

    /// Where the step leads without forces.
    void find_free_overlaps() { run_.motion.find_free_overlaps(*step_.flow, step_.free); }

    /// The forces of the step.
    void solve() { solve_from(forces_ahead()); }

    /// The motion under the forces of the step.
    void apply_forces() {
        if (!step_.nodes.solved) solve_from_spring();
        if (!step_.nodes.solved) {
            if (!events_.is_shortest()) return;
            // So short a step changes nothing but which of its nodes, by roundoff, touch.
            step_.nodes.force = forces_ahead();
        }
        const modal::Overlap of_modes = run_.motion.apply_forces(
            *step_.flow, step_.nodes.force, moves_deviation() ? &step_.deviation : nullptr);
        set_end(of_modes, spring_.seen_by_law(step_, of_modes));
    }
    /// Where the step leads: overlap of the modes, and what the law sees of it.
    void set_end(const modal::Overlap& of_modes, const modal::Overlap& seen) {
        step_.of_modes = of_modes;
        step_.end = seen;
        step_.approach_velocity = run_.motion.bodies.approach_velocity(run_.motion.next());
    }

    /// Chooses a shorter step if the forces of this one are not solved, or if it meets an event.
    /// True: it is to be tried again.
    bool shorten_if_needed() {
        if (!step_.nodes.solved && !events_.is_shortest()) return halve();
        if (!is_finite() || step_.level == StepLevels::last || !events_.is_met()) return false;
        if (!events_.releases()) return halve();
        choose(events_.level_before_release());
        return true;
    }

    bool is_finite() const { return std::isfinite(step_.end.x); }
    /// True if the surfaces stop approaching each other inside the step.
    bool turns() const { return run_.at.rate > 0.0 && !(step_.end.v > 0.0); }
    /// True if the deviation moves with the step.
    bool moves_deviation() const { return run_.motion.carries_deviation && step_.nodes.solved; }

    /// What the step did.
    StepOutcome outcome() const {
        const time::NodeForces& nodes = step_.nodes;
        StepOutcome outcome = outcome_of_step(step_.flow->step, run_.at.rate, step_.end, nodes,
                                              run_.contact.force(step_.end.x, step_.end.v));
        for (std::size_t k = 0; SplittingLaw<Law>::has_rates && k < 3; ++k)
            outcome.dissipated[k] = run_.contact.dissipated_power(nodes.x[k], nodes.v[k]);
        return outcome;
    }

  private:
    void solve_from(const time::Triple& guess) {
        const modal::Compliances& compliance = *step_.compliance;
        const double h = step_.flow->step;
        FreeStep free{step_.free.v, step_.free.seen, step_.free.seen_v, step_.free.deviation_v};
        if (SplittingLaw<Law>::has_rates)
            free = with_residual_displacement(free, run_.at.force, error_.force(),
                                              spring_.residual(), h);
        // A copy of its own: the loop keeps it in registers.
        const time::NodeForces nodes =
            run_.motion.needs_rates()
                ? time::solve_node_forces<true>(run_.contact, step_.free.x, free.v, compliance.x,
                                                compliance.v, guess, run_.limits.exactness)
                : time::solve_node_forces<false>(run_.contact, step_.free.x, free.v, compliance.x,
                                                 compliance.v, guess, run_.limits.exactness);
        step_.nodes = nodes;
        if constexpr (SplittingLaw<Law>::may_be_continuous) {
            if (run_.motion.carries_deviation) step_.deviation = error_.of_step(step_, free);
        }
    }

    /// The forces that were not found, from what the spring says of them. Where it gives way by
    /// more than the damper, forces that go on with the law lead Newton's method to rates at which
    /// the law would pull.
    void solve_from_spring() {
        if constexpr (SplittingLaw<Law>::has_rates) {
            if (!spring_.is_present()) return;
            find_free_overlaps();  // a lane has them elsewhere
            const double rate = spring_.force_rate();
            time::Triple guess;
            for (std::size_t k = 0; k < 3; ++k)
                guess[k] = run_.at.force + step_.flow->step * core::Gauss3::node[k] * rate;
            solve_from(guess);
        }
    }

    bool halve() {
        choose(std::min(step_.level + StepLevels::octave, StepLevels::last));
        return true;
    }

    /// Forces at the nodes if the overlap went on as a parabola.
    time::Triple forces_ahead() const {
        const RunInstant& at = run_.at;
        time::Triple force;
        for (std::size_t k = 0; k < 3; ++k) {
            const double s = step_.flow->step * core::Gauss3::node[k];
            force[k] = run_.contact.force(at.x + s * (at.rate + 0.5 * s * at.acceleration),
                                          at.rate + s * at.acceleration);
        }
        return force;
    }

    RunState<Law>& run_;
    SplittingStep& step_;
    const ErrorTransport<Law>& error_;
    ContactEvents<Law>& events_;
    const SeriesSpring<Law>& spring_;
};

}  // namespace stoss::impact
