#pragma once
/// The parabola through three points.

#include <array>
#include <cmath>

namespace stoss::impact::detail {

/// Around the second point: value + slope u + bend u^2, u from there.
struct Parabola {
    double value, slope, bend;

    Parabola(const std::array<double, 3>& t, const std::array<double, 3>& y) : value(y[1]) {
        const double before = (y[1] - y[0]) / (t[1] - t[0]);
        const double after = (y[2] - y[1]) / (t[2] - t[1]);
        bend = (after - before) / (t[2] - t[0]);
        slope = before + bend * (t[1] - t[0]);
    }
    /// By how much the vertex is above the second point.
    double rise() const { return -0.25 * slope * slope / bend; }
    double vertex() const { return value + rise(); }
    /// Where it falls to 0 after the second point, from there.
    double end() const {
        return 2.0 * value / (std::sqrt(slope * slope - 4.0 * bend * value) - slope);
    }
};

}  // namespace stoss::impact::detail
