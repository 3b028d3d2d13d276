#include <solvers/case/distribution.hpp>

#include <cmath>

#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/stiffness_unit.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

constexpr double least_share = 1e-6;  // of a normal distribution that its bounds may leave

/// A quantity of the distribution in SI; none, with a violation, if the text is none.
std::optional<double> read_quantity(const std::string& text, const char* key,
                                    const UncertainNumber& number, Violations& violations) {
    const auto parsed = io::parse_quantity(text, number.unit, number.exponent);
    if (const double* const value = std::get_if<double>(&parsed)) {
        if (std::isfinite(*value)) return *value;
        violations.push_back({number.path + "." + key, text, "must be finite", ""});
        return std::nullopt;
    }
    const auto& error = std::get<io::QuantityError>(parsed);
    violations.push_back({number.path + "." + key, text, error.rule, error.suggestion});
    return std::nullopt;
}

std::optional<double> read_mean(const MeanAndSigma& given, const UncertainNumber& number,
                                Violations& violations) {
    if (given.mean) return read_quantity(*given.mean, "mean", number, violations);
    if (!number.nominal) {
        violations.push_back(
            {number.path + ".mean", "", "is missing: the case gives no value of the key", ""});
    }
    return number.nominal;
}

std::optional<double> read_sigma(const MeanAndSigma& given, std::optional<double> mean,
                                 const UncertainNumber& number, Violations& violations) {
    if (given.sigma.has_value() == given.relative_sigma.has_value()) {
        violations.push_back(
            {number.path + ".sigma", given.sigma.value_or(""),
             given.sigma ? "cannot be given together with relative_sigma" : "is missing",
             "give sigma with the unit of the key, or relative_sigma"});
        return std::nullopt;
    }
    if (given.sigma) {
        const auto sigma = read_quantity(*given.sigma, "sigma", number, violations);
        if (sigma && *sigma <= 0.0) {
            violations.push_back({number.path + ".sigma", *given.sigma, "must be > 0",
                                  "leave out a key that is certain"});
        }
        return sigma;
    }
    if (mean == 0.0) {
        violations.push_back({number.path + ".relative_sigma", core::to_text(*given.relative_sigma),
                              "has no meaning if the mean is 0", "give sigma"});
    }
    if (!mean) return std::nullopt;
    return *given.relative_sigma * std::abs(*mean);
}

/// `has_mean`: false if the mean could not be read.
statistics::Marginal read_mean_and_sigma(const MeanAndSigma& given, const UncertainNumber& number,
                                         bool& has_mean, Violations& violations) {
    statistics::Marginal marginal;
    const auto mean = read_mean(given, number, violations);
    const auto sigma = read_sigma(given, mean, number, violations);
    if (mean) marginal.mean = *mean;
    if (sigma) marginal.sigma = *sigma;
    has_mean = mean.has_value();
    return marginal;
}

statistics::Marginal read(const Normal& given, const UncertainNumber& number,
                          Violations& violations) {
    bool has_mean = false;
    return read_mean_and_sigma(given, number, has_mean, violations);
}

statistics::Marginal read(const Lognormal& given, const UncertainNumber& number,
                          Violations& violations) {
    bool has_mean = false;
    statistics::Marginal marginal = read_mean_and_sigma(given, number, has_mean, violations);
    marginal.shape = statistics::Marginal::Shape::lognormal;
    if (has_mean && marginal.mean <= 0.0) {
        violations.push_back({number.path + ".mean", core::with_unit(marginal.mean, number.unit),
                              "must be > 0: a lognormal number is positive", ""});
    }
    return marginal;
}

statistics::Marginal read(const TruncatedNormal& given, const UncertainNumber& number,
                          Violations& violations) {
    bool has_mean = false;
    statistics::Marginal marginal = read_mean_and_sigma(given, number, has_mean, violations);
    if (!given.from && !given.to) {
        violations.push_back({number.path + ".from", "", "is missing",
                              "give `from`, `to` or both, or use `distribution: normal`"});
    }
    if (given.from) {
        const auto from = read_quantity(*given.from, "from", number, violations);
        marginal.from = from.value_or(marginal.from);
    }
    if (given.to) {
        const auto to = read_quantity(*given.to, "to", number, violations);
        marginal.to = to.value_or(marginal.to);
    }
    if (!violations.empty()) return marginal;
    if (marginal.share_within_bounds() < least_share) {
        violations.push_back(
            {given.from ? number.path + ".from" : number.path + ".to",
             given.from ? *given.from : *given.to,
             "the bounds must leave at least a millionth of the normal distribution", ""});
    }
    return marginal;
}

statistics::Marginal read(const Uniform& given, const UncertainNumber& number,
                          Violations& violations) {
    statistics::Marginal marginal;
    marginal.shape = statistics::Marginal::Shape::uniform;
    const auto from = read_quantity(given.from, "from", number, violations);
    const auto to = read_quantity(given.to, "to", number, violations);
    if (!from || !to) return marginal;
    marginal.from = *from;
    marginal.to = *to;
    if (marginal.to <= marginal.from) {
        violations.push_back(
            {number.path + ".to", given.to, "must be greater than `from`: " + given.from, ""});
    }
    return marginal;
}

}  // namespace

statistics::Marginal read_marginal(const Distribution& distribution, const UncertainNumber& number,
                                   Violations& violations) {
    Violations own;
    const statistics::Marginal marginal =
        std::visit([&](const auto& given) { return read(given, number, own); }, distribution);
    core::append(std::move(own), violations);
    return marginal;
}

}  // namespace stoss::solvers
