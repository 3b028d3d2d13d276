#pragma once
/// Arrays of numbers for batch calls.

#include <cstddef>
#include <vector>

namespace stoss::core {

/// `count` numbers evenly spaced from `from` to `to`, both ends included; the ends are exact. One
/// number is `from`.
inline std::vector<double> linspace(double from, double to, std::size_t count) {
    std::vector<double> numbers(count, from);
    // Weights are whole numbers, so that 0.5 stays 0.5.
    const auto end = static_cast<double>(count) - 1.0;
    for (std::size_t i = 1; i + 1 < count; ++i) {
        const auto weight = static_cast<double>(i);
        numbers[i] = (from * (end - weight) + to * weight) / end;
    }
    if (count > 1) numbers.back() = to;
    return numbers;
}

}  // namespace stoss::core
