#include <stoss/statistics/sensitivity.hpp>

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <random>

namespace stoss::statistics {

namespace {

/// A point between 0 and 1, both excluded, from 64 digits.
double to_unit(std::uint64_t digits) {
    // The half is lost in the last of the points, which would be 1.
    return std::min((static_cast<double>(digits >> 11U) + 0.5) * 0x1p-53, 1.0 - 0x1p-53);
}

}  // namespace

std::optional<double> quantile(const std::vector<double>& sorted, double share) {
    if (sorted.empty()) return std::nullopt;
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double weight = place - static_cast<double>(below);
    if (weight == 0.0) return sorted[below];  // its neighbour may be infinite
    return sorted[below] * (1.0 - weight) + sorted[above] * weight;
}

std::vector<double> sobol_points(std::size_t count, std::size_t dimensions, std::uint64_t seed) {
    boost::random::sobol engine(dimensions);
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> shift(dimensions);
    for (std::uint64_t& each : shift) each = random();
    std::vector<double> points;
    points.reserve(count * dimensions);
    // Boost leaves out the origin, with which the first 2^k points are evenly spread (Owen 2020).
    for (std::size_t j = 0; j < dimensions && count > 0; ++j) points.push_back(to_unit(shift[j]));
    for (std::size_t i = 1; i < count; ++i) {
        for (std::size_t j = 0; j < dimensions; ++j) points.push_back(to_unit(engine() ^ shift[j]));
    }
    return points;
}

Spread spread_of(std::span<const double> values) {
    std::vector<double> sorted;
    double sum = 0.0;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        sorted.push_back(value);
        sum += value;
    }
    const auto count = static_cast<double>(sorted.size());
    Spread spread;
    spread.count = sorted.size();
    const double mean = sum / count;
    if (count > 0.0) spread.mean = mean;
    if (count > 1.0) {
        double squares = 0.0;
        for (const double value : sorted) squares += (value - mean) * (value - mean);
        spread.deviation = std::sqrt(squares / (count - 1.0));
    }
    std::ranges::sort(sorted);
    spread.low = quantile(sorted, 0.05);
    spread.median = quantile(sorted, 0.5);
    spread.high = quantile(sorted, 0.95);
    return spread;
}

SobolIndex sobol_index(std::span<const double> a, std::span<const double> b,
                       std::span<const double> a_with_b, double variance) {
    double from_a = 0.0, from_b = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        from_a += (a[k] - a_with_b[k]) * (a[k] - a_with_b[k]);
        from_b += (b[k] - a_with_b[k]) * (b[k] - a_with_b[k]);
    }
    // S_i = 1 - E[(f(B) - f(A_B^i))^2]/(2 V), S_Ti = E[(f(A) - f(A_B^i))^2]/(2 V)
    const double twice = 2.0 * static_cast<double>(a.size()) * variance;
    return {1.0 - from_b / twice, from_a / twice};
}

RatioOfMeans ratio_of_means(std::span<const double> numbers, std::span<const double> others) {
    double sum = 0.0, sum_of_others = 0.0, squares = 0.0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        sum += numbers[k];
        sum_of_others += others[k];
    }
    const double ratio = sum / sum_of_others;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const double residual = numbers[k] - ratio * others[k];
        squares += residual * residual;
    }
    const auto count = static_cast<double>(numbers.size());
    return {ratio, std::sqrt(squares * count / (count - 1.0)) / std::abs(sum_of_others)};
}

}  // namespace stoss::statistics
