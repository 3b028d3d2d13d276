#include <stoss/rigid/coulomb.hpp>

#include <algorithm>
#include <cmath>

#include <stoss/rigid/scalar_kernel.inl>

namespace stoss::rigid {

namespace {

using core::DoubleDouble;
using namespace kernel;

/// A polynomial of low degree by its coefficients, constant first.
struct Polynomial {
    int degree;
    std::array<DoubleDouble, 5> c{};

    DoubleDouble operator()(DoubleDouble t) const {
        DoubleDouble value = c[std::size_t(degree)];
        for (int k = degree; k-- > 0;) value = value * t + c[std::size_t(k)];
        return value;
    }
    Polynomial derivative() const {
        Polynomial D{degree - 1, {}};
        for (int k = 1; k <= degree; ++k) D.c[std::size_t(k - 1)] = c[std::size_t(k)] * double(k);
        return D;
    }
};

/// Up to four places in [0, 1], ascending.
struct Places {
    int count = 0;
    std::array<DoubleDouble, 4> at;
};

/// The root between `low` and `high`, where the polynomial has opposite signs: Newton's method
/// inside a shrinking bracket, to the digits of a double-double.
DoubleDouble bracketed_root(const Polynomial& p, DoubleDouble low, DoubleDouble high) {
    const bool rising = p(high) > 0.0;
    const Polynomial slope = p.derivative();
    DoubleDouble root = DoubleDouble(0.5) * (low + high);
    for (int step = 0; step < 200; ++step) {
        const DoubleDouble value = p(root);
        ((value > 0.0) == rising ? high : low) = root;
        DoubleDouble next = root - value / slope(root);
        // From 0 on by powers of ten: halving would take a thousand steps to a root at 1e-300.
        if (!(next > low && next < high))
            next = low > 0.0 ? DoubleDouble(0.5) * (low + high) : DoubleDouble(1e-16) * high;
        const bool settled = abs(next - root) <= DoubleDouble(1e-30) * next;
        root = next;
        if (settled) break;
    }
    return root;
}

/// The real roots in [0, 1] that are simple: between neighbouring extrema there is at most one.
Places roots(const Polynomial& p) {
    Places found;
    if (p.degree == 0) return found;
    const Places extrema = roots(p.derivative());
    DoubleDouble low = 0.0;
    for (int i = 0; i <= extrema.count; ++i) {
        const DoubleDouble high =
            i < extrema.count ? extrema.at[std::size_t(i)] : DoubleDouble(1.0);
        const DoubleDouble at_low = p(low), at_high = p(high);
        if ((at_low < 0.0 && at_high > 0.0) || (at_low > 0.0 && at_high < 0.0)) {
            found.at[std::size_t(found.count++)] = bracketed_root(p, low, high);
        }
        low = high;
    }
    return found;
}

DoubleDouble length(DoubleDouble x, DoubleDouble y) {
    const DoubleDouble largest = std::max(abs(x), abs(y));  // so that no square underflows
    if (largest == DoubleDouble(0.0)) return 0.0;
    x = x / largest;
    y = y / largest;
    return largest * sqrt(x * x + y * y);
}

/// The sliding solutions of one problem: (C + sigma I) y = b^, sigma = |slip|/|y| > 0, so that
///     y = Y/D,  Y = adj(C) b^ + sigma b^,  D = det(C + sigma I),
///     |Y| = mu N,  N = b_n D + kappa Y_1.
/// The place u >= 0 makes |Y| rational in it: with h = |b^| and Y/h = (sigma + along, across) in
/// the direction of b^ and across it,
///     w = w_0 + u = sigma + along + |Y|/h,  2 w sigma = u (u + 2 |Y_0|/h),
///     2 w |Y|/h = w^2 + across^2.
/// The square of the condition would be useless for large mu: it has almost a double root. Here
/// sigma and the roots of C are in units of `unit`.
struct SlidingFamily {
    using Real = DoubleDouble;
    const Prepared<Real>& P;
    const Sticking<Real>& S;
    // A round multiple of sqrt(det C) may be a root itself, on the border of both its intervals.
    Real unit = Real(0.7390851332151607) / sqrt(P.inverse_det);
    Real det = Real(1.0) / (P.inverse_det * unit * unit), trace = (P.C_11 + P.C_22) / unit;
    Real h = length(S.h_1, S.h_2);                    // > 0
    Real e_1 = S.h_1 / h, e_2 = S.h_2 / h;            // direction of b^
    Real Y_1 = (P.C_22 * e_1 - P.C_12 * e_2) / unit;  // Y_0/h
    Real Y_2 = (P.C_11 * e_2 - P.C_12 * e_1) / unit;
    Real along = e_1 * Y_1 + e_2 * Y_2, across = e_1 * Y_2 - e_2 * Y_1;
    Real begin = sqrt(along * along + across * across), w_0 = along + begin;

