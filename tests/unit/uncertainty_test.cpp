#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <solvers/case/distribution.hpp>
#include <solvers/registry/registry.hpp>
#include <source_folder.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/document.hpp>
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

/// Its values at the samples A, B and A with each number from B.
struct IshigamiSamples {
    std::vector<double> a, b;
    std::vector<std::vector<double>> mixed{3};

    IshigamiSamples(std::size_t count, std::uint64_t seed) {
        const auto points = sobol_points(count, 6, seed);
        const auto sample = [&](std::size_t k, std::size_t from_b) {
            std::vector<double> x(3);
            for (std::size_t j = 0; j < 3; ++j) {
                const bool is_b = from_b == 3 || from_b == j;
                x[j] = pi * (2.0 * points[6 * k + (is_b ? 3 : 0) + j] - 1.0);
            }
            return ishigami(x);
        };
        for (std::size_t k = 0; k < count; ++k) {
            a.push_back(sample(k, 4));
            b.push_back(sample(k, 3));
            for (std::size_t j = 0; j < 3; ++j) mixed[j].push_back(sample(k, j));
        }
    }
    Spread spread() const {
        std::vector<double> both = a;
        both.insert(both.end(), b.begin(), b.end());
        return spread_of(both);
    }
};

/// V_1 = (1 + pi^4/50)^2/2, V_2 = 49/8, V_13 = pi^8 (1/1800 - 1/5000).
struct IshigamiVariances {
    double v1 = 0.5 * std::pow(1.0 + std::pow(pi, 4) / 50.0, 2), v2 = 49.0 / 8.0;
    double v13 = 0.01 * std::pow(pi, 8) * (1.0 / 18.0 - 1.0 / 50.0), v = v1 + v2 + v13;
    std::vector<double> first{v1 / v, v2 / v, 0.0}, total{(v1 + v13) / v, v2 / v, v13 / v};
};

TEST(SobolIndex, MatchesTheClosedFormOfIshigamisFunction) {
    const IshigamiSamples samples(4096, 3);
    const IshigamiVariances exact;
    const Spread spread = samples.spread();
    const double variance = spread.deviation.value() * spread.deviation.value();
    EXPECT_NEAR(spread.mean.value(), 3.5, 0.01);
    EXPECT_NEAR(variance / exact.v, 1.0, 0.01);
    for (std::size_t j = 0; j < 3; ++j) {
        const SobolIndex index = sobol_index(samples.a, samples.b, samples.mixed[j], variance);
        EXPECT_NEAR(index.first_order, exact.first[j], 0.02) << j;
        EXPECT_NEAR(index.total, exact.total[j], 0.02) << j;
    }
}

TEST(RatioOfMeans, HasTheStandardErrorOfTheScatterOfManySets) {
    // Pairs (x, y) with y = 2 + noise and x = 3 y + noise of its own: the ratio is 3.
    std::mt19937 random(5);
    std::uniform_real_distribution<double> noise(-1.0, 1.0);
    constexpr int sets = 2000, pairs = 40;
    double squares = 0.0, stated = 0.0;
    for (int set = 0; set < sets; ++set) {
        std::vector<double> x, y;
        for (int k = 0; k < pairs; ++k) {
            y.push_back(2.0 + noise(random));
            x.push_back(3.0 * y.back() + noise(random));
        }
        const statistics::RatioOfMeans found = statistics::ratio_of_means(x, y);
        squares += (found.ratio - 3.0) * (found.ratio - 3.0) / sets;
        stated += found.standard_error * found.standard_error / sets;
    }
    EXPECT_NEAR(std::sqrt(stated / squares), 1.0, 0.05);
}

