#pragma once
/// Two rigid bodies at the instant of an impact, and the contact problem that they pose.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <string_view>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::rigid {

/// A rigid body in the inertial frame. An infinite mass is a body that keeps its motion, whatever
/// its inertia.
struct RigidBody {
    double mass = 0.0;                                   ///< [kg], > 0
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< about the centre of mass, in the body
                                                         ///< frame [kg m^2]
    Eigen::Quaterniond orientation{1.0, 0.0, 0.0, 0.0};  ///< turns the body frame into the inertial
                                                         ///< one; of length 1
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the centre of mass [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of the centre of mass [m/s]
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< in the inertial frame [rad/s]

    /// A body that never moves.
    static RigidBody fixed();
};

/// Where and how two bodies touch, in the inertial frame.
struct ContactFrame {
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< [m]
    Eigen::Vector3d n = Eigen::Vector3d::UnitX();     ///< from the second body to the first
    Eigen::Vector3d t = Eigen::Vector3d::UnitY();
    Eigen::Vector3d o = Eigen::Vector3d::UnitZ();

    /// The frame of a normal of any length: t is perpendicular to n and to the coordinate axis that
    /// is farthest from n, o = n x t.
    /// Precondition: n is not zero.
    static ContactFrame of_normal(const Eigen::Vector3d& point, const Eigen::Vector3d& normal);
};

/// Whether a frame that is not orthonormal is an error. Its components then are no impulses and
/// velocities in N s and m/s, and the friction cone is no circular one; the published six-mass
/// example has such a frame.
enum class FrameRule { orthonormal, any_independent };

constexpr auto enum_names(FrameRule) {
    return std::array{
        core::EnumName{FrameRule::orthonormal, "orthonormal", "axes of length 1, at right angles"},
        core::EnumName{FrameRule::any_independent, "any_independent",
                       "any three independent axes; components are then not impulses in N s"}};
}

/// The matrix of a cross product: cross_matrix(r) a = r x a.
inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& r) {
    return Eigen::Matrix3d{{0.0, -r.z(), r.y()}, {r.z(), 0.0, -r.x()}, {-r.y(), r.x(), 0.0}};
}

/// What is wrong with the body under `key` (`mass`, `inertia`, ...); empty if nothing is.
std::vector<core::Violation> violations(const RigidBody& body, std::string_view key);

/// What is wrong with the frame under `key`; empty if nothing is.
std::vector<core::Violation> violations(const ContactFrame& frame, FrameRule rule,
                                        std::string_view key);

/// A = Q^T W^T M^-1 W Q and b = -Q^T (relative velocity at the point), Q = [n t o]
/// (theory/rigid_impact.md 11.1). Preconditions: no `violations`; at least one body can move.
ContactProblem contact_problem(const RigidBody& first, const RigidBody& second,
                               const ContactFrame& frame, double mu);

/// Applies the impulse x of the contact: x to the first body, -x to the second.
void apply_impulse(RigidBody& first, RigidBody& second, const ContactFrame& frame,
                   const ContactVector& x);

/// Kinetic energy [J] of a body; infinite for a moving body of infinite mass.
double kinetic_energy(const RigidBody& body);

}  // namespace stoss::rigid
