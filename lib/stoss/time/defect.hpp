#pragma once
/// What the force of a collocated step lacks to the law.

#include <array>
#include <cstddef>

#include <stoss/time/collocation.hpp>

namespace stoss::time {

/// Overlap [m], its rate [m/s] and the force of the law [N] at one end of a step.
struct StepEnd {
    double x, v, force;
};

/// Places z = 2 u - 1 in a step at which the defect is seen: its ends, and halfway between its
/// Gauss nodes.
inline constexpr double halfway = 0.3872983346207417;  // sqrt(15)/10

namespace detail {

/// Overlap at z = +halfway of the polynomial of degree 6 through x and h x' at the ends of a step
/// and x at its Gauss nodes: weights of x(0), h x'(0), x at the nodes, x(1), h x'(1).
constexpr std::array<double, 7> overlap_weights() {
    constexpr double u = 0.5 + 0.5 * halfway;
    constexpr std::array place{0.0, 0.0, 0.5 - halfway, 0.5, 0.5 + halfway, 1.0, 1.0};
    std::array<double, 7> weights{};
    for (std::size_t datum = 0; datum < 7; ++datum) {
        // Newton's divided differences of the datum alone; x counts twice where x' is given.
        std::array<double, 7> f{};
        if (datum == 0) f[0] = f[1] = 1.0;
        if (datum >= 2 && datum <= 4) f[datum] = 1.0;
        if (datum == 5) f[5] = f[6] = 1.0;
        for (std::size_t order = 1; order < 7; ++order) {
            for (std::size_t i = 6; i >= order; --i) {
                const double distance = place[i] - place[i - order];
                if (distance == 0.0) {
                    f[i] = (datum == 1 && i == 1) || (datum == 6 && i == 6) ? 1.0 : 0.0;
                } else {
                    f[i] = (f[i] - f[i - 1]) / distance;
                }
            }
        }
        double value = f[6];
        for (std::size_t i = 6; i-- > 0;) value = value * (u - place[i]) + f[i];
        weights[datum] = value;
    }
    return weights;
}

}  // namespace detail

/// Coefficients of node_polynomial(z) z^w, w = 0 ... 3, in F(x(z)) - P(z) (12.7): law less parabola
/// [N] along the step of length h [s] that leads from `start` to `end`. `contact.force` as in
/// solve_node_forces, of the overlap alone.
template <class Contact>
std::array<double, 4> step_defect(const Contact& contact, double h, const StepEnd& start,
                                  const NodeForces& nodes, const StepEnd& end) {
    constexpr auto w = detail::overlap_weights();
    const auto overlap = [&](double x0, double slope0, double x1, double x2, double x3, double x4,
                             double slope4) {
        return w[0] * x0 + w[1] * slope0 + w[2] * x1 + w[3] * x2 + w[4] * x3 + w[5] * x4 +
               w[6] * slope4;
    };
    const auto& x = nodes.x;
    const double before = overlap(end.x, -h * end.v, x[2], x[1], x[0], start.x, -h * start.v);
    const double after = overlap(start.x, h * start.v, x[0], x[1], x[2], end.x, h * end.v);
    // The parabola: node z = 2 halfway is that of u = 1/2 + halfway.
    const double mean = nodes.force[1];
    const double slope = (nodes.force[2] - nodes.force[0]) / (4.0 * halfway);
    const double curvature =
        (nodes.force[2] - 2.0 * mean + nodes.force[0]) / (8.0 * halfway * halfway);
    // Divided by the node polynomial: 1 at z = 1, and odd.
    constexpr double there = 0.5 * halfway * (5.0 * halfway * halfway - 3.0);
    const auto lacks = [&](double force, double z) {
        return force - (mean + z * (slope + z * curvature));
    };
    const double d0 = -lacks(start.force, -1.0);
    const double d1 = -lacks(contact.force(before, start.v), -halfway) / there;
    const double d2 = lacks(contact.force(after, end.v), halfway) / there;
    const double d3 = lacks(end.force, 1.0);
    // The cubic in z through them.
    constexpr double scale = 1.0 / (1.0 - halfway * halfway);
    const double square = 0.5 * scale * ((d0 + d3) - (d1 + d2));
    const double cube = 0.5 * scale * ((d3 - d0) - (d2 - d1) / halfway);
    return {0.5 * (d0 + d3) - square, 0.5 * (d3 - d0) - cube, square, cube};
}

}  // namespace stoss::time
