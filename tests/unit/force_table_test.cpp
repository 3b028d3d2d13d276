// Monotone cubic curves and force tables: points, monotony, exact work, scaling of unloading.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <boost/math/interpolators/cubic_hermite.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <stoss/contact/force_table.hpp>
#include <stoss/contact/laws/tabulated.hpp>
#include <stoss/contact/monotone_cubic.hpp>

namespace {

using namespace stoss;
using contact::MonotoneCubic;

struct Points {
    std::vector<double> x, y;
};

/// Points that rise by random steps, some of them level.
Points random_points(std::mt19937& random, int count) {
    std::uniform_real_distribution<double> step(0.05, 1.0);
    Points points{{0.0}, {0.0}};
    for (int i = 1; i < count; ++i) {
        points.x.push_back(points.x.back() + step(random));
        const double rise = step(random);
        points.y.push_back(points.y.back() + (rise < 0.2 && i > 1 ? 0.0 : rise));
    }
    return points;
}

TEST(MonotoneCubic, GoesThroughItsPointsAndRisesBetween) {
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        const auto [x, y] = random_points(random, 2 + round % 9);
        const MonotoneCubic curve(x, y);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(curve.value(x[i]), y[i]);
            if (i == 0) continue;
            double before = y[i - 1];
            for (int part = 1; part <= 20; ++part) {
                const double at = x[i - 1] + (x[i] - x[i - 1]) * part / 20.0;
                EXPECT_GE(curve.value(at), before - 1e-14);
                EXPECT_GE(curve.slope(at), -1e-13);
                before = curve.value(at);
            }
        }
    }
}

TEST(MonotoneCubic, IsHermitesCurveWithTheSlopesOfFritschAndButland) {
    using Curve = boost::math::interpolators::cubic_hermite<std::vector<double>>;
    std::mt19937 random(4);
    for (int round = 0; round < 20; ++round) {
        const auto [x, y] = random_points(random, 3 + round % 7);
        const MonotoneCubic ours(x, y);
        std::vector<double> slopes{ours.slope(x.front())};
        for (std::size_t i = 1; i + 1 < x.size(); ++i) {
            const double h = x[i] - x[i - 1], next = x[i + 1] - x[i];
            const double d = (y[i] - y[i - 1]) / h, next_d = (y[i + 1] - y[i]) / next;
            const double part = (h + 2.0 * next) / (3.0 * (h + next));
            slopes.push_back(d * next_d == 0.0 ? 0.0
                                               : d * next_d / (part * next_d + (1.0 - part) * d));
            EXPECT_NEAR(ours.slope(x[i]), slopes.back(), 1e-13);
        }
        slopes.push_back(ours.slope(x.back()));
        const Curve theirs(std::vector<double>{x}, std::vector<double>{y},
                           std::vector<double>{slopes});
        for (int part = 0; part <= 50; ++part) {
            const double at = std::min(x.back() * part / 50.0, x.back());
            EXPECT_NEAR(ours.value(at), theirs(at), 1e-13);
        }
    }
}

TEST(MonotoneCubic, ItsIntegralIsThatOfAQuadrature) {
    std::mt19937 random(5);
    const auto [x, y] = random_points(random, 8);
    const MonotoneCubic curve(x, y);
    double sum = 0.0;
    const auto value = [&](double at) { return curve.value(at); };
    for (std::size_t i = 1; i < x.size(); ++i) {
        const double middle = 0.3 * x[i - 1] + 0.7 * x[i];
        using Gauss = boost::math::quadrature::gauss<double, 7>;
        EXPECT_NEAR(curve.integral(middle), sum + Gauss::integrate(value, x[i - 1], middle), 1e-13);
        sum += Gauss::integrate(value, x[i - 1], x[i]);
        EXPECT_NEAR(curve.integral(x[i]), sum, 1e-13);
    }
    const double end = curve.slope(x.back());
    EXPECT_NEAR(curve.value(x.back() + 2.0), y.back() + 2.0 * end, 1e-13);
    EXPECT_NEAR(curve.integral(x.back() + 2.0), sum + 2.0 * y.back() + 2.0 * end, 1e-13);
}

TEST(MonotoneCubic, ApproachesASmoothCurveWithOrderTwoOrBetter) {
    const auto error = [](int count) {
        Points points;
        for (int i = 0; i <= count; ++i) {
            points.x.push_back(1.0 + static_cast<double>(i) / count);
            points.y.push_back(std::pow(points.x.back(), 1.5));
        }
        const MonotoneCubic curve(points.x, points.y);
        double largest = 0.0;
        for (int i = 0; i <= 1000; ++i) {
            const double at = 1.0 + i / 1000.0;
            largest = std::max(largest, std::abs(curve.value(at) - std::pow(at, 1.5)));
        }
        return largest;
    };
    EXPECT_GT(std::log2(error(20) / error(40)), 2.0);
    EXPECT_LT(error(40), 1e-5);
}

contact::Tabulated measured() {
    contact::Tabulated law;
    law.overlap = {0.0, 1.0, 2.0, 3.0};
    law.force_points = {0.0, 1.0, 3.0, 6.0};
    law.unloading_force = {0.0, 0.0, 1.0, 6.0};
    return law;
}

TEST(Tabulated, UnloadsFromAnyOverlapAlongTheScaledCurve) {
    const contact::Tabulated law = measured();
    auto memory = law.prepare({});
    law.accept(memory, 3.0, 0.0);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(law.force(law.overlap[i], -1.0, memory), law.unloading_force[i], 1e-14);
    EXPECT_DOUBLE_EQ(law.end_overlap(memory), 1.0);
    auto half = law.prepare({});
    law.accept(half, 1.5, 0.0);
    const double ratio = law.force(1.5, 0.0, half) / 6.0;
    for (const double x : {0.2, 0.7, 1.1})
        EXPECT_NEAR(law.force(x, 0.0, half), ratio * law.force(2.0 * x, 0.0, memory), 1e-14);
    EXPECT_DOUBLE_EQ(law.end_overlap(half), 0.5);
}

TEST(Tabulated, WithoutACurveOfUnloadingLosesNothing) {
    contact::Tabulated law = measured();
    law.unloading_force.clear();
    auto memory = law.prepare({});
    const double stored = law.stored_energy(2.5, memory);
    law.accept(memory, 2.5, 0.0);
    EXPECT_EQ(law.stored_energy(2.5, memory), stored);
    EXPECT_EQ(law.force(2.0, 0.0, memory), 3.0);
    EXPECT_EQ(law.end_overlap(memory), 0.0);
}

TEST(Tabulated, IsTheLawOfWaltonAndBraunIfTheCurvesAreItsLines) {
    contact::Tabulated law;
    for (int i = 0; i <= 200; ++i) {
        const double x = i / 200.0;
        law.overlap.push_back(x);
        law.force_points.push_back(x);
        law.unloading_force.push_back(std::max(0.0, 4.0 * (x - 0.75)));
    }
    auto memory = law.prepare({});
    const double loading = memory.table->loading_work(0.6);
    EXPECT_NEAR(law.stored_energy(0.6, memory) / loading, 0.25, 1e-4);  // k_1/k_2
    EXPECT_NEAR(loading, 0.18, 1e-14);
}

TEST(Tabulated, ThrowsForPointsThatAreNoLaw) {
    contact::Tabulated law = measured();
    law.force_points[2] = 0.5;
    EXPECT_THROW(law.prepare({}), core::InputError);
}

}  // namespace
