#pragma once
/// Sampling of uncertain numbers and what the results say (docs/theory/experiments.md).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace stoss::statistics {

/// The first `count` points of Sobol's sequence in (0, 1)^dimensions, row by row, all digits of
/// each coordinate flipped as `seed` says (a digital shift): every seed gives a set that is spread
/// as evenly, and no point lies on the boundary. `count` should be a power of 2.
std::vector<double> sobol_points(std::size_t count, std::size_t dimensions, std::uint64_t seed);

/// The quantile `share` of sorted values: linear between neighbours, the ends are the quantiles 0
/// and 1. None of no value. Precondition: 0 <= share <= 1.
std::optional<double> quantile(const std::vector<double>& sorted, double share);

/// What a set of results is like. NaN among them is left out.
struct Spread {
    std::size_t count = 0;
    std::optional<double> mean, deviation;    ///< none of less than one, two values
    std::optional<double> low, median, high;  ///< quantiles 5 %, 50 %, 95 %, as `quantile`
};
Spread spread_of(std::span<const double> values);

/// Shares of the variance of f(x_1, ..., x_d): by x_i alone, and with all its interactions.
struct SobolIndex {
    double first_order, total;
};

/// Estimates by Jansen (1999) from f at the samples A, at the independent samples B, and at A with
/// x_i taken from B; all of equal length. `variance` is that of f. NaN if any value is NaN.
SobolIndex sobol_index(std::span<const double> a, std::span<const double> b,
                       std::span<const double> a_with_b, double variance);

/// The mean of numbers over that of others, and its standard error from the scatter of independent
/// pairs, to first order (Cochran 1977, section 6.3). Both are NaN if any number is NaN, the error
/// also of fewer than two pairs.
struct RatioOfMeans {
    double ratio, standard_error;
};
RatioOfMeans ratio_of_means(std::span<const double> numbers, std::span<const double> others);

}  // namespace stoss::statistics
