#pragma once
/// Linear interpolation of a table.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace stoss::core {

/// The value at a place between two rows; NaN outside the table and next to a gap. A place that is
/// that of a row but for roundoff has the value of the row. `place` is ascending and not empty.
inline double interpolated(const std::vector<double>& place, const std::vector<double>& values,
                           double at) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    // 0.2 m along a beam of 0.508 m and xi = 0.2/0.508 are the same place.
    const double roundoff = 1e-9 * (std::abs(at) + std::abs(place.back() - place.front()));
    const auto above = std::ranges::lower_bound(place, at - roundoff);
    if (above == place.end()) return none;
    const auto i = static_cast<std::size_t>(above - place.begin());
    if (place[i] <= at + roundoff) return values[i];
    if (i == 0) return none;
    const double part = (at - place[i - 1]) / (place[i] - place[i - 1]);
    return (1.0 - part) * values[i - 1] + part * values[i];
}

}  // namespace stoss::core
