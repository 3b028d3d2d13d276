#pragma once
/// Polynomials through the values of a force at the ends and at the Gauss nodes of a step: weights
/// of these values.

#include <array>
#include <cstddef>

#include <stoss/core/gauss3.hpp>

namespace stoss::time {

/// Values at u of Lagrange's polynomials of `places`.
template <std::size_t n>
constexpr std::array<double, n> lagrange_values(const std::array<double, n>& places, double u) {
    std::array<double, n> values{};
    for (std::size_t k = 0; k < n; ++k) {
        values[k] = 1.0;
        for (std::size_t m = 0; m < n; ++m) {
            if (m != k) values[k] *= (u - places[m]) / (places[k] - places[m]);
        }
    }
    return values;
}

/// Their derivatives.
template <std::size_t n>
constexpr std::array<double, n> lagrange_slopes(const std::array<double, n>& places, double u) {
    std::array<double, n> slopes{};
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t skip = 0; skip < n; ++skip) {
            if (skip == k) continue;
            double term = 1.0 / (places[k] - places[skip]);
            for (std::size_t m = 0; m < n; ++m) {
                if (m != k && m != skip) term *= (u - places[m]) / (places[k] - places[m]);
            }
            slopes[k] += term;
        }
    }
    return slopes;
}

/// Begin, Gauss nodes and end of a step; without the end, and without the begin.
inline constexpr std::array<double, 5> step_places{
    0.0, core::Gauss3::node[0], core::Gauss3::node[1], core::Gauss3::node[2], 1.0};
inline constexpr std::array<double, 4> begin_and_nodes{step_places[0], step_places[1],
                                                       step_places[2], step_places[3]};
inline constexpr std::array<double, 4> nodes_and_end{step_places[1], step_places[2], step_places[3],
                                                     step_places[4]};

/// Where a step sees the law beside the nodes: between these, and at the end.
inline constexpr std::array<double, 3> seen_places{core::Gauss3::between[0],
                                                   core::Gauss3::between[1], 1.0};

/// The parabola through the node forces at the `seen_places`: weights of the node forces.
inline constexpr std::array<std::array<double, 3>, 3> parabola_weights{
    lagrange_values(core::Gauss3::node, seen_places[0]),
    lagrange_values(core::Gauss3::node, seen_places[1]),
    lagrange_values(core::Gauss3::node, seen_places[2])};

/// Step times the rate of the force at the Gauss nodes, of the cubic through the force at the begin
/// of the step and the node forces: weights of these four.
inline constexpr std::array<std::array<double, 4>, 3> rate_weights{
    lagrange_slopes(begin_and_nodes, step_places[1]),
    lagrange_slopes(begin_and_nodes, step_places[2]),
    lagrange_slopes(begin_and_nodes, step_places[3])};

/// The same at the end of the step, of the cubic through the node forces and the force at the end.
inline constexpr std::array<double, 4> end_rate_weights = lagrange_slopes(nodes_and_end, 1.0);

/// The cubic through the force at the begin of the step and the node forces at the `seen_places`:
/// weights of these four, and of step times rate.
inline constexpr std::array<std::array<double, 4>, 3> cubic_weights{
    lagrange_values(begin_and_nodes, seen_places[0]),
    lagrange_values(begin_and_nodes, seen_places[1]),
    lagrange_values(begin_and_nodes, seen_places[2])};
inline constexpr std::array<std::array<double, 4>, 3> cubic_slopes{
    lagrange_slopes(begin_and_nodes, seen_places[0]),
    lagrange_slopes(begin_and_nodes, seen_places[1]),
    lagrange_slopes(begin_and_nodes, seen_places[2])};

/// Step times the rates of what the force has beyond that cubic, as the polynomial through all
/// seven places says: at place q or node q, of its value at place p: [q][p].
inline constexpr auto beyond_cubic_slopes = [](const std::array<double, 3>& where) {
    constexpr std::array<double, 7> places{
        begin_and_nodes[0], begin_and_nodes[1], begin_and_nodes[2], begin_and_nodes[3],
        seen_places[0],     seen_places[1],     seen_places[2]};
    std::array<std::array<double, 3>, 3> slopes{};
    for (std::size_t q = 0; q < 3; ++q) {
        const std::array<double, 7> all = lagrange_slopes(places, where[q]);
        slopes[q] = {all[4], all[5], all[6]};
    }
    return slopes;
};
inline constexpr auto beyond_cubic_at_places = beyond_cubic_slopes(seen_places);
inline constexpr auto beyond_cubic_at_nodes = beyond_cubic_slopes(core::Gauss3::node);

}  // namespace stoss::time
