#include <solvers/mesh_modes.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <models/beam_collision.hpp>
#include <models/imported_mesh.hpp>
#include <solvers/beam_binding.hpp>
#include <solvers/beam_case.hpp>
#include <solvers/case_header.hpp>
#include <solvers/modal_file.hpp>
#include <stoss/core/units.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/modal/modal_basis.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

std::string file_of(const io::Document& document, const MeshModes& modes) {
    return (std::filesystem::path(document.file).parent_path() / modes.file).string();
}

void check_points(const MeshModes& modes, Violations& violations) {
    const bool is_solid = std::holds_alternative<SolidBody>(modes.body);
    std::set<std::string> names(own_mode_columns().begin(), own_mode_columns().end());
    for (std::size_t i = 0; i < modes.points.size(); ++i) {
        const MeshPoint& point = modes.points[i];
        const std::string key = fmt::format("points[{}]", i);
        if (point.name.empty() || !names.insert(point.name).second) {
            violations.push_back({key + ".name", point.name,
                                  "must be a name of its own, and none of the columns that every "
                                  "table of modes has",
                                  ""});
        }
        if (point.place.size() != 3)
            violations.push_back({key + ".place", "", "must have three coordinates", ""});
        const auto is_zero = [](double x) { return x == 0.0; };
        const bool points_nowhere =
            point.direction.size() != 3 || std::ranges::all_of(point.direction, is_zero);
        if (is_solid && points_nowhere) {
            violations.push_back({key + ".direction", "",
                                  "must be a vector of three components, not all of them zero",
                                  "the normal of the surface, such as [0, 1, 0]"});
        }
        if (!is_solid && !point.direction.empty()) {
            violations.push_back(
                {key + ".direction", "", "a beam moves along w only", "leave it out"});
        }
    }
}

auto read_case(const io::Document& document) {
    auto all = io::read<CaseHeader, MeshModes, CaseExpectations>(document);
    const MeshModes& modes = std::get<1>(all);
    Violations violations;
    check_points(modes, violations);
    const int rigid = std::holds_alternative<SolidBody>(modes.body) ? 6 : 2;
    if (modes.modes < rigid) {
        violations.push_back({"modes", std::to_string(modes.modes),
                              fmt::format("must be >= {}: so many are rigid", rigid), ""});
    }
    if (!std::filesystem::exists(file_of(document, modes))) {
        violations.push_back(
            {"file", modes.file, "there is no such file", "the path is relative to the case"});
    }
    refuse(document, violations);
    return all;
}

io::Choice describe() {
    return io::describe_choice<MeshModes>();
}
void check(const io::Document& document) {
    read_case(document);
}
io::Node resolve(const io::Document& document) {
    const auto [header, modes, expectations] = read_case(document);
    return io::to_node(header, modes, expectations);
}

Eigen::Vector3d vector_of(const std::vector<double>& numbers) {
    return {numbers[0], numbers[1], numbers[2]};
}

/// Shapes at the points: what stands in the table.
NamedModes named(const modal::ModalBasis& basis, const std::vector<MeshPoint>& points) {
    NamedModes modes;
    modes.eigenvalues.assign(basis.eigenvalues.begin(), basis.eigenvalues.end());
    modes.damping.assign(basis.damping.begin(), basis.damping.end());
    modes.rigid = static_cast<std::size_t>(basis.rigid);
    modes.shapes.resize(static_cast<Eigen::Index>(points.size()), basis.modes());
    for (const MeshPoint& point : points) modes.points.push_back(point.name);
    return modes;
}

/// The beam that lines with these sections are: a step where the material id changes.
models::Beam beam_of(const MeshModes& modes, const LineBody& body, const models::LineMesh& mesh,
                     const io::Document& document) {
    models::Beam beam;
    beam.length = (mesh.nodes.back() - mesh.nodes.front()).norm();
    beam.material = modes.material;
    beam.theory = body.theory;
    models::Profile profile;
    for (std::size_t i = 0; i < mesh.material_ids.size(); ++i) {
        const int id = mesh.material_ids[i];
        if (i > 0 && id == mesh.material_ids[i - 1]) continue;
        const auto section = std::ranges::find(body.sections, id, &LineSection::material_id);
        if (section == body.sections.end()) {
            refuse(document, {{"body.sections", "",
                               fmt::format("has none for the material id {} of the mesh", id),
                               fmt::format("add {{material_id: {}, shape: ...}}", id)}});
        }
        const double xi = (mesh.nodes[i] - mesh.nodes.front()).norm() / beam.length;
        if (i > 0) profile.stations.push_back({xi, profile.stations.back().shape});
        profile.stations.push_back({xi, section->shape});
    }
    const auto& last = profile.stations.back();
    if (profile.stations.size() == 1) {
        std::visit([&](const auto& shape) { beam.section.shape = shape; }, last.shape);
    } else {
        profile.stations.push_back({1.0, last.shape});
        beam.section.shape = profile;
    }
    return beam;
}

