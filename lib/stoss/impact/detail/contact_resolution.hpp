#pragma once
/// Step sizes of a sub-impact: a first step that hardly changes the velocity, and steps that
/// resolve the vibrations as far as they matter (theory/splitting_scheme.md 12.4, 12.5).

#include <cmath>
#include <cstddef>

#include <stoss/contact/contact.hpp>
#include <stoss/impact/detail/pair_motion.hpp>
#include <stoss/impact/detail/run_state.hpp>
#include <stoss/impact/detail/splitting_motion.hpp>
#include <stoss/impact/detail/step_levels.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class ContactResolution {
  public:
    /// `run` must live as long as this is used.
    explicit ContactResolution(RunState<Law>& run) : run_(run) {}

    /// For one more run.
    void start() {
        onset_level_ = contact_level_ = run_.levels.event;
        resolved_level_ = run_.levels.finest;
    }

    /// A sub-impact begins: its limits. `onset`: ratio of the epsilon of (12.4) for its first step
    /// to that for its last interval.
    void begin_contact(double onset) {
        unseen_overlap_ = run_.motion.roundoff_of_overlap();
        onset_level_ = onset_level(onset * run_.limits.epsilon);
        run_.limits.onset = run_.motion.propagators.step(onset_level_);
        resolved_level_ = resolved_level();
        run_.limits.resolution = run_.motion.propagators.step(resolved_level_);
    }

    /// Roundoff of the overlap in the present sub-impact [m].
    double unseen_overlap() const { return unseen_overlap_; }

  private:
    /// True if the force of a step from here changes the velocity by no more than `part` of it.
    bool is_slight(int level, double part) const {
        const RunInstant& at = run_.at;
        const double h = run_.motion.propagators.step(level);
        const double force = std::abs(run_.contact.force(at.x + at.rate * h, at.rate));
        return run_.limits.compliance * force * h <= part * at.rate;
    }

    /// The longest first step in which the force changes the velocity by less than epsilon of it;
    /// at an onset long enough for the overlap to grow beyond its roundoff.
    int onset_level(double epsilon) const {
        const RunInstant& at = run_.at;
        const bool is_onset = !(at.x > run_.contact.end_overlap());
        const double unseen = is_onset ? unseen_overlap_ / at.rate : 0.0;
        return run_.levels.longest(onset_level_, StepLevels::last, [&](int level) {
            return !(run_.motion.propagators.step(level) > unseen) || is_slight(level, epsilon);
        });
    }

    /// The level of the longest step that resolves vibrations as far as they matter (12.5). What
    /// mode j adds to the overlap: what it brings from before, and what the onset of a force P(v t)
    /// stirs up in it, about phi_j^2 P(v / omega_j) / omega_j^2.
    int resolved_level() {
        const RunInstant& at = run_.at;
        SplittingMotion& motion = run_.motion;
        const PairMotion& bodies = motion.bodies;
        motion.amplitudes();
        double* const reach = motion.memory.reach.data();
        for (std::size_t j = 0; j < bodies.size(); ++j) {
            const double omega = bodies.omega(j);
            if (omega == 0.0) continue;
            const double force = std::abs(run_.contact.force(at.x + at.rate / omega, at.rate));
            reach[j] += bodies.mobility(j) * force * motion.propagators.inverse_eigenvalues()[j];
        }
        // In the time in which the force stops the bodies, by order of magnitude.
        contact_level_ = run_.levels.longest(contact_level_, onset_level_,
                                             [&](int level) { return is_slight(level, 1.0); });
        const double admissible =
            run_.resolution.negligible * at.rate * motion.propagators.step(contact_level_);
        return run_.levels.longest(resolved_level_, run_.levels.finest, [&](int level) {
            return motion.unresolved(motion.propagators.step(level)) <= admissible;
        });
    }

    RunState<Law>& run_;
    int onset_level_ = 0;
    int contact_level_ = 0;   // of a step about as long as a contact
    int resolved_level_ = 0;  // of steps that resolve what matters
    double unseen_overlap_ = 0.0;
};

}  // namespace stoss::impact
