#include <solvers/case/gradient_table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

namespace {

using impact::Quantity;

constexpr double near_kink = 1e-3;  // of the number of the key, or of the range of a place
constexpr std::size_t events = 4;

}  // namespace

std::string_view result_column(Quantity quantity) {
    switch (quantity) {
        case Quantity::impulse:
            return "impulse_N_s";
        case Quantity::peak_force:
            return "peak_force_N";
        case Quantity::compression_end:
            return "compression_end_s";
        case Quantity::separation:
            return "separation_s";
        default:
            return core::name_of(quantity);
    }
}

std::vector<Quantity> GradientKeys::quantities() const {
    if (gradient_of) return *gradient_of;
    std::vector<Quantity> all;
    for (const auto& each : enum_names(Quantity{})) all.push_back(each.value);
    return all;
}

std::vector<core::Violation> check_gradient_lists(const GradientKeys& wanted) {
    std::vector<core::Violation> found;
    if (wanted.gradient && wanted.gradient->empty())
        found.push_back({"gradient", "[]", "must hold at least one key", "or none"});
    if (wanted.gradient_of && wanted.gradient_of->empty())
        found.push_back({"gradient_of", "[]", "must hold at least one result", "or auto"});
    if (!wanted.has_gradient()) return found;
    std::set<std::string> before;
    for (std::size_t i = 0; i < wanted.gradient->size(); ++i) {
        const std::string& key = (*wanted.gradient)[i];
        if (!before.insert(key).second)
            found.push_back({fmt::format("gradient[{}]", i), key, "is there twice", ""});
    }
    return found;
}

void suggest_keys(std::vector<core::Violation>& found, const std::vector<std::string>& names,
                  std::string_view example) {
    for (core::Violation& each : found) {
        if (each.value.empty() || !each.suggestion.empty()) continue;
        const auto nearest = core::nearest_word(each.value, names);
        if (nearest && *nearest != each.value)
            each.suggestion = "did you mean `" + *nearest + "`?";
        else if (nearest)
            each.suggestion =
                "it is a word, a count, or left to the model; name a key with a number";
        else
            each.suggestion = example;
    }
}

std::vector<double> slopes_in_row(const models::CollisionSlopes& slopes, std::size_t keys,
                                  std::size_t quantities, bool with_kinks) {
    const std::size_t count = keys * quantities;
    std::vector<double> row(count + (with_kinks ? 2 * keys : 0), io::no_number);
    if (slopes.by_key.size() == 0) return row;
    std::copy_n(slopes.by_key.data(), count, row.begin());
    for (std::size_t k = 0; k < slopes.kinks.size(); ++k) {
        if (!slopes.kinks[k]) continue;
        row[count + k] = slopes.kinks[k]->distance;
        row[count + keys + k] = event_number(*slopes.kinks[k]);
    }
    return row;
}

double event_number(const models::Kink& kink) {
    return static_cast<double>(events * kink.sub_impact + static_cast<std::size_t>(kink.event));
}

std::string event_words(double event) {
    if (!std::isfinite(event)) return {};
    const auto number = static_cast<std::size_t>(event);
    const std::size_t sub_impact = number / events + 1;
    switch (static_cast<impact::Event>(number % events)) {
        case impact::Event::begins:
            return fmt::format("a sub-impact begins after number {}", sub_impact);
        case impact::Event::vanishes:
            return fmt::format("sub-impact {} vanishes", sub_impact);
        case impact::Event::merges:
            return fmt::format("sub-impacts {} and {} become one", sub_impact, sub_impact + 1);
        case impact::Event::splits:
            return fmt::format("sub-impact {} becomes two", sub_impact);
    }
    return {};
}

GradientTable::GradientTable(const GradientKeys& wanted, std::vector<std::string> place)
    : places_(place.size()),
      names_(std::move(place)),
      quantities_(wanted.quantities()),
      with_kinks_(wanted.gradient_kinks) {
    names_.emplace_back("value");
    for (const Quantity quantity : quantities_) {
        names_.push_back(fmt::format("d_{}", result_column(quantity)));
        names_.push_back(fmt::format("log_{}", core::name_of(quantity)));
    }
    numbers_.resize(names_.size());
}

void GradientTable::add(std::span<const GradientKey> keys, const GradientRow& row) {
    const std::size_t slopes = keys.size() * quantities_.size();
    for (std::size_t k = 0; k < keys.size(); ++k) {
        key_.push_back(keys[k].key);
        unit_.push_back(keys[k].unit);
        const double value = row.values[k];
        for (std::size_t i = 0; i < places_; ++i) numbers_[i].push_back(row.place[i]);
        numbers_[places_].push_back(value);
        for (std::size_t q = 0; q < quantities_.size(); ++q) {
            const double slope = row.slopes[k * quantities_.size() + q];
            numbers_[first_slope() + 2 * q].push_back(slope);
            const double relative = slope * value / row.results[q];
            numbers_[first_slope() + 2 * q + 1].push_back(std::isfinite(relative) ? relative
                                                                                  : io::no_number);
        }
        if (!with_kinks_) continue;
        kinks_.push_back(row.slopes[slopes + k]);
        events_.push_back(row.slopes[slopes + keys.size() + k]);
    }
}

