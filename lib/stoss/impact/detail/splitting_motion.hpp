#pragma once
/// The modes of two bodies in a run of the splitting scheme, moved by the exact flow
/// (theory/splitting_scheme.md 12.1), and how far they deviate from the truth (12.8).

#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/impact/detail/pair_motion.hpp>
#include <stoss/impact/detail/splitting_memory.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

/// The present state and the next one, in the memory that is given.
struct SplittingMotion {
    using State = modal::ModalState;

    const ContactPair& pair;
    const modal::Propagators& propagators;
    SplittingMemory& memory;
    PairMotion& bodies;
    const std::size_t padded;  ///< modes in memory
    const bool carries_deviation;
    const modal::Rates rates;  ///< of the overlap that a step needs

    /// `law_has_rates`: the contact force depends on the rate of the overlap.
    SplittingMotion(const ContactPair& pair, const modal::Propagators& propagators,
                    SplittingMemory& memory, bool law_has_rates, bool carries_deviation);

    bool needs_rates() const { return rates != modal::Rates::none; }

    /// To the begin of a run.
    void start();

    const State& now() const { return now_; }
    /// Where a step leads; once it is accepted, where it began.
    const State& next() const { return next_; }
    const State& deviation() const { return off_; }

    const modal::Propagator& flow(int level) {
        const auto l = static_cast<std::size_t>(level);
        if (!memory.flows[l]) memory.flows[l] = &propagators.level(level);
        return *memory.flows[l];
    }
    const modal::Compliances& compliances(int level) {
        const auto l = static_cast<std::size_t>(level);
        if (!memory.has_compliances[l]) find_compliances(level);
        return memory.compliances[l];
    }

    /// The overlaps of a step without contact forces.
    void find_free_overlaps(const modal::Propagator& flow, modal::NodeOverlaps& free) const {
        kernels_.free_overlaps(flow, padded, bodies.shape(), now_, rates,
                               carries_deviation ? &off_ : nullptr, free);
        if (pair.loaded) add_loads(flow, free);
    }

    /// The next state by a step under node forces [N]; `driven`: the forces that drive the
    /// deviation, or null. Returns the overlap there.
    modal::Overlap apply_forces(const modal::Propagator& flow, const std::array<double, 3>& force,
                                const DeviationForce* driven) {
        const auto move = [&](const modal::DeviationStep* deviation) {
            return kernels_.apply_forces(flow, padded, bodies.shape(), now_, force, next_,
                                         deviation);
        };
        if (!driven) return with_loads(move(nullptr), flow.step);
        const modal::DeviationStep deviation{off_, next_off_, driven->nodes, driven->defect};
        return with_loads(move(&deviation), flow.step);
    }

    /// The same by a step without contact forces.
    modal::Overlap move_freely(const modal::Propagator& flow) {
        const modal::DeviationStates deviation{off_, next_off_};
        return with_loads(kernels_.move_freely(flow, padded, bodies.shape(), now_, next_,
                                               carries_deviation ? &deviation : nullptr),
                          flow.step);
    }

    /// The next state becomes the present one. `moves_deviation`: that of the deviation too.
    void accept(bool moves_deviation) {
        std::swap(now_, next_);
        if (moves_deviation) std::swap(off_, next_off_);
    }

    /// The next state by a free motion over a time [s] no longer than a step of the event level.
    modal::Overlap move_briefly(double time) {
        return with_loads(kernels_.move_freely_briefly(propagators, time, modal::roundoff_order,
                                                       bodies.shape(), now_, next_),
                          time);
    }
    /// Moves the next state on by a far shorter time [s].
    modal::Overlap correct_briefly(double time) {
        return with_loads(kernels_.move_freely_briefly(propagators, time, brief_order,
                                                       bodies.shape(), next_, next_),
                          time);
    }
    /// `accept` after `move_briefly`, in all over this time [s].
    void accept_brief(double time) {
        std::swap(now_, next_);
        if (carries_deviation)
            kernels_.move_freely_briefly(propagators, time, brief_order, bodies.shape(), off_,
                                         off_);
    }

    /// The rest of a contact at once (12.4). Returns the change of overlap and rate.
    modal::Overlap apply_late_force(const modal::LateForce& late) {
        return kernels_.apply_impulse_moments(propagators, late, bodies.shape(), now_);
    }

    /// An impulse [N s] on the deviation.
    void push_deviation(double impulse) {
        kernels_.apply_impulse_moments(propagators, {.impulse = impulse}, bodies.shape(), off_);
    }

    /// Roundoff [m] of the overlap, a sum over positions that were reached in many steps.
    double roundoff_of_overlap() const {
        constexpr double roundoff = 16.0 * std::numeric_limits<double>::epsilon();
        return roundoff * bodies.magnitude(now_);
    }

    /// Writes to `memory.reach` what each mode may add to the overlap: the amplitude of a
    /// vibration, the rate of a rigid mode. Returns the sum over the vibrations [m].
    double amplitudes() {
        const double sum =
            kernels_.amplitudes(propagators, bodies.shape(), now_, memory.reach.data());
        if (pair.loaded) replace_rates_under_loads();
        return sum;
    }
    /// By the amplitudes in `memory.reach`: what steps of a length [s] leave unresolved (12.5).
    double unresolved(double step) const {
        return kernels_.unresolved(propagators, step, memory.reach.data());
    }
    /// Likewise: bounds of a free motion in such steps (12.6).
    modal::FreeMotionBounds free_motion_bounds(double step) const {
        return kernels_.free_motion_bounds(propagators, step, memory.reach.data());
    }

    /// A step, for callers that move several collisions at once; not where loads act.
    modal::MotionLane lane(const modal::Propagator& flow) const {
        return {&flow, padded, bodies.shape().in_v, rates, now_, next_, off_, next_off_};
    }

  private:
    static constexpr int brief_order = 3;

    void find_compliances(int level);
    void add_loads(const modal::Propagator& flow, modal::NodeOverlaps& free) const;
    void replace_rates_under_loads();

    /// What the loads do to the next state, which the kernels have moved over that time [s].
    modal::Overlap with_loads(modal::Overlap end, double time) {
        if (!pair.loaded) return end;
        const modal::Overlap change = pair.move_by_loads(time, next_);
        return {end.x + change.x, end.v + change.v};
    }

    const modal::ModalKernels& kernels_;
    const bool law_has_rates_;
    State now_{}, next_{}, off_{}, next_off_{};  // off: the deviation
};

}  // namespace stoss::impact
