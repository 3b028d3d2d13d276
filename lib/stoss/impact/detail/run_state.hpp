#pragma once
/// What the phases of a run of the splitting scheme have in common (theory/splitting_scheme.md).

#include <algorithm>
#include <cmath>

#include <stoss/contact/contact.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/detail/collision_sums.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/impact/detail/run_instant.hpp>
#include <stoss/impact/detail/run_recorder.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_motion.hpp>
#include <stoss/impact/detail/step_levels.hpp>
#include <stoss/impact/detail/step_resolution.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
struct RunState {
    /// Arguments as those of `SplittingCollision`.
    RunState(const ContactPair& pair, const modal::Propagators& propagators,
             const contact::Contact<Law>& before, SplittingMemory& memory,
             CollisionRecord<Law>* record, bool carries_deviation)
        : motion(pair, propagators, memory, SplittingLaw<Law>::has_rates, carries_deviation),
          contact(before),
          sums(motion),
          recorder(record, at, contact, motion, sums) {}
    RunState(const RunState&) = delete;
    RunState& operator=(const RunState&) = delete;

    /// (12.11): nothing but roundoff is left of the motion, or the last 1000 steps were shorter
    /// than the roundoff of time. `edge`: overlap at which contact ends. May write `memory.reach`.
    bool rests(double edge) {
        constexpr double roundoff = 1e-13;
        constexpr int most_stalled = 1000;
        if (at.stalled > most_stalled) return true;
        const double slowest = roundoff * approach_speed;
        if (motion.pair.loaded || std::abs(at.approach_velocity) > slowest) return false;
        const double least = roundoff * motion.bodies.magnitude(motion.now());
        return std::abs(at.x - edge) <= least && motion.amplitudes() <= least;
    }

    RunInstant at;
    SplittingMotion motion;
    contact::Contact<Law> contact;
    StepResolution resolution;
    StepLevels levels;
    StepLimits limits{};
    double time_limit = 0.0;      // [s]
    double approach_speed = 0.0;  // V_rel at the begin [m/s]
    CollisionSums sums;
    RunRecorder<Law> recorder;
    core::StopCheck check_stop;
};

/// True if the law would pull, and may not, just above an overlap [m] at a rate [m/s].
template <class Law>
bool would_release_above(const contact::Contact<Law>& contact, double edge, double rate) {
    const double least =
        std::max(edge + contact::onset_overlap, std::nextafter(edge, core::infinity));
    return contact.would_release(least, rate);
}

}  // namespace stoss::impact
