#pragma once
/// What a step in contact did, and what it says of the next one (theory/splitting_scheme.md 12.3
/// to 12.5).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <stoss/core/fields.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/collocation.hpp>

namespace stoss::impact {

/// What a step in contact did.
struct StepOutcome {
    double impulse = 0.0;       ///< of the force [N s]
    double moment = 0.0;        ///< of it about the begin of the step [N s^2]
    double slope = 0.0;         ///< largest dF/dx at the nodes [N/m]
    double force = 0.0;         ///< at the end [N]
    double acceleration = 0.0;  ///< of the overlap [m/s^2], mean
    double peak = 0.0;          ///< largest force at the nodes and at the end [N]
};

/// `rate`: of the overlap at the begin [m/s]; `force`: at the end [N].
inline StepOutcome outcome_of_step(double step, double rate, const modal::Overlap& end,
                                   const time::NodeForces& nodes, double force) {
    StepOutcome outcome;
    for (std::size_t k = 0; k < 3; ++k) {
        const double impulse = step * modal::Gauss3::weight[k] * nodes.force[k];
        outcome.impulse += impulse;
        outcome.moment += step * modal::Gauss3::node[k] * impulse;
    }
    outcome.slope = std::max({nodes.slope[0], nodes.slope[1], nodes.slope[2]});
    outcome.force = force;
    outcome.acceleration = (end.v - rate) / step;
    outcome.peak = std::max({nodes.force[0], nodes.force[1], nodes.force[2], force});
    return outcome;
}

/// What limits the steps of one sub-impact.
struct StepLimits {
    double growth = 0.0;   ///< step/time since the zero of the overlap behind
    double closing = 0.0;  ///< step/time to the one ahead
    double contact_resonance =
        0.0;                  ///< angle by which the bodies may contact_resonance on their contact
    double epsilon = 0.0;     ///< relative change of velocity that may be left to the rest
    double exactness = 0.0;   ///< of the forces, relative
    double compliance = 0.0;  ///< G [1/kg]
    double onset = 0.0;       ///< the first step [s]
    double resolution = 0.0;  ///< [s]: longer steps do not resolve the vibrations
    const modal::Propagators* propagators = nullptr;
    int coarsest = 0;  ///< level of the longest step that is wanted
};

/// What comes next in contact.
struct StepPrediction {
    int level = 0;             ///< of the next step
    double ahead = 0.0;        ///< time to the next zero of the overlap [s]
    bool nearly_over = false;  ///< what the force can still do before that is below epsilon
};

/// From overlap x [m], counted from where contact ends, its rate v and acceleration a, the force
/// [N] and its slope dF/dx [N/m].
///
/// The parabola through x, v, a has its zeros at distances in time behind and ahead; complex ones
/// count by their modulus: there, too, a power of x is singular.
inline StepPrediction step_prediction(double x, double v, double a, double force, double slope,
                                      const StepLimits& limits) {
    double behind, ahead;
    const double discriminant = v * v - 2.0 * a * x;
    const bool is_complex = discriminant < 0.0;
    if (is_complex) {
        behind = ahead = std::sqrt(2.0 * x / a);
    } else {
        // Roots -v -+ root, the one that would cancel from their product 2 x / a; what is divided
        // by zero lies nowhere.
        const double w = v + std::copysign(std::sqrt(discriminant), v);
        const double first = -2.0 * x / w, second = -w / a;
        const auto before = [](double zero) { return zero <= 0.0 ? -zero : core::infinity; };
        const auto after = [](double zero) { return zero > 0.0 ? zero : core::infinity; };
        behind = std::min(before(first), before(second));
        ahead = std::min(after(first), after(second));
    }
    const bool ends = !is_complex && ahead < core::infinity && v < 0.0;
    // The bodies contact_resonance on their contact at most as fast as if all modes were free to
    // follow.
    const double square = limits.compliance * slope;
    const double contact_resonance =
        square > 0.0 ? limits.contact_resonance / std::sqrt(square) : core::infinity;
    const double longest = std::min({std::max(limits.onset, limits.growth * behind),
                                     limits.closing * ahead, limits.resolution, contact_resonance});
    return {std::max(limits.propagators->level_within(longest), limits.coarsest), ahead,
            ends && limits.compliance * force * ahead <= limits.epsilon * -v};
}

}  // namespace stoss::impact
