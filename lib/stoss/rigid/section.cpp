#include <stoss/core/elementary.hpp>
#include <stoss/rigid/section.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stoss::rigid {

CompressionPlane::CompressionPlane(const ContactProblem& problem)
    : problem_(problem),
      C_tt_(problem.A.tt - problem.A.nt * problem.A.nt / problem.A.nn),
      C_to_(problem.A.to - problem.A.nt * problem.A.no / problem.A.nn),
      C_oo_(problem.A.oo - problem.A.no * problem.A.no / problem.A.nn) {}

double CompressionPlane::eccentricity() const {
    return problem_.mu * core::hypot(problem_.A.nt, problem_.A.no) / problem_.A.nn;
}

double CompressionPlane::opening(double angle) const {
    const ContactMatrix& A = problem_.A;
    return A.nn + problem_.mu * (A.nt * core::cos(angle) + A.no * core::sin(angle));
}

ContactVector CompressionPlane::edge(double angle) const {
    const double x_n = problem_.b.n / opening(angle), r = problem_.mu * x_n;
    return {x_n, r * core::cos(angle), r * core::sin(angle)};
}

std::optional<std::array<double, 2>> CompressionPlane::poles() const {
    const double e = eccentricity();
    if (e < 1.0) return std::nullopt;
    const double axis = core::atan2(problem_.A.no, problem_.A.nt), half = core::acos(-1.0 / e);
    const double turn = 2.0 * std::numbers::pi;
    return std::array{std::remainder(axis - half, turn), std::remainder(axis + half, turn)};
}

ContactVector CompressionPlane::impulse(double t, double o) const {
    const ContactMatrix& A = problem_.A;
    return {(problem_.b.n - A.nt * t - A.no * o) / A.nn, t, o};
}

ContactVector CompressionPlane::sticking() const {
    const ContactMatrix& A = problem_.A;
    const ContactVector& b = problem_.b;
    const double h_t = b.t - A.nt * b.n / A.nn, h_o = b.o - A.no * b.n / A.nn;
    const double det = C_tt_ * C_oo_ - C_to_ * C_to_;
    return impulse((C_oo_ * h_t - C_to_ * h_o) / det, (C_tt_ * h_o - C_to_ * h_t) / det);
}

ContactVector CompressionPlane::contour(double level, double phase) const {
    // (y - y0).A^ (y - y0)/2 = level - least, with A^ = L L^T and L^T (y - y0) on a circle.
    const ContactVector middle = sticking();
    const double radius = std::sqrt(std::max(0.0, 2.0 * (level - objective(middle))));
    const double L_tt = std::sqrt(C_tt_), L_ot = C_to_ / L_tt;
    const double L_oo = std::sqrt(C_oo_ - L_ot * L_ot);
    const double o = radius * core::sin(phase) / L_oo;
    const double t = (radius * core::cos(phase) - L_ot * o) / L_tt;
    return impulse(middle.t + t, middle.o + o);
}

}  // namespace stoss::rigid
