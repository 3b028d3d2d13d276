#include <solvers/case/expectation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <stoss/core/interpolation.hpp>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

namespace {

/// A column against its places: the rows that an expectation looks at.
struct Curve {
    std::vector<double> place, value;
    std::vector<std::string> label;  // swept value of each row
};

/// A number, or why there is none.
struct Reading {
    std::optional<double> number = {};
    std::string reason = {};
};

Reading none(std::string reason) {
    return {std::nullopt, std::move(reason)};
}

/// Paths of all numbers in an object: "collisions", "schemes.verlet.cost".
void add_number_names(const io::Value& object, const std::string& prefix,
                      std::vector<std::string>& names) {
    for (const auto& [key, value] : *object.members()) {
        if (value.number()) names.push_back(prefix + key);
        if (value.members()) add_number_names(value, prefix + key + ".", names);
    }
}

/// The value at a path of keys; nullptr if there is none.
const io::Value* find_path(const io::Value& object, std::string_view path) {
    if (const io::Value* value = object.find(path)) return value;
    const std::size_t dot = path.find('.');
    if (dot == path.npos) return nullptr;
    const io::Value* inner = object.find(path.substr(0, dot));
    return inner ? find_path(*inner, path.substr(dot + 1)) : nullptr;
}

/// "; did you mean `...`?" if a name like that of the expectation is in the result.
std::string near_name(const Expectation& expectation, const Outcome& outcome,
                      const io::Table* table) {
    std::vector<std::string> names;
    add_number_names(outcome.summary, "", names);
    if (table) {
        for (const io::Column& column : table->columns) names.push_back(column.name);
    }
    const auto nearest = core::nearest_word(expectation.quantity, names);
    return nearest ? "; did you mean `" + *nearest + "`?" : "";
}

/// Why no row has the swept value of the expectation; empty if one has it.
std::string without_curve(const Expectation& expectation, const std::vector<std::string>& labels) {
    if (!expectation.sweep || std::ranges::find(labels, *expectation.sweep) != labels.end())
        return "";
    if (std::ranges::all_of(labels, [](const std::string& label) { return label.empty(); }))
        return "nothing is swept, so the table has no column of a sweep: leave out `sweep`";
    const auto nearest = core::nearest_word(*expectation.sweep, labels);
    return fmt::format("no row has the swept value {}{}", *expectation.sweep,
                       nearest ? "; did you mean `" + *nearest + "`?" : "");
}

Reading curve_of(const Expectation& expectation, const Outcome& outcome, Curve& curve) {
    const io::Table* table = nullptr;
    for (const auto& [name, each] : outcome.tables) {
        if (outcome.curves && name == outcome.curves->table) table = &each;
    }
    if (!table || !table->find(expectation.quantity)) {
        return none("the result has no number of this name" +
                    near_name(expectation, outcome, table));
    }
    if (std::string reason = without_curve(expectation, outcome.curves->row_labels);
        !reason.empty())
        return none(std::move(reason));
    const std::vector<double> values = table->numbers(expectation.quantity);
    const std::vector<double> place = table->numbers(outcome.curves->place);
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (expectation.sweep && outcome.curves->row_labels[i] != *expectation.sweep) continue;
        if (std::isnan(values[i])) continue;
        if (expectation.from && place[i] < *expectation.from) continue;
        if (expectation.to && place[i] > *expectation.to) continue;
        curve.place.push_back(place[i]);
        curve.value.push_back(values[i]);
        curve.label.push_back(outcome.curves->row_labels[i]);
    }
    return curve.place.empty() ? none("no row lies in the part of the table that is looked at")
                               : Reading{};
}

/// The column at `place`, between the rows beside it; a single curve is assumed to rise in it.
Reading interpolate(const Curve& curve, double place, const std::string& name) {
    const bool is_single = std::ranges::all_of(
        curve.label, [&](const std::string& label) { return label == curve.label.front(); });
    if (!is_single || !std::ranges::is_sorted(curve.place)) {
        return none("the table has several curves: name one by `sweep`");
    }
    const double value = core::interpolated(curve.place, curve.value, place);
    if (std::isnan(value))
        return none(fmt::format("{} = {} lies outside the table", name, core::to_text(place)));
    return {value, ""};
}

