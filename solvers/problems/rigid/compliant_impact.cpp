#include <solvers/problems/rigid/compliant_impact.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <models/compliant_contact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/impact_ending.hpp>
#include <solvers/case/long_table.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <solvers/problems/rigid/rigid_solutions.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/impact/compliant_impact.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::solvers {

namespace {

using impact::CompliantResult;
using models::CompliantContact;
using models::GivenBodies;
using rigid::ContactVector;

using Case = std::tuple<CaseHeader, GivenBodies, CompliantContact, CaseExpectations>;

Case read_case(const io::Document& document) {
    Case parts = io::read<CaseHeader, GivenBodies, CompliantContact, CaseExpectations>(document);
    refuse(document,
           models::check(std::get<GivenBodies>(parts), std::get<CompliantContact>(parts)));
    return parts;
}

io::Choice describe() {
    return io::describe_choice<CompliantContact, GivenBodies>();
}
io::Node resolve(const Case& given) {
    const auto& [header, bodies, compliant, expectations] = given;
    return io::to_node(header, bodies, compliant, expectations);
}

/// A rigid solution by its name.
struct Rigid {
    std::string name;
    ContactVector impulse;
};

std::vector<Rigid> rigid_solutions(const rigid::ContactProblem& problem) {
    std::vector<Rigid> all{{"maximum_dissipation", maximum_dissipation(problem).impulse}};
    const rigid::CoulombSolutions coulomb = coulomb_solutions(problem);
    for (const rigid::ContactSolution& each : coulomb.all())
        all.push_back({fmt::format("coulomb_{}", all.size()), each.impulse});
    return all;
}

/// |x - y|/|y|.
double distance(const ContactVector& x, const ContactVector& y) {
    return std::sqrt(dot(x - y, x - y) / dot(y, y));
}

io::Value summary_of(const CompliantResult& result) {
    io::Value value = io::Value::object();
    value.set("status", to_string(result.status));
    add_entries(value, result.compression_impulse, "compression_impulse", "N_s");
    add_entries(value, result.impulse, "impulse", "N_s");
    add_entries(value, result.velocity, "velocity", "m_per_s");
    value.set("normal_loss_J", result.normal_loss);
    value.set("friction_loss_J", result.friction_loss);
    value.set("energy_residual", result.residual);
    return value;
}

io::Table convergence_table(const CompliantContact& compliant,
                            const std::vector<CompliantResult>& results,
                            const CompliantResult& limit, const std::vector<Rigid>& solutions) {
    std::vector<std::string> columns{"stiffness_factor",
                                     "duration_s",
                                     "compression_impulse_n_N_s",
                                     "compression_impulse_t_N_s",
                                     "compression_impulse_o_N_s",
                                     "impulse_n_N_s",
                                     "impulse_t_N_s",
                                     "impulse_o_N_s",
                                     "peak_force_N",
                                     "normal_loss_J",
                                     "friction_loss_J",
                                     "energy_residual",
                                     "distance_limit",
                                     "distance_limit_after"};
    for (const Rigid& solution : solutions) columns.push_back("distance_" + solution.name);
    LongTable rows("status", columns);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const CompliantResult& result = results[i];
        const ContactVector &c = result.compression_impulse, &x = result.impulse;
        std::vector<double> row{compliant.stiffness_factors[i],
                                result.duration.value_or(io::no_number),
                                c.n,
                                c.t,
                                c.o,
                                x.n,
                                x.t,
                                x.o,
                                result.peak_force,
                                result.normal_loss,
                                result.friction_loss,
                                result.residual,
                                distance(c, limit.compression_impulse),
                                distance(x, limit.impulse)};
        for (const Rigid& solution : solutions) row.push_back(distance(c, solution.impulse));
        rows.add(std::string(to_string(result.status)), row);
    }
    return rows.table();
}

/// The exponent of the stiffness with which the distance from the limit falls at last.
double order_of(const CompliantContact& compliant, const std::vector<CompliantResult>& results,
                const CompliantResult& limit) {
    if (results.size() < 2) return io::no_number;
    const auto far = [&](std::size_t i) {
        return distance(results[i].compression_impulse, limit.compression_impulse);
    };
    const std::size_t last = results.size() - 1;
    return core::log(far(last - 1) / far(last)) /
           core::log(compliant.stiffness_factors[last] / compliant.stiffness_factors[last - 1]);
}

