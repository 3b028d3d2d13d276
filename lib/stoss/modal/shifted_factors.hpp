#pragma once
/// Factors of a shifted stiffness matrix, of a beam or of any other structure.

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <optional>

#include <stoss/modal/envelope_factors.hpp>

namespace stoss::modal {

/// L D L^T of K - sigma M: in double-double if the envelope is narrow, as for a beam; else in
/// double, with one step of iterative refinement of every solution, whose residual is accumulated
/// in twice the working precision.
class ShiftedFactors {
  public:
    /// `stiffness` K and `mass` M as of EnvelopeFactors; they must outlive the object. `times`: how
    /// often the matrix will be factored; the fewer, the wider may the envelope be.
    ShiftedFactors(const Eigen::SparseMatrix<double>& stiffness,
                   const Eigen::SparseMatrix<double>& mass, Eigen::Index times);

    /// Factors K - `shift` M [shift in 1/s^2].
    void factorise(double shift);

    /// Number of eigenvalues below the shift (Sylvester's law of inertia).
    Eigen::Index negative_pivots() const;
    bool is_positive_definite() const;
    Eigen::VectorXd solve(const Eigen::Ref<const Eigen::VectorXd>& load) const;

    /// The factors in double-double; null if the envelope is wide.
    EnvelopeFactors* in_double_double() { return envelope_ ? &*envelope_ : nullptr; }

  private:
    const Eigen::SparseMatrix<double>& stiffness_;
    const Eigen::SparseMatrix<double>& mass_;
    double shift_ = 0.0;
    std::optional<EnvelopeFactors> envelope_;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> sparse_;
};

}  // namespace stoss::modal
