// Slip from the edge of the contact inwards against closed forms, finite elements and conservation.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <type_traits>
#include <vector>

#include <concentric_annuli.hpp>
#include <law_numbers.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/contact/ring_springs.hpp>
#include <stoss/granular/sphere_collision.hpp>
#include <stoss/impact/restitution.hpp>

namespace {

using namespace stoss;
using namespace stoss::granular;
using contact::NormalState;
using contact::PartialSlip;
using contact::RingSprings;
using contact::Smooth;
using Eigen::Vector3d;

/// Springs on the law F = x^n, pressed to x = 1 without slip.
class PressedSprings {
  public:
    PressedSprings(double n, double share, double mu, std::size_t rings)
        : n_(n), springs_(share, mu, rings) {
        constexpr int steps = 5000;
        for (int i = 1; i <= steps; ++i) press_to(double(i) / steps);
    }
    void press_to(double x) {
        x_ = x;
        slip_by(0.0);
    }
    void slip_by(double u) {
        const NormalState now{x_, n_ * std::pow(x_, n_ - 1.0), force(x_), force(x_)};
        springs_.advance({u, 0.0, 0.0}, now, sliding_);
    }
    double force(double x) const { return std::pow(std::max(0.0, x), n_); }
    double tangential() const { return -springs_.force().x(); }
    bool is_sliding() const { return sliding_; }

  private:
    double n_, x_ = 0.0;
    RingSprings springs_;
    bool sliding_ = false;
};

constexpr double share = 0.8, mu = 0.3;

/// Cattaneo (1938), Mindlin (1949): F_t = mu F (1 - (1 - u/u_s)^(3/2)) with u_s = mu x/share; the
/// same principle holds for any law of revolution (Jaeger 1998, Ciavarella 1998):
/// F_t = mu (F(x) - F(x - share u/mu)). Back from u_1, Mindlin and Deresiewicz (1953): twice mu.
TEST(PartialSlip, ConstantNormalForceIsThatOfCattaneoAndMindlin) {
    for (const double n : {1.5, 2.0, 1.25}) {
        PressedSprings contact(n, share, mu, 2000);
        const auto closed = [&](double u, double factor) {
            return factor * mu * (1.0 - contact.force(1.0 - share * u / (factor * mu)));
        };
        constexpr int steps = 90;
        constexpr double slides = mu / share, last = 0.9 * slides, part = last / steps;
        for (int i = 1; i <= steps; ++i) {
            contact.slip_by(part);
            EXPECT_NEAR(contact.tangential(), closed(i * part, 1.0), 1e-6 * mu) << n << " " << i;
            EXPECT_FALSE(contact.is_sliding());
        }
        const double turned = contact.tangential();
        for (int i = 1; i <= 2 * steps; ++i) {
            contact.slip_by(-part);
            EXPECT_NEAR(contact.tangential(), turned - closed(i * part, 2.0), 2e-6 * mu)
                << n << " " << i;
        }
        EXPECT_NEAR(contact.tangential(), -turned, 2e-6 * mu);
        contact.slip_by(-0.11 * slides);
        EXPECT_TRUE(contact.is_sliding());
        EXPECT_NEAR(contact.tangential(), -mu, 1e-12);
    }
}

TEST(PartialSlip, ErrorFallsWithTheSquareOfTheRings) {
    const auto error = [](std::size_t rings) {
        PressedSprings contact(1.5, share, mu, rings);
        double worst = 0.0;
        for (int i = 1; i <= 50; ++i) {
            contact.slip_by(0.018 * mu / share);
            const double exact = mu * (1.0 - std::pow(1.0 - 0.018 * i, 1.5));
            worst = std::max(worst, std::abs(contact.tangential() - exact) / mu);
        }
        return worst;
    };
    const double coarse = error(25), fine = error(100);
    EXPECT_LT(coarse, 2e-3);
    EXPECT_GT(std::log2(coarse / fine), 2.0 * 1.5);
}

/// An increase of the normal force at constant slip: what comes in is not stretched.
TEST(PartialSlip, NewAreaIsNotStretched) {
    PressedSprings contact(1.5, share, 1e9, 200);
    contact.press_to(0.25);
    contact.slip_by(1e-3);
    EXPECT_NEAR(contact.tangential(), share * 1.5 * std::sqrt(0.25) * 1e-3, 1e-9);
    const double before = contact.tangential();
    contact.press_to(1.0);
    EXPECT_NEAR(contact.tangential(), before, 1e-15);
}

// ---- Impacts

constexpr double radius = 1e-5, modulus = 0.5 * 208e9 / (1.0 - 0.09), density = 7850.0;
const double mass = density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
constexpr double like_shear = 2.0 * (1.0 - 0.3) / (2.0 - 0.3);

/// A sphere that meets a plane.
struct ObliqueImpact {
    contact::Law law = contact::Hertz{};
    Vector3d velocity = Vector3d::Zero(), spin = Vector3d::Zero();
    double mu = 0.3, share = like_shear;
    int rings = 100, steps = 1000;

