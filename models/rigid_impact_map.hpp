#pragma once
/// The same two bodies meet from many directions, with several coefficients of friction.

#include <numbers>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/rigid_contact.hpp>

namespace stoss::models {

/// Keys of the problem `rigid_impact_map`. Only the speed |b| of the contact as given is used: the
/// direction is b/|b| = (cos i, sin i cos a, sin i sin a) with inclination i and azimuth a.
struct RigidImpactMap {
    static constexpr std::string_view name = "rigid_impact_map";
    static constexpr std::string_view meaning =
        "frictional impact of two rigid bodies for many directions and coefficients of friction";

    std::variant<GivenOperator, GivenBodies> given;
    std::vector<double> friction;
    std::vector<double> azimuths{0.0};
    double inclination_to = 0.5 * std::numbers::pi;
    int points = 91;

    static constexpr auto fields() {
        return std::tuple{
            core::field(
                "given", &RigidImpactMap::given,
                "form in which the contact is given; only the magnitude of its velocity is used")
                .required(),
            core::field("friction", &RigidImpactMap::friction, "", friction_range,
                        "coefficients of friction mu")
                .required()
                .also("mu"),
            core::field("azimuths", &RigidImpactMap::azimuths, "rad", core::finite,
                        "directions of the tangential velocity b, from t towards o"),
            core::field("inclination_to", &RigidImpactMap::inclination_to, "rad",
                        core::Range{0.0, 0.5 * std::numbers::pi, true, false},
                        "largest angle between b and the normal; the smallest is 0"),
            core::field("points", &RigidImpactMap::points, "", core::closed(2, 100000),
                        "number of inclinations, evenly spaced")};
    }

    /// The inclination [rad] of a point.
    double inclination(int point) const { return inclination_to * point / (points - 1); }

    /// The contact as given, with that friction; its b holds the speed.
    rigid::ContactProblem problem(double mu) const;
};

/// The same contact met from a direction.
rigid::ContactProblem from_direction(rigid::ContactProblem problem, double inclination,
                                     double azimuth);

/// What no range of a single key can say: what `check(RigidContact)` finds, no friction, no
/// azimuth, a velocity that is zero, a frame in which angles mean nothing.
std::vector<core::Violation> check(const RigidImpactMap& map);

}  // namespace stoss::models
