#include <stoss/modal/shifted_factors.hpp>

#include <algorithm>
#include <cmath>

#include <stoss/modal/accurate_product.hpp>

namespace stoss::modal {

namespace {

using Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

/// Entries in a row of the envelope up to which double-double is affordable: those of any beam, or
/// as many as a few seconds allow.
double most_entries(Index freedoms, Index times) {
    constexpr double of_a_beam = 16.0, products = 3e8;
    const double rows = static_cast<double>(freedoms) * static_cast<double>(times);
    return std::max(of_a_beam, std::sqrt(products / rows));
}

}  // namespace

ShiftedFactors::ShiftedFactors(const Sparse& stiffness, const Sparse& mass, Index times)
    : stiffness_(stiffness),
      mass_(mass),
      envelope_(EnvelopeFactors::of(stiffness, mass, most_entries(stiffness.rows(), times))) {}

void ShiftedFactors::factorise(double shift) {
    shift_ = shift;
    if (envelope_) {
        envelope_->factorise(shift);
    } else {
        sparse_.compute(stiffness_ - shift * mass_);
    }
}

Index ShiftedFactors::negative_pivots() const {
    if (envelope_) return envelope_->negative_pivots();
    return (sparse_.vectorD().array() < 0.0).count();
}

bool ShiftedFactors::is_positive_definite() const {
    if (envelope_) return envelope_->is_positive_definite();
    return sparse_.info() == Eigen::Success && sparse_.vectorD().minCoeff() > 0.0;
}

Eigen::VectorXd ShiftedFactors::solve(const Eigen::Ref<const Eigen::VectorXd>& load) const {
    if (envelope_) return envelope_->solve(load);
    const Eigen::VectorXd first = sparse_.solve(load);
    const Eigen::VectorXd residual =
        load - accurate_product(stiffness_, first) + shift_ * accurate_product(mass_, first);
    return first + sparse_.solve(residual);
}

}  // namespace stoss::modal
