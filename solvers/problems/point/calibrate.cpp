#include <solvers/problems/point/calibrate.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>
#include <models/single_impact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/key_range.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/point/impact_figures.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

std::vector<io::KeyDescription> impact_keys() {
    return io::describe_keys<models::SingleImpact>();
}

struct Branch {
    std::string label;  // the swept value as written; empty without a sweep
    models::SingleImpact impact;
    impact::Wanted wanted;  // but for the restitution
};

struct CalibrateCase {
    CaseHeader header;
    CaseExpectations expectations;
    models::SingleImpact impact;
    Calibrate keys;
    io::Document document;  // for what turns out to be wrong only when it is computed
    std::vector<Branch> branches;
};

auto read_all(const io::Document& document) {
    return io::read<CaseHeader, models::SingleImpact, Calibrate, CaseExpectations>(document);
}

impact::Wanted wanted_of(const Calibrate& keys, core::Required cor) {
    return {cor, keys.contact_time, keys.peak_overlap};
}

std::vector<core::Violation> check_branch(const models::SingleImpact& parameters,
                                          const Calibrate& keys) {
    auto violations = models::check_load(parameters);
    if (keys.cor.empty()) violations.push_back({"cor", "[]", "must hold at least one value", ""});
    for (core::Violation& each : models::check_wanted(parameters.contact, wanted_of(keys, 1.0)))
        violations.push_back(std::move(each));
    if (keys.contact_time || keys.peak_overlap) return violations;
    std::visit(
        [&](const auto& law) {
            if constexpr (requires { law.stiffness; }) {
                if (law.stiffness) return;
                violations.push_back({"contact.stiffness", "", "is missing",
                                      "give it, or contact_time or peak_overlap to find it"});
            }
        },
        parameters.contact.law);
    return violations;
}

CalibrateCase read_case(const io::Document& document) {
    CalibrateCase all;
    all.document = document;
    std::tie(all.header, all.impact, all.keys, all.expectations) = read_all(document);
    const auto own = check_branch(all.impact, all.keys);
    if (!all.keys.sweep) {
        refuse(document, own);
        all.branches.push_back({"", all.impact, wanted_of(all.keys, {})});
        return all;
    }
    refuse(document, check_sweep(*all.keys.sweep, impact_keys(), Calibrate::name, "speed"));
    read_branches(document, *all.keys.sweep, own, [&](const io::Document& changed, std::size_t i) {
        const auto [header, impact, keys, expectations] = read_all(changed);
        all.branches.push_back({all.keys.sweep->values[i], impact, wanted_of(keys, {})});
        return check_branch(impact, keys);
    });
    return all;
}

io::Choice describe() {
    return io::describe_choice<Calibrate, models::SingleImpact>();
}
io::Node resolve(const CalibrateCase& all) {
    return io::to_node(all.header, all.impact, all.keys, all.expectations);
}

/// Columns by name, in the order in which they first come.
class Columns {
  public:
    void add(const std::string& name, double value) {
        const auto [place, is_new] = index_.emplace(name, columns_.size());
        if (is_new) columns_.push_back({name, {}});
        columns_[place->second].second.push_back(value);
    }
    io::Table table() && {
        io::Table table;
        for (auto& [name, values] : columns_) table.add(name, std::move(values));
        return table;
    }

