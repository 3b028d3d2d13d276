#pragma once
/// Derivatives of modes by what the matrices of a structure depend on.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include <stoss/modal/modal_basis.hpp>

namespace stoss::modal {

/// Derivatives of the matrices of a structure by one parameter p; both triangles stored. A matrix
/// of size 0 x 0 does not depend on p.
struct MatrixSlopes {
    Eigen::SparseMatrix<double> mass;       ///< of M, dofs x dofs
    Eigen::SparseMatrix<double> stiffness;  ///< of K, dofs x dofs
    Eigen::SparseMatrix<double> damping;    ///< of C, dofs x dofs
};

/// Derivatives of a ModalBasis by one parameter, each in the order and per unit of ModalBasis.
struct ModalSlopes {
    Eigen::VectorXd eigenvalues;  ///< one a mode; of rigid modes: 0
    Eigen::VectorXd damping;      ///< one a mode
    Eigen::MatrixXd shapes;       ///< dofs x modes
};

/// The derivatives of `basis` by each parameter, in the order of `parameters`
/// (theory/gradients.md 26.13 to 26.15).
///
/// `basis`: the modes of (`stiffness`, `mass`); the sum of the terms of `damping` acts. The
/// parameters do not change the rigid shapes that the basis was made of.
///
/// Method: Nelson (1976), Simplified calculation of eigenvector derivatives, with the mode itself
/// as a border of the matrix in place of a row that is left out. One factorisation a mode serves
/// all parameters.
///
/// Throws core::NumericalError if the eigenvalues of two vibration modes of the basis agree to a
/// relative 1e-6: the shapes of equal eigenvalues have no derivative by one parameter alone. Also
/// if a parameter gives a rigid mode stiffness, or if a matrix has another size.
std::vector<ModalSlopes> modal_slopes(const ModalBasis& basis,
                                      const Eigen::SparseMatrix<double>& mass,
                                      const Eigen::SparseMatrix<double>& stiffness,
                                      std::span<const Eigen::SparseMatrix<double>> damping,
                                      std::span<const MatrixSlopes> parameters);

}  // namespace stoss::modal
