#pragma once
/// The element of a Timoshenko beam: cubic deflection w and quadratic rotation theta of the
/// section, each on its own; the shear strain is w' - theta (theory/finite_elements.md 2.10).
///
/// Freedoms of an element, in this order: w [m] and theta [rad] of the left node, three
/// coefficients of the shear strain, w and theta of the right node. Without shear strain it is the
/// Hermite element: nothing locks however slender the beam. h is the length of the element [m], s
/// in [0, 1] the place in it.

#include <Eigen/Core>

namespace stoss::fem {

using Vector7d = Eigen::Matrix<double, 7, 1>;

/// w(s) over the freedoms. Entries of a deflection are pure numbers, the others lengths [m].
Vector7d timoshenko_deflection(double s, double h);

/// theta(s). Entries of a deflection are 1/m, the others pure numbers.
Vector7d timoshenko_rotation(double s, double h);

/// Derivative of theta in x.
Vector7d timoshenko_curvature(double s, double h);

/// Shear strain w' - theta: 1, 1 - 2 s and 1 - 6 s (1 - s) for its three coefficients.
Vector7d timoshenko_shear(double s, double h);

}  // namespace stoss::fem
