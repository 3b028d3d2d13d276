#pragma once
/// The contact law in series with the residual flexibility R of the bodies where a contact begins,
/// goes on and ends (theory/splitting_scheme.md 12.12). Without R the law sees what the modes give.

#include <algorithm>
#include <cmath>

#include <stoss/contact/contact.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/impact/detail/run_state.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_step.hpp>
#include <stoss/time/detail/collocation.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class SeriesSpring {
  public:
    /// `run` must live as long as this is used.
    explicit SeriesSpring(RunState<Law>& run) : run_(run) {}

    double residual() const { return run_.motion.pair.residual_flexibility; }  ///< R [m/N]
    bool is_present() const { return residual() != 0.0; }
    /// Rate of the force [N/s] where the law has rates: the spring takes what the modes close
    /// faster than the law. Precondition: `is_present()`.
    double force_rate() const { return (run_.at.of_modes.v - run_.at.rate) / residual(); }

    /// From the overlap of the modes to that of the law, and the force: where a free motion ends in
    /// contact. A law with rates has no force there yet (one that has gets a residual mode
    /// instead); one without rates, or whose dent attracts, loads the spring at once.
    void enter_contact() {
        RunInstant& at = run_.at;
        at.of_modes = {at.x, at.rate};
        at.force = run_.contact.force(at.x, at.rate);
        if (!is_present()) return;
        if constexpr (SplittingLaw<Law>::has_rates && !contact::BeginsAtDent<Law>)
            at.force = 0.0;
        else
            load();
    }

    /// From the overlap of the law to that of the modes: where contact ends, and with it the force.
    void leave_contact() {
        if (!is_present()) return;
        run_.at.x = run_.at.of_modes.x;
        run_.at.rate = run_.at.of_modes.v;
    }

    /// Where the force ends with a jump, the spring loses what it has stored.
    void unload() {
        if (!is_present() || run_.contact.released()) return;
        const double last = run_.contact.unlimited_force(run_.contact.end_overlap(), 0.0);
        run_.sums.add_contact_loss(0.5 * residual() * last * last);
    }

    /// The overlap of the law at the end of a step, where the modes have `of_modes`.
    modal::Overlap seen_by_law(const SplittingStep& step, const modal::Overlap& of_modes) const {
        if (!is_present()) return of_modes;
        const time::Triple& forces = step.nodes.force;
        if constexpr (SplittingLaw<Law>::has_rates) {
            return seen_by_law_with_rates(run_.contact, of_modes, forces, residual(),
                                          step.flow->step, run_.limits.exactness);
        } else {
            return impact::seen_by_law(run_.contact, of_modes,
                                       time::dot(time::parabola_weights[2], forces), residual());
        }
    }

  private:
    /// The force where both are in balance, by Newton's method.
    void load() {
        RunInstant& at = run_.at;
        double slope = 0.0;
        for (int iteration = 0; iteration < time::most_iterations; ++iteration) {
            const double before = at.force;
            const core::Dual law = run_.contact.force(
                core::Dual::variable(at.of_modes.x - residual() * at.force), core::Dual(at.rate));
            const SeriesForce series =
                series_force(law.value, law.derivative, at.force, residual());
            at.force = series.force;
            slope = law.derivative;
            if (std::abs(at.force - before) <= run_.limits.exactness * std::abs(at.force)) break;
        }
        at.x = at.of_modes.x - residual() * at.force;
        at.rate = at.of_modes.v / (1.0 + residual() * slope);
        // Where a force sets in with a jump, the spring is loaded with a loss.
        double onset = at.of_modes.x;
        if constexpr (contact::BeginsAtDent<Law>)
            onset = std::max(onset, std::nextafter(run_.contact.begin_overlap(), core::infinity));
        run_.sums.add_contact_loss(run_.contact.stored_energy(onset) -
                                   run_.contact.stored_energy(at.x) -
                                   0.5 * residual() * at.force * at.force);
    }

    RunState<Law>& run_;
};

}  // namespace stoss::impact
