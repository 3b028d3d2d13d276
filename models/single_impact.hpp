#pragma once
/// A bead meets a wall: parameters of one impact of a point mass.

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/contact_pair.hpp>
#include <models/contact_parameters.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::models {

/// A point mass that meets a contact. For two free bodies the mass is m_1 m_2/(m_1 + m_2). Mass,
/// stiffness and other numbers of the law follow from `body` and `target`, if there is a body.
struct SingleImpact {
    core::OrAuto<double> mass = {};
    core::Required speed = {};
    double gravity = 0.0;
    double load = 0.0;
    ContactParameters contact = {};
    core::OrNone<ImpactBody> body = {};
    ImpactPartner target = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &SingleImpact::mass, "kg", core::positive,
                        "mass m; of two free bodies the effective one, m_1 m_2/(m_1 + m_2); auto: "
                        "from body and target"),
            core::field("speed", &SingleImpact::speed, "m/s", core::positive,
                        "approach speed v0 at first contact")
                .required(),
            core::field("gravity", &SingleImpact::gravity, "m/s^2", core::finite,
                        "acceleration of gravity g, towards the contact"),
            core::field("load", &SingleImpact::load, "N", core::finite,
                        "constant force F towards the contact"),
            core::field("contact", &SingleImpact::contact, "contact law").required(),
            core::field("body", &SingleImpact::body,
                        "shape and material, in place of mass and stiffness"),
            core::field("target", &SingleImpact::target, "body or surface that the body meets")};
    }

    /// m [kg]; none if nothing gives it.
    std::optional<double> effective_mass() const;
    /// Of the spheres and cylinders that meet [m]; none without a body.
    std::optional<double> smaller_radius() const;
    /// As the law has it [m]; none without.
    std::optional<double> effective_radius() const;
    /// An overlap [m] over the smaller radius, or the effective one of the law; 0 of neither.
    double share_of_radius(double overlap) const;
    /// The law, with what follows from the bodies.
    contact::Law law() const;
    /// Precondition: `check` found nothing.
    impact::Impact impact() const {
        return {speed, effective_mass().value(), gravity, load, contact.separation};
    }
};

/// What the range of a single key cannot say: a load that pulls the bead off, a stiffness that
/// nothing gives, what the law itself has to say. Empty if all is well.
std::vector<core::Violation> check(const SingleImpact& parameters);

/// The same without a word on stiffness and damping, for what is to be found.
std::vector<core::Violation> check_load(const SingleImpact& parameters);

/// What is wrong with a wanted restitution, contact time or overlap of a contact; also if its law
/// gives what is sought already: damping, restitution, a rule, a stiffness.
std::vector<core::Violation> check_wanted(const ContactParameters& contact,
                                          const impact::Wanted& wanted);

/// What is wrong with an impact whose damping is to follow from what is wanted, beside its load:
/// what is wanted, and what the law lacks that nothing gives. A wanted contact time or overlap
/// gives the stiffness.
std::vector<core::Violation> check_calibration(const SingleImpact& parameters,
                                               const impact::Wanted& wanted);

}  // namespace stoss::models
