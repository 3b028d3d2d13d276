#include <stoss/modal/modal_response.hpp>

#include <cmath>

#include <stoss/modal/modal_flow.hpp>

namespace stoss::modal {

namespace {

constexpr std::size_t powers = PolynomialResponse::powers;

/// Pascal's triangle.
constexpr auto binomials = [] {
    std::array<std::array<double, powers>, powers> triangle{};
    for (std::size_t m = 0; m < powers; ++m) {
        triangle[m][0] = 1.0;
        for (std::size_t k = 1; k <= m; ++k)
            triangle[m][k] = triangle[m - 1][k - 1] + triangle[m - 1][k];
    }
    return triangle;
}();

/// Taylor series of y'' + D y' + L y = u^m at u = 1, y(0) = y'(0) = 0, for small D and L:
/// (n+1)(n+2) a_{n+2} = delta_{nm} - D (n+1) a_{n+1} - L a_n.
void taylor(double L, double D, int m, double& y, double& rate) {
    double a = 0.0, next = 0.0;  // a_n, a_{n+1}
    y = rate = 0.0;
    for (int n = 0; n < 20; ++n) {
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
    for (std::size_t m = 0; m < powers; ++m) {
        taylor(eigenvalue * part * part, damping * part, static_cast<int>(m), y.q[m], y.v[m]);
        y.q[m] *= part * part;
        y.v[m] *= part;
    }
    for (; doublings > 0; --doublings, part *= 2.0) {
        // In the second half s = part + u, so ((part + u)/(2 part))^m = 2^-m sum binom(m,k)
        // (u/part)^k.
        const ModalFlow flow = modal_flow(eigenvalue, damping, part);
        PolynomialResponse doubled{};
        for (std::size_t m = 0; m < powers; ++m) {
            double second_q = 0.0, second_v = 0.0;
            for (std::size_t k = 0; k <= m; ++k) {
                second_q += binomials[m][k] * y.q[k];
                second_v += binomials[m][k] * y.v[k];
            }
            const double scale = 1.0 / static_cast<double>(1 << m);
            doubled.q[m] = scale * (flow.qq * y.q[m] + flow.qv * y.v[m] + second_q);
            doubled.v[m] = scale * (flow.vq * y.q[m] + flow.vv * y.v[m] + second_v);
        }
        y = doubled;
    }
    return y;
}

namespace {

/// Taylor series of y'' + D y' + L y = cos(w u), and = sin(w u), at u = 1 from rest.
HarmonicResponse harmonic_taylor(double L, double D, double w) {
    HarmonicResponse y;
    double cos_a = 0.0, cos_next = 0.0, sin_a = 0.0, sin_next = 0.0;
    double source = 1.0;  // w^n/n! with the sign of the series of the cosine and the sine
    for (int n = 0; n < 20; ++n) {
        const double cos_source = n % 2 == 0 ? source : 0.0;
        const double sin_source = n % 2 == 0 ? 0.0 : source;
        const double scale = 1.0 / ((n + 1) * (n + 2));
        const double cos_after = (cos_source - D * (n + 1) * cos_next - L * cos_a) * scale;
        const double sin_after = (sin_source - D * (n + 1) * sin_next - L * sin_a) * scale;
        cos_a = cos_next;
        cos_next = cos_after;
        sin_a = sin_next;
        sin_next = sin_after;
        y.cos_q += cos_after;
        y.sin_q += sin_after;
        y.cos_v += (n + 2) * cos_after;
        y.sin_v += (n + 2) * sin_after;
        source *= w / (n + 1);
        if (n % 2 == 1) source = -source;
    }
    return y;
}

}  // namespace

HarmonicResponse harmonic_response(double eigenvalue, double damping, double frequency, double t) {
    if (frequency == 0.0 && eigenvalue == 0.0) {
        const SteadyResponse steady = steady_response(damping, t);
        return {steady.q, 0.0, steady.v, 0.0};
    }
    constexpr double small = 0.25;
    int doublings = 0;
    double part = t;
    while ((std::sqrt(eigenvalue) + damping + frequency) * std::abs(part) > small) {
        part *= 0.5;
        ++doublings;
    }
    HarmonicResponse y =
        harmonic_taylor(eigenvalue * part * part, damping * part, frequency * part);
    y.cos_q *= part * part;
    y.sin_q *= part * part;
    y.cos_v *= part;
    y.sin_v *= part;
    for (; doublings > 0; --doublings, part *= 2.0) {
        // In the second half cos(W (part + u)) = cos(W part) cos(W u) - sin(W part) sin(W u), and
        // so for the sine.
        const ModalFlow flow = modal_flow(eigenvalue, damping, part);
        const double c = core::cos(frequency * part), s = core::sin(frequency * part);
        y = {.cos_q = flow.qq * y.cos_q + flow.qv * y.cos_v + c * y.cos_q - s * y.sin_q,
             .sin_q = flow.qq * y.sin_q + flow.qv * y.sin_v + s * y.cos_q + c * y.sin_q,
             .cos_v = flow.vq * y.cos_q + flow.vv * y.cos_v + c * y.cos_v - s * y.sin_v,
             .sin_v = flow.vq * y.sin_q + flow.vv * y.sin_v + s * y.cos_v + c * y.sin_v};
    }
    return y;
}

}  // namespace stoss::modal
