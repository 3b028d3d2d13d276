#include <solvers/case/key_slopes.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <models/collision_inputs.hpp>
#include <solvers/case/gradient_table.hpp>
#include <stoss/core/stencil.hpp>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

namespace {

/// The size of a number that is 0: a number that changes a result visibly that is not 0, else 1.
double visible_size(const core::NumberKey& number, const ComputeResults& compute,
                    const std::vector<double>& own) {
    constexpr double visible = 1e-4;
    for (double length = 1e-9; length < 1e15; length *= 10.0) {
        number.set(number.range.contains(length) ? length : -length);
        const std::vector<double> there = compute();
        for (std::size_t r = 0; r < std::min(own.size(), there.size()); ++r)
            if (own[r] != 0.0 && std::abs(there[r] - own[r]) > visible * std::abs(own[r]))
                return length;
    }
    return 1.0;
}

/// Derivatives, and sixth differences over step.
struct SlopesAndRest {
    std::vector<double> slopes, rest;
};

SlopesAndRest slopes_over(const core::Stencil& stencil, const core::NumberKey& number,
                          const ComputeResults& compute, const std::vector<double>& own) {
    SlopesAndRest all{std::vector<double>(own.size()), std::vector<double>(own.size())};
    for (std::size_t i = 0; i < core::Stencil::points; ++i) {
        number.set(stencil.number(i));
        std::vector<double> there = stencil.number(i) == stencil.at ? own : compute();
        there.resize(own.size(), io::no_number);
        for (std::size_t r = 0; r < own.size(); ++r) {
            all.slopes[r] += stencil.weight(i) * there[r];
            all.rest[r] += core::Stencil::sixth[i] / stencil.length * there[r];
        }
    }
    return all;
}

}  // namespace

std::vector<core::Violation> check_single(bool is_range) {
    if (!is_range) return {};
    return {{"gradient", "", "needs one impact, not a range of them",
             "take out `over` and `sweep`, or take differences of the map"}};
}

std::vector<core::Violation> check_slope_keys(const std::vector<std::string>& keys,
                                              const FindNumber& number_at,
                                              const std::vector<std::string>& names,
                                              std::string_view example) {
    std::vector<core::Violation> found;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string path = fmt::format("gradient[{}]", i);
        if (auto wrong = models::check_gradient_key(path, keys[i], number_at(keys[i])))
            found.push_back(std::move(*wrong));
    }
    suggest_keys(found, names, example);
    return found;
}

std::vector<double> slopes_by(const core::NumberKey& number, const ComputeResults& compute,
                              const std::vector<double>& own, const SlopeSteps& steps) {
    const double at = number.value().value();
    const double size = at == 0.0 ? visible_size(number, compute, own) : std::abs(at);
    std::vector<double> slopes(own.size(), io::no_number);
    const auto is_open = [&](std::size_t r) {
        return std::isfinite(own[r]) && std::isnan(slopes[r]);
    };
    for (const double length : steps.lengths) {
        const auto stencil = core::Stencil::in(number.range, at, length * size);
        const SlopesAndRest all = slopes_over(stencil, number, compute, own);
        bool is_done = true;
        for (std::size_t r = 0; r < own.size(); ++r) {
            const double least = std::max(std::abs(all.slopes[r]), std::abs(own[r]) / size);
            if (is_open(r) && std::abs(all.rest[r]) <= steps.smooth * least)
                slopes[r] = all.slopes[r];
            is_done = is_done && !is_open(r);
        }
        if (is_done) break;
    }
    number.set(at);
    return slopes;
}

SlopeTable::SlopeTable(std::vector<std::string> columns, ComputeResults compute,
                       const SlopeSteps& steps, std::string item)
    : columns_(std::move(columns)),
      compute_(std::move(compute)),
      steps_(steps),
      item_name_(std::move(item)),
      own_(compute_()),
      results_(columns_.size()),
      slopes_(columns_.size()),
      logarithmic_(columns_.size()) {}

void SlopeTable::add(const std::string& key, const core::NumberKey& number) {
    const double value = number.value().value();
    const std::vector<double> slopes = slopes_by(number, compute_, own_, steps_);
    for (std::size_t r = 0; r < own_.size(); ++r) {
        const std::size_t column = r % columns_.size();
        if (column == 0) {
            key_.push_back(key);
            unit_.emplace_back(number.unit);
            value_.push_back(value);
            item_.push_back(static_cast<std::int64_t>(r / columns_.size()) + 1);
        }
        const double relative = slopes[r] * value / own_[r];
        results_[column].push_back(own_[r]);
        slopes_[column].push_back(slopes[r]);
        logarithmic_[column].push_back(std::isfinite(relative) ? relative : io::no_number);
    }
}

io::Table SlopeTable::table() const {
    io::Table table;
    table.add("key", key_);
    table.add("unit", unit_);
    table.add("value", value_);
    if (!item_name_.empty()) table.add(item_name_, item_);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        table.add(fmt::format("d_{}", columns_[c]), slopes_[c]);
        table.add(fmt::format("log_{}", columns_[c]), logarithmic_[c]);
    }
    return table;
}

io::Value SlopeTable::logarithmic(std::string_view column) const {
    io::Value by_key = io::Value::object();
    const auto index = std::ranges::find(columns_, column) - columns_.begin();
    const std::vector<double>& values = logarithmic_[static_cast<std::size_t>(index)];
    for (std::size_t row = 0; row < key_.size(); ++row)
        if (item_[row] == 1) by_key.set(key_[row], values[row]);
    return by_key;
}

void SlopeTable::warn(std::vector<std::string>& warnings) const {
    for (std::size_t row = 0; row < key_.size(); ++row) {
        std::vector<std::string> lost;
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (std::isfinite(results_[c][row]) && std::isnan(slopes_[c][row]))
                lost.push_back(columns_[c]);
        if (lost.empty()) continue;
        const std::string where =
            item_name_.empty() ? "" : fmt::format(" of {} {}", item_name_, item_[row]);
        warnings.push_back(
            fmt::format("no derivatives by {}{}: at this value there is a jump or a kink of {}",
                        key_[row], where, core::listed(lost, "and")));
    }
}

}  // namespace stoss::solvers
