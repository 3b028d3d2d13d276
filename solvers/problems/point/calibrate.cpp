#include <solvers/problems/point/calibrate.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <models/compliant_spheres.hpp>
#include <models/single_impact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/impact_ending.hpp>
#include <solvers/case/key_range.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/point/impact_figures.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/text.hpp>
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

bool is_missing_stiffness(const core::Diagnostic& each) {
    return each.violation.key == "contact.stiffness" && each.violation.rule == "is missing";
}

/// A key that the law needs or does not know.
bool is_of_other_law(const core::Diagnostic& each) {
    return each.violation.key.starts_with("contact.") && each.violation.key != "contact.law" &&
           (each.violation.rule == "is missing" || each.violation.rule == "is not a key here");
}

/// A stiffness that the law requires is not missing where it follows from a wanted contact time or
/// overlap. Of a law without a damping no key is missing or unknown: the law itself is refused.
auto read_all(const io::Document& document) {
    io::Problems problems;
    auto all = io::bind_together<CaseHeader, models::SingleImpact, Calibrate, CaseExpectations>(
        document.root, "", problems);
    const auto& keys = std::get<Calibrate>(all);
    if (keys.contact_time || keys.peak_overlap) std::erase_if(problems, is_missing_stiffness);
    if (impact::damping_key(std::get<models::SingleImpact>(all).contact.law).empty())
        std::erase_if(problems, is_of_other_law);
    for (core::Diagnostic& each : problems)
        if (is_missing_stiffness(each))
            each.violation.suggestion += "; or give contact_time or peak_overlap in its place";
    io::throw_if_any(document, std::move(problems));
    return all;
}

impact::Wanted wanted_of(const Calibrate& keys, core::Required cor) {
    return {cor, keys.contact_time, keys.peak_overlap};
}

/// A program has its own law and separation, and some of its parameters depend on R*.
std::vector<core::Violation> check_program(const models::SingleImpact& parameters,
                                           const Calibrate& keys) {
    if (!keys.program) return {};
    const models::OtherProgram& program = models::program_of(*keys.program);
    const std::string name(core::name_of(*keys.program));
    std::vector<core::Violation> violations;
    const std::string_view law =
        std::visit([]<class L>(const L&) { return L::name; }, parameters.contact.law);
    if (law != program.law)
        violations.push_back({"contact.law", std::string(law),
                              fmt::format("is not the law of {}: that is {}", name, program.law),
                              "leave it out"});
    if (parameters.contact.separation != program.separation)
        violations.push_back(
            {"contact.separation", std::string(core::name_of(parameters.contact.separation)),
             fmt::format("is not the one of {}: {}", name, core::name_of(program.separation)),
             "leave it out"});
    if (program.needs_radius && !parameters.body)
        violations.push_back(
            {"body", "", fmt::format("is missing: parameters of {} depend on its radius", name),
             "give `body` with shape and material, and `target`"});
    return violations;
}

std::vector<core::Violation> check_branch(const models::SingleImpact& parameters,
                                          const Calibrate& keys) {
    auto violations = models::check_load(parameters);
    if (keys.cor.empty()) violations.push_back({"cor", "[]", "must hold at least one value", ""});
    const impact::Wanted wanted = wanted_of(keys, 1.0);
    core::append(impact::damping_key(parameters.contact.law).empty()
                     ? models::check_wanted(parameters.contact, wanted)
                     : models::check_calibration(parameters, wanted),
                 violations);
    std::ranges::move(check_program(parameters, keys), std::back_inserter(violations));
    return violations;
}

/// With law and separation of the program that the case names, where it gives none.
io::Document with_program(io::Document document) {
    const io::Node* const name = document.root.find("for");
    if (name == nullptr) return document;
    const std::string wanted = name->scalar;  // the tree grows below, and its nodes move
    for (const models::OtherProgram& program : models::other_programs()) {
        if (core::name_of(program.name) != wanted) continue;
        io::Node contact;
        contact.kind = io::Node::Kind::mapping;
        if (const io::Node* const given = document.root.find("contact")) contact = *given;
        if (contact.kind != io::Node::Kind::mapping) return document;
        if (contact.find("law") == nullptr)
            contact.set("law", io::Node::text(std::string(program.law)));
        if (contact.find("separation") == nullptr)
            contact.set("separation",
                        io::Node::text(std::string(core::name_of(program.separation))));
        document.root.set("contact", std::move(contact));
    }
    return document;
}

