#include <stoss/core/elementary.hpp>
#include <stoss/statistics/marginal.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>

namespace stoss::statistics {

namespace {

/// Phi(z) of the standard normal distribution.
double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// Its inverse.
double normal_quantile(double u) {
    return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * u);
}

}  // namespace

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
    return normal_cdf((to - mean) / sigma) - normal_cdf((from - mean) / sigma);
}

}  // namespace stoss::statistics
