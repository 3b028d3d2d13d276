#pragma once
/// Geometry of spheres.

#include <numbers>

namespace stoss::core {

/// Volume [m^3] of a sphere of that radius [m].
constexpr double sphere_volume(double radius) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

}  // namespace stoss::core
