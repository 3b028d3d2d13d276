#include <solvers/problems/rigid/pendulum_pair.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <models/pendulum_pair.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/key_slopes.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/problems/rigid/pendulum_figures.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

constexpr std::size_t samples = 2001;        // of the history, evenly spaced
constexpr double tolerated_residual = 1e-3;  // of the largest kinetic energy

/// Keys beside those of the pair.
struct PendulumKeys {
    static constexpr std::string_view name = "pendulum_pair";
    static constexpr std::string_view meaning =
        "two pendulums, the tip of one hits the side of the other: impacts, angular velocities";

    core::OrNone<std::vector<std::string>> gradient = {};

    static constexpr auto fields() {
        return std::tuple{core::field("gradient", &PendulumKeys::gradient,
                                      "keys by which the impacts are differentiated, such as "
                                      "rod_1.mass or gravity")};
    }
};

using Case = std::tuple<CaseHeader, models::PendulumPair, PendulumKeys, CaseExpectations>;

std::vector<core::Violation> check_gradient(const models::PendulumPair& pair,
                                            const PendulumKeys& keys) {
    if (!keys.gradient) return {};
    models::PendulumPair copy = pair;
    auto found = check_slope_keys(
        *keys.gradient, [&](std::string_view key) { return core::number_at(copy, key); },
        single_keys(io::describe_keys<models::PendulumPair>()), "for example gravity");
    for (std::size_t i = 0; i < keys.gradient->size(); ++i)
        if ((*keys.gradient)[i] == "duration")
            found.push_back({fmt::format("gradient[{}]", i), "duration",
                             "is a number of the computation, not of the rods",
                             "a key of the rods, of gravity or impact"});
    return found;
}

Case read_case(const io::Document& document) {
    Case parameters =
        io::read<CaseHeader, models::PendulumPair, PendulumKeys, CaseExpectations>(document);
    const auto& pair = std::get<models::PendulumPair>(parameters);
    auto violations = models::check(pair);
    core::append(check_gradient(pair, std::get<PendulumKeys>(parameters)), violations);
    refuse(document, violations);
    return parameters;
}

io::Choice describe() {
    return io::describe_choice<PendulumKeys, models::PendulumPair>();
}
io::Node resolve(const Case& given) {
    const auto& [header, pair, keys, expectations] = given;
    return io::to_node(header, pair, keys, expectations);
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

using Impact = models::PendulumImpact;
constexpr Column<Impact> impact_columns[] = {
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

io::Table impact_table(const models::PendulumMotion& motion) {
    std::vector<std::int64_t> number;
    while (number.size() < motion.impacts.size()) {
        number.push_back(static_cast<std::int64_t>(number.size()) + 1);
    }
    io::Table table;
    table.add("impact", std::move(number));
    add_columns(table, impact_columns, motion.impacts);
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

/// gradient.csv, and logarithmic derivatives of the first impact in the summary. Impulse and peak
/// force of a contact are found from samples, too coarse for differences.
void add_gradient(Outcome& outcome, models::PendulumPair pair, const std::vector<std::string>& keys,
                  const RunOptions& options) {
    std::vector<const Column<Impact>*> columns;
    std::vector<std::string> names;
    for (const Column<Impact>& column : impact_columns) {
        const std::string_view name = column.name;
        if (name == "impulse_N_s" || name == "peak_force_N") continue;
        columns.push_back(&column);
        names.emplace_back(name);
    }
    const auto impacts = [&] {
        std::vector<double> values;
        if (!models::check(pair).empty()) return values;
        for (const Impact& impact : models::swing(pair, 0, options.stop).impacts)
            for (const Column<Impact>* const column : columns)
                values.push_back(column->value(impact));
        return values;
    };
    const SlopeSteps lengths{{0x1p-6, 0x1p-8, 0x1p-10, 0x1p-12, 0x1p-14}, 3e-5, 1e-9};
    SlopeTable slopes(
        std::move(names), impacts, [&] { return models::check(pair); }, lengths, "impact");
    for (const std::string& key : keys) slopes.add(key, core::number_at(pair, key));
    if (options.stop()) {
        outcome.ending = Ending::interrupted;
        return;
    }
    for (const auto& [name, column] :
         {std::pair{"log_start", "start_s"}, std::pair{"log_restitution", "restitution"},
          std::pair{"log_approach_speed", "approach_speed_m_per_s"}})
        outcome.summary.set(name, slopes.logarithmic(column));
    slopes.warn(outcome.warnings);
    outcome.tables.emplace_back("gradient.csv", slopes.table());
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
    if (motion.status == PendulumStatus::not_finite) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.emplace_back("the motion diverged");
    }
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
    const auto& [header, pair, keys, expectations] = given;
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
    outcome.curves =
        Curves{"impacts.csv", "impact", std::vector<std::string>(motion.impacts.size())};
    if (keys.gradient && motion.status != models::PendulumStatus::interrupted)
        add_gradient(outcome, pair, *keys.gradient, options);
    judge(outcome, motion);
    return outcome;
}

}  // namespace

const Problem pendulum_pair_problem{
    .name = PendulumKeys::name,
    .meaning = PendulumKeys::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::pendulum_pair_figures, postproc::pendulum_pair_report}};

}  // namespace stoss::solvers
