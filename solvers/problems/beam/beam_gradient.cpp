#include <solvers/problems/beam/beam_gradient.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/math/tools/toms748_solve.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/sweep.hpp>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

namespace {

using impact::Quantity;

/// The column of the results.
std::string_view column_of(Quantity quantity) {
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

constexpr std::size_t first_slope = 3;  // columns of numbers before the derivatives
constexpr double near_kink = 1e-3;      // of the number of the key

constexpr std::size_t events = 4;

}  // namespace

std::vector<Quantity> GradientKeys::quantities() const {
    if (gradient_of) return *gradient_of;
    std::vector<Quantity> all;
    for (const auto& each : enum_names(Quantity{})) all.push_back(each.value);
    return all;
}

std::vector<core::Violation> check_gradient_keys(const GradientKeys& wanted,
                                                 const models::BeamCollision& collision) {
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
    auto names = single_keys(io::describe_keys<models::BeamCollision>());
    names.emplace_back(models::contact_place_key);
    for (core::Violation each : models::check_gradient(collision, *wanted.gradient, "gradient")) {
        const auto nearest = core::nearest_word(each.value, names);
        const bool is_unknown = !each.value.empty() && each.suggestion.empty();
        if (is_unknown && nearest && *nearest != each.value)
            each.suggestion = "did you mean `" + *nearest + "`?";
        else if (is_unknown && nearest)
            each.suggestion = "it is a word, or left to the model; give it a number";
        else if (is_unknown)
            each.suggestion = "for example beam.material.youngs_modulus, or location";
        found.push_back(std::move(each));
    }
    return found;
}

GradientStudy::GradientStudy(const models::BeamModel& model, const GradientKeys& wanted)
    : gradients_(model, *wanted.gradient),
      quantities_(wanted.quantities()),
      with_kinks_(wanted.gradient_kinks) {}

std::vector<double> GradientStudy::row(double xi, double xi_by_length) const {
    const std::size_t keys = gradients_.keys().size();
    const std::size_t count = keys * quantities_.size();
    const models::CollisionSlopes slopes =
        gradients_.at(xi, quantities_, xi_by_length, with_kinks_);
    std::vector<double> row(count + (with_kinks_ ? 2 * keys : 0), io::no_number);
    if (slopes.by_key.size() == 0) return row;
    std::copy_n(slopes.by_key.data(), count, row.begin());
    for (std::size_t k = 0; k < slopes.kinks.size(); ++k) {
        if (!slopes.kinks[k]) continue;
        row[count + k] = slopes.kinks[k]->distance;
        row[count + keys + k] = event_number(*slopes.kinks[k]);
    }
    return row;
}

std::vector<SweetSpot> GradientStudy::sweet_spots(std::span<const std::vector<double>> rows,
                                                  std::span<const double> places) const {
    const auto& keys = gradients_.keys();
    const auto key = std::ranges::find(keys, models::contact_place_key) - keys.begin();
    const auto quantity =
        std::ranges::find(quantities_, Quantity::cor_kinematic) - quantities_.begin();
    const auto column =
        static_cast<std::size_t>(key) * quantities_.size() + static_cast<std::size_t>(quantity);
    std::vector<SweetSpot> spots;
    if (key == std::ssize(keys) || quantity == std::ssize(quantities_)) return spots;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double before = rows[i - 1][column], after = rows[i][column];
        if (!(before * after < 0.0)) continue;
        spots.push_back(places[i - 1] < places[i]
                            ? sweet_spot_between({places[i - 1], places[i]}, {before, after})
                            : sweet_spot_between({places[i], places[i - 1]}, {after, before}));
    }
    return spots;
}

