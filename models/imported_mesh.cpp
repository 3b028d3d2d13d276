#include <models/imported_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>

#ifdef STOSS_WITH_DEALII
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/grid/tria.h>
#endif

namespace stoss::models {

Eigen::Index SolidMesh::nearest(const Eigen::Vector3d& place) const {
    const auto distance = [&](const Eigen::Vector3d& node) { return (node - place).squaredNorm(); };
    const auto found = std::ranges::min_element(nodes, {}, distance);
    return found - nodes.begin();
}

double SolidMesh::eigenvalue_scale(const Material& material) const {
    Eigen::Vector3d low = nodes.front(), high = nodes.front();
    for (const Eigen::Vector3d& node : nodes) {
        low = low.cwiseMin(node);
        high = high.cwiseMax(node);
    }
    const Eigen::Vector3d size = high - low;
    // (theory/beam.md 1.4) of a free bar with the smallest extent as its height: I/A = h^2/12, beta
    // l = 4.730.
    const double length = size.maxCoeff(), height = size.minCoeff();
    return core::pow(4.730 / length, 4) * material.youngs_modulus / material.density * height *
           height / 12.0;
}

#ifndef STOSS_WITH_DEALII

namespace {

[[noreturn]] void refuse(const std::string& file) {
    throw core::FileError(file +
                          ": this build of Stoss reads no meshes; configure it with "
                          "-DSTOSS_WITH_DEALII=ON (Debian package libdeal.ii-dev)");
}

}  // namespace

LineMesh read_line_mesh(const std::string& file, double) {
    refuse(file);
}
SolidMesh read_solid_mesh(const std::string& file, double, const Material&) {
    refuse(file);
}

#else

namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& words) {
    throw core::FileError(file + ": " + words);
}

/// What GridIn of deal.II 9.4 makes of the four formats.
constexpr const char* formats =
    "lines are read from .msh, .vtk and .ucd, hexahedra from .msh, .inp, .vtk and .ucd, tetrahedra "
    "from .msh and .vtk";

/// The cells of a file, whatever its format.
template <int dim>
void read(const std::string& file, dealii::Triangulation<dim, 3>& cells) {
    std::ifstream stream(file);
    if (!stream) refuse(file, "cannot be read");
    dealii::deal_II_exceptions::suppress_stacktrace_in_exceptions();
    dealii::GridIn<dim, 3> reader;
    reader.attach_triangulation(cells);
    const std::string ending = std::filesystem::path(file).extension().string();
    try {
        if (ending == ".msh") {
            reader.read_msh(stream);
        } else if (ending == ".inp") {
            if constexpr (dim == 1) refuse(file, formats);
            reader.read_abaqus(stream);
        } else if (ending == ".vtk") {
            reader.read_vtk(stream);
        } else if (ending == ".ucd") {
            reader.read_ucd(stream);
        } else {
            refuse(file, "must end in .msh, .inp, .vtk or .ucd");
        }
    } catch (const dealii::ExceptionBase& error) {
        std::ostringstream reason;
        error.print_info(reason);
        refuse(file,
               fmt::format("is no mesh of {} that deal.II can read ({}):\n{}",
                           dim == 1 ? "lines" : "hexahedra or tetrahedra", formats, reason.str()));
    }
    if (cells.n_active_cells() == 0) refuse(file, "holds no cells");
}

Eigen::Vector3d vector_of(const dealii::Point<3>& point) {
    return {point[0], point[1], point[2]};
}

/// Nodes of the line from one end to the other.
LineMesh along_the_line(const std::string& file, const dealii::Triangulation<1, 3>& cells,
                        double unit) {
    struct Segment {
        double from, to;
        int material;
    };
    const Eigen::Vector3d origin = vector_of(cells.begin_active()->vertex(0));
    const Eigen::Vector3d axis = (vector_of(cells.begin_active()->vertex(1)) - origin).normalized();
    std::vector<Segment> segments;
    double largest = 0.0, off = 0.0;
    for (const auto& cell : cells.active_cell_iterators()) {
        double ends[2];
        for (unsigned i = 0; i < 2; ++i) {
            const Eigen::Vector3d away = vector_of(cell->vertex(i)) - origin;
            ends[i] = axis.dot(away);
            largest = std::max(largest, away.norm());
            off = std::max(off, (away - ends[i] * axis).norm());
        }
        segments.push_back({std::min(ends[0], ends[1]), std::max(ends[0], ends[1]),
                            static_cast<int>(cell->material_id())});
    }
    if (off > 1e-9 * largest) refuse(file, "its lines do not lie on one straight line");
    std::ranges::sort(segments, {}, &Segment::from);
    LineMesh mesh;
    mesh.nodes.push_back(unit * (origin + segments.front().from * axis));
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (i > 0 && std::abs(segments[i].from - segments[i - 1].to) > 1e-9 * largest)
            refuse(file, "its lines do not follow one another");
        mesh.nodes.push_back(unit * (origin + segments[i].to * axis));
        mesh.material_ids.push_back(segments[i].material);
    }
    return mesh;
}

/// Translations along and rotations about x, y, z.
Eigen::MatrixXd rigid_shapes_of(const std::vector<Eigen::Vector3d>& nodes) {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& node : nodes) middle += node / static_cast<double>(nodes.size());
    Eigen::MatrixXd shapes(3 * static_cast<Eigen::Index>(nodes.size()), 6);
    for (Eigen::Index k = 0; k < shapes.rows() / 3; ++k) {
        const Eigen::Vector3d arm = nodes[static_cast<std::size_t>(k)] - middle;
        for (int axis = 0; axis < 3; ++axis) {
            const Eigen::Vector3d unit = Eigen::Vector3d::Unit(axis);
            shapes.block<3, 1>(3 * k, axis) = unit;
            shapes.block<3, 1>(3 * k, 3 + axis) = unit.cross(arm);
        }
    }
    return shapes;
}

