#pragma once
/// Bisection: the place at which a condition turns from true to false.

#include <cmath>

namespace stoss::core {

/// Two ends between which a condition changes: it holds at `low` and does not at `high`.
struct Bracket {
    double low, high;
};

/// The bracket after `halvings` bisections of [low, high] for `is_below(x)`.
template <class Condition>
Bracket bisection(double low, double high, int halvings, const Condition& is_below) {
    for (int halving = 0; halving < halvings; ++halving) {
        const double middle = 0.5 * (low + high);
        (is_below(middle) ? low : high) = middle;
    }
    return {low, high};
}

/// The place at which `is_below(x)` turns from true to false, by geometric means of the ends,
/// 0 < low < high, to the last bit; the place returned is on the side of `high`. For intervals
/// that span many orders of magnitude.
template <class Condition>
double geometric_bisection(double low, double high, const Condition& is_below) {
    for (;;) {
        const double middle = std::sqrt(low * high);
        if (!(middle > low && middle < high)) return high;
        (is_below(middle) ? low : high) = middle;
    }
}

}  // namespace stoss::core
