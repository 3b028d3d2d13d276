// The single-contact problem of maximum dissipation, for any number type Real: double,
// DoubleDouble, or a vector of doubles (one problem a lane). Not a header: included inside the
// namespace that has Real's operators, sqrt, abs, select(mask, yes, no) and both, either of masks
// (the vector units are compiled one namespace each). Only straight-line code is here, so that a
// lane and the scalar give the same bits; loops and branches are in the files that include this
// one. Equations: (11.2) to (11.6) of docs/theory/rigid_impact.md.
//
// Units of this file: A_nn x in place of x, so that everything is a velocity or a pure number. The
// tangential frame is (u, v), u = -a/|a| the direction in which the section of the friction cone
// opens, v a quarter turn ahead; a = (A_nt, A_no). Directions e = (cos phi, sin phi) are kept as
// half-angle pairs (c, s) of any length: e ~ (c^2 - s^2, 2 c s).

/// A and mu, prepared once for any number of b.
template <class Real>
struct Prepared {
    Real inverse_A_nn;      // [kg]
    Real u_t, u_o;          // u in the contact frame
    Real kappa;             // |a|/A_nn
    Real q;                 // 1 - mu kappa: > 0 ellipse, = 0 parabola, < 0 hyperbola
    Real opening;           // sqrt((mu kappa)^2 - 1) of a hyperbola, else 0
    Real C_11, C_12, C_22;  // A^/A_nn = Schur complement of A_nn over A_nn, in (u, v)
    Real inverse_det;       // 1/(C_11 C_22 - C_12^2)
    Real hadamard;          // det A/(A_nn A_tt A_oo): what cancellation leaves
    Real mu;
};

template <class Real>
Prepared<Real> prepare(Real A_nn, Real A_nt, Real A_no, Real A_tt, Real A_to, Real A_oo, Real mu) {
    Prepared<Real> P;
    P.mu = mu;
    P.inverse_A_nn = Real(1.0) / A_nn;
    const Real a = sqrt(A_nt * A_nt + A_no * A_no);
    const auto coupled = a > Real(0.0);
    const Real inverse_a = Real(1.0) / select(coupled, a, Real(1.0));
    P.u_t = select(coupled, -A_nt * inverse_a, Real(1.0));
    P.u_o = select(coupled, -A_no * inverse_a, Real(0.0));
    P.kappa = a * P.inverse_A_nn;
    P.q = (A_nn - mu * a) * P.inverse_A_nn;
    const Real opening_squared = -(P.q * (Real(2.0) - P.q));
    P.opening = sqrt(select(opening_squared > Real(0.0), opening_squared, Real(0.0)));
    const Real t = P.u_t * A_tt + P.u_o * A_to;  // B u
    const Real o = P.u_t * A_to + P.u_o * A_oo;
    const Real B_11 = (P.u_t * t + P.u_o * o) * P.inverse_A_nn;
    P.C_12 = (P.u_t * o - P.u_o * t) * P.inverse_A_nn;
    P.C_22 = (P.u_t * (P.u_t * A_oo - P.u_o * A_to) - P.u_o * (P.u_t * A_to - P.u_o * A_tt)) *
             P.inverse_A_nn;
    P.C_11 = B_11 - P.kappa * P.kappa;
    const Real det = P.C_11 * P.C_22 - P.C_12 * P.C_12;
    P.inverse_det = Real(1.0) / det;
    P.hadamard = det / ((A_tt * P.inverse_A_nn) * (A_oo * P.inverse_A_nn));
    return P;
}

/// True if doubles keep at least ten digits of this contact, and if it is one. (The determinant of
/// a matrix with A_tt A_oo < 0 is negative, and `hadamard` positive again.)
template <class Real>
auto is_benign(const Prepared<Real>& P) {
    const auto in_range = both(P.inverse_A_nn > Real(1e-100), P.inverse_A_nn < Real(1e100));
    const auto definite = both(P.C_22 > Real(0.0), P.inverse_det > Real(0.0));
    const auto accurate = both(P.hadamard > Real(1e-6), abs(P.q) > Real(1e-4));
    const auto friction = both(P.mu >= Real(0.0), P.mu <= Real(largest_friction));
    return both(both(in_range, definite), both(friction, accurate));
}

