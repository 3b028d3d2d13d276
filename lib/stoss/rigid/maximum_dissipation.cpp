#include <stoss/rigid/maximum_dissipation.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

#include <stoss/rigid/scalar_kernel.inl>

namespace stoss::rigid {

namespace {

using core::DoubleDouble;
using namespace kernel;

/// b_n = 0: the section is a cone with its tip at the origin. Of its two edges the one along which
/// the objective falls deeper.
template <class Real>
Outcome<Real> slide_from_tip(const Prepared<Real>& P, const Sticking<Real>& S) {
    Outcome<Real> outcome = separation(P, S);
    if (P.q > Real(0.0)) return outcome;
    const Real Q = Real(2.0) - P.q;
    const Real mu_kappa = Real(1.0) - P.q;
    const Real k_1 = Real(1.0) / mu_kappa, k_2_size = sqrt(-(P.q * Q)) / mu_kappa;
    Real deepest = 0.0;
    for (const Real k_2 : {k_2_size, -k_2_size}) {
        const Real kh = k_1 * S.h_1 + k_2 * S.h_2;
        const Real Ck_1 = P.C_11 * k_1 + P.C_12 * k_2, Ck_2 = P.C_12 * k_1 + P.C_22 * k_2;
        const Real kCk = k_1 * Ck_1 + k_2 * Ck_2;
        if (!(kh > Real(0.0)) || kh * kh <= deepest * kCk) continue;
        deepest = kh * kh / kCk;
        const Real r = kh / kCk;
        const Real slip_1 = r * Ck_1 - S.h_1, slip_2 = r * Ck_2 - S.h_2;
        const Real d_1 = k_1 - mu_kappa, dd = d_1 * d_1 + k_2 * k_2;
        const Real s = dd > Real(0.0) ? -(d_1 * slip_1 + k_2 * slip_2) / dd : Real(0.0);
        outcome = {Branch::slide, r / P.mu, r * k_1, r * k_2,
                   slip_1,        slip_2,   s,       Real(0.5) * deepest};
    }
    return outcome;
}

/// Steps of the root finder below `settled` end it. Roundoff may keep them above that; up to
/// `acceptable` they are good enough.
struct StepLimits {
    double settled, acceptable;
};

template <class Real>
struct Root {
    Real z;
    bool acceptable;
};

/// The root of the equation from z on. `asymptote` is where f may vanish.
template <class Real>
Root<Real> root_of(const SlidingEquation<Real>& equation, Real z, Bracket<Real> bracket,
                   Real asymptote, StepLimits limits) {
    Real before = z;
    for (int count = 0; count < max_steps; ++count) {
        before = z;
        z = next_place(equation.G, z, bracket);
        if (is_settled(z, before, asymptote, limits.settled)) break;
    }
    return {z, is_settled(z, before, asymptote, limits.acceptable)};
}

/// Close to a parabola three roots gather at phi = 0 as b_n -> 0. There the equation is written in
/// z = tan(phi/2), so that its small coefficients keep their digits, and solved again.
void near_vertex(const Prepared<DoubleDouble>& P, const Sticking<DoubleDouble>& S,
                 const Arc<DoubleDouble>& arc, SlidingEquation<DoubleDouble>& equation,
                 Root<DoubleDouble>& root, StepLimits limits) {
    const DoubleDouble zero = 0.0, one = 1.0;
    const DoubleDouble f = equation.f(root.z), norm = equation.norm(root.z);
    if (!(abs(P.q) < DoubleDouble(0.01)) || !(abs(f) < DoubleDouble(0.01) * norm)) return;
    equation = sliding_equation(P, S, one, zero, arc.side, one);
    const auto place = [&](DoubleDouble c, DoubleDouble s, DoubleDouble unbounded) {
        return abs(s) < c ? arc.side * s / c : unbounded;
    };
    Bracket<DoubleDouble> bracket;
    bracket.low = place(arc.c0, arc.s0, -one);
    bracket.high =
        place(arc.cot * arc.c0 - arc.side * arc.s0, arc.cot * arc.s0 + arc.side * arc.c0, one);
    const DoubleDouble asymptote = -(P.opening / (DoubleDouble(2.0) - P.q));
    if (P.q <= zero && bracket.low < asymptote) bracket.high = asymptote;
    root = root_of(equation, DoubleDouble(0.5) * (bracket.low + bracket.high), bracket, asymptote,
                   limits);
}

template <class Real>
Outcome<Real> slide(const Prepared<Real>& P, const Sticking<Real>& S, StepLimits limits) {
    const Arc<Real> arc = visible_arc(P, S);
    SlidingEquation<Real> equation = sliding_equation(P, S, arc);
    Root<Real> root = root_of(equation, Real(-1.0), {-1.0, 2.0}, Real(1.0), limits);
    if constexpr (std::is_same_v<Real, DoubleDouble>)
        near_vertex(P, S, arc, equation, root, limits);
    const Sliding<Real> R = sliding(P, S, equation, root.z);
    const Real energy =
        Real(0.5) * (S.b_n * (S.b_n + P.mu * R.multiplier) + (R.y_1 * S.h_1 + R.y_2 * S.h_2));
    const bool trusted = root.acceptable && R.x_n > Real(0.0) && R.multiplier > Real(0.0);
    return {Branch::slide, R.x_n, R.y_1, R.y_2, R.slip_1, R.slip_2, R.multiplier, energy, trusted};
}

/// The structogram of the paper (its Fig. 5).
template <class Real>
Outcome<Real> solve(const Prepared<Real>& P, Real b_n, Real b_t, Real b_o, StepLimits limits) {
    const Sticking<Real> S = sticking(P, b_n, b_t, b_o);
    if (b_n < Real(0.0)) return separation(P, S);
    if (P.mu == Real(0.0)) return frictionless(S);
    if (S.length <= S.mu_x0_n) return stick(P, S);
    if (b_n == Real(0.0)) return slide_from_tip(P, S);
    return slide(P, S, limits);
}

/// The same in twice the digits.
ContactSolution solve_carefully(const ContactProblem& problem) {
    if (!is_valid(problem)) return unsolved(Status::invalid);
    const ScaledProblem scaled(problem);
    const Outcome<DoubleDouble> outcome =
        solve(scaled.prepared, scaled.b_n, scaled.b_t, scaled.b_o, {1e-10, 1e-8});
    if (!outcome.trusted) return unsolved(Status::failed);
    return scaled.scales.in_units(in_contact_frame(scaled.prepared, outcome, scaled.b_n));
}

ContactSolution solve_prepared(const Prepared<double>& P, const ContactProblem& problem) {
    const ContactVector& b = problem.b;
    if (is_benign(P) && is_in_range(P.mu, b.n, b.t, b.o)) {
        const Outcome<double> outcome = solve(P, b.n, b.t, b.o, {settled_step, settled_step});
        if (outcome.trusted) return in_contact_frame(P, outcome, b.n);
    }
    return solve_carefully(problem);
}

Prepared<double> prepared(const ContactMatrix& A, double mu) {
    return prepare<double>(A.nn, A.nt, A.no, A.tt, A.to, A.oo, mu);
}

}  // namespace

ContactSolution maximum_dissipation(const ContactProblem& problem) {
    return solve_prepared(prepared(problem.A, problem.mu), problem);
}

PreparedContact::PreparedContact(const ContactMatrix& A, double mu)
    : A_(A), prepared_(std::bit_cast<std::array<double, 12>>(prepared(A, mu))) {}

ContactSolution PreparedContact::solve(const ContactVector& b) const {
    const auto P = std::bit_cast<Prepared<double>>(prepared_);
    return solve_prepared(P, {A_, b, P.mu});
}

}  // namespace stoss::rigid
