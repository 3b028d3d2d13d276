#include <stoss/modal/modal_basis.hpp>
#include <stoss/modal/modal_body.hpp>

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

}  // namespace stoss::modal
