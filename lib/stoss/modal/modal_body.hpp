#pragma once
/// A linear body as a collision sees it: its modes and their values at the contact point.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <span>
#include <vector>

namespace stoss::modal {

struct ModalBasis;

/// The modes of one body, mass-normalised, seen at one contact point
/// (theory/modal_reduction.md 4.8):
///     q_j'' + damping_j q_j' + eigenvalues_j q_j = phi_j P,   u = sum_j phi_j q_j
/// (and `coupled_damping`, if there is any),
/// u the displacement of the contact point along the body's own positive axis and P the force on it
/// along the same axis. The sign of the second body of a pair is set by the collision, not here.
///
/// All arrays have one entry a mode. The first `rigid` entries are the rigid modes; their
/// eigenvalue is exactly 0. A body without modes does not move.
struct ModalBody {
    std::vector<double> eigenvalues;  ///< lambda_j = omega_j^2 [1/s^2]
    std::vector<double> damping;      ///< d_j = 2 zeta_j omega_j [1/s]
    std::vector<double> phi;          ///< mode values at the contact point [1/sqrt(kg)]
    std::size_t rigid = 0;            ///< number of rigid modes
    /// What is added to `damping` and couples the modes [1/s], as sum_k c_k a_k a_k^T of dashpots
    /// with the mode values a_k, or the coupling of a ModalBasis; of the first modes. Empty: none.
    Eigen::MatrixXd coupled_damping = {};
    /// R [m/N]: what the modes that are left out yield per force, as a spring
    /// (theory/modal_reduction.md 4.13).
    double residual_flexibility = 0.0;

    std::size_t modes() const { return phi.size(); }  ///< number of modes, rigid ones included
};

/// One mode replaces all that are left out. It has their flexibility. Its inertia is about theirs
/// if its eigenvalue is so many times that of the highest mode kept
/// (theory/modal_reduction.md 4.14).
inline constexpr double residual_eigenvalue_of_bending = 7.0 / 3.0;
inline constexpr double residual_eigenvalue_of_shear = 3.0;

/// The body of a modal basis, seen at the point whose displacement is `interpolation` . (dofs):
/// phi = Phi^T N (theory/modal_reduction.md 4.8). `interpolation`: one entry a degree of freedom, a
/// pure number for a displacement and a length [m] for a rotation. Precondition: its size is
/// `basis.shapes.rows()`.
ModalBody modal_body(const ModalBasis& basis, const Eigen::SparseVector<double>& interpolation);

/// A rigid body that only translates: one rigid mode, phi = 1/sqrt(mass). `mass` > 0 [kg]; an
/// infinite mass is a body that does not move: no modes.
ModalBody point_mass(double mass);

/// The body with its lowest `modes` modes. If it has a residual flexibility, that of the modes
/// left out is added to it: sum of phi_j^2/lambda_j (theory/modal_reduction.md 4.13).
/// Precondition: body.rigid <= modes <= body.modes().
ModalBody with_lowest_modes(const ModalBody& body, std::size_t modes);

/// Masses in a row that only translate; the first is touched. `stiffnesses` [N/m]: of the spring
/// behind each mass but the last. Beside each spring is a dashpot of `damping_time` [s] times its
/// stiffness, so that the modes stay uncoupled (theory/modal_reduction.md 4.8). One rigid mode.
/// Precondition: masses > 0 and finite [kg], stiffnesses > 0 and one fewer.
ModalBody mass_chain(std::span<const double> masses, std::span<const double> stiffnesses,
                     double damping_time);

}  // namespace stoss::modal
