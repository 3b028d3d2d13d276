#pragma once
/// Dense output and event location inside one step.

#include <cmath>

namespace stoss::time {

/// The cubic through the values and rates at both ends of a step: dense output of order 4, more
/// than enough for schemes of order 2.
struct CubicStep {
    double y0, y1;          ///< values at the ends
    double slope0, slope1;  ///< rates at the ends times the step length

    /// Value at the fraction theta in [0, 1] of the step.
    double operator()(double theta) const {
        const double rest = 1.0 - theta;
        return rest * rest * ((1.0 + 2.0 * theta) * y0 + theta * slope0) +
               theta * theta * ((3.0 - 2.0 * theta) * y1 - rest * slope1);
    }

    /// d(value)/d(theta).
    double slope(double theta) const {
        const double rest = 1.0 - theta;
        return 6.0 * theta * rest * (y1 - y0) + rest * (rest - 2.0 * theta) * slope0 +
               theta * (theta - 2.0 * rest) * slope1;
    }

    /// Two fractions of the step.
    struct Bracket {
        double low, high;
    };
    /// Holds the zero of the slope, after so many bisections. Needs slopes of opposite sign at the
    /// ends.
    Bracket turn(int bisections) const {
        Bracket at{0.0, 1.0};
        for (int i = 0; i < bisections; ++i) {
            const double middle = 0.5 * (at.low + at.high), there = slope(middle);
            ((slope0 > 0.0 ? there > 0.0 : there < 0.0) ? at.low : at.high) = middle;
        }
        return at;
    }

    /// The fraction at which the value changes sign between the ends, to `precision` or better:
    /// Newton's method in a shrinking bracket. Needs y0 and y1 of opposite sign, or one of them
    /// zero.
    double root(double precision = 1e-16) const {
        if (y0 == 0.0) return 0.0;
        if (y1 == 0.0) return 1.0;
        double low = 0.0, high = 1.0;
        double theta = y0 / (y0 - y1), last = 1.0;
        for (int iteration = 0; iteration < 100; ++iteration) {
            const double y = (*this)(theta);
            ((y > 0.0) == (y0 > 0.0) ? low : high) = theta;
            double next = theta - y / slope(theta);
            // Also where Newton's steps do not halve: bisect.
            const bool fast = std::abs(next - theta) < 0.5 * last;
            if (!(next > low && next < high) || !fast) next = 0.5 * (low + high);
            last = std::abs(next - theta);
            theta = next;
            if (last <= precision) break;
        }
        return theta;
    }
};

}  // namespace stoss::time