io::Table GradientTable::table() const {
    io::Table table;
    table.add("key", key_);
    table.add("unit", unit_);
    for (std::size_t i = 0; i < names_.size(); ++i) table.add(names_[i], numbers_[i]);
    if (!with_kinks_) return table;
    std::vector<std::string> words;
    for (const double event : events_) words.push_back(event_words(event));
    table.add("kink", kinks_);
    table.add("kink_event", std::move(words));
    return table;
}

void GradientTable::add_to(io::Value& summary, bool with_places) const {
    const std::set<std::string> keys(key_.begin(), key_.end());
    // For each key the number that is `better` than all others of it.
    const auto add_best = [&](const std::string& name, const std::vector<double>& column,
                              auto better) {
        io::Value best = io::Value::object(), places = io::Value::object();
        for (const std::string& key : keys) {
            double found = io::no_number, place = io::no_number;
            for (std::size_t i = 0; i < key_.size(); ++i) {
                if (key_[i] != key || !std::isfinite(column[i])) continue;
                if (std::isfinite(found) && !better(std::abs(column[i]), std::abs(found))) continue;
                found = column[i];
                place = numbers_[0][i];
            }
            best.set(key, found);
            places.set(key, place);
        }
        summary.set(name, std::move(best));
        if (with_places) summary.set(name + "_" + names_.front(), std::move(places));
    };
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
        const std::size_t column = first_slope() + 2 * q + 1;
        add_best(names_[column], numbers_[column], std::greater<>());
    }
    if (with_kinks_) add_best("kink", kinks_, std::less<>());
}

namespace {

/// A change of a key for a message: of a place in its unit, else in per cent of the number.
std::string change_words(const GradientKey& key, double value, double change) {
    if (!key.range) return fmt::format("{:+.2g} %", 100.0 * change / value);
    return fmt::format("{:+.2g}{}{}", change, key.unit.empty() ? "" : " ", key.unit);
}

/// The kink that is nearest to the number of a key, if it is near.
void warn_of_kink(std::vector<std::string>& warnings, std::span<const GradientKey> keys,
                  std::size_t key, std::span<const GradientRow> rows) {
    double nearest = near_kink;
    std::string words;
    for (const GradientRow& row : rows) {
        const std::size_t first = keys.size() * row.results.size();
        if (row.slopes.size() == first) return;
        const double distance = row.slopes[first + key], value = row.values[key];
        const double scale = keys[key].range.value_or(std::abs(value));
        if (!(std::abs(distance) < nearest * scale)) continue;
        nearest = std::abs(distance) / scale;
        words = fmt::format(
            "{} the derivatives by {} hold on one side only: a change of it by {} leads to a kink, "
            "where {}",
            row.where, keys[key].key, change_words(keys[key], value, distance),
            event_words(row.slopes[first + keys.size() + key]));
    }
    if (!words.empty()) warnings.push_back(std::move(words));
}

}  // namespace

void add_gradient_lines(Outcome& outcome) {
    const io::Value* const relative = outcome.summary.find("log_cor_kinematic");
    if (relative == nullptr) return;
    for (const auto& [key, slope] : *relative->members())
        outcome.closing_lines.emplace_back(
            "1 % more " + key,
            fmt::format("{:+.4g} % of e", slope.number().value_or(io::no_number)));
}

void warn_of_gradient(std::vector<std::string>& warnings, std::span<const GradientKey> keys,
                      std::span<const GradientRow> rows) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (!keys[k].reason.empty()) {
            warnings.push_back(
                fmt::format("no derivatives by {}: {}", keys[k].key, keys[k].reason));
            continue;
        }
        const auto is_lost = [&](const GradientRow& row) {
            const std::size_t quantities = row.results.size();
            for (std::size_t q = 0; q < quantities; ++q)
                if (std::isfinite(row.results[q]) && std::isnan(row.slopes[k * quantities + q]))
                    return true;
            return false;
        };
        warn_of_kink(warnings, keys, k, rows);
        const auto lost = std::ranges::count_if(rows, is_lost);
        if (lost == 0) continue;
        warnings.push_back(fmt::format(
            "{} of {} collisions have a result without derivative by {}: it has a jump or a kink "
            "at this value",
            lost, rows.size(), keys[k].key));
    }
}

}  // namespace stoss::solvers