TEST(RatioOfMeans, HasNoStandardErrorOfOnePair) {
    const std::vector<double> one{3.0}, other{2.0};
    EXPECT_EQ(statistics::ratio_of_means(one, other).ratio, 1.5);
    EXPECT_TRUE(std::isnan(statistics::ratio_of_means(one, other).standard_error));
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

TEST(Marginal, KnowsItsMomentsFarOutInEitherTail) {
    const Marginal upper{Marginal::Shape::normal, 2.0, 3.0, 92.0, 95.0};  // from 30 to 31 sigma
    const Marginal lower{Marginal::Shape::normal, -2.0, 3.0, -95.0, -92.0};
    // Of the tail beyond a = 30 (the asymptotic series of the ratio of Mills); 31 is as infinity.
    const double a = 30.0, b = 1.0 / (a * a);
    const double mean = a + (1.0 - 2.0 * b + 10.0 * b * b) / a;
    const double variance = b * (1.0 - 6.0 * b + 50.0 * b * b);
    EXPECT_NEAR(upper.expectation(), 2.0 + 3.0 * mean, 1e-6);
    EXPECT_NEAR(upper.standard_deviation(), 3.0 * std::sqrt(variance), 1e-6);
    EXPECT_EQ(lower.expectation(), -upper.expectation());
    EXPECT_EQ(lower.standard_deviation(), upper.standard_deviation());
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

/// The collision of a brass ball with a free steel bar.
io::Document bar(const std::string& more) {
    return io::parse_yaml(
        "problem: beam_impact_map\n"
        "beam:\n"
        "  length: 350 mm\n"
        "  section: {shape: circle, radius: 7 mm}\n"
        "  material: {youngs_modulus: 200 GPa, poisson_ratio: 0.29, density: 7800 kg/m^3}\n"
        "  internal_damping: 4e5 Pa s\n"
        "striker: {shape: sphere, radius: 12 mm, material: brass}\n"
        "motion: {approach_speed: 0.8 m/s}\n"
        "mesh: {modes: 12}\n"
        "integration: {scheme: splitting, tolerance: 1e-10}\n" +
            more,
        "case.yaml");
}

Outcome solve(const io::Document& document) {
    return problem_of(document).read(document)->solve({1, true});
}

TEST(SampledUncertainty, IndicesLieWithinTwoStandardErrorsOfThoseOfManySamples) {
    const auto summary = [](int samples, int seed) {
        const Outcome outcome =
            solve(bar(fmt::format("locations: {{at: [0.3, 0.7]}}\nuncertainty:\n  samples: {}\n"
                                  "  seed: {}\n  keys:\n    - {{key: motion.approach_speed, "
                                  "distribution: uniform, from: 0.3 m/s, to: 2 m/s}}\n    - {{key: "
                                  "location, distribution: normal, sigma: 4 mm}}\n",
                                  samples, seed)));
        return *outcome.summary.find("uncertainty");
    };
    const io::Value exact = summary(2048, 1);
    const auto number = [](const io::Value& all, const std::string& name, const char* key) {
        return *all.find(name)->find(key)->number();
    };
    int within = 0, count = 0;
    for (int seed = 2; seed < 32; ++seed) {
        const io::Value found = summary(16, seed);
        for (const char* key : {"motion.approach_speed", "location"}) {
            for (const std::string kind : {"first_order", "total"}) {
                const double error = number(found, kind, key) - number(exact, kind, key);
                const double stated = number(found, kind + "_standard_error", key);
                within += std::abs(error) < 2.0 * stated ? 1 : 0;
                ++count;
                EXPECT_LT(stated, 1.0) << key;
            }
        }
    }
    EXPECT_GE(within, 0.9 * count) << within << " of " << count;
}

/// Half of the places near the end of the beam are beyond it.
TEST(SampledUncertainty, HasNoIndicesWhereASampleIsMissingAndThoseOfTheOtherPlaces) {
    for (int seed = 1; seed < 9; ++seed) {
        const Outcome outcome =
            solve(bar(fmt::format("locations: {{at: [0.3, 0.999]}}\nuncertainty:\n  samples: 8\n"
                                  "  seed: {}\n  keys:\n    - {{key: motion.approach_speed, "
                                  "distribution: uniform, from: 0.3 m/s, to: 2 m/s}}\n    - {{key: "
                                  "location, distribution: normal, sigma: 1 mm}}\n",
                                  seed)));
        const io::Value& summary = *outcome.summary.find("uncertainty");
        const auto table = std::ranges::find(outcome.tables, "uncertainty.csv",
                                             &decltype(outcome.tables)::value_type::first);
        for (const std::string kind : {"first_order", "total"}) {
            EXPECT_EQ(summary.find(kind)->members()->size(), 2u) << seed;
            const auto& column = table->second.numbers(kind + "_location");
            EXPECT_FALSE(std::isnan(column[0])) << seed;
            EXPECT_TRUE(std::isnan(column[1])) << kind << " " << seed;
        }
    }
}

io::Table linear_table(const io::Document& document) {
    const Outcome outcome = solve(document);
    for (const std::string& words : outcome.warnings)
        EXPECT_FALSE(words.starts_with("uncertainty:")) << words;
    const auto found = std::ranges::find(outcome.tables, "uncertainty_linear.csv",
                                         &decltype(outcome.tables)::value_type::first);
    return found->second;
}

TEST(LinearUncertainty, TakesEAndItsDerivativesAtTheMeansOfAllKeysAtOnce) {
    const Marginal radius{Marginal::Shape::normal, 11e-3, 1.5e-3, 9e-3, 12e-3};
    const std::string keys =
        "locations: {at: [52.5 mm, 0.3]}\n"
        "uncertainty:\n"
        "  method: linear\n"
        "  keys:\n"
        "    - {key: motion.approach_speed, distribution: uniform, from: 0.3 m/s, to: 2 m/s}\n"
        "    - {key: striker.radius, distribution: truncated_normal, mean: 11 mm, sigma: 1.5 mm,"
        " from: 9 mm, to: 12 mm}\n"
        "    - {key: beam.internal_damping, distribution: lognormal, mean: 3e5 Pa s,"
        " relative_sigma: 60 %}\n"
        "    - {key: beam.length, distribution: normal, mean: 360 mm, sigma: 1 mm}\n"
        "    - {key: location, distribution: normal, mean: 3 mm, sigma: 1 mm}\n";
    const io::Table off = linear_table(bar(keys));
    io::Document at_means = bar(keys);
    const auto set = [&](const char* key, const std::string& value) {
        at_means.root.set(key, io::Node::text(value));
    };
    set("motion.approach_speed", "1.15 m/s");
    set("striker.radius", core::with_unit(radius.expectation(), "m"));
    set("beam.internal_damping", "3e5 Pa s");
    set("beam.length", "360 mm");
    const io::Table on = linear_table(at_means);
    for (const char* column :
         {"cor_kinematic", "cor_mean", "cor_standard_deviation", "share_motion.approach_speed",
          "share_striker.radius", "share_beam.internal_damping", "share_beam.length",
          "share_location"}) {
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_TRUE(std::isfinite(on.numbers(column)[i])) << column;
            EXPECT_NEAR(off.numbers(column)[i], on.numbers(column)[i], 1e-9) << column;
        }
    }
    EXPECT_EQ(off.numbers("x_m").front(), 0.0525);  // as the case gives it
}

TEST(LinearUncertainty, StrikesTheBeamAtTheMeanShiftOfThePlace) {
    const auto at = [](const char* place, const char* mean) {
        return linear_table(bar(
            fmt::format("locations: {{at: [{}]}}\nuncertainty:\n  method: linear\n  keys:\n"
                        "    - {{key: location, distribution: normal, mean: {}, sigma: 1 mm}}\n",
                        place, mean)));
    };
    const io::Table shifted = at("100 mm", "5 mm"), there = at("105 mm", "0 mm");
    for (const char* column : {"cor_mean", "cor_standard_deviation"})
        EXPECT_NEAR(shifted.numbers(column)[0], there.numbers(column)[0], 1e-9) << column;
}

TEST(LinearUncertainty, HasDerivativesAtTheMeanOfADampingThatTheCaseDoesNotHave) {
    io::Document document =
        bar("locations: {at: [0.3]}\nuncertainty:\n  method: linear\n  keys:\n"
            "    - {key: beam.internal_damping, distribution: normal, mean: 4e5 Pa s,"
            " sigma: 1e4 Pa s}\n");
    const io::Table with = linear_table(document);
    document.root.set("beam.internal_damping", io::Node::text("0 Pa s"));
    const io::Table without = linear_table(document);
    EXPECT_EQ(with.numbers("cor_standard_deviation"), without.numbers("cor_standard_deviation"));
}

TEST(LinearUncertainty, SaysWhereTheMeanPlaceIsBeyondTheEndOfTheBeam) {
    const Outcome outcome =
        solve(bar("locations: {at: [100 mm, 340 mm]}\nuncertainty:\n  method: linear\n  keys:\n"
                  "    - {key: location, distribution: normal, mean: 20 mm, sigma: 1 mm}\n"));
    EXPECT_TRUE(std::ranges::any_of(outcome.warnings, [](const std::string& words) {
        return words.starts_with("uncertainty: at 1 of 2 places the bodies do not meet");
    }));
}

/// At this place the standard deviations differ by a tenth, and the means by most of them.
TEST(LinearUncertainty, WarnsWhereItsMeanAloneIsFarFromThatOfTheSamples) {
    io::Document document = io::read_yaml(STOSS_SOURCE_DIR "/cases/tutorial/uncertain_beam.yaml");
    document.root.set("locations", io::parse_yaml("at: [0.6]\n", "").root);
    document.root.set("mesh.modes", io::Node::text("22"));
    const Outcome outcome = solve(document);
    const auto of_place = [&](std::size_t table, const char* column) {
        return outcome.tables[table].second.numbers(column).front();
    };
    const std::size_t sampled = outcome.tables.size() - 2, linear = sampled + 1;
    const double deviation = of_place(sampled, "cor_standard_deviation");
    EXPECT_LT(std::abs(of_place(linear, "cor_standard_deviation") / deviation - 1.0), 0.2);
    EXPECT_GT(std::abs(of_place(linear, "cor_mean") - of_place(sampled, "cor_mean")),
              0.5 * deviation);
    EXPECT_TRUE(std::ranges::any_of(outcome.warnings, [](const std::string& words) {
        return words.find("differ by more than 30 % of the standard deviation at 1 of 1 places") !=
               std::string::npos;
    }));
}

}  // namespace
}  // namespace stoss::solvers