/// True if the numbers on the way to the impulse, of the size of (mu^2 b)^2, neither overflow nor
/// underflow.
template <class Real>
auto is_in_range(Real mu, Real b_n, Real b_t, Real b_o) {
    const Real size = abs(b_n) + abs(b_t) + abs(b_o);
    const auto in_range = both(size > Real(1e-100), size < Real(1e100));
    return either(size == Real(0.0), both(in_range, mu * mu * size < Real(1e140)));
}

/// b in the frame (n, u, v) and the impulse y0 that stops the contact points.
template <class Real>
struct Sticking {
    Real b_n;
    Real h_1, h_2;    // b^ = b_to - a b_n/A_nn
    Real y0_1, y0_2;  // C^-1 b^
    Real length;      // |y0|
    Real mu_x0_n;     // mu times the normal impulse beside y0
};

template <class Real>
Sticking<Real> sticking(const Prepared<Real>& P, Real b_n, Real b_t, Real b_o) {
    Sticking<Real> S;
    S.b_n = b_n;
    S.h_1 = P.u_t * b_t + P.u_o * b_o + P.kappa * b_n;
    S.h_2 = P.u_t * b_o - P.u_o * b_t;
    S.y0_1 = (P.C_22 * S.h_1 - P.C_12 * S.h_2) * P.inverse_det;
    S.y0_2 = (P.C_11 * S.h_2 - P.C_12 * S.h_1) * P.inverse_det;
    S.length = sqrt(S.y0_1 * S.y0_1 + S.y0_2 * S.y0_2);
    S.mu_x0_n = P.mu * (b_n + P.kappa * S.y0_1);
    return S;
}

/// A polynomial of degree 2 or 4 in the place z in [-1, 1] on the bracket.
template <class Real>
struct Quadratic {
    Real c0, c1, c2;
    Real operator()(Real z) const { return c0 + z * (c1 + z * c2); }
};
template <class Real>
struct Quartic {
    Real c0, c1, c2, c3, c4;
};

/// Where the sliding direction lies: from the direction of y0, with the half-angle pair (c0, s0),
/// on the `side` (1: ahead, -1: behind), by less than twice the angle of cotangent `cot`.
template <class Real>
struct Arc {
    Real c0, s0, side, cot;
};

/// The only boundary point with a positive multiplier sees y0: d.(y0 - y) > 0. It lies on the side
/// that the sign of d x b^ gives, before the tangent from y0 and before the asymptote.
template <class Real>
Arc<Real> visible_arc(const Prepared<Real>& P, const Sticking<Real>& S) {
    const Real zero(0.0), one(1.0), two(2.0);
    const Real q = P.q, Q = two - q;
    const Real inverse_length = one / S.length;
    const Real e0_1 = S.y0_1 * inverse_length, e0_2 = S.y0_2 * inverse_length;
    const Real large = one + abs(e0_1), small = abs(e0_2);
    const auto forward = S.y0_1 > zero;
    Arc<Real> arc;
    arc.c0 = select(forward, large, small);
    arc.s0 = select(forward, small, large);
    arc.s0 = select(e0_2 >= zero, arc.s0, -arc.s0);

    const Real cc = arc.c0 * arc.c0, ss = arc.s0 * arc.s0;
    const Real f = q * cc + Q * ss, d_1 = q * cc - Q * ss, d_2 = two * arc.c0 * arc.s0;
    arc.side = select(d_1 * S.h_2 - d_2 * S.h_1 >= zero, one, -one);

    const Real visible = (S.length + S.mu_x0_n) / (S.length - S.mu_x0_n);
    const Real to_tangent = sqrt(select(visible > zero, visible, zero));
    const Real slope = P.opening * (cc + ss) - arc.side * (one - q) * d_2;
    const Real to_asymptote = select(P.opening > zero, slope / f, zero);
    arc.cot = select(to_tangent > to_asymptote, to_tangent, to_asymptote);
    return arc;
}

