#pragma once
/// What a force that is a polynomial in time does to a mode at rest.

#include <array>
#include <cstddef>

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

}  // namespace stoss::modal
