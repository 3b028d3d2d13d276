#include <stoss/modal/modal_basis.hpp>
#include <stoss/modal/modal_body.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace stoss::modal {

namespace {

std::vector<double> to_vector(const Eigen::VectorXd& values) {
    return {values.begin(), values.end()};
}

}  // namespace

ModalBody modal_body(const ModalBasis& basis, const Eigen::SparseVector<double>& interpolation) {
    return {to_vector(basis.eigenvalues), to_vector(basis.damping),
            to_vector(basis.shapes.transpose() * interpolation),
            static_cast<std::size_t>(basis.rigid)};
}

ModalBody point_mass(double mass) {
    if (std::isinf(mass)) return {};
    return {{0.0}, {0.0}, {1.0 / std::sqrt(mass)}, 1};
}

ModalBody with_lowest_modes(const ModalBody& body, std::size_t modes) {
    ModalBody lower = body;
    lower.eigenvalues.resize(modes);
    lower.damping.resize(modes);
    lower.phi.resize(modes);
    if (body.coupled_damping.size() > 0) {
        // It may be of the first modes only.
        const auto p = std::min(static_cast<Eigen::Index>(modes), body.coupled_damping.rows());
        lower.coupled_damping = body.coupled_damping.topLeftCorner(p, p);
    }
    if (body.residual_flexibility == 0.0) return lower;
    for (std::size_t j = modes; j < body.modes(); ++j)
        lower.residual_flexibility += body.phi[j] * body.phi[j] / body.eigenvalues[j];
    return lower;
}

ModalBody mass_chain(std::span<const double> masses, std::span<const double> stiffnesses,
                     double damping_time) {
    // With y = sqrt(M) u the matrix is symmetric: A = sqrt(M)^-1 K sqrt(M)^-1.
    const auto n = static_cast<Eigen::Index>(masses.size());
    const Eigen::VectorXd root = Eigen::Map<const Eigen::VectorXd>(masses.data(), n).cwiseSqrt();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i + 1 < n; ++i) {
        Eigen::VectorXd stretch = Eigen::VectorXd::Zero(n);
        stretch[i] = 1.0 / root[i];
        stretch[i + 1] = -1.0 / root[i + 1];
        matrix += stiffnesses[static_cast<std::size_t>(i)] * stretch * stretch.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    ModalBody body = point_mass(root.squaredNorm());
    for (Eigen::Index j = 1; j < n; ++j) {  // the first is the rigid mode
        body.eigenvalues.push_back(solver.eigenvalues()[j]);
        body.damping.push_back(damping_time * solver.eigenvalues()[j]);
        body.phi.push_back(solver.eigenvectors()(0, j) / root[0]);
    }
    return body;
}

}  // namespace stoss::modal
