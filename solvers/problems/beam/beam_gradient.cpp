#include <solvers/problems/beam/beam_gradient.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
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
    : gradients_(model, *wanted.gradient), quantities_(wanted.quantities()) {}

std::vector<double> GradientStudy::row(double xi, double xi_by_length) const {
    const auto count = static_cast<Eigen::Index>(gradients_.keys().size() * quantities_.size());
    const models::CollisionSlopes slopes = gradients_.at(xi, quantities_, xi_by_length);
    if (slopes.by_key.size() == 0)
        return std::vector<double>(static_cast<std::size_t>(count), io::no_number);
    return {slopes.by_key.data(), slopes.by_key.data() + count};
}

GradientTable::GradientTable(const GradientKeys& wanted)
    : names_{"xi", "x_m", "value"}, quantities_(wanted.quantities()) {
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
    for (std::size_t k = 0; k < gradients.keys().size(); ++k) {
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
    }
}

io::Table GradientTable::table() const {
    io::Table table;
    table.add("key", key_);
    table.add("unit", unit_);
    for (std::size_t i = 0; i < names_.size(); ++i) table.add(names_[i], numbers_[i]);
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
}

void warn_of_gradient(std::vector<std::string>& warnings, const GradientStudy& study,
                      std::span<const std::vector<double>> rows) {
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
        const auto lost = std::ranges::count_if(rows, is_lost);
        if (lost == 0) continue;
        warnings.push_back(fmt::format(
            "{} of {} collisions have a result without derivative by {}: it has a jump or a kink "
            "at this value",
            lost, rows.size(), key));
    }
}

}  // namespace stoss::solvers