void add_rigid(io::Value& summary, const std::vector<Rigid>& solutions,
               const CompliantResult& limit) {
    const Rigid* nearest = nullptr;
    double least = core::infinity;
    for (const Rigid& solution : solutions) {
        io::Value value = io::Value::object();
        add_entries(value, solution.impulse, "impulse", "N_s");
        const double far = distance(limit.compression_impulse, solution.impulse);
        value.set("distance_of_limit", far);
        summary.set(solution.name, std::move(value));
        if (far < least) nearest = &solution;
        least = std::min(least, far);
    }
    if (nearest) summary.set("nearest_rigid_solution", nearest->name);
    summary.set("nearest_distance", least);
}

/// The error of the energy balance over the energy of the motion along the normal: that of the
/// approach or, where friction turns slip into such a motion, the order of what the contact stores.
/// The energy of other motion may be far larger.
double residual_of_normal(const rigid::ContactProblem& problem, const CompliantResult& result) {
    const double of_approach = 0.5 * problem.b.n * problem.b.n / problem.A.nn;
    const double of_contact = 0.5 * result.peak_force * result.peak_overlap;
    return std::abs(result.residual) * result.initial_energy / std::max(of_approach, of_contact);
}

/// Adds a warning for each kind of doubtful impact, and sets the ending if one diverged.
void judge(Outcome& outcome, const rigid::ContactProblem& problem,
           const contact::Friction& friction, const std::vector<CompliantResult>& results) {
    constexpr double tolerated_residual = 1e-3;
    ImpactEndings endings;
    double residual = 0.0;
    std::size_t given_up = 0;
    for (const CompliantResult& each : results) {
        const bool touches = each.status == impact::CompliantStatus::still_touching;
        endings.add(each.status == impact::CompliantStatus::not_finite,
                    touches && !each.out_of_steps, 0.0);  // the balance is checked below
        given_up += each.out_of_steps;
        if (!each.out_of_steps) residual = std::max(residual, residual_of_normal(problem, each));
    }
    endings.judge(outcome, "steps_per_radian");
    if (given_up > 0)
        outcome.warnings.push_back(fmt::format("{} of {} impacts: the impact {}", given_up,
                                               results.size(), out_of_steps_words(friction)));
    if (residual > tolerated_residual) {
        outcome.warnings.push_back(
            fmt::format("the error of the energy balance of an impact is {:.2g} of the energy of "
                        "its motion along the normal; raise steps_per_radian",
                        residual));
    }
}

Outcome solve(const Case& given, const RunOptions& options) {
    const auto& [header, bodies, compliant, expectations] = given;
    const core::StopScope scope(&options.stop);  // a stopped run keeps no results
    impact::CompliantImpact impact = compliant.impact(bodies);
    const std::size_t count = compliant.stiffness_factors.size();
    std::vector<CompliantResult> results(count + 1);
    core::parallel_for(count + 1, options.threads,
                       [&, &keys = compliant](std::size_t i) {
                           impact::CompliantImpact one = impact;
                           one.at_one_instant = i == count;  // the last is the limit
                           results[i] =
                               collide(keys.law(i < count ? keys.stiffness_factors[i] : 1.0), one);
                       },
                       {});
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    outcome.items = "impacts";
    outcome.item_count = results.size();
    outcome.items_done = results.size();
    const CompliantResult limit = results.back();
    const rigid::ContactProblem problem =
        contact_problem(impact.first, impact.second, impact.frame, impact.mu);
    const auto solutions = rigid_solutions(problem);
    judge(outcome, problem, impact.friction, results);
    results.pop_back();
    outcome.summary = io::Value::object();
    outcome.summary.set("status", to_string(limit.status));
    outcome.summary.set("limit", summary_of(limit));
    add_rigid(outcome.summary, solutions, limit);
    outcome.summary.set("order", order_of(compliant, results, limit));
    outcome.headlines = {"status", "nearest_rigid_solution", "nearest_distance", "order"};
    outcome.tables.emplace_back("convergence.csv",
                                convergence_table(compliant, results, limit, solutions));
    outcome.curves =
        Curves{"convergence.csv", "stiffness_factor", std::vector<std::string>(results.size())};
    return outcome;
}

}  // namespace

const Problem compliant_impact_problem{
    .name = CompliantContact::name,
    .meaning = CompliantContact::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::compliant_impact_figures, postproc::compliant_impact_report}};

}  // namespace stoss::solvers
