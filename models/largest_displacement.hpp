#pragma once
/// The displacement by which the shape of a mode is scaled.

#include <cmath>
#include <span>

namespace stoss::models {

/// The displacement of largest size among those of a shape along a beam, with its sign; of places
/// that move alike but for roundoff, as the ends of a free beam, that of the first one.
inline double largest_displacement(std::span<const double> shape) {
    constexpr double alike = 1e-6;
    double size = 0.0;
    for (const double value : shape) size = std::fmax(size, std::abs(value));
    for (const double value : shape)
        if (std::abs(value) >= (1.0 - alike) * size) return std::copysign(size, value);
    return size;
}

}  // namespace stoss::models
