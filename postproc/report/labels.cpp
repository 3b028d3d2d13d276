#include <postproc/report/labels.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

namespace {

double largest(const Extent& extent) {
    return extent.none() ? 0.0 : std::max(std::abs(extent.low), std::abs(extent.high));
}

/// A name and its unit in parentheses, as in print; a name without unit as it is.
std::string with_unit(const std::string& name, std::string unit) {
    constexpr std::string_view exponents = "alpha-beta";
    if (unit.empty()) return name;
    if (const std::size_t at = unit.find(exponents); at != std::string::npos)
        unit.replace(at, exponents.size(), "α−β");
    return fmt::format("{} ({})", name, unit);
}

}  // namespace

std::string words_of_key(std::string_view key) {
    auto [name, unit] = core::split_unit(key.substr(key.rfind('.') + 1));
    std::replace(name.begin(), name.end(), '_', ' ');
    return with_unit(name, unit);
}

std::string words_of_swept_key(std::string_view key) {
    if (key.starts_with("motion.")) return words_of_key(key);
    const auto [name, unit] = core::split_unit(key);
    return with_unit(name, unit);
}

DrawnKey drawn_key(std::string_view key) {
    const auto [name, unit] = core::split_unit(key);
    if (unit != "rad") return {std::string(key)};
    return {name + "_deg", 180.0 / std::numbers::pi};
}

std::string unit_of(const Magnitude& magnitude) {
    return magnitude.words.size() > 3 ? magnitude.words.substr(2, magnitude.words.size() - 3) : "";
}

Magnitude power_of_ten(const Extent& extent) {
    const double size = largest(extent);
    if (!(size > 0.0) || (size >= 0.01 && size < 1e4)) return {};
    const int exponent = 3 * static_cast<int>(std::floor(core::log10(size) / 3.0));
    return {core::pow(10.0, -exponent), fmt::format(" (10^{{{}}})", exponent)};
}

bool takes_prefix(std::string_view unit) {
    static constexpr std::array<std::string_view, 6> without = {"kg",  "ns",  "1/",
                                                                "rad", "deg", "percent"};
    return !unit.empty() && std::ranges::none_of(without, [&](std::string_view begin) {
        return unit.starts_with(begin);
    });
}

Magnitude si_prefix(const Extent& extent, std::string_view unit) {
    static constexpr std::array sizes{1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12};
    static constexpr std::array letters{"f", "p", "n", "µ", "m", "", "k", "M", "G", "T"};
    static_assert(sizes.size() == letters.size());
    constexpr std::size_t none = 5;
    const double size = largest(extent);
    std::size_t chosen = size > 0.0 ? 0 : none;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (size >= sizes[i]) chosen = i;
    }
    return {1.0 / sizes[chosen], fmt::format(" ({}{})", letters[chosen], unit)};
}

Extent scaled(Extent extent, double factor) {
    if (!extent.none()) {
        extent.low *= factor;
        extent.high *= factor;
    }
    return extent;
}

bool is_logarithmic(const std::vector<double>& values) {
    constexpr std::size_t fewest = 3;
    constexpr double tolerance = 1e-6;  // of a step
    std::vector<double> places;
    for (const double value : values) {
        if (!(value > 0.0)) return false;
        const double place = core::log(value);
        if (places.empty() || place != places.back()) places.push_back(place);
    }
    if (places.size() < fewest) return false;
    const double step = places[1] - places[0];
    for (std::size_t i = 2; i < places.size(); ++i) {
        const double change = places[i] - places[i - 1] - step;
        if (!(std::abs(change) <= tolerance * std::abs(step))) return false;
    }
    return true;
}

Axis key_axis(const std::string& label, const std::vector<double>& values) {
    Extent extent;
    extent.include(values);
    return is_logarithmic(values) ? log_axis(label, extent) : tight_axis(label, extent, 6);
}

std::vector<std::string> row_labels(const io::Table& table, const std::string& column) {
    if (column.empty()) return std::vector<std::string>(table.rows());
    const auto* const numbers = std::get_if<std::vector<double>>(&table.column(column).values);
    if (numbers == nullptr) return table.texts(column);
    std::vector<std::string> labels;
    for (const double number : *numbers) labels.push_back(core::to_text(number));
    return labels;
}

std::string with_minus(const std::string& value) {
    const bool negative = value.size() > 1 && value[0] == '-' && value[1] >= '0' && value[1] <= '9';
    return negative ? "−" + value.substr(1) : value;
}

Axis cor_axis(const Extent& extent) {
    constexpr const char* label = "coefficient of restitution {/:Italic e}";
    const bool is_within = extent.low >= 0.0 && extent.high <= 1.0;
    if (extent.none() || (is_within && extent.high - extent.low > 0.3))
        return {label, 0.0, 1.0, 0.2};
    return nice_axis(label, extent, 5);
}

std::string unmarked(const std::string& text) {
    static constexpr std::string_view italic = "{/:Italic ";
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.compare(at, italic.size(), italic) == 0) {
            at += italic.size() - 1;
        } else if (text[at] == '\\' && at + 1 < text.size()) {
            result += text[++at];
        } else if (text[at] != '{' && text[at] != '}') {
            result += text[at];
        }
    }
    return result;
}

std::string spoken(const std::string& caption) {
    std::string text = caption;
    std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
    return text;
}

}  // namespace stoss::postproc
