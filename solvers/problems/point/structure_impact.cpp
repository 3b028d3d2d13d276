#include <solvers/problems/point/structure_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <models/structure_impact.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/ranged_case.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/point/structure_figures.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

namespace {

using models::StructureImpact;
using Result = models::StructureImpactResult;
using impact::InfiniteStructure;

constexpr std::size_t chart_points = 61;

struct Case {
    CaseHeader header;
    CaseExpectations expectations;
    StructureImpactRange keys;
    RangedCase<StructureImpact> impacts;
};

auto read_all(const io::Document& document) {
    return io::read<CaseHeader, StructureImpact, StructureImpactRange, CaseExpectations>(document);
}

/// Users of other problems look for a contact law here.
void refuse_contact_law(const io::Document& document) {
    const bool is_given = std::ranges::any_of(
        document.root.entries, [](const auto& entry) { return entry.key == "contact"; });
    if (!is_given) return;
    refuse(document,
           {{"contact", "", "is not a key here: the contact is that of Hertz, without loss",
             "leave it out; the stiffness follows from shapes and materials, or from the "
             "key `stiffness`. The problem beam_impact takes contact laws"}});
}

Case read_case(const io::Document& document) {
    refuse_contact_law(document);
    Case all;
    StructureImpact impact;
    std::tie(all.header, impact, all.keys, all.expectations) = read_all(document);
    refuse(document, check_ranges(impact, all.keys.over, all.keys.sweep, StructureImpactRange::name,
                                  "target.thickness"));
    all.impacts =
        read_ranged(document, impact, all.keys.over, all.keys.sweep,
                    [](const io::Document& changed) { return std::get<1>(read_all(changed)); });
    return all;
}

io::Choice describe() {
    return io::describe_choice<StructureImpactRange, StructureImpact>();
}
io::Node resolve(const Case& all) {
    return io::to_node(all.header, all.impacts.given, all.keys, all.expectations);
}

InfiniteStructure structure_of(const StructureImpact& impact) {
    return std::visit([]<class S>(const S&) { return S::structure; }, impact.target.shape);
}

std::string_view name_of(InfiniteStructure structure) {
    return structure == InfiniteStructure::plate ? models::InfinitePlate::name
                                                 : models::InfiniteBeam::name;
}

std::string_view status_of(const Result& result) {
    return impact::to_string(result.ends() ? impact::Status::separated
                                           : impact::Status::not_separated);
}

struct Column {
    const char* name;
    double Result::*member;
};
constexpr std::array columns{Column{"inelasticity_parameter", &Result::parameter},
                             Column{"cor", &Result::cor},
                             Column{"cor_error", &Result::cor_error},
                             Column{"duration_s", &Result::duration},
                             Column{"peak_force_N", &Result::peak_force},
                             Column{"peak_overlap_m", &Result::peak_overlap},
                             Column{"duration_ratio", &Result::duration_ratio},
                             Column{"peak_force_ratio", &Result::peak_force_ratio},
                             Column{"edge_distance_m", &Result::edge_distance},
                             Column{"wavelength_m", &Result::wavelength}};

io::Table map_table(const RangedCase<StructureImpact>& impacts,
                    const std::vector<Result>& results) {
    io::Table table;
    if (impacts.range) table.add(impacts.place_name(), impacts.places());
    std::vector<std::string> targets;
    for (std::size_t row = 0; row < results.size(); ++row)
        targets.emplace_back(name_of(structure_of(impacts.at(row))));
    table.add("target", std::move(targets));
    for (const Column& column : columns) {
        std::vector<double> values;
        for (const Result& result : results) values.push_back(result.*column.member);
        table.add(column.name, std::move(values));
    }
    std::vector<std::string> statuses;
    for (const Result& result : results) statuses.emplace_back(status_of(result));
    table.add("status", std::move(statuses));
    if (impacts.sweep)
        add_sweep_column(table, *impacts.sweep, io::describe_keys<StructureImpact>(),
                         impacts.points());
    return table;
}

/// e, duration and peak force over the parameter of both structures.
io::Table chart_table(const RangedCase<StructureImpact>& impacts,
                      const std::vector<Result>& results, int threads) {
    std::vector<std::string> targets;
    std::vector<double> parameters;
    for (const InfiniteStructure structure : {InfiniteStructure::plate, InfiniteStructure::beam}) {
        double largest = structure == InfiniteStructure::plate ? 2.0 : 1.2;
        for (std::size_t row = 0; row < results.size(); ++row) {
            if (structure_of(impacts.at(row)) == structure && results[row].ends())
                largest = std::max(largest, 1.05 * results[row].parameter);
        }
        for (std::size_t i = 0; i < chart_points; ++i) {
            targets.emplace_back(name_of(structure));
            parameters.push_back(largest * static_cast<double>(i) /
                                 static_cast<double>(chart_points - 1));
        }
    }
    std::vector<impact::InfiniteImpact> chart(parameters.size());
    const auto compute = [&](std::size_t i) {
        const bool is_plate = targets[i] == name_of(InfiniteStructure::plate);
        chart[i] = impact::infinite_impact(
            is_plate ? InfiniteStructure::plate : InfiniteStructure::beam, parameters[i]);
    };
    core::parallel_for(chart.size(), threads, compute, {});
    std::vector<double> cor, duration, force;
    const impact::InfiniteImpact& rigid = chart.front();  // parameter 0
    for (const impact::InfiniteImpact& each : chart) {
        cor.push_back(each.cor);
        duration.push_back(each.duration / rigid.duration);
        force.push_back(each.peak_force / rigid.peak_force);
    }
    io::Table table;
    table.add("target", std::move(targets));
    table.add("inelasticity_parameter", std::move(parameters));
    table.add("cor", std::move(cor));
    table.add("duration_ratio", std::move(duration));
    table.add("peak_force_ratio", std::move(force));
    return table;
}

/// Where bending theory ends, and spheres that follow the structure or stay in contact.
std::vector<std::string> warnings_of(const RangedCase<StructureImpact>& impacts,
                                     const std::vector<Result>& results) {
    std::size_t thick = 0, follows = 0, lasts = 0;
    double worst = core::infinity;
    for (std::size_t row = 0; row < results.size(); ++row) {
        const double height = std::visit([](const auto& each) { return each.height(); },
                                         impacts.at(row).target.shape);
        const double heights = results[row].wavelength / height;
        thick += heights < models::shortest_wave_in_heights;
        worst = std::min(worst, heights);
        follows += results[row].cor < 0.0;
        lasts += !results[row].ends();
    }
    std::vector<std::string> warnings;
    if (thick > 0) {
        warnings.push_back(fmt::format(
            "{} of {} impacts: the bending wave is {:.3g} times as long as the structure is high, "
            "less than {:g}: shear, which is neglected, changes its frequency by more than 5 %",
            thick, results.size(), worst, models::shortest_wave_in_heights));
    }
    if (follows > 0) {
        warnings.push_back(fmt::format(
            "{} of {} impacts: e < 0: the sphere follows the structure at a lower speed", follows,
            results.size()));
    }
    if (lasts > 0) {
        warnings.push_back(fmt::format(
            "{} of {} impacts: the contact does not end within 1e5 T on a plate (lambda > 2500) or "
            "within 5 T on a beam (eta > 2.85): e and duration are unknown, peak force and "
            "overlap are known",
            lasts, results.size()));
    }
    return warnings;
}

void add_summary(Outcome& outcome, const RangedCase<StructureImpact>& impacts,
                 const std::vector<Result>& results) {
    const StructureImpact& given = impacts.given;
    outcome.summary.set("impacts", results.size());
    if (impacts.is_single()) {
        outcome.summary.set("status", status_of(results.front()));
        for (const Column& column : columns)
            outcome.summary.set(column.name, results.front().*column.member);
        outcome.summary.set("mass_kg", given.striker_mass());
        outcome.summary.set("stiffness_N_per_m_to_3_2", given.contact_stiffness());
        outcome.headlines = {
            "status",       "inelasticity_parameter", "cor", "cor_error", "duration_s",
            "peak_force_N", "edge_distance_m"};
        return;
    }
    double least = io::no_number, most = io::no_number;
    for (const Result& result : results) {
        least = std::fmin(least, result.cor);
        most = std::fmax(most, result.cor);
    }
    outcome.summary.set("cor_min", least).set("cor_max", most);
    outcome.headlines = {"impacts", "cor_min", "cor_max"};
}

Outcome solve(const Case& all, const RunOptions& options) {
    const RangedCase<StructureImpact>& impacts = all.impacts;
    Outcome outcome;
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    outcome.summary = io::Value::object();
    const std::vector<Result> results =
        compute_rows(impacts, "impacts", options, models::impact_on_structure, outcome);
    if (outcome.ending == Ending::interrupted) return outcome;
    add_summary(outcome, impacts, results);
    outcome.warnings = warnings_of(impacts, results);
    io::Table table = map_table(impacts, results);
    if (impacts.sweep) outcome.summary.set("sweep", table.columns.back().name);
    if (impacts.range) {
        outcome.summary.set("place", table.columns.front().name);
        outcome.curves = {"map.csv", table.columns.front().name, impacts.row_labels()};
    }
    outcome.tables.emplace_back("map.csv", std::move(table));
    outcome.tables.emplace_back("chart.csv", chart_table(impacts, results, options.threads));
    return outcome;
}

}  // namespace

const Problem structure_impact_problem{
    .name = StructureImpactRange::name,
    .meaning = StructureImpactRange::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::structure_impact_figures, postproc::structure_impact_report}};

}  // namespace stoss::solvers
