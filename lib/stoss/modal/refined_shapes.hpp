#pragma once
/// Eigenvectors to the last digits of a double, from approximations.

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <stoss/modal/envelope_factors.hpp>

namespace stoss::modal {

/// Refines each column of `shapes`, n x p, by rising eigenvalue, to a mass-normalised solution of
/// K phi = lambda M phi, in place.
///
/// `stiffness` K and `mass` M: symmetric, n x n, both triangles stored. `factors`: of these two
/// matrices; any shift. A column may be off by its third digit. Method: Rayleigh quotient iteration
/// (Parlett 1998, section 4.6), the systems solved in double-double and the quotients accumulated
/// without loss; for equal eigenvalues inverse iteration of all their shapes with one shift.
/// Columns of different eigenvalues come out mass-orthogonal to roundoff.
///
/// Throws core::NumericalError if a column does not converge.
void refine_shapes(const Eigen::SparseMatrix<double>& stiffness,
                   const Eigen::SparseMatrix<double>& mass, EnvelopeFactors& factors,
                   Eigen::MatrixXd& shapes);

}  // namespace stoss::modal
