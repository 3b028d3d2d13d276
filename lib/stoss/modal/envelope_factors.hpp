#pragma once
/// Factors of a shifted stiffness matrix in double-double.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <optional>
#include <vector>

#include <stoss/core/double_double.hpp>

namespace stoss::modal {

/// L D L^T of K - sigma M, in twice the working precision, inside the envelope of the two matrices:
/// from the first entry of each row to its diagonal (George and Liu 1981, chapter 4). The freedoms
/// are numbered by the reverse algorithm of Cuthill and McKee, so that a beam of n freedoms costs
/// O(n). No pivoting: for an indefinite matrix the pivots may grow, by less than the digits that
/// double-double has to spare.
///
/// A factorisation in double loses the low modes of a fine mesh: its errors act like random springs
/// of eps EI/h^3, against a modal stiffness that falls with (h/l)^4
/// (theory/modal_reduction.md 4.5).
class EnvelopeFactors {
  public:
    /// `stiffness` K and `mass` M: symmetric, n x n, both triangles stored. Nothing is factored
    /// yet. nullopt if a mean row of the envelope has more than `most` entries: a factorisation
    /// costs about n/2 times its square.
    static std::optional<EnvelopeFactors> of(const Eigen::SparseMatrix<double>& stiffness,
                                             const Eigen::SparseMatrix<double>& mass, double most);

    /// Factors K - `shift` M [shift in 1/s^2]. A pivot that is exactly 0 is replaced by roundoff.
    void factorise(double shift);

    /// Number of negative pivots: of eigenvalues below the shift (Sylvester's law of inertia).
    Eigen::Index negative_pivots() const;
    /// False also if a pivot is not finite.
    bool is_positive_definite() const;

    /// (K - shift M)^-1 `load`, n, rounded to double.
    Eigen::VectorXd solve(const Eigen::Ref<const Eigen::VectorXd>& load) const;

  private:
    EnvelopeFactors() = default;
    void fill(const Eigen::SparseMatrix<double>& matrix, std::vector<double>& envelope) const;
    /// Position in the envelope of the entry (row, column), column >= first_[row].
    std::size_t at(std::size_t row, std::size_t column) const {
        return diagonal_[row] + column - row;
    }
    void factorise_row(std::size_t row, double shift);

    std::vector<std::size_t> freedom_;   // number in K and M of each row
    std::vector<std::size_t> first_;     // column of the first entry of each row
    std::vector<std::size_t> diagonal_;  // position of the diagonal entry of each row
    std::vector<double> stiffness_, mass_;
    std::vector<core::DoubleDouble> lower_;  // L left of the diagonal
    std::vector<core::DoubleDouble> pivot_, inverse_pivot_;
    std::vector<core::DoubleDouble> scaled_;  // a row of L D, for one step
};

}  // namespace stoss::modal
