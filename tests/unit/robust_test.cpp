#include <stoss/core/robust.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace stoss;

TEST(Median, OfAnEvenCountIsTheMeanOfTheTwoInTheMiddle) {
    EXPECT_EQ(core::median({}), 0.0);
    EXPECT_EQ(core::median({3.0}), 3.0);
    EXPECT_EQ(core::median({4.0, 1.0}), 2.5);
    EXPECT_EQ(core::median({9.0, -1.0, 2.0}), 2.0);
    EXPECT_EQ(core::median({7.0, 100.0, 1.0, 3.0}), 5.0);
}

TEST(RobustScale, IsTheStandardDeviationOfNormalResidualsAmongWildOnes) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal(0.0, 0.2);
    std::vector<double> residuals(20000);
    for (double& each : residuals) each = normal(random);
    EXPECT_NEAR(core::robust_scale(residuals), 0.2, 0.005);
    for (std::size_t i = 0; i < 200; ++i) residuals[i] = 1e6;
    EXPECT_NEAR(core::robust_scale(residuals), 0.2, 0.01);
}

}  // namespace
