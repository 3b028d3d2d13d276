/// Stability of periodic motions with one impact in n periods of the drive, against the closed
/// form: trace and determinant of the map of a period, where an orbit doubles its period (flip) and
/// where it appears (saddle-node) (docs/theory/impact_motion.md 27.21 to 27.23).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include <motion_systems.hpp>
#include <stoss/motion/impact_motion.hpp>
#include <stoss/motion/lyapunov.hpp>

namespace stoss {
namespace {

using motion::Impact;
using motion::ImpactMotion;
using motion::System;

/// A motion that repeats itself: the system at half the time between two impacts, and the closed
/// form of its map of a period.
struct Orbit {
    System system;
    double period = 0.0;  ///< from one impact to the next [s]
    double speed = 0.0;   ///< at which it closes [m/s]
    double trace = 0.0, determinant = 0.0;

    /// The multiplier of the larger size. Precondition: both are real.
    double multiplier() const {
        const double half = 0.5 * trace;
        return half + std::copysign(std::sqrt(half * half - determinant), half);
    }
};

/// Mass on a spring of the frequency 1 against a rigid stop (Shaw and Holmes 1983).
struct Oscillator {
    double drive = 2.0, force = 1.0, stop = 0.0, cor = 0.7;
    int periods = 1;  ///< of the drive from one impact to the next

    double period() const { return 2.0 * std::numbers::pi * periods / drive; }
    double alpha() const { return force / (1.0 - drive * drive); }
    /// (27.10) divided by v: A, and alpha sin b.
    double a() const {
        const double c = std::cos(period()), s = std::sin(period());
        return -0.5 * (1.0 + cor) * s / (1.0 - c);
    }
    double b() const { return 0.5 * (cor - 1.0) / drive; }

    /// The orbit whose speed is the larger root, or the smaller one; none if there is none.
    std::optional<Orbit> orbit(bool larger = true) const {
        const double p = a() * a() + b() * b(), q = -stop * a();
        const double root = q * q - p * (stop * stop - alpha() * alpha());
        if (root < 0.0) return std::nullopt;
        const double v = (-q + (larger ? 1.0 : -1.0) * std::sqrt(root)) / p;
        const double c = std::cos(period()), s = std::sin(period());
        Orbit made{motion_test::bodies(1), period(), v, 0.0, cor * cor};
        made.trace = -2.0 * cor * c - (1.0 + cor) * s * drive * drive * stop / v +
                     0.5 * (1.0 + cor) * (1.0 + cor) * (1.0 + c) * (1.0 - drive * drive);
        const double half = 0.5 * period(), in_phase = stop - a() * v, across = b() * v;
        const double turned = drive * half, ch = std::cos(half), sh = std::sin(half);
        const double sine = -0.5 * (1.0 + cor) * v;  // B
        System& system = made.system;
        system.eigenvalues[0] = 1.0;
        system.coordinates[0] =
            a() * v * ch + sine * sh + in_phase * std::cos(turned) - across * std::sin(turned);
        system.rates[0] = -a() * v * sh + sine * ch -
                          drive * (in_phase * std::sin(turned) + across * std::cos(turned));
        system.contacts = {{{-1.0}, stop, motion::NewtonImpact{cor}}};
        const double phase = std::atan2(across / alpha(), in_phase / alpha());
        system.drives = {{drive, phase + turned, {force}, {}}};
        return made;
    }
};

/// A ball on a table that shakes as a cos(W t + b), with one impact in n periods.
struct Ball {
    double acceleration = 1.0;  ///< largest one of the table, in those of gravity
    double cor = 0.5;
    int periods = 1;

