#include <stoss/modal/modal_slopes.hpp>

#include <Eigen/SparseLU>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/modal/accurate_product.hpp>
#include <stoss/modal/detail/block_sizes.hpp>

namespace stoss::modal {

namespace {

using Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

/// Eigenvalues closer than this, relative to their size, count as equal.
constexpr double equal = 1e-6;
/// What is left of the stiffness of a rigid mode, relative to the sum without signs, is roundoff.
constexpr double rigid_roundoff = 1e-8;

bool depends(const Sparse& slope) {
    return slope.size() > 0;
}

/// A x, or zeros for a matrix that does not depend on the parameter.
Eigen::MatrixXd product(const Sparse& slope, const Eigen::MatrixXd& x) {
    if (!depends(slope)) return Eigen::MatrixXd::Zero(x.rows(), x.cols());
    return accurate_product(slope, x);
}

void check_size(const Sparse& slope, Index n) {
    if (!depends(slope) || (slope.rows() == n && slope.cols() == n)) return;
    throw core::NumericalError(
        fmt::format("the derivative of a matrix is {} x {}, the shapes have {} freedoms",
                    slope.rows(), slope.cols(), n));
}

void check_distinct(const ModalBasis& basis) {
    for (Index j = basis.rigid + 1; j < basis.modes(); ++j) {
        const double low = basis.eigenvalues[j - 1], high = basis.eigenvalues[j];
        if (high - low > equal * high) continue;
        throw core::NumericalError(fmt::format(
            "modes {} and {} have equal eigenvalues, {:.9g} and {:.9g} 1/s^2: their shapes are not "
            "unique and have no derivative",
            j, j + 1, low, high));
    }
}

/// Rigid modes stay rigid: K,p must not act on them.
void check_rigid(const ModalBasis& basis, const Sparse& slope) {
    if (!depends(slope)) return;
    const Eigen::MatrixXd rigid = basis.shapes.leftCols(basis.rigid);
    const Eigen::MatrixXd force = product(slope, rigid);
    const Eigen::MatrixXd without_signs = slope.cwiseAbs() * rigid.cwiseAbs();
    for (Index j = 0; j < basis.rigid; ++j) {
        const double size = without_signs.col(j).cwiseAbs().maxCoeff();
        if (force.col(j).cwiseAbs().maxCoeff() <= rigid_roundoff * size) continue;
        throw core::NumericalError(
            fmt::format("rigid mode {} of {} has no derivative: the parameter gives it stiffness",
                        j + 1, basis.rigid));
    }
}

/// [K - lambda M, M phi; (M phi)^T, 0] (theory/gradients.md 26.14).
Sparse bordered(const Sparse& shifted, const Eigen::VectorXd& border) {
    const Index n = shifted.rows();
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<std::size_t>(shifted.nonZeros() + 2 * n));
    const auto add = [&](Index row, Index column, double value) {
        entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    };
    for (Index column = 0; column < n; ++column) {
        for (Sparse::InnerIterator entry(shifted, column); entry; ++entry)
            add(entry.row(), column, entry.value());
        add(column, n, border[column]);
        add(n, column, border[column]);
    }
    Sparse matrix(n + 1, n + 1);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

/// The derivatives of one vibration mode after the other.
class Slopes {
  public:
    Slopes(const ModalBasis& basis, const Sparse& mass, const Sparse& stiffness,
           std::span<const MatrixSlopes> parameters)
        : basis_(basis), mass_(mass), stiffness_(stiffness), parameters_(parameters) {}

    std::vector<ModalSlopes> run() {
        const Index n = basis_.shapes.rows(), p = basis_.modes();
        std::vector<ModalSlopes> slopes(
            parameters_.size(),
            {Eigen::VectorXd::Zero(p), Eigen::VectorXd::Zero(p), Eigen::MatrixXd::Zero(n, p)});
        for (std::size_t k = 0; k < slopes.size(); ++k) rigid_modes(parameters_[k], slopes[k]);
        for (Index j = basis_.rigid; j < p; ++j) vibration(j, slopes);
        return slopes;
    }

  private:
    /// Gram-Schmidt in a mass matrix that changes (theory/gradients.md 26.15).
    void rigid_modes(const MatrixSlopes& parameter, ModalSlopes& slopes) const {
        const Eigen::MatrixXd rigid = basis_.shapes.leftCols(basis_.rigid);
        Eigen::MatrixXd change = rigid.transpose() * product(parameter.mass, rigid);
        change.diagonal() *= 0.5;
        slopes.shapes.leftCols(basis_.rigid) =
            -rigid * Eigen::MatrixXd(change.triangularView<Eigen::Upper>());
    }

