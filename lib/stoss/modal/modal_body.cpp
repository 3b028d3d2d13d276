#include <stoss/modal/modal_basis.hpp>
#include <stoss/modal/modal_body.hpp>

#include <Eigen/SVD>
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
    // With y = sqrt(M) u the matrix is sqrt(M)^-1 K sqrt(M)^-1 = B^T B, a row of B a spring. The
    // singular values of B are accurate also where one spring is much stiffer than another.
    const auto n = static_cast<Eigen::Index>(masses.size());
    const Eigen::VectorXd root = Eigen::Map<const Eigen::VectorXd>(masses.data(), n).cwiseSqrt();
    ModalBody body = point_mass(root.squaredNorm());
    if (n == 1) return body;
    Eigen::MatrixXd stretches = Eigen::MatrixXd::Zero(n, n - 1);  // B^T
    for (Eigen::Index i = 0; i + 1 < n; ++i) {
        const double spring = std::sqrt(stiffnesses[static_cast<std::size_t>(i)]);
        stretches(i, i) = spring / root[i];
        stretches(i + 1, i) = -spring / root[i + 1];
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> solver(stretches, Eigen::ComputeThinU);
    for (Eigen::Index j = n - 2; j >= 0; --j) {  // the largest comes first
        const double eigenvalue = solver.singularValues()[j] * solver.singularValues()[j];
        body.eigenvalues.push_back(eigenvalue);
        body.damping.push_back(damping_time * eigenvalue);
        body.phi.push_back(solver.matrixU()(0, j) / root[0]);
    }
    return body;
}

}  // namespace stoss::modal
