#pragma once
/// A slender rod whose lower tip slides along a plane: Painleve's paradox (Preclik, Eibl & Ruede
/// 2017, section 4.2).

#include <numbers>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/friction_range.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/rigid/bodies.hpp>

namespace stoss::models {

/// Keys of the problem `sliding_rod`.
struct SlidingRod {
    static constexpr std::string_view name = "sliding_rod";
    static constexpr std::string_view meaning =
        "rod whose tip slides along a plane: Painleve's paradox over angle and friction";

    core::Required mass = {};
    core::Required length = {};
    core::Required speed = {};
    std::vector<double> angles;
    std::vector<double> friction;
    std::vector<double> relative_friction;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &SlidingRod::mass, "kg", core::positive,
                        "mass m, evenly distributed")
                .required(),
            core::field("length", &SlidingRod::length, "m", core::positive, "length l").required(),
            core::field("speed", &SlidingRod::speed, "m/s", core::positive,
                        "speed v0 along the plane, towards the side on which the tip touches; the "
                        "rod does not rotate")
                .required(),
            core::field("angles", &SlidingRod::angles, "rad",
                        core::Range{0.0, std::numbers::pi / 2.0, true, true},
                        "angles theta0 between plane and rod, in rising order")
                .required(),
            core::field("friction", &SlidingRod::friction, "", friction_range,
                        "coefficients of friction mu"),
            core::field("relative_friction", &SlidingRod::relative_friction, "", core::positive,
                        "coefficients in units of the critical one of each angle, mu/mu_*; 1 is "
                        "mu_* rounded up")};
    }
};

/// What no range of a single key can say: no angle, angles that do not rise, no friction at all.
std::vector<core::Violation> check(const SlidingRod& rod);

/// The rod, its tip at the origin; n is up, t against the motion.
rigid::RigidBody rod_body(const SlidingRod& rod, double angle);
rigid::ContactFrame rod_frame();

/// The contact of its tip with the plane at this angle [rad] and friction [-].
rigid::ContactProblem rod_contact(const SlidingRod& rod, double angle, double mu);

/// mu_* = A_nn/|A_nt|, rounded up: from it on the tip cannot slide on without an impulse.
double critical_friction(const rigid::ContactMatrix& A);

}  // namespace stoss::models
