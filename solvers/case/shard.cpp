#include <solvers/case/shard.hpp>

#include <charconv>

#include <stoss/core/error.hpp>

namespace stoss::solvers {

Shard shard_of(const std::string& words) {
    Shard shard{0, 0};
    const char* const end = words.data() + words.size();
    const auto number = std::from_chars(words.data(), end, shard.number);
    if (number.ec == std::errc() && number.ptr != end && *number.ptr == '/') {
        const auto count = std::from_chars(number.ptr + 1, end, shard.count);
        const bool is_read = count.ec == std::errc() && count.ptr == end;
        if (is_read && shard.number >= 1 && shard.number <= shard.count && shard.count <= 1'000'000)
            return shard;
    }
    throw core::InputError({{"",
                             0,
                             0,
                             {"--shard", words, "must be k/N: part k of N parts, 1 <= k <= N",
                              "--shard 1/4, --shard 2/4, ..."}}});
}

}  // namespace stoss::solvers
