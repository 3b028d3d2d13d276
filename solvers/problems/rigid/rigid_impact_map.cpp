#include <solvers/problems/rigid/rigid_impact_map.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <models/rigid_impact_map.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/long_table.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::solvers {

namespace {

using Case = std::tuple<CaseHeader, models::RigidImpactMap, CaseExpectations>;

Case read_case(const io::Document& document) {
    Case parts = io::read<CaseHeader, models::RigidImpactMap, CaseExpectations>(document);
    refuse(document, models::check(std::get<models::RigidImpactMap>(parts)));
    return parts;
}

io::Choice describe() {
    return io::describe_choice<models::RigidImpactMap>();
}
io::Node resolve(const Case& given) {
    const auto& [header, map, expectations] = given;
    return io::to_node(header, map, expectations);
}

/// One curve: all inclinations with one friction and azimuth.
struct Branch {
    std::string label;  // "mu = 0.5", "mu = 0.5, azimuth 90 deg"
    double mu, azimuth;
};

std::vector<Branch> branches_of(const models::RigidImpactMap& map) {
    std::vector<Branch> branches;
    for (const double mu : map.friction) {
        for (const double azimuth : map.azimuths) {
            std::string label = fmt::format("mu = {}", mu);
            if (map.azimuths.size() > 1)
                label += fmt::format(", azimuth {:.6g} deg", azimuth * 180.0 / std::numbers::pi);
            branches.push_back({std::move(label), mu, azimuth});
        }
    }
    return branches;
}

const std::vector<std::string> columns{
    "inclination_rad", "azimuth_rad",        "mu",
    "impulse_n_N_s",   "impulse_t_N_s",      "impulse_o_N_s",
    "slip_m_per_s",    "slip_direction_rad", "dissipated_J",
    "sticks",          "coulomb_solutions",  "coulomb_least_dissipated_J"};

constexpr std::size_t coulomb_count = 10;  // of its column

/// `best`: the solution of maximum dissipation.
std::vector<double> row(const rigid::ContactProblem& problem, const rigid::ContactSolution& best,
                        double inclination, double azimuth) {
    const rigid::CoulombSolutions coulomb = coulomb_solutions(problem);
    double least = best.dissipated_energy;
    for (const rigid::ContactSolution& each : coulomb.all())
        least = std::min(least, each.dissipated_energy);
    const double slip = core::hypot(best.velocity.t, best.velocity.o);
    const bool sticks = best.branch == rigid::Branch::stick;
    return {inclination,
            azimuth,
            problem.mu,
            best.impulse.n,
            best.impulse.t,
            best.impulse.o,
            sticks ? 0.0 : slip,
            sticks ? io::no_number : core::atan2(best.velocity.o, best.velocity.t),
            best.dissipated_energy,
            sticks ? 1.0 : 0.0,
            double(coulomb.count),
            least};
}

struct Counts {
    std::size_t sticking = 0, ambiguous = 0, failed = 0, done = 0;
};

Outcome solve(const Case& given, const RunOptions& options) {
    const auto& [header, map, expectations] = given;
    const std::vector<Branch> branches = branches_of(map);
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    outcome.items = "impacts";
    outcome.item_count = branches.size() * static_cast<std::size_t>(map.points);
    outcome.curves = Curves{"map.csv", "inclination_rad", {}};
    LongTable rows("branch", columns);
    Counts counts;
    core::Progress progress("impacts", outcome.item_count, options.quiet);
    for (const Branch& branch : branches) {
        const rigid::ContactProblem given = map.problem(branch.mu);
        for (int i = 0; i < map.points && !options.stop(); ++i, ++counts.done) {
            const double inclination = map.inclination(i);
            const auto problem = models::from_direction(given, inclination, branch.azimuth);
            const rigid::ContactSolution best = maximum_dissipation(problem);
            const std::vector<double> values = row(problem, best, inclination, branch.azimuth);
            rows.add(branch.label, values);
            outcome.curves->row_labels.push_back(branch.label);
            counts.sticking += best.branch == rigid::Branch::stick;
            counts.ambiguous += values[coulomb_count] > 1.0;
            counts.failed += best.status != rigid::Status::solved;
            progress.advance();
        }
    }
    outcome.items_done = counts.done;
    outcome.summary = io::Value::object();
    if (counts.done < outcome.item_count) {
        outcome.ending = Ending::interrupted;
        outcome.curves.reset();
        return outcome;
    }
    if (counts.failed > 0) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.push_back(
            fmt::format("{} of {} impacts could not be solved", counts.failed, outcome.item_count));
    }
    outcome.summary.set("impacts", outcome.item_count);
    outcome.summary.set("impacts_that_stick", counts.sticking);
    outcome.summary.set("impacts_with_several_coulomb_solutions", counts.ambiguous);
    outcome.summary.set("impacts_failed", counts.failed);
    outcome.headlines = {"impacts", "impacts_that_stick", "impacts_with_several_coulomb_solutions",
                         "impacts_failed"};
    outcome.tables.emplace_back("map.csv", rows.table());
    return outcome;
}

}  // namespace

const Problem rigid_impact_map_problem{
    .name = models::RigidImpactMap::name,
    .meaning = models::RigidImpactMap::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::rigid_impact_map_figures, postproc::rigid_impact_map_report}};

}  // namespace stoss::solvers