    /// (2 w)^2 (mu N - |Y|) as a polynomial in u.
    Polynomial condition() const {
        const Real two = 2.0, three = 3.0, four = 4.0, six = 6.0, g = h / unit;
        const Real scale = P.mu > Real(1.0) ? std::ldexp(1.0, -std::ilogb(double(P.mu))) : 1.0;
        const Real mu = scale * P.mu, f = scale * g;
        const Real n0 = S.b_n * det + P.kappa * g * Y_1, n1 = S.b_n * trace + P.kappa * g * e_1;
        const Real n2 = S.b_n;
        return {4,
                {four * w_0 * w_0 * (mu * n0 - f * begin),
                 four * w_0 * mu * (two * n0 + begin * n1) -
                     two * f * (three * w_0 * w_0 + across * across),
                 mu * (four * n0 + two * (two * begin + w_0) * n1 + four * begin * begin * n2) -
                     six * f * w_0,
                 mu * (two * n1 + four * begin * n2) - two * f, mu * n2}};
    }

    /// At u = numerator/denominator. The impulse is on the edge of the cone, so that x_n needs no
    /// difference.
    Outcome<Real> at(Real numerator, Real denominator) const {
        const Real p = numerator * (numerator + Real(2.0) * begin * denominator) /
                       (numerator + w_0 * denominator);
        const Real r = Real(2.0) * denominator;  // sigma = p/r
        const Real per_D = h / (p * (p + r * trace) + r * r * det);
        const Real impulse = r * per_D / unit, slip = p * per_D;
        const Real v_1 = r * Y_1 + p * e_1, v_2 = r * Y_2 + p * e_2, v = length(v_1, v_2);
        const Real y_1 = impulse * v_1, y_2 = impulse * v_2;
        const Real slip_1 = -(slip * v_1), slip_2 = -(slip * v_2);
        const Real energy =
            Real(0.5) * (S.b_n * S.b_n + y_1 * (S.h_1 - slip_1) + y_2 * (S.h_2 - slip_2));
        return {Branch::slide, impulse * v / P.mu, y_1, y_2, slip_1, slip_2, slip * v, energy};
    }
};

/// True if the section is a ray from the origin and the impulses along it slip along it: q, b_n and
/// the parts of C and b^ across it vanish, up to roundoff of the data.
bool is_continuum(const Prepared<DoubleDouble>& P, const Sticking<DoubleDouble>& S) {
    const DoubleDouble roundoff = 1e-14;
    return S.b_n == 0.0 && abs(P.q) <= roundoff && abs(P.C_12) <= roundoff * P.C_11 &&
           abs(S.h_2) <= roundoff * abs(S.h_1) && S.h_1 > 0.0;
}

/// Adds all solutions of a valid problem.
void add_solutions(const ScaledProblem& scaled, CoulombSolutions& found) {
    const Prepared<DoubleDouble>& P = scaled.prepared;
    const Sticking<DoubleDouble> S = sticking(P, scaled.b_n, scaled.b_t, scaled.b_o);
    const DoubleDouble zero = 0.0, one = 1.0;
    const auto add = [&](const Outcome<DoubleDouble>& outcome) {
        found.solution[found.count++] =
            scaled.scales.in_units(in_contact_frame(P, outcome, scaled.b_n));
    };
    if (S.b_n <= zero) add(separation(P, S));
    if (P.mu == zero) {
        if (S.b_n > zero) add(frictionless(S));
        return;
    }
    if (S.length <= S.mu_x0_n && S.mu_x0_n > zero) add(stick(P, S));
    found.continuum = found.count == 2 && is_continuum(P, S);
    if (found.continuum || S.length == zero) return;
    const SlidingFamily family{P, S};
    // Roots of any size keep their digits: those below 1, then the inverses of those above it.
    Polynomial condition = family.condition();
    const Places small = roots(condition);
    for (int i = 0; i < small.count; ++i) add(family.at(small.at[std::size_t(i)], one));
    std::reverse(condition.c.begin(), condition.c.end());
    const Places large = roots(condition);
    for (int i = large.count; i-- > 0;) add(family.at(one, large.at[std::size_t(i)]));
}

}  // namespace

CoulombSolutions coulomb_solutions(const ContactProblem& problem) {
    CoulombSolutions found;
    if (!is_valid(problem)) return found;
    found.status = Status::solved;
    add_solutions(ScaledProblem(problem), found);
    const auto is_solved = [](const ContactSolution& each) {
        return each.status == Status::solved;
    };
    if (std::ranges::all_of(found.all(), is_solved)) return found;
    CoulombSolutions none;
    none.status = Status::failed;
    return none;
}

}  // namespace stoss::rigid
