#pragma once
/// A part of work that several machines share.

#include <cstddef>
#include <string>

namespace stoss::solvers {

/// Part `number` of `count`: every count-th item. Part 0 has none.
struct Shard {
    std::size_t number = 1;
    std::size_t count = 1;

    bool is_whole() const { return number == 1 && count == 1; }
    bool takes(std::size_t item) const { return item % count + 1 == number; }
};

/// Reads "k/N". Errors: core::InputError if it is not 1 <= k <= N <= 1,000,000.
Shard shard_of(const std::string& words);

}  // namespace stoss::solvers