CalibrateCase read_case(const io::Document& given) {
    CalibrateCase all;
    const io::Document document = with_program(given);
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

io::KeyDescription& key_named(std::vector<io::KeyDescription>& keys, std::string_view name) {
    return *std::ranges::find(keys, name, &io::KeyDescription::key);
}

/// No law requires a stiffness here; schema_rules.cpp says when it is missing.
io::Choice describe() {
    io::Choice described = io::describe_choice<Calibrate, models::SingleImpact>();
    auto& contact = key_named(described.keys, "contact").value.keys;
    for (io::Choice& law : key_named(contact, "law").value.choices) {
        const auto stiffness = std::ranges::find(law.keys, "stiffness", &io::KeyDescription::key);
        if (stiffness != law.keys.end()) stiffness->is_required = false;
    }
    return described;
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

/// The damping of the laws of all branches: its key and unit; "damping" without a unit where they
/// differ.
struct DampingKey {
    std::string name;
    std::string_view unit;

    explicit DampingKey(const CalibrateCase& all) {
        for (const Branch& branch : all.branches)
            std::visit([&](const auto& law) { add(law); }, branch.impact.contact.law);
    }
    std::string column() const { return column_of(name, unit); }
    std::string column_by(const std::string& rule) const {
        return column_of(fmt::format("{}_by_{}", name, rule), unit);
    }

  private:
    template <class L>
    void add(const L& law) {
        const std::string_view key = impact::damping_key(law);
        core::for_each_field<L>([&](const auto& field) {
            if (field.name != key) return;
            const bool is_same = name.empty() || (name == key && unit == field.unit);
            name = is_same ? std::string(key) : "damping";
            unit = is_same ? field.unit : "";
        });
    }
};

/// Column of a single calibration: "stiffness_N_per_m" of a linear law.
std::string stiffness_column(const contact::Law& law) {
    std::string name;
    std::visit(
        [&]<class L>(const L&) {
            core::for_each_field<L>([&](const auto& field) {
                if (field.name == "stiffness") name = column_of(field.name, field.unit);
            });
        },
        law);
    return name;
}

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
        return impact::calibrate(branch.impact.law(), branch.impact.impact(), wanted);
    } catch (const core::InputError& error) {
        std::vector<core::Violation> violations = core::violations_of(error);
        for (core::Violation& each : violations)
            if (each.key == "cor") each.key = fmt::format("cor[{}]", index);
        refuse(document, violations);
        throw;
    }
}

/// The same; without results, and with a warning, where roundoff keeps the law from what is wanted.
impact::Calibration calibrated_or_none(const CalibrateCase& all, const Branch& branch,
                                       std::size_t index, Outcome& outcome) {
    try {
        return calibrated(all.document, branch, index, all.keys.cor[index]);
    } catch (const core::NumericalError& error) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.push_back(fmt::format("cor[{}]: {}", index, error.what()));
        return {branch.impact.law(), {}};
    }
}

/// A row of map.csv.
void add_row(Columns& columns, const Branch& branch, double cor, const impact::Calibration& found,
             const DampingKey& damping, const std::vector<std::string>& rules) {
    const auto& [law, result] = found;
    columns.add("cor_wanted", cor);
    columns.add("stiffness_N_per_m_to_n", stiffness_of(law));
    columns.add(damping.column(), impact::damping_of(law).value_or(io::no_number));
    columns.add("cor_given", result.cor.value_or(io::no_number));
    columns.add("duration_s", result.duration.value_or(io::no_number));
    columns.add("peak_force_N", result.peak_force.value_or(io::no_number));
    columns.add("peak_overlap_m", result.peak_overlap.value_or(io::no_number));
    for (const std::string& rule : rules) {
        const impact::RuleDamping given =
            impact::damping_by_rule(law, branch.impact.impact(), cor, rule);
        columns.add("cor_given_by_" + rule, given.cor.value_or(io::no_number));
        columns.add(damping.column_by(rule), given.damping.value_or(io::no_number));
    }
}

/// Parameters and results of a single calibration, each under its name with its unit; last the
/// damping by each rule of the law, and the restitution that it gives.
void add_parameters(io::Value& summary, const contact::Law& law, const DampingKey& damping,
                    const io::Table& table, const std::vector<std::string>& rules) {
    const auto add = [&](const std::string& column, const std::string& key) {
        if (const io::Column* const found = table.find(column))
            summary.set(key, std::get<std::vector<double>>(found->values).front());
    };
    add("stiffness_N_per_m_to_n", stiffness_column(law));
    add(damping.column(), damping.column());
    add("cor_given", "cor");
    for (const char* key : {"duration_s", "peak_force_N", "peak_overlap_m"}) add(key, key);
    for (const std::string& rule : rules) {
        add(damping.column_by(rule), damping.column_by(rule));
        add("cor_given_by_" + rule, "cor_given_by_" + rule);
    }
}

