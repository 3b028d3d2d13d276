#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws/hertz.hpp>
#include <stoss/time/cubic_event.hpp>
#include <stoss/time/newmark.hpp>
#include <stoss/time/scalar_contact.hpp>

namespace {

using namespace stoss;

/// Error of q(1) for q'' + d q' + lambda q = cos 3t, q = q' = 0 at 0, against a fine computation.
double displacement(double step) {
    const std::vector<double> eigenvalue{40.0}, damping{0.7}, phi{1.3};
    const time::NewmarkModes modes(eigenvalue, damping, phi, step);
    std::vector<double> q(modes.size(), 0.0), rate(modes.size(), 0.0);
    q[0] = 0.2;
    rate[0] = -0.5;
    const auto count = static_cast<int>(std::lround(1.0 / step));
    for (int i = 0; i < count; ++i) {
        modes.predict(q, rate, std::cos(3.0 * i * step));
        modes.correct(q, rate, std::cos(3.0 * (i + 1) * step));
    }
    return q[0];
}

TEST(Newmark, IsOfOrderTwo) {
    const double coarse = displacement(1.0 / 64), middle = displacement(1.0 / 128),
                 fine = displacement(1.0 / 256);
    EXPECT_NEAR(std::log2((coarse - middle) / (middle - fine)), 2.0, 0.02);
}

TEST(Newmark, KeepsTheEnergyOfAFreeModeAtAnyStep) {
    const std::vector<double> eigenvalue{400.0}, damping{0.0}, phi{1.0};
    const time::NewmarkModes modes(eigenvalue, damping, phi, 3.0);
    std::vector<double> q(modes.size(), 0.0), rate(modes.size(), 0.0);
    q[0] = 1.0;
    rate[0] = 2.0;
    for (int i = 0; i < 1000; ++i) modes.predict(q, rate, 0.0);
    EXPECT_NEAR(0.5 * rate[0] * rate[0] + 200.0 * q[0] * q[0], 202.0, 1e-9);
}

TEST(Newmark, ForceCoefficientsTellWhatCorrectDoes) {
    const std::vector<double> eigenvalue{0.0, 900.0}, damping{0.1, 2.0}, phi{0.8, -1.1};
    const time::NewmarkModes modes(eigenvalue, damping, phi, 0.01);
    std::vector<double> q(modes.size(), 0.0), rate(modes.size(), 0.0);
    modes.correct(q, rate, 5.0);
    EXPECT_NEAR(phi[0] * q[0] + phi[1] * q[1], 5.0 * modes.overlap_per_force(), 1e-15);
    EXPECT_NEAR(phi[0] * rate[0] + phi[1] * rate[1], 5.0 * modes.rate_per_force(), 1e-15);
}

contact::Contact<contact::Hertz> hertz(double stiffness) {
    contact::Hertz law;
    law.stiffness = stiffness;
    return {law, contact::Separation::zero_force, 1.0};
}

TEST(ScalarContact, ForceBalancesTheMotionItCauses) {
    for (const double stiffness : {1.0, 1e6, 1e12, 1e18}) {
        for (const double free_overlap : {1e-12, 1e-6, 1e-2}) {
            const double per_force = 1e-8, rate_per_force = 2e-2;
            const auto contact = hertz(stiffness);
            const double force =
                time::solve_contact_force(contact, free_overlap, 1.0, per_force, rate_per_force);
            const double overlap = free_overlap - per_force * force;
            ASSERT_GE(overlap, -1e-15 * free_overlap);
            EXPECT_LE(force, free_overlap / per_force);
            // The residual in overlap is roundoff of the overlap.
            const double balanced = std::pow(force / stiffness, 2.0 / 3.0);
            EXPECT_NEAR(balanced + per_force * force, free_overlap, 3e-13 * free_overlap);
        }
    }
}

TEST(ScalarContact, IsZeroWithoutOverlap) {
    EXPECT_EQ(time::solve_contact_force(hertz(1e9), 0.0, 1.0, 1e-8, 1e-2), 0.0);
    EXPECT_EQ(time::solve_contact_force(hertz(1e9), -1e-9, 1.0, 1e-8, 1e-2), 0.0);
    EXPECT_EQ(time::solve_contact_force(hertz(1e9), std::nan(""), 1.0, 1e-8, 1e-2), 0.0);
}

/// A damper that acts at once: the force jumps at onset.
struct Damper {
    double c;
    static double threshold() { return 0.0; }
    template <class T>
    T force(const T& x, const T& v) const {
        return x > T(0.0) && v > T(0.0) ? c * v : T(0.0);
    }
};

TEST(ScalarContact, AJumpTooLargeForTheStepHoldsTheOverlapAtZero) {
    // Any x > 0 would push back further than the free overlap: the force is what keeps x = 0.
    const double force = time::solve_contact_force(Damper{1e9}, 1e-9, 1.0, 1e-8, 1e-9);
    EXPECT_DOUBLE_EQ(force, 1e-9 / 1e-8);
}

TEST(CubicStep, ReproducesACubicAndItsRoot) {
    const auto y = [](double t) { return (t - 0.3) * (t * t + 1.0); };
    const auto slope = [](double t) { return t * t + 1.0 + (t - 0.3) * 2.0 * t; };
    const time::CubicStep step{y(0.0), y(1.0), slope(0.0), slope(1.0)};
    for (const double t : {0.0, 0.2, 0.5, 0.9, 1.0}) EXPECT_NEAR(step(t), y(t), 1e-15);
    EXPECT_NEAR(step.root(), 0.3, 1e-15);
}

TEST(CubicStep, TurnHoldsTheZeroOfTheSlope) {
    // +- (t - 0.3)^2 (t + 1), whose slope vanishes at 0.3.
    for (const double sign : {1.0, -1.0}) {
        const time::CubicStep step{0.09 * sign, 0.98 * sign, -0.51 * sign, 3.29 * sign};
        const auto [low, high] = step.turn(20);
        EXPECT_LT(low, 0.3);
        EXPECT_GT(high, 0.3);
        EXPECT_EQ(high - low, std::ldexp(1.0, -20));
    }
}

TEST(CubicStep, RootAtAnEndIsThatEnd) {
    EXPECT_EQ((time::CubicStep{0.0, 1.0, 1.0, 1.0}.root()), 0.0);
    EXPECT_EQ((time::CubicStep{-1.0, 0.0, 1.0, 1.0}.root()), 1.0);
}

}  // namespace