    void vibration(Index j, std::vector<ModalSlopes>& slopes) const {
        core::throw_if_stopped();
        const Index n = basis_.shapes.rows();
        const Eigen::VectorXd shape = basis_.shapes.col(j);
        const double lambda = basis_.eigenvalues[j];
        // The border is scaled to the size of the other entries, for the pivots.
        const Eigen::VectorXd inertia = mass_ * shape;
        const double size =
            stiffness_.coeffs().cwiseAbs().maxCoeff() / inertia.cwiseAbs().maxCoeff();
        const Sparse matrix = bordered(stiffness_ - lambda * mass_, size * inertia);
        Eigen::SparseLU<Sparse> factors(matrix);
        if (factors.info() != Eigen::Success) {
            throw core::NumericalError(fmt::format(
                "the derivative of mode {} cannot be computed: its matrix is singular", j + 1));
        }
        for (std::size_t k = 0; k < slopes.size(); ++k) {
            const Eigen::VectorXd mass = product(parameters_[k].mass, shape);
            const Eigen::VectorXd force = product(parameters_[k].stiffness, shape) - lambda * mass;
            Eigen::VectorXd load(n + 1);
            load.head(n) = shape.dot(force) * inertia - force;
            load[n] = -0.5 * size * shape.dot(mass);
            slopes[k].eigenvalues[j] = shape.dot(force);
            slopes[k].shapes.col(j) = solve(factors, load, lambda, size * inertia);
        }
    }

    /// The vector x of [K - lambda M, b; b^T, 0] (x, mu) = load, b = `border`. The entries of K -
    /// lambda M are rounded, which changes x of a fine mesh as much as random springs would
    /// (theory/modal_reduction.md 4.5). The residuals take K and M apart.
    Eigen::VectorXd solve(const Eigen::SparseLU<Sparse>& factors, const Eigen::VectorXd& load,
                          double lambda, const Eigen::VectorXd& border) const {
        constexpr int most = 40;
        const Index n = border.size();
        Eigen::VectorXd solution = factors.solve(load);
        double before = solution.norm();
        for (int i = 0; i < most; ++i) {
            const Eigen::VectorXd x = solution.head(n);
            Eigen::VectorXd residual = load;
            residual.head(n) += lambda * accurate_product(mass_, x) -
                                accurate_product(stiffness_, x) - solution[n] * border;
            residual[n] -= border.dot(x);
            const Eigen::VectorXd change = factors.solve(residual);
            solution += change;
            const double now = change.norm();
            const bool contracts = now < 0.5 * before;
            // What is left is about `now` times the contraction.
            if (!contracts ||
                now * now <= std::numeric_limits<double>::epsilon() * before * solution.norm())
                break;
            before = now;
        }
        return solution.head(n);
    }

    const ModalBasis& basis_;
    const Sparse& mass_;
    const Sparse& stiffness_;
    std::span<const MatrixSlopes> parameters_;
};

}  // namespace

std::vector<ModalSlopes> modal_slopes(const ModalBasis& basis, const Sparse& mass,
                                      const Sparse& stiffness, std::span<const Sparse> damping,
                                      std::span<const MatrixSlopes> parameters) {
    const Index n = basis.shapes.rows();
    check_size(mass, n);
    check_size(stiffness, n);
    for (const MatrixSlopes& parameter : parameters) {
        check_size(parameter.mass, n);
        check_size(parameter.stiffness, n);
        check_size(parameter.damping, n);
        check_rigid(basis, parameter.stiffness);
    }
    check_distinct(basis);
    std::vector<ModalSlopes> slopes = Slopes(basis, mass, stiffness, parameters).run();
    for (std::size_t k = 0; k < slopes.size(); ++k) {
        const auto add = [&](const Eigen::MatrixXd& forces, const Eigen::MatrixXd& shapes) {
            slopes[k].damping += shapes.cwiseProduct(forces).colwise().sum().transpose();
        };
        add(product(parameters[k].damping, basis.shapes), basis.shapes);
        for (const Sparse& term : damping)
            add(2.0 * accurate_product(term, basis.shapes), slopes[k].shapes);
    }
    return slopes;
}

}  // namespace stoss::modal
