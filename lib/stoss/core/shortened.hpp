#pragma once
/// Long texts of a user in messages.

#include <cstddef>
#include <string>
#include <string_view>

namespace stoss::core {

/// `text` as a message quotes it: of more than `most` bytes the first ones, up to a whole letter of
/// UTF-8, and "...".
inline std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    const auto is_inside_letter = [&](std::size_t i) {
        return (static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u;
    };
    while (most > 0 && is_inside_letter(most)) --most;
    return std::string(text.substr(0, most)).append("...");
}

}  // namespace stoss::core
