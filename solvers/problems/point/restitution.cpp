#include <solvers/problems/point/restitution.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <models/single_impact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/impact_ending.hpp>
#include <solvers/case/key_slopes.hpp>
#include <solvers/case/memory.hpp>
#include <solvers/case/open_rows.hpp>
#include <solvers/case/ranged_case.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/point/impact_figures.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/checkpoint.hpp>

namespace stoss::solvers {

namespace {

constexpr std::size_t most_in_block = 1000;  // impacts between two looks at the clock

std::vector<io::KeyDescription> impact_keys() {
    return io::describe_keys<models::SingleImpact>();
}

struct RestitutionCase {
    io::Document document;
    CaseHeader header;
    CaseExpectations expectations;
    models::SingleImpact impact;
    ImpactRestitution keys;
    std::vector<Steps> ranges;
    std::vector<Branch<models::SingleImpact>> branches;  ///< one a curve or map

    /// Impacts of a branch.
    std::size_t points() const {
        std::size_t count = 1;
        for (const Steps& range : ranges) count *= range.points;
        return count;
    }
    std::size_t rows() const { return branches.size() * points(); }

    /// Value of range `which` at a row; the last range runs fastest.
    double value(std::size_t which, std::size_t row) const {
        const std::size_t fast = ranges.size() == 2 ? ranges[1].points : 1;
        const std::size_t point = row % points();
        return ranges[which][which == 0 ? point / fast : point % fast];
    }
    models::SingleImpact at(std::size_t row) const {
        models::SingleImpact parameters = branches[row / points()].parameters;
        for (std::size_t i = 0; i < ranges.size(); ++i)
            number_at(parameters, keys.over[i].key).set(value(i, row));
        return parameters;
    }
};

auto read_all(const io::Document& document) {
    return io::read<CaseHeader, models::SingleImpact, ImpactRestitution, CaseExpectations>(
        document);
}

/// The results of an impact, in the order of the columns.
struct Column {
    const char* name;
    std::optional<double> impact::Restitution::*member;
};
constexpr std::array columns{Column{"cor", &impact::Restitution::cor},
                             Column{"duration_s", &impact::Restitution::duration},
                             Column{"peak_force_N", &impact::Restitution::peak_force},
                             Column{"peak_overlap_m", &impact::Restitution::peak_overlap},
                             Column{"end_overlap_m", &impact::Restitution::end_overlap},
                             Column{"energy_lost_J", &impact::Restitution::energy_lost}};

/// What is wrong with the keys of `over:` and `sweep:`.
std::vector<core::Violation> check_keys(const RestitutionCase& all) {
    std::vector<core::Violation> violations = check_repeated_keys(all.keys.over, all.keys.sweep);
    if (all.keys.sweep) {
        core::append(check_sweep(*all.keys.sweep, impact_keys(), ImpactRestitution::name, "speed"),
                     violations);
    }
    if (all.keys.over.size() > 2) {
        violations.push_back({"over", fmt::format("{} keys", all.keys.over.size()),
                              "must hold at most two keys", "give a further key in `sweep`"});
    }
    for (std::size_t i = 0; i < all.keys.over.size(); ++i) {
        models::SingleImpact copy = all.impact;
        if (number_at(copy, all.keys.over[i].key)) continue;
        auto found = check_sweep({all.keys.over[i].key, {""}}, impact_keys(),
                                 ImpactRestitution::name, "speed");
        if (found.empty()) found.push_back(is_no_quantity(all.keys.over[i].key));
        for (core::Violation& violation : found) {
            violation.key = fmt::format("over[{}].key", i);
            violations.push_back(std::move(violation));
        }
    }
    return violations;
}

/// What is wrong with the keys of `gradient:`.
std::vector<core::Violation> check_gradient(const RestitutionCase& all) {
    if (!all.keys.gradient) return {};
    std::vector<core::Violation> violations =
        check_single(!all.keys.over.empty() || all.keys.sweep);
    models::SingleImpact copy = all.impact;
    core::append(check_slope_keys(
                     *all.keys.gradient, [&](std::string_view key) { return number_at(copy, key); },
                     single_keys(impact_keys()), "for example speed"),
                 violations);
    return violations;
}

std::vector<core::Violation> check_size(const ImpactRestitution& keys) {
    if (keys.over.empty()) return {};
    double impacts = 1.0;
    for (const KeyRange& range : keys.over) impacts *= static_cast<double>(range.points);
    if (keys.sweep) impacts *= static_cast<double>(keys.sweep->values.size());
    return check_memory("over[0].points", std::to_string(keys.over.front().points),
                        impacts * static_cast<double>(columns.size()) * bytes_per_number,
                        fmt::format("use fewer points: they give {:.3g} impacts", impacts));
}

/// Refuses a hollow that is too narrow for Hertz's theory under the force that came.
void check_width(const RestitutionCase& all, const models::SingleImpact& parameters,
                 const impact::Restitution& result) {
    if (!parameters.body || !result.peak_force) return;
    refuse(all.document,
           models::check_width(*parameters.body, parameters.target, *result.peak_force));
}

/// The same before a run of single impacts, whose forces are soon known.
void check_width(const RestitutionCase& all) {
    if (!all.ranges.empty()) return;
    for (const Branch<models::SingleImpact>& branch : all.branches) {
        const models::SingleImpact& impact = branch.parameters;
        if (impact.body && models::is_hollow(impact.target))
            check_width(all, impact, impact::restitution(impact.law(), impact.impact()));
    }
}

RestitutionCase read_case(const io::Document& document) {
    RestitutionCase all;
    all.document = document;
    std::tie(all.header, all.impact, all.keys, all.expectations) = read_all(document);
    refuse(document, check_keys(all));
    refuse(document, check_gradient(all));
    refuse(document, check_size(all.keys));
    const auto read = [](const io::Document& changed) { return std::get<1>(read_all(changed)); };
    const auto own = check_outside_ranges(all.impact, all.keys.over);
    all.ranges = read_ranges(document, all.impact, all.keys.over, own, read);
    all.branches = branches_of(document, all.keys.sweep, all.impact, own, read);
    check_width(all);
    return all;
}

io::Choice describe() {
    return io::describe_choice<ImpactRestitution, models::SingleImpact>();
}
io::Node resolve(const RestitutionCase& all) {
    return io::to_node(all.header, all.impact, all.keys, all.expectations);
}

// ---- One impact

io::Table path_table(const impact::Path& path) {
    std::vector<double> time, overlap, rate, force;
    for (const impact::PathPoint& point : path.points) {
        time.push_back(point.time);
        overlap.push_back(point.overlap);
        rate.push_back(point.rate);
        force.push_back(point.force);
    }
    io::Table table;
    table.add("time_s", std::move(time));
    table.add("overlap_m", std::move(overlap));
    table.add("rate_m_per_s", std::move(rate));
    table.add("force_N", std::move(force));
    return table;
}

constexpr double roundoff = 1e-12;  // of e

/// The results with derivatives; none for numbers that no case may have. The energy that roundoff
/// of e loses is none.
std::vector<double> smooth_results(const models::SingleImpact& impact, bool with_energy) {
    if (!models::check(impact).empty()) return {};
    impact::Restitution result = impact::restitution(impact.law(), impact.impact());
    if (!with_energy) result.energy_lost.reset();
    if (result.energy_lost && std::abs(result.cor.value_or(0.0) - 1.0) < roundoff)
        result.energy_lost = 0.0;
    std::vector<double> values;
    for (const Column& column : columns)
        values.push_back((result.*column.member).value_or(io::no_number));
    return values;
}

/// The number of a key in the range that the load m g + F >= 0 leaves it: without a load its
/// derivatives are those to one side.
NumberKey slope_key(models::SingleImpact& impact, const std::string& key) {
    NumberKey number = number_at(impact, key);
    const double mass = impact.effective_mass().value();
    if (key == "load") number.range = core::at_least(-mass * impact.gravity);
    if (key == "gravity") number.range = core::at_least(-impact.load / mass);
    return number;
}

/// True unless so little energy is lost that 1 - e^2 has few digits.
bool has_smooth_energy(const impact::Restitution& result) {
    constexpr double few_digits = 1e-10;  // 1 - e
    const double lost = std::abs(result.cor.value_or(0.0) - 1.0);
    return lost < roundoff || lost >= few_digits;
}

/// gradient.csv, and the logarithmic derivatives of e in the summary.
void add_gradient(Outcome& outcome, const RestitutionCase& all, const impact::Restitution& own) {
    if (!all.keys.gradient) return;
    std::vector<std::string> names;
    for (const Column& column : columns) names.emplace_back(column.name);
    models::SingleImpact impact = all.impact;
    const bool with_energy = has_smooth_energy(own);
    SlopeTable slopes(
        std::move(names), [&] { return smooth_results(impact, with_energy); },
        [&] { return models::check(impact); });
    for (const std::string& key : *all.keys.gradient) slopes.add(key, slope_key(impact, key));
    slopes.warn(outcome.warnings);
    if (!with_energy)
        outcome.warnings.push_back(
            fmt::format("no derivatives of energy_lost_J: too much of 1 - e = {:.2g} is roundoff",
                        1.0 - own.cor.value()));
    outcome.summary.set("log_cor", slopes.logarithmic("cor"));
    outcome.tables.emplace_back("gradient.csv", slopes.table());
}

void warn_of_deep_overlap(Outcome& outcome, const RestitutionCase& all, double share) {
    warn_of_deep_overlap(outcome, share, all.impact.body ? "smaller radius" : "effective radius");
}

void add_impact(Outcome& outcome, const RestitutionCase& all) {
    const models::SingleImpact& parameters = all.impact;
    const impact::Impact impact = parameters.impact();
    const impact::Path path = impact::path_of(parameters.law(), impact);
    check_width(all, parameters, path.restitution);
    outcome.summary.set("status", impact::to_string(path.restitution.status));
    for (const Column& column : columns)
        outcome.summary.set(column.name, (path.restitution.*column.member).value_or(io::no_number));
    outcome.summary.set("critical_load_N", impact::critical_load(parameters.law(), impact));
    outcome.tables.emplace_back("path.csv", path_table(path));
    add_gradient(outcome, all, path.restitution);
    outcome.headlines = {"status",         "cor", "duration_s", "peak_force_N", "peak_overlap_m",
                         "critical_load_N"};
    if (path.restitution.status == impact::ImpactOutcome::failed) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.emplace_back(
            "the motion cannot be computed: its numbers are beyond the range of doubles, it takes "
            "too many steps, roundoff hides the speed under this load, or the law carries less "
            "than this load");
    }
    warn_of_deep_overlap(outcome, all,
                         parameters.share_of_radius(path.restitution.peak_overlap.value_or(0.0)));
}

// ---- Many

using Block = std::vector<double>;  // rows of the columns and the status, one after the other
constexpr std::size_t width = columns.size() + 1;

Block compute_block(const RestitutionCase& all, std::size_t first, std::size_t count) {
    Block block;
    block.reserve(count * width);
    for (std::size_t row = first; row < first + count; ++row) {
        const models::SingleImpact parameters = all.at(row);
        const auto result = impact::restitution(parameters.law(), parameters.impact());
        check_width(all, parameters, result);
        for (const Column& column : columns)
            block.push_back((result.*column.member).value_or(io::no_number));
        block.push_back(static_cast<double>(result.status));
    }
    return block;
}

/// Computes the blocks that the checkpoint does not hold yet. Those left empty
/// were interrupted, or are of another shard.
std::vector<Block> compute_blocks(const RestitutionCase& all, const RunOptions& options) {
    std::vector<Block> blocks((all.rows() + most_in_block - 1) / most_in_block);
    const auto size = [&](std::size_t i) {
        return std::min(most_in_block, all.rows() - i * most_in_block);
    };
    const std::vector<std::size_t> open = open_rows(blocks, options);
    std::size_t impacts = 0;
    for (const std::size_t i : open) impacts += size(i);
    core::Progress progress("impacts", impacts, options.quiet);
    core::parallel_for(
        open.size(), options.threads,
        [&](std::size_t item) {
            const std::size_t i = open[item];
            blocks[i] = compute_block(all, i * most_in_block, size(i));
            if (options.checkpoint) options.checkpoint->add(i, blocks[i]);
            progress.advance(size(i));
        },
        options.stop);
    return blocks;
}

io::Table map_table(const RestitutionCase& all, const std::vector<Block>& blocks) {
    const auto number = [&](std::size_t row, std::size_t column) {
        return blocks[row / most_in_block][row % most_in_block * width + column];
    };
    io::Table table;
    for (std::size_t i = 0; i < all.ranges.size(); ++i) {
        std::vector<double> values(all.rows());
        for (std::size_t row = 0; row < values.size(); ++row) values[row] = all.value(i, row);
        models::SingleImpact copy = all.impact;
        const auto& key = all.keys.over[i].key;
        table.add(column_of(key, number_at(copy, key).unit), std::move(values));
    }
    for (std::size_t column = 0; column < columns.size(); ++column) {
        std::vector<double> values(all.rows());
        for (std::size_t row = 0; row < values.size(); ++row) values[row] = number(row, column);
        table.add(columns[column].name, std::move(values));
    }
    std::vector<std::string> statuses(all.rows());
    for (std::size_t row = 0; row < statuses.size(); ++row) {
        const auto status =
            static_cast<impact::ImpactOutcome>(static_cast<int>(number(row, width - 1)));
        statuses[row] = impact::to_string(status);
    }
    table.add("status", std::move(statuses));
    if (all.keys.sweep) add_sweep_column(table, *all.keys.sweep, impact_keys(), all.points());
    return table;
}

void add_summary(Outcome& outcome, const io::Table& table) {
    const auto cor = table.numbers("cor");
    const auto statuses = table.texts("status");
    const auto count = [&](impact::ImpactOutcome rebound) {
        return std::count(statuses.begin(), statuses.end(), impact::to_string(rebound));
    };
    double least = io::no_number, greatest = io::no_number;  // of no impact, if none has an e
    for (const double e : cor) {
        least = std::fmin(least, e);
        greatest = std::fmax(greatest, e);
    }
    outcome.summary.set("impacts", cor.size());
    outcome.summary.set("impacts_that_stick", count(impact::ImpactOutcome::sticks));
    outcome.summary.set("impacts_failed", count(impact::ImpactOutcome::failed));
    outcome.summary.set("cor_min", least);
    outcome.summary.set("cor_max", greatest);
    outcome.headlines = {"impacts", "impacts_that_stick", "impacts_failed", "cor_min", "cor_max"};
    if (count(impact::ImpactOutcome::failed) > 0) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.push_back(fmt::format("{} of {} impacts cannot be computed",
                                               count(impact::ImpactOutcome::failed), cor.size()));
    }
}

