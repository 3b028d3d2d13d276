#pragma once
/// How collisions ended, as warnings of a run; and bodies that do not meet.

#include <optional>
#include <span>

#include <solvers/case/outcome.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/collide.hpp>

namespace stoss::solvers {

/// "turn the sign of the motion...": what to do about bodies that do not close.
inline constexpr const char* how_to_approach =
    "V_rel = striker velocity - beam velocity at xi: turn the sign of the motion, or strike "
    "elsewhere";

/// What is wrong with a case whose bodies do not close at `location.xi`: V_rel [m/s] is not > 0.
core::Violation bodies_do_not_approach(double xi, double approach_speed);

/// How one collision ended, what its energies lack, how well its restitution is known (none: the
/// scheme does not say), whether the bodies came to rest (false also if that is not known), and
/// `integration.tolerance` where it is not that of the scheme.
struct Ended {
    impact::Status status;
    double energy_residual;
    std::optional<double> cor_error;
    bool at_rest = false;
    std::optional<double> tolerance = {};
};

/// Adds a warning for each kind of doubtful collision, and sets the ending if one failed.
void judge(Outcome& outcome, std::span<const Ended> collisions, const impact::Scheme& scheme);

}  // namespace stoss::solvers
