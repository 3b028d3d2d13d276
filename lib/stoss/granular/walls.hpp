#pragma once
/// Walls, at rest or with a given velocity: planes, boxes, cylinders.

#include <Eigen/Core>
#include <span>
#include <variant>

namespace stoss::granular {

/// Distance and direction of a point from a wall.
struct Nearness {
    double distance;         ///< from the surface [m]; < 0: inside
    Eigen::Vector3d normal;  ///< of length 1, out of the wall, from the nearest place of it
};

/// A half space that spheres may not enter.
struct Plane {
    Eigen::Vector3d point = Eigen::Vector3d::Zero();     ///< on it [m]
    Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();   ///< out of it, of length 1
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]

    Nearness near(const Eigen::Vector3d& x) const;
};

/// A solid box with its edges along the axes.
struct Block {
    Eigen::Vector3d low = Eigen::Vector3d::Zero();   ///< smallest coordinates [m]
    Eigen::Vector3d high = Eigen::Vector3d::Zero();  ///< largest coordinates [m], > low

    Nearness near(const Eigen::Vector3d& x) const;
};

/// A solid cylinder without ends.
struct Cylinder {
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< on its axis [m]
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< of length 1
    double radius = 0.0;                              ///< [m], > 0

    Nearness near(const Eigen::Vector3d& x) const;
};

using Wall = std::variant<Plane, Block, Cylinder>;

Nearness near(const Wall& wall, const Eigen::Vector3d& x);
Eigen::Vector3d velocity(const Wall& wall);  ///< [m/s]
/// Each wall with its velocity over `time` [s].
void move(std::span<Wall> walls, double time);

}  // namespace stoss::granular
