#pragma once
/// Curve through given points that rises where the points rise.

#include <cstddef>
#include <span>
#include <vector>

namespace stoss::contact {

/// Piecewise cubic polynomial through the points (x_i, y_i), continuous with its first derivative.
/// Between two points it is monotone; beyond the last one it goes on straight. The slopes are those
/// of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5 (1984) 300): order 2 at least, without the
/// overshoot of a spline.
class MonotoneCubic {
  public:
    /// At least two points, x strictly increasing; sizes are equal.
    MonotoneCubic(std::span<const double> x, std::span<const double> y);

    double value(double x) const;
    double slope(double x) const;
    /// Integral from x_0 to x; x >= x_0. Exact but for roundoff.
    double integral(double x) const;

    /// Number of the interval that x lies in; beyond the last point one more.
    int interval(double x) const;

    double last() const { return x_.back(); }

  private:
    struct Place {
        std::size_t interval;
        double t;  ///< 0 to 1 across the interval; above 1 beyond the last point
    };
    Place place(double x) const;
    double integral_within(std::size_t interval, double t) const;  ///< from its begin to t

    std::vector<double> x_, y_, slope_;
    std::vector<double> integral_;  ///< to each point
};

}  // namespace stoss::contact
