#pragma once
/// The lowest vibration modes of a linear structure, after its rigid modes.

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace stoss::modal {

/// Mass-normalised modes of (K, M), rigid modes first, then by rising eigenvalue
/// (theory.md 4.1-4.5).
struct ModalBasis {
    Eigen::VectorXd eigenvalues;  ///< p; lambda_j = omega_j^2 [1/s^2]; exactly 0 for a rigid mode
    Eigen::VectorXd damping;      ///< p; diagonal of Phi^T C Phi [1/s]
    Eigen::MatrixXd shapes;       ///< dofs x p; Phi with Phi^T M Phi = 1
    Eigen::Index rigid = 0;       ///< number of rigid modes
    /// max over i != j of |Phi^T C Phi|_ij / sqrt(d_i d_j) (0: modal damping is exact; 1: the modes
    /// are coupled as strongly as they are damped); 0 without damping. Theory.md 4.5.
    double damping_coupling = 0.0;

    Eigen::Index modes() const { return eigenvalues.size(); }
};

}  // namespace stoss::modal
