#pragma once
/// Contact stiffness from shapes and materials (Hertz 1881; equations (5.2) to (5.5) of
/// docs/theory.md).

#include <cmath>

namespace stoss::contact {

/// E* [Pa] of two isotropic elastic bodies, 1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2 (5.2).
/// An infinite modulus is a rigid body.
inline double effective_modulus(double youngs_modulus_1, double poisson_ratio_1,
                                double youngs_modulus_2, double poisson_ratio_2) {
    return 1.0 / ((1.0 - poisson_ratio_1 * poisson_ratio_1) / youngs_modulus_1 +
                  (1.0 - poisson_ratio_2 * poisson_ratio_2) / youngs_modulus_2);
}

/// Gaussian radius of curvature R* [m] of two cylinders crossed at a right angle, sqrt(r_1 r_2)
/// (5.3).
inline double gaussian_radius_crossed_cylinders(double radius_1, double radius_2) {
    return std::sqrt(radius_1 * radius_2);
}

/// Gaussian radius [m] of a sphere on a cylinder: sqrt(R_1 R_2), 1/R_1 = 1/r_s + 1/r, R_2 = r_s
/// (5.4).
inline double gaussian_radius_sphere_on_cylinder(double sphere_radius, double cylinder_radius) {
    const double across = 1.0 / (1.0 / sphere_radius + 1.0 / cylinder_radius);
    return std::sqrt(across * sphere_radius);
}

/// Hertz stiffness k [N/m^(3/2)] = (4/3) E* sqrt(R*) (5.5).
inline double hertz_stiffness(double effective_modulus, double gaussian_radius) {
    return 4.0 / 3.0 * effective_modulus * std::sqrt(gaussian_radius);
}

}  // namespace stoss::contact
