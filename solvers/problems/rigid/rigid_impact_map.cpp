#include <solvers/problems/rigid/rigid_impact_map.hpp>

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <models/rigid_impact_map.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/long_table.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/contact_map.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/io/bind.hpp>

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
    rigid::ContactProblem problem;
    double azimuth;
};

std::vector<Branch> branches_of(const models::RigidImpactMap& map) {
    std::vector<Branch> branches;
    for (const double mu : map.friction) {
        const rigid::ContactProblem problem = map.problem(mu);
        for (const double azimuth : map.azimuths) {
            std::string label = fmt::format("mu = {}", mu);
            if (map.azimuths.size() > 1)
                label += fmt::format(", azimuth {:.6g} deg", azimuth * 180.0 / std::numbers::pi);
            branches.push_back({std::move(label), problem, azimuth});
        }
    }
    return branches;
}

const std::vector<std::string> columns{
    "inclination_rad", "azimuth_rad",        "mu",
    "impulse_n_N_s",   "impulse_t_N_s",      "impulse_o_N_s",
    "slip_m_per_s",    "slip_direction_rad", "dissipated_J",
    "sticks",          "coulomb_solutions",  "coulomb_least_dissipated_J"};

std::vector<double> row(const SolvedContact& solved, double inclination, double azimuth) {
    const rigid::ContactSolution& best = solved.best;
    const double slip = core::hypot(best.velocity.t, best.velocity.o);
    const bool sticks = best.branch == rigid::Branch::stick;
    return {inclination,
            azimuth,
            solved.problem.mu,
            best.impulse.n,
            best.impulse.t,
            best.impulse.o,
            sticks ? 0.0 : slip,
            sticks ? io::no_number : core::atan2(best.velocity.o, best.velocity.t),
            best.dissipated_energy,
            sticks ? 1.0 : 0.0,
            double(solved.coulomb),
            solved.least_dissipated};
}

Outcome solve(const Case& given, const RunOptions& options) {
    const auto& [header, map, expectations] = given;
    const std::vector<Branch> branches = branches_of(map);
    const auto points = static_cast<std::size_t>(map.points);
    const auto inclination = [&, &keys = map](std::size_t i) {
        return keys.inclination(static_cast<int>(i % points));
    };
    const auto contact = [&](std::size_t i) {
        const Branch& branch = branches[i / points];
        return MappedContact{models::from_direction(branch.problem, inclination(i), branch.azimuth),
                             {}};
    };
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    const auto solved =
        solve_contacts(outcome, "impacts", branches.size() * points, contact, options);
    if (outcome.ending == Ending::interrupted) return outcome;
    outcome.curves = Curves{"map.csv", "inclination_rad", {}};
    LongTable rows("branch", columns);
    for (std::size_t i = 0; i < solved.size(); ++i) {
        const Branch& branch = branches[i / points];
        rows.add(branch.label, row(solved[i], inclination(i), branch.azimuth));
        outcome.curves->row_labels.push_back(branch.label);
    }
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
