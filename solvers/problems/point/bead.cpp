#include <solvers/problems/point/bead.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <solvers/case/case_header.hpp>
#include <solvers/case/open_rows.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/point/impact_figures.hpp>
#include <stoss/core/text.hpp>
#include <stoss/impact/bead_approximation.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

constexpr double last_gamma = 0.1;       // of Figs. 7 to 11 and Tables 2 to 4 of the source
constexpr double beyond_sticking = 1.1;  // the same

std::vector<io::KeyDescription> bead_keys() {
    return io::describe_keys<ViscoelasticBead>();
}

/// The damping at which the range ends.
double last_damping(const ViscoelasticBead& bead) {
    if (bead.damping.to) return *bead.damping.to;
    const double sticking =
        impact::large_load_critical_damping(bead.load, bead.exponent, bead.damping_exponent);
    return std::min(last_gamma, beyond_sticking * sticking);
}

/// A bead and what all its impacts share.
struct Branch {
    std::string label;  // the swept value as written; empty without a sweep
    ViscoelasticBead bead;
    Steps gamma;
    impact::BeadIntegrals by_quadrature{}, by_beta{};

    explicit Branch(std::string its_label, const ViscoelasticBead& its_bead)
        : label(std::move(its_label)), bead(its_bead) {
        gamma = {bead.damping.from, last_damping(bead),
                 static_cast<std::size_t>(bead.damping.points), bead.damping.spacing};
        by_quadrature = impact::bead_integrals(bead.load, bead.exponent, bead.damping_exponent);
        by_beta = impact::bead_integrals_by_beta_functions(bead.load, bead.exponent,
                                                           bead.damping_exponent, bead.degree);
    }

    contact::Law law(double damping) const {
        contact::Viscoelastic law;
        law.stiffness = 1.0;
        law.exponent = bead.exponent;
        law.damping_exponent = bead.damping_exponent;
        law.damping_factor = damping;
        return law;
    }
    impact::Impact impact() const {
        return {1.0, 1.0, bead.load, 0.0, contact::Separation::zero_overlap};
    }
};

struct BeadCase {
    CaseHeader header;
    CaseExpectations expectations;
    ViscoelasticBead bead;
    Bead keys;
    std::vector<Branch> branches;

    std::size_t points() const { return static_cast<std::size_t>(bead.damping.points); }
    std::size_t rows() const { return branches.size() * points(); }
};

std::vector<core::Violation> check_bead(const ViscoelasticBead& bead) {
    std::vector<core::Violation> violations;
    if (bead.degree % 2 == 0)
        violations.push_back({"degree", std::to_string(bead.degree), "must be odd", ""});
    const DampingRange& range = bead.damping;
    const double to = last_damping(bead);
    if (range.to && !(to > range.from)) {
        violations.push_back({"damping.to", core::to_text(to),
                              "must be > damping.from = " + core::to_text(range.from), ""});
    } else if (!(to > range.from)) {
        violations.push_back({"damping.from", core::to_text(range.from),
                              fmt::format("must be < {}, the end of the range if damping.to is "
                                          "left out",
                                          core::to_text(to)),
                              "give damping.to"});
    }
    if (range.spacing == Spacing::logarithmic && !(range.from > 0.0)) {
        violations.push_back(
            {"damping.from", core::to_text(range.from), "must be > 0 for equal ratios", ""});
    }
    return violations;
}

auto read_all(const io::Document& document) {
    return io::read<CaseHeader, ViscoelasticBead, Bead, CaseExpectations>(document);
}

BeadCase read_case(const io::Document& document) {
    BeadCase all;
    std::tie(all.header, all.bead, all.keys, all.expectations) = read_all(document);
    const auto own = check_bead(all.bead);
    if (!all.keys.sweep) {
        refuse(document, own);
        all.branches.emplace_back("", all.bead);
        return all;
    }
    refuse(document, check_sweep(*all.keys.sweep, bead_keys(), Bead::name, "load"));
    if (all.keys.sweep->key == "damping.points") {
        refuse(document, {{"sweep.key", "damping.points", "must be the same for all curves", ""}});
    }
    read_branches(document, *all.keys.sweep, own, [&](const io::Document& changed, std::size_t i) {
        const ViscoelasticBead bead = std::get<1>(read_all(changed));
        auto violations = check_bead(bead);
        if (violations.empty()) all.branches.emplace_back(all.keys.sweep->values[i], bead);
        return violations;
    });
    return all;
}

io::Choice describe() {
    return io::describe_choice<Bead, ViscoelasticBead>();
}
io::Node resolve(const BeadCase& all) {
    return io::to_node(all.header, all.bead, all.keys, all.expectations);
}

/// What is computed exactly: e and the critical load.
std::vector<double> compute_row(const Branch& branch, double gamma, bool with_critical_load) {
    const contact::Law law = branch.law(gamma);
    std::vector<double> row{
        impact::coefficient_of_restitution(law, branch.impact()).value_or(io::no_number)};
    if (with_critical_load) row.push_back(impact::critical_load(law, branch.impact()));
    return row;
}

std::vector<std::vector<double>> compute_rows(const BeadCase& all, const RunOptions& options) {
    return compute_open_rows(all.rows(), {"impacts"}, options, [&](std::size_t i) {
        const Branch& branch = all.branches[i / all.points()];
        return compute_row(branch, branch.gamma[i % all.points()], all.keys.critical_loads);
    });
}

