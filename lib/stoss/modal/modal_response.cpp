#include <stoss/modal/modal_response.hpp>

#include <cmath>

#include <stoss/modal/modal_flow.hpp>

namespace stoss::modal {

namespace {

/// Taylor series of y'' + D y' + L y = u^m at u = 1, y(0) = y'(0) = 0, for small D and L:
/// (n+1)(n+2) a_{n+2} = delta_{nm} - D (n+1) a_{n+1} - L a_n.
void taylor(double L, double D, int m, double& y, double& rate) {
    double a = 0.0, next = 0.0;  // a_n, a_{n+1}
    y = rate = 0.0;
    for (int n = 0; n < 16; ++n) {
        const double source = n == m ? 1.0 : 0.0;
        const double after = (source - D * (n + 1) * next - L * a) / ((n + 1) * (n + 2));
        a = next;
        next = after;
        y += after;
        rate += (n + 2) * after;
    }
}

}  // namespace

PolynomialResponse polynomial_response(double eigenvalue, double damping, double t) {
    // Scaling and squaring: series over t/2^n, then n doublings.
    constexpr double small = 0.25;
    int doublings = 0;
    double part = t;
    while ((std::sqrt(eigenvalue) + damping) * part > small) {
        part *= 0.5;
        ++doublings;
    }
    PolynomialResponse y{};
    for (int m = 0; m < 3; ++m) {
        const auto i = static_cast<std::size_t>(m);
        taylor(eigenvalue * part * part, damping * part, m, y.q[i], y.v[i]);
        y.q[i] *= part * part;
        y.v[i] *= part;
    }
    for (; doublings > 0; --doublings, part *= 2.0) {
        // In the second half s = part + u, so ((part + u)/(2 part))^m = 2^-m sum binom(m,k)
        // (u/part)^k.
        const ModalFlow flow = modal_flow(eigenvalue, damping, part);
        const auto doubled = [&](std::size_t m, double second_q, double second_v) {
            const double scale = 1.0 / static_cast<double>(1 << m);
            return std::array{scale * (flow.qq * y.q[m] + flow.qv * y.v[m] + second_q),
                              scale * (flow.vq * y.q[m] + flow.vv * y.v[m] + second_v)};
        };
        const auto zero = doubled(0, y.q[0], y.v[0]);
        const auto one = doubled(1, y.q[0] + y.q[1], y.v[0] + y.v[1]);
        const auto two = doubled(2, y.q[0] + 2.0 * y.q[1] + y.q[2], y.v[0] + 2.0 * y.v[1] + y.v[2]);
        y = {{zero[0], one[0], two[0]}, {zero[1], one[1], two[1]}};
    }
    return y;
}

}  // namespace stoss::modal
