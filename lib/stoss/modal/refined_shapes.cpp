#include <stoss/modal/refined_shapes.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/modal/accurate_product.hpp>
#include <stoss/modal/detail/block_sizes.hpp>

namespace stoss::modal {

namespace {

using Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

/// Eigenvalues closer than this, relative to their size: their shapes may be mixed at first.
constexpr double close = 1e-4;
/// Closer eigenvalues cannot be separated by a shift: their shapes are computed together.
constexpr double equal = 1e-8;
/// Of the common shift from equal eigenvalues, relative to their size.
constexpr double distance = 1e-6;

/// A step that changes a shape by less, in the norm of M, was the last one: convergence is cubic.
constexpr double last_change = 1e-7;
constexpr int most_steps = 10;

class Refinement {
  public:
    Refinement(const Sparse& stiffness, const Sparse& mass, EnvelopeFactors& factors,
               Eigen::MatrixXd& shapes)
        : stiffness_(stiffness), mass_(mass), factors_(factors), shapes_(shapes) {}

    void run() {
        for (Index j = 0; j < shapes_.cols(); ++j) normalise(j);
        quotients_ = shapes_.cwiseProduct(accurate_product(stiffness_, shapes_)).colwise().sum();
        for_each_group(close, [&](Index first, Index count) {
            if (count > 1) separate(first, count);
        });
        for_each_group(equal, [&](Index first, Index count) {
            if (count > 1) {
                refine_together(first, count);
            } else {
                refine(first);
            }
        });
    }

  private:
    /// Calls visit(first, count) for each run of eigenvalues that are no further apart than
    /// `relative`, neighbour by neighbour.
    template <class Visit>
    void for_each_group(double relative, Visit&& visit) {
        const Index n = shapes_.cols();
        for (Index first = 0, end = 1; first < n; first = end++) {
            while (end < n && std::abs(quotients_[end] - quotients_[end - 1]) <=
                                  relative * std::abs(quotients_[end]))
                ++end;
            visit(first, end - first);
        }
    }

    void normalise(Index j) {
        shapes_.col(j) /= std::sqrt(shapes_.col(j).dot(mass_ * shapes_.col(j)));
    }

    double quotient(Index j) const {
        return shapes_.col(j).dot(accurate_product(stiffness_, shapes_.col(j)).col(0));
    }

    /// Rayleigh-Ritz: the combinations of some columns that diagonalise both matrices.
    void separate(Index first, Index count) {
        auto columns = shapes_.middleCols(first, count);
        const Eigen::MatrixXd stiffness =
            columns.transpose() * accurate_product(stiffness_, columns);
        const Eigen::MatrixXd mass = columns.transpose() * (mass_ * columns);
        const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(stiffness, mass);
        if (solver.info() != Eigen::Success) {
            throw core::NumericalError("the eigensolver gave modes that are not independent");
        }
        columns = (columns * solver.eigenvectors()).eval();
        quotients_.segment(first, count) = solver.eigenvalues();
    }

    void refine(Index j) {
        for (int step = 0; step < most_steps; ++step) {
            core::throw_if_stopped();
            factors_.factorise(quotients_[j]);
            const Eigen::VectorXd before = shapes_.col(j), load = mass_ * before;
            shapes_.col(j) = factors_.solve(load);
            if (shapes_.col(j).dot(load) < 0.0) shapes_.col(j) = -shapes_.col(j);
            normalise(j);
            const Eigen::VectorXd change = shapes_.col(j) - before;
            if (change.dot(mass_ * change) < last_change * last_change) return;
            quotients_[j] = quotient(j);
        }
        refuse(j);
    }

    void refine_together(Index first, Index count) {
        auto columns = shapes_.middleCols(first, count);
        factors_.factorise(quotients_.segment(first, count).mean() * (1.0 + distance));
        for (int step = 0; step < most_steps; ++step) {
            core::throw_if_stopped();
            const Eigen::MatrixXd before = columns, load = mass_ * before;
            for (Index j = 0; j < count; ++j) {
                columns.col(j) = factors_.solve(load.col(j));
                normalise(first + j);
            }
            separate(first, count);
            const Eigen::MatrixXd change = columns - before * (load.transpose() * columns);
            const double size = change.cwiseProduct(mass_ * change).sum();
            if (size < last_change * last_change) return;
        }
        refuse(first);
    }

    [[noreturn]] void refuse(Index j) const {
        throw core::NumericalError(fmt::format(
            "vibration mode {} does not converge in {} steps (Rayleigh quotient iteration)", j + 1,
            most_steps));
    }

    const Sparse& stiffness_;
    const Sparse& mass_;
    EnvelopeFactors& factors_;
    Eigen::MatrixXd& shapes_;
    Eigen::VectorXd quotients_;  // [1/s^2]
};

}  // namespace

void refine_shapes(const Sparse& stiffness, const Sparse& mass, EnvelopeFactors& factors,
                   Eigen::MatrixXd& shapes) {
    Refinement(stiffness, mass, factors, shapes).run();
}

}  // namespace stoss::modal
