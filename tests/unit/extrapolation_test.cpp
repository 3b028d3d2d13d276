// Gragg's extrapolated midpoint rule.
#include <gtest/gtest.h>

#include <cmath>

#include <stoss/time/extrapolation.hpp>

namespace {

using Step = stoss::time::ExtrapolatedStep<2>;

/// y'' = -y from (0, 1): after one step of h, the distance from (sin h, cos h).
double error_of_step(double h) {
    Step step;
    const Step::State y{0.0, 1.0};
    const auto rate = [](const Step::State& at) { return Step::State{at[1], -at[0]}; };
    step.advance(rate, y, rate(y), h);
    return std::hypot(step.end()[0] - std::sin(h), step.end()[1] - std::cos(h));
}

TEST(ExtrapolatedStep, HasOrderSixteen) {
    const double order = std::log2(error_of_step(6.0) / error_of_step(3.0)) - 1.0;
    EXPECT_NEAR(order, 16.0, 1.5);
}

TEST(ExtrapolatedStep, ReachesRoundoffInALongStep) {
    EXPECT_LT(error_of_step(1.0), 1e-14);
}

TEST(ExtrapolatedStep, IsExactForAPolynomialOfTheClock) {
    Step step;
    const auto rate = [](const Step::State& y) {
        return Step::State{1.0, 14.0 * std::pow(y[0], 13.0)};
    };
    const Step::State y{0.0, 0.0};
    step.advance(rate, y, rate(y), 1.0);
    EXPECT_NEAR(step.end()[1], 1.0, 1e-13);
}

TEST(ExtrapolatedStep, EstimatesItsErrorWhereThatIsSmall) {
    Step step;
    const auto rate = [](const Step::State& at) { return Step::State{at[1], -at[0]}; };
    for (const double h : {1.6, 1.8, 2.0}) {
        const Step::State y{0.0, 1.0};
        step.advance(rate, y, rate(y), h);
        EXPECT_GE(std::hypot(step.error()[0], step.error()[1]), error_of_step(h));
    }
}

}  // namespace
