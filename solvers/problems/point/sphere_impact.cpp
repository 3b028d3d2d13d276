#include <solvers/problems/point/sphere_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <models/plausibility.hpp>
#include <models/sphere_impact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/impact_ending.hpp>
#include <solvers/case/key_slopes.hpp>
#include <solvers/case/long_table.hpp>
#include <solvers/case/ranged_case.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/point/impact_figures.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/units.hpp>

namespace stoss::solvers {

namespace {

using models::SphereImpact;
using models::SphereImpactResult;

std::vector<io::KeyDescription> impact_keys() {
    return io::describe_keys<SphereImpact>();
}

struct Case {
    CaseHeader header;
    CaseExpectations expectations;
    SphereImpactRange keys;
    RangedCase<SphereImpact> impacts;
    std::vector<std::vector<double>> measured_at;  ///< SI; of each measurement
};

auto read_all(const io::Document& document) {
    return io::read<CaseHeader, SphereImpact, SphereImpactRange, CaseExpectations>(document);
}

// ---- Numbers of an impact

/// Slip [m/s] that rigid spheres with the same normal restitution keep
/// (theory/compliant_spheres.md 16.6).
double rigid_slip(const SphereImpact& impact, const SphereImpactResult& result) {
    if (!result.cor) return io::no_number;
    const double before = std::abs(result.slip_before);
    const double friction = 3.5 * impact.mu * (1.0 + *result.cor) * impact.motion.normal();
    return std::copysign(std::max(0.0, before - friction), result.slip_before);
}

/// Angle [deg] of a velocity to the normal, positive along the tangential velocity before.
double angle_to_normal(double tangential, double normal) {
    return core::atan2(tangential, normal) * 180.0 / std::numbers::pi;
}

/// What a number is about: any impact, or the motion after it, which a contact without end lacks.
enum class Shows { any, after };

/// A number of an impact, by the name of its column.
struct Column {
    const char* name;
    double (*at_last_step)(const SphereImpact&, const SphereImpactResult&);
    Shows shows = Shows::any;