io::Table without_empty_columns(io::Table table) {
    std::erase_if(table.columns, [](const io::Column& column) {
        const auto* const numbers = std::get_if<std::vector<double>>(&column.values);
        return numbers != nullptr &&
               std::ranges::all_of(*numbers, [](double each) { return std::isnan(each); });
    });
    return table;
}

/// The separation rule that the damping belongs to; empty if the branches have different ones.
std::string separation_of(const CalibrateCase& all) {
    const contact::Separation first = all.branches.front().impact.contact.separation;
    const auto is_first = [&](const Branch& branch) {
        return branch.impact.contact.separation == first;
    };
    return std::ranges::all_of(all.branches, is_first) ? std::string(core::name_of(first)) : "";
}

/// The exponent of the stiffness; none if the branches have different ones. A law without the key
/// is linear.
std::optional<double> common_exponent(const CalibrateCase& all) {
    const auto exponent = [](const Branch& branch) {
        return exponent_of(branch.impact.contact.law).value_or(1.0);
    };
    const double first = exponent(all.branches.front());
    const auto is_first = [&](const Branch& branch) { return exponent(branch) == first; };
    return std::ranges::all_of(all.branches, is_first) ? std::optional(first) : std::nullopt;
}

/// The lines for the program of the case.
std::string lines_of(const CalibrateCase& all, const Branch& branch, std::size_t index,
                     const contact::Law& law) {
    const models::OtherProgram& program = models::program_of(*all.keys.program);
    std::optional<double> radius;
    if (branch.impact.body)
        radius = models::contact_bodies(*branch.impact.body, branch.impact.target).radius;
    const auto parameters =
        program.parameters(models::contact_of(law, branch.impact.effective_mass().value(), radius));
    const double cor = all.keys.cor[index];
    if (const std::string refusal = program.refusal(parameters); !refusal.empty())
        refuse(all.document, {{fmt::format("cor[{}]", index), core::to_text(cor), refusal,
                               "leave this restitution out"}});
    return fmt::format("# e = {} at {} m/s\n{}\n", core::to_text(cor),
                       core::to_text(double{branch.impact.speed}), program.lines(parameters));
}

Outcome solve(const CalibrateCase& all, const RunOptions& options) {
    const core::StopScope scope(&options.stop);  // a stopped run keeps no results
    const std::vector<std::string> rules = impact::damping_rules();
    const DampingKey damping(all);
    Columns columns;
    double largest = 0.0, deepest = 0.0;
    std::string lines;
    Outcome outcome;
    outcome.curves = {"map.csv", "cor_wanted", {}};
    for (const Branch& branch : all.branches) {
        for (std::size_t i = 0; i < all.keys.cor.size(); ++i) {
            core::throw_if_stopped();
            const double cor = all.keys.cor[i];
            const impact::Calibration found = calibrated_or_none(all, branch, i, outcome);
            add_row(columns, branch, cor, found, damping, rules);
            outcome.curves->row_labels.push_back(branch.label);
            if (!found.result.cor) continue;
            if (branch.impact.body)
                refuse(all.document, models::check_width(*branch.impact.body, branch.impact.target,
                                                         found.result.peak_force.value()));
            largest = std::max(largest, std::abs(*found.result.cor - cor));
            deepest =
                std::max(deepest, branch.impact.share_of_radius(found.result.peak_overlap.value()));
            if (all.keys.program) lines += lines_of(all, branch, i, found.law);
        }
    }
    if (outcome.warnings.size() == outcome.curves->row_labels.size())
        throw core::NumericalError(outcome.warnings.front());
    warn_of_deep_overlap(outcome, deepest, all.impact.body ? "smaller radius" : "effective radius");
    io::Table table = without_empty_columns(std::move(columns).table());
    if (all.keys.sweep)
        add_sweep_column(table, *all.keys.sweep, impact_keys(), all.keys.cor.size());
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    outcome.summary = io::Value::object();
    outcome.summary.set("calibrations", table.rows());
    outcome.summary.set("cor_error_max", largest);
    if (table.rows() == 1) {
        add_parameters(outcome.summary, all.impact.contact.law, damping, table, rules);
    }
    if (const std::string separation = separation_of(all); !separation.empty())
        outcome.summary.set("separation", separation);
    outcome.summary.set("place", "cor_wanted");
    if (all.keys.sweep) outcome.summary.set("sweep", table.columns.back().name);
    outcome.exponent = common_exponent(all);
    outcome.headlines = {"calibrations", "cor_error_max"};
    outcome.tables.emplace_back("map.csv", std::move(table));
    if (!lines.empty()) outcome.files.emplace_back("lines.txt", std::move(lines));
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
