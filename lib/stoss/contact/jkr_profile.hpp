#pragma once
/// The contact radius of adhesive spheres from their overlap (Johnson, Kendall and Roberts 1971).

#include <algorithm>
#include <cmath>

#include <stoss/contact/power.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::contact {

/// q = (4/3) sqrt(F_c/k) [m^(3/4)] of a pull-off force [N] and a stiffness [N/m^(3/2)].
inline double jkr_adhesion(double pull_off_force, double stiffness) {
    return 4.0 / 3.0 * std::sqrt(pull_off_force / stiffness);
}

/// s = a^2/R* [m] of x = s - q s^(1/4) (theory/contact_laws.md 8.18), a the radius of the contact,
/// q > 0 [m^(3/4)]: with y = (s/q^(4/3))^(1/4) and d = x/q^(4/3) the largest root of y^4 - y = d,
/// by Ferrari's resolvent m^3 + d m = 1/8. At the pull-off, x = -3 (q/4)^(4/3), and beyond: its
/// value there.
inline double jkr_size(double x, double q) {
    const double scale = core::pow(q, 4.0 / 3.0);
    const double d = x / scale;
    const double third = d / 3.0;
    const double root = std::sqrt(std::max(0.0, 1.0 / 256.0 + third * third * third));
    const double c = core::cbrt(1.0 / 16.0 + root);
    const double m = d > 0.0 ? 0.125 / (c * c + third + third * third / (c * c)) : c - third / c;
    const double width = std::sqrt(2.0 * m);
    const double y = 0.5 * (width + std::sqrt(std::max(0.0, 2.0 / width - 2.0 * m)));
    return scale * y * y * y * y;
}

/// The same with its derivative ds/dx = 1/(1 - (q/4) s^(-3/4)); it is infinite at the pull-off.
inline core::Dual jkr_size(core::Dual x, double q) {
    const double s = jkr_size(x.value, q);
    const double slope = 1.0 - 0.25 * q / power(s, 0.75);
    return {s, x.derivative == 0.0 ? 0.0 : x.derivative / slope};
}

/// Overlap [m] of the pull-off.
inline double jkr_pull_off(double q) {
    return -3.0 * core::pow(0.25 * q, 4.0 / 3.0);
}

}  // namespace stoss::contact
