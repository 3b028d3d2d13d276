#include <stoss/contact/monotone_cubic.hpp>

#include <algorithm>
#include <cmath>

namespace stoss::contact {

namespace {

/// Slope at a point between two intervals of lengths h, chords of slopes d: their weighted harmonic
/// mean, 0 at an extremum.
double inner_slope(double h_before, double h_after, double d_before, double d_after) {
    if (!(d_before * d_after > 0.0)) return 0.0;
    const double before = 2.0 * h_after + h_before, after = h_after + 2.0 * h_before;
    return (before + after) / (before / d_before + after / d_after);
}

/// Slope at an end: the parabola through three points, held within what keeps the sign and the
/// monotony.
double end_slope(double h, double h_next, double d, double d_next) {
    const double slope = ((2.0 * h + h_next) * d - h * d_next) / (h + h_next);
    if (!(slope * d > 0.0)) return 0.0;
    if (d * d_next < 0.0 && std::abs(slope) > 3.0 * std::abs(d)) return 3.0 * d;
    return slope;
}

}  // namespace

MonotoneCubic::MonotoneCubic(std::span<const double> x, std::span<const double> y)
    : x_(x.begin(), x.end()), y_(y.begin(), y.end()), slope_(x.size()), integral_(x.size()) {
    const std::size_t last = x_.size() - 1;
    std::vector<double> h(last), d(last);
    for (std::size_t i = 0; i < last; ++i) {
        h[i] = x_[i + 1] - x_[i];
        d[i] = (y_[i + 1] - y_[i]) / h[i];
    }
    if (last == 1) {
        slope_ = {d[0], d[0]};
    } else {
        slope_[0] = end_slope(h[0], h[1], d[0], d[1]);
        slope_[last] = end_slope(h[last - 1], h[last - 2], d[last - 1], d[last - 2]);
        for (std::size_t i = 1; i < last; ++i)
            slope_[i] = inner_slope(h[i - 1], h[i], d[i - 1], d[i]);
    }
    for (std::size_t i = 0; i < last; ++i)
        integral_[i + 1] = integral_[i] + integral_within(i, 1.0);
}

MonotoneCubic::Place MonotoneCubic::place(double x) const {
    const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
    const auto interval = static_cast<std::size_t>(above - x_.begin()) - 1;
    return {interval, (x - x_[interval]) / (x_[interval + 1] - x_[interval])};
}

int MonotoneCubic::interval(double x) const {
    return static_cast<int>(x > last() ? x_.size() - 1 : place(x).interval);
}

double MonotoneCubic::value(double x) const {
    if (x > last()) return y_.back() + slope_.back() * (x - last());
    const auto [i, t] = place(x);
    const double h = x_[i + 1] - x_[i], rest = 1.0 - t;
    // Hermite's polynomials; the values first, so that it is exact at both points.
    return (1.0 + 2.0 * t) * rest * rest * y_[i] + t * t * (3.0 - 2.0 * t) * y_[i + 1] +
           h * t * rest * (rest * slope_[i] - t * slope_[i + 1]);
}

double MonotoneCubic::slope(double x) const {
    if (x > last()) return slope_.back();
    const auto [i, t] = place(x);
    const double chord = (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]), rest = 1.0 - t;
    return 6.0 * t * rest * chord + rest * (1.0 - 3.0 * t) * slope_[i] +
           t * (3.0 * t - 2.0) * slope_[i + 1];
}

double MonotoneCubic::integral(double x) const {
    if (x > last()) {
        const double beyond = x - last();
        return integral_.back() + (y_.back() + 0.5 * slope_.back() * beyond) * beyond;
    }
    const auto [i, t] = place(x);
    return integral_[i] + integral_within(i, t);
}

double MonotoneCubic::integral_within(std::size_t i, double t) const {
    const double h = x_[i + 1] - x_[i], tt = t * t;
    const double of_values =
        y_[i] * t * (1.0 + tt * (0.5 * t - 1.0)) + y_[i + 1] * t * tt * (1.0 - 0.5 * t);
    const double of_slopes = slope_[i] * tt * (0.5 + t * (0.25 * t - 2.0 / 3.0)) +
                             slope_[i + 1] * t * tt * (0.25 * t - 1.0 / 3.0);
    return h * (of_values + h * of_slopes);
}

}  // namespace stoss::contact