/// The approximations, in the order of the columns.
struct Approximation {
    const char* name;
    double (*cor)(const Branch&, double gamma);
};
constexpr std::array approximations{
    Approximation{"first_order",
                  [](const Branch& b, double gamma) {
                      return impact::first_order_cor(gamma, b.bead.damping_exponent,
                                                     b.by_quadrature);
                  }},
    Approximation{"second_order",
                  [](const Branch& b, double gamma) {
                      return impact::second_order_cor(gamma, b.bead.damping_exponent,
                                                      b.by_quadrature);
                  }},
    Approximation{"second_order_by_beta",
                  [](const Branch& b, double gamma) {
                      return impact::second_order_cor(gamma, b.bead.damping_exponent, b.by_beta);
                  }},
    Approximation{"taylor",
                  [](const Branch& b, double gamma) {
                      return impact::taylor_cor(gamma, b.bead.load, b.bead.exponent,
                                                b.bead.damping_exponent);
                  }},
    Approximation{"large_load", [](const Branch& b, double gamma) {
                      return impact::large_load_cor(gamma, b.bead.load, b.bead.exponent,
                                                    b.bead.damping_exponent);
                  }}};

io::Table map_table(const BeadCase& all, const std::vector<std::vector<double>>& rows) {
    io::Table table;
    const auto add = [&](const std::string& name, const auto& value) {
        std::vector<double> values(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Branch& branch = all.branches[i / all.points()];
            values[i] = value(branch, branch.gamma[i % all.points()], rows[i]);
        }
        table.add(name, std::move(values));
    };
    using Row = const std::vector<double>&;
    add("gamma", [](const Branch&, double gamma, Row) { return gamma; });
    add("cor", [](const Branch&, double, Row row) { return row[0]; });
    for (const Approximation& each : approximations) {
        const std::string name = each.name;
        add("cor_" + name, [&](const Branch& b, double gamma, Row) { return each.cor(b, gamma); });
        add("error_" + name,
            [&](const Branch& b, double gamma, Row row) { return each.cor(b, gamma) - row[0]; });
    }
    if (all.keys.critical_loads) {
        add("critical_load", [](const Branch&, double, Row row) { return row[1]; });
        add("critical_load_by_large_load", [](const Branch& b, double gamma, Row) {
            return impact::large_load_critical_load(gamma, b.bead.exponent,
                                                    b.bead.damping_exponent);
        });
    }
    if (all.keys.sweep) add_sweep_column(table, *all.keys.sweep, bead_keys(), all.points());
    return table;
}

void add_coefficients(io::Value& summary, const Branch& branch) {
    const ViscoelasticBead& bead = branch.bead;
    const auto taylor = impact::bead_taylor(bead.exponent, bead.damping_exponent);
    const auto large = impact::large_load(bead.exponent, bead.damping_exponent);
    summary.set("C_0", taylor.c0).set("C_1", taylor.c1).set("C_2", taylor.c2);
    summary.set("C_large_load", large.c).set("power_large_load", large.p);
    summary.set("critical_load_coefficient",
                impact::large_load_critical_load(1.0, bead.exponent, bead.damping_exponent));
    summary.set("I_0", branch.by_quadrature.i0).set("Q_0", branch.by_quadrature.q0);
    summary.set("I_0_by_beta", branch.by_beta.i0).set("Q_0_by_beta", branch.by_beta.q0);
    summary.set("critical_damping", impact::critical_damping(branch.law(1.0), branch.impact()));
    summary.set(
        "critical_damping_by_large_load",
        impact::large_load_critical_damping(bead.load, bead.exponent, bead.damping_exponent));
}

Outcome solve(const BeadCase& all, const RunOptions& options) {
    Outcome outcome;
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    const auto rows = compute_rows(all, options);
    outcome.items = "impacts";
    outcome.item_count = rows.size();
    outcome.items_done = static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.empty(); }));
    if (outcome.items_done < outcome.item_count) {
        outcome.ending = Ending::interrupted;
        return outcome;
    }
    outcome.summary = io::Value::object();
    outcome.summary.set("impacts", rows.size());
    if (all.branches.size() == 1) {
        add_coefficients(outcome.summary, all.branches.front());
        outcome.headlines = {"impacts", "C_0", "C_1", "C_2", "critical_damping"};
    } else {
        io::Value curves = io::Value::array();
        for (const Branch& branch : all.branches) {
            io::Value curve = io::Value::object();
            curve.set(all.keys.sweep->key, branch.label);
            add_coefficients(curve, branch);
            curves.append(std::move(curve));
        }
        outcome.summary.set("curves", std::move(curves));
        outcome.headlines = {"impacts"};
    }
    io::Table table = map_table(all, rows);
    outcome.summary.set("place", "gamma");
    if (all.keys.sweep) outcome.summary.set("sweep", table.columns.back().name);
    outcome.tables.emplace_back("map.csv", std::move(table));
    outcome.curves = {"map.csv", "gamma", {}};
    for (const Branch& branch : all.branches) {
        auto& labels = outcome.curves->row_labels;
        labels.insert(labels.end(), all.points(), branch.label);
    }
    if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return std::isnan(row[0]); })) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.emplace_back("some impacts cannot be computed");
    }
    return outcome;
}

}  // namespace

const Problem bead_problem{.name = Bead::name,
                           .meaning = Bead::meaning,
                           .describe = describe,
                           .read = typed_case<read_case, resolve, solve>,
                           .report = {postproc::bead_figures, postproc::bead_report},
                           .has_shards = true};

}  // namespace stoss::solvers
