#include <solvers/distribution.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>
#include <stoss/core/units.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

constexpr double least_share = 1e-6;  // of a normal distribution that its bounds may leave

/// Phi(z) of the standard normal distribution.
double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// Its inverse.
double normal_quantile(double u) {
    return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * u);
}

/// A quantity of the distribution in SI; NaN, with a violation, if the text is none.
double read_quantity(const std::string& text, const char* key, const UncertainNumber& number,
                     Violations& violations) {
    const auto parsed = core::parse_quantity(text, number.unit);
    if (const double* const value = std::get_if<double>(&parsed)) {
        if (std::isfinite(*value)) return *value;
        violations.push_back({number.path + "." + key, text, "must be finite", ""});
        return core::not_given;
    }
    const auto& error = std::get<core::QuantityError>(parsed);
    violations.push_back({number.path + "." + key, text, error.rule, error.suggestion});
    return core::not_given;
}

double read_mean(const MeanAndSigma& given, const UncertainNumber& number, Violations& violations) {
    if (given.mean) return read_quantity(*given.mean, "mean", number, violations);
    if (!core::is_given(number.nominal)) {
        violations.push_back(
            {number.path + ".mean", "", "is missing: the case gives no value of the key", ""});
    }
    return number.nominal;
}

double read_sigma(const MeanAndSigma& given, double mean, const UncertainNumber& number,
                  Violations& violations) {
    if (given.sigma.has_value() == given.relative_sigma.has_value()) {
        violations.push_back({number.path + ".sigma", given.sigma.value_or(""),
                              given.sigma ? "cannot stand beside relative_sigma" : "is missing",
                              "give sigma with the unit of the key, or relative_sigma"});
        return core::not_given;
    }
    if (given.sigma) {
        const double sigma = read_quantity(*given.sigma, "sigma", number, violations);
        if (sigma <= 0.0) {
            violations.push_back({number.path + ".sigma", *given.sigma, "must be > 0",
                                  "leave out a key that is certain"});
        }
        return sigma;
    }
    if (mean == 0.0) {
        violations.push_back({number.path + ".relative_sigma", core::to_text(*given.relative_sigma),
                              "has no meaning beside a mean of 0", "give sigma"});
    }
    return *given.relative_sigma * std::abs(mean);
}

Marginal read_mean_and_sigma(const MeanAndSigma& given, const UncertainNumber& number,
                             Violations& violations) {
    Marginal marginal;
    marginal.mean = read_mean(given, number, violations);
    marginal.sigma = read_sigma(given, marginal.mean, number, violations);
    return marginal;
}

Marginal read(const Normal& given, const UncertainNumber& number, Violations& violations) {
    return read_mean_and_sigma(given, number, violations);
}

Marginal read(const Lognormal& given, const UncertainNumber& number, Violations& violations) {
    Marginal marginal = read_mean_and_sigma(given, number, violations);
    marginal.shape = Marginal::Shape::lognormal;
    if (marginal.mean <= 0.0) {
        violations.push_back({number.path + ".mean", core::with_unit(marginal.mean, number.unit),
                              "must be > 0: a lognormal number is positive", ""});
    }
    return marginal;
}

Marginal read(const TruncatedNormal& given, const UncertainNumber& number, Violations& violations) {
    Marginal marginal = read_mean_and_sigma(given, number, violations);
    if (!given.from && !given.to) {
        violations.push_back({number.path + ".from", "", "is missing",
                              "give `from`, `to` or both, or take distribution: normal"});
    }
    if (given.from) marginal.from = read_quantity(*given.from, "from", number, violations);
    if (given.to) marginal.to = read_quantity(*given.to, "to", number, violations);
    if (!violations.empty()) return marginal;
    const double share = normal_cdf((marginal.to - marginal.mean) / marginal.sigma) -
                         normal_cdf((marginal.from - marginal.mean) / marginal.sigma);
    if (share < least_share) {
        violations.push_back(
            {given.from ? number.path + ".from" : number.path + ".to",
             given.from ? *given.from : *given.to,
             "the bounds must leave at least a millionth of the normal distribution", ""});
    }
    return marginal;
}

Marginal read(const Uniform& given, const UncertainNumber& number, Violations& violations) {
    Marginal marginal;
    marginal.shape = Marginal::Shape::uniform;
    marginal.from = read_quantity(given.from, "from", number, violations);
    marginal.to = read_quantity(given.to, "to", number, violations);
    if (marginal.to <= marginal.from) {
        violations.push_back(
            {number.path + ".to", given.to, "must be greater than `from`: " + given.from, ""});
    }
    return marginal;
}

}  // namespace

double Marginal::quantile(double u) const {
    switch (shape) {
        case Shape::uniform:
            return from * (1.0 - u) + to * u;
        case Shape::lognormal: {
            // ln X has variance ln(1 + (sigma/mean)^2) and mean ln(mean) less half of it.
            const double variance = std::log1p((sigma / mean) * (sigma / mean));
            return mean * std::exp(std::sqrt(variance) * normal_quantile(u) - 0.5 * variance);
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

Marginal read_marginal(const Distribution& distribution, const UncertainNumber& number,
                       Violations& violations) {
    Violations own;
    const Marginal marginal =
        std::visit([&](const auto& given) { return read(given, number, own); }, distribution);
    violations.insert(violations.end(), own.begin(), own.end());
    return marginal;
}

}  // namespace stoss::solvers
