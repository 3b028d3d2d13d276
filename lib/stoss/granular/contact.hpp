#pragma once
/// One contact among many, and its relaxation: the impulse that it needs if all others keep theirs
/// (docs/theory/many_contacts.md).

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <stoss/granular/spheres.hpp>

namespace stoss::granular {

/// A pair that may close in this step.
struct Contact {
    Eigen::Vector3d n;   ///< normal, from the second body to the first
    double shift;        ///< gap term [m/s]: the bodies may approach so fast; < 0: must part
    double m_n;          ///< 1/A_nn [kg]
    std::uint32_t pair;  ///< its place in the list of pairs
};

/// Tangential over normal mass of a solid sphere: 1/A_tt = (2/7)/A_nn, for r^2 m/I = 5/2.
inline constexpr double tangential_share = 2.0 / 7.0;
inline constexpr double spin_gain = 2.5;  ///< r^2 m/I

/// Relative velocity [m/s] of the contact points: v_1 - v_2 + n x (u_1 + u_2), u = r omega.
inline Eigen::Vector3d relative_velocity(const Contact& contact, const Motion& first,
                                         const Motion& second) {
    return first.v - second.v + contact.n.cross(first.u + second.u);
}

/// The impulse x on the first body, -x on the second.
inline void apply(const Contact& contact, const Eigen::Vector3d& x, Motion& body, double sign) {
    body.v += sign * body.inverse_mass * x;
    body.u -= spin_gain * body.inverse_mass * contact.n.cross(x);
}

/// Nearest impulse with |x_to| <= mu x_n along n, by shortening its tangential part.
inline Eigen::Vector3d onto_cone(const Eigen::Vector3d& n, double mu, double x_n,
                                 const Eigen::Vector3d& x) {
    const Eigen::Vector3d tangential = x - n.dot(x) * n;
    const double limit = mu * x_n, squared = tangential.squaredNorm();
    const double share = squared > limit * limit ? limit / std::sqrt(squared) : 1.0;
    return x_n * n + share * tangential;
}

/// Maximum dissipation, and Coulomb, at the contact of spheres (rigid::SphereContact) without a
/// tangential frame: what is wanted of x beside its present value is -dv, the relative velocity
/// that is left.
inline Eigen::Vector3d relaxed(const Contact& contact, double mu, const Eigen::Vector3d& x,
                               const Eigen::Vector3d& dv) {
    const Eigen::Vector3d& n = contact.n;
    const double x_n = std::max(0.0, n.dot(x) - contact.m_n * (n.dot(dv) + contact.shift));
    return onto_cone(n, mu, x_n, x - tangential_share * contact.m_n * dv);
}

}  // namespace stoss::granular
