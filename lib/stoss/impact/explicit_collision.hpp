#pragma once
/// A collision of two modal bodies under an explicit scheme on all modes at once, (10.8) and
/// (10.12) of docs/theory/point_impact.md: what a general integrator makes of it. It is there to be
/// compared; `collide` is the way to compute a collision.

#include <cstddef>
#include <optional>

#include <stoss/impact/collide.hpp>

namespace stoss::impact {

enum class ExplicitScheme { verlet, rk4 };

/// What became of it. The numbers are there if the bodies parted once.
struct ExplicitResult {
    Status status = Status::not_finite;
    /// e_N (theory/collision.md 6.4), at the step after the last separation.
    std::optional<double> cor_kinematic = {};
    /// Residual of the energy balance as a fraction of the initial energy; 0 for an exact
    /// computation.
    std::optional<double> energy_residual = {};
    std::size_t steps = 0;
};

/// A collision from first contact to the same end as in `collide` (6.9), or to `time_limit` [s], in
/// steps of `step` [s]. Throws core::NumericalError if damping couples the modes or constant forces
/// act. The loss by damping is summed by trapezoids, so with damping the residual holds the error
/// of that sum too.
ExplicitResult collide_explicitly(const MovingBody& first, const MovingBody& second,
                                  const ContactSetup& contact, ExplicitScheme scheme, double step,
                                  double time_limit);

}  // namespace stoss::impact
