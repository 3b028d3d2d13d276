#pragma once
/// Two rigid bodies with a compliant contact between them, as a case gives it.

#include <string_view>
#include <tuple>
#include <vector>

#include <models/contact_parameters.hpp>
#include <models/rigid_contact.hpp>
#include <stoss/contact/friction.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/compliant_impact.hpp>

namespace stoss::models {

/// Keys of the problem `compliant_impact` beside those of GivenBodies.
struct CompliantContact {
    static constexpr std::string_view name = "compliant_impact";
    static constexpr std::string_view meaning =
        "frictional impact with a compliant contact of rising stiffness, compared with the rigid "
        "solutions";

    core::Required mu = {};
    ContactParameters contact;
    contact::Friction friction;
    std::vector<double> stiffness_factors{1.0, 10.0, 100.0, 1e3, 1e4};
    int steps_per_radian = 40;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mu", &CompliantContact::mu, "", friction_range, "coefficient of friction")
                .required(),
            core::field("contact", &CompliantContact::contact, "normal contact law").required(),
            core::field("friction", &CompliantContact::friction, "tangential law"),
            core::field("stiffness_factors", &CompliantContact::stiffness_factors, "",
                        core::positive,
                        "factors by which the stiffness of the law is raised, in rising order; an "
                        "unloading stiffness rises with it, damping given by `restitution` is "
                        "adapted"),
            core::field("steps_per_radian", &CompliantContact::steps_per_radian, "",
                        core::closed(5, 10000),
                        "time steps per radian of the fastest vibration at the contact")};
    }

    /// The law with each stiffness that it is given times `factor`.
    contact::Law law(double factor) const;

    /// Preconditions: `check` finds nothing.
    impact::CompliantImpact impact(const GivenBodies& bodies) const;
};

/// What no range of a single key can say: bodies that do not approach, a frame that is not
/// orthonormal, a body of infinite mass that moves, a law without stiffness, factors that fall or
/// give no valid law.
std::vector<core::Violation> check(const GivenBodies& bodies, const CompliantContact& compliant);

/// Keys of the problem `impact_hypotheses` beside those of GivenBodies.
struct ImpactHypotheses {
    static constexpr std::string_view name = "impact_hypotheses";
    static constexpr std::string_view meaning =
        "Newton's, Poisson's and Stronge's hypotheses along Routh's path, compared with maximum "
        "dissipation and with a compliant contact of infinite stiffness";

    core::Required mu = {};
    ContactParameters contact;
    contact::Friction friction;
    int steps_per_radian = 40;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mu", &ImpactHypotheses::mu, "", friction_range, "coefficient of friction")
                .required(),
            core::field("contact", &ImpactHypotheses::contact,
                        "normal contact law; without friction it gives the coefficient of "
                        "restitution e of all hypotheses")
                .required(),
            core::field("friction", &ImpactHypotheses::friction, "tangential law"),
            core::field("steps_per_radian", &ImpactHypotheses::steps_per_radian, "",
                        core::closed(5, 10000),
                        "time steps per radian of the fastest vibration at the contact")};
    }

    /// The same contact as that of `compliant_impact`.
    CompliantContact compliant() const;
};

std::vector<core::Violation> check(const GivenBodies& bodies, const ImpactHypotheses& hypotheses);

}  // namespace stoss::models
