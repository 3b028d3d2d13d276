#include <stoss/core/number_key.hpp>

#include <charconv>
#include <system_error>

namespace stoss::core {

std::optional<std::size_t> index_of_item(std::string_view name, std::string_view key) {
    if (!name.starts_with(key)) return std::nullopt;
    name.remove_prefix(key.size());
    if (!name.starts_with('[') || !name.ends_with(']')) return std::nullopt;
    if (name.starts_with("[0") && name.size() > 3) return std::nullopt;  // a number has one path
    std::size_t index = 0;
    const char* const end = name.data() + name.size() - 1;
    const auto [stop, error] = std::from_chars(name.data() + 1, end, index);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return index;
}

}  // namespace stoss::core