/// The stationarity condition at the half-angle pairs
///     (c, s) = (c_m, s_m) + side z (-s_m, c_m) T.
template <class Real>
struct SlidingEquation {
    Quadratic<Real> e_1, e_2;  // direction of the impulse, times c^2 + s^2, as all of these
    Quadratic<Real> f;         // 1 - mu kappa cos phi
    Quadratic<Real> d_1;       // e - mu kappa u; its second component is e_2
    Quadratic<Real> norm;      // c^2 + s^2
    Quartic<Real> G;           // changes from < 0 to > 0 at the root

    // One component of beta C e - f b^: its row of beta C, its component of b^.
    Quadratic<Real> residual(Real C_1, Real C_2, Real h) const {
        return {C_1 * e_1.c0 + C_2 * e_2.c0 - h * f.c0, C_1 * e_1.c1 + C_2 * e_2.c1 - h * f.c1,
                C_1 * e_1.c2 + C_2 * e_2.c2 - h * f.c2};
    }
};

template <class Real>
SlidingEquation<Real> sliding_equation(const Prepared<Real>& P, const Sticking<Real>& S, Real c_m,
                                       Real s_m, Real side, Real T) {
    const Real zero(0.0), two(2.0);
    const Real q = P.q, Q = two - q;
    const Real beta = P.mu * S.b_n;
    const Real k = side * T;
    const Real cc = c_m * c_m, ss = s_m * s_m, cs = c_m * s_m, kk = T * T;
    const Real two_k_cs = two * k * cs;

    SlidingEquation<Real> E;
    E.e_1 = {cc - ss, -(two * two_k_cs), -(kk * (cc - ss))};
    E.e_2 = {two * cs, two * k * (cc - ss), -(two * kk * cs)};
    E.f = {q * cc + Q * ss, (Q - q) * two_k_cs, kk * (q * ss + Q * cc)};
    E.d_1 = {q * cc - Q * ss, -(two * two_k_cs), kk * (q * ss - Q * cc)};
    E.norm = {cc + ss, zero, kk * (cc + ss)};

    // G = d x w, w = beta C e - f b^, with the sign that makes it rise.
    const Real side_beta = side * beta;
    const Quadratic<Real> w_1 = E.residual(side_beta * P.C_11, side_beta * P.C_12, side * S.h_1);
    const Quadratic<Real> w_2 = E.residual(side_beta * P.C_12, side_beta * P.C_22, side * S.h_2);
    const Quadratic<Real>&d_1 = E.d_1, &d_2 = E.e_2;
    E.G.c0 = d_1.c0 * w_2.c0 - d_2.c0 * w_1.c0;
    E.G.c1 = d_1.c0 * w_2.c1 + d_1.c1 * w_2.c0 - (d_2.c0 * w_1.c1 + d_2.c1 * w_1.c0);
    E.G.c2 = d_1.c0 * w_2.c2 + d_1.c1 * w_2.c1 + d_1.c2 * w_2.c0 -
             (d_2.c0 * w_1.c2 + d_2.c1 * w_1.c1 + d_2.c2 * w_1.c0);
    E.G.c3 = d_1.c1 * w_2.c2 + d_1.c2 * w_2.c1 - (d_2.c1 * w_1.c2 + d_2.c2 * w_1.c1);
    E.G.c4 = d_1.c2 * w_2.c2 - d_2.c2 * w_1.c2;
    return E;
}

