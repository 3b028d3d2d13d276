#pragma once
/// How the direction of slip turns over a step (docs/theory/impact_motion.md 27.16).

#include <array>

#include <Eigen/Core>

namespace stoss::motion {

/// What turns the direction at the three nodes of a step: the direction e has the angle d against
/// that at the begin, and d' = pull_along (-sin d) + pull_across cos d.
struct SlipPull {
    std::array<double, 3> along{}, across{};  ///< k_t y'/(mu F) in the axes of the begin [1/s]
};

/// The angle at the nodes, by the Gauss method, and at the end.
struct SlipTurn {
    std::array<double, 3> angle{};
    double end = 0.0;
    Eigen::Matrix3d by_rate = Eigen::Matrix3d::Zero();  ///< angle at i by d' at k [s]
};

/// Integrals of the parabola through the node values of the unit step, from its begin to each node
/// (Butcher 1964: the Gauss method with three stages).
const Eigen::Matrix3d& integrals_to_nodes();

/// Over a step of length h [s].
SlipTurn slip_turn(double h, const SlipPull& pull);

}  // namespace stoss::motion
