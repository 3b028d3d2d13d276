#pragma once
/// Modes that a damping matrix couples, as blocks that move each on their own.

#include <Eigen/Core>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/core/aligned.hpp>

namespace stoss::modal {

/// What a force at a contact point does to the blocks, and what they do to the point; padded for
/// the kernels (modal_kernels.hpp).
struct BlockShape {
    core::AlignedVector in_q, in_v;    ///< (b_1, b_2): what a unit impulse adds to q and q'
    core::AlignedVector out_q, out_v;  ///< (c_1, c_2): displacement sum_j c_1j q_j + c_2j q_j'
};

/// n modes q'' + C q' + Lambda q = f with a full damping matrix, taken apart into blocks
/// q_j' = v_j + b_1j f, v_j' = -lambda_j q_j - d_j v_j + b_2j f (theory/modal_reduction.md 4.11):
/// each moves as a mode does. A block is a mode that C couples to no other, as it is; a complex
/// pair of eigenvalues; or two real ones.
class CoupledModes {
  public:
    /// `eigenvalues` [1/s^2], n; 0 for rigid modes. `damping`: n x n [1/s], symmetric, positive
    /// semidefinite. Throws core::NumericalError if the motion cannot be taken apart: two pairs of
    /// eigenvalues, and their motions, coincide.
    CoupledModes(std::span<const double> eigenvalues, const Eigen::MatrixXd& damping);

    std::size_t modes() const { return modes_; }
    std::size_t blocks() const { return eigenvalues_.size(); }
    const std::vector<double>& eigenvalues() const { return eigenvalues_; }  ///< lambda_j [1/s^2]
    const std::vector<double>& dampings() const { return dampings_; }        ///< d_j [1/s]

    /// s [1/s] of all motions exp(s t), of a complex pair the one with Im s > 0; by rising |s|.
    const std::vector<std::complex<double>>& exponents() const { return exponents_; }

    /// The blocks as seen from the point with the mode values `phi`, n [1/sqrt(kg)].
    void see(std::span<const double> phi, BlockShape& shape) const;

    /// States of the blocks from those of the modes, and back. Spans of `modes()`, of `blocks()`.
    void to_blocks(std::span<const double> q, std::span<const double> v, std::span<double> block_q,
                   std::span<double> block_v) const;
    void to_modes(std::span<const double> block_q, std::span<const double> block_v,
                  std::span<double> q, std::span<double> v) const;

    /// c with sum_k weight_k q_k' = sum_j c_1j q_j + c_2j v_j. Spans of `modes()`, of `blocks()`.
    void rate_weights(std::span<const double> weight, std::span<double> of_q,
                      std::span<double> of_v) const;

  private:
    std::size_t modes_;
    std::vector<double> eigenvalues_, dampings_;
    std::vector<std::complex<double>> exponents_;
    Eigen::MatrixXd from_modes_;  // 2 blocks x 2 modes: (q, v) of the blocks one after the other
    Eigen::MatrixXd to_modes_;    // 2 modes x 2 blocks
};

}  // namespace stoss::modal
