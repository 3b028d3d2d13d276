#pragma once
/// Numbers of several computations side by side, one a lane of a vector register.

#include <array>
#include <cstddef>

#include <stoss/core/aligned.hpp>

namespace stoss::core {

inline constexpr std::size_t lanes = cache_line / sizeof(double);

/// One number of each.
struct alignas(cache_line) Row {
    std::array<double, lanes> lane{};

    double& operator[](std::size_t i) { return lane[i]; }
    double operator[](std::size_t i) const { return lane[i]; }
};

template <std::size_t n>
using Rows = std::array<Row, n>;

}  // namespace stoss::core
