#include <solvers/case/key_slopes.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <models/collision_inputs.hpp>
#include <solvers/case/gradient_table.hpp>
#include <stoss/core/stencil.hpp>
#include <stoss/core/text.hpp>

namespace stoss::solvers {

namespace {

/// The size of a number that is 0: a result would change by about itself over it, as it does over a
/// number that is not 0. 1 if no result changes. Never beyond the bound of the number.
double size_of_zero(const core::NumberKey& number, const ComputeResults& compute,
                    const std::vector<double>& own) {
    constexpr double visible = 1e-4;    // relative, far above the noise of most results
    constexpr double shortest = 1e-12;  // what changes visibly over it is noise alone
    constexpr double jump = 0.1;        // no smooth change leaps from `visible` to it in one step
    const double widest = std::max(number.range.high, -number.range.low);
    std::vector<bool> is_noise(own.size(), false);
    for (double length = shortest; length < std::min(1e15, widest); length *= 10.0) {
        number.set(number.range.contains(length) ? length : -length);
        const std::vector<double> there = compute();
        double largest = 0.0;
        for (std::size_t r = 0; r < std::min(own.size(), there.size()); ++r) {
            const double change = std::abs(there[r] - own[r]) / std::abs(own[r]);
            if (own[r] == 0.0 || !std::isfinite(change)) continue;
            if (change > (length == shortest ? visible : jump)) is_noise[r] = true;
            if (!is_noise[r]) largest = std::max(largest, change);
        }
        if (largest > visible) return std::min(length / largest, widest);
    }
    return std::min(1.0, widest);
}

/// What seven results, and three between them, say.
struct SlopesAndRest {
    std::vector<double> slopes;
    std::vector<double> rest;     ///< what is not smooth: SlopeSteps::smooth, times derivative
    std::vector<double> largest;  ///< magnitudes of the seven
    double length;                ///< from one computation to the next
};

constexpr double per_error = 25.0;  // sixth difference over error of the derivative, of noise

/// Weights of the seven results in the polynomial through them, at a place [steps] from the first.
std::array<double, core::Stencil::points> interpolation(double place) {
    std::array<double, core::Stencil::points> weights;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = 1.0;
        const auto own = static_cast<double>(i);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const auto other = static_cast<double>(j);
            if (j != i) weights[i] *= (place - other) / (own - other);
        }
    }
    return weights;
}

/// Raises `rest` to what results between the seven differ from the polynomial through these. Jumps
/// at equal distances may be equal from one to the next of the seven, and so seem smooth.
void compare_between(SlopesAndRest& all, const core::Stencil& stencil,
                     const std::vector<std::vector<double>>& seven, const core::NumberKey& number,
                     const ComputeResults& compute) {
    // No multiples of one distance meet all of them.
    constexpr std::array places{1.3178372, 3.2360680, 4.5857864};  // from the first [steps]
    for (const double place : places) {
        number.set(stencil.at + stencil.length * (stencil.first + place));
        std::vector<double> there = compute();
        there.resize(all.rest.size(), io::no_number);
        const auto weights = interpolation(place);
        for (std::size_t r = 0; r < there.size(); ++r) {
            double difference = there[r];
            for (std::size_t i = 0; i < weights.size(); ++i) difference -= weights[i] * seven[i][r];
            const double rest = per_error * std::abs(difference) / stencil.length;
            if (!(rest <= all.rest[r])) all.rest[r] = rest;  // NaN too
        }
    }
}

SlopesAndRest slopes_over(const core::Stencil& stencil, const core::NumberKey& number,
                          const ComputeResults& compute, const std::vector<double>& own) {
    const std::vector<double> zeros(own.size());
    SlopesAndRest all{zeros, zeros, zeros, stencil.length};
    std::vector<std::vector<double>> seven;
    for (std::size_t i = 0; i < core::Stencil::points; ++i) {
        number.set(stencil.number(i));
        seven.push_back(stencil.number(i) == stencil.at ? own : compute());
        seven.back().resize(own.size(), io::no_number);
        for (std::size_t r = 0; r < own.size(); ++r) {
            const double there = seven.back()[r];
            all.slopes[r] += stencil.weight(i) * there;
            all.rest[r] += core::Stencil::sixth[i] / stencil.length * there;
            all.largest[r] = std::max(all.largest[r], std::abs(there));
        }
    }
    for (double& rest : all.rest) rest = std::abs(rest);
    compare_between(all, stencil, seven, number, compute);
    return all;
}

