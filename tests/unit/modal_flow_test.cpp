#include <stoss/modal/modal_flow.hpp>
#include <stoss/modal/propagator_slopes.hpp>

#include <gtest/gtest.h>
#include <Eigen/Core>
#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using stoss::modal::modal_flow;
using stoss::modal::ModalFlow;

struct Oscillator {
    double eigenvalue;
    double damping;
};

/// Undamped, under- and overdamped, critical and near it, rigid with and without damping.
const std::vector<Oscillator> oscillators{
    {400.0, 0.0},         {400.0, 3.0},   {400.0, 40.0},  {400.0, 40.0 * (1 - 1e-9)},
    {400.0, 40.0 + 1e-9}, {400.0, 39.99}, {400.0, 40.01}, {400.0, 90.0},
    {0.0, 0.0},           {0.0, 7.0},     {1e-8, 7.0},    {400.0, 4e4}};

ModalFlow after(const ModalFlow& first, const ModalFlow& second) {
    return {
        second.qq * first.qq + second.qv * first.vq, second.qq * first.qv + second.qv * first.vv,
        second.vq * first.qq + second.vv * first.vq, second.vq * first.qv + second.vv * first.vv};
}

/// Entries made comparable: velocities in units of `rate`.
double difference(const ModalFlow& a, const ModalFlow& b, double rate) {
    return std::max({std::abs(a.qq - b.qq), rate * std::abs(a.qv - b.qv),
                     std::abs(a.vq - b.vq) / rate, std::abs(a.vv - b.vv)});
}

double rate_of(const Oscillator& o) {
    return std::max(std::sqrt(o.eigenvalue), 1.0);
}

/// exp(A t) of the first-order form (q, q')' = A (q, q'), by scaling and squaring.
ModalFlow by_matrix_exponential(const Oscillator& o, double t) {
    using Matrix = Eigen::Matrix<long double, 2, 2>;
    const Matrix a{{0.0L, 1.0L}, {-o.eigenvalue, -o.damping}};
    const Eigen::Matrix2d e = Matrix((a * t).exp()).cast<double>();
    return {e(0, 0), e(0, 1), e(1, 0), e(1, 1)};
}

TEST(ModalFlow, IsTheMatrixExponential) {
    for (const Oscillator& o : oscillators) {
        for (const double t : {1e-4, 0.03, 0.4}) {
            const ModalFlow expected = by_matrix_exponential(o, t);
            EXPECT_LT(difference(modal_flow(o.eigenvalue, o.damping, t), expected, rate_of(o)),
                      2e-14)
                << o.eigenvalue << ' ' << o.damping << ' ' << t;
        }
    }
}

TEST(ModalFlow, TwoStepsAreOneStepOfTheirSum) {
    for (const Oscillator& o : oscillators) {
        const ModalFlow one = modal_flow(o.eigenvalue, o.damping, 0.025);
        const ModalFlow two = modal_flow(o.eigenvalue, o.damping, 0.011);
        const ModalFlow sum = modal_flow(o.eigenvalue, o.damping, 0.036);
        EXPECT_LT(difference(after(one, two), sum, rate_of(o)), 1e-14)
            << o.eigenvalue << ' ' << o.damping;
    }
}

TEST(ModalFlow, StepBackUndoesTheStep) {
    for (const Oscillator& o : oscillators) {
        if (o.damping > 100.0) continue;  // exp(damping t) amplifies the roundoff
        const ModalFlow there = modal_flow(o.eigenvalue, o.damping, 0.02);
        const ModalFlow back = modal_flow(o.eigenvalue, o.damping, -0.02);
        EXPECT_LT(difference(after(there, back), ModalFlow{}, rate_of(o)), 1e-13)
            << o.eigenvalue << ' ' << o.damping;
    }
}

TEST(ModalFlow, DeterminantFallsWithTheDamping) {
    for (const Oscillator& o : oscillators) {
        const ModalFlow flow = modal_flow(o.eigenvalue, o.damping, 0.05);
        EXPECT_NEAR(flow.qq * flow.vv - flow.qv * flow.vq, std::exp(-o.damping * 0.05), 1e-14)
            << o.eigenvalue << ' ' << o.damping;
    }
}

