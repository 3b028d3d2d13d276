#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/scalar_kernel.inl>

namespace stoss::rigid {

namespace {

using Coefficients = std::array<double, 5>;  // of a quartic, constant first

double value_of(const Coefficients& p, double t) {
    return (((p[4] * t + p[3]) * t + p[2]) * t + p[1]) * t + p[0];
}
double slope_of(const Coefficients& p, double t) {
    return ((4.0 * p[4] * t + 3.0 * p[3]) * t + 2.0 * p[2]) * t + p[1];
}

/// The positive root of a quartic that begins positive; none unless Descartes' rule says that there
/// is one alone.
std::optional<double> only_root(const Coefficients& p) {
    if (!(p[0] > 0.0)) return std::nullopt;
    int changes = 0;
    double sign = 1.0;
    for (const double c : p) {
        if (c * sign >= 0.0) continue;
        sign = -sign;
        ++changes;
    }
    if (changes != 1) return std::nullopt;
    double low = 0.0, high = 1.0;
    while (value_of(p, high) > 0.0) {
        low = high;
        high *= 4.0;
        if (!std::isfinite(high)) return std::nullopt;
    }
    double root = high;
    for (int step = 0; step < 200; ++step) {  // Newton's method inside a shrinking bracket
        const double value = value_of(p, root);
        (value > 0.0 ? low : high) = root;
        double next = root - value / slope_of(p, root);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        const bool is_settled = std::abs(next - root) <= 4e-16 * next;
        root = next;
        if (is_settled) return root;
    }
    return root;
}

ContactVector careful_impulse(const ContactProblem& problem) {
    using kernel::nan;
    const CoulombSolutions found = coulomb_solutions(problem);
    return found.count > 0 ? found.solution[0].impulse : ContactVector{nan, nan, nan};
}

}  // namespace

/// Without the normal part, x_n = (b_n - a.x_to)/A_nn, a = (A_nt, A_no), the slip is C x_to - h,
/// and where it slides (C + sigma) x_to = h, |x_to| = mu x_n, sigma > 0 (compare SlidingFamily).
/// All over A_nn, so that impulses are velocities.
ContactVector coulomb_impulse(const ContactProblem& problem) {
    const ContactVector& b = problem.b;
    const double mass = 1.0 / problem.A.nn, mu = problem.mu;
    const double a_t = mass * problem.A.nt, a_o = mass * problem.A.no;
    const double C_tt = mass * problem.A.tt - a_t * a_t, C_to = mass * problem.A.to - a_t * a_o,
                 C_oo = mass * problem.A.oo - a_o * a_o;
    const double h_t = b.t - a_t * b.n, h_o = b.o - a_o * b.n;
    const double det = C_tt * C_oo - C_to * C_to, trace = C_tt + C_oo;
    if (!(mass > 0.0 && C_tt > 0.0 && det > 0.0)) return careful_impulse(problem);
    if (b.n < 0.0) return {};
    // Beyond this range squares underflow or overflow.
    if (!kernel::is_in_range(mu, b.n, b.t, b.o)) return careful_impulse(problem);
    if (b.n == 0.0) return {};
    if (mu == 0.0) return {mass * b.n, 0.0, 0.0};
    // x_to = Y/D, Y = Y_0 + sigma h, D = det + sigma trace + sigma^2; x_n = N/D.
    const double Y_t = C_oo * h_t - C_to * h_o, Y_o = C_tt * h_o - C_to * h_t;
    const double N_0 = b.n * det - a_t * Y_t - a_o * Y_o, N_1 = b.n * trace - a_t * h_t - a_o * h_o,
                 N_2 = b.n;
    const double mm = mu * mu, YY = Y_t * Y_t + Y_o * Y_o;
    if (N_0 > 0.0 && YY <= mm * N_0 * N_0)
        return {mass * N_0 / det, mass * Y_t / det, mass * Y_o / det};
    const auto sigma =
        only_root({YY - mm * N_0 * N_0, 2.0 * (Y_t * h_t + Y_o * h_o - mm * N_0 * N_1),
                   h_t * h_t + h_o * h_o - mm * (N_1 * N_1 + 2.0 * N_0 * N_2),
                   -2.0 * mm * N_1 * N_2, -mm * N_2 * N_2});
    if (!sigma) return careful_impulse(problem);
    const double D = det + *sigma * (trace + *sigma);
    const double x_t = (Y_t + *sigma * h_t) / D, x_o = (Y_o + *sigma * h_o) / D;
    const double x_n = b.n - a_t * x_t - a_o * x_o;
    if (!(x_n > 0.0)) return careful_impulse(problem);
    return {mass * x_n, mass * x_t, mass * x_o};
}

}  // namespace stoss::rigid
