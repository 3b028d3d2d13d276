#include <solvers/problems/modal/mesh_modes.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <models/beam_body.hpp>
#include <models/beam_collision.hpp>
#include <models/imported_mesh.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/modal/modal_figures.hpp>
#include <solvers/problems/modal/modal_file.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/modal/modal_basis.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

void check_points(const MeshModes& modes, Violations& violations) {
    if (modes.points.empty())
        violations.push_back({"points", "", "must have at least one point", ""});
    const bool is_solid = std::holds_alternative<SolidBody>(modes.body);
    std::set<std::string> names(own_mode_columns().begin(), own_mode_columns().end());
    for (std::size_t i = 0; i < modes.points.size(); ++i) {
        const MeshPoint& point = modes.points[i];
        const std::string key = fmt::format("points[{}]", i);
        if (point.name.empty() || !names.insert(point.name).second) {
            violations.push_back(
                {key + ".name", point.name,
                 "must be unique, and must not be a column that every table of modes has", ""});
        }
        if (point.place.size() != 3)
            violations.push_back({key + ".place", "", "must have three coordinates", ""});
        const auto is_zero = [](double x) { return x == 0.0; };
        const bool points_nowhere =
            point.direction.size() != 3 || std::ranges::all_of(point.direction, is_zero);
        if (is_solid && points_nowhere) {
            violations.push_back({key + ".direction", "",
                                  "must be a vector of three components, not all of them zero",
                                  "give the normal of the surface, such as [0, 1, 0]"});
        }
        if (!is_solid && !point.direction.empty()) {
            violations.push_back({key + ".direction", "",
                                  "is not needed: a beam moves along w only", "leave it out"});
        }
    }
}

using Case = std::tuple<CaseHeader, MeshModes, CaseExpectations, io::Document>;

Case read_case(const io::Document& document) {
    const auto [header, modes, expectations] =
        io::read<CaseHeader, MeshModes, CaseExpectations>(document);
    Violations violations;
    check_points(modes, violations);
    const int rigid = std::holds_alternative<SolidBody>(modes.body) ? 6 : 2;
    if (modes.modes < rigid) {
        violations.push_back({"modes", std::to_string(modes.modes),
                              fmt::format("must be >= {}, the number of rigid modes", rigid), ""});
    }
    core::append(check_file(document, "file", modes.file), violations);
    refuse(document, violations);
    return {header, modes, expectations, document};
}

io::Choice describe() {
    return io::describe_choice<MeshModes>();
}
io::Node resolve(const Case& given) {
    const auto& [header, modes, expectations, document] = given;
    return io::to_node(header, modes, expectations);
}

Eigen::Vector3d vector_of(const std::vector<double>& numbers) {
    return {numbers[0], numbers[1], numbers[2]};
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
                               fmt::format("has no section for the material id {} of the mesh", id),
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

constexpr double near = 1e-6;  // of the length of a body

std::string words_of(const Eigen::Vector3d& place) {
    return fmt::format("[{:.9g}, {:.9g}, {:.9g}] m", place.x(), place.y(), place.z());
}

/// Positions xi of the points along a line. Errors: core::InputError for those beyond its ends.
std::vector<double> positions_of(const MeshModes& modes, const models::LineMesh& lines,
                                 const io::Document& document) {
    const Eigen::Vector3d whole = lines.nodes.back() - lines.nodes.front();
    const Eigen::Vector3d axis = whole.normalized();
    std::vector<double> positions;
    Violations violations;
    for (std::size_t i = 0; i < modes.points.size(); ++i) {
        const Eigen::Vector3d from_start = vector_of(modes.points[i].place) - lines.nodes.front();
        const double xi = axis.dot(from_start) / whole.norm();
        positions.push_back(std::clamp(xi, 0.0, 1.0));
        if (std::abs(xi - positions.back()) <= near) continue;
        violations.push_back(
            {fmt::format("points[{}].place", i), modes.points[i].name,
             fmt::format("is beyond the ends of the beam, at xi = {:.6g}", xi),
             fmt::format("the beam goes from {} to {}", words_of(lines.nodes.front()),
                         words_of(lines.nodes.back()))});
    }
    refuse(document, violations);
    return positions;
}

NamedModes line_modes(const MeshModes& modes, const LineBody& body, const io::Document& document) {
    const models::LineMesh lines =
        models::read_line_mesh(path_in_case(document, modes.file), modes.unit);
    const models::Beam beam = beam_of(modes, body, lines, document);
    models::Mesh options;
    options.elements = static_cast<int>(lines.material_ids.size());
    options.modes = modes.modes;
    options.residual_flexibility = true;
    refuse(document, models::check(beam, options));
    const models::BeamBody body_of_beam(beam, options);
    const std::vector<double> positions = positions_of(modes, lines, document);
    NamedModes table;
    for (std::size_t i = 0; i < positions.size(); ++i)
        table.add(modes.points[i].name, body_of_beam.at(positions[i]));
    return table;
}

NamedModes solid_modes(const MeshModes& modes, const io::Document& document) {
    const models::SolidMesh mesh =
        models::read_solid_mesh(path_in_case(document, modes.file), modes.unit, modes.material);
    std::vector<Eigen::Index> nodes;
    Violations violations;
    const double size = (mesh.nodes.front() - mesh.nodes.back()).norm();
    for (std::size_t i = 0; i < modes.points.size(); ++i) {
        const Eigen::Vector3d place = vector_of(modes.points[i].place);
        nodes.push_back(mesh.nearest(place));
        const Eigen::Vector3d& node = mesh.nodes[static_cast<std::size_t>(nodes.back())];
        if ((node - place).norm() <= near * size) continue;
        violations.push_back({fmt::format("points[{}].place", i), modes.points[i].name,
                              "is not a node of the mesh",
                              "the nearest one is at " + words_of(node)});
    }
    refuse(document, violations);
    const modal::ModalBasis basis =
        modal::modal_basis(mesh.mass, mesh.stiffness, {}, mesh.rigid_shapes,
                           {modes.modes, mesh.eigenvalue_scale(modes.material)});
    NamedModes table;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Eigen::Vector3d normal = vector_of(modes.points[i].direction).normalized();
        const Eigen::VectorXd phi = basis.shapes.middleRows(3 * nodes[i], 3).transpose() * normal;
        table.add(modes.points[i].name, {{basis.eigenvalues.begin(), basis.eigenvalues.end()},
                                         {basis.damping.begin(), basis.damping.end()},
                                         {phi.begin(), phi.end()},
                                         static_cast<std::size_t>(basis.rigid)});
    }
    return table;
}

Outcome solve(const Case& given, const RunOptions&) {
    const auto& [header, modes, expectations, document] = given;
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
    outcome.curves = {"basis.csv", "mode",
                      std::vector<std::string>(outcome.tables.front().second.rows())};
    return outcome;
}

}  // namespace

const Problem mesh_modes_problem{
    .name = MeshModes::name,
    .meaning = MeshModes::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::mesh_modes_figures, postproc::mesh_modes_report}};

}  // namespace stoss::solvers
