#pragma once
/// Small text helpers shared by messages.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace stoss::core {

/// The candidate nearest to `word` in edit distance (with transpositions), if near enough to be meant.
std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> candidates);

}  // namespace stoss::core
