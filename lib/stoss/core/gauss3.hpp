#pragma once
/// Gauss' quadrature with three nodes.

#include <array>
#include <cstddef>

namespace stoss::core {

/// Nodes and weights of Gauss' quadrature on [0, 1], three nodes (order 6).
struct Gauss3 {
    static constexpr std::size_t nodes = 3;
    static constexpr double root = 0.3872983346207417;  // sqrt(15)/10
    static constexpr std::array<double, nodes> node{0.5 - root, 0.5, 0.5 + root};
    static constexpr std::array<double, nodes> weight{5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0};
    /// Halfway between the nodes.
    static constexpr std::array<double, 2> between{0.5 - 0.5 * root, 0.5 + 0.5 * root};
};

}  // namespace stoss::core
