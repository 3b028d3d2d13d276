#include <solvers/calibrate.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>
#include <models/single_impact.hpp>
#include <solvers/beam_case.hpp>
#include <solvers/case_header.hpp>
#include <solvers/key_range.hpp>
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
    std::vector<Branch> branches;
};

auto read_all(const io::Document& document) {
    return io::read<CaseHeader, models::SingleImpact, Calibrate, CaseExpectations>(document);
}

impact::Wanted wanted_of(const Calibrate& keys, double cor) {
    return {cor, keys.contact_time.value_or(core::not_given),
            keys.peak_overlap.value_or(core::not_given)};
}

/// What is wrong, damping and wanted restitution of the law aside: they are what is sought.
std::vector<core::Violation> check_branch(const models::SingleImpact& parameters,
                                          const Calibrate& keys) {
    auto violations = models::check_load(parameters);
    if (keys.cor.empty()) violations.push_back({"cor", "[]", "must hold at least one value", ""});
    for (core::Violation violation : impact::check(parameters.contact.law, wanted_of(keys, 1.0))) {
        if (violation.key == "law") violation.key = "contact.law";
        violations.push_back(std::move(violation));
    }
    if (keys.contact_time || keys.peak_overlap) return violations;
    std::visit(
        [&](const auto& law) {
            if constexpr (requires { law.stiffness; }) {
                if (core::is_given(law.stiffness)) return;
                violations.push_back({"contact.stiffness", "", "is missing",
                                      "give it, or contact_time or peak_overlap to find it"});
            }
        },
        parameters.contact.law);
    return violations;
}

CalibrateCase read_case(const io::Document& document) {
    CalibrateCase all;
    std::tie(all.header, all.impact, all.keys, all.expectations) = read_all(document);
    const auto own = check_branch(all.impact, all.keys);
    if (!all.keys.sweep) {
        refuse(document, own);
        all.branches.push_back({"", all.impact, wanted_of(all.keys, core::not_given)});
        return all;
    }
    refuse(document, check_sweep(*all.keys.sweep, impact_keys(), Calibrate::name, "speed"));
    read_branches(document, *all.keys.sweep, own, [&](const io::Document& changed, std::size_t i) {
        const auto [header, impact, keys, expectations] = read_all(changed);
        all.branches.push_back(
            {all.keys.sweep->values[i], impact, wanted_of(keys, core::not_given)});
        return check_branch(impact, keys);
    });
    return all;
}

io::Choice describe() {
    return io::describe_choice<Calibrate, models::SingleImpact>();
}
void check(const io::Document& document) {
    read_case(document);
}
io::Node resolve(const io::Document& document) {
    const CalibrateCase all = read_case(document);
    return io::to_node(all.header, all.impact, all.keys, all.expectations);
}

template <class L>
concept HasRules = requires(L law) {
    enum_names(law.rule);
    law.restitution;
};

/// Names of all rules but `exact`, of all laws.
std::vector<std::string> rule_names() {
    std::vector<std::string> names;
    core::for_each_alternative<contact::Law>([&]<class L>(std::type_identity<L>) {
        if constexpr (HasRules<L>) {
            for (const auto& entry : enum_names(L{}.rule)) {
                if (entry.name != "exact") names.emplace_back(entry.name);
            }
        }
    });
    return names;
}

/// What a published rule gives for a wanted restitution; NaN if the law has no such rule or if the
/// rule cannot be asked for that.
double cor_by_rule(const contact::Law& law, const impact::Impact& impact, double wanted,
                   std::string_view rule) {
    return std::visit(
        [&]<class L>(L each) {
            if constexpr (HasRules<L>) {
                for (const auto& entry : enum_names(each.rule)) {
                    if (entry.name != rule) continue;
                    contact::Law blank = each;
                    impact::set_damping(blank, core::not_given);
                    each = std::get<L>(blank);
                    each.rule = entry.value;
                    each.restitution = wanted;
                    // What the rule gives for a wish out of its reach is worth knowing too.
                    const auto violations = contact::check(each, impact.separation);
                    const bool does_not_hold = std::any_of(
                        violations.begin(), violations.end(),
                        [](const core::Violation& v) { return v.key != "restitution"; });
                    if (does_not_hold) return core::not_given;
                    return impact::coefficient_of_restitution(each, impact);
                }
            }
            return core::not_given;
        },
        law);
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
            if constexpr (requires { each.stiffness; }) return each.stiffness;
            return core::not_given;
        },
        law);
}

/// Calibrates; what cannot be reached is told at the place of the wish.
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

/// Parameters and results of a single calibration, each under its name with its unit.
void add_parameters(io::Value& summary, const contact::Law& law, const io::Table& table) {
    const std::string_view damping = impact::damping_key(law);
    std::visit(
        [&]<class L>(const L&) {
            core::for_each_field<L>([&](const auto& field) {
                const std::string column = field.name == damping       ? "damping"
                                           : field.name == "stiffness" ? "stiffness_N_per_m_to_n"
                                                                       : "";
                if (column.empty()) return;
                summary.set(column_of(field.name, field.unit), table.numbers(column).front());
            });
        },
        law);
    summary.set("cor", table.numbers("cor_given").front());
    for (const char* key : {"duration_s", "peak_force_N", "peak_overlap_m"})
        summary.set(key, table.numbers(key).front());
}

Outcome solve(const io::Document& document, const RunOptions&) {
    const CalibrateCase all = read_case(document);
    const std::vector<std::string> rules = rule_names();
    Columns columns;
    double largest = 0.0;
    Outcome outcome;
    outcome.curves = {"map.csv", "cor_wanted", {}};
    for (const Branch& branch : all.branches) {
        for (std::size_t i = 0; i < all.keys.cor.size(); ++i) {
            const double cor = all.keys.cor[i];
            const auto [law, result] = calibrated(document, branch, i, cor);
            columns.add("cor_wanted", cor);
            columns.add("stiffness_N_per_m_to_n", stiffness_of(law));
            columns.add("damping", impact::damping_of(law));
            columns.add("cor_given", result.cor);
            columns.add("duration_s", result.duration);
            columns.add("peak_force_N", result.peak_force);
            columns.add("peak_overlap_m", result.peak_overlap);
            for (const std::string& rule : rules) {
                columns.add("cor_given_by_" + rule,
                            cor_by_rule(law, branch.impact.impact(), cor, rule));
            }
            largest = std::max(largest, std::abs(result.cor - cor));
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
    if (table.rows() == 1) add_parameters(outcome.summary, all.impact.contact.law, table);
    outcome.summary.set("place", "cor_wanted");
    if (all.keys.sweep) outcome.summary.set("sweep", table.columns.back().name);
    outcome.headlines = {"calibrations", "cor_error_max"};
    outcome.tables.emplace_back("map.csv", std::move(table));
    return outcome;
}

}  // namespace

const Problem calibrate_problem{
    Calibrate::name, Calibrate::meaning, describe, check, resolve, solve};

}  // namespace stoss::solvers
