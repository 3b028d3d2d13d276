#include <stoss/rigid/maximum_dissipation.hpp>
#include <stoss/rigid/restitution.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <random_contacts.hpp>

namespace {

using namespace stoss::rigid;
using stoss::tests::ContactKind;
using stoss::tests::RandomContacts;

constexpr Restitution all[] = {Restitution::newton, Restitution::poisson, Restitution::stronge};
constexpr Restitution algebraic[] = {Restitution::newton, Restitution::poisson};

TEST(RestitutionWithFriction, IsMaximumDissipationBitByBitForZero) {
    for (const Restitution hypothesis : algebraic) {
        RandomContacts random(1);
        for (int i = 0; i < 1400; ++i) {
            const ContactProblem problem = random(ContactKind(i % 14));
            const Impact plastic = impact(problem, 0.0, hypothesis);
            const ContactSolution model = maximum_dissipation(problem);
            EXPECT_EQ(plastic.impulse, model.impulse);
            EXPECT_EQ(plastic.velocity, model.velocity);
            EXPECT_EQ(plastic.dissipated_energy, model.dissipated_energy);
        }
    }
}

TEST(RestitutionWithFriction, NeverCreatesEnergyUnlessItSaysSo) {
    for (const Restitution hypothesis : all) {
        RandomContacts random(2);
        int refused = 0;
        for (int i = 0; i < 5600; ++i) {
            const ContactProblem problem = random(ContactKind(i % 14));
            const Impact result = impact(problem, random.uniform(0, 1), hypothesis);
            if (result.status == ImpactStatus::gains_energy) {
                EXPECT_LT(result.dissipated_energy, 0.0);
                ++refused;
                continue;
            }
            ASSERT_EQ(result.status, ImpactStatus::solved);
            EXPECT_GE(result.dissipated_energy, -1e-12 * std::abs(dot(problem.b, result.impulse)));
        }
        // Poisson's and Stronge's hypotheses cannot gain energy
        // (theory/rigid_impact.md 11.8, 11.15).
        EXPECT_EQ(refused > 0, hypothesis == Restitution::newton);
    }
}

TEST(RestitutionWithFriction, AllHypothesesAgreeForSpheres) {
    RandomContacts random(3);
    for (int i = 0; i < 300; ++i) {
        const ContactProblem problem = random(ContactKind::spheres);
        const double e = random.uniform(0, 1);
        for (const Restitution hypothesis : all) {
            const Impact result = impact(problem, e, hypothesis);
            EXPECT_NEAR(result.velocity.n / problem.b.n, e, 1e-12);
            EXPECT_NEAR(result.impulse.n / result.compression.impulse.n, 1 + e, 1e-12);
        }
    }
}

TEST(RestitutionWithFriction, KeepsWhatItsHypothesisSays) {
    for (const ContactKind kind : {ContactKind::two_bodies, ContactKind::stick_boundary}) {
        RandomContacts random(4);
        for (int i = 0; i < 500; ++i) {
            const ContactProblem problem = random(kind);
            const double e = random.uniform(0.1, 1);
            const Impact newton = impact(problem, e, Restitution::newton);
            EXPECT_NEAR((problem.A * newton.impulse - problem.b).n / (e * problem.b.n), 1, 1e-10);
            const Impact poisson = impact(problem, e, Restitution::poisson);
            EXPECT_NEAR(poisson.impulse.n / poisson.compression.impulse.n, 1 + e, 1e-12);
        }
    }
}

TEST(RestitutionWithFriction, OfNewtonIsRefusedWhereItWouldCreateEnergy) {
    // What Kane & Levinson (1985) found for a pendulum. Here the compression leaves no slip, and
    // both contacts stick: b.A^-1 b/2 is dissipated, (A^-1)_nn (e b_n)^2/2 given back.
    const ContactProblem problem{{1, -.8, 0, 1, 0, 1}, {1, -.8, 0}, 1.5};
    const Impact newton = impact(problem, 1.0, Restitution::newton);
    EXPECT_EQ(newton.status, ImpactStatus::gains_energy);
    EXPECT_NEAR(newton.dissipated_energy, (1 - 1 / .36) / 2, 1e-14);
    EXPECT_NE(to_string(newton.status).find("kinetic energy"), std::string_view::npos);
    EXPECT_EQ(impact(problem, 1.0, Restitution::poisson).status, ImpactStatus::solved);
}

TEST(RestitutionWithFriction, RefusesACoefficientOutsideZeroToOne) {
    const ContactProblem problem{{1, 0, 0, 1, 0, 1}, {1, 0, 0}, .5};
    for (const double e : {-.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
        const Impact result = impact(problem, e, Restitution::newton);
        EXPECT_EQ(result.status, ImpactStatus::invalid);
        EXPECT_TRUE(std::isnan(result.impulse.n));
    }
    EXPECT_EQ(impact({{-1, 0, 0, 1, 0, 1}, {1, 0, 0}, .5}, .5, Restitution::poisson).status,
              ImpactStatus::invalid);
}

TEST(RestitutionWithFriction, ThatIsInvalidHasNoNumberOfTheCompressionEither) {
    const ContactProblem problem{{1, 0, 0, 1, 0, 1}, {1, 0, 0}, .5};
    for (const Restitution hypothesis : all) {
        const ContactSolution compression = impact(problem, 2.0, hypothesis).compression;
        EXPECT_EQ(compression.status, Status::invalid);
        EXPECT_TRUE(std::isnan(compression.impulse.n));
        EXPECT_TRUE(std::isnan(compression.velocity.t));
        EXPECT_TRUE(std::isnan(compression.multiplier));
        EXPECT_TRUE(std::isnan(compression.dissipated_energy));
    }
}

/// The compression has finite numbers, the restitution adds as much again.
TEST(RestitutionWithFriction, ThatOverflowsInTheRestitutionHasFailed) {
    const ContactProblem problem{{1, 0, 0, 1, 0, 1}, {1.5e308, 0, 0}, .5};
    ASSERT_EQ(maximum_dissipation(problem).status, Status::solved);
    for (const Restitution hypothesis : algebraic) {
        const Impact result = impact(problem, 1.0, hypothesis);
        EXPECT_EQ(result.status, ImpactStatus::failed);
        EXPECT_TRUE(std::isnan(result.impulse.n));
        EXPECT_TRUE(std::isnan(result.compression.impulse.n));
    }
}

}  // namespace
