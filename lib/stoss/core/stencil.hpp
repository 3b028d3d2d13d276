#pragma once
/// Seven values of an analytic function give its derivative (theory/gradients.md 26.7).

#include <array>
#include <cstddef>

#include <stoss/core/fields.hpp>

namespace stoss::core {

/// Points around a number, or to one side of it, and the weights of the values there in the
/// derivative. With a length of `length` the error is that^6 f^(7)/140, on one side
/// that^6 f^(7)/7; roundoff of f counts by 1/length.
struct Stencil {
    static constexpr std::size_t points = 7;
    static constexpr std::array<double, points> middle{-1.0 / 60.0, 0.15,  -0.75,     0.0,
                                                       0.75,        -0.15, 1.0 / 60.0};
    static constexpr std::array<double, points> forward{-2.45, 6.0, -7.5,      20.0 / 3.0,
                                                        -3.75, 1.2, -1.0 / 6.0};
    /// Weights of the sixth difference, which nearly vanishes where the function is smooth.
    static constexpr std::array<double, points> sixth{1.0, -6.0, 15.0, -20.0, 15.0, -6.0, 1.0};

    double at = 0.0;      ///< where the derivative is taken
    double length = 0.0;  ///< from one point to the next
    int first = -3;       ///< place of the first point; 0, or -6 backwards

    /// Point number `i`.
    double number(std::size_t i) const { return at + length * (first + static_cast<int>(i)); }
    /// Weight of the value there.
    double weight(std::size_t i) const {
        if (first == -3) return middle[i] / length;
        return first == 0 ? forward[i] / length : -forward[points - 1 - i] / length;
    }

    /// On the side of `at` that lies in `range`, or on both.
    static Stencil in(const Range& range, double at, double length) {
        Stencil stencil{at, length};
        if (!range.contains(stencil.number(0))) stencil.first = 0;
        if (!range.contains(stencil.number(points - 1))) stencil.first = -6;
        return stencil;
    }
};

}  // namespace stoss::core
