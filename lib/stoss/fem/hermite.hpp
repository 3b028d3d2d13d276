#pragma once
/// The Hermite element of an Euler-Bernoulli beam: cubic deflection between two nodes.
///
/// Freedoms of an element, in this order: deflection w [m] and rotation theta = dw/dx [rad] of the
/// left node, then of the right node. h is the length of the element [m], s in [0, 1] the place in
/// it. Source: docs/theory/finite_elements.md; Przemieniecki (1968), Theory of Matrix Structural
/// Analysis, 5 and 11.

#include <Eigen/Core>

namespace stoss::fem {

/// Shape functions N(s) (theory/finite_elements.md 2.2): w(s) = N . (w_0, theta_0, w_1, theta_1).
/// Entries of a deflection are pure numbers, entries of a rotation are lengths [m].
Eigen::Vector4d hermite_shape(double s, double h);

/// First derivative of the shape functions in x: dw/dx = N' . (w_0, theta_0, w_1, theta_1).
Eigen::Vector4d hermite_slope(double s, double h);

/// Second derivative of the shape functions in x: w'' = N'' . (w_0, theta_0, w_1, theta_1).
Eigen::Vector4d hermite_curvature(double s, double h);

/// `density` times the integral of N N^T over the element (theory/finite_elements.md 2.4). With the
/// mass per length [kg/m] it is the consistent mass matrix.
Eigen::Matrix4d hermite_mass(double density, double h);

/// `stiffness` times the integral of N'' N''^T over the element (theory/finite_elements.md 2.5).
/// With the bending stiffness EI [N m^2] it is the stiffness matrix.
Eigen::Matrix4d hermite_stiffness(double stiffness, double h);

}  // namespace stoss::fem
