#include <stoss/core/elementary.hpp>
#include <stoss/statistics/marginal.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>

namespace stoss::statistics {

namespace {

/// Phi(z) of the standard normal distribution. Boost computes in extended precision: the same bits
/// on every x86-64 processor, which the C library does not give.
double normal_cdf(double z) {
    return 0.5 * boost::math::erfc(-z / std::numbers::sqrt2);
}

/// Its inverse.
double normal_quantile(double u) {
    return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * u);
}

double normal_density(double z) {
    return core::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// Moments of a standard normal number between two bounds (Johnson, Kotz and Balakrishnan 1994).
struct CutMoments {
    double mean, variance;
};
CutMoments cut_moments(double low, double high, double share) {
    // Between close bounds the closed form below loses all digits; the series in half their
    // distance keeps them. At `close` both are right to 1e-7, far out in a tail to 1e-4.
    constexpr double close = 5e-3;
    if (const double half = 0.5 * (high - low); half < close) {
        const double middle = 0.5 * (low + high), uniform = half * half / 3.0;
        return {middle * (1.0 - uniform),
                uniform * (1.0 - half * half * (2.0 / 15.0 + middle * middle / 5.0))};
    }
    const auto weighted = [](double z) { return std::isinf(z) ? 0.0 : z * normal_density(z); };
    const double mean = (normal_density(low) - normal_density(high)) / share;
    return {mean, 1.0 - (mean * mean - (weighted(low) - weighted(high)) / share)};
}

}  // namespace

double Marginal::expectation() const {
    if (shape == Shape::uniform) return 0.5 * (from + to);
    if (shape == Shape::lognormal) return mean;
    return mean +
           sigma *
               cut_moments((from - mean) / sigma, (to - mean) / sigma, share_within_bounds()).mean;
}

double Marginal::standard_deviation() const {
    if (shape == Shape::uniform) return (to - from) / std::sqrt(12.0);
    if (shape == Shape::lognormal) return sigma;
    const CutMoments cut =
        cut_moments((from - mean) / sigma, (to - mean) / sigma, share_within_bounds());
    return sigma * std::sqrt(cut.variance);
}

double Marginal::quantile(double u) const {
    switch (shape) {
        case Shape::uniform:
            return from * (1.0 - u) + to * u;
        case Shape::lognormal: {
            // ln X has variance ln(1 + (sigma/mean)^2) and mean ln(mean) less half of it.
            const double variance = core::log1p((sigma / mean) * (sigma / mean));
            return mean * core::exp(std::sqrt(variance) * normal_quantile(u) - 0.5 * variance);
        }
        case Shape::normal:
            break;
    }
    if (std::isinf(from) && std::isinf(to)) return mean + sigma * normal_quantile(u);
    if (from > mean) {  // both bounds lie in the upper tail, where Phi is near 1: mirrored
        const Marginal mirrored{shape, -mean, sigma, -to, -from};
        return -mirrored.quantile(1.0 - u);
    }
    const double low = normal_cdf((from - mean) / sigma), high = normal_cdf((to - mean) / sigma);
    return std::clamp(mean + sigma * normal_quantile(low + u * (high - low)), from, to);
}

double Marginal::share_within_bounds() const {
    const double low = (from - mean) / sigma, high = (to - mean) / sigma;
    // Where both bounds lie in the upper tail, Phi is near 1: mirrored.
    return low > 0.0 ? normal_cdf(-low) - normal_cdf(-high) : normal_cdf(high) - normal_cdf(low);
}

}  // namespace stoss::statistics
