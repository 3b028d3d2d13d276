#pragma once
/// What the force of a collocated step lacks to the law.

#include <array>
#include <cstddef>

#include <stoss/time/collocation.hpp>

namespace stoss::time {

/// Places z = 2 u - 1 in a step at which the defect is seen: its ends, and halfway between its
/// Gauss nodes.
inline constexpr double halfway = 0.3872983346207417;  // sqrt(15)/10

/// Coefficients of node_polynomial(z) z^w, w = 0 ... 3, in F(x(z)) - P(z)
/// (theory/splitting_scheme.md 12.7): law less parabola [N] along a step. `law`: the forces of the
/// law [N] at the places above; `node_force`: the parabola at the Gauss nodes [N].
inline std::array<double, 4> step_defect(const std::array<double, 4>& law,
                                         const Triple& node_force) {
    // The parabola: node z = 2 halfway is that of u = 1/2 + halfway.
    const double mean = node_force[1];
    const double slope = (node_force[2] - node_force[0]) / (4.0 * halfway);
    const double curvature =
        (node_force[2] - 2.0 * mean + node_force[0]) / (8.0 * halfway * halfway);
    // Divided by the node polynomial: 1 at z = 1, and odd.
    constexpr double there = 0.5 * halfway * (5.0 * halfway * halfway - 3.0);
    const auto lacks = [&](double force, double z) {
        return force - (mean + z * (slope + z * curvature));
    };
    const double d0 = -lacks(law[0], -1.0);
    const double d1 = -lacks(law[1], -halfway) / there;
    const double d2 = lacks(law[2], halfway) / there;
    const double d3 = lacks(law[3], 1.0);
    // The cubic in z through them.
    constexpr double scale = 1.0 / (1.0 - halfway * halfway);
    const double square = 0.5 * scale * ((d0 + d3) - (d1 + d2));
    const double cube = 0.5 * scale * ((d3 - d0) - (d2 - d1) / halfway);
    return {0.5 * (d0 + d3) - square, 0.5 * (d3 - d0) - cube, square, cube};
}

}  // namespace stoss::time