Reading read_column(const Expectation& expectation, const Outcome& outcome) {
    Curve curve;
    const Reading problem = curve_of(expectation, outcome, curve);
    if (!problem.reason.empty()) return problem;
    const auto [least, greatest] = std::minmax_element(curve.value.begin(), curve.value.end());
    const auto place = [&](auto value) {
        return curve.place[static_cast<std::size_t>(value - curve.value.begin())];
    };
    switch (expectation.select) {
        case Select::value:
            if (!expectation.at)
                return none(
                    fmt::format("give `at`, the {} at which the column is read, or `select`",
                                outcome.curves->place));
            return interpolate(curve, *expectation.at, outcome.curves->place);
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
    const io::Value* const scalar = find_path(outcome.summary, expectation.quantity);
    if (whole && scalar && scalar->number()) return {*scalar->number(), ""};
    return read_column(expectation, outcome);
}

Verdict hold(const Expectation& expectation, const Outcome& outcome) {
    Reading reading = read(expectation, outcome);
    Verdict verdict{expectation,
                    reading.number,
                    std::nullopt,
                    false,
                    std::move(reading.reason),
                    outcome.curves ? outcome.curves->place : ""};
    if (!reading.number) return verdict;
    verdict.difference = *reading.number - expectation.value;
    // A difference of roundoff beyond the tolerance is not a failure: 0.6362 - 0.6361 is not 1e-4.
    const double roundoff =
        4.0 * std::numeric_limits<double>::epsilon() * std::abs(expectation.value);
    verdict.passed = std::abs(*verdict.difference) <= expectation.tolerance + roundoff;
    return verdict;
}

}  // namespace

std::vector<core::Violation> check_expectations(const io::Node& resolved) {
    const io::Node* const expect = resolved.find("expect");
    const io::Node* const sweep = resolved.find("sweep");
    if (!expect || !sweep) return {};
    std::vector<std::string> swept;
    if (const io::Node* const values = sweep->find("values")) {
        for (const io::Node& value : values->items) swept.push_back(value.scalar);
    }
    std::vector<core::Violation> violations;
    for (std::size_t i = 0; i < expect->items.size(); ++i) {
        const io::Node* const named = expect->items[i].find("sweep");
        if (!named || named->scalar == "none") continue;
        if (std::ranges::find(swept, named->scalar) != swept.end()) continue;
        violations.push_back(
            {fmt::format("expect[{}].sweep", i), named->scalar,
             swept.empty()
                 ? "is no curve of the result, since the case has no `sweep`"
                 : fmt::format("must be one of the swept values: {}", fmt::join(swept, ", ")),
             swept.empty() ? "leave it out" : ""});
    }
    return violations;
}

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
        entry.set("quantity", subject(verdict))
            .set("expected", double(verdict.expectation.value))
            .set("tolerance", double(verdict.expectation.tolerance))
            .set("computed", verdict.computed.value_or(io::no_number))
            .set("difference", verdict.difference.value_or(io::no_number))
            .set("passed", verdict.passed)
            .set("source", verdict.expectation.source);
        if (!verdict.reason.empty()) entry.set("reason", verdict.reason);
        list.append(std::move(entry));
    }
    return list;
}

std::string subject(const Verdict& verdict) {
    const Expectation& expectation = verdict.expectation;
    const std::string& place = verdict.place;
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
            text = fmt::format("{} of the smallest {}", place, text);
            break;
        case Select::place_of_maximum:
            text = fmt::format("{} of the largest {}", place, text);
            break;
    }
    const auto add = [&](const char* word, std::optional<double> value) {
        if (value) text += fmt::format("{}{} = {}", word, place, core::to_text(*value));
    };
    add(" at ", expectation.at);
    add(" from ", expectation.from);
    add(" to ", expectation.to);
    if (expectation.sweep) text += " (" + *expectation.sweep + ")";
    return text;
}

}  // namespace stoss::solvers