/// The same with the arc at z in [-1, 1], y0 at z = -1.
template <class Real>
SlidingEquation<Real> sliding_equation(const Prepared<Real>& P, const Sticking<Real>& S,
                                       const Arc<Real>& arc) {
    const Real one(1.0);
    const Real T = one / (arc.cot + sqrt(arc.cot * arc.cot + one));
    const Real k = arc.side * T;
    return sliding_equation(P, S, arc.c0 - k * arc.s0, arc.s0 + k * arc.c0, arc.side, T);
}

/// The bracket of the root: G < 0 at `low`, G > 0 at `high`, or `high` > 1: not yet evaluated.
template <class Real>
struct Bracket {
    Real low, high;
};

/// One step of Halley's method from z, which narrows the bracket. A step that leaves it goes to
/// z = 1 first (for b_n -> 0 the root lies there), then to the middle.
template <class Real>
Real next_place(const Quartic<Real>& G, Real z, Bracket<Real>& bracket) {
    const Real one(1.0), two(2.0), three(3.0);
    const Real value = G.c0 + z * (G.c1 + z * (G.c2 + z * (G.c3 + z * G.c4)));
    const Real slope = G.c1 + z * (two * G.c2 + z * (three * G.c3 + z * (Real(4.0) * G.c4)));
    const Real bend = G.c2 + z * (three * G.c3 + z * (Real(6.0) * G.c4));  // half of G''
    const auto beyond = value > Real(0.0);
    bracket.high = select(beyond, z, bracket.high);
    bracket.low = select(beyond, bracket.low, z);
    const Real middle = Real(0.5) * (bracket.low + bracket.high);
    const Real elsewhere = select(bracket.high > one, one, middle);
    const Real next = z - value * slope / (slope * slope - value * bend);
    const Real not_above = select(next <= bracket.high, next, elsewhere);
    const Real inside = select(not_above >= bracket.low, not_above, elsewhere);
    return select(inside < one, inside, one);
}

/// True if the step from z to `next` is short beside the distance from an asymptote. Each step
/// triples the digits: after one shorter than settled_step the next would change nothing.
template <class Real>
auto is_settled(Real next, Real z, Real asymptote, double limit) {
    return abs(next - z) <= Real(limit) * (abs(asymptote - next) + Real(limit * limit));
}
constexpr double settled_step = 1e-5;
constexpr int max_steps = 60;

/// What the sliding contact does.
template <class Real>
struct Sliding {
    Real x_n, y_1, y_2;   // impulse times A_nn
    Real slip_1, slip_2;  // -s d
    Real multiplier;      // s
};

template <class Real>
Sliding<Real> sliding(const Prepared<Real>& P, const Sticking<Real>& S,
                      const SlidingEquation<Real>& E, Real z) {
    const Real e_1 = E.e_1(z), e_2 = E.e_2(z), f = E.f(z), d_1 = E.d_1(z), norm = E.norm(z);
    // x_n = b_n/f, or near an asymptote, where f cancels, by the stationarity along d.
    const Real tangent_h = d_1 * S.h_2 - e_2 * S.h_1;
    const Real tangent_Ce =
        d_1 * (P.C_12 * e_1 + P.C_22 * e_2) - e_2 * (P.C_11 * e_1 + P.C_12 * e_2);
    const auto at_asymptote = f < Real(-0.01) * P.q * norm;
    const Real ratio =
        select(at_asymptote, tangent_h, S.b_n) / select(at_asymptote, P.mu * tangent_Ce, f);
    Sliding<Real> R;
    R.x_n = ratio * norm;
    R.y_1 = P.mu * ratio * e_1;
    R.y_2 = P.mu * ratio * e_2;
    const Real v_1 = S.h_1 - (P.C_11 * R.y_1 + P.C_12 * R.y_2);
    const Real v_2 = S.h_2 - (P.C_12 * R.y_1 + P.C_22 * R.y_2);
    const Real s = (d_1 * v_1 + e_2 * v_2) / (d_1 * d_1 + e_2 * e_2);
    R.slip_1 = -(s * d_1);
    R.slip_2 = -(s * e_2);
    R.multiplier = s * norm;
    return R;
}
