#pragma once
/// Text of numbers, units and words, for messages, keys and files.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace stoss::core {

/// The candidate nearest to `word` in edit distance (with transpositions), if near enough to be
/// meant: at most a third of the letters differ, or one is the beginning or a part of the other.
/// Upper and lower case, `-`, `_` and blanks count as equal.
std::optional<std::string> nearest_word(std::string_view word,
                                        std::span<const std::string> candidates);

/// "a", "a or b", "a, b or c".
std::string listed(std::span<const std::string> words, std::string_view last_joint = "or");

/// `text` as content or attribute of XML and HTML: & < > " ' become entities, control characters
/// blanks.
std::string escape_markup(std::string_view text);

/// Shortest text that reads back as the same double ("0.0127", "inf", ".nan").
std::string to_text(double value);

/// The same with a point or an exponent, so that it does not read back as a whole number: "2.0".
std::string to_real_text(double value);

/// `value` with its unit, for messages: "0.0127 m", "0.68".
std::string with_unit(double value, std::string_view si_unit);

/// Key or column suffix of a unit: "N s" -> "N_s", "m/s" -> "m_per_s", "" -> "".
std::string unit_suffix(std::string_view si_unit);

/// A key or column apart; no unit is "".
struct NameAndUnit {
    std::string name;
    std::string unit;
};

/// The inverse of `unit_suffix`: "peak_force_N" is "peak_force" in "N".
NameAndUnit split_unit(std::string_view key);

}  // namespace stoss::core
