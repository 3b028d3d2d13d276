#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <solvers/case/distribution.hpp>
#include <stoss/statistics/sensitivity.hpp>

namespace stoss::solvers {
namespace {

using statistics::Marginal;
using statistics::quantile;
using statistics::sobol_index;
using statistics::sobol_points;
using statistics::SobolIndex;
using statistics::Spread;
using statistics::spread_of;

constexpr double pi = std::numbers::pi;

TEST(SobolPoints, FillEveryDyadicIntervalOnce) {
    const std::size_t count = 256, dimensions = 6;
    for (const std::uint64_t seed : {1U, 7U}) {
        const auto points = sobol_points(count, dimensions, seed);
        for (std::size_t j = 0; j < dimensions; ++j) {
            std::vector<int> hits(count, 0);
            for (std::size_t k = 0; k < count; ++k) {
                ++hits[static_cast<std::size_t>(points[k * dimensions + j] * 256.0)];
            }
            EXPECT_EQ(hits, std::vector<int>(count, 1)) << "dimension " << j;
        }
    }
    EXPECT_EQ(sobol_points(8, 3, 1), sobol_points(8, 3, 1));
    EXPECT_NE(sobol_points(8, 3, 1), sobol_points(8, 3, 2));
}

/// f = sin x_1 + 7 sin^2 x_2 + x_3^4/10 sin x_1, x_i uniform in [-pi, pi] (Ishigami and Homma
/// 1990).
double ishigami(const std::vector<double>& x) {
    const double sin_2 = std::sin(x[1]);
    return std::sin(x[0]) * (1.0 + 0.1 * std::pow(x[2], 4)) + 7.0 * sin_2 * sin_2;
}

TEST(SobolIndex, MatchesTheClosedFormOfIshigamisFunction) {
    const std::size_t n = 4096;
    const auto points = sobol_points(n, 6, 3);
    const auto sample = [&](std::size_t k, std::size_t from_b) {
        std::vector<double> x(3);
        for (std::size_t j = 0; j < 3; ++j) {
            const bool is_b = from_b == 3 || from_b == j;
            x[j] = pi * (2.0 * points[6 * k + (is_b ? 3 : 0) + j] - 1.0);
        }
        return ishigami(x);
    };
    std::vector<double> a, b;
    std::vector<std::vector<double>> mixed(3);
    for (std::size_t k = 0; k < n; ++k) {
        a.push_back(sample(k, 4));
        b.push_back(sample(k, 3));
        for (std::size_t j = 0; j < 3; ++j) mixed[j].push_back(sample(k, j));
    }
    std::vector<double> both = a;
    both.insert(both.end(), b.begin(), b.end());
    const Spread spread = spread_of(both);
    const double variance = spread.deviation.value() * spread.deviation.value();
    // V_1 = (1 + pi^4/50)^2/2, V_2 = 49/8, V_13 = pi^8 (1/1800 - 1/5000)
    const double v1 = 0.5 * std::pow(1.0 + std::pow(pi, 4) / 50.0, 2), v2 = 49.0 / 8.0;
    const double v13 = 0.01 * std::pow(pi, 8) * (1.0 / 18.0 - 1.0 / 50.0), v = v1 + v2 + v13;
    EXPECT_NEAR(spread.mean.value(), 3.5, 0.01);
    EXPECT_NEAR(variance / v, 1.0, 0.01);
    const std::vector<double> first{v1 / v, v2 / v, 0.0}, total{(v1 + v13) / v, v2 / v, v13 / v};
    for (std::size_t j = 0; j < 3; ++j) {
        const SobolIndex index = sobol_index(a, b, mixed[j], variance);
        EXPECT_NEAR(index.first_order, first[j], 0.02) << j;
        EXPECT_NEAR(index.total, total[j], 0.02) << j;
    }
}

TEST(SobolIndex, IsNotDefinedWhereAResultIsMissing) {
    const std::vector<double> a{1.0, 2.0}, b{2.0, 3.0}, gap{1.0, std::nan("")};
    EXPECT_TRUE(std::isnan(sobol_index(a, b, gap, 1.0).first_order));
    EXPECT_TRUE(std::isnan(sobol_index(gap, b, a, 1.0).total));
}

TEST(SpreadOf, LeavesOutWhatIsMissing) {
    const Spread spread = spread_of(std::vector<double>{3.0, std::nan(""), 1.0, 2.0});
    EXPECT_EQ(spread.count, 3U);
    EXPECT_DOUBLE_EQ(spread.mean.value(), 2.0);
    EXPECT_DOUBLE_EQ(spread.deviation.value(), 1.0);
    EXPECT_DOUBLE_EQ(spread.median.value(), 2.0);
    EXPECT_DOUBLE_EQ(spread.low.value(), 1.1);
    EXPECT_DOUBLE_EQ(spread.high.value(), 2.9);
    EXPECT_FALSE(spread_of({}).mean);
    EXPECT_FALSE(spread_of({}).low);
}

TEST(Quantile, AtAValueDoesNotDependOnItsNeighbours) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(quantile({1.0, 2.0, infinity}, 0.5), 2.0);
    EXPECT_EQ(quantile({1.0, 2.0, infinity}, 0.75), infinity);
}

Marginal read(const Distribution& distribution, const UncertainNumber& number) {
    std::vector<core::Violation> violations;
    const Marginal marginal = read_marginal(distribution, number, violations);
    EXPECT_TRUE(violations.empty());
    return marginal;
}

/// Mean and deviation by the midpoint rule over the shares.
Spread moments(const Marginal& marginal) {
    std::vector<double> values;
    for (int i = 0; i < 20000; ++i) values.push_back(marginal.quantile((i + 0.5) / 20000.0));
    return spread_of(values);
}

TEST(Marginal, HasTheMeanAndSigmaThatAreGiven) {
    Normal normal;
    normal.sigma = "2 GPa";
    Spread found = moments(read(normal, {"Pa", 68e9}));
    EXPECT_NEAR(found.mean.value(), 68e9, 1e3);
    EXPECT_NEAR(found.deviation.value(), 2e9, 2e6);
    Lognormal lognormal;
    lognormal.relative_sigma = 0.5;
    lognormal.mean = "3";
    found = moments(read(lognormal, {"", 1.0}));
    EXPECT_NEAR(found.mean.value(), 3.0, 1e-3);
    EXPECT_NEAR(found.deviation.value(), 1.5, 5e-3);
    Uniform uniform;
    uniform.from = "1 mm";
    uniform.to = "4 mm";
    found = moments(read(uniform, {"m", {}}));
    EXPECT_NEAR(found.mean.value(), 2.5e-3, 1e-9);
    EXPECT_NEAR(found.deviation.value(), 3e-3 / std::sqrt(12.0), 1e-7);
}

TEST(Marginal, KnowsItsMomentsInClosedForm) {
    using Shape = Marginal::Shape;
    for (const Marginal& each :
         {Marginal{Shape::normal, 2.0, 0.3}, Marginal{Shape::lognormal, 3.0, 0.6},
          Marginal{Shape::uniform, 0.0, 1.0, 1.0, 4.0}, Marginal{Shape::normal, 1.0, 2.0, 0.0, 2.5},
          Marginal{Shape::normal, 1.0, 2.0, 3.0}}) {
        const Spread found = moments(each);
        EXPECT_NEAR(each.expectation(), found.mean.value(), 1e-3 * each.sigma);
        EXPECT_NEAR(each.standard_deviation(), found.deviation.value(), 2e-3 * each.sigma);
    }
}

TEST(Marginal, KnowsItsMomentsBetweenNarrowBounds) {
    for (const double middle : {-2.0, 0.0, 2.0}) {
        for (const double half : {3e-6, 1e-5, 1e-3, 0.00499, 0.00501}) {
            const Marginal narrow{Marginal::Shape::normal, 0.0, 1.0, middle - half, middle + half};
            // The midpoint rule over t = x - middle with the density exp(-middle t - t^2/2).
            double share = 0.0, first = 0.0, second = 0.0;
            for (int i = 0; i < 10000; ++i) {
                const double t = half * ((i + 0.5) / 5000.0 - 1.0);
                const double density = std::exp(-middle * t - 0.5 * t * t);
                share += density;
                first += density * t;
                second += density * t * t;
            }
            const double mean = first / share, variance = second / share - mean * mean;
            EXPECT_NEAR(narrow.expectation(), middle + mean, 1e-6 * half) << middle << ' ' << half;
            EXPECT_NEAR(narrow.standard_deviation() / std::sqrt(variance), 1.0, 1e-6)
                << middle << ' ' << half;
        }
    }
}

TEST(Marginal, TruncatedNormalKeepsItsBoundsInEitherTail) {
    const auto density = [](double z) { return std::exp(-0.5 * z * z) / std::sqrt(2.0 * pi); };
    const auto share = [](double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); };
    for (const auto& [from, to] : {std::pair{-0.5, 1.0}, {3.0, 4.0}, {-4.0, -3.0}}) {
        TruncatedNormal truncated;
        truncated.sigma = "1";
        truncated.from = std::to_string(from);
        truncated.to = std::to_string(to);
        const Marginal marginal = read(truncated, {"", 0.0});
        EXPECT_GE(marginal.quantile(1e-16), from);
        EXPECT_LE(marginal.quantile(1.0 - 1e-16), to);
        const double mean = (density(from) - density(to)) / (share(to) - share(from));
        EXPECT_NEAR(moments(marginal).mean.value(), mean, 1e-6);
    }
}

}  // namespace
}  // namespace stoss::solvers
