#pragma once
/// Small text helpers shared by messages.

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

}  // namespace stoss::core