    /// The least acceleration with such an orbit, and that at which its period doubles.
    double least() const { return periods * std::numbers::pi * (1.0 - cor) / (1.0 + cor); }
    double flip() const {
        return std::hypot(least(), 2.0 * (1.0 + cor * cor) / ((1.0 + cor) * (1.0 + cor)));
    }
    System at_half_time() const {
        const double g = 9.81, frequency = 2.0 * std::numbers::pi * 30.0;
        const double amplitude = acceleration * g / (frequency * frequency);
        const double flight = periods / 30.0, half = 0.5 * flight;
        // The table rises at (g T/2)(1 - e)/(1 + e) and slows down.
        const double phase = -std::asin(std::min(1.0, least() / acceleration));
        System system = motion_test::bodies(1);
        system.coordinates[0] = amplitude * std::cos(phase) + 0.5 * g * half * half;
        system.contacts = {{{1.0}, 0.0, motion::NewtonImpact{cor}}};
        system.drives = {{0.0, 0.0, {-g}, {}},
                         {frequency, phase + frequency * half, {}, {amplitude}}};
        return system;
    }
    Orbit orbit() const {
        Orbit made{at_half_time(), periods / 30.0, 9.81 * periods / 30.0 / (1.0 + cor), 0.0,
                   cor * cor};
        const double slowing = std::sqrt(acceleration * acceleration - least() * least());
        made.trace = -2.0 * cor + (1.0 + cor) * (1.0 + cor) * (1.0 - slowing);
        return made;
    }
};

/// Coordinate and rate after some periods, begun beside the orbit.
std::array<double, 2> after(const Orbit& orbit, double dq, double dv, double periods = 1.0) {
    System system = orbit.system;
    system.coordinates[0] += dq;
    system.rates[0] += dv;
    ImpactMotion moving(system, 1e-6);
    moving.advance(periods * orbit.period);
    return {moving.coordinates()[0], moving.rates()[0]};
}

void expect_the_map_of(const Orbit& orbit) {
    const double q = orbit.system.coordinates[0], v = orbit.system.rates[0];
    const double step = 1e-6 * orbit.speed, wide = step * orbit.period;
    const auto [same_q, same_v] = after(orbit, 0.0, 0.0);
    EXPECT_NEAR(same_q, q, 1e-11 * orbit.speed);
    EXPECT_NEAR(same_v, v, 1e-11 * orbit.speed);
    const auto q_up = after(orbit, wide, 0.0), q_down = after(orbit, -wide, 0.0);
    const auto v_up = after(orbit, 0.0, step), v_down = after(orbit, 0.0, -step);
    std::array<std::array<double, 2>, 2> map{};
    for (std::size_t i = 0; i < 2; ++i)
        map[i] = {(q_up[i] - q_down[i]) / (2.0 * wide), (v_up[i] - v_down[i]) / (2.0 * step)};
    EXPECT_NEAR(map[0][0] + map[1][1], orbit.trace, 1e-6);
    EXPECT_NEAR(map[0][0] * map[1][1] - map[0][1] * map[1][0], orbit.determinant, 1e-6);
}

/// The factor by which a small disturbance grows a period, once its direction has settled.
double growth(const Orbit& orbit) {
    std::vector<double> distances;
    ImpactMotion moving(orbit.system, 1e-6);
    const double q = orbit.system.coordinates[0], v = orbit.system.rates[0];
    moving.displace(std::array{0.0}, std::array{1e-8 * orbit.speed});
    for (int k = 1; k <= 40; ++k) {
        moving.advance(k * orbit.period);
        const double dq = moving.coordinates()[0] - q, dv = moving.rates()[0] - v;
        distances.push_back(std::abs(dq) > std::abs(dv) ? dq : dv);
    }
    return distances.back() / distances[distances.size() - 2];
}

/// Where `trace - wanted` changes its sign between two values of a parameter.
double crossing(double low, double high, double wanted,
                const std::function<double(double)>& trace) {
    const bool sign = trace(low) < wanted;
    for (int k = 0; k < 80; ++k) {
        const double middle = 0.5 * (low + high);
        ((trace(middle) < wanted) == sign ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

TEST(ImpactStability, TheMapOfAPeriodOfTheImpactOscillatorIsThatOfTheClosedForm) {
    for (const Oscillator& each :
         {Oscillator{2.2, 1.0, 0.02, 0.7, 1}, Oscillator{2.0, 1.0, 0.0, 0.5, 1},
          Oscillator{1.15, 1.0, -0.02, 0.5, 1}, Oscillator{2.655, 1.0, 0.0, 0.8, 1},
          Oscillator{3.29, 1.0, 0.02, 0.7, 2}, Oscillator{4.4, 1.0, 0.0, 0.6, 2},
          Oscillator{5.3, 1.0, 0.02, 0.6, 3}, Oscillator{1.6, 0.2, 0.3, 0.6, 1}})
        expect_the_map_of(each.orbit().value());
    expect_the_map_of(Oscillator{1.6, 0.2, 0.3, 0.6, 1}.orbit(false).value());
}

/// The limits of stability in the frequency of the drive, on both sides.
TEST(ImpactStability, TheOscillatorDoublesItsPeriodWhereTheTraceIsMinusOnePlusTheDeterminant) {
    struct Window {
        double low, high;  // one flip in between
        int periods;
        bool stable_above;
    };
    for (const Window& window : {Window{1.2, 1.3, 1, true}, Window{2.6, 2.7, 1, false},
                                 Window{3.3, 3.4, 2, true}, Window{4.6, 4.7, 2, false}}) {
        Oscillator what{window.low, 1.0, 0.0, 0.7, window.periods};
        const auto orbit = [&](double drive) {
            what.drive = drive;
            return what.orbit().value();
        };
        const double flip = crossing(window.low, window.high, -(1.0 + 0.49),
                                     [&](double drive) { return orbit(drive).trace; });
        EXPECT_NEAR(orbit(flip).multiplier(), -1.0, 1e-9);
        for (const double aside : {-2e-3, 2e-3}) {
            const Orbit near = orbit(flip + aside);
            const double factor = growth(near);
            EXPECT_NEAR(factor, near.multiplier(), 1e-3) << flip + aside;
            EXPECT_EQ(std::abs(factor) < 1.0, (aside > 0.0) == window.stable_above) << flip + aside;
        }
    }
}

/// A stop that the driven vibration does not reach: two orbits with impacts appear at a force, the
/// faster one is stable, and below this force the mass seldom reaches the stop.
TEST(ImpactStability, TwoOrbitsOfTheOscillatorAppearWhereTheTraceIsOnePlusTheDeterminant) {
    for (const double cor : {0.6, 0.8}) {
        Oscillator what{1.6, 0.0, 0.3, cor, 1};
        const double a = what.a(), b = what.b();
        // The discriminant of the quadratic equation of v vanishes.
        const double alpha = 0.3 * std::abs(b) / std::hypot(a, b);
        const double fold = alpha * (1.6 * 1.6 - 1.0);
        what.force = fold * (1.0 + 1e-10);
        EXPECT_NEAR(what.orbit()->trace, 1.0 + cor * cor, 1e-4);
        what.force = fold * 1.01;
        const Orbit fast = what.orbit().value(), slow = what.orbit(false).value();
        EXPECT_LT(growth(fast), 1.0);
        EXPECT_GT(growth(slow), 1.0);
        EXPECT_NEAR(growth(fast), fast.multiplier(), 2e-3);
        EXPECT_NEAR(growth(slow), slow.multiplier(), 2e-3);
        what.force = fold * 0.98;
        EXPECT_FALSE(what.orbit());
        System below = fast.system;
        below.drives[0].forces[0] = what.force;
        ImpactMotion moving(below, 1e-6);
        moving.advance(500.0 * what.period());
        const std::size_t impacts = moving.impacts();
        moving.advance(600.0 * what.period());
        EXPECT_LT(moving.impacts() - impacts, 50U) << cor;
    }
}

TEST(ImpactStability, TheExponentOfTheOscillatorIsTheLogarithmOfItsMultiplier) {
    const Orbit orbit = Oscillator{1.27, 1.0, 0.0, 0.7, 1}.orbit().value();
    ImpactMotion moving(orbit.system, 1e-6);
    motion::LyapunovExponent exponent(orbit.system, 1e-6, 2.0 * std::numbers::pi / orbit.period);
    constexpr int transient = 50, periods = 500;
    for (int k = 0; k <= transient + periods; ++k) {
        moving.advance(k * orbit.period);
        exponent.follow(moving);
        if (k == transient) exponent.restart();
        exponent.begin(moving);
    }
    EXPECT_NEAR(exponent.value().value_or(0.0) * orbit.period,
                std::log(std::abs(orbit.multiplier())), 1e-5);
}

TEST(ImpactStability, TheMapOfAPeriodOfABallOnATableIsThatOfTheClosedForm) {
    for (const double cor : {0.3, 0.5, 0.8}) {
        for (const int periods : {1, 2}) {
            Ball ball{1.0, cor, periods};
            for (const double share : {0.1, 0.5, 0.95}) {
                ball.acceleration = ball.least() + share * (ball.flip() - ball.least());
                expect_the_map_of(ball.orbit());
            }
        }
    }
}

/// Period 1 begins at pi g (1 - e)/(1 + e) and doubles at the hypotenuse of this and
/// 2 g (1 + e^2)/(1 + e)^2.
TEST(ImpactStability, ABallOnATableHasStableOrbitsBetweenTheTwoLimitsOfTheClosedForm) {
    for (const double cor : {0.5, 0.8}) {
        Ball ball{1.0, cor, 1};
        EXPECT_NEAR((ball.acceleration = ball.least(), ball.orbit().trace), 1.0 + cor * cor, 1e-6);
        EXPECT_NEAR((ball.acceleration = ball.flip(), ball.orbit().trace), -1.0 - cor * cor, 1e-12);
        for (const double aside : {-5e-3, 5e-3}) {
            ball.acceleration = ball.flip() * (1.0 + aside);
            EXPECT_NEAR(growth(ball.orbit()), ball.orbit().multiplier(), 1e-3) << aside;
            EXPECT_EQ(std::abs(growth(ball.orbit())) > 1.0, aside > 0.0) << aside;
        }
        for (const double share : {0.98, 1.05}) {
            ball.acceleration = ball.least() * share;
            ImpactMotion moving(ball.at_half_time(), 1e-6);
            double last = 0.0;
            int count = 0;
            moving.advance(600.0 / 30.0, [&](const Impact& each) {
                last = each.approach_speed;
                return ++count < 400;
            });
            const double speed = ball.orbit().speed;
            if (share > 1.0)
                EXPECT_NEAR(last, speed, 1e-9 * speed) << cor;
            else
                EXPECT_LT(last, 0.99 * speed) << cor;
        }
    }
}

}  // namespace
}  // namespace stoss
