#include <solvers/problems/modal/modal_analysis.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <models/beam_body.hpp>
#include <models/beam_matrices.hpp>
#include <models/largest_displacement.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/modal/modal_figures.hpp>
#include <solvers/problems/modal/modal_file.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/vtk.hpp>
#include <stoss/modal/coupled_modes.hpp>
#include <stoss/modal/modal_basis.hpp>

namespace stoss::solvers {

namespace {

constexpr int shape_points = models::shape_segments;  // as written

void check_points(const std::vector<NamedPlace>& points, std::vector<core::Violation>& violations) {
    std::set<std::string> names(own_mode_columns().begin(), own_mode_columns().end());
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].name.empty() && names.insert(points[i].name).second) continue;
        violations.push_back(
            {fmt::format("points[{}].name", i), points[i].name,
             "must be unique, and must not be a column that every table of modes has", ""});
    }
}

using Case = std::tuple<CaseHeader, ModalAnalysis, CaseExpectations>;

Case read_case(const io::Document& document) {
    Case all = io::read<CaseHeader, ModalAnalysis, CaseExpectations>(document);
    const ModalAnalysis& analysis = std::get<1>(all);
    auto violations = models::check(analysis.beam, analysis.mesh);
    if (!analysis.mesh.modes) {
        violations.push_back({"mesh.modes", "auto",
                              "needs a collision, which this problem does not have",
                              "give a number"});
    }
    check_points(analysis.points, violations);
    if (!analysis.points.empty() && !analysis.beam.dashpots.empty()) {
        violations.push_back({"points", "",
                              "cannot be given together with dashpots: they couple the modes, and "
                              "a table of modes has no columns for this",
                              "leave out beam.dashpots or points"});
    }
    refuse(document, violations);
    return all;
}

io::Choice describe() {
    return io::describe_choice<ModalAnalysis>();
}
io::Node resolve(const Case& given) {
    const auto& [header, analysis, expectations] = given;
    return io::to_node(header, analysis, expectations);
}

InputEcho echo(const Case& given) {
    const auto& [header, analysis, expectations] = given;
    models::BeamCollision alone;
    alone.beam = analysis.beam;
    alone.mesh = analysis.mesh;
    return echo_of(alone, {});
}

/// The modes of a beam as functions of the place.
class Shapes {
  public:
    explicit Shapes(const ModalAnalysis& analysis) : beam_(analysis.beam, analysis.mesh) {}

    const modal::ModalBasis& basis() const { return beam_.basis; }

    /// Number of elements of the mesh.
    int elements() const { return beam_.mesh.elements(); }

    /// True if dashpots or distributed damping couple the modes.
    bool are_coupled() const { return beam_.coupled_damping.size() > 0; }

    /// s [1/s] of the motions exp(s t) under all damping.
    std::vector<std::complex<double>> damped_motions() const {
        Eigen::MatrixXd damping = basis().damping.asDiagonal();
        damping += beam_.coupled_damping;
        return modal::CoupledModes(
                   {basis().eigenvalues.data(), static_cast<std::size_t>(basis().modes())}, damping)
            .exponents();
    }

    /// phi_j(xi) [1/sqrt(kg)].
    double at(double xi, Eigen::Index mode) const {
        return beam_.mesh.interpolation(xi * beam_.mesh.length()).dot(basis().shapes.col(mode));
    }

    /// phi_j at evenly spaced places, both ends included.
    std::vector<double> sampled(Eigen::Index mode, int segments) const {
        std::vector<double> values;
        for (int i = 0; i <= segments; ++i)
            values.push_back(at(static_cast<double>(i) / segments, mode));
        return values;
    }

    std::vector<double> nodes(Eigen::Index mode) const {
        return models::nodes_of(beam_.mesh, basis(), mode);
    }

    /// The modes seen by a body that strikes at xi, with the replacement of the omitted modes.
    modal::ModalBody body_at(double xi) const { return beam_.at(xi); }

  private:
    models::BeamBody beam_;
};

io::Table frequency_table(const Shapes& shapes, const std::vector<std::vector<double>>& nodes) {
    std::vector<std::int64_t> number, count;
    std::vector<double> frequency, angular, damping, ratio;
    const modal::ModalBasis& basis = shapes.basis();
    for (Eigen::Index j = 0; j < basis.modes(); ++j) {
        const double omega = std::sqrt(basis.eigenvalues[j]);
        number.push_back(j + 1);
        frequency.push_back(omega / (2.0 * std::numbers::pi));
        angular.push_back(omega);
        damping.push_back(basis.damping[j]);
        ratio.push_back(omega > 0.0 ? 0.5 * basis.damping[j] / omega : io::no_number);
        count.push_back(static_cast<std::int64_t>(nodes[static_cast<std::size_t>(j)].size()));
    }
    io::Table table;
    table.add("mode", std::move(number));
    table.add("frequency_Hz", std::move(frequency));
    table.add("angular_frequency_rad_per_s", std::move(angular));
    table.add("modal_damping_1_per_s", std::move(damping));
    table.add("damping_ratio", std::move(ratio));
    table.add("nodes", std::move(count));
    return table;
}

/// The motions exp(s t) of a beam with coupled modes, s = -decay rate + i angular frequency.
io::Table damped_table(const std::vector<std::complex<double>>& exponents) {
    std::vector<std::int64_t> number;
    std::vector<double> frequency, decay, ratio;
    for (const std::complex<double>& s : exponents) {
        number.push_back(static_cast<std::int64_t>(number.size()) + 1);
        frequency.push_back(s.imag() / (2.0 * std::numbers::pi));
        decay.push_back(s.real() == 0.0 ? 0.0 : -s.real());
        ratio.push_back(s == 0.0 ? io::no_number : -s.real() / std::abs(s));
    }
    io::Table table;
    table.add("motion", std::move(number));
    table.add("frequency_Hz", std::move(frequency));
    table.add("decay_rate_1_per_s", std::move(decay));
    table.add("damping_ratio", std::move(ratio));
    return table;
}

