#include <stoss/modal/modal_response.hpp>

#include <cmath>

#include <stoss/modal/detail/forced_mode.hpp>

namespace stoss::modal {

PolynomialResponse polynomial_response(double eigenvalue, double damping, double t) {
    return detail::response_over(
        eigenvalue, damping, t,
        [&](double part) {
            return detail::response_of_series<PolynomialResponse>(eigenvalue, damping, part);
        },
        [&](double part) { return modal_flow(eigenvalue, damping, part); });
}

ModalStep modal_step(double eigenvalue, double damping, double t) {
    return {modal_flow(eigenvalue, damping, t), polynomial_response(eigenvalue, damping, t)};
}

ModalStep modal_step(double eigenvalue, double damping, double t, const ModalStep& half) {
    return {modal_flow(eigenvalue, damping, t),
            detail::needs_doubling(eigenvalue, damping, t)
                ? detail::doubled(half.flow, half.response)
                : detail::response_of_series<PolynomialResponse>(eigenvalue, damping, t)};
}

namespace {

/// Motion of a mode under a harmonic, with what doubles the time: its flow, and the harmonic.
struct DrivenMode {
    HarmonicResponse response;
    ModalFlow flow;
    double cosine, sine;  ///< of W t
};

/// Taylor series of y'' + D y' + L y = 0, = cos(w u) and = sin(w u) at u = 1.
DrivenMode driven_taylor(double L, double D, double w) {
    // a_n, a_(n+1) of the solutions from y = 1, from y' = 1, and of the two responses.
    double a[4] = {1.0, 0.0, 0.0, 0.0}, next[4] = {0.0, 1.0, 0.0, 0.0};
    double y[4] = {1.0, 1.0, 0.0, 0.0}, rate[4] = {0.0, 1.0, 0.0, 0.0};
    DrivenMode mode{{}, {}, 0.0, 0.0};
    double source = 1.0;  // w^n/n! with the sign of the series of the cosine and the sine
    for (int n = 0; n < 20; ++n) {
        const bool is_even = n % 2 == 0;
        const double sources[4] = {0.0, 0.0, is_even ? source : 0.0, is_even ? 0.0 : source};
        (is_even ? mode.cosine : mode.sine) += source;
        const double scale = 1.0 / ((n + 1) * (n + 2));
        for (int k = 0; k < 4; ++k) {
            const double after = (sources[k] - D * (n + 1) * next[k] - L * a[k]) * scale;
            a[k] = next[k];
            next[k] = after;
            y[k] += after;
            rate[k] += (n + 2) * after;
        }
        source *= w / (n + 1);
        if (!is_even) source = -source;
    }
    mode.response = {y[2], y[3], rate[2], rate[3]};
    mode.flow = {y[0], y[1], rate[0], rate[1]};
    return mode;
}

/// The same over twice the time: in the second half cos(W (p + u)) = cos Wp cos Wu - sin Wp sin Wu,
/// and so for the sine.
DrivenMode doubled(const DrivenMode& m) {
    const auto& [cos_q, sin_q, cos_v, sin_v] = m.response;
    const auto& [qq, qv, vq, vv] = m.flow;
    return {{.cos_q = qq * cos_q + qv * cos_v + m.cosine * cos_q - m.sine * sin_q,
             .sin_q = qq * sin_q + qv * sin_v + m.sine * cos_q + m.cosine * sin_q,
             .cos_v = vq * cos_q + vv * cos_v + m.cosine * cos_v - m.sine * sin_v,
             .sin_v = vq * sin_q + vv * sin_v + m.sine * cos_v + m.cosine * sin_v},
            {qq * qq + qv * vq, qv * (qq + vv), vq * (qq + vv), vq * qv + vv * vv},
            m.cosine * m.cosine - m.sine * m.sine,
            2.0 * m.sine * m.cosine};
}

}  // namespace

HarmonicResponse harmonic_response(double eigenvalue, double damping, double frequency, double t) {
    if (frequency == 0.0 && eigenvalue == 0.0) {
        const SteadyResponse steady = steady_response(damping, t);
        return {steady.q, 0.0, steady.v, 0.0};
    }
    int doublings = 0;
    double part = t;
    while ((std::sqrt(eigenvalue) + damping + frequency) * std::abs(part) > detail::small_time) {
        part *= 0.5;
        ++doublings;
    }
    DrivenMode mode = driven_taylor(eigenvalue * part * part, damping * part, frequency * part);
    mode.response.cos_q *= part * part;
    mode.response.sin_q *= part * part;
    mode.response.cos_v *= part;
    mode.response.sin_v *= part;
    mode.flow.qv *= part;
    mode.flow.vq /= part;
    for (; doublings > 0; --doublings) mode = doubled(mode);
    return mode.response;
}

}  // namespace stoss::modal
