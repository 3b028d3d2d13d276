#include <stoss/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <vector>

namespace stoss::core {
namespace {

// Words longer than this are no key anyone meant; it also bounds the work on hostile input.
constexpr std::size_t longest_word = 100;

std::string normalised(std::string_view word) {
    std::string result(word);
    for (char& letter : result) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
        if (letter == '-' || letter == ' ') letter = '_';
    }
    return result;
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

bool one_contains_the_other(std::string_view a, std::string_view b) {
    const auto& [shorter, longer] = std::minmax(
        a, b, [](std::string_view x, std::string_view y) { return x.size() < y.size(); });
    if (shorter.size() >= 3) return longer.find(shorter) != std::string_view::npos;
    return shorter.size() == 2 && longer.starts_with(shorter);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view word,
                                        std::span<const std::string> candidates) {
    if (word.empty() || word.size() > longest_word) return std::nullopt;
    const std::string wanted = normalised(word);
    const std::string* best = nullptr;
    std::size_t best_distance = 0;
    for (const std::string& candidate : candidates) {
        const std::string other = normalised(candidate);
        const std::size_t distance = edit_distance(wanted, other);
        const std::size_t allowed =
            std::max<std::size_t>(1, std::max(wanted.size(), other.size()) / 3);
        // A single letter is one edit away from every other single letter: that is no likeness.
        const bool alike = distance <= allowed && distance < std::max(wanted.size(), other.size());
        if (!alike && !one_contains_the_other(wanted, other)) continue;
        if (best == nullptr || distance < best_distance) {
            best = &candidate;
            best_distance = distance;
        }
    }
    if (best == nullptr) return std::nullopt;
    return *best;
}

std::string listed(std::span<const std::string> words, std::string_view last_joint) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool is_last = i + 1 == words.size();
        if (i > 0 && is_last) text.append(" ").append(last_joint).append(" ");
        if (i > 0 && !is_last) text.append(", ");
        text += words[i];
    }
    return text;
}

std::string escape_markup(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            case '\n':
                result += c;
                break;
            default:
                result += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
        }
    }
    return result;
}

std::string to_text(double value) {
    if (std::isnan(value)) return ".nan";
    if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::string to_real_text(double value) {
    std::string text = to_text(value);
    if (std::isfinite(value) && text.find_first_of(".e") == text.npos) text += ".0";
    return text;
}

std::string with_unit(double value, std::string_view si_unit) {
    if (si_unit.empty()) return to_text(value);
    return to_text(value) + " " + std::string(si_unit);
}

std::string unit_suffix(std::string_view si_unit) {
    std::string suffix;
    if (si_unit.starts_with("1/")) si_unit.remove_prefix(1);
    for (std::size_t i = 0; i < si_unit.size(); ++i) {
        const char c = si_unit[i];
        if (c == '/') {
            suffix += suffix.empty() ? "per_" : "_per_";
        } else if (c == '%') {
            suffix += "percent";
        } else if (c == '^') {
            const bool whole = i + 1 < si_unit.size() && is_digit(si_unit[i + 1]);
            if (!whole) suffix += "_to_";
        } else if (c == ' ' || c == '*' || c == '.' || c == '(' || c == ')') {
            if (!suffix.empty() && suffix.back() != '_') suffix += '_';
        } else {
            suffix += c;
        }
    }
    while (suffix.ends_with('_')) suffix.pop_back();
    return suffix;
}

NameAndUnit split_unit(std::string_view key) {
    // Longer suffixes first: "rad_per_s" ends in "s" too.
    static constexpr std::array<std::string_view, 31> units = {"s m^(alpha-beta)",
                                                               "N/m^(3/2)",
                                                               "N s/m^2",
                                                               "J/m^2",
                                                               "N m s/rad",
                                                               "N m/rad",
                                                               "N s/m",
                                                               "N/m^n",
                                                               "s/m",
                                                               "kg/m^3",
                                                               "rad/s^2",
                                                               "rad/s",
                                                               "N/m",
                                                               "m/s^2",
                                                               "m/s",
                                                               "1/s",
                                                               "1/kg",
                                                               "kg m^2",
                                                               "N s",
                                                               "Pa s",
                                                               "percent",
                                                               "Pa",
                                                               "Hz",
                                                               "kg",
                                                               "rad",
                                                               "deg",
                                                               "ns",
                                                               "N",
                                                               "J",
                                                               "m",
                                                               "s"};
    for (const std::string_view unit : units) {
        const std::string suffix = '_' + unit_suffix(unit);
        if (key.size() <= suffix.size() || !key.ends_with(suffix)) continue;
        std::string_view name = key.substr(0, key.size() - suffix.size());
        // A rate has either spelling: "_per_s" or "_1_per_s".
        if (unit.starts_with("1/") && name.ends_with("_1")) name.remove_suffix(2);
        return {std::string(name), std::string(unit)};
    }
    return {std::string(key), ""};
}

}  // namespace stoss::core
