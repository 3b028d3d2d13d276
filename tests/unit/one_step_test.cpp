#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/time/one_step.hpp>

namespace {

using namespace stoss;
using time::PointState;
using time::StartForce;

contact::HuntCrossley damped() {
    contact::HuntCrossley law;
    law.stiffness = 1e9;
    law.damping_factor = 0.5;
    return law;
}

contact::Hertz elastic() {
    contact::Hertz law;
    law.stiffness = 1e9;
    return law;
}

/// The state after `steps` steps over 40 us, begun inside the contact: a smooth stretch.
template <class Law, class Scheme>
PointState smooth_stretch(const Law& law, const Scheme& scheme, int steps,
                          double external_force = 0.0) {
    contact::Contact<Law> contact(law, contact::Separation::zero_force, 0.01);
    contact.accept(1e-5, 0.9);
    const time::PointBody body{contact, 0.01, external_force};
    PointState state{1e-5, 0.9, body.acceleration(1e-5, 0.9)};
    for (int i = 0; i < steps; ++i) state = scheme.step(body, state, 4e-5 / steps);
    return state;
}

/// Order from the errors of two steps, against many steps of RK4.
template <class Law, class Scheme>
double order(const Law& law, const Scheme& scheme, double external_force = 0.0) {
    const PointState exact = smooth_stretch(law, time::RungeKutta4{}, 8192, external_force);
    const auto error = [&](int steps) {
        const PointState state = smooth_stretch(law, scheme, steps, external_force);
        return std::hypot((state.x - exact.x) / 4e-5, state.v - exact.v);
    };
    return std::log2(error(64) / error(128));
}

TEST(OneStep, OrdersOnASmoothStretchUnderADampedLaw) {
    const auto law = damped();
    EXPECT_NEAR(order(law, time::Trapezoid{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::Verlet{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::Heun{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::Heun{StartForce::kept}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::NewmarkBeta{0.25, 0.5}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::NewmarkBeta{0.0, 0.5}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::NewmarkBeta{0.25, 0.6}), 1.0, 0.1);
    EXPECT_NEAR(order(law, time::Splitting2{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::DiscreteGradient{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::SemiImplicitEuler{}), 1.0, 0.1);
    EXPECT_NEAR(order(law, time::RungeKutta4{}), 4.0, 0.1);
    EXPECT_NEAR(order(law, time::Splitting4{}), 4.0, 0.1);
}

TEST(OneStep, OrdersOnASmoothStretchUnderAnElasticLaw) {
    const auto law = elastic();
    EXPECT_NEAR(order(law, time::Trapezoid{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::Verlet{StartForce::kept}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::Heun{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::Splitting2{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::DiscreteGradient{}), 2.0, 0.1);
    EXPECT_NEAR(order(law, time::RungeKutta4{}), 4.0, 0.1);
    EXPECT_NEAR(order(law, time::Splitting4{}), 4.0, 0.1);
}

TEST(OneStep, ALoadLeavesTheOrdersAsTheyAre) {
    for (const double load : {-200.0, 300.0}) {
        EXPECT_NEAR(order(damped(), time::Trapezoid{}, load), 2.0, 0.1);
        EXPECT_NEAR(order(damped(), time::Splitting2{}, load), 2.0, 0.1);
        EXPECT_NEAR(order(damped(), time::Splitting4{}, load), 4.0, 0.15);
        EXPECT_NEAR(order(elastic(), time::Splitting4{}, load), 4.0, 0.15);
        EXPECT_NEAR(order(damped(), time::DiscreteGradient{}, load), 2.0, 0.1);
    }
}

TEST(OneStep, VerletWithAKeptForceIsOfOrderOneUnderADampedLaw) {
    // Papetti et al. 2011 call (24) second-order; so it is only where the force has no velocity.
    EXPECT_NEAR(order(damped(), time::Verlet{StartForce::kept}), 1.0, 0.1);
}

TEST(OneStep, TrapezoidIsNewmarkWithAQuarterAndAHalf) {
    const PointState a = smooth_stretch(damped(), time::Trapezoid{}, 50);
    const PointState b = smooth_stretch(damped(), time::NewmarkBeta{0.25, 0.5}, 50);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.v, b.v);
}

TEST(OneStep, TrapezoidSatisfiesItsEquations) {
    const auto law = damped();
    contact::Contact<contact::HuntCrossley> contact(law, contact::Separation::zero_force, 0.01);
    contact.accept(1e-5, 0.9);
    const time::PointBody body{contact, 0.01, 5.0};
    const PointState before{1e-5, 0.9, body.acceleration(1e-5, 0.9)};
    const double h = 1e-6;
    const PointState after = time::Trapezoid{}.step(body, before, h);
    EXPECT_NEAR(after.x, before.x + 0.5 * h * (before.v + after.v), 1e-19);
    const double mean = 0.5 * (before.a + body.acceleration(after.x, after.v));
    EXPECT_NEAR(after.v, before.v + h * mean, 1e-14);
}

/// Largest |H - H_0|/H_0 over impacts from x = 0 to x <= 0, in turn, each from the last rebound.
template <class Law, class Scheme>
double energy_drift(const Law& law, const Scheme& scheme, double step, int impacts) {
    const double mass = 0.01;
    double velocity = 1.0, drift = 0.0;
    for (int i = 0; i < impacts; ++i) {
        contact::Contact<Law> contact(law, contact::Separation::zero_force, mass);
        contact.accept(0.0, velocity);
        const time::PointBody body{contact, mass, 0.0};
        PointState state{0.0, velocity, 0.0};
        do {
            state = scheme.step(body, state, step);
            contact.accept(state.x, state.v);
            const double energy = 0.5 * mass * state.v * state.v + contact.stored_energy(state.x);
            drift = std::max(drift, std::abs(energy / (0.5 * mass) - 1.0));
        } while (state.x > 0.0);
        velocity = -state.v;
    }
    return drift;
}

TEST(OneStep, DiscreteGradientLeavesBodiesThatTouchAtRestAtRest) {
    const contact::Contact contact(elastic(), contact::Separation::zero_force, 0.01);
    const PointState state =
        time::DiscreteGradient{}.step(time::PointBody{contact, 0.01, 0.0}, {0.0, 0.0, 0.0}, 1e-5);
    EXPECT_EQ(state.x, 0.0);
    EXPECT_EQ(state.v, 0.0);
    EXPECT_EQ(state.a, 0.0);
}

TEST(OneStep, DiscreteGradientKeepsTheEnergyOfAnElasticImpactToRoundoff) {
    // Six samples in contact; onset and release lie within steps.
    EXPECT_LT(energy_drift(elastic(), time::DiscreteGradient{}, 1.0 / 44100.0, 1), 4e-15);
    EXPECT_LT(energy_drift(elastic(), time::DiscreteGradient{}, 1.0 / 44100.0, 1000), 1e-12);
    EXPECT_LT(energy_drift(elastic(), time::DiscreteGradient{}, 1e-7, 1), 1e-13);
    EXPECT_GT(energy_drift(elastic(), time::Trapezoid{}, 1.0 / 44100.0, 1), 1e-3);
}

TEST(OneStep, KickOfADamperIsExact) {
    contact::KelvinVoigt law;
    law.stiffness = 2e4;
    law.damping = 30.0;
    contact::Contact<contact::KelvinVoigt> contact(law, contact::Separation::zero_overlap, 0.01);
    contact.accept(1e-4, 0.5);
    const time::PointBody body{contact, 0.01, 0.0};
    PointState state{1e-4, 0.5, 0.0};
    const double h = 2e-4;
    time::kick(body, state, h);
    // m v' = -(k x + c v) at fixed x: v tends to -k x/c.
    const double limit = -2e4 * 1e-4 / 30.0;
    EXPECT_NEAR(state.v, limit + (0.5 - limit) * std::exp(-30.0 * h / 0.01), 1e-15);
}

TEST(OneStep, FreeMotionIsAParabola) {
    const auto law = elastic();
    const contact::Contact<contact::Hertz> contact(law, contact::Separation::zero_force, 0.01);
    const time::PointBody body{contact, 0.01, -0.0981};
    const auto flown = [&](const auto& scheme) {
        PointState state{-1.0, -2.0, -9.81};
        for (int i = 0; i < 10; ++i) state = scheme.step(body, state, 0.01);
        return state;
    };
    const auto holds = [](const PointState& state) {
        EXPECT_NEAR(state.x, -1.0 - 2.0 * 0.1 - 0.5 * 9.81 * 0.01, 1e-14);
        EXPECT_NEAR(state.v, -2.0 - 9.81 * 0.1, 1e-14);
    };
    holds(flown(time::Trapezoid{}));
    holds(flown(time::Verlet{}));
    holds(flown(time::Verlet{StartForce::kept}));
    holds(flown(time::Heun{}));
    holds(flown(time::RungeKutta4{}));
    holds(flown(time::Splitting2{}));
    holds(flown(time::Splitting4{}));
    holds(flown(time::DiscreteGradient{}));
}

/// A scheme hands the acceleration on, also that of the external force.
TEST(OneStep, AccelerationIsThatOfContactAndExternalForce) {
    const auto law = elastic();
    const contact::Contact<contact::Hertz> contact(law, contact::Separation::zero_force, 0.01);
    const time::PointBody body{contact, 0.01, 50.0};
    const double h = 1e-9;
    const auto holds = [&](const auto& scheme) {
        const PointState end = scheme.step(body, {2e-5, 0.1, body.acceleration(2e-5, 0.1)}, h);
        EXPECT_NEAR(end.a / body.acceleration(end.x, end.v), 1.0, 1e-3) << scheme.name;
    };
    holds(time::Splitting2{});
    holds(time::Splitting4{});
    holds(time::Verlet{});
    holds(time::RungeKutta4{});
    holds(time::Trapezoid{});
}

}  // namespace
