#include <models/axial_modes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include <models/beam_matrices.hpp>
#include <models/steep_sections.hpp>
#include <stoss/fem/axial_bar.hpp>

namespace stoss::models {

namespace {

fem::AxialProperties axial_properties(const Beam& beam, double xi) {
    const Material& material = beam.material_at(xi);
    const double area = beam.section.properties(xi).area;
    return {material.youngs_modulus * area, material.density * area, beam.internal_damping * area};
}

fem::BeamMesh mesh_with(const Beam& beam, const Mesh& options, const std::vector<double>& places) {
    std::vector<double> nodes = nodes_in_steep_sections(beam, options.elements);
    for (const auto& point : points_on_nodes(beam)) nodes.push_back(point.second * beam.length);
    for (const double xi : places) nodes.push_back(xi * beam.length);
    return fem::BeamMesh(beam.length, options.elements, fem::BeamTheory::euler_bernoulli,
                         std::move(nodes));
}

int node_at(const fem::BeamMesh& mesh, double xi) {
    return mesh.node_at(xi * mesh.length()).value();
}

bool holds_the_axis(const Support& support) {
    return support.type == SupportType::clamp || support.type == SupportType::pin;
}

fem::SupportedBeam bar_of(const Beam& beam, const fem::BeamMesh& mesh) {
    std::vector<fem::AxialMass> masses;
    for (const PointMass& each : beam.masses) masses.push_back({node_at(mesh, each.xi), each.mass});
    std::vector<int> held;
    for (const Support& each : beam.supports)
        if (holds_the_axis(each)) held.push_back(node_at(mesh, each.xi));
    return fem::axial_bar(
        mesh, [&](double x) { return axial_properties(beam, x / beam.length); }, masses, held);
}

/// Time [s] that an axial wave takes from one end to the other.
double travel_time(const Beam& beam, const fem::BeamMesh& mesh) {
    double time = 0.0;
    for (int e = 0; e < mesh.elements(); ++e) {
        const double middle = mesh.node_position(e) + 0.5 * mesh.element_length(e);
        const Material& material = beam.material_at(middle / beam.length);
        time += mesh.element_length(e) * std::sqrt(material.density / material.youngs_modulus);
    }
    return time;
}

}  // namespace

bool moves_along_its_axis(const Beam& beam) {
    return std::ranges::none_of(beam.supports, holds_the_axis);
}

AxialModes::AxialModes(const Beam& beam, const Mesh& options, std::vector<double> places,
                       double highest)
    : mesh(mesh_with(beam, options, places)) {
    const fem::SupportedBeam bar = bar_of(beam, mesh);
    const double time = travel_time(beam, mesh);
    const auto vibrations = std::max(
        Eigen::Index{1}, static_cast<Eigen::Index>(std::sqrt(highest) * time / std::numbers::pi));
    const Eigen::Index rigid = bar.rigid_shapes.cols();
    const Eigen::Index most = std::max(Eigen::Index{1}, (bar.matrices.mass.rows() - rigid) / 2);
    basis = modal::modal_basis(bar.matrices.mass, bar.matrices.stiffness, bar.matrices.damping,
                               bar.rigid_shapes,
                               {rigid + std::min(vibrations, most), 1.0 / (time * time)});
    basis.shapes = bar.expand(basis.shapes);
    if (!options.residual_flexibility || places.empty()) return;
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<Eigen::Index> loaded;
    for (const double xi : places) loaded.push_back(2 * node_at(mesh, xi));
    const auto size = static_cast<Eigen::Index>(loaded.size());
    const Eigen::MatrixXd deflections = bar.expand(fem::axial_deflections(bar, loaded));
    Eigen::MatrixXd flexibility(size, size), shapes(size, basis.modes());
    for (Eigen::Index i = 0; i < size; ++i) {
        flexibility.row(i) = deflections.row(loaded[static_cast<std::size_t>(i)]);
        shapes.row(i) = basis.shapes.row(loaded[static_cast<std::size_t>(i)]);
    }
    for (Eigen::Index j = rigid; j < basis.modes(); ++j)
        flexibility -= shapes.col(j) * shapes.col(j).transpose() / basis.eigenvalues[j];
    const Eigen::Index last = basis.modes() - 1;
    // The frequency is that of theory/modal_reduction.md 4.14 for lambda_j ~ j^2.
    constexpr double ratio = modal::residual_eigenvalue_of_shear;
    residual = residual_as_modes({std::move(places), flexibility, {}, {}},
                                 {ratio * basis.eigenvalues[last], ratio * basis.damping[last]});
}

Eigen::VectorXd AxialModes::shapes_at(double xi) const {
    return basis.shapes.transpose() * fem::axial_interpolation(mesh, xi * mesh.length());
}

}  // namespace stoss::models