    double value(const SphereImpact& impact, const SphereImpactResult& result) const {
        const bool has_ended = result.status == models::SphereImpactStatus::separated;
        return has_ended || shows == Shows::any ? at_last_step(impact, result) : io::no_number;
    }
};
using I = const SphereImpact&;
using R = const SphereImpactResult&;
constexpr std::array columns{
    Column{"cor", [](I, R r) { return r.cor.value_or(io::no_number); }},
    Column{"cor_of_law", [](I, R r) { return r.cor_of_law.value_or(io::no_number); }},
    Column{"cor_tangential",
           [](I i, R r) {
               const double before = i.motion.tangential();
               return before == 0.0 ? io::no_number : r.sphere.tangential / before;
           },
           Shows::after},
    Column{"normal_velocity_m_per_s", [](I, R r) { return r.sphere.normal; }, Shows::after},
    Column{"tangential_velocity_m_per_s", [](I, R r) { return r.sphere.tangential; }, Shows::after},
    Column{"angular_velocity_rad_per_s", [](I, R r) { return r.sphere.angular; }, Shows::after},
    Column{"target_normal_velocity_m_per_s", [](I, R r) { return r.target.normal; }, Shows::after},
    Column{"target_tangential_velocity_m_per_s", [](I, R r) { return r.target.tangential; },
           Shows::after},
    Column{"target_angular_velocity_rad_per_s", [](I, R r) { return r.target.angular; },
           Shows::after},
    Column{"slip_before_m_per_s", [](I, R r) { return r.slip_before; }},
    Column{"slip_m_per_s", [](I, R r) { return r.slip; }, Shows::after},
    Column{"slip_of_rigid_spheres_m_per_s", [](I i, R r) { return rigid_slip(i, r); }},
    Column{"slip_restitution",
           [](I, R r) { return r.slip_before == 0.0 ? io::no_number : -r.slip / r.slip_before; },
           Shows::after},
    Column{"incidence", [](I i, R r) { return r.slip_before / i.motion.normal(); }},
    Column{"rebound",
           [](I i, R r) {
               const double rebound = r.cor.value_or(0.0) * i.motion.normal();
               return rebound == 0.0 ? io::no_number : r.slip / rebound;
           },
           Shows::after},
    Column{"duration_s", [](I, R r) { return r.duration.value_or(io::no_number); }},
    Column{"peak_force_N", [](I, R r) { return r.peak_force; }},
    Column{"peak_overlap_m", [](I, R r) { return r.peak_overlap; }},
    Column{"normal_loss_J", [](I, R r) { return r.energy.normal_loss; }, Shows::after},
    Column{"friction_loss_J", [](I, R r) { return r.energy.friction_loss; }, Shows::after},
    Column{"energy_residual", [](I, R r) { return r.energy_residual; }},
    Column{"momentum_residual", [](I, R r) { return r.momentum_residual; }},
    Column{"slid", [](I, R r) { return r.slid ? 1.0 : 0.0; }, Shows::after},
    Column{"incidence_angle_deg",
           [](I i, R) { return angle_to_normal(i.motion.tangential(), i.motion.normal()); }},
    Column{"rebound_angle_deg",
           [](I, R r) { return angle_to_normal(r.sphere.tangential, r.sphere.normal); },
           Shows::after},
    Column{"incidence_angle_of_contact_deg",
           [](I i, R r) { return angle_to_normal(r.slip_before, i.motion.normal()); }},
    Column{"rebound_angle_of_contact_deg",
           [](I, R r) { return angle_to_normal(r.slip, r.sphere.normal); }, Shows::after}};

/// Columns with derivatives: what the impact leaves, and its largest values.
constexpr std::array<std::string_view, 14> smooth_columns{"cor",
                                                          "cor_tangential",
                                                          "normal_velocity_m_per_s",
                                                          "tangential_velocity_m_per_s",
                                                          "angular_velocity_rad_per_s",
                                                          "target_normal_velocity_m_per_s",
                                                          "target_tangential_velocity_m_per_s",
                                                          "target_angular_velocity_rad_per_s",
                                                          "slip_m_per_s",
                                                          "duration_s",
                                                          "peak_force_N",
                                                          "peak_overlap_m",
                                                          "normal_loss_J",
                                                          "friction_loss_J"};

/// The column that a measurement is about; null if there is none.
const Column* column_named(const std::string& name) {
    const auto* const found = std::ranges::find(columns, name, &Column::name);
    return found == columns.end() ? nullptr : found;
}

std::vector<core::Violation> check_measurements(const SphereImpactRange& keys) {
    std::vector<core::Violation> violations;
    if (!keys.measurements.empty() && (keys.over.empty() || keys.sweep)) {
        violations.push_back(
            {"measurements", "", "need exactly one curve: give `over`, and no `sweep`", ""});
        return violations;
    }
    for (std::size_t i = 0; i < keys.measurements.size(); ++i) {
        const Measurement& each = keys.measurements[i];
        const std::string path = fmt::format("measurements[{}]", i);
        if (column_named(each.quantity) == nullptr) {
            std::vector<std::string> names;
            for (const Column& column : columns) names.emplace_back(column.name);
            violations.push_back({path + ".quantity", each.quantity, "is not a column of map.csv",
                                  fmt::format("the columns are {}", fmt::join(names, ", "))});
        }
        if (each.at.size() != each.values.size() || each.at.empty()) {
            violations.push_back(
                {path + ".values", fmt::format("{} values", each.values.size()),
                 fmt::format("must be as many as the {} places of `at`, and at least one",
                             each.at.size()),
                 ""});
        }
    }
    return violations;
}

std::vector<core::Violation> check_gradient(const SphereImpact& impact,
                                            const SphereImpactRange& keys) {
    if (!keys.gradient) return {};
    std::vector<core::Violation> violations = check_single(!keys.over.empty() || keys.sweep);
    SphereImpact copy = impact;
    core::append(check_slope_keys(
                     *keys.gradient, [&](std::string_view key) { return number_at(copy, key); },
                     single_keys(impact_keys()), "for example mu"),
                 violations);
    return violations;
}

std::vector<core::Violation> check_keys(const SphereImpact& impact, const SphereImpactRange& keys) {
    auto violations = check_ranges(impact, keys.over, keys.sweep, SphereImpactRange::name,
                                   "motion.angular_velocity");
    std::ranges::move(check_measurements(keys), std::back_inserter(violations));
    core::append(check_gradient(impact, keys), violations);
    return violations;
}

/// The places of the measurements, each read as the key of the range would be.
void read_places(Case& all, const io::Document& document) {
    if (!all.impacts.range) return;
    const Steps& range = *all.impacts.range;
    std::vector<core::Violation> violations;
    const std::string_view unit = number_at(all.impacts.given, all.impacts.key).unit;
    for (std::size_t i = 0; i < all.keys.measurements.size(); ++i) {
        all.measured_at.emplace_back();
        for (const std::string& text : all.keys.measurements[i].at) {
            const auto place = io::parse_quantity(text, unit);
            if (const auto* const number = std::get_if<double>(&place);
                number != nullptr && *number >= std::min(range.from, range.to) &&
                *number <= std::max(range.from, range.to)) {
                all.measured_at.back().push_back(*number);
                continue;
            }
            violations.push_back({fmt::format("measurements[{}].at", i), text,
                                  "must be a place in the range of `over`", ""});
        }
    }
    refuse(document, violations);
}

Case read_case(const io::Document& document) {
    Case all;
    SphereImpact impact;
    std::tie(all.header, impact, all.keys, all.expectations) = read_all(document);
    refuse(document, check_keys(impact, all.keys));
    all.impacts =
        read_ranged(document, impact, all.keys.over, all.keys.sweep,
                    [](const io::Document& changed) { return std::get<1>(read_all(changed)); });
    read_places(all, document);
    return all;
}

io::Choice describe() {
    return io::describe_choice<SphereImpactRange, SphereImpact>();
}
io::Node resolve(const Case& all) {
    return io::to_node(all.header, all.impacts.given, all.keys, all.expectations);
}

InputEcho echo(const Case& all) {
    for (const Branch<SphereImpact>& branch : all.impacts.branches) {
        auto doubts = models::implausible_line_contact(branch.parameters.contact.law, "contact");
        if (!doubts.empty()) return {{}, std::move(doubts)};
    }
    return {};
}

// ---- Results

io::Table path_table(const std::vector<models::SphereImpactMoment>& path) {
    io::Table table;
    const auto add = [&](const char* name, const auto& value) {
        std::vector<double> values;
        for (const models::SphereImpactMoment& moment : path) values.push_back(value(moment));
        table.add(name, std::move(values));
    };
    using M = const models::SphereImpactMoment&;
    add("time_s", [](M m) { return m.time; });
    add("overlap_m", [](M m) { return m.overlap; });
    add("normal_force_N", [](M m) { return m.normal_force; });
    add("tangential_force_N", [](M m) { return m.tangential_force; });
    add("slip_m_per_s", [](M m) { return m.slip; });
    add("angular_velocity_rad_per_s", [](M m) { return m.angular_velocity; });
    add("energy_kinetic_J", [](M m) { return m.energy.translation + m.energy.rotation; });
    add("energy_stored_J", [](M m) { return m.energy.stored; });
    add("normal_loss_J", [](M m) { return m.energy.normal_loss; });
    add("friction_loss_J", [](M m) { return m.energy.friction_loss; });
    return table;
}

io::Table map_table(const Case& all, const std::vector<SphereImpactResult>& results) {
    io::Table table;
    const RangedCase<SphereImpact>& impacts = all.impacts;
    if (impacts.range) table.add(impacts.place_name(), impacts.places());
    for (const Column& column : columns) {
        std::vector<double> values;
        for (std::size_t row = 0; row < impacts.rows(); ++row)
            values.push_back(column.value(impacts.at(row), results[row]));
        table.add(column.name, std::move(values));
    }
    std::vector<std::string> statuses;
    for (const SphereImpactResult& result : results)
        statuses.emplace_back(to_string(result.status));
    table.add("status", std::move(statuses));
    if (impacts.sweep) add_sweep_column(table, *impacts.sweep, impact_keys(), impacts.points());
    return table;
}

/// One row a measured value: measured, ours at the same place, ours - measured.
io::Table comparison_table(const Case& all) {
    std::vector<std::string> labels, quantities;
    std::vector<double> places, measured, computed, differences;
    for (std::size_t i = 0; i < all.keys.measurements.size(); ++i) {
        const Measurement& each = all.keys.measurements[i];
        for (std::size_t j = 0; j < each.values.size(); ++j) {
            const SphereImpact impact = all.impacts.at_place(all.measured_at[i][j]);
            labels.push_back(each.label);
            quantities.push_back(each.quantity);
            places.push_back(all.measured_at[i][j]);
            measured.push_back(each.values[j]);
            computed.push_back(column_named(each.quantity)->value(impact, follow(impact, nullptr)));
            differences.push_back(computed.back() - measured.back());
        }
    }
    io::Table table;
    table.add("label", std::move(labels));
    table.add("quantity", std::move(quantities));
    table.add(all.impacts.place_name(), std::move(places));
    table.add("measured", std::move(measured));
    table.add("computed", std::move(computed));
    table.add("difference", std::move(differences));
    return table;
}

/// How far the time steps change e, of the change that is tolerated. Precondition: separated.
double change_by_steps(const SphereImpactResult& result) {
    constexpr double share = 0.01, least = 0.001;
    const double of_law = *result.cor_of_law;
    return std::abs(*result.cor - of_law) / std::max(least, share * of_law);
}

/// Error of the energy balance over the energy that the motion along the normal had. The energy of
/// the motion across it may be far larger.
double residual_of_normal(const SphereImpact& impact, const SphereImpactResult& result) {
    const double v = impact.motion.normal(), residual = result.energy_residual;
    const double error = result.energy.total() * residual / (1.0 + residual);
    return std::abs(error) / (0.5 * impact.effective_mass() * v * v);
}

/// Warns where the time steps change the motion along the normal: by e where it is that of the law
/// alone, by the balance of energies where the normal turns.
void warn_of_normal_motion(Outcome& outcome, const RangedCase<SphereImpact>& impacts,
                           const std::vector<SphereImpactResult>& results) {
    constexpr double tolerated_residual = 1e-3;
    double change = 1.0, residual = tolerated_residual;
    const SphereImpactResult* changed = nullptr;
    for (std::size_t row = 0; row < results.size(); ++row) {
        const SphereImpactResult& each = results[row];
        if (each.status != models::SphereImpactStatus::separated) continue;
        const SphereImpact impact = impacts.at(row);
        if (!impact.keeps_its_normal()) {
            residual = std::max(residual, residual_of_normal(impact, each));
        } else if (change_by_steps(each) > change) {
            change = change_by_steps(each);
            changed = &each;
        }
    }
    if (changed != nullptr) {
        outcome.warnings.push_back(fmt::format(
            "the time steps change cor from {:.3g} to {:.3g}{}; raise steps", *changed->cor_of_law,
            *changed->cor, results.size() > 1 ? " in the worst impact" : ""));
    }
    if (residual > tolerated_residual) {
        outcome.warnings.push_back(
            fmt::format("the error of the energy balance of an impact is {:.2g} of the energy of "
                        "its motion along the normal; raise steps",
                        residual));
    }
}

/// Warns of grazing spheres that are past each other before the force can part them.
void warn_of_passing(Outcome& outcome, const std::vector<SphereImpactResult>& results) {
    const auto passing = std::count_if(results.begin(), results.end(), [](const auto& each) {
        return each.cor && *each.cor < 0.0;
    });
    if (passing == 0) return;
    outcome.warnings.push_back(
        fmt::format("in {} of {} impacts the spheres pass each other: their velocity along the "
                    "first normal keeps its sign, and cor is negative",
                    passing, results.size()));
}

void judge(Outcome& outcome, const RangedCase<SphereImpact>& impacts,
           const std::vector<SphereImpactResult>& results) {
    ImpactEndings endings;
    double deepest = 0.0;  // overlap over the smaller radius
    for (std::size_t row = 0; row < results.size(); ++row) {
        const SphereImpactResult& each = results[row];
        const SphereImpact impact = impacts.at(row);
        const bool judged_by_normal = each.status == models::SphereImpactStatus::separated &&
                                      !impact.keeps_its_normal();  // which is stricter
        endings.add(each.status == models::SphereImpactStatus::not_finite,
                    each.status == models::SphereImpactStatus::still_touching,
                    judged_by_normal ? 0.0 : each.energy_residual);
        deepest = std::max(deepest, each.peak_overlap / impact.smaller_radius());
    }
    endings.judge(outcome, "steps");
    warn_of_normal_motion(outcome, impacts, results);
    warn_of_passing(outcome, results);
    warn_of_deep_overlap(outcome, deepest);
}

/// The results with derivatives; none for numbers that no case may have.
std::vector<double> smooth_results(const SphereImpact& impact) {
    if (!check(impact).empty()) return {};
    const SphereImpactResult result = follow(impact, nullptr);
    std::vector<double> values;
    for (const std::string_view name : smooth_columns)
        values.push_back(column_named(std::string(name))->value(impact, result));
    return values;
}

/// gradient.csv, and logarithmic derivatives in the summary. Where sticking and sliding follow one
/// another the results depend on the places of the time steps, ever less the finer these are.
void add_gradient(Outcome& outcome, const Case& all, const RunOptions& options) {
    if (!all.keys.gradient) return;
    constexpr int fine = 100'000;                                     // steps
    const SlopeSteps lengths{{0x1p-7, 0x1p-9, 0x1p-11}, 1e-4, 2e-6};  // short ones reach no kink
    SphereImpact impact = all.impacts.given;
    impact.steps = std::max(impact.steps, fine);
    const auto results = [&] {
        return options.stop() ? std::vector<double>() : smooth_results(impact);
    };
    SlopeTable slopes(
        {smooth_columns.begin(), smooth_columns.end()}, results, [&] { return check(impact); },
        lengths);
    for (const std::string& key : *all.keys.gradient) slopes.add(key, number_at(impact, key));
    if (options.stop()) {
        outcome.ending = Ending::interrupted;
        return;
    }
    for (const auto& [name, column] :
         {std::pair{"log_cor", "cor"}, std::pair{"log_cor_tangential", "cor_tangential"},
          std::pair{"log_angular_velocity", "angular_velocity_rad_per_s"},
          std::pair{"log_slip", "slip_m_per_s"}})
        outcome.summary.set(name, slopes.logarithmic(column));
    slopes.warn(outcome.warnings);
    outcome.tables.emplace_back("gradient.csv", slopes.table());
}

void add_impact(Outcome& outcome, const Case& all, const RunOptions& options) {
    const SphereImpact& impact = all.impacts.given;
    std::vector<models::SphereImpactMoment> path;
    const SphereImpactResult result = follow(impact, &path);
    outcome.summary.set("status", to_string(result.status));
    for (const Column& column : columns)
        outcome.summary.set(column.name, column.value(impact, result));
    outcome.summary.set("mu", impact.mu);
    outcome.summary.set("friction_adhesion_N", impact.friction_adhesion());
    outcome.summary.set("tangential_ratio", impact.shear_ratio());
    outcome.summary.set("effective_mass_kg", impact.effective_mass());
    outcome.summary.set("effective_modulus_Pa", impact.effective_modulus());
    outcome.tables.emplace_back("path.csv", path_table(path));
    add_gradient(outcome, all, options);
    outcome.curves = {"path.csv", "time_s", std::vector<std::string>(path.size())};
    outcome.headlines = {
        "status",     "cor",          "slip_m_per_s",   "angular_velocity_rad_per_s",
        "duration_s", "peak_force_N", "energy_residual"};
    judge(outcome, all.impacts, {result});
}

void add_map(Outcome& outcome, const Case& all, const std::vector<SphereImpactResult>& results) {
    double cor_error = io::no_number, energy = 0.0, momentum = 0.0;
    std::size_t stuck = 0;
    for (const SphereImpactResult& result : results) {
        stuck += result.status == models::SphereImpactStatus::sticks;
        if (result.cor && result.cor_of_law)
            cor_error = std::fmax(cor_error, std::abs(*result.cor - *result.cor_of_law));
        energy = std::max(energy, std::abs(result.energy_residual));
        momentum = std::max(momentum, result.momentum_residual);
    }
    outcome.summary.set("impacts", results.size());
    outcome.summary.set("impacts_that_stick", stuck);
    outcome.summary.set("cor_error_max", cor_error);
    outcome.summary.set("energy_residual_max", energy);
    outcome.summary.set("momentum_residual_max", momentum);
    outcome.headlines = {"impacts", "impacts_that_stick", "cor_error_max", "energy_residual_max",
                         "momentum_residual_max"};
    io::Table table = map_table(all, results);
    if (all.keys.sweep) outcome.summary.set("sweep", table.columns.back().name);
    if (all.impacts.range) {
        outcome.summary.set("place", table.columns.front().name);
        outcome.curves = {"map.csv", table.columns.front().name, all.impacts.row_labels()};
    }
    outcome.tables.emplace_back("map.csv", std::move(table));
    if (!all.keys.measurements.empty()) {
        outcome.tables.emplace_back("comparison.csv", comparison_table(all));
        outcome.summary.set("measurements", all.keys.measurements.size());
    }
    judge(outcome, all.impacts, results);
}

Outcome solve(const Case& all, const RunOptions& options) {
    Outcome outcome;
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    outcome.summary = io::Value::object();
    if (all.impacts.is_single()) {
        add_impact(outcome, all, options);
        return outcome;
    }
    const auto compute = [](const SphereImpact& impact) { return follow(impact, nullptr); };
    const auto results = compute_rows(all.impacts, "impacts", options, compute, outcome);
    if (outcome.ending == Ending::interrupted) return outcome;
    add_map(outcome, all, results);
    return outcome;
}

}  // namespace

const Problem sphere_impact_problem{
    .name = SphereImpactRange::name,
    .meaning = SphereImpactRange::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve, echo>,
    .report = {postproc::sphere_impact_figures, postproc::sphere_impact_report}};

}  // namespace stoss::solvers