io::Table node_table(const std::vector<std::vector<double>>& nodes, double length) {
    std::vector<std::int64_t> mode;
    std::vector<double> xi, x;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
        for (const double place : nodes[j]) {
            mode.push_back(static_cast<std::int64_t>(j) + 1);
            xi.push_back(place);
            x.push_back(place * length);
        }
    }
    io::Table table;
    table.add("mode", std::move(mode));
    table.add("xi", std::move(xi));
    table.add("x_m", std::move(x));
    return table;
}

/// Shapes scaled to a largest displacement of +1: a table, and one shape a mode for ParaView.
void add_shapes(Outcome& outcome, const Shapes& shapes, double length) {
    std::vector<double> places;
    for (int i = 0; i <= shape_points; ++i) places.push_back(static_cast<double>(i) / shape_points);
    io::Table table;
    table.add("xi", places);
    std::vector<io::Frame> frames;
    for (Eigen::Index j = 0; j < shapes.basis().modes(); ++j) {
        std::vector<double> shape = shapes.sampled(j, shape_points), vectors;
        const double largest = models::largest_displacement(shape);
        io::Polyline line;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            shape[i] /= largest;
            line.points.push_back({places[i] * length, 0.0, 0.0});
            vectors.insert(vectors.end(), {0.0, shape[i], 0.0});
        }
        line.point_arrays.push_back({"shape", 3, std::move(vectors)});
        line.field_values.push_back(
            {"frequency_Hz", std::sqrt(shapes.basis().eigenvalues[j]) / (2.0 * std::numbers::pi)});
        frames.push_back({static_cast<double>(j + 1), std::move(line)});
        table.add(fmt::format("mode_{}", j + 1), std::move(shape));
    }
    outcome.tables.emplace_back("shapes.csv", std::move(table));
    io::add_series(outcome.files, "vtk/mode", frames);
}

/// The modes at the named places, as a table for other programs.
io::Table basis_table(const Shapes& shapes, const std::vector<NamedPlace>& points) {
    NamedModes modes;
    for (const NamedPlace& point : points) modes.add(point.name, shapes.body_at(point.xi));
    return mode_table(modes);
}

void add_masses(io::Value& summary, const ModalAnalysis& analysis) {
    const models::Beam& beam = analysis.beam;
    const double centre = beam.centre_of_mass(), length = beam.length;
    summary.set("mass_kg", beam.mass());
    summary.set("xi_centre_of_mass", centre / length);
    summary.set("inertia_kg_m2", beam.inertia(centre));
    std::optional<double> pivot = analysis.pivot;
    if (!pivot) pivot = beam.only_pin();
    if (!pivot) return;
    summary.set("xi_pivot", *pivot);
    summary.set("xi_centre_of_percussion", beam.centre_of_percussion(*pivot));
}

Outcome solve(const Case& given, const RunOptions&) {
    const auto& [header, analysis, expectations] = given;
    const Shapes shapes(analysis);
    std::vector<std::vector<double>> nodes;
    for (Eigen::Index j = 0; j < shapes.basis().modes(); ++j) nodes.push_back(shapes.nodes(j));
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    outcome.summary = io::Value::object();
    outcome.summary.set("status", "complete");
    outcome.summary.set("modes", static_cast<std::int64_t>(shapes.basis().modes()));
    outcome.summary.set("rigid_modes", static_cast<std::int64_t>(shapes.basis().rigid));
    outcome.summary.set("elements", shapes.elements());
    outcome.summary.set("time_scale_s", analysis.beam.time_scale());
    outcome.summary.set("damping_coupling", shapes.basis().damping_coupling);
    add_masses(outcome.summary, analysis);
    outcome.headlines = {"modes", "rigid_modes", "mass_kg", "xi_centre_of_mass",
                         "xi_centre_of_percussion"};
    outcome.tables.emplace_back("modes.csv", frequency_table(shapes, nodes));
    outcome.tables.emplace_back("nodes.csv", node_table(nodes, analysis.beam.length));
    add_shapes(outcome, shapes, analysis.beam.length);
    if (!analysis.points.empty())
        outcome.tables.emplace_back("basis.csv", basis_table(shapes, analysis.points));
    const auto coupling = models::coupling_damping(analysis.beam, "beam.");
    if (coupling && !analysis.points.empty()) {
        outcome.warnings.push_back(fmt::format(
            "{} {} (damping_coupling {:.2g}), for which basis.csv has no columns: an impact on "
            "these modes leaves the coupling out",
            coupling->key, coupling->rule, shapes.basis().damping_coupling));
    }
    outcome.printed_table = "modes.csv";
    outcome.curves = {"modes.csv", "mode",
                      std::vector<std::string>(static_cast<std::size_t>(shapes.basis().modes()))};
    if (shapes.are_coupled()) {  // then these are what the beam does
        const auto motions = shapes.damped_motions();
        outcome.tables.emplace_back("damped_motions.csv", damped_table(motions));
        outcome.printed_table = "damped_motions.csv";
        outcome.curves = {"damped_motions.csv", "motion", std::vector<std::string>(motions.size())};
    }
    return outcome;
}

}  // namespace

const Problem modal_analysis_problem{
    .name = ModalAnalysis::name,
    .meaning = ModalAnalysis::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve, echo>,
    .report = {postproc::modal_analysis_figures, postproc::modal_analysis_report}};

}  // namespace stoss::solvers
