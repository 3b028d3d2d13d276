#pragma once
/// Dual numbers: a value and its derivative, carried through a kernel written once for any number
/// type.

#include <cmath>

#include <stoss/core/elementary.hpp>

namespace stoss::core {

/// a + b eps with eps^2 = 0; `derivative` is d(value)/d(the variable made by `variable`).
struct Dual {
    double value = 0.0;
    double derivative = 0.0;

    constexpr Dual() = default;
    constexpr Dual(double v) : value(v) {}  // a constant: lets kernels mix doubles and duals
    constexpr Dual(double v, double d) : value(v), derivative(d) {}

    static constexpr Dual variable(double v) { return {v, 1.0}; }

    friend constexpr Dual operator+(Dual a, Dual b) {
        return {a.value + b.value, a.derivative + b.derivative};
    }
    friend constexpr Dual operator-(Dual a, Dual b) {
        return {a.value - b.value, a.derivative - b.derivative};
    }
    friend constexpr Dual operator-(Dual a) { return {-a.value, -a.derivative}; }
    friend constexpr Dual operator*(Dual a, Dual b) {
        return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
    }
    friend constexpr Dual operator/(Dual a, Dual b) {
        const double quotient = a.value / b.value;
        return {quotient, (a.derivative - quotient * b.derivative) / b.value};
    }
    friend constexpr bool operator<(Dual a, Dual b) { return a.value < b.value; }
    friend constexpr bool operator>(Dual a, Dual b) { return a.value > b.value; }
    friend constexpr bool operator<=(Dual a, Dual b) { return a.value <= b.value; }
    friend constexpr bool operator>=(Dual a, Dual b) { return a.value >= b.value; }
};

inline Dual sqrt(Dual a) {
    const double root = std::sqrt(a.value);
    return {root, a.derivative / (2.0 * root)};
}

/// a^p for a constant exponent p >= 1, a >= 0.
inline Dual pow(Dual a, double p) {
    return {core::pow(a.value, p), p * core::pow(a.value, p - 1.0) * a.derivative};
}

/// The value of a function at x by its value and slope there; the derivative of a constant is 0,
/// also where the slope is infinite.
constexpr double composed(double /*x*/, double value, double /*slope*/) {
    return value;
}
constexpr Dual composed(Dual x, double value, double slope) {
    return {value, x.derivative == 0.0 ? 0.0 : slope * x.derivative};
}

constexpr double value_of(double a) {
    return a;
}
constexpr double value_of(Dual a) {
    return a.value;
}

}  // namespace stoss::core
