// What a step in contact did, and what it says of the next one.
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/time/detail/largest_force.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace {

using namespace stoss;

const modal::Propagators propagators(std::vector{0.0}, std::vector{0.0}, 1.0);

/// Limits that do not bind.
time::StepLimits no_limits() {
    return {.growth = 1.0,
            .closing = 0.5,
            .contact_resonance = 1.0,
            .epsilon = 1e-3,
            .exactness = 0.0,
            .compliance = 0.0,
            .onset = 0.0,
            .resolution = core::infinity,
            .longest = propagators.longest()};
}

double step_of(const time::StepPrediction& next) {
    return propagators.step(modal::Propagators::level_of(next.step));
}

TEST(StepOutcome, IsThatOfAForceThatIsAParabola) {
    // P = 2 + 8 u - 8 u^2 with u the fraction of a step of 0.1 s: the middle node is at u = 1/2.
    const double h = 0.1;
    time::NodeForces nodes;
    for (std::size_t k = 0; k < 3; ++k) {
        const double u = core::Gauss3::node[k];
        nodes.force[k] = 2.0 + 8.0 * u - 8.0 * u * u;
        nodes.slope[k] = 10.0 - static_cast<double>(k);
    }
    const auto outcome = impact::outcome_of_step(h, 3.0, {0.5, 2.0}, nodes, 2.0);
    EXPECT_NEAR(outcome.impulse, h * (2.0 + 8.0 / 2.0 - 8.0 / 3.0), 1e-15);
    EXPECT_NEAR(outcome.moment, h * h * (2.0 / 2.0 + 8.0 / 3.0 - 8.0 / 4.0), 1e-15);
    EXPECT_NEAR(outcome.peak, 4.0, 1e-14);
    EXPECT_EQ(outcome.slope, 10.0);
    EXPECT_EQ(outcome.force, 2.0);
    EXPECT_NEAR(outcome.acceleration, -1.0 / h, 1e-14);
}

TEST(LargestForce, OfAQuarticIsExactAndItsErrorIsTheDifferenceToAParabola) {
    // P = 1 - (u - 0.3)^2 - (u - 0.3)^4: largest at u = 0.3, between two nodes.
    const auto force = [](double u) { return 1.0 - std::pow(u - 0.3, 2) - std::pow(u - 0.3, 4); };
    const auto& [a, b, c] = core::Gauss3::node;
    const auto largest =
        time::largest_force(force(0.0), {force(a), force(b), force(c)}, force(1.0));
    EXPECT_NEAR(largest.value, 1.0, 1e-14);
    EXPECT_GT(largest.error, 1e-4);
}

TEST(LargestForce, WithoutAMaximumInsideIsThatOfTheLargerEnd) {
    const auto rising = time::largest_force(1.0, {1.1, 1.5, 1.8}, 2.0);
    EXPECT_EQ(rising.value, 2.0);
    EXPECT_EQ(rising.error, 0.0);
}

/// f = 1 - u/10 + 5 u^2 - 5 u^3 falls at both ends of the step.
TEST(LargestForce, OfAForceThatVibratesWithinTheStepIsFoundInside) {
    const auto force = [](double u) { return 1.0 + u * (-0.1 + u * (5.0 - 5.0 * u)); };
    const auto& [a, b, c] = core::Gauss3::node;
    const auto largest =
        time::largest_force(force(0.0), {force(a), force(b), force(c)}, force(1.0));
    const double place = (10.0 + std::sqrt(94.0)) / 30.0;
    EXPECT_NEAR(largest.place, place, 1e-8);
    EXPECT_NEAR(largest.value, force(place), 1e-14);
    EXPECT_GT(largest.error, 1e-3);
    EXPECT_LT(largest.error, 0.1);
}

TEST(LargestOverlap, OfAMotionOfDegreeSixIsExact) {
    // Largest near 0.167 s, in a step of 0.2 s.
    const double h = 0.2;
    const auto x = [](double t) { return t - 3.0 * t * t + 2.0 * std::pow(t, 6); };
    const auto v = [](double t) { return 1.0 - 6.0 * t + 12.0 * std::pow(t, 5); };
    const auto& [a, b, c] = core::Gauss3::node;
    const auto largest =
        time::largest_overlap(h, x(0.0), v(0.0), {x(a * h), x(b * h), x(c * h)}, x(h), v(h));
    double expected = 0.0;
    for (int i = 0; i <= 20000; ++i) expected = std::max(expected, x(h * i / 20000));
    EXPECT_NEAR(largest.value, expected, 1e-10);
    EXPECT_GT(largest.error, 1e-12);
}

TEST(StepPrediction, StepsStayInProportionToTheZerosOfTheOverlap) {
    // x = (t - 1/64)(1/4 - t) s about t = 1/16: zeros 3/64 behind and 3/16 ahead.
    const double s = 5.0;
    const double t = 1.0 / 16.0, x = s * (t - 1.0 / 64.0) * (0.25 - t);
    const double v = s * (0.25 + 1.0 / 64.0 - 2.0 * t), a = -2.0 * s;
    auto limits = no_limits();
    const auto behind = time::step_prediction(x, v, a, 1.0, 1.0, limits);
    EXPECT_NEAR(behind.ahead, 3.0 / 16.0, 1e-15);
    EXPECT_EQ(step_of(behind), propagators.step(9));  // sqrt(1/2)/16, within 3/64
    limits.onset = 0.5;
    // 1/2 of 3/16: sqrt(1/2)/8 on the propagators of half octaves.
    EXPECT_EQ(step_of(time::step_prediction(x, v, a, 1.0, 1.0, limits)), propagators.step(7));
    limits.closing = 0.7;
    EXPECT_EQ(step_of(time::step_prediction(x, v, a, 1.0, 1.0, limits)), propagators.step(6));
}

TEST(StepPrediction, ComplexZerosCountByTheirModulus) {
    // x = 4 (t^2 + 1/256): zeros at +- i/16.
    const auto limits = no_limits();
    const auto next = time::step_prediction(4.0 / 256.0, 0.0, 8.0, 1.0, 1.0, limits);
    EXPECT_NEAR(next.ahead, 1.0 / 16.0, 1e-16);
    EXPECT_FALSE(next.nearly_over);
    EXPECT_EQ(step_of(next), 1.0 / 32.0);
}

TEST(StepPrediction, ResolutionAndContactResonanceLimitTheNextStep) {
    auto limits = no_limits();
    limits.onset = core::infinity;  // nothing lies behind
    const auto step = [&] {
        return step_of(time::step_prediction(1.0, 1.0, 0.0, 1.0, 4.0, limits));
    };
    EXPECT_EQ(step(), 1.0);
    limits.resolution = 0.26;
    EXPECT_EQ(step(), 0.25);
    limits.compliance = 256.0;  // 1/sqrt(256 4)
    EXPECT_EQ(step(), 1.0 / 32.0);
}

TEST(StepPrediction, ContactIsNearlyOverWhenItsForceCanChangeTheVelocityByLittle) {
    auto limits = no_limits();
    limits.compliance = 2.0;
    // 1e-3 m at -1 m/s: 1e-3 s are left. 2 F 1e-3 <= 1e-3 for forces up to 1/2.
    EXPECT_TRUE(time::step_prediction(1e-3, -1.0, 0.0, 0.499, 1.0, limits).nearly_over);
    EXPECT_FALSE(time::step_prediction(1e-3, -1.0, 0.0, 0.501, 1.0, limits).nearly_over);
    EXPECT_FALSE(time::step_prediction(1e-3, 1.0, 0.0, 0.499, 1.0, limits).nearly_over);
}

}  // namespace
