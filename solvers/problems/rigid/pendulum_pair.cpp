#include <solvers/problems/rigid/pendulum_pair.hpp>

#include <cmath>

#include <fmt/format.h>
#include <models/pendulum_pair.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/pendulum_figures.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

constexpr std::string_view name = "pendulum_pair";
constexpr std::string_view meaning =
    "two pendulums, the tip of one hits the side of the other: impacts, angular velocities";
constexpr std::size_t samples = 2001;        // of the history, evenly spaced
constexpr double tolerated_residual = 1e-3;  // of the largest kinetic energy

using Case = std::tuple<CaseHeader, models::PendulumPair, CaseExpectations>;

Case read_case(const io::Document& document) {
    Case parameters = io::read<CaseHeader, models::PendulumPair, CaseExpectations>(document);
    refuse(document, models::check(std::get<models::PendulumPair>(parameters)));
    return parameters;
}

io::Choice describe() {
    return {std::string(name), std::string(meaning), io::describe_keys<models::PendulumPair>()};
}
io::Node resolve(const Case& given) {
    const auto& [header, pair, expectations] = given;
    return io::to_node(header, pair, expectations);
}

/// A column of a table of `Row`s.
template <class Row>
struct Column {
    const char* name;
    double (*value)(const Row&);
};

template <class Row, std::size_t N>
void add_columns(io::Table& table, const Column<Row> (&columns)[N], const std::vector<Row>& rows) {
    for (const Column<Row>& column : columns) {
        std::vector<double> values;
        values.reserve(rows.size());
        for (const Row& row : rows) values.push_back(column.value(row));
        table.add(column.name, std::move(values));
    }
}

io::Table impact_table(const models::PendulumMotion& motion) {
    using Impact = models::PendulumImpact;
    static constexpr Column<Impact> columns[] = {
        {"start_s", [](const Impact& i) { return i.start; }},
        {"end_s", [](const Impact& i) { return i.end; }},
        {"approach_speed_m_per_s", [](const Impact& i) { return i.approach_speed; }},
        {"rebound_speed_m_per_s", [](const Impact& i) { return i.rebound_speed; }},
        {"restitution", [](const Impact& i) { return i.rebound_speed / i.approach_speed; }},
        {"effective_mass_kg", [](const Impact& i) { return i.effective_mass; }},
        {"impulse_N_s", [](const Impact& i) { return i.impulse; }},
        {"peak_force_N", [](const Impact& i) { return i.peak_force.value_or(io::no_number); }},
        {"peak_overlap_m", [](const Impact& i) { return i.peak_overlap; }},
        {"energy_lost_J", [](const Impact& i) { return i.energy_lost; }},
        {"angular_velocity_1_before_rad_per_s", [](const Impact& i) { return i.rates_before[0]; }},
        {"angular_velocity_2_before_rad_per_s", [](const Impact& i) { return i.rates_before[1]; }},
        {"angular_velocity_1_after_rad_per_s", [](const Impact& i) { return i.rates_after[0]; }},
        {"angular_velocity_2_after_rad_per_s", [](const Impact& i) { return i.rates_after[1]; }},
    };
    std::vector<std::int64_t> number;
    while (number.size() < motion.impacts.size()) {
        number.push_back(static_cast<std::int64_t>(number.size()) + 1);
    }
    io::Table table;
    table.add("impact", std::move(number));
    add_columns(table, columns, motion.impacts);
    return table;
}

io::Table history_table(const models::PendulumMotion& motion) {
    using Sample = models::PendulumSample;
    static constexpr Column<Sample> columns[] = {
        {"time_s", [](const Sample& s) { return s.time; }},
        {"angle_1_rad", [](const Sample& s) { return s.angles[0]; }},
        {"angle_2_rad", [](const Sample& s) { return s.angles[1]; }},
        {"angular_velocity_1_rad_per_s", [](const Sample& s) { return s.rates[0]; }},
        {"angular_velocity_2_rad_per_s", [](const Sample& s) { return s.rates[1]; }},
        {"gap_m", [](const Sample& s) { return s.gap; }},
        {"force_N", [](const Sample& s) { return s.force; }},
        {"energy_J", [](const Sample& s) { return s.energy; }},
        {"energy_lost_J", [](const Sample& s) { return s.lost; }},
    };
    io::Table table;
    add_columns(table, columns, motion.history);
    return table;
}

io::Table contact_table(const models::PendulumMotion& motion) {
    using Sample = impact::PendulumContactSample;
    static constexpr Column<Sample> columns[] = {
        {"time_s", [](const Sample& s) { return s.time; }},
        {"overlap_m", [](const Sample& s) { return s.overlap; }},
        {"overlap_rate_m_per_s", [](const Sample& s) { return s.rate; }},
        {"force_N", [](const Sample& s) { return s.force; }},
    };
    std::vector<std::int64_t> number;
    for (const Sample& sample : motion.contacts) {
        number.push_back(static_cast<std::int64_t>(sample.impact) + 1);
    }
    io::Table table;
    table.add("impact", std::move(number));
    add_columns(table, columns, motion.contacts);
    return table;
}

io::Value summary_of(const models::PendulumMotion& motion) {
    double lost = 0.0, peak_force = 0.0;
    for (const models::PendulumImpact& impact : motion.impacts) {
        lost += impact.energy_lost;
        peak_force = std::max(peak_force, impact.peak_force.value_or(0.0));
    }
    io::Value summary = io::Value::object();
    summary.set("status", to_string(motion.status));
    summary.set("impacts", motion.impacts.size());
    summary.set("followed_s", motion.end);
    summary.set("energy_lost_J", lost);
    if (!motion.contacts.empty()) summary.set("peak_force_N", peak_force);
    summary.set("energy_residual", motion.energy_residual);
    return summary;
}

/// Adds what is doubtful about the motion, and how the run ended.
void judge(Outcome& outcome, const models::PendulumMotion& motion) {
    using models::PendulumStatus;
    if (motion.status == PendulumStatus::interrupted) outcome.ending = Ending::interrupted;
    if (motion.status == PendulumStatus::not_finite) outcome.ending = Ending::numerical_failure;
    if (motion.status == PendulumStatus::tip_missed) {
        outcome.warnings.push_back(
            fmt::format("at {:.6g} s the tip of rod 2 passed an end of rod 1; the motion after "
                        "this is not modelled",
                        motion.end));
    }
    if (std::abs(motion.energy_residual) > tolerated_residual) {
        outcome.warnings.push_back(
            fmt::format("the error of the energy balance is {:.2g} of the largest kinetic energy",
                        motion.energy_residual));
    }
}

Outcome solve(const Case& given, const RunOptions& options) {
    const auto& [header, pair, expectations] = given;
    const models::PendulumMotion motion = models::swing(pair, samples, options.stop);
    Outcome outcome;
    outcome.header = header;
    outcome.expect = expectations.expect;
    outcome.summary = summary_of(motion);
    outcome.headlines = {"status", "impacts", "followed_s", "energy_lost_J", "energy_residual"};
    outcome.tables.emplace_back("impacts.csv", impact_table(motion));
    outcome.tables.emplace_back("history.csv", history_table(motion));
    if (!motion.contacts.empty()) {
        outcome.tables.emplace_back("contact.csv", contact_table(motion));
    }
    outcome.curves = Curves{"impacts.csv", "impact", {}};
    judge(outcome, motion);
    return outcome;
}

}  // namespace

const Problem pendulum_pair_problem{
    .name = name,
    .meaning = meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::pendulum_pair_figures, postproc::pendulum_pair_report}};

}  // namespace stoss::solvers
