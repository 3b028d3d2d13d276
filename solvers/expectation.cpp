#include <solvers/expectation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <stoss/core/text.hpp>
#include <stoss/core/units.hpp>

namespace stoss::solvers {

namespace {

/// A column of the map against xi: the rows that an expectation looks at.
struct Curve {
    std::vector<double> xi, value;
};

/// A number, or why there is none.
struct Reading {
    double number = core::not_given;
    std::string reason;
};

Reading none(std::string reason) {
    return {core::not_given, std::move(reason)};
}

/// "; did you mean `...`?" if a name like that of the expectation is in the result.
std::string near_name(const Expectation& expectation, const Outcome& outcome,
                      const io::Table* table) {
    std::vector<std::string> names;
    for (const auto& [key, value] : *outcome.summary.members()) {
        if (value.number()) names.push_back(key);
    }
    if (table) {
        for (const io::Column& column : table->columns) names.push_back(column.name);
    }
    const auto nearest = core::nearest_word(expectation.quantity, names);
    return nearest ? "; did you mean `" + *nearest + "`?" : "";
}

Reading curve_of(const Expectation& expectation, const Outcome& outcome, Curve& curve) {
    const io::Table* table = nullptr;
    for (const auto& [name, each] : outcome.tables) {
        if (name == "map.csv") table = &each;
    }
    if (!table || !table->find(expectation.quantity)) {
        return none("the result has no number of this name" +
                    near_name(expectation, outcome, table));
    }
    const std::vector<double> values = table->numbers(expectation.quantity);
    const std::vector<double> xi = table->numbers("xi");
    for (std::size_t i = 0; i < xi.size(); ++i) {
        if (expectation.sweep && outcome.row_labels[i] != *expectation.sweep) continue;
        if (std::isnan(values[i])) continue;
        if (expectation.from && xi[i] < *expectation.from) continue;
        if (expectation.to && xi[i] > *expectation.to) continue;
        curve.xi.push_back(xi[i]);
        curve.value.push_back(values[i]);
    }
    return curve.xi.empty() ? none("no collision lies in the part of the map that is looked at")
                            : Reading{};
}

/// Linear interpolation between the neighbours of xi; a single curve is assumed to rise in xi.
Reading interpolate(const Curve& curve, double xi) {
    if (!std::is_sorted(curve.xi.begin(), curve.xi.end())) {
        return none("the map has several curves: name one by `sweep`");
    }
    const auto above = std::lower_bound(curve.xi.begin(), curve.xi.end(), xi);
    if (above == curve.xi.end() || (above == curve.xi.begin() && *above != xi)) {
        return none(fmt::format("xi = {} lies outside the map", core::to_text(xi)));
    }
    const auto i = static_cast<std::size_t>(above - curve.xi.begin());
    if (curve.xi[i] == xi) return {curve.value[i], ""};
    const double weight = (xi - curve.xi[i - 1]) / (curve.xi[i] - curve.xi[i - 1]);
    return {(1.0 - weight) * curve.value[i - 1] + weight * curve.value[i], ""};
}

Reading read_column(const Expectation& expectation, const Outcome& outcome) {
    Curve curve;
    const Reading problem = curve_of(expectation, outcome, curve);
    if (!problem.reason.empty()) return problem;
    const auto [least, greatest] = std::minmax_element(curve.value.begin(), curve.value.end());
    const auto place = [&](auto value) {
        return curve.xi[static_cast<std::size_t>(value - curve.value.begin())];
    };
    switch (expectation.select) {
        case Select::value:
            if (!expectation.at)
                return none("give `at`, the xi at which the column is read, or `select`");
            return interpolate(curve, *expectation.at);
        case Select::minimum:
            return {*least, ""};
        case Select::maximum:
            return {*greatest, ""};
        case Select::largest_magnitude:
            return {std::max(std::abs(*least), std::abs(*greatest)), ""};
        case Select::place_of_minimum:
            return {place(least), ""};
        case Select::place_of_maximum:
            return {place(greatest), ""};
    }
    return none("unknown selection");
}

Reading read(const Expectation& expectation, const Outcome& outcome) {
    const bool whole = expectation.select == Select::value && !expectation.at;
    const io::Value* const scalar = outcome.summary.find(expectation.quantity);
    if (whole && scalar && scalar->number()) return {*scalar->number(), ""};
    return read_column(expectation, outcome);
}

Verdict hold(const Expectation& expectation, const Outcome& outcome) {
    Reading reading = read(expectation, outcome);
    Verdict verdict{expectation, reading.number, reading.number - expectation.value, false,
                    std::move(reading.reason)};
    // A difference of roundoff beyond the tolerance is not a failure: 0.6362 - 0.6361 is not 1e-4.
    const double roundoff =
        4.0 * std::numeric_limits<double>::epsilon() * std::abs(expectation.value);
    verdict.passed = std::abs(verdict.difference) <= expectation.tolerance + roundoff;
    return verdict;
}

}  // namespace

std::vector<Verdict> hold_against(const Outcome& outcome) {
    std::vector<Verdict> verdicts;
    for (const Expectation& expectation : outcome.expect)
        verdicts.push_back(hold(expectation, outcome));
    return verdicts;
}

bool all_passed(const std::vector<Verdict>& verdicts) {
    return std::all_of(verdicts.begin(), verdicts.end(),
                       [](const Verdict& verdict) { return verdict.passed; });
}

io::Value to_value(const std::vector<Verdict>& verdicts) {
    io::Value list = io::Value::array();
    for (const Verdict& verdict : verdicts) {
        io::Value entry = io::Value::object();
        entry.set("quantity", subject(verdict.expectation))
            .set("expected", verdict.expectation.value)
            .set("tolerance", verdict.expectation.tolerance)
            .set("computed", verdict.computed)
            .set("difference", verdict.difference)
            .set("passed", verdict.passed)
            .set("source", verdict.expectation.source);
        if (!verdict.reason.empty()) entry.set("reason", verdict.reason);
        list.append(std::move(entry));
    }
    return list;
}

std::string subject(const Expectation& expectation) {
    std::string text = expectation.quantity;
    switch (expectation.select) {
        case Select::value:
            break;
        case Select::minimum:
            text = "smallest " + text;
            break;
        case Select::maximum:
            text = "largest " + text;
            break;
        case Select::largest_magnitude:
            text = "largest |" + text + "|";
            break;
        case Select::place_of_minimum:
            text = "xi of the smallest " + text;
            break;
        case Select::place_of_maximum:
            text = "xi of the largest " + text;
            break;
    }
    if (expectation.at) text += " at xi = " + core::to_text(*expectation.at);
    if (expectation.from) text += " from xi = " + core::to_text(*expectation.from);
    if (expectation.to) text += " to xi = " + core::to_text(*expectation.to);
    if (expectation.sweep) text += " (" + *expectation.sweep + ")";
    return text;
}

}  // namespace stoss::solvers
