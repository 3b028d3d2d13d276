#include <solvers/problems/rigid/rigid_solutions.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <solvers/case/long_table.hpp>
#include <solvers/problems/rigid/routh_path.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/io/vtk.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>
#include <stoss/rigid/restitution.hpp>
#include <stoss/rigid/routh.hpp>
#include <stoss/rigid/section.hpp>

namespace stoss::solvers {

namespace {

using rigid::ContactProblem;
using rigid::ContactSolution;
using rigid::ContactVector;

constexpr int directions = 1440;     // of the edge, evenly spaced
constexpr int ray_points = 100;      // of one ray
constexpr int contour_points = 240;  // of one contour line
constexpr int contours_below = 8;    // contour lines below that of the objective 0
constexpr int contours_in_all = 24;
constexpr int grid = 40;  // cells along the plane in the VTK file
constexpr int cone_sides = 96;

/// A solution by the name it has in tables.
struct Named {
    std::string name;
    ContactSolution solution;
};

double objective(const ContactSolution& solution) {
    return -solution.dissipated_energy + 0.0;  // no "-0"
}

double slip(const ContactVector& velocity) {
    return core::hypot(velocity.t, velocity.o);
}

io::Value summary_of(const ContactSolution& solution) {
    io::Value value = io::Value::object();
    value.set("branch", to_string(solution.branch));
    add_entries(value, solution.impulse, "impulse", "N_s");
    add_entries(value, solution.velocity, "velocity", "m_per_s");
    value.set("slip_m_per_s", slip(solution.velocity));
    value.set("multiplier_m_per_s", solution.multiplier);
    value.set("dissipated_energy_J", solution.dissipated_energy);
    value.set("objective_J", objective(solution));
    return value;
}

void add_problem(io::Value& summary, const ContactProblem& problem) {
    const rigid::ContactMatrix& A = problem.A;
    const std::pair<const char*, double> operator_entries[] = {
        {"nn", A.nn}, {"nt", A.nt}, {"no", A.no}, {"tt", A.tt}, {"to", A.to}, {"oo", A.oo}};
    for (const auto& [name, value] : operator_entries)
        summary.set(fmt::format("A_{}_per_kg", name), value);
    add_entries(summary, problem.b, "b", "m_per_s");
    summary.set("mu", problem.mu);
    summary.set("eccentricity", rigid::CompressionPlane(problem).eccentricity());
}

/// `rebound`, if given, has a row of its own.
io::Table solution_table(const std::vector<Named>& solutions,
                         const std::optional<rigid::RouthImpact>& rebound) {
    std::vector<std::string> branches;
    LongTable rows("solution", {"impulse_n_N_s", "impulse_t_N_s", "impulse_o_N_s",
                                "velocity_n_m_per_s", "velocity_t_m_per_s", "velocity_o_m_per_s",
                                "multiplier_m_per_s", "dissipated_energy_J"});
    for (const auto& [name, solution] : solutions) {
        const ContactVector &x = solution.impulse, &v = solution.velocity;
        rows.add(name,
                 {x.n, x.t, x.o, v.n, v.t, v.o, solution.multiplier, solution.dissipated_energy});
        const bool is_solved = solution.status == rigid::Status::solved;
        branches.emplace_back(is_solved ? to_string(solution.branch) : to_string(solution.status));
    }
    if (rebound) {
        const rigid::Impact& impact = rebound->impact;
        const ContactVector &x = impact.impulse, &v = impact.velocity;
        rows.add("with_restitution",
                 {x.n, x.t, x.o, v.n, v.t, v.o, io::no_number, impact.dissipated_energy});
        branches.emplace_back("rebound");
    }
    io::Table table = rows.table();
    table.columns.insert(table.columns.begin() + 1, {"branch", std::move(branches)});
    return table;
}

/// Table of the cone's edge in the plane of maximum compression, and of the objective along it.
io::Table section_table(const rigid::CompressionPlane& plane) {
    std::vector<double> angles, openings, normal, along_t, along_o, objectives;
    for (int i = 0; i <= directions; ++i) {
        const double angle = (2.0 * i / directions - 1.0) * std::numbers::pi;
        const ContactVector x = plane.edge(angle);
        angles.push_back(angle);
        openings.push_back(plane.opening(angle));
        normal.push_back(x.n);
        along_t.push_back(x.t);
        along_o.push_back(x.o);
        objectives.push_back(plane.objective(x));
    }
    io::Table table;
    table.add("angle_rad", std::move(angles));
    table.add("opening_per_kg", std::move(openings));
    table.add("impulse_n_N_s", std::move(normal));
    table.add("impulse_t_N_s", std::move(along_t));
    table.add("impulse_o_N_s", std::move(along_o));
    table.add("objective_J", std::move(objectives));
    return table;
}

/// The same for b_n = 0, where the edge is the two rays from the tip of the cone along the poles,
/// up to the tangential impulse `reach` [N s].
io::Table tip_table(const rigid::CompressionPlane& plane, const std::array<double, 2>& poles,
                    double reach) {
    std::vector<double> angles, normal, along_t, along_o, objectives;
    for (int i = -ray_points; i <= ray_points; ++i) {
        const double angle = poles[i < 0 ? 0 : 1], r = reach * std::abs(i) / ray_points;
        const ContactVector x = plane.impulse(r * core::cos(angle), r * core::sin(angle));
        angles.push_back(angle);
        normal.push_back(x.n);
        along_t.push_back(x.t);
        along_o.push_back(x.o);
        objectives.push_back(plane.objective(x));
    }
    io::Table table;
    table.add("opening_per_kg", std::vector<double>(angles.size(), 0.0));
    table.add("angle_rad", std::move(angles));
    table.add("impulse_n_N_s", std::move(normal));
    table.add("impulse_t_N_s", std::move(along_t));
    table.add("impulse_o_N_s", std::move(along_o));
    table.add("objective_J", std::move(objectives));
    return table;
}

/// Contour lines of the objective, their radii evenly spaced; one of them is that of 0.
io::Table contour_table(const rigid::CompressionPlane& plane) {
    std::vector<std::int64_t> number;
    std::vector<double> levels, along_t, along_o;
    const double least = plane.objective(plane.sticking());
    for (int k = 1; k <= contours_in_all; ++k) {
        const double share = static_cast<double>(k) / contours_below;
        const double level = k == contours_below ? 0.0 : least * (1.0 - share * share);
        for (int i = 0; i <= contour_points; ++i) {
            const ContactVector x =
                plane.contour(level, 2.0 * std::numbers::pi * i / contour_points);
            number.push_back(k);
            levels.push_back(level);
            along_t.push_back(x.t);
            along_o.push_back(x.o);
        }
    }
    io::Table table;
    table.add("contour", std::move(number));
    table.add("objective_J", std::move(levels));
    table.add("impulse_t_N_s", std::move(along_t));
    table.add("impulse_o_N_s", std::move(along_o));
    return table;
}

// ---- VTK. Space is that of impulses: x, y, z are t, o, n in N s.

std::array<double, 3> place(const ContactVector& x) {
    return {x.t, x.o, x.n};
}

io::PointArray objectives_at(const rigid::CompressionPlane& plane,
                             const std::vector<ContactVector>& impulses) {
    io::PointArray array{"objective_J", 1, {}};
    for (const ContactVector& x : impulses) array.values.push_back(plane.objective(x));
    return array;
}

io::Surface surface_of(const rigid::CompressionPlane& plane,
                       const std::vector<ContactVector>& impulses) {
    io::Surface surface;
    for (const ContactVector& x : impulses) surface.points.push_back(place(x));
    surface.point_arrays.push_back(objectives_at(plane, impulses));
    return surface;
}

/// The friction cone up to the tangential impulse `radius` [N s].
io::Surface cone(const rigid::CompressionPlane& plane, double mu, double radius) {
    std::vector<ContactVector> impulses{{0.0, 0.0, 0.0}};
    for (int i = 0; i < cone_sides; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / cone_sides;
        impulses.push_back({radius / mu, radius * core::cos(angle), radius * core::sin(angle)});
    }
    io::Surface surface = surface_of(plane, impulses);
    for (std::size_t i = 1; i < impulses.size(); ++i)
        surface.polygons.push_back({0, i, i + 1 < impulses.size() ? i + 1 : 1});
    return surface;
}

/// The plane of maximum compression around the axis of the cone.
io::Surface plane_patch(const rigid::CompressionPlane& plane, double radius) {
    constexpr std::size_t row = grid + 1;
    std::vector<ContactVector> impulses;
    for (std::size_t i = 0; i < row * row; ++i) {
        const auto at = [&](std::size_t k) {
            return radius * (2.0 * static_cast<double>(k) / grid - 1.0);
        };
        impulses.push_back(plane.impulse(at(i % row), at(i / row)));
    }
    io::Surface surface = surface_of(plane, impulses);
    for (std::size_t i = 0; i + row < row * row; ++i) {
        if (i % row != grid) surface.polygons.push_back({i, i + 1, i + row + 1, i + row});
    }
    return surface;
}

io::Surface points_of(const rigid::CompressionPlane& plane, const std::vector<Named>& solutions) {
    std::vector<ContactVector> impulses;
    io::PointArray velocity{"velocity_m_per_s", 3, {}}, dissipated{"dissipated_energy_J", 1, {}};
    io::PointArray is_coulomb{"is_coulomb", 1, {}};
    for (const auto& [name, solution] : solutions) {
        impulses.push_back(solution.impulse);
        const auto v = place(solution.velocity);
        velocity.values.insert(velocity.values.end(), v.begin(), v.end());
        dissipated.values.push_back(solution.dissipated_energy);
        is_coulomb.values.push_back(name.starts_with("coulomb") ? 1.0 : 0.0);
    }
    io::Surface points = surface_of(plane, impulses);
    for (io::PointArray* array : {&velocity, &dissipated, &is_coulomb})
        points.point_arrays.push_back(std::move(*array));
    return points;
}

/// Radius of the smallest friction cone around all impulses [N s].
double largest_radius(const ContactProblem& problem, const std::vector<Named>& solutions) {
    double largest = 0.0;
    for (const auto& [name, solution] : solutions) {
        const ContactVector& x = solution.impulse;
        largest = std::max({largest, core::hypot(x.t, x.o), problem.mu * x.n});
    }
    return largest;
}

/// Cone, plane and solutions, each in a file; no cone without friction, no plane without impulse.
void add_shapes(Outcome& outcome, const ContactProblem& problem,
                const std::vector<Named>& solutions) {
    const rigid::CompressionPlane plane(problem);
    const double radius = 1.5 * largest_radius(problem, solutions);
    if (radius > 0.0 && problem.mu > 0.0) {
        outcome.files.emplace_back("vtk/cone.vtp", io::to_vtp(cone(plane, problem.mu, radius)));
        outcome.files.emplace_back("vtk/compression_plane.vtp",
                                   io::to_vtp(plane_patch(plane, radius)));
    }
    outcome.files.emplace_back("vtk/solutions.vtp", io::to_vtp(points_of(plane, solutions)));
}

void add_restitution(Outcome& outcome, const ContactProblem& problem,
                     const models::RestitutionKeys& keys, const rigid::RouthImpact& rebound) {
    const rigid::ImpactLaw law = law_of(keys.hypothesis, keys.law);
    const auto& [impact, events] = rebound;
    io::Value value = io::Value::object();
    value.set("status", to_string(impact.status));
    value.set("hypothesis", core::name_of(keys.hypothesis));
    value.set("law", core::name_of(law));
    value.set("coefficient", double(keys.coefficient));
    add_entries(value, impact.impulse, "impulse", "N_s");
    add_entries(value, impact.velocity, "velocity", "m_per_s");
    value.set("dissipated_energy_J", impact.dissipated_energy);
    if (law == rigid::ImpactLaw::incremental) {
        value.set("compression_impulse_n_N_s", impact.compression.impulse.n);
        add_events(value, events);
    }
    outcome.summary.set("with_restitution", std::move(value));
    if (law == rigid::ImpactLaw::incremental && impact.impulse.n > 0.0)
        outcome.tables.emplace_back("routh_path.csv", path_table(problem, 1.2 * impact.impulse.n));
    warn_of_rebound(outcome, fmt::format("restitution by {}", core::name_of(keys.hypothesis)),
                    impact.status);
}

/// The section of the friction cone by the plane of maximum compression, for the figures.
/// `reach`: tangential impulse that it shows [N s] if it has no scale of its own.
void add_section(Outcome& outcome, const ContactProblem& problem, double reach) {
    const rigid::CompressionPlane plane(problem);
    io::Value& summary = outcome.summary;
    const auto poles = plane.poles();
    if (problem.b.n == 0.0 && !poles) return;
    if (poles) {
        summary.set("pole_1_rad", (*poles)[0]);
        summary.set("pole_2_rad", (*poles)[1]);
    }
    add_entries(summary, plane.sticking(), "sticking", "N_s");
    outcome.tables.emplace_back(
        "section.csv", problem.b.n > 0.0 ? section_table(plane) : tip_table(plane, *poles, reach));
    outcome.tables.emplace_back("contours.csv", contour_table(plane));
}

void warn_of_failure(Outcome& outcome) {
    outcome.ending = Ending::numerical_failure;
    outcome.warnings.emplace_back(
        "the impact could not be solved: its impulse or its velocity may be beyond the range of "
        "numbers; there are no figures of it");
}

}  // namespace

void add_entries(io::Value& object, const ContactVector& v, const char* name, const char* unit) {
    object.set(fmt::format("{}_n_{}", name, unit), v.n);
    object.set(fmt::format("{}_t_{}", name, unit), v.t);
    object.set(fmt::format("{}_o_{}", name, unit), v.o);
}

bool is_refused(rigid::ImpactStatus status) {
    return status == rigid::ImpactStatus::gains_energy || status == rigid::ImpactStatus::penetrates;
}

void warn_of_rebound(Outcome& outcome, std::string_view name, rigid::ImpactStatus status) {
    if (status == rigid::ImpactStatus::solved) return;
    if (!is_refused(status)) outcome.ending = Ending::numerical_failure;
    outcome.warnings.push_back(fmt::format("{}: {}; {}", name, to_string(status),
                                           is_refused(status)
                                               ? "the numbers are those of the hypothesis"
                                               : "its numbers are missing"));
}

std::string out_of_steps_words(const contact::Friction& friction) {
    std::string words = "reached the limit of time steps before the bodies parted";
    if (std::holds_alternative<contact::RegularisedCoulomb>(friction))
        words +=
            ": regularised_coulomb needs the more steps the larger mu and the smaller "
            "slip_speed are; take tangential_spring";
    return words;
}

rigid::RouthImpact rebound_of(const ContactProblem& problem, const models::RestitutionKeys& keys) {
    if (law_of(keys.hypothesis, keys.law) == rigid::ImpactLaw::incremental)
        return routh_impact(problem, keys.coefficient, keys.hypothesis);
    return {rigid::impact(problem, keys.coefficient, keys.hypothesis), {}};
}

void add_solutions(Outcome& outcome, const ContactProblem& problem,
                   const std::optional<models::RestitutionKeys>& restitution, bool is_orthonormal) {
    const ContactSolution best = maximum_dissipation(problem);
    const rigid::CoulombSolutions coulomb = coulomb_solutions(problem);
    std::vector<Named> solutions{{"maximum_dissipation", best}};
    for (const ContactSolution& each : coulomb.all())
        solutions.push_back({fmt::format("coulomb_{}", solutions.size()), each});
    const bool is_solved =
        best.status == rigid::Status::solved && coulomb.status == rigid::Status::solved;
    std::optional<rigid::RouthImpact> rebound;
    if (restitution && is_solved) rebound = rebound_of(problem, *restitution);

    io::Value& summary = outcome.summary;
    summary = io::Value::object();
    summary.set("status", to_string(is_solved ? best.status : rigid::Status::failed));
    if (is_solved) {
        summary.set("branch", to_string(best.branch));
        summary.set("conic", to_string(best.conic));
        summary.set("dissipated_energy_J", best.dissipated_energy);
        summary.set("coulomb_solutions", coulomb.count);
        summary.set("coulomb_continuum", coulomb.continuum);
    }
    add_problem(summary, problem);
    outcome.tables.emplace_back("solutions.csv", solution_table(solutions, rebound));
    outcome.printed_table = "solutions.csv";
    if (!is_solved) {
        outcome.headlines = {"status"};
        warn_of_failure(outcome);
        return;
    }
    for (const auto& [name, solution] : solutions) summary.set(name, summary_of(solution));
    if (rebound) add_restitution(outcome, problem, *restitution, *rebound);
    outcome.headlines = {"status", "branch", "conic", "dissipated_energy_J", "coulomb_solutions"};
    const bool presses = problem.b.n > 0.0 || best.impulse.n > 0.0;
    if (presses && problem.mu > 0.0)
        add_section(outcome, problem, 1.5 * largest_radius(problem, solutions));
    add_shapes(outcome, problem, solutions);
    if (coulomb.continuum) {
        outcome.warnings.emplace_back(
            "every impulse between the first two Coulomb solutions is a Coulomb solution as well");
    }
    if (!is_orthonormal) {
        outcome.warnings.emplace_back(
            "the contact frame is not orthonormal: components along t and o are no impulses in N s "
            "and velocities in m/s, and the friction cone is not circular");
    }
}

}  // namespace stoss::solvers
