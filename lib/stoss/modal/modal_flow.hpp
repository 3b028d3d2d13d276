#pragma once
/// The exact motion of one mode between two pushes.

#include <cmath>

#include <stoss/core/elementary.hpp>

namespace stoss::modal {

/// State of a mode at the end of a time step from its state at the beginning:
/// q(t) = qq q(0) + qv q'(0), q'(t) = vq q(0) + vv q'(0).
struct ModalFlow {
    double qq = 1.0;  ///< [1]
    double qv = 0.0;  ///< [s]
    double vq = 0.0;  ///< [1/s]
    double vv = 1.0;  ///< [1]
};

/// Flow of q'' + d q' + lambda q = 0 over the time t [s], forwards or backwards
/// (theory/modal_reduction.md 4.9).
///
/// `eigenvalue` lambda >= 0 [1/s^2] and `damping` d >= 0 [1/s]: undamped, underdamped, critical,
/// overdamped and rigid modes alike. Accurate to roundoff in lambda and d also where the branches
/// meet: with x = |lambda - d^2/4|^(1/2) t, sin(x)/x and (1 - exp(-2x))/(2x) do not cancel near x =
/// 0.
inline ModalFlow modal_flow(double eigenvalue, double damping, double t) {
    const double a = 0.5 * damping;
    const double discriminant = eigenvalue - a * a;
    const double w = std::sqrt(std::abs(discriminant));
    if (discriminant > 0.0) {
        const double decay = core::exp(-a * t);
        const double x = w * t;
        const auto [sine, cosine] = core::sine_cosine(x);
        const double s = x == 0.0 ? decay * t : decay * sine / w;
        const double c = decay * cosine;
        return {c + a * s, s, -eigenvalue * s, c - a * s};
    }
    // Roots -slow and -fast; the slow one from the product of both, as their difference would
    // cancel.
    const double fast = a + w;
    const double slow = eigenvalue > 0.0 ? eigenvalue / fast : 0.0;
    const double slow_decay = core::exp(-slow * t), fast_decay = core::exp(-fast * t);
    const double x = w * t;
    const double s = x == 0.0 ? slow_decay * t : slow_decay * -core::expm1(-2.0 * x) / (2.0 * w);
    return {slow_decay + slow * s, s, -eigenvalue * s, fast_decay - slow * s};
}

/// What a constant unit force does to a mode without stiffness that was at rest.
struct SteadyResponse {
    double q = 0.0;  ///< [s^2]
    double v = 0.0;  ///< q' [s]
};

/// Solution of q'' + d q' = 1, q(0) = q'(0) = 0, after the time t [s], forwards or backwards
/// (theory/modal_reduction.md 4.12). `damping` d >= 0 [1/s]. Accurate to roundoff for every d t.
inline SteadyResponse steady_response(double damping, double t) {
    if (damping == 0.0) return {0.5 * t * t, t};
    const double z = damping * t;
    const double v = -core::expm1(-z) / damping;
    if (std::abs(z) > 0.5) return {(t - v) / damping, v};
    // (z - 1 + exp(-z))/z^2 = 1/2! - z/3! + z^2/4! - ..., where the difference would cancel.
    double sum = 0.0, term = 0.5;
    for (int n = 3; n < 18; ++n) {
        sum += term;
        term *= -z / n;
    }
    return {t * t * sum, v};
}

}  // namespace stoss::modal