NamedModes line_modes(const MeshModes& modes, const LineBody& body, const io::Document& document) {
    const models::LineMesh lines = models::read_line_mesh(file_of(document, modes), modes.unit);
    const models::Beam beam = beam_of(modes, body, lines, document);
    models::Mesh options;
    options.elements = static_cast<int>(lines.material_ids.size());
    options.modes = modes.modes;
    refuse(document, models::check(beam, options));
    const fem::BeamMesh mesh = models::mesh_of(beam, options);
    const fem::SupportedBeam supported = models::supported_beam(beam, options);
    const modal::ModalBasis basis = models::modes_of(supported, beam, modes.modes);
    const Eigen::MatrixXd shapes = supported.expand(basis.shapes);
    NamedModes table = named(basis, modes.points);
    const Eigen::Vector3d axis = (lines.nodes.back() - lines.nodes.front()).normalized();
    for (std::size_t i = 0; i < modes.points.size(); ++i) {
        const double x = axis.dot(vector_of(modes.points[i].place) - lines.nodes.front());
        const auto there = mesh.interpolation(std::clamp(x, 0.0, beam.length));
        table.shapes.row(static_cast<Eigen::Index>(i)) = (shapes.transpose() * there).transpose();
    }
    return table;
}

NamedModes solid_modes(const MeshModes& modes, const io::Document& document) {
    constexpr double near = 1e-6;  // of the length of the body
    const models::SolidMesh mesh =
        models::read_solid_mesh(file_of(document, modes), modes.unit, modes.material);
    std::vector<Eigen::Index> nodes;
    Violations violations;
    const double size = (mesh.nodes.front() - mesh.nodes.back()).norm();
    for (std::size_t i = 0; i < modes.points.size(); ++i) {
        const Eigen::Vector3d place = vector_of(modes.points[i].place);
        nodes.push_back(mesh.nearest(place));
        const Eigen::Vector3d& node = mesh.nodes[static_cast<std::size_t>(nodes.back())];
        if ((node - place).norm() <= near * size) continue;
        violations.push_back({fmt::format("points[{}].place", i), modes.points[i].name,
                              "there is no node",
                              fmt::format("the nearest one is at [{:.9g}, {:.9g}, {:.9g}] m",
                                          node.x(), node.y(), node.z())});
    }
    refuse(document, violations);
    const modal::ModalBasis basis =
        modal::modal_basis(mesh.mass, mesh.stiffness, {}, mesh.rigid_shapes,
                           {modes.modes, mesh.eigenvalue_scale(modes.material)});
    NamedModes table = named(basis, modes.points);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Eigen::Vector3d normal = vector_of(modes.points[i].direction).normalized();
        table.shapes.row(static_cast<Eigen::Index>(i)) =
            normal.transpose() * basis.shapes.middleRows(3 * nodes[i], 3);
    }
    return table;
}

Outcome solve(const io::Document& document, const RunOptions&) {
    const auto [header, modes, expectations] = read_case(document);
    const auto* const line = std::get_if<LineBody>(&modes.body);
    const NamedModes table =
        line ? line_modes(modes, *line, document) : solid_modes(modes, document);
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    outcome.summary = io::Value::object();
    outcome.summary.set("status", "complete");
    outcome.summary.set("modes", table.eigenvalues.size());
    outcome.summary.set("rigid_modes", table.rigid);
    outcome.headlines = {"modes", "rigid_modes"};
    outcome.tables.emplace_back("basis.csv", mode_table(table));
    outcome.printed_table = "basis.csv";
    outcome.curves = {"basis.csv", "mode", std::vector<std::string>(table.eigenvalues.size())};
    return outcome;
}

}  // namespace

const Problem mesh_modes_problem{
    MeshModes::name, MeshModes::meaning, describe, check, resolve, solve};

}  // namespace stoss::solvers
