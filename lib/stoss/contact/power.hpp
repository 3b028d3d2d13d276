#pragma once
/// x^p for contact laws.

#include <cmath>

#include <stoss/core/dual.hpp>

namespace stoss::contact {

/// True for exponents whose power takes square roots alone.
constexpr bool takes_roots(double p) {
    return p == 1.5 || p == 1.0 || p == 0.5 || p == 0.25 || p == 2.5;
}

/// x^p of any p >= 0 for x >= 0.
double general_power(double x, double p);

/// x^p for x >= 0, p >= 0. Square roots for the exponents of the usual laws: several times faster
/// than the general power. Kept short for Hertz's exponent, so that it stays in the loops.
inline double power(double x, double p) {
    return p == 1.5 ? x * std::sqrt(x) : general_power(x, p);
}

/// The same with its derivative; that of a constant is 0, also where the power is not
/// differentiable.
inline core::Dual power(core::Dual x, double p) {
    if (p == 1.5) {
        const double root = std::sqrt(x.value);
        return {x.value * root, 1.5 * root * x.derivative};
    }
    const double value = power(x.value, p);
    if (x.derivative == 0.0 || p == 0.0) return value;
    const double slope = x.value > 0.0 ? p * value / x.value : p * power(x.value, p - 1.0);
    return {value, slope * x.derivative};
}

}  // namespace stoss::contact
