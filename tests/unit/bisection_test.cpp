#include <gtest/gtest.h>

#include <stoss/core/bisection.hpp>

namespace {

using namespace stoss;

TEST(Bisection, HalvesTheBracketOfTheChange) {
    const core::Bracket found = core::bisection(0.0, 8.0, 10, [](double x) { return x < 3.3; });
    EXPECT_EQ(found.high - found.low, 8.0 / 1024.0);
    EXPECT_LT(found.low, 3.3);
    EXPECT_GE(found.high, 3.3);
}

TEST(GeometricBisection, FindsTheFirstNumberBeyondAcrossAllMagnitudes) {
    for (const double edge : {3e-25, 0.7, 1.0, 4e21}) {
        const auto is_below = [&](double x) { return x < edge; };
        EXPECT_EQ(core::geometric_bisection(1e-30, 1e30, is_below), edge);
    }
}

TEST(GeometricBisection, ReturnsTheUpperEndIfAllIsBelow) {
    EXPECT_EQ(core::geometric_bisection(1.0, 1e4, [](double) { return true; }), 1e4);
}

}  // namespace
