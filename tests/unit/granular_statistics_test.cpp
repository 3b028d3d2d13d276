// Statistics of spheres against what is known of lattices and of chance.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <stoss/granular/statistics.hpp>

namespace {

using namespace stoss::granular;
using Eigen::Vector3d;

void add(Spheres& spheres, const Vector3d& x, double radius = 0.5) {
    spheres.add({x, Vector3d::Zero(), Vector3d::Zero(), radius, 1.0},
                static_cast<std::uint32_t>(spheres.size()));
}

TEST(RadialDistribution, IsOneForPointsAtRandom) {
    Spheres spheres;
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> place(0.0, 10.0);
    for (int i = 0; i < 8000; ++i) add(spheres, {place(engine), place(engine), place(engine)});
    const Region region{{0, 0, 0}, {10, 10, 10}};
    for (const double g : radial_distribution(spheres, region, 3.0, 6).g) EXPECT_NEAR(g, 1.0, 0.05);
}

TEST(RadialDistribution, CountsTheNeighboursOfALattice) {
    Spheres spheres;
    const double a = 1.05;
    for (int i = 0; i < 1000; ++i) add(spheres, a * Vector3d(i % 10, i / 10 % 10, i / 100));
    const Region region{Vector3d::Constant(-0.5 * a), Vector3d::Constant(9.5 * a)};
    const auto g = radial_distribution(spheres, region, 2.0, 20).g;
    // 6 neighbours at a, 12 at sqrt(2) a, 8 at sqrt(3) a, none elsewhere.
    for (std::size_t k = 0; k < 20; ++k) {
        const double inner = 0.1 * static_cast<double>(k), outer = inner + 0.1;
        const double shell =
            4.0 / 3.0 * std::numbers::pi * (std::pow(outer, 3) - std::pow(inner, 3));
        const double neighbours = k == 10 ? 6 : k == 14 ? 12 : k == 18 ? 8 : 0;
        EXPECT_NEAR(g[k] * shell / (a * a * a), neighbours, 1e-9) << k;
    }
}

TEST(RadialDistribution, CountsEveryPairAsAllPairsOneByOneDo) {
    Spheres spheres;
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> place(-1.0, 11.0);
    for (int i = 0; i < 1500; ++i) add(spheres, {place(engine), place(engine), place(engine)});
    const Region region{{0, 1, 0}, {10, 4, 7}};
    constexpr std::size_t bins = 20;
    for (const double range : {0.3, 1.0, 3.0, 20.0}) {
        const double width = range / bins;
        const auto bin_of = [&](double r) { return static_cast<std::size_t>(r / width); };
        std::vector<double> pairs(bins, 0.0), about(bins, 0.0);
        double inside = 0.0;
        const auto border = [&](const Vector3d& x) {
            return std::min((x - region.low).minCoeff(), (region.high - x).minCoeff());
        };
        for (const Vector3d& x : spheres.position) {
            if (border(x) < 0.0) continue;
            inside += 1.0;
            const std::size_t whole = std::min(bins, bin_of(border(x)));
            for (std::size_t k = 0; k < whole; ++k) about[k] += 1.0;
            for (const Vector3d& other : spheres.position) {
                const std::size_t bin = bin_of((other - x).norm());
                if (&other != &x && border(other) >= 0.0 && bin < whole) pairs[bin] += 1.0;
            }
        }
        const RadialDistribution found = radial_distribution(spheres, region, range, bins);
        EXPECT_EQ(found.spheres, about) << range;
        for (std::size_t k = 0; k < bins; ++k) {
            if (about[k] == 0.0) continue;
            const double inner = width * static_cast<double>(k), outer = inner + width;
            const double shell =
                4.0 / 3.0 * std::numbers::pi * (std::pow(outer, 3) - std::pow(inner, 3));
            EXPECT_NEAR(found.g[k], pairs[k] / (about[k] * inside / 210.0 * shell),
                        1e-12 * found.g[k])
                << range << " " << k;
        }
    }
}

TEST(RadialDistribution, KnowsNothingWhereTheRegionIsTooSmall) {
    Spheres spheres;
    add(spheres, {1, 1, 1});
    add(spheres, {1, 1, 1.5});
    const auto g = radial_distribution(spheres, {{0, 0, 0}, {2, 2, 2}}, 2.0, 4).g;
    EXPECT_FALSE(std::isnan(g[0]));
    EXPECT_TRUE(std::isnan(g[2]));
    EXPECT_TRUE(std::isnan(g[3]));
}

TEST(SolidFraction, CutsSpheresExactly) {
    Spheres spheres;
    add(spheres, {0, 0, 0.5});
    const double sphere = std::numbers::pi / 6.0;
    EXPECT_NEAR(solid_fraction(spheres, 2.0, -1.0, 3.0), sphere / 8.0, 1e-15);
    EXPECT_NEAR(solid_fraction(spheres, 1.0, 0.0, 0.5), sphere, 1e-15);
    // A cap of height 1/4: pi h^2 (3 r - h)/3.
    EXPECT_NEAR(solid_fraction(spheres, 1.0, 0.0, 0.25),
                std::numbers::pi * 0.0625 * 1.25 / 3.0 / 0.25, 1e-15);
    EXPECT_EQ(solid_fraction(spheres, 1.0, 2.0, 3.0), 0.0);
}

TEST(MeanHeight, WeighsByMass) {
    Spheres spheres;
    add(spheres, {0, 0, 1});
    spheres.add({{0, 0, 4}, Vector3d::Zero(), Vector3d::Zero(), 0.5, 2.0}, 1);
    EXPECT_NEAR(mean_height(spheres), 3.0, 1e-15);
    EXPECT_NEAR(mean_height(spheres, {2, 10.0, -1.0}), 7.0, 1e-14);
    EXPECT_NEAR(mean_height(spheres, {0, -1.0, 1.0}), 1.0, 1e-15);
}

TEST(SolidFraction, IsTheSameSeenFromTheOtherEnd) {
    Spheres spheres;
    add(spheres, {0, 0, 0.5});
    EXPECT_NEAR(solid_fraction(spheres, 1.0, 0.0, 0.25),
                solid_fraction(spheres, 1.0, 2.75, 3.0, {2, 3.0, -1.0}), 1e-15);
}

TEST(DeepestOverlap, IsOverTheSmallerRadius) {
    Spheres spheres;
    add(spheres, {5, 5, 5}, 2.0);
    add(spheres, {5, 5, 7.8}, 1.0);
    add(spheres, {9.9, 5, 1}, 0.5);
    const std::vector<Wall> wall{Plane{{10, 0, 0}, {-1, 0, 0}, Vector3d::Zero()}};
    EXPECT_NEAR(deepest_overlap(spheres, {}).depth, 0.2, 1e-12);
    EXPECT_NEAR(deepest_overlap(spheres, {}).share, 0.2, 1e-12);
    EXPECT_NEAR(deepest_overlap(spheres, wall).depth, 0.4, 1e-12);
    EXPECT_NEAR(deepest_overlap(spheres, wall).share, 0.8, 1e-12);
}

TEST(HighestPoint, IsAgainstTheAxisToo) {
    Spheres spheres;
    add(spheres, {0, 0, 1}, 1.0);
    add(spheres, {0, 0, 1.5}, 0.2);
    EXPECT_DOUBLE_EQ(highest_point(spheres), 2.0);
    EXPECT_DOUBLE_EQ(highest_point(spheres, {2, 4.0, -1.0}), 4.0);
}

}  // namespace