/// From the number to the farthest of the points.
double reach_of(const core::Stencil& stencil) {
    return std::max(std::abs(stencil.number(0) - stencil.at),
                    std::abs(stencil.number(core::Stencil::points - 1) - stencil.at));
}

/// What the case is refused for if the number alone is less, or more, by `reach`; empty: no rule is
/// against it.
std::string broken_rules(const core::NumberKey& number, double reach, const CheckNumbers& check) {
    const double at = number.value().value();
    std::string rules;
    for (const double there : {at - reach, at + reach}) {
        if (!number.range.contains(there)) continue;
        number.set(there);
        const std::vector<core::Violation> found = check();
        if (found.empty()) continue;
        const core::Violation& first = found.front();
        rules += fmt::format("{}{}: {} {}", rules.empty() ? "" : "; ", first.key, first.value,
                             first.rule);
    }
    number.set(at);
    return rules;
}

/// "0.15 %" of the value, or "0.003 kg" of a value that is 0.
std::string reach_text(double reach, double value, const std::string& unit) {
    if (value != 0.0) return fmt::format("{:.2g} %", 100.0 * reach / std::abs(value));
    return fmt::format("{:.2g}{}{}", reach, unit.empty() ? "" : " ", unit);
}

/// The lengths that were asked for, and longer ones for results that scatter.
std::vector<double> all_lengths(const SlopeSteps& steps) {
    std::vector<double> lengths = steps.lengths;
    const double longest = *std::ranges::max_element(steps.lengths);
    for (const double longer : {0x1p-7, 0x1p-4})
        if (longer > longest) lengths.push_back(longer);
    return lengths;
}

/// True if the rest is that of noise: not more over the longer steps `after`. That of a bend or a
/// kink grows.
bool is_scatter(double rest_before, double length_before, double rest_after, double length_after) {
    return rest_after * length_after <= 4.0 * rest_before * length_before;
}

/// True if result r scatters, but no more than the derivatives over both lengths allow, which
/// agree. `least`: what a derivative is compared with.
bool agree(const SlopesAndRest& before, const SlopesAndRest& after, std::size_t r, double least) {
    constexpr double exact = 1e-4;  // relative error of a derivative of a result that scatters
    // Noise is as large over steps of any length, and less by chance alone.
    const double noise = std::max(before.rest[r] * before.length, after.rest[r] * after.length);
    return std::abs(after.slopes[r] - before.slopes[r]) <=
               exact * least + before.rest[r] / per_error &&
           noise / after.length <= exact * per_error * least &&
           is_scatter(before.rest[r], before.length, after.rest[r], after.length);
}

/// True if there is no derivative of result r because it scatters: a jump is larger.
bool is_lost_in_noise(const std::vector<SlopesAndRest>& all, std::size_t r, double own) {
    constexpr double noise = 1e-2;  // sixth difference of what may be noise, relative
    const SlopesAndRest &first = all.front(), &last = all.back();
    return last.rest[r] * last.length <= noise * std::abs(own) &&
           is_scatter(first.rest[r], first.length, last.rest[r], last.length);
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
    const auto is_accepted = [&](const std::string& name) {
        return !models::check_gradient_key("gradient", name, number_at(name));
    };
    suggest_accepted_keys(found, names, is_accepted, example);
    return found;
}

void suggest_accepted_keys(std::vector<core::Violation>& found,
                           const std::vector<std::string>& names,
                           const std::function<bool(const std::string&)>& is_accepted,
                           std::string_view example) {
    for (core::Violation& each : found) {
        if (each.value.empty() || !each.suggestion.empty()) continue;
        std::vector<std::string> near;
        std::ranges::copy_if(names, std::back_inserter(near), [&](const std::string& name) {
            return name == each.value || is_accepted(name);  // a known key is told so
        });
        std::vector<core::Violation> one{each};
        suggest_keys(one, near, example);
        each = std::move(one.front());
    }
}

