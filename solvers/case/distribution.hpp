#pragma once
/// Distributions of uncertain numbers, as a case gives them.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/statistics/marginal.hpp>

namespace stoss::solvers {

/// Mean and standard deviation; both are written as the key itself would be.
struct MeanAndSigma {
    core::OrNone<std::string> mean;
    core::OrNone<std::string> sigma;
    core::OrNone<double> relative_sigma;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mean", &MeanAndSigma::mean, "mean; none: the value in the case"),
            core::field("sigma", &MeanAndSigma::sigma,
                        "standard deviation, with the unit of the key"),
            core::field("relative_sigma", &MeanAndSigma::relative_sigma, "", core::positive,
                        "standard deviation divided by the mean, in place of sigma")};
    }
};

struct Normal : MeanAndSigma {
    static constexpr std::string_view name = "normal";
    static constexpr std::string_view meaning = "Gauss' distribution";
};

struct Lognormal : MeanAndSigma {
    static constexpr std::string_view name = "lognormal";
    static constexpr std::string_view meaning =
        "lognormal distribution; mean and sigma are those of the variable, not of its logarithm";
};

struct TruncatedNormal : MeanAndSigma {
    static constexpr std::string_view name = "truncated_normal";
    static constexpr std::string_view meaning =
        "normal distribution cut off at one or two bounds; mean and sigma are those before the cut";

    core::OrNone<std::string> from, to;

    static constexpr auto fields() {
        return std::tuple_cat(
            MeanAndSigma::fields(),
            std::tuple{core::field("from", &TruncatedNormal::from, "lower bound; none: no bound"),
                       core::field("to", &TruncatedNormal::to, "upper bound; none: no bound")});
    }
};

struct Uniform {
    static constexpr std::string_view name = "uniform";
    static constexpr std::string_view meaning = "uniform distribution between two bounds";

    std::string from, to;

    static constexpr auto fields() {
        return std::tuple{
            core::field("from", &Uniform::from, "smallest value, written as for the key itself")
                .required(),
            core::field("to", &Uniform::to, "largest value").required()};
    }
};

using Distribution = std::variant<Normal, Lognormal, TruncatedNormal, Uniform>;

/// The number that is uncertain.
struct UncertainNumber {
    std::string unit;                    ///< SI
    std::optional<double> nominal = {};  ///< what the case gives, if anything
    std::string path = {};  ///< of the distribution's mapping in the case, for messages
    std::optional<double> exponent = {};  ///< n of the law, whose stiffness is in N/m^n
};

/// The distribution in numbers of SI; what is wrong with it is added to `violations`.
statistics::Marginal read_marginal(const Distribution& distribution, const UncertainNumber& number,
                                   std::vector<core::Violation>& violations);

}  // namespace stoss::solvers
