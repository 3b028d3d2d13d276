#pragma once
/// The linearised global error of a run of the splitting scheme: what drives the deviation of its
/// motion from the truth (theory/splitting_scheme.md 12.8, 12.14, 12.16, 12.17).

#include <cstddef>
#include <optional>

#include <stoss/contact/contact.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/impact/detail/run_state.hpp>
#include <stoss/impact/detail/splitting_law.hpp>
#include <stoss/impact/detail/splitting_step.hpp>
#include <stoss/time/detail/collocation.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class ErrorTransport {
  public:
    /// `run` must live as long as this is used.
    ErrorTransport(const RunState<Law>& run, bool remembers_approach)
        : run_(run), remembers_approach_(remembers_approach) {}

    /// For one more run.
    void start() { approach_deviation_ = 0.0; }

    /// A sub-impact begins. `is_onset`: the law begins anew.
    void begin_contact(bool is_onset) {
        force_ = 0.0;
        if (is_onset && remembers_approach_ && run_.motion.carries_deviation) note_approach();
    }

    /// What the truth gets of an impulse more than the run [N s] where the force rises by `jump`
    /// [N] as the overlap meets its limit: it meets it at another instant (12.17).
    double impulse_of_jump(double jump) const {
        return jump * overlap_of_deviation().x / run_.at.rate;
    }

    /// True force less that of the run [N].
    double force() const { return force_; }

    /// What the deviation of the approach speed adds to the force [N] at overlap x [m] and rate v
    /// [m/s] (12.16).
    double force_of_approach(double x, double v) const {
        if (approach_deviation_ == 0.0) return 0.0;
        return approach_deviation_ / approach_variation *
               (faster_->force(x, v) - run_.contact.force(x, v));
    }

    /// What drives the deviation in a step whose node forces are known. `free`: as the residual
    /// flexibility changes it at the begin of the step.
    DeviationForce of_step(const SplittingStep& step, [[maybe_unused]] const FreeStep& free) const {
        const modal::Compliances& compliance = *step.compliance;
        const time::NodeForces& nodes = step.nodes;
        const double residual = run_.motion.pair.residual_flexibility, begin = run_.at.force;
        if constexpr (SplittingLaw<Law>::has_rates) {
            const double h = step.flow->step;
            const LawAlong law = law_with_rates_along(run_.contact, free, begin, nodes.force,
                                                      compliance, residual, h);
            const time::Triple of_approach{force_of_approach(nodes.x[0], nodes.v[0]),
                                           force_of_approach(nodes.x[1], nodes.v[1]),
                                           force_of_approach(nodes.x[2], nodes.v[2])};
            return deviation_force_with_rates(begin, law, nodes, step.free.deviation,
                                              free.deviation_v, of_approach, compliance, residual,
                                              h);
        } else {
            const LawAlong law =
                law_along(run_.contact, step.free.seen, nodes.force, compliance, residual);
            return deviation_force(begin, law, nodes, step.free.deviation, compliance, residual);
        }
    }

    /// A step is over that carried the deviation along; `end_force` of the law [N].
    void accept(const SplittingStep& step, double end_force) {
        const double end = time::dot(time::parabola_weights[2], step.nodes.force);
        force_ = step.deviation.at_end() - (end_force - end);
    }

  private:
    static constexpr double approach_variation = 1e-6;  // of the approach speed, relative

    modal::Overlap overlap_of_deviation() const {
        const modal::ModalState& off = run_.motion.deviation();
        const std::size_t size = run_.motion.pair.modes();
        return {run_.motion.pair.overlap({off.q, size}), run_.motion.pair.overlap({off.v, size})};
    }

    /// What the law remembers of the approach deviates by the rate at the true instant of contact.
    void note_approach() {
        const RunInstant& at = run_.at;
        const auto [x, v] = overlap_of_deviation();
        approach_deviation_ = (v - at.acceleration * x / at.rate) / at.rate;
        faster_ = run_.contact;
        faster_->accept(at.x, (1.0 + approach_variation) * at.rate);
    }

    const RunState<Law>& run_;
    bool remembers_approach_;
    std::optional<contact::Contact<Law>> faster_;  // after a slightly faster approach
    double approach_deviation_ = 0.0;              // of the approach speed, relative
    double force_ = 0.0;                           // true force less that of the run [N]
};

}  // namespace stoss::impact