KeySlopes slopes_by(const core::NumberKey& number, const ComputeResults& compute,
                    const std::vector<double>& own, const SlopeSteps& steps) {
    const double at = number.value().value();
    const double size = at == 0.0 ? size_of_zero(number, compute, own) : std::abs(at);
    KeySlopes found{std::vector<double>(own.size(), io::no_number),
                    std::vector<bool>(own.size(), false), core::infinity};
    const auto is_open = [&](std::size_t r) {
        return std::isfinite(own[r]) && std::isnan(found.slopes[r]);
    };
    std::vector<double> least_rest(own.size(), core::infinity);
    std::vector<bool> is_settled(own.size(), false);
    std::vector<SlopesAndRest> all;
    for (const double length : all_lengths(steps)) {
        const auto stencil = core::Stencil::in(number.range, at, length * size);
        const SlopesAndRest now = slopes_over(stencil, number, compute, own);
        const auto longest = std::ranges::max_element(all, {}, &SlopesAndRest::length);
        const bool is_longer = all.size() >= steps.lengths.size();
        for (std::size_t r = 0; r < own.size(); ++r) {
            if (is_settled[r]) continue;
            const double least = std::max(std::abs(now.slopes[r]), now.largest[r] / size);
            const double rest = now.rest[r];
            // Noise alone may be a little less by chance; the error falls by 4^5 from length to
            // length.
            const bool is_smoother = rest <= steps.smooth * least && rest < 0.1 * least_rest[r];
            if (is_smoother || (is_open(r) && is_longer && agree(*longest, now, r, least))) {
                found.slopes[r] = now.slopes[r];
                least_rest[r] = rest;
            }
            is_settled[r] = !is_open(r) && !(is_smoother && rest > steps.exact * least);
        }
        const bool is_done = std::ranges::find(is_settled, false) == is_settled.end();
        found.reach = std::min(found.reach, reach_of(stencil));
        all.push_back(now);
        if (is_done) break;
    }
    for (std::size_t r = 0; r < own.size(); ++r)
        found.is_lost_in_noise[r] = is_open(r) && is_lost_in_noise(all, r, own[r]);
    number.set(at);
    return found;
}

SlopeTable::SlopeTable(std::vector<std::string> columns, ComputeResults compute, CheckNumbers check,
                       const SlopeSteps& steps, std::string item)
    : columns_(std::move(columns)),
      compute_(std::move(compute)),
      check_(std::move(check)),
      steps_(steps),
      item_name_(std::move(item)),
      own_(compute_()),
      results_(columns_.size()),
      slopes_(columns_.size()),
      logarithmic_(columns_.size()),
      is_lost_in_noise_(columns_.size()) {}

void SlopeTable::add(const std::string& key, const core::NumberKey& number) {
    const double value = number.value().value();
    const auto [slopes, is_lost_in_noise, reach] = slopes_by(number, compute_, own_, steps_);
    const std::string rules = broken_rules(number, reach, check_);
    for (std::size_t r = 0; r < own_.size(); ++r) {
        const std::size_t column = r % columns_.size();
        if (column == 0) {
            key_.push_back(key);
            unit_.emplace_back(number.unit);
            value_.push_back(value);
            reach_.push_back(reach);
            broken_rules_.push_back(rules);
            item_.push_back(static_cast<std::int64_t>(r / columns_.size()) + 1);
        }
        const double relative = slopes[r] * value / own_[r];
        results_[column].push_back(own_[r]);
        slopes_[column].push_back(slopes[r]);
        is_lost_in_noise_[column].push_back(is_lost_in_noise[r]);
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
        table.add(fmt::format("log_{}", core::split_unit(columns_[c]).name), logarithmic_[c]);
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
    const auto say = [&](std::size_t row, std::string_view why, bool by_noise) {
        std::vector<std::string> lost;
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (std::isfinite(results_[c][row]) && std::isnan(slopes_[c][row]) &&
                is_lost_in_noise_[c][row] == by_noise)
                lost.push_back(columns_[c]);
        if (lost.empty()) return;
        const std::string where =
            item_name_.empty() ? "" : fmt::format(" of {} {}", item_name_, item_[row]);
        warnings.push_back(fmt::format("no derivatives by {}{}: {} {}", key_[row], where, why,
                                       core::listed(lost, "and")));
    };
    for (std::size_t row = 0; row < key_.size(); ++row) {
        const std::string reach = reach_text(reach_[row], value_[row], unit_[row]);
        say(row,
            broken_rules_[row].empty()
                ? fmt::format("within {} of this value there is a jump or a kink of", reach)
                : fmt::format("it cannot be changed alone by {} ({}), so there are none of", reach,
                              broken_rules_[row]),
            false);
        say(row, "they are lost in the noise of", true);
    }
}

}  // namespace stoss::solvers
