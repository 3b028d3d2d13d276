/// The largest Lyapunov exponent of motions with impacts (docs/theory/impact_motion.md 27.20).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include <motion_systems.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/state_numbers.hpp>
#include <stoss/motion/impact_motion.hpp>
#include <stoss/motion/lyapunov.hpp>

namespace stoss {
namespace {

using motion::Impact;
using motion::ImpactMotion;
using motion::LyapunovExponent;
using motion::System;

/// From section to section after a transient; `impacts` gets those after it.
std::optional<double> exponent_of(const System& system, double period, int transient, int periods) {
    ImpactMotion moving(system, 1e-6);
    LyapunovExponent exponent(system, 1e-6, 2.0 * std::numbers::pi / period);
    for (int k = 0; k <= transient + periods; ++k) {
        moving.advance(k * period);
        exponent.follow(moving);
        if (k == transient) exponent.restart();
        exponent.begin(moving);
    }
    return exponent.value();
}

TEST(Lyapunov, OfADampedVibrationIsHalfOfItsDamping) {
    System system = motion_test::bodies(1);
    system.eigenvalues[0] = 4.0;
    system.dampings[0] = 0.1;
    system.coordinates[0] = 1.0;
    system.contacts = {{{-1.0}, 10.0, motion::NewtonImpact{0.5}}};
    const double half_turn = std::numbers::pi / std::sqrt(4.0 - 0.05 * 0.05);
    EXPECT_NEAR(exponent_of(system, half_turn, 0, 40).value_or(0.0), -0.05, 1e-8);
}

/// Without damping the map of a period of the orbit of Shaw and Holmes (1983) has the determinant
/// e^2. Its multipliers are complex here: both have the size e.
TEST(Lyapunov, OfTheImpactOscillatorIsTheLogarithmOfItsCoefficient) {
    System system = motion_test::bodies(1);
    const double drive = 2.2, period = 2.0 * std::numbers::pi / drive;
    system.eigenvalues[0] = 1.0;
    system.drives = {{drive, 0.0, {1.0}, {}}};
    for (const double cor : {0.7, 0.8}) {
        system.contacts = {{{-1.0}, 0.02, motion::NewtonImpact{cor}}};
        const double exponent = exponent_of(system, period, 300, 2000).value_or(0.0);
        EXPECT_NEAR(exponent * period, std::log(cor), 1e-3) << cor;
    }
}

/// A ball on a shaking table. Between impacts a disturbance (dx, dv) drifts; an impact at the
/// closing speed u, where the table has the acceleration a, turns it to
/// (-e dx, -e dv + (1 + e) (g + a) dx/u). The growth along one and the same chaotic motion.
TEST(Lyapunov, OfAChaoticBallIsTheGrowthOfItsTangent) {
    const double g = 9.81, cor = 0.8, frequency = 2.0 * std::numbers::pi * 30.0;
    const double amplitude = 4.0 * g / (frequency * frequency), period = 1.0 / 30.0;
    System system = motion_test::bodies(1);
    system.coordinates[0] = 3.0 * amplitude;
    system.contacts = {{{1.0}, 0.0, motion::NewtonImpact{cor}}};
    system.drives = {{0.0, 0.0, {-g}, {}}, {frequency, 0.0, {}, {amplitude}}};
    ImpactMotion moving(system, 1e-6);
    LyapunovExponent exponent(system, 1e-6, frequency);
    std::array<double, 2> tangent{1.0, 1.0};
    double last = 0.0, sum = 0.0;
    const auto drift = [&](double time) {
        tangent[0] += (time - last) * tangent[1];
        last = time;
    };
    constexpr int transient = 200, periods = 4000;
    for (int k = 0; k <= transient + periods; ++k) {
        moving.advance(k * period, [&](const Impact& impact) {
            drift(impact.start);
            const double table =
                -amplitude * frequency * frequency * std::cos(frequency * impact.start);
            const double turned =
                -cor * tangent[1] + (1.0 + cor) * (g + table) * tangent[0] / impact.approach_speed;
            tangent = {-cor * tangent[0], turned};
            return true;
        });
        ASSERT_EQ(moving.status(), motion::MotionStatus::running);
        drift(k * period);
        const double size = std::hypot(frequency * tangent[0], tangent[1]);
        for (double& each : tangent) each /= size;
        sum += std::log(size);
        exponent.follow(moving);
        if (k == transient) {
            exponent.restart();
            sum = 0.0;
        }
        exponent.begin(moving);
    }
    const double expected = sum / (periods * period);
    EXPECT_GT(expected, 1.0);
    EXPECT_NEAR(exponent.value().value_or(0.0), expected, 0.02 * expected);
}

TEST(Lyapunov, GoesOnWithTheSameBits) {
    const System system = motion_test::random_row({.bodies = 2, .driven = true}, 3);
    ImpactMotion moving(system, 1e-4);
    LyapunovExponent one(system, 1e-4, 300.0), other(system, 1e-4, 300.0);
    const auto follow = [&](LyapunovExponent& exponent, int first, int last) {
        ImpactMotion again(system, 1e-4);
        again.advance(1e-3 * first);
        if (first == 0) exponent.begin(again);
        for (int k = first + 1; k <= last; ++k) {
            again.advance(1e-3 * k);
            exponent.follow(again);
            exponent.begin(again);
        }
    };
    follow(one, 0, 8);
    std::vector<double> kept;
    core::PutNumbers put(kept);
    put(one);
    std::span<const double> numbers = kept;
    core::TakeNumbers take(numbers);
    take(other);
    EXPECT_TRUE(numbers.empty());
    follow(one, 8, 12);
    follow(other, 8, 12);
    EXPECT_EQ(one.value().value_or(0.0), other.value().value_or(1.0));
}

TEST(Lyapunov, OfAMotionThatForgetsItsBeginIsNoNumber) {
    // Both bodies rest on the table after a while.
    System system = motion_test::bodies(1);
    system.contacts = {{{1.0}, 1e-3, motion::NewtonImpact{0.2}}};
    system.drives = {{0.0, 0.0, {-9.81}, {}}, {20.0, 0.0, {}, {1e-3}}};
    EXPECT_FALSE(exponent_of(system, 0.3, 10, 5).has_value());
}

/// At its end the first interval has the impact of the ball, but not yet that of the neighbour: it
/// would go on. The next one is free motion: with dq = dv at its begin, dq = 2 dv after 1 s.
TEST(Lyapunov, CountsNothingOfAnIntervalThatBeganBeforeTheRestart) {
    System system = motion_test::bodies(1);
    system.coordinates[0] = 1.0;
    system.rates[0] = -1.0;
    system.contacts = {{{1.0}, 0.0, motion::NewtonImpact{1.0}},
                       {{-1.0}, 5.0, motion::NewtonImpact{1.0}}};
    ImpactMotion moving(system, 1e-6);
    LyapunovExponent exponent(system, 1e-6, 1.0);
    exponent.begin(moving);
    moving.advance(1.0 + 1e-7);
    ASSERT_EQ(moving.impacts(), 1U);
    exponent.follow(moving);
    EXPECT_FALSE(exponent.value().has_value());
    exponent.restart();
    exponent.begin(moving);
    moving.advance(2.0 + 1e-7);
    exponent.follow(moving);
    EXPECT_NEAR(exponent.value().value_or(0.0), 0.5 * std::log(2.5), 1e-6);
}

TEST(Lyapunov, RefusesARateThatIsNone) {
    const System system = motion_test::chain(3, 0.1, 1e8);
    EXPECT_THROW(LyapunovExponent(system, 1e-4, 0.0), core::InputError);
    ImpactMotion moving(system, 1e-4);
    EXPECT_THROW(moving.displace(std::vector<double>(2), std::vector<double>(3)), core::InputError);
}

}  // namespace
}  // namespace stoss