void add_map(Outcome& outcome, const RestitutionCase& all, const std::vector<Block>& blocks) {
    io::Table table = map_table(all, blocks);
    add_summary(outcome, table);
    double deepest = 0.0;  // overlap over the radius
    const auto overlaps = table.numbers("peak_overlap_m");
    for (std::size_t row = 0; row < overlaps.size(); ++row)
        deepest = std::max(deepest, all.at(row).share_of_radius(overlaps[row]));
    warn_of_deep_overlap(outcome, all, deepest);
    if (all.keys.sweep) outcome.summary.set("sweep", table.columns.back().name);
    if (!all.ranges.empty()) {
        outcome.summary.set("place", table.columns[all.ranges.size() - 1].name);
        if (all.ranges.size() == 2) outcome.summary.set("second_place", table.columns[0].name);
        outcome.curves = {"map.csv", table.columns[all.ranges.size() - 1].name, {}};
        for (const auto& branch : all.branches) {
            auto& labels = outcome.curves->row_labels;
            labels.insert(labels.end(), all.points(), branch.label);
        }
    }
    outcome.tables.emplace_back("map.csv", std::move(table));
}

Outcome solve(const RestitutionCase& all, const RunOptions& options) {
    Outcome outcome;
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    outcome.summary = io::Value::object();
    if (all.ranges.empty() && !all.keys.sweep) {
        add_impact(outcome, all);
        return outcome;
    }
    const std::vector<Block> blocks = compute_blocks(all, options);
    outcome.items = "impacts";
    outcome.item_count = all.rows();
    for (const Block& block : blocks) outcome.items_done += block.size() / width;
    if (outcome.items_done < outcome.item_count) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    add_map(outcome, all, blocks);
    return outcome;
}

}  // namespace

const Problem restitution_problem{
    .name = ImpactRestitution::name,
    .meaning = ImpactRestitution::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::restitution_figures, postproc::restitution_report},
    .has_shards = true};

}  // namespace stoss::solvers
