#pragma once
/// Bisection of intervals that span many orders of magnitude.

#include <cmath>

namespace stoss::core {

/// The place at which `is_below(x)` turns from true to false, by geometric means of the ends,
/// 0 < low < high, to the last bit; the place returned is on the side of `high`.
template <class Condition>
double geometric_bisection(double low, double high, const Condition& is_below) {
    for (;;) {
        const double middle = std::sqrt(low * high);
        if (!(middle > low && middle < high)) return high;
        (is_below(middle) ? low : high) = middle;
    }
}

}  // namespace stoss::core