/// Integrals over a cell of two of its nodes: of N_i N_j, and of the gradients of N_i times N_j.
struct NodeProducts {
    double values = 0.0;
    Eigen::Matrix3d gradients = Eigen::Matrix3d::Zero();
};

NodeProducts products_of(const dealii::FEValues<3>& cell, unsigned i, unsigned j) {
    NodeProducts products;
    for (unsigned q = 0; q < cell.n_quadrature_points; ++q) {
        const double weight = cell.JxW(q);
        products.values += weight * cell.shape_value(i, q) * cell.shape_value(j, q);
        for (unsigned a = 0; a < 3; ++a) {
            for (unsigned b = 0; b < 3; ++b)
                products.gradients(a, b) +=
                    weight * cell.shape_grad(i, q)[a] * cell.shape_grad(j, q)[b];
        }
    }
    return products;
}

/// Adds the block of two nodes whose first freedoms are `row` and `column`.
void add_block(double mass_entry, const Eigen::Matrix3d& stiffness_block, Eigen::Index row,
               Eigen::Index column, std::vector<Eigen::Triplet<double> >& mass,
               std::vector<Eigen::Triplet<double> >& stiffness) {
    for (int a = 0; a < 3; ++a) {
        mass.emplace_back(row + a, column + a, mass_entry);
        for (int b = 0; b < 3; ++b)
            stiffness.emplace_back(row + a, column + b, stiffness_block(a, b));
    }
}

/// Mass and stiffness (theory/finite_elements.md 2.11), freedoms in the order of deal.II's numbers
/// of the nodes.
void assemble(const dealii::DoFHandler<3>& nodes, const dealii::Mapping<3>& mapping,
              const dealii::Quadrature<3>& quadrature, double unit, const Material& material,
              SolidMesh& mesh) {
    const double nu = material.poisson_ratio;
    const double mu = 0.5 * material.youngs_modulus / (1.0 + nu);
    const double lambda = 2.0 * mu * nu / (1.0 - 2.0 * nu);
    dealii::FEValues<3> values(
        mapping, nodes.get_fe(), quadrature,
        dealii::update_values | dealii::update_gradients | dealii::update_JxW_values);
    const unsigned n = nodes.get_fe().n_dofs_per_cell();
    std::vector<dealii::types::global_dof_index> numbers(n);
    std::vector<Eigen::Triplet<double> > mass, stiffness;
    for (const auto& cell : nodes.active_cell_iterators()) {
        values.reinit(cell);
        cell->get_dof_indices(numbers);
        for (unsigned i = 0; i < n; ++i) {
            for (unsigned j = 0; j < n; ++j) {
                const auto [product, gradients] = products_of(values, i, j);
                const Eigen::Matrix3d block =
                    unit * (lambda * gradients + mu * gradients.transpose() +
                            mu * gradients.trace() * Eigen::Matrix3d::Identity());
                add_block(unit * unit * unit * material.density * product, block,
                          3 * static_cast<Eigen::Index>(numbers[i]),
                          3 * static_cast<Eigen::Index>(numbers[j]), mass, stiffness);
            }
        }
    }
    const auto freedoms = 3 * static_cast<Eigen::Index>(nodes.n_dofs());
    mesh.mass.resize(freedoms, freedoms);
    mesh.mass.setFromTriplets(mass.begin(), mass.end());
    mesh.stiffness.resize(freedoms, freedoms);
    mesh.stiffness.setFromTriplets(stiffness.begin(), stiffness.end());
}

}  // namespace

LineMesh read_line_mesh(const std::string& file, double unit) {
    dealii::Triangulation<1, 3> cells;
    read(file, cells);
    return along_the_line(file, cells, unit);
}

SolidMesh read_solid_mesh(const std::string& file, double unit, const Material& material) {
    dealii::Triangulation<3> cells;
    read(file, cells);
    std::unique_ptr<dealii::FiniteElement<3> > element;
    std::unique_ptr<dealii::Mapping<3> > mapping;
    dealii::Quadrature<3> quadrature;
    if (cells.all_reference_cells_are_hyper_cube()) {
        element = std::make_unique<dealii::FE_Q<3> >(2);
        mapping = std::make_unique<dealii::MappingFE<3> >(dealii::FE_Q<3>(1));
        quadrature = dealii::QGauss<3>(3);
    } else if (cells.all_reference_cells_are_simplex()) {
        element = std::make_unique<dealii::FE_SimplexP<3> >(2);
        mapping = std::make_unique<dealii::MappingFE<3> >(dealii::FE_SimplexP<3>(1));
        quadrature = dealii::QGaussSimplex<3>(3);
    } else {
        refuse(file, "must hold hexahedra only or tetrahedra only");
    }
    dealii::DoFHandler<3> nodes(cells);
    nodes.distribute_dofs(*element);
    SolidMesh mesh;
    assemble(nodes, *mapping, quadrature, unit, material, mesh);
    std::map<dealii::types::global_dof_index, dealii::Point<3> > places;
    dealii::DoFTools::map_dofs_to_support_points(*mapping, nodes, places);
    for (const auto& [number, place] : places) mesh.nodes.push_back(unit * vector_of(place));
    mesh.rigid_shapes = rigid_shapes_of(mesh.nodes);
    return mesh;
}

#endif

}  // namespace stoss::models
