#pragma once
/// One run through a collision by the splitting scheme: contact and free motion take turns, the
/// modes follow their exact flow (docs/theory/splitting_scheme.md).

#include <algorithm>
#include <limits>

#include <stoss/contact/contact.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/collision_record.hpp>
#include <stoss/impact/detail/collision_sums.hpp>
#include <stoss/impact/detail/collocation_step.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/contact_phase.hpp>
#include <stoss/impact/detail/free_motion_proof.hpp>
#include <stoss/impact/detail/free_phase.hpp>
#include <stoss/impact/detail/run_state.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_memory.hpp>
#include <stoss/impact/detail/step_levels.hpp>
#include <stoss/impact/detail/step_resolution.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class SplittingCollision {
  public:
    /// All must live as long as this is used; `record` may be null.
    SplittingCollision(const ContactPair& pair, const modal::Propagators& propagators,
                       const contact::Contact<Law>& contact, SplittingMemory& memory,
                       CollisionRecord<Law>* record = nullptr)
        : untouched_(contact),
          run_(pair, propagators, contact, memory, record,
               carries_deviation(pair, contact, record != nullptr)),
          contact_(run_, remembers_approach(contact)),
          free_(run_) {}

    /// True if the run carries along how far it deviates from the truth.
    bool knows_its_error() const { return run_.motion.carries_deviation; }
    /// Truth less run at the last separation, to first order (12.8). Only if `knows_its_error`.
    const RunDifference& deviation() const { return run_.sums.deviation(); }

    const ToleranceFactors& tolerance_factors() const {
        if (!knows_its_error())
            return run_.recorder.has_record() ? for_derivatives : with_compared_runs;
        return SplittingLaw<Law>::is_smooth ? with_known_error : with_known_error_and_rates;
    }

    /// The whole run. Precondition: the bodies, and their surfaces, approach each other at t = 0.
    void run(const StepResolution& resolution, double time_limit, CollisionResult& result,
             History* history) {
        start(resolution, time_limit, result, history);
        go_on();
    }

    /// Precondition: as that of `run`.
    void start(const StepResolution& resolution, double time_limit, CollisionResult& result,
               History* history) {
        result_ = &result;
        run_.resolution = resolution;
        run_.time_limit = time_limit;
        run_.contact = untouched_;
        run_.motion.start();
        run_.levels = StepLevels(run_.motion.propagators, resolution);
        run_.limits = limits_of(resolution);
        run_.at = {};
        run_.at.rate = run_.motion.pair.overlap(run_.motion.pair.initial_rates);
        run_.approach_speed = run_.motion.bodies.approach_velocity(run_.motion.now());
        run_.at.approach_velocity = run_.approach_speed;
        contact_.start();
        free_.start();
        run_.sums.start(run_.approach_speed, result);
        run_.recorder.start(history);
        contact_.begin(tolerance_factors().onset);
    }

    /// The rest of a run.
    void go_on() {
        CollocationStep<Law>& step = contact_.collocation();
        while (advance()) {
            do {
                step.find_free_overlaps();
                step.solve();
                step.apply_forces();
            } while (!is_accepted());
            take_step();
        }
    }

    // The parts of a run, for those who solve the steps of several collisions side by side.

    /// Goes on to the next step in contact. False: the run has ended.
    bool advance() {
        while (result_->status == Status::not_separated) {
            run_.check_stop();
            if (contact_.has_ended() || !(run_.at.time < run_.time_limit) ||
                run_.rests(run_.contact.end_overlap())) {
                end_contact();
                if (!contact_.has_ended() || !move_apart() || !(run_.at.time < run_.time_limit))
                    break;
                contact_.begin(tolerance_factors().onset);
            } else if (contact_.is_nearly_over()) {
                finish_contact();
            } else {
                contact_.choose_step();
                return true;
            }
        }
        constexpr bool is_smooth = SplittingLaw<Law>::is_smooth;
        // What a law with rates takes from the energy is that of the run, not of the truth.
        run_.sums.conclude(run_.at.steps, is_smooth && knows_its_error());
        return false;
    }

    /// False: the step is to be tried once more, shorter.
    bool is_accepted() {
        if (contact_.collocation().shorten_if_needed()) return false;
        if (!contact_.collocation().is_finite()) result_->status = Status::not_finite;
        return true;
    }

    /// The step is over.
    void take_step() {
        if (result_->status == Status::not_finite) return;
        contact_.accept(contact_.collocation().outcome());
        contact_.predict_step();
    }
    /// The same for callers that know its outcome and the next step.
    void take_step(const StepOutcome& outcome, const StepPrediction& next) {
        if (result_->status == Status::not_finite) return;
        contact_.accept(outcome);
        contact_.set_prediction(next);
    }

    const RunState<Law>& state() const { return run_; }
    ContactPhase<Law>& contact_phase() { return contact_; }
    const ContactPhase<Law>& contact_phase() const { return contact_; }

  private:
    static bool remembers_approach([[maybe_unused]] const contact::Contact<Law>& contact) {
        if constexpr (SplittingLaw<Law>::may_remember_approach)
            return contact::remembers_approach(contact);
        return false;
    }
    static bool jumps_at_onset([[maybe_unused]] const contact::Contact<Law>& contact) {
        if constexpr (SplittingLaw<Law>::has_rates) return contact::jumps_at_onset(contact);
        return false;
    }

    /// Derivatives need finer steps where a later approach depends on an earlier one, and where the
    /// force jumps.
    static bool carries_deviation(const ContactPair& pair, const contact::Contact<Law>& contact,
                                  bool for_derivatives) {
        if (for_derivatives && (remembers_approach(contact) || jumps_at_onset(contact)))
            return false;
        return SplittingLaw<Law>::can_know_its_error(pair, contact);
    }

    StepLimits limits_of(const StepResolution& resolution) const {
        const ToleranceFactors& may = tolerance_factors();
        StepLimits limits{.growth = may.growth(resolution.kappa),
                          .closing = may.closing(resolution.kappa),
                          .contact_resonance = may.contact_resonance * resolution.kappa,
                          .epsilon = resolution.epsilon(),
                          .exactness = std::max(may.exactness * resolution.negligible,
                                                std::numeric_limits<double>::epsilon()),
                          .longest = run_.motion.propagators.longest()};
        for (const double p : run_.motion.pair.phi) limits.compliance += p * p;
        return limits;
    }

    /// The last interval of a sub-impact: its impulse, then free motion to zero overlap, unless the
    /// bodies turn back into each other before.
    void finish_contact() {
        const bool is_apart = contact_.apply_rest();
        const bool has_ended =
            is_apart || free_.move(Side::overlapping, true) == FreeMotionEnd::crossed;
        run_.at.of_modes = {run_.at.x, run_.at.rate};
        if (has_ended) {
            contact_.accept_end();
        } else {
            contact_.resume();
        }
    }

    void end_contact() {
        contact_.end();
        if (contact_.has_ended()) separate();
    }

    void separate() {
        run_.recorder.note_separation();
        run_.sums.separate(run_.at);
    }

    /// Free motion after a sub-impact. False if the run ends.
    bool move_apart() {
        run_.at.force = 0.0;
        if (run_.contact.released()) {
            const FreeMotionEnd end = free_.move(Side::overlapping);
            if (end == FreeMotionEnd::turned) return true;  // the law pushes again
            if (end != FreeMotionEnd::crossed) return false;
            if (free_.presses_at_edge(run_.at.rate)) {
                // For so short an instant that no step resolves it.
                result_->sub_impacts.push_back({run_.at.time, run_.at.time, 0.0, 0.0});
                separate();
            }
            run_.contact.accept(run_.at.x, run_.at.rate);
        }
        const FreeMotionEnd outcome = free_.move(Side::apart);
        if (outcome == FreeMotionEnd::separated) {
            result_->status = Status::separated;
            if (run_.recorder.has_history()) free_.record_aftermath(result_->separation);
        }
        return outcome == FreeMotionEnd::crossed;
    }

    const contact::Contact<Law>& untouched_;  // as each run finds it
    RunState<Law> run_;
    ContactPhase<Law> contact_;
    FreePhase<Law> free_;
    CollisionResult* result_ = nullptr;
};

}  // namespace stoss::impact
