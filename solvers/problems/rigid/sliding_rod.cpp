#include <solvers/problems/rigid/sliding_rod.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <models/sliding_rod.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/long_table.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::solvers {

namespace {

constexpr int curve_points = 179;  // of mu_*(theta0), between 0 and 90 degrees

using Case = std::tuple<CaseHeader, models::SlidingRod, CaseExpectations>;

Case read_case(const io::Document& document) {
    Case parts = io::read<CaseHeader, models::SlidingRod, CaseExpectations>(document);
    refuse(document, models::check(std::get<models::SlidingRod>(parts)));
    return parts;
}

io::Choice describe() {
    return io::describe_choice<models::SlidingRod>();
}
io::Node resolve(const Case& given) {
    const auto& [header, rod, expectations] = given;
    return io::to_node(header, rod, expectations);
}

double critical_at(const models::SlidingRod& rod, double angle) {
    return models::critical_friction(models::rod_contact(rod, angle, 0.0).A);
}

/// One friction of the sweep, as mu or as mu/mu_*.
struct Friction {
    std::string label;  // "1.5" or "1.001 critical"
    double value;
    bool relative;

    double at(const models::SlidingRod& rod, double angle) const {
        return relative ? value * critical_at(rod, angle) : value;
    }
};

std::vector<Friction> frictions(const models::SlidingRod& rod) {
    std::vector<Friction> all;
    for (const double mu : rod.friction) all.push_back({fmt::format("{}", mu), mu, false});
    for (const double share : rod.relative_friction)
        all.push_back({fmt::format("{} critical", share), share, true});
    return all;
}

/// The results for one angle and coefficient of friction.
struct Graze {
    double critical;
    rigid::ContactProblem problem;
    rigid::ContactSolution best;
    rigid::CoulombSolutions coulomb;

    Graze(const models::SlidingRod& rod, double angle, double mu)
        : critical(critical_at(rod, angle)),
          problem(models::rod_contact(rod, angle, mu)),
          best(maximum_dissipation(problem)),
          coulomb(coulomb_solutions(problem)) {}

    bool impacts() const { return best.impulse.n > 0.0; }

    /// The Coulomb solution of that branch; nullptr if there is none.
    const rigid::ContactSolution* coulomb_of(rigid::Branch branch) const {
        for (const rigid::ContactSolution& each : coulomb.all()) {
            if (each.branch == branch) return &each;
        }
        return nullptr;
    }

    std::vector<double> row(double angle) const {
        const auto* const stick = coulomb_of(rigid::Branch::stick);
        return {angle,
                problem.mu,
                critical,
                best.impulse.n,
                best.impulse.t,
                best.velocity.t,
                best.dissipated_energy,
                double(coulomb.count),
                coulomb_of(rigid::Branch::separate) ? 1.0 : 0.0,
                stick ? stick->impulse.n : io::no_number,
                stick ? stick->impulse.t : io::no_number,
                coulomb.continuum ? 1.0 : 0.0};
    }
};

io::Table critical_table(const models::SlidingRod& rod) {
    std::vector<double> angles, critical;
    for (int i = 1; i <= curve_points; ++i) {
        const double angle = std::numbers::pi / 2.0 * i / (curve_points + 1);
        angles.push_back(angle);
        critical.push_back(critical_at(rod, angle));
    }
    io::Table table;
    table.add("angle_rad", std::move(angles));
    table.add("critical_mu", std::move(critical));
    return table;
}

Outcome solve(const Case& given, const RunOptions& /*options*/) {
    const auto& [header, rod, expectations] = given;
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    LongTable rows("friction",
                   {"angle_rad", "mu", "critical_mu", "impulse_n_N_s", "impulse_t_N_s",
                    "slip_t_m_per_s", "dissipated_energy_J", "coulomb_solutions", "coulomb_zero",
                    "coulomb_stick_n_N_s", "coulomb_stick_t_N_s", "coulomb_continuum"});
    std::size_t impacts = 0, failures = 0;
    outcome.curves = Curves{"rod.csv", "angle_rad", {}};
    for (const Friction& friction : frictions(rod)) {
        for (const double angle : rod.angles) {
            const Graze graze(rod, angle, friction.at(rod, angle));
            impacts += graze.impacts();
            failures += graze.best.status != rigid::Status::solved;
            rows.add(friction.label, graze.row(angle));
            outcome.curves->row_labels.push_back(friction.label);
        }
    }
    if (failures > 0) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.push_back(fmt::format("{} of {} contacts could not be solved", failures,
                                               outcome.curves->row_labels.size()));
    }
    // mu_* is least where cos(2 theta0) = -3/5.
    const double least = 0.5 * core::acos(-0.6);
    outcome.summary = io::Value::object();
    outcome.summary.set("contacts", outcome.curves->row_labels.size());
    outcome.summary.set("impacts", impacts);
    outcome.summary.set("failures", failures);
    outcome.summary.set("least_critical_mu", critical_at(rod, least));
    outcome.summary.set("least_critical_angle_rad", least);
    outcome.headlines = {"contacts", "impacts", "least_critical_mu", "least_critical_angle_rad"};
    outcome.tables.emplace_back("rod.csv", rows.table());
    outcome.tables.emplace_back("critical.csv", critical_table(rod));
    return outcome;
}

}  // namespace

const Problem sliding_rod_problem{
    .name = models::SlidingRod::name,
    .meaning = models::SlidingRod::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::sliding_rod_figures, postproc::sliding_rod_report}};

}  // namespace stoss::solvers
