#pragma once
/// The aluminium beam of the published collision (J. Appl. Mech. 91(1) 011011): solid circular.

#include <stoss/fem/beam_mesh.hpp>

#include <cmath>
#include <numbers>

namespace stoss::tests {

inline fem::BeamProperties aluminium_beam(double external_viscosity = 0.0,
                                          double internal_viscosity = 0.0) {
    constexpr double length = 0.508, radius = 6.35e-3, young = 68.3e9, density = 2710.0;
    const double area = std::numbers::pi * radius * radius;
    const double inertia = 0.25 * area * radius * radius;
    return {length, young * inertia, density * area, external_viscosity,
            internal_viscosity * inertia};
}

/// EI/(mu l^4) [1/s^2].
inline double eigenvalue_scale(const fem::BeamProperties& beam) {
    return beam.bending_stiffness / (beam.mass_per_length * std::pow(beam.length, 4));
}

}  // namespace stoss::tests