TEST(ModalFlow, UndampedModeKeepsItsEnergy) {
    const double eigenvalue = 3.7e9;
    const ModalFlow flow = modal_flow(eigenvalue, 0.0, 1.3e-6);
    double q = 1e-5, v = 0.4;
    const double energy = v * v + eigenvalue * q * q;
    for (int i = 0; i < 10000; ++i) {
        const double next = flow.qq * q + flow.qv * v;
        v = flow.vq * q + flow.vv * v;
        q = next;
    }
    EXPECT_NEAR(v * v + eigenvalue * q * q, energy, 1e-11 * energy);
}

TEST(ModalFlow, RigidModeMovesOnAlongAStraightLine) {
    const ModalFlow flow = modal_flow(0.0, 0.0, 0.3);
    EXPECT_EQ(flow.qq, 1.0);
    EXPECT_EQ(flow.qv, 0.3);
    EXPECT_EQ(flow.vq, 0.0);
    EXPECT_EQ(flow.vv, 1.0);
}

TEST(ModalFlow, DampedRigidModeComesToRest) {
    const ModalFlow flow = modal_flow(0.0, 5.0, 0.3);
    EXPECT_EQ(flow.qq, 1.0);
    EXPECT_EQ(flow.vq, 0.0);
    EXPECT_DOUBLE_EQ(flow.qv, -std::expm1(-1.5) / 5.0);
    EXPECT_DOUBLE_EQ(flow.vv, std::exp(-1.5));
}

TEST(ModalFlow, CriticalModeHasTheDoubleRoot) {
    const double a = 20.0, t = 0.07, decay = std::exp(-a * t);
    const ModalFlow expected{decay * (1.0 + a * t), decay * t, -a * a * decay * t,
                             decay * (1.0 - a * t)};
    EXPECT_LT(difference(modal_flow(a * a, 2.0 * a, t), expected, a), 5e-16);
}

TEST(ModalFlow, IsSmoothAcrossTheCriticalDamping) {
    // The flow depends smoothly on the damping: its change over 2e of damping is 2e times a
    // derivative of the size of t. Cancellation would show as noise above that.
    const double eigenvalue = 400.0, critical = 40.0, t = 0.03;
    const ModalFlow at = modal_flow(eigenvalue, critical, t);
    for (const double e : {1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5}) {
        for (const double sign : {-1.0, 1.0}) {
            const ModalFlow near = modal_flow(eigenvalue, critical * (1.0 + sign * e), t);
            EXPECT_LT(difference(near, at, 20.0), 2.0 * e + 5e-16) << sign * e;
        }
    }
}

TEST(ModalFlow, StrongDampingKeepsTheSlowRoot) {
    // slow root = lambda/d (1 + lambda/d^2 + ...): 1e-10 of the fast one, lost if taken as a
    // difference.
    const double eigenvalue = 400.0, damping = 2e6, t = 1e4;
    const ModalFlow flow = modal_flow(eigenvalue, damping, t);
    EXPECT_NEAR(flow.qq, std::exp(-eigenvalue / damping * t), 1e-9);
}

TEST(ModalFlow, NoTimeChangesNothing) {
    for (const Oscillator& o : oscillators) {
        EXPECT_EQ(difference(modal_flow(o.eigenvalue, o.damping, 0.0), ModalFlow{}, rate_of(o)),
                  0.0);
    }
}

/// The derivative of vv by the damping of modes that creep, from 60 digits; no two terms may cancel
/// there.
TEST(FlowSlopes, OfACreepingModeHaveAllDigits) {
    struct Creeping {
        double eigenvalue, damping, t, vv_by_damping, qv_by_eigenvalue;
    };
    for (const auto& [eigenvalue, damping, t, vv_by_damping, qv_by_eigenvalue] :
         {Creeping{1.0, 1e6, 1.0, 1.999997000014e-18, -9.9999700000649998e-13},
          Creeping{3.0, 1e3, 2.0, 5.9463223874201538e-9, -1.9860716773624921e-6},
          Creeping{400.0, 90.0, 0.1, 0.00072118514266491622, -7.2420810793207563e-6},
          Creeping{0.0, 1e5, 1.5, 0.0, -1.49998e-10}}) {
        const stoss::modal::FlowSlopes slopes =
            stoss::modal::flow_slopes(modal_flow(eigenvalue, damping, t), eigenvalue, damping, t);
        EXPECT_NEAR(slopes.by_damping.vv, vv_by_damping, 1e-12 * vv_by_damping) << damping;
        EXPECT_NEAR(slopes.by_eigenvalue.qv, qv_by_eigenvalue, 1e-12 * -qv_by_eigenvalue)
            << damping;
    }
}

}  // namespace
