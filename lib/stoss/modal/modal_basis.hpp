#pragma once
/// The lowest vibration modes of a linear structure, after its rigid modes.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>

namespace stoss::modal {

/// Mass-normalised modes of (K, M), rigid modes first, then by rising eigenvalue
/// (docs/theory/modal_reduction.md).
struct ModalBasis {
    Eigen::VectorXd eigenvalues;  ///< p; lambda_j = omega_j^2 [1/s^2]; exactly 0 for a rigid mode
    Eigen::VectorXd damping;      ///< p; diagonal of Phi^T C Phi [1/s]
    Eigen::MatrixXd shapes;       ///< dofs x p; Phi with Phi^T M Phi = 1
    Eigen::Index rigid = 0;       ///< number of rigid modes
    /// max over i != j of |Phi^T C Phi|_ij / sqrt(d_i d_j) (0: modal damping is exact; 1: the modes
    /// are coupled as strongly as they are damped); 0 without damping
    /// (theory/modal_reduction.md 4.7).
    double damping_coupling = 0.0;
    /// p x p; Phi^T C Phi without its diagonal [1/s]. Roundoff where C is proportional to M and K.
    Eigen::MatrixXd coupling = {};

    Eigen::Index modes() const { return eigenvalues.size(); }  ///< number of modes
};

/// How many modes are wanted, and what the eigensolver must know.
struct ModalOptions {
    Eigen::Index modes = 0;  ///< p, rigid modes included; 1 <= p <= number of freedoms
    /// A number of the size of the lowest vibration eigenvalue, or some hundred times smaller
    /// [1/s^2]; for a beam EI/(mu l^4). The eigensolver shifts by it and measures its convergence
    /// with it.
    double eigenvalue_scale = 0.0;
};

/// The `modes` lowest modes of K phi = lambda M phi.
///
/// `mass` (positive definite), `stiffness` (positive semidefinite) and each term of the `damping`
/// (their sum acts; there may be none) are symmetric, n x
/// n, both triangles stored. `rigid_shapes`: n x r, a basis of the motions without deformation; r
/// may be 0. They become the first modes, mass-orthonormalised in the given order and sense. The
/// sign of a vibration mode makes its first prominent freedom positive: the first i with sqrt(M_ii)
/// |phi_i| at least half of the largest.
///
/// Method (theory/modal_reduction.md 4.1-4.6): Lanczos on the shifted inverse, orthogonal to the
/// rigid shapes, with a count of the modes by the pivots of a second factorisation; for nearly all
/// modes (2 p + 20 > n - r) a dense solution, whose time grows with n^3: 0.03 s for n = 160, 1 s
/// for n = 600, 4 s for n = 1000. Rayleigh quotient iteration in double-double then refines each
/// mode, unless the matrices are those of a solid, for which that would take minutes: no entry of a
/// refined shape is off by more than roundoff of the largest entry. Eigenvalues are Rayleigh
/// quotients of the shapes as returned, accumulated in twice the working precision: the first ten
/// frequencies of a beam of 5,000 elements agree with the characteristic roots to 2e-9, held by
/// elimination or by a penalty.
///
/// In units that are powers of four of others the basis has the same bits.
///
/// Throws core::NumericalError if a matrix or the rigid shapes have another size than said, if a
/// matrix is not finite or not definite as said, if the solver
/// does not converge or misses a mode, if a rigid shape stores energy, if there are more rigid
/// modes than shapes, or modes so slow beside the next that roundoff could make them, or if `modes`
/// is not between 1 and n.
ModalBasis modal_basis(const Eigen::SparseMatrix<double>& mass,
                       const Eigen::SparseMatrix<double>& stiffness,
                       std::span<const Eigen::SparseMatrix<double>> damping,
                       const Eigen::MatrixXd& rigid_shapes, const ModalOptions& options);

}  // namespace stoss::modal
