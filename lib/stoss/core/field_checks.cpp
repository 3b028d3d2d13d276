#include <stoss/core/field_checks.hpp>

#include <cmath>
#include <utility>

#include <stoss/core/text.hpp>

namespace stoss::core {

namespace {

/// A bound with its unit; whole numbers in full: 1000000, not 1e+06.
std::string bound(double value, std::string_view unit) {
    if (std::abs(value) > 1e9 || value != std::floor(value)) return with_unit(value, unit);
    const std::string digits = std::to_string(static_cast<long long>(value));
    return unit.empty() ? digits : digits + ' ' + std::string(unit);
}

}  // namespace

std::string range_words(const Range& range, std::string_view unit) {
    const bool has_low = std::isfinite(range.low);
    const bool has_high = std::isfinite(range.high);
    if (!has_low && !has_high) return "finite";
    if (has_low && has_high && !range.low_open && !range.high_open) {
        return "between " + bound(range.low, "") + " and " + bound(range.high, unit);
    }
    std::string words;
    if (has_low) words += (range.low_open ? "> " : ">= ") + bound(range.low, unit);
    if (has_low && has_high) words += " and ";
    if (has_high) words += (range.high_open ? "< " : "<= ") + bound(range.high, unit);
    if (!has_high && !range.high_open) words += " (inf allowed)";
    return words;
}

std::vector<Violation> check_number(const std::string& key, double value, const Range& range,
                                    std::string_view unit) {
    if (range.contains(value)) return {};
    const std::string words = range_words(range, unit);
    const bool must_be_finite = std::isinf(value) && !range.contains(infinity) && words != "finite";
    return {{key, with_unit(value, unit),
             (must_be_finite ? "must be finite and " : "must be ") + words, ""}};
}

std::vector<Violation> check_number(const std::string& key, const Required& value,
                                    const Range& range, std::string_view unit,
                                    std::string_view meaning) {
    if (!value.has_value()) return {missing(key, meaning)};
    return check_number(key, static_cast<double>(value), range, unit);
}

Violation missing(std::string key, std::string_view meaning) {
    return {std::move(key), "", "is missing", std::string(meaning)};
}

void throw_if_any(std::vector<Violation> violations) {
    if (violations.empty()) return;
    std::vector<Diagnostic> diagnostics;
    for (Violation& each : violations) diagnostics.push_back({"", 0, 0, std::move(each)});
    throw InputError(std::move(diagnostics));
}

}  // namespace stoss::core
