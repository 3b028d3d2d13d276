#pragma once
/// Published approximations of the restitution of a viscoelastic bead
/// (docs/theory/loaded_impact.md), beside the exact `restitution`. All are without dimensions: u''
/// + gamma d/dt u^beta + u^alpha = g, u(0) = 0, u'(0) = 1, contact ends at u = 0; alpha, beta >= 1,
/// gamma >= 0, 0 <= g <= 1e100.
///
/// Chatterjee, James and Brogliato (2022) unless another source is named; (b-..) are its equations.
/// Errors are absolute errors of e for alpha = 3/2, measured against `restitution`.

namespace stoss::impact {

/// C_0, C_1, C_2 of e = 1 - gamma C_0 - gamma g C_1 - gamma^2 C_2 (b-20), (b-45).
struct BeadTaylor {
    double c0, c1, c2;
};
BeadTaylor bead_taylor(double alpha, double beta);

/// Expansion at gamma = g = 0 to second order (b-46). Good to 2e-5 (beta = 3/2) for gamma < 0.02
/// and g < 1e-3; useless for large loads.
double taylor_cor(double gamma, double g, double alpha, double beta);

/// I_0 and Q_0 (b-39), (b-40): what e needs to second order in gamma under any load.
struct BeadIntegrals {
    double i0, q0;
};

/// The integrals by quadrature; relative error below 1e-12.
BeadIntegrals bead_integrals(double g, double alpha, double beta);

/// The integrals by Beta functions and interpolation at the Chebyshev points of odd degree n (b-49)
/// to (b-57), Proposition 3. Exact at g = 0 but for roundoff, which grows with n: to 1e-7 at
/// n = 21; at n = 41 no digit is left. At n = 21 the error of Q_0 is up to 0.8 % (beta = 1),
/// 0.04 % (3/2).
/// Errors: throws std::invalid_argument if n is not odd and positive.
BeadIntegrals bead_integrals_by_beta_functions(double g, double alpha, double beta, int n = 21);

/// e^2 = 1 - 2 beta I_0 gamma (b-10); 0 where that is negative.
double first_order_cor(double gamma, double beta, const BeadIntegrals& integrals);

/// min(e_+, e_s) (b-36), Proposition 1. Use it where it falls with gamma. Largest errors are in
/// docs/calibration.md: 1.4e-5 for gamma < 0.02 without load and beta = 3/2, but 0.2 near the
/// critical damping at g = 1.
double second_order_cor(double gamma, double beta, const BeadIntegrals& integrals);

/// C and p of e^2 = 1 - 2 gamma C g^p for large loads (b-21).
struct LargeLoad {
    double c, p;
};
LargeLoad large_load(double alpha, double beta);
double large_load_cor(double gamma, double g, double alpha, double beta);

/// Load at which the bead sticks by (b-22): too large, by 2 % at gamma = 0.01 and beta = 3/2, by a
/// fifth at 0.1, by a factor of 5 at 1.
double large_load_critical_load(double gamma, double alpha, double beta);
/// Damping at which the bead sticks by (b-22); infinite without load.
double large_load_critical_damping(double g, double alpha, double beta);

}  // namespace stoss::impact
