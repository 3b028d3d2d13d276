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
            core::field("mean", &MeanAndSigma::mean, "mean; none: the value that the case gives"),
            core::field("sigma", &MeanAndSigma::sigma,
                        "standard deviation, with the unit of the key"),
            core::field("relative_sigma", &MeanAndSigma::relative_sigma, "", core::positive,
                        "standard deviation over mean, in place of sigma")};
    }
};

struct Normal : MeanAndSigma {
    static constexpr std::string_view name = "normal";
    static constexpr std::string_view meaning = "Gauss' distribution";
};

struct Lognormal : MeanAndSigma {
    static constexpr std::string_view name = "lognormal";
    static constexpr std::string_view meaning =
        "its logarithm is normal; mean and sigma are its own";
};

struct TruncatedNormal : MeanAndSigma {
    static constexpr std::string_view name = "truncated_normal";
    static constexpr std::string_view meaning =
        "the part of a normal distribution between two bounds; mean and sigma are those of the "
        "whole";

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
    static constexpr std::string_view meaning = "all values between two bounds are equally likely";

    std::string from, to;

    static constexpr auto fields() {
        return std::tuple{core::field("from", &Uniform::from,
                                      "smallest value, written as the key itself would be")
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
};

/// The distribution in numbers of SI; what is wrong with it is added to `violations`.
statistics::Marginal read_marginal(const Distribution& distribution, const UncertainNumber& number,
                                   std::vector<core::Violation>& violations);

}  // namespace stoss::solvers
