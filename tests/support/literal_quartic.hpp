#pragma once
/// The contact problem solved as Preclik, Eibl & Ruede (2017) write it: equation (8) as a quartic
/// in exp(i alpha), Ferrari's formula in doubles, a filter on the residual, the lowest objective.
/// Kept to show why the library does not do it.

#include <array>
#include <cmath>
#include <complex>
#include <optional>

#include <stoss/rigid/contact_problem.hpp>

namespace stoss::tests {

/// Roots of y^4 + b y^3 + c y^2 + d y + e.
inline std::array<std::complex<double>, 4> ferrari(std::complex<double> b, std::complex<double> c,
                                                   std::complex<double> d, std::complex<double> e) {
    using Complex = std::complex<double>;
    const Complex bb = b * b;
    const Complex p = c - 3.0 * bb / 8.0, q = d - b * c / 2.0 + b * bb / 8.0;
    const Complex r = e - b * d / 4.0 + bb * c / 16.0 - 3.0 * bb * bb / 256.0;
    // Resolvent m^3 + p m^2 + (p^2/4 - r) m - q^2/8 = 0 by Cardano.
    const Complex P = -p * p / 12.0 - r, Q = -p * p * p / 108.0 + p * r / 3.0 - q * q / 8.0;
    const Complex root = std::sqrt(Q * Q / 4.0 + P * P * P / 27.0);
    const Complex plus = -Q / 2.0 + root, minus = -Q / 2.0 - root;
    // Not std::pow, which may abort where coefficients have overflowed to NaN.
    const Complex u = std::exp(std::log(std::abs(plus) > std::abs(minus) ? plus : minus) / 3.0);
    const Complex m = -p / 3.0 + (u == 0.0 ? Complex(0.0) : u - P / (3.0 * u));
    const Complex w = std::sqrt(2.0 * m);
    std::array<Complex, 4> roots;
    for (int sign : {0, 1}) {
        const Complex s = sign == 0 ? w : -w;
        const Complex part = std::sqrt(-(2.0 * p + 2.0 * m + 2.0 * q / s));
        roots[std::size_t(2 * sign)] = -b / 4.0 + (s + part) / 2.0;
        roots[std::size_t(2 * sign + 1)] = -b / 4.0 + (s - part) / 2.0;
    }
    return roots;
}

/// The sliding impulse, or nothing if no candidate passes the filter. `problem` slides with b_n >
/// 0.
inline std::optional<rigid::ContactVector> literal_quartic(const rigid::ContactProblem& problem,
                                                           double filter = 1e-6) {
    using Complex = std::complex<double>;
    const auto& [nn, nt, no, tt, to, oo] = problem.A;
    const auto& [bn, bt, bo] = problem.b;
    const double mu = problem.mu, mm = mu * mu;
    const double c0 = 1.5 * mu * nn * (no * bt - nt * bo);
    const Complex c1(
        mm * ((nt * to - no * tt) * bn + nt * no * bt - nt * nt * bo) - nn * nn * bo + nn * no * bn,
        mm * ((no * to - nt * oo) * bn - no * no * bt + nt * no * bo) - nn * nn * bt +
            nn * nt * bn);
    const Complex c2 =
        0.5 * mu * nn *
        Complex(2.0 * to * bn - no * bt - nt * bo, (tt - oo) * bn - nt * bt + no * bo);
    // c0 + Re(c1 y) + Re(c2 y^2) = 0 on |y| = 1.
    const Complex lead = 0.5 * c2;
    const auto roots =
        ferrari(0.5 * c1 / lead, c0 / lead, 0.5 * std::conj(c1) / lead, 0.5 * std::conj(c2) / lead);
    const double size = std::abs(c0) + std::abs(c1) + std::abs(c2);
    std::optional<rigid::ContactVector> best;
    double lowest = 0.0;
    for (const Complex& y : roots) {
        const double alpha = std::arg(y), c = std::cos(alpha), s = std::sin(alpha);
        const Complex e(c, s);
        const double residual = c0 + (c1 * e).real() + (c2 * e * e).real();
        const double f_r = nn + mu * (nt * c + no * s);
        if (!(std::abs(residual) <= filter * size) || !(f_r > 0.0)) continue;
        const double r = mu * bn / f_r;
        const rigid::ContactVector x{(bn - nt * r * c - no * r * s) / nn, r * c, r * s};
        const double objective = -rigid::dissipated_energy(problem, x);
        if (!best || objective < lowest) {
            best = x;
            lowest = objective;
        }
    }
    return best;
}

}  // namespace stoss::tests
