#pragma once
/// A mode at rest that a power of time drives: series over a short time, and over twice the time
/// from there. For any number type: double, or a number with its derivatives.

#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace stoss::modal::detail {

/// Pascal's triangle.
template <std::size_t powers>
inline constexpr auto binomials = [] {
    std::array<std::array<double, powers>, powers> triangle{};
    for (std::size_t m = 0; m < powers; ++m) {
        triangle[m][0] = 1.0;
        for (std::size_t k = 1; k <= m; ++k)
            triangle[m][k] = triangle[m - 1][k - 1] + triangle[m - 1][k];
    }
    return triangle;
}();

/// The series over t converges fast enough if (sqrt(lambda) + d) t is no larger.
constexpr double small_time = 0.25;

inline bool needs_doubling(double eigenvalue, double damping, double t) {
    return (std::sqrt(eigenvalue) + damping) * t > small_time;
}

/// Number type of a response, and how many powers of time it has: `q` and `v` are arrays of
/// coordinates and rates at the end, one a power.
template <class Response>
using NumberOf = typename decltype(Response::q)::value_type;
template <class Response>
inline constexpr std::size_t powers_of = std::tuple_size_v<decltype(Response::q)>;

/// Taylor series of y'' + D y' + L y = u^m at u = 1, y(0) = y'(0) = 0, for small D and L:
/// (n+1)(n+2) a_{n+2} = delta_{nm} - D (n+1) a_{n+1} - L a_n. All m side by side.
template <class Response>
Response taylor(const NumberOf<Response>& L, const NumberOf<Response>& D) {
    using Number = NumberOf<Response>;
    constexpr std::size_t powers = powers_of<Response>, side_by_side = powers + powers % 2;
    std::array<Number, side_by_side> a{}, next{}, y{}, rate{};  // a: a_n; next: a_{n+1}
    for (std::size_t n = 0; n < 20; ++n) {
        const double order = static_cast<double>(n + 1), divisor = order * (order + 1.0);
        const Number damping = D * order;
        std::array<Number, side_by_side> source{};
        if (n < powers) source[n] = Number{1.0};
        for (std::size_t m = 0; m < side_by_side; ++m) {
            const Number after = (source[m] - damping * next[m] - L * a[m]) / divisor;
            a[m] = next[m];
            next[m] = after;
            y[m] += after;
            rate[m] += (order + 1.0) * after;
        }
    }
    Response response{};
    for (std::size_t m = 0; m < powers; ++m) {
        response.q[m] = y[m];
        response.v[m] = rate[m];
    }
    return response;
}

/// `eigenvalue` times t^2, `damping` times t: over t [s].
template <class Response>
Response response_of_series(const NumberOf<Response>& eigenvalue, const NumberOf<Response>& damping,
                            double t) {
    Response y = taylor<Response>(eigenvalue * t * t, damping * t);
    for (std::size_t m = 0; m < powers_of<Response>; ++m) {
        y.q[m] *= t * t;
        y.v[m] *= t;
    }
    return y;
}

/// Over 2t from the step over t, where the mode has this flow (modal_flow.hpp): in the second half
/// s = t + u, so ((t + u)/(2 t))^m = 2^-m sum binom(m,k) (u/t)^k.
template <class Flow, class Response>
Response doubled(const Flow& flow, const Response& y) {
    using Number = NumberOf<Response>;
    constexpr auto& binomial = binomials<powers_of<Response>>;
    Response twice{};
    for (std::size_t m = 0; m < powers_of<Response>; ++m) {
        Number second_q{}, second_v{};
        for (std::size_t k = 0; k <= m; ++k) {
            second_q += binomial[m][k] * y.q[k];
            second_v += binomial[m][k] * y.v[k];
        }
        const double scale = 1.0 / static_cast<double>(1 << m);
        twice.q[m] = scale * (flow.qq * y.q[m] + flow.qv * y.v[m] + second_q);
        twice.v[m] = scale * (flow.vq * y.q[m] + flow.vv * y.v[m] + second_v);
    }
    return twice;
}

/// Scaling and squaring: series over t/2^n, then n doublings. `series(t)`: the response over a
/// short time; `flow(t)`: of the mode.
template <class Series, class Flow>
auto response_over(double eigenvalue, double damping, double t, const Series& series,
                   const Flow& flow) {
    double part = t;
    int doublings = 0;
    for (; needs_doubling(eigenvalue, damping, part); part *= 0.5) ++doublings;
    auto y = series(part);
    for (; doublings > 0; --doublings, part *= 2.0) y = doubled(flow(part), y);
    return y;
}

}  // namespace stoss::modal::detail