  private:
    std::map<std::string, std::size_t> index_;
    std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

double stiffness_of(const contact::Law& law) {
    return std::visit(
        [](const auto& each) {
            if constexpr (requires { each.stiffness; })
                return each.stiffness.value_or(io::no_number);
            return io::no_number;
        },
        law);
}

/// Calibrates; a value that cannot be reached is refused at the place of its key.
impact::Calibration calibrated(const io::Document& document, const Branch& branch,
                               std::size_t index, double cor) {
    impact::Wanted wanted = branch.wanted;
    wanted.cor = cor;
    try {
        return impact::calibrate(branch.impact.contact.law, branch.impact.impact(), wanted);
    } catch (const core::InputError& error) {
        std::vector<core::Violation> violations;
        for (const core::Diagnostic& each : error.diagnostics()) {
            violations.push_back(each.violation);
            if (each.violation.key == "cor") violations.back().key = fmt::format("cor[{}]", index);
        }
        refuse(document, violations);
        throw;
    }
}

/// Parameters and results of a single calibration, each under its name with its unit; last the
/// damping by each rule of the law, and the restitution that it gives.
void add_parameters(io::Value& summary, const contact::Law& law, const io::Table& table,
                    const std::vector<std::string>& rules) {
    const std::string_view damping = impact::damping_key(law);
    std::string_view damping_unit;
    std::visit(
        [&]<class L>(const L&) {
            core::for_each_field<L>([&](const auto& field) {
                const std::string column = field.name == damping       ? "damping"
                                           : field.name == "stiffness" ? "stiffness_N_per_m_to_n"
                                                                       : "";
                if (column.empty()) return;
                if (column == "damping") damping_unit = field.unit;
                summary.set(column_of(field.name, field.unit), table.numbers(column).front());
            });
        },
        law);
    summary.set("cor", table.numbers("cor_given").front());
    for (const char* key : {"duration_s", "peak_force_N", "peak_overlap_m"})
        summary.set(key, table.numbers(key).front());
    for (const std::string& rule : rules) {
        const double by_rule = table.numbers("damping_by_" + rule).front();
        if (std::isnan(by_rule)) continue;
        summary.set(column_of(fmt::format("{}_by_{}", damping, rule), damping_unit), by_rule);
        summary.set("cor_given_by_" + rule, table.numbers("cor_given_by_" + rule).front());
    }
}

Outcome solve(const CalibrateCase& all, const RunOptions&) {
    const std::vector<std::string> rules = impact::damping_rules();
    Columns columns;
    double largest = 0.0;
    Outcome outcome;
    outcome.curves = {"map.csv", "cor_wanted", {}};
    for (const Branch& branch : all.branches) {
        for (std::size_t i = 0; i < all.keys.cor.size(); ++i) {
            const double cor = all.keys.cor[i];
            const auto [law, result] = calibrated(all.document, branch, i, cor);
            columns.add("cor_wanted", cor);
            columns.add("stiffness_N_per_m_to_n", stiffness_of(law));
            columns.add("damping", impact::damping_of(law).value_or(io::no_number));
            columns.add("cor_given", result.cor.value());
            columns.add("duration_s", result.duration.value());
            columns.add("peak_force_N", result.peak_force.value());
            columns.add("peak_overlap_m", result.peak_overlap.value());
            for (const std::string& rule : rules) {
                const impact::RuleDamping given =
                    impact::damping_by_rule(law, branch.impact.impact(), cor, rule);
                columns.add("cor_given_by_" + rule, given.cor.value_or(io::no_number));
                columns.add("damping_by_" + rule, given.damping.value_or(io::no_number));
            }
            largest = std::max(largest, std::abs(*result.cor - cor));
            outcome.curves->row_labels.push_back(branch.label);
        }
    }
    io::Table table = std::move(columns).table();
    if (all.keys.sweep)
        add_sweep_column(table, *all.keys.sweep, impact_keys(), all.keys.cor.size());
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    outcome.summary = io::Value::object();
    outcome.summary.set("calibrations", table.rows());
    outcome.summary.set("cor_error_max", largest);
    if (table.rows() == 1) {
        add_parameters(outcome.summary, all.impact.contact.law, table, rules);
    }
    outcome.summary.set("place", "cor_wanted");
    if (all.keys.sweep) outcome.summary.set("sweep", table.columns.back().name);
    outcome.headlines = {"calibrations", "cor_error_max"};
    outcome.tables.emplace_back("map.csv", std::move(table));
    return outcome;
}

}  // namespace

const Problem calibrate_problem{
    .name = Calibrate::name,
    .meaning = Calibrate::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::calibrate_figures, postproc::calibrate_report}};

}  // namespace stoss::solvers
