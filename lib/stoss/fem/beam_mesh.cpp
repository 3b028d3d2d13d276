#include <stoss/fem/beam_mesh.hpp>
#include <stoss/fem/hermite.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stoss::fem {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// The sum of the same element matrix over all elements of the mesh.
Sparse repeat_along(const BeamMesh& mesh, const Eigen::Matrix4d& element) {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(16 * static_cast<std::size_t>(mesh.elements()));
    for (int e = 0; e < mesh.elements(); ++e) {
        for (int j = 0; j < 4; ++j) {
            for (int i = 0; i < 4; ++i) entries.emplace_back(2 * e + i, 2 * e + j, element(i, j));
        }
    }
    Sparse sum(mesh.dofs(), mesh.dofs());
    sum.setFromTriplets(entries.begin(), entries.end());
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

}  // namespace stoss::fem
