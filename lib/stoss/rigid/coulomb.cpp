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
        if (!(next > low && next < high)) next = DoubleDouble(0.5) * (low + high);
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

/// The sliding solutions of one problem: (C + sigma I) y = b^, sigma = |slip|/|y| > 0, so that
///     y = Y(sigma)/D(sigma),  Y = adj(C) b^ + sigma b^,  D = det(C + sigma I),
///     |Y|^2 = mu^2 (b_n D + kappa Y_1)^2,  b_n D + kappa Y_1 > 0.
struct SlidingFamily {
    using Real = DoubleDouble;
    const Prepared<Real>& P;
    const Sticking<Real>& S;
    Real det = Real(1.0) / P.inverse_det;
    Real trace = P.C_11 + P.C_22;
    Real Y0_1 = det * S.y0_1, Y0_2 = det * S.y0_2;

    /// |Y|^2 - mu^2 (b_n D + kappa Y_1)^2 as a polynomial in sigma/unit.
    Polynomial condition(Real unit) const {
        const Real n0 = S.b_n * det + P.kappa * Y0_1, n1 = S.b_n * trace + P.kappa * S.h_1;
        const Real n2 = S.b_n, mm = P.mu * P.mu, two = 2.0;
        Polynomial p{4,
                     {Y0_1 * Y0_1 + Y0_2 * Y0_2 - mm * n0 * n0,
                      two * (Y0_1 * S.h_1 + Y0_2 * S.h_2) - mm * two * n0 * n1,
                      S.h_1 * S.h_1 + S.h_2 * S.h_2 - mm * (n1 * n1 + two * n0 * n2),
                      -(mm * two * n1 * n2), -(mm * n2 * n2)}};
        Real power = 1.0;
        for (Real& c : p.c) {
            c = c * power;
            power = power * unit;
        }
        return p;
    }

    Outcome<Real> at(Real sigma) const {
        const Real D = sigma * (sigma + trace) + det;
        const Real y_1 = (Y0_1 + sigma * S.h_1) / D, y_2 = (Y0_2 + sigma * S.h_2) / D;
        const Real speed = sigma * sqrt(y_1 * y_1 + y_2 * y_2);
        const Real energy =
            Real(0.5) * (S.b_n * S.b_n + y_1 * (S.h_1 + sigma * y_1) + y_2 * (S.h_2 + sigma * y_2));
        return {Branch::slide,  S.b_n + P.kappa * y_1, y_1,   y_2,
                -(sigma * y_1), -(sigma * y_2),        speed, energy};
    }
};

/// True if the section is a ray from the origin and the impulses along it slip along it: q, b_n and
/// the parts of C and b^ across it vanish, up to roundoff of the data.
bool is_continuum(const Prepared<DoubleDouble>& P, const Sticking<DoubleDouble>& S) {
    const DoubleDouble roundoff = 1e-14;
    return S.b_n == 0.0 && abs(P.q) <= roundoff && abs(P.C_12) <= roundoff * P.C_11 &&
           abs(S.h_2) <= roundoff * abs(S.h_1) && S.h_1 > 0.0;
}

}  // namespace

CoulombSolutions coulomb_solutions(const ContactProblem& problem) {
    CoulombSolutions found;
    if (!is_valid(problem)) return found;
    found.status = Status::solved;
    const ScaledProblem scaled(problem);
    const Prepared<DoubleDouble>& P = scaled.prepared;
    const Sticking<DoubleDouble> S = sticking(P, scaled.b_n, scaled.b_t, scaled.b_o);
    const DoubleDouble zero = 0.0;
    const auto add = [&](const Outcome<DoubleDouble>& outcome) {
        found.solution[found.count++] = scaled.in_units(in_contact_frame(P, outcome, scaled.b_n));
    };
    if (S.b_n <= zero) add(separation(P, S));
    if (P.mu == zero) {
        if (S.b_n > zero) add(frictionless(S));
        return found;
    }
    if (S.length <= S.mu_x0_n && S.mu_x0_n > zero) add(stick(P, S));
    found.continuum = is_continuum(P, S);
    if (found.continuum) return found;
    const SlidingFamily family{P, S};
    // Roots of any size keep their digits: those below `unit`, then the inverses of those above it.
    // (A round multiple of sqrt(det) may be a root itself.)
    const DoubleDouble unit = DoubleDouble(0.7390851332151607) * sqrt(family.det);
    Polynomial condition = family.condition(unit);
    const auto add_if_pressing = [&](DoubleDouble sigma) {
        const Outcome<DoubleDouble> outcome = family.at(sigma);
        if (outcome.x_n > zero) add(outcome);
    };
    const Places small = roots(condition);
    for (int i = 0; i < small.count; ++i) add_if_pressing(unit * small.at[std::size_t(i)]);
    std::reverse(condition.c.begin(), condition.c.end());
    const Places large = roots(condition);
    for (int i = large.count; i-- > 0;) add_if_pressing(unit / large.at[std::size_t(i)]);
    return found;
}

}  // namespace stoss::rigid
