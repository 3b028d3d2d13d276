#include <gtest/gtest.h>

#include <stoss/core/bisection.hpp>

namespace {

using namespace stoss;

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
