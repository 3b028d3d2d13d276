#pragma once
/// What a force that is a polynomial in time, or a harmonic, does to a mode at rest.

#include <array>
#include <cstddef>

#include <stoss/modal/modal_flow.hpp>

namespace stoss::modal {

/// State at the end of [0, t] of q'' + d q' + lambda q = (s/t)^m, s the time, from rest.
struct PolynomialResponse {
    static constexpr std::size_t powers = 7;

    std::array<double, powers> q;  ///< for m = 0 ... 6 [s^2]
    std::array<double, powers> v;  ///< q' for m = 0 ... 6 [s]
};

/// `eigenvalue` lambda >= 0 [1/s^2], `damping` d >= 0 [1/s], `t` >= 0 [s]; every kind of mode
/// (theory/modal_reduction.md 4.10). Accurate to
/// 5e-14 max(1, (sqrt(lambda) + d) t), relative to the response to a constant force.
PolynomialResponse polynomial_response(double eigenvalue, double damping, double t);

/// What happens to a mode over a time t: from its state at the begin, and from forces.
struct ModalStep {
    ModalFlow flow;               ///< `modal_flow` over t
    PolynomialResponse response;  ///< `polynomial_response` over t
};

ModalStep modal_step(double eigenvalue, double damping, double t);
/// The same numbers to the last bit, with less work: `half` is the `modal_step` over t/2.
ModalStep modal_step(double eigenvalue, double damping, double t, const ModalStep& half);

/// State at the end of [0, t] of q'' + d q' + lambda q = cos(W s), and = sin(W s), from rest.
struct HarmonicResponse {
    double cos_q = 0.0, sin_q = 0.0;  ///< [s^2]
    double cos_v = 0.0, sin_v = 0.0;  ///< q' [s]
};

/// `frequency` W >= 0 [rad/s]; W = 0 is a constant force. Every kind of mode, at resonance too: the
/// numbers come from a series over a short time and doublings, and nothing is divided by
/// lambda - W^2 (theory/impact_motion.md 27.4). `t` [s] of either sign.
HarmonicResponse harmonic_response(double eigenvalue, double damping, double frequency, double t);

}  // namespace stoss::modal
