#pragma once
/// Rigid clumps: spheres held together, with their mass, centre and principal axes.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

namespace stoss::granular {

/// A sphere of a clump.
struct Member {
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of its centre, in the clump's frame [m]
    double radius = 0.0;                              ///< [m], > 0
};

/// What a solid body of density 1 kg/m^3 weighs, and how it resists turning.
struct MassProperties {
    double volume = 0.0;                               ///< [m^3]
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< [m]
    Eigen::Matrix3d inertia =
        Eigen::Matrix3d::Zero();  ///< about the centre, over the density [m^5]
};

/// Mass properties of the space that the spheres fill. Space that several spheres share counts
/// once. Spheres that do not overlap: exact. Otherwise the shared space is taken off by quadrature
/// on 512 x 512 lines; of two equal spheres, a radius apart, volume and moments are then right to
/// 2e-6. Precondition: at least one sphere; radii > 0.
MassProperties mass_properties(std::span<const Member> members);

/// Principal moments of inertia and where their axes point.
struct PrincipalAxes {
    Eigen::Vector3d moments;  ///< those of `inertia`
    Eigen::Quaterniond axes;  ///< turns the principal frame into that of `inertia`
};

/// Principal axes of a symmetric positive definite tensor. A diagonal tensor keeps its axes.
PrincipalAxes principal_axes(const Eigen::Matrix3d& inertia);

/// A clump in motion. Its frame has its origin at the centre of mass and the principal axes.
struct Clump {
    std::vector<Member> members;                         ///< at least one
    double mass = 0.0;                                   ///< [kg], > 0
    Eigen::Vector3d inertia = Eigen::Vector3d::Zero();   ///< principal moments [kg m^2], > 0
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the centre of mass [m]
    Eigen::Quaterniond orientation{1.0, 0.0, 0.0, 0.0};  ///< turns its frame into the inertial one
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of the centre of mass [m/s]
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< in the inertial frame [rad/s]
};

}  // namespace stoss::granular
