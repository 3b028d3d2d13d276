#pragma once
/// The arithmetic of one contact in doubles and in double-doubles: for the solvers of this folder,
/// not installed.

#include <algorithm>
#include <cmath>
#include <limits>

#include <stoss/core/double_double.hpp>
#include <stoss/core/number.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::rigid::kernel {

using core::abs;
using core::both, core::either, core::select;
using core::sqrt;
using std::abs;
using std::sqrt;

#include <stoss/rigid/contact_kernel.inl>

/// What the contact does, in the units and the frame of the kernel.
template <class Real>
struct Outcome {
    Branch branch;
    Real x_n, y_1, y_2;  // impulse
    Real slip_1, slip_2;
    Real multiplier = 0.0;
    Real energy;          // dissipated, times A_nn
    bool trusted = true;  // no step lost the digits it needs
};

/// No impulse: the relative velocity stays -b.
template <class Real>
Outcome<Real> separation(const Prepared<Real>& P, const Sticking<Real>& S) {
    return {Branch::separate, 0.0, 0.0, 0.0, P.kappa * S.b_n - S.h_1, -S.h_2, 0.0, 0.0};
}

template <class Real>
Outcome<Real> frictionless(const Sticking<Real>& S) {
    return {Branch::frictionless, S.b_n, 0.0, 0.0, -S.h_1, -S.h_2, 0.0, Real(0.5) * S.b_n * S.b_n};
}

template <class Real>
Outcome<Real> stick(const Prepared<Real>& P, const Sticking<Real>& S) {
    const Real energy = Real(0.5) * (S.b_n * S.b_n + S.y0_1 * S.h_1 + S.y0_2 * S.h_2);
    return {Branch::stick, S.b_n + P.kappa * S.y0_1, S.y0_1, S.y0_2, 0.0, 0.0, 0.0, energy};
}

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline ContactSolution unsolved(Status status) {
    ContactSolution solution;
    solution.status = status;
    solution.impulse = solution.velocity = {nan, nan, nan};
    solution.multiplier = solution.dissipated_energy = nan;
    return solution;
}

/// Back into the contact frame and to SI units.
template <class Real>
ContactSolution in_contact_frame(const Prepared<Real>& P, const Outcome<Real>& outcome, Real b_n) {
    ContactSolution solution;
    solution.status = Status::solved;
    solution.branch = outcome.branch;
    solution.conic = P.q > Real(0.0)   ? Conic::ellipse
                     : P.q < Real(0.0) ? Conic::hyperbola
                                       : Conic::parabola;
    const auto t = [&](Real along, Real across) { return double(P.u_t * along - P.u_o * across); };
    const auto o = [&](Real along, Real across) { return double(P.u_o * along + P.u_t * across); };
    const Real y_1 = outcome.y_1 * P.inverse_A_nn, y_2 = outcome.y_2 * P.inverse_A_nn;
    solution.impulse = {double(outcome.x_n * P.inverse_A_nn), t(y_1, y_2), o(y_1, y_2)};
    // An impulse stops the normal motion, also that of bodies that would separate without it.
    const bool separates = outcome.branch == Branch::separate && b_n < Real(0.0);
    solution.velocity = {separates ? -double(b_n) : 0.0, t(outcome.slip_1, outcome.slip_2),
                         o(outcome.slip_1, outcome.slip_2)};
    solution.multiplier = double(outcome.multiplier);
    solution.dissipated_energy = double(outcome.energy * P.inverse_A_nn);
    return solution;
}

/// Exponents of two of A_nn and of the largest component of b. In these units no product over- or
/// underflows, and no bit changes.
struct Scales {
    int A, b;

    /// Precondition: `problem` is valid.
    explicit Scales(const ContactProblem& problem) : A(std::ilogb(problem.A.nn)), b(0) {
        const ContactVector& v = problem.b;
        const double largest = std::max({std::abs(v.n), std::abs(v.t), std::abs(v.o)});
        if (largest > 0.0) b = std::ilogb(largest);
    }

    ContactProblem scaled(const ContactProblem& problem) const {
        const auto of_A = [this](double entry) { return std::ldexp(entry, -A); };
        const ContactMatrix& given = problem.A;
        return {{of_A(given.nn), of_A(given.nt), of_A(given.no), of_A(given.tt), of_A(given.to),
                 of_A(given.oo)},
                times(problem.b, -b),
                problem.mu};
    }

    ContactVector impulse(const ContactVector& scaled) const { return times(scaled, b - A); }
    ContactVector velocity(const ContactVector& scaled) const { return times(scaled, b); }
    double energy(double scaled) const { return std::ldexp(scaled, 2 * b - A); }

    /// A solution of the scaled problem in the units of the given one; failed if they overflow.
    ContactSolution in_units(ContactSolution solution) const {
        solution.impulse = impulse(solution.impulse);
        solution.velocity = velocity(solution.velocity);
        solution.multiplier = std::ldexp(solution.multiplier, b);
        solution.dissipated_energy = energy(solution.dissipated_energy);
        if (!is_finite(solution.impulse) || !is_finite(solution.velocity))
            return unsolved(Status::failed);
        return solution;
    }

    static bool is_finite(const ContactVector& vector) {
        return std::isfinite(vector.n) && std::isfinite(vector.t) && std::isfinite(vector.o);
    }

  private:
    static ContactVector times(const ContactVector& vector, int exponent) {
        return {std::ldexp(vector.n, exponent), std::ldexp(vector.t, exponent),
                std::ldexp(vector.o, exponent)};
    }
};

/// A problem in double-doubles, in its scales.
struct ScaledProblem {
    Scales scales;
    Prepared<core::DoubleDouble> prepared;
    core::DoubleDouble b_n, b_t, b_o;

    /// Precondition: `problem` is valid.
    explicit ScaledProblem(const ContactProblem& problem) : scales(problem) {
        using core::DoubleDouble;
        const auto [A, b, mu] = scales.scaled(problem);
        prepared = prepare<DoubleDouble>(DoubleDouble(A.nn), DoubleDouble(A.nt),
                                         DoubleDouble(A.no), DoubleDouble(A.tt),
                                         DoubleDouble(A.to), DoubleDouble(A.oo), mu);
        b_n = DoubleDouble(b.n);
        b_t = DoubleDouble(b.t);
        b_o = DoubleDouble(b.o);
    }
};

}  // namespace stoss::rigid::kernel