    SphereCollisionResult follow() const {
        const contact::Law own = law_of_pair(law, modulus, radius);
        const impact::Restitution normal = impact::restitution(own, {-velocity.z(), mass});
        SphereCollision collision;
        collision.bodies = {{{0.0, 0.0, radius}, velocity, spin, radius, mass}};
        collision.steps = steps;
        collision.stepping.step = normal.duration.value() / steps;
        collision.stepping.law = own;
        collision.stepping.walls = {modulus, share, mu};
        collision.stepping.skin = radius;
        collision.stepping.tangential = PartialSlip{rings};
        return collide(collision, nullptr);
    }
};

/// Slip over mu v_n, after against before, of test 5 of Chung & Ooi (2011), Granular Matter 13,
/// 643. Finite elements there; the method of dimensionality reduction by an independent
/// integration.
TEST(PartialSlip, ObliqueImpactIsThatOfFiniteElements) {
    struct Row {
        double before, finite_elements, reduction;
    };
    for (const Row row : {Row{1.19, -0.21, -0.06}, Row{2.79, -1.25, -1.27}, Row{3.97, -1.72, -1.76},
                          Row{4.76, -1.71, -1.77}, Row{5.76, -1.20, -1.24}}) {
        ObliqueImpact impact;
        impact.velocity = {row.before * 0.3 * 5.0, 0.0, -5.0};
        const double after = impact.follow().slip / (0.3 * 5.0);
        EXPECT_NEAR(after, row.reduction, 0.01) << row.before;
        EXPECT_NEAR(after, row.finite_elements, row.before > 2.7 ? 0.1 : 0.2) << row.before;
    }
}

/// Maw, Barber and Fawcett's annuli have the half space that the springs replace.
TEST(PartialSlip, ObliqueImpactIsThatOfConcentricAnnuli) {
    const ConcentricAnnuli annuli(like_shear, 60);
    for (const double before : {0.3, 0.6, 1.19, 2.0, 2.79, 3.97, 4.76, 5.76, 7.12, 9.99}) {
        ObliqueImpact impact;
        impact.velocity = {before * 0.3 * 5.0, 0.0, -5.0};
        const double after = impact.follow().slip / (0.3 * 5.0);
        EXPECT_NEAR(after, annuli.after(before), before > 2.7 ? 0.003 : 0.02) << before;
    }
}

TEST(PartialSlip, RollingAndGrossSlipAreExact) {
    ObliqueImpact impact;
    for (const double speed : {0.0, 0.5, 3.0, 6.0, 9.0, 12.0, 30.0}) {
        impact.velocity = {speed, 0.0, -5.0};
        impact.spin = {0.0, 4e5, 0.0};
        const SphereCollisionResult after = impact.follow();
        // v + (2/5) r omega stays: 5/7 and 2/7 of both are left where the slip ends.
        const double way = after.slip_before - after.slip;
        EXPECT_NEAR(after.sphere.tangential, speed - 2.0 / 7.0 * way, 1e-12);
        EXPECT_NEAR(radius * after.sphere.angular, 4.0 + 5.0 / 7.0 * way, 1e-12);
        EXPECT_LT(after.momentum_residual, 1e-13);
    }
    impact.spin.setZero();
    for (const double speed : {15.0, 30.0}) {
        impact.velocity = {speed, 0.0, -5.0};
        const SphereCollisionResult after = impact.follow();
        EXPECT_TRUE(after.slid);
        EXPECT_NEAR(after.slip, speed - 3.5 * 0.3 * (1.0 + after.cor.value()) * 5.0, 1e-11);
    }
    impact.velocity = {4.0, 0.0, -5.0};
    impact.spin = {0.0, 4.0 / radius, 0.0};
    EXPECT_NEAR(impact.follow().slip, 0.0, 1e-13);
}

TEST(PartialSlip, EnergyNeverGrows) {
    std::mt19937 random(27);
    std::uniform_real_distribution<double> unit(0.0, 1.0), side(-1.0, 1.0);
    double worst = -1.0, worst_residual = 0.0;
    for (int i = 0; i < 100000; ++i) {
        ObliqueImpact impact;
        impact.rings = 12;
        impact.steps = 150;
        impact.mu = 1.5 * unit(random);
        impact.share = 0.05 + 0.95 * unit(random);
        if (i % 2 == 1) {
            contact::HuntCrossley law;
            law.restitution = 0.3 + 0.7 * unit(random);
            impact.law = law;
        }
        const double size = std::pow(10.0, 2.0 * side(random));
        impact.velocity = {5.0 * size * side(random), 5.0 * size * side(random), -5.0};
        impact.spin =
            5.0 * size / radius * Vector3d(side(random), side(random), 0.1 * side(random));
        const SphereCollisionResult after = impact.follow();
        ASSERT_EQ(after.status, SphereCollisionStatus::separated) << i;
        const double before =
            0.5 * mass *
            (impact.velocity.squaredNorm() + 0.4 * radius * radius * impact.spin.squaredNorm());
        worst = std::max(worst, after.energy.mechanical() / before - 1.0);
        worst_residual = std::max(worst_residual, std::abs(after.energy_residual));
    }
    EXPECT_LT(worst, 1e-6);
    EXPECT_LT(worst_residual, 1e-3);
}

/// Laws that may be used with `zero_force`, those that leave a dent included: the force stays
/// within mu F and brings no energy.
TEST(PartialSlip, EveryLawOfNumbersIsTaken) {
    core::for_each_alternative<contact::Law>([]<class L>(std::type_identity<L>) {
        if constexpr (std::is_trivially_copyable_v<L>) {
            L law;
            tests::set_numbers_of_bodies(law, modulus, radius);
            if constexpr (requires { law.yield_overlap; }) law.yield_overlap = 1e-9;
            if constexpr (requires { law.ramp_depth; }) {
                law.damping = 20.0;
                law.ramp_depth = 1e-5;
            }
            if constexpr (
                requires { law.damping_factor; } || requires { law.damping; }) {
                if constexpr (requires { law.restitution; }) law.restitution = 0.7;
            }
            if constexpr (std::is_same_v<L, contact::WaltonBraun>) law.restitution = 0.7;
            if (!check(law, contact::Separation::zero_force).empty()) return;
            for (const double speed : {1.0, 6.0, 30.0}) {
                ObliqueImpact impact;
                impact.law = law;
                impact.velocity = {speed, 0.0, -5.0};
                const SphereCollisionResult after = impact.follow();
                ASSERT_EQ(after.status, SphereCollisionStatus::separated) << L::name;
                EXPECT_NEAR(after.energy_residual, 0.0, 1e-3) << L::name;
                EXPECT_LE(after.energy.mechanical(),
                          0.5 * mass * impact.velocity.squaredNorm() * (1.0 + 1e-6))
                    << L::name;
                const double most = 3.5 * 0.3 * (1.0 + after.cor.value()) * 5.0;
                EXPECT_LE(after.slip_before - after.slip, most * (1.0 + 1e-4)) << L::name;
            }
        }
    });
}

TEST(PartialSlip, GoesOnFromAStateWithTheSameBits) {
    CompliantStepping all;
    all.law = contact::Hertz{};
    all.step = 1e-11;
    all.walls = {modulus, like_shear, 0.3};
    all.skin = radius;
    all.tangential = PartialSlip{20};
    const auto first = compliant_assembly(all, {Plane{}}, 1);
    first->add({{0.0, 0.0, radius}, {6.0, 1.0, -5.0}, {0.0, 1e5, 2e5}, radius, mass});
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(first->step());
    ASSERT_FALSE(first->contacts().empty());
    const auto second = compliant_assembly(all, {Plane{}}, 1);
    second->restore(first->state());
    for (int i = 0; i < 500; ++i) {
        first->step();
        second->step();
    }
    EXPECT_EQ(first->state(), second->state());
}

TEST(TangentialNone, LeavesTheSlip) {
    CompliantStepping all;
    all.law = contact::Hertz{};
    all.step = 1e-11;
    all.walls = {modulus, like_shear, 0.3};
    all.skin = radius;
    all.tangential = Smooth{};
    const auto assembly = compliant_assembly(all, {Plane{}}, 1);
    assembly->add({{0.0, 0.0, radius}, {6.0, 1.0, -5.0}, {0.0, 1e5, 2e5}, radius, mass});
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(assembly->step());
    EXPECT_EQ(assembly->spheres()[0].velocity.x(), 6.0);
}

}  // namespace
