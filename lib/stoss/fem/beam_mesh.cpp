#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/hermite.hpp>

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stoss::fem {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// The sum over the mesh of the matrices `element(e)` of its elements.
template <class Element>
Sparse sum_along(const BeamMesh& mesh, Element&& element) {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(16 * static_cast<std::size_t>(mesh.elements()));
    for (int e = 0; e < mesh.elements(); ++e) {
        const Eigen::Matrix4d& matrix = element(e);
        for (int j = 0; j < 4; ++j) {
            for (int i = 0; i < 4; ++i) entries.emplace_back(2 * e + i, 2 * e + j, matrix(i, j));
        }
    }
    Sparse sum(mesh.dofs(), mesh.dofs());
    sum.setFromTriplets(entries.begin(), entries.end());
    return sum;
}

/// The sum of the same element matrix over all elements of the mesh.
Sparse repeat_along(const BeamMesh& mesh, const Eigen::Matrix4d& element) {
    return sum_along(mesh, [&](int) -> const Eigen::Matrix4d& { return element; });
}

/// Integral over the element [0, h] of `density`(s) b b^T with b = `shape`(s, h), s = x/h in [0,
/// 1]. Of degree 8 in s at most (mass of a section whose dimensions change linearly).
template <class Density, class Shape>
Eigen::Matrix4d integral(double h, Density&& density, Shape&& shape) {
    using Gauss = boost::math::quadrature::gauss<double, 6>;
    Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
    for (std::size_t k = 0; k < Gauss::abscissa().size(); ++k) {
        for (const double side : {-1.0, 1.0}) {
            const double s = 0.5 + 0.5 * side * Gauss::abscissa()[k];
            const Eigen::Vector4d b = shape(s, h);
            sum += (0.5 * h * Gauss::weights()[k] * density(s)) * (b * b.transpose());
        }
    }
    return sum;
}

}  // namespace

BeamMesh::BeamMesh(double length, int elements) : length_(length), elements_(elements) {}

std::pair<int, double> BeamMesh::element_at(double x) const {
    const double place = x / length_ * elements_;
    const int element = std::clamp(static_cast<int>(std::floor(place)), 0, elements_ - 1);
    return {element, place - element};
}

Eigen::SparseVector<double> BeamMesh::spread(int element, const Eigen::Vector4d& values) const {
    Eigen::SparseVector<double> all(dofs());
    all.reserve(4);
    for (int k = 0; k < 4; ++k) all.insertBack(2 * element + k) = values[k];
    return all;
}

Eigen::SparseVector<double> BeamMesh::interpolation(double x) const {
    const auto [element, s] = element_at(x);
    return spread(element, hermite_shape(s, element_length()));
}

Eigen::SparseVector<double> BeamMesh::slope(double x) const {
    const auto [element, s] = element_at(x);
    return spread(element, hermite_slope(s, element_length()));
}

Eigen::MatrixXd BeamMesh::rigid_body_shapes() const {
    Eigen::MatrixXd shapes = Eigen::MatrixXd::Zero(dofs(), 2);
    for (int node = 0; node < nodes(); ++node) {
        shapes(2 * node, 0) = 1.0;
        shapes(2 * node, 1) = node_position(node) - 0.5 * length_;
        shapes(2 * node + 1, 1) = 1.0;
    }
    return shapes;
}

BeamMatrices assemble(const BeamMesh& mesh, const BeamProperties& beam) {
    const double h = mesh.element_length();
    return {repeat_along(mesh, hermite_mass(beam.mass_per_length, h)),
            repeat_along(mesh, hermite_stiffness(beam.bending_stiffness, h)),
            {repeat_along(mesh, hermite_damping(beam.external_damping, 0.0, h)),
             repeat_along(mesh, hermite_damping(0.0, beam.internal_damping, h))}};
}

BeamMatrices assemble(const BeamMesh& mesh, const std::function<BeamProperties(double)>& beam) {
    const double h = mesh.element_length();
    const auto sum = [&](double BeamProperties::*density, auto&& shape) {
        return sum_along(mesh, [&](int e) {
            return integral(
                h, [&](double s) { return beam(mesh.node_position(e) + s * h).*density; }, shape);
        });
    };
    return {sum(&BeamProperties::mass_per_length, hermite_shape),
            sum(&BeamProperties::bending_stiffness, hermite_curvature),
            {sum(&BeamProperties::external_damping, hermite_shape),
             sum(&BeamProperties::internal_damping, hermite_curvature)}};
}

void add(BeamMatrices& matrices, std::span<const NodeProperties> nodes) {
    for (const NodeProperties& at : nodes) {
        const int w = 2 * at.node, theta = w + 1;
        matrices.mass.coeffRef(w, w) += at.mass;
        matrices.mass.coeffRef(theta, theta) += at.inertia;
        matrices.stiffness.coeffRef(w, w) += at.translation_stiffness;
        matrices.stiffness.coeffRef(theta, theta) += at.rotation_stiffness;
    }
}

}  // namespace stoss::fem