/// The zero of the derivative, or its jump, in a bracket that shrinks.
SweetSpot GradientStudy::sweet_spot_between(std::array<double, 2> places,
                                            std::array<double, 2> slopes) const {
    constexpr std::array of{Quantity::cor_kinematic};
    constexpr double precision = 1e-9, small = 1e-3;  // of xi; of the first slopes
    const auto key =
        std::ranges::find(gradients_.keys(), models::contact_place_key) - gradients_.keys().begin();
    const double steepest = std::max(std::abs(slopes[0]), std::abs(slopes[1]));
    double cor = io::no_number;
    const auto slope_at = [&](double xi) {
        const models::CollisionSlopes there = gradients_.at(xi, of);
        cor = there.result.cor_kinematic;
        return there.by_key.size() == 0 ? io::no_number : there.by_key(0, key);
    };
    std::uintmax_t most = 60;
    const auto is_near = [&](double low, double high) { return high - low < precision; };
    const auto [low, high] = boost::math::tools::toms748_solve(slope_at, places[0], places[1],
                                                               slopes[0], slopes[1], is_near, most);
    const double xi = 0.5 * (low + high), slope = slope_at(xi);
    return {xi, cor, slopes[0] > 0.0, std::abs(slope) < small * steepest};
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

GradientTable::GradientTable(const GradientKeys& wanted)
    : names_{"xi", "x_m", "value"},
      quantities_(wanted.quantities()),
      with_kinks_(wanted.gradient_kinks) {
    for (const Quantity quantity : quantities_) {
        names_.push_back(fmt::format("d_{}", column_of(quantity)));
        names_.push_back(fmt::format("log_{}", core::name_of(quantity)));
    }
    numbers_.resize(names_.size());
}

void GradientTable::add(const GradientStudy& study, std::span<const double> results,
                        std::span<const double> row) {
    const models::BeamGradients& gradients = study.gradients();
    const double xi = results[column_index("xi")];
    const std::size_t keys = gradients.keys().size(), slopes = keys * quantities_.size();
    for (std::size_t k = 0; k < keys; ++k) {
        key_.push_back(gradients.keys()[k]);
        unit_.push_back(gradients.units()[k]);
        const double value = gradients.value(k, xi);
        numbers_[0].push_back(xi);
        numbers_[1].push_back(results[column_index("x_m")]);
        numbers_[2].push_back(value);
        for (std::size_t q = 0; q < quantities_.size(); ++q) {
            const double slope = row[k * quantities_.size() + q];
            const double result = results[column_index(column_of(quantities_[q]))];
            numbers_[first_slope + 2 * q].push_back(slope);
            const double relative = slope * value / result;
            numbers_[first_slope + 2 * q + 1].push_back(std::isfinite(relative) ? relative
                                                                                : io::no_number);
        }
        if (!with_kinks_) continue;
        kinks_.push_back(row[slopes + k]);
        events_.push_back(row[slopes + keys + k]);
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
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
        const std::size_t column = first_slope + 2 * q + 1;
        io::Value largest = io::Value::object(), places = io::Value::object();
        for (const std::string& key : std::set<std::string>(key_.begin(), key_.end())) {
            double found = io::no_number, place = io::no_number;
            for (std::size_t i = 0; i < key_.size(); ++i) {
                const double relative = numbers_[column][i];
                if (key_[i] != key || !std::isfinite(relative)) continue;
                if (std::abs(relative) <= std::abs(found)) continue;
                found = relative;
                place = numbers_[0][i];
            }
            largest.set(key, found);
            places.set(key, place);
        }
        summary.set(names_[column], std::move(largest));
        if (with_places) summary.set(names_[column] + "_xi", std::move(places));
    }
    if (!with_kinks_) return;
    io::Value kinks = io::Value::object(), places = io::Value::object();
    for (const std::string& key : std::set<std::string>(key_.begin(), key_.end())) {
        double found = io::no_number, place = io::no_number;
        for (std::size_t i = 0; i < key_.size(); ++i) {
            if (key_[i] != key || !std::isfinite(kinks_[i])) continue;
            if (std::abs(kinks_[i]) >= std::abs(found)) continue;
            found = kinks_[i];
            place = numbers_[0][i];
        }
        kinks.set(key, found);
        places.set(key, place);
    }
    summary.set("kink", std::move(kinks));
    if (with_places) summary.set("kink_xi", std::move(places));
}

namespace {

/// The kink that is nearest to the number of a key, if it is near.
void warn_of_kink(std::vector<std::string>& warnings, const GradientStudy& study, std::size_t key,
                  std::span<const std::vector<double>> rows, std::span<const double> places) {
    const std::size_t keys = study.gradients().keys().size();
    const std::size_t first = keys * study.quantities().size();
    double nearest = near_kink;
    std::string words;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() == first) return;
        const double distance = rows[i][first + key];
        const double value = study.gradients().value(key, places[i]);
        if (!(std::abs(distance) < nearest * std::abs(value))) continue;
        nearest = std::abs(distance / value);
        words = fmt::format(
            "at xi = {:.4g} the derivatives by {} hold on one side only: a change of it by {:+.2g} "
            "% leads to a kink, where {}",
            places[i], study.gradients().keys()[key], 100.0 * distance / value,
            event_words(rows[i][first + keys + key]));
    }
    if (!words.empty()) warnings.push_back(std::move(words));
}

}  // namespace

void warn_of_gradient(std::vector<std::string>& warnings, const GradientStudy& study,
                      std::span<const std::vector<double>> rows, std::span<const double> places) {
    const models::BeamGradients& gradients = study.gradients();
    const std::size_t quantities = study.quantities().size();
    for (std::size_t k = 0; k < gradients.keys().size(); ++k) {
        const std::string& key = gradients.keys()[k];
        if (!gradients.reason(k).empty()) {
            warnings.push_back(fmt::format("no derivatives by {}: {}", key, gradients.reason(k)));
            continue;
        }
        const auto is_lost = [&](const std::vector<double>& row) {
            // Without a collision there are no derivatives by any key.
            const auto missing = [](double slope) { return std::isnan(slope); };
            const auto first = row.begin() + static_cast<std::ptrdiff_t>(k * quantities);
            return !std::ranges::all_of(row, missing) &&
                   std::any_of(first, first + static_cast<std::ptrdiff_t>(quantities), missing);
        };
        warn_of_kink(warnings, study, k, rows, places);
        const auto lost = std::ranges::count_if(rows, is_lost);
        if (lost == 0) continue;
        warnings.push_back(fmt::format(
            "{} of {} collisions have a result without derivative by {}: it has a jump or a kink "
            "at this value",
            lost, rows.size(), key));
    }
}

}  // namespace stoss::solvers
