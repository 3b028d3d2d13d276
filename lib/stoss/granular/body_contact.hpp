#pragma once
/// One contact of rigid bodies among many: normal and tangents couple, so that maximum dissipation
/// and Coulomb differ (docs/theory/rigid_impact.md, docs/theory/many_contacts.md).

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>

#include <stoss/granular/bodies.hpp>
#include <stoss/granular/friction.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::granular {

/// A pair that may close in this step. As Contact, for bodies.
struct BodyContact {
    Eigen::Vector3d n, t, o;          ///< from the second body to the first, and two tangents
    Eigen::Vector3d first, second;    ///< contact point from the centres of the two bodies [m]
    double shift = 0.0;               ///< gap term [m/s]
    rigid::PreparedContact prepared;  ///< A in the frame n, t, o [1/kg], and mu
    std::uint32_t pair = 0;           ///< its place in the list of pairs
    Friction friction = Friction::frictionless;

    BodyContact() = default;

    /// `first_arm`, `second_arm`: first, second above.
    BodyContact(const Eigen::Vector3d& normal, double gap_term, const Eigen::Vector3d& first_arm,
                const Eigen::Vector3d& second_arm, const BodyMotion& first_body,
                const BodyMotion& second_body, double mu, Friction model, std::uint32_t place);
};

/// Relative velocity [m/s] of the contact points.
inline Eigen::Vector3d relative_velocity(const BodyContact& contact, const BodyMotion& first,
                                         const BodyMotion& second) {
    return first.v - second.v + first.omega.cross(contact.first) -
           second.omega.cross(contact.second);
}

/// The impulse x on the first body (sign 1), -x on the second (sign -1).
inline void apply(const BodyContact& contact, const Eigen::Vector3d& x, BodyMotion& body,
                  double sign) {
    const Eigen::Vector3d& arm = sign > 0.0 ? contact.first : contact.second;
    body.v += sign * body.inverse_mass * x;
    body.omega += sign * (body.inverse_inertia * arm.cross(x));
}

/// The impulse that the contact needs beside all others; dv is what is left with the present x.
/// Of several solutions of Coulomb's problem the first: separating before sticking before sliding,
/// slow before fast. NaN if the problem could not be solved.
Eigen::Vector3d relaxed(const BodyContact& contact, double mu, const Eigen::Vector3d& x,
                        const Eigen::Vector3d& dv);

}  // namespace stoss::granular
