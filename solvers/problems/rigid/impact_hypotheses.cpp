#include <solvers/problems/rigid/impact_hypotheses.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <models/compliant_contact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/long_table.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <solvers/problems/rigid/rigid_solutions.hpp>
#include <solvers/problems/rigid/routh_path.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/compliant_impact.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::solvers {

namespace {

using impact::CompliantResult;
using models::GivenBodies;
using models::ImpactHypotheses;
using rigid::ContactProblem;
using rigid::ContactVector;

using Case = std::tuple<CaseHeader, GivenBodies, ImpactHypotheses, CaseExpectations>;

Case read_case(const io::Document& document) {
    Case parts = io::read<CaseHeader, GivenBodies, ImpactHypotheses, CaseExpectations>(document);
    refuse(document,
           models::check(std::get<GivenBodies>(parts), std::get<ImpactHypotheses>(parts)));
    return parts;
}

io::Choice describe() {
    return io::describe_choice<ImpactHypotheses, GivenBodies>();
}
io::Node resolve(const Case& given) {
    const auto& [header, bodies, hypotheses, expectations] = given;
    return io::to_node(header, bodies, hypotheses, expectations);
}

/// Where an impact ends.
struct End {
    std::string name;
    ContactVector impulse, velocity;
    double dissipated_energy;
    std::string status;
    rigid::ImpactStatus rebound = rigid::ImpactStatus::solved;  // of a hypothesis
};

/// With and without friction, both of infinite stiffness.
struct Limits {
    CompliantResult with_friction, without;
};

Limits limits_of(const GivenBodies& bodies, const ImpactHypotheses& hypotheses) {
    const models::CompliantContact compliant = hypotheses.compliant();
    impact::CompliantImpact contact = compliant.impact(bodies);
    contact.at_one_instant = true;
    Limits limits;
    limits.with_friction = collide(compliant.law(1.0), contact);
    contact.mu = 0.0;
    limits.without = collide(compliant.law(1.0), contact);
    return limits;
}

/// Of Routh's path, then of maximum dissipation; the limit is the last.
std::vector<End> ends_of(const ContactProblem& problem, double e, const CompliantResult& limit) {
    std::vector<End> ends;
    const auto add = [&](std::string name, const rigid::Impact& impact) {
        ends.push_back({std::move(name), impact.impulse, impact.velocity, impact.dissipated_energy,
                        std::string(to_string(impact.status)), impact.status});
    };
    for (const auto& [hypothesis, name, meaning] : enum_names(rigid::Restitution{}))
        add(std::string(name), routh_impact(problem, e, hypothesis).impact);
    add("maximum_dissipation_newton", rigid::impact(problem, e, rigid::Restitution::newton));
    add("maximum_dissipation_poisson", rigid::impact(problem, e, rigid::Restitution::poisson));
    ends.push_back({"compliant_limit", limit.impulse, limit.velocity,
                    dissipated_energy(problem, limit.impulse),
                    std::string(to_string(limit.status))});
    return ends;
}

/// |v - v_limit| in units of the speed of approach.
double distance(const End& end, const End& limit, double b_n) {
    const ContactVector off = end.velocity - limit.velocity;
    return std::sqrt(dot(off, off)) / b_n;
}

io::Table end_table(const std::vector<End>& ends, double b_n) {
    LongTable rows("solution", {"impulse_n_N_s", "impulse_t_N_s", "impulse_o_N_s",
                                "velocity_n_m_per_s", "velocity_t_m_per_s", "velocity_o_m_per_s",
                                "dissipated_energy_J", "distance_of_limit"});
    std::vector<std::string> status;
    for (const End& end : ends) {
        const ContactVector &x = end.impulse, &v = end.velocity;
        rows.add(end.name, {x.n, x.t, x.o, v.n, v.t, v.o, end.dissipated_energy,
                            distance(end, ends.back(), b_n)});
        status.push_back(end.status);
    }
    io::Table table = rows.table();
    table.columns.push_back({"status", std::move(status)});
    return table;
}

io::Value summary_of(const End& end, const End& limit, double b_n) {
    io::Value value = io::Value::object();
    value.set("status", end.status);
    add_entries(value, end.impulse, "impulse", "N_s");
    add_entries(value, end.velocity, "velocity", "m_per_s");
    value.set("dissipated_energy_J", end.dissipated_energy);
    value.set("distance_of_limit", distance(end, limit, b_n));
    return value;
}

void add_warnings(Outcome& outcome, const contact::Friction& friction, const Limits& limits,
                  const std::vector<End>& ends) {
    const auto any_ended = [&](impact::CompliantStatus status) {
        return limits.with_friction.status == status || limits.without.status == status;
    };
    if (any_ended(impact::CompliantStatus::not_finite)) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.emplace_back("the motion of the compliant impact diverged");
    }
    if (limits.with_friction.out_of_steps || limits.without.out_of_steps)
        outcome.warnings.push_back(
            fmt::format("the compliant impact {}", out_of_steps_words(friction)));
    else if (any_ended(impact::CompliantStatus::still_touching))
        outcome.warnings.emplace_back("the compliant impact did not end within the time limit");
    for (const End& end : ends) warn_of_rebound(outcome, end.name, end.rebound);
}

Outcome solve(const Case& given, const RunOptions& options) {
    const core::StopScope scope(&options.stop);  // a stopped run keeps no results
    const auto& [header, bodies, hypotheses, expectations] = given;
    const ContactProblem problem = contact_problem(bodies.first_body(), bodies.second_body(),
                                                   bodies.contact_frame(), hypotheses.mu);
    const double b_n = problem.b.n;
    const Limits limits = limits_of(bodies, hypotheses);
    const double e = std::clamp(limits.without.velocity.n / b_n, 0.0, 1.0);
    const std::vector<End> ends = ends_of(problem, e, limits.with_friction);
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    add_warnings(outcome, hypotheses.friction, limits, ends);
    io::Value& summary = outcome.summary;
    summary = io::Value::object();
    summary.set("status", to_string(limits.with_friction.status));
    summary.set("coefficient", e);
    add_events(summary, routh_impact(problem, e, rigid::Restitution::stronge).events);
    double longest = 0.0;
    for (const End& end : ends) {
        summary.set(end.name, summary_of(end, ends.back(), b_n));
        if (std::isfinite(end.impulse.n)) longest = std::max(longest, end.impulse.n);
    }
    const auto nearest =
        std::min_element(ends.begin(), ends.end() - 1, [&](const End& a, const End& b) {
            return distance(a, ends.back(), b_n) < distance(b, ends.back(), b_n);
        });
    summary.set("nearest", nearest->name);
    summary.set("nearest_distance", distance(*nearest, ends.back(), b_n));
    outcome.headlines = {"status", "coefficient", "nearest", "nearest_distance"};
    outcome.tables.emplace_back("hypotheses.csv", end_table(ends, b_n));
    outcome.tables.emplace_back("routh_path.csv", path_table(problem, 1.1 * longest));
    outcome.printed_table = "hypotheses.csv";
    return outcome;
}

}  // namespace

const Problem impact_hypotheses_problem{
    .name = ImpactHypotheses::name,
    .meaning = ImpactHypotheses::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::impact_hypotheses_figures, postproc::impact_hypotheses_report}};

}  // namespace stoss::solvers
