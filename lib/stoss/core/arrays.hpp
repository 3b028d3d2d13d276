#pragma once
/// Arrays of numbers for batch calls.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stoss::core {

/// Number `index` of `count` numbers evenly spaced from `from` to `to`, both ends included; the
/// ends are exact. One number is `from`.
inline double evenly_spaced(double from, double to, std::size_t count, std::size_t index) {
    if (index == 0) return from;
    if (index + 1 == count) return to;
    // Weights are whole numbers, so that 0.5 stays 0.5.
    const auto end = static_cast<double>(count - 1), weight = static_cast<double>(index);
    return (from * (end - weight) + to * weight) / end;
}

/// All `count` numbers, evenly spaced from `from` to `to`.
inline std::vector<double> linspace(double from, double to, std::size_t count) {
    std::vector<double> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = evenly_spaced(from, to, count, i);
    return numbers;
}

/// At most `count` of the indices 0 to `of` - 1, evenly spaced, with the first and the last. Only
/// one is the middle.
inline std::vector<std::size_t> spread_indices(std::size_t count, std::size_t of) {
    std::vector<std::size_t> indices(std::min(count, of));
    for (std::size_t i = 0; i < indices.size(); ++i)
        indices[i] = indices.size() == 1 ? of / 2 : i * (of - 1) / (indices.size() - 1);
    return indices;
}

}  // namespace stoss::core
