// Two pendulums: geometry, impacts by both models, and what happens in the corners.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>

#include <models/pendulum_pair.hpp>

namespace {

using namespace stoss;
using models::PendulumMotion;
using models::PendulumPair;
using models::PendulumStatus;

/// The pair of Poursina and Nikravesh (2020), section 6.
PendulumPair published(double duration = 8.0) {
    PendulumPair pair;
    pair.rod_1.mass = 1.0;
    pair.rod_1.length = 6.0;
    pair.rod_1.angle = std::numbers::pi / 12.0;
    pair.rod_2.mass = 0.2;
    pair.rod_2.length = 4.0;
    pair.rod_2.angle = -0.5 * std::numbers::pi;
    pair.pivot_2.right = -2.0;
    pair.duration = duration;
    return pair;
}

models::ImpulseMomentum impulse(double restitution) {
    models::ImpulseMomentum model;
    model.restitution = restitution;
    return model;
}

template <class Law>
models::ContinuousContact contact_of(Law law, contact::Separation separation) {
    law.stiffness = 1e8;
    models::ContinuousContact model;
    model.law = law;
    model.separation = separation;
    return model;
}

PendulumMotion followed(const PendulumPair& pair) {
    EXPECT_TRUE(check(pair).empty());
    return models::swing(pair, 101, [] { return false; });
}

TEST(PendulumPair, KeepsItsEnergyInImpactsOfRestitutionOne) {
    PendulumPair pair = published();
    pair.impact.model = impulse(1.0);
    const PendulumMotion motion = followed(pair);
    ASSERT_GE(motion.impacts.size(), 3u);
    for (const models::PendulumImpact& impact : motion.impacts) {
        EXPECT_EQ(impact.energy_lost, 0.0);
        const double j1 = 1.0 * 36.0 / 3.0, j2 = 0.2 * 16.0 / 3.0;
        const auto kinetic = [=](const std::array<double, 2>& w) {
            return 0.5 * (j1 * w[0] * w[0] + j2 * w[1] * w[1]);
        };
        EXPECT_NEAR(kinetic(impact.rates_after), kinetic(impact.rates_before), 1e-11);
    }
    EXPECT_LT(std::abs(motion.energy_residual), 1e-12);
}

TEST(PendulumPair, FirstImpactIsTheOneComputedIndependently) {
    PendulumPair pair = published(2.0);
    pair.impact.model = impulse(0.3);
    const PendulumMotion motion = followed(pair);
    ASSERT_EQ(motion.impacts.size(), 1u);
    const models::PendulumImpact& impact = motion.impacts.front();
    EXPECT_NEAR(impact.start, 1.142445818, 1e-9);
    EXPECT_NEAR(impact.approach_speed, 10.31049, 5e-6);
    EXPECT_NEAR(impact.effective_mass, 0.0811256, 5e-8);
    EXPECT_DOUBLE_EQ(impact.rebound_speed, 0.3 * impact.approach_speed);
}

TEST(PendulumPair, AnglesFromTheHorizontalAreTheSameRods) {
    PendulumPair pair = published(2.0);
    pair.impact.model = impulse(0.3);
    const PendulumMotion vertical = followed(pair);
    pair.angles_from = models::AngleReference::horizontal;
    pair.rod_1.angle = pair.rod_1.angle - 0.5 * std::numbers::pi;
    pair.rod_2.angle = pair.rod_2.angle - 0.5 * std::numbers::pi;
    const PendulumMotion horizontal = followed(pair);
    EXPECT_NEAR(horizontal.impacts.at(0).start, vertical.impacts.at(0).start, 1e-12);
    EXPECT_NEAR(horizontal.history.back().angles[0],
                vertical.history.back().angles[0] - 0.5 * std::numbers::pi, 1e-11);
}

TEST(PendulumPair, MirroredPairMovesAsTheMirrorImage) {
    PendulumPair pair = published();
    pair.impact.model = impulse(0.3);
    const PendulumMotion motion = followed(pair);
    pair.rod_1.angle *= -1.0;
    pair.rod_2.angle *= -1.0;
    pair.pivot_2.right *= -1.0;
    const PendulumMotion mirrored = followed(pair);
    ASSERT_EQ(mirrored.impacts.size(), motion.impacts.size());
    for (std::size_t i = 0; i < motion.impacts.size(); ++i) {
        EXPECT_NEAR(mirrored.impacts[i].start, motion.impacts[i].start, 1e-11);
        EXPECT_NEAR(mirrored.impacts[i].rates_after[0], -motion.impacts[i].rates_after[0], 1e-11);
    }
}

TEST(PendulumPair, StiffContactApproachesImpulseAndMomentum) {
    PendulumPair pair = published(2.0);
    pair.impact.model = impulse(0.6);
    const double limit = followed(pair).impacts.at(0).rates_after[1];
    double error_before = 1.0;
    for (const double stiffness : {1e6, 1e8, 1e10}) {
        contact::KuwabaraKono law;
        law.restitution = 0.6;
        auto model = contact_of(law, contact::Separation::zero_overlap);
        std::get<contact::KuwabaraKono>(model.law).stiffness = stiffness;
        pair.impact.model = model;
        const double error = std::abs(followed(pair).impacts.at(0).rates_after[1] - limit);
        EXPECT_LT(error, 0.2 * error_before);  // the time of contact falls by 100^(2/5)
        error_before = error;
    }
}

TEST(PendulumPair, ImpulseChangesTheAngularMomentumOfBothRods) {
    // Both rods are vertical when they meet, so the lever arms are stationary.
    PendulumPair pair = published(0.2);
    pair.gravity = 0.0;
    pair.pivot_2 = {0.0, 1.0};
    pair.rod_1.angle = 0.0;
    pair.rod_2.angle = -0.1;
    pair.rod_2.angular_velocity = 1.0;
    pair.impact.model = contact_of(contact::Hertz{}, contact::Separation::zero_force);
    std::get<contact::Hertz>(std::get<models::ContinuousContact>(pair.impact.model).law).stiffness =
        1e12;
    const PendulumMotion motion = followed(pair);
    ASSERT_EQ(motion.impacts.size(), 1u);
    const models::PendulumImpact& impact = motion.impacts.front();
    const double j1 = 1.0 * 36.0 / 3.0, j2 = 0.2 * 16.0 / 3.0;
    const double arm = pair.rod_2.length - pair.pivot_2.up;
    EXPECT_NEAR(impact.impulse * arm / (j1 * (impact.rates_after[0] - impact.rates_before[0])), 1.0,
                1e-7);
    EXPECT_NEAR(impact.impulse * pair.rod_2.length /
                    (j2 * (impact.rates_before[1] - impact.rates_after[1])),
                1.0, 1e-7);
}

template <class Law>
void expect_balanced(Law law, contact::Separation separation) {
    PendulumPair pair = published(5.0);
    pair.impact.model = contact_of(law, separation);
    const PendulumMotion motion = followed(pair);
    EXPECT_EQ(motion.status, PendulumStatus::complete) << Law::name;
    EXPECT_EQ(motion.impacts.size(), 2u) << Law::name;
    EXPECT_LT(std::abs(motion.energy_residual), 2e-6) << Law::name;
    for (const models::PendulumImpact& impact : motion.impacts) {
        const double change = (impact.approach_speed + impact.rebound_speed);
        // Gravity acts on through the contact: its impulse is of the order of the duration.
        EXPECT_NEAR(impact.impulse, impact.effective_mass * change, 0.02 * impact.impulse);
        EXPECT_GE(impact.energy_lost, 0.0);
    }
}

TEST(PendulumPair, EnergyBalancesWithEveryKindOfLaw) {
    using contact::Separation;
    contact::LinearDamping linear;
    linear.restitution = 0.4;
    expect_balanced(linear, Separation::zero_force);
    expect_balanced(linear, Separation::zero_overlap);
    contact::HuntCrossley hunt_crossley;
    hunt_crossley.restitution = 0.4;
    expect_balanced(hunt_crossley, Separation::zero_force);
    contact::WaltonBraun walton_braun;
    walton_braun.restitution = 0.4;
    expect_balanced(walton_braun, Separation::zero_force);
    contact::ThorntonNing thornton_ning;
    thornton_ning.yield_overlap = 1e-5;
    expect_balanced(thornton_ning, Separation::zero_force);
    contact::Jkr jkr;
    jkr.pull_off_force = 100.0;
    expect_balanced(jkr, Separation::zero_overlap);
    expect_balanced(contact::Hertz{}, Separation::zero_force);
}

TEST(PendulumPair, BalancesItsEnergyWhereTheForceEndsWithAJump) {
    PendulumPair pair = published(5.0);
    contact::KelvinVoigt law;
    law.restitution = 0.3;
    pair.impact.model = contact_of(law, contact::Separation::zero_overlap);
    const PendulumMotion motion = followed(pair);
    ASSERT_EQ(motion.impacts.size(), 2u);
    EXPECT_LT(std::abs(motion.energy_residual), 1e-9);
}

/// With a gravity 1e-18 times as large all takes 1e9 times as long.
TEST(PendulumPair, SlowMotionHasTheSameImpacts) {
    PendulumPair pair = published();
    pair.impact.model = impulse(0.3);
    const PendulumMotion motion = followed(pair);
    const double unit = 1e9;
    pair.gravity = pair.gravity / (unit * unit);
    pair.duration = pair.duration * unit;
    const PendulumMotion slow = followed(pair);
    ASSERT_EQ(slow.impacts.size(), motion.impacts.size());
    for (std::size_t i = 0; i < motion.impacts.size(); ++i) {
        EXPECT_NEAR(slow.impacts[i].start / unit, motion.impacts[i].start, 1e-8);
        EXPECT_NEAR(slow.impacts[i].approach_speed * unit, motion.impacts[i].approach_speed, 1e-6);
    }
}

TEST(PendulumPair, RodsThatLeanOnEachOtherComeToRestInsteadOfHittingForEver) {
    // Rod 2 hangs to the right of its own pivot against rod 1, which it pushes aside.
    PendulumPair pair = published(30.0);
    pair.rod_1.angle = 0.3;
    pair.rod_2.angle = -0.2;
    pair.pivot_2.right = 1.0;
    pair.rod_2.length = 3.0;
    pair.impact.model = impulse(0.2);
    const PendulumMotion motion = followed(pair);
    EXPECT_EQ(motion.status, PendulumStatus::complete);
    EXPECT_EQ(motion.impacts.size(), 12u);  // each five times slower than the one before
    EXPECT_GT(motion.history.back().force, 0.1);
    EXPECT_NEAR(motion.history.back().gap, 0.0, 1e-12);
    EXPECT_LT(std::abs(motion.energy_residual), 1e-9);
    for (const models::PendulumSample& sample : motion.history) EXPECT_GT(sample.gap, -1e-9);
}

/// A gap of 0.1 um closes in a fraction of the first step.
TEST(PendulumPair, RodsThatStartAtRestCloseASmallGapAtOnce) {
    PendulumPair pair = published(0.1);
    const double gap = 1e-7;
    pair.rod_1.angle = -0.5;
    pair.rod_2.length = 3.0;
    pair.rod_2.angle = -0.3;
    const double pivot_to_rod_1 = 3.0 * std::sin(0.2) + gap;
    pair.pivot_2.right = -pivot_to_rod_1 * std::cos(0.5);
    pair.pivot_2.up = pivot_to_rod_1 * std::sin(0.5);
    pair.impact.model = impulse(0.5);
    const PendulumMotion motion = followed(pair);
    ASSERT_FALSE(motion.impacts.empty());
    const models::PendulumImpact& first = motion.impacts.front();
    EXPECT_NEAR(0.5 * first.approach_speed * first.start, gap, 1e-3 * gap);
}

/// Rods that do not rebound stay together, then part by their accelerations: no further impact.
TEST(PendulumPair, PlasticImpactIsOneImpact) {
    PendulumPair pair = published(5.0);
    pair.rod_1.angle = 0.1;
    pair.rod_2.angle = -1.57;
    pair.impact.model = impulse(0.0);
    const PendulumMotion motion = followed(pair);
    ASSERT_EQ(motion.impacts.size(), 2U);
    EXPECT_NEAR(motion.impacts[1].start, 4.344165930515664, 1e-9);
    for (const models::PendulumSample& sample : motion.history) EXPECT_GT(sample.gap, -1e-9);
}

/// The rods come to rest on each other and part again, several times.
TEST(PendulumPair, PlasticImpactsEndWhereTheRodsPart) {
    PendulumPair pair = published(20.0);
    pair.rod_1.length = 4.708973619700565;
    pair.rod_1.angle = 0.052403147602146705;
    pair.rod_1.angular_velocity = -0.6074062297704932;
    pair.rod_2.mass = 2.9886165108499525;
    pair.rod_2.length = 1.9728618572253085;
    pair.rod_2.angle = -0.7780241048732712;
    pair.rod_2.angular_velocity = -0.853619855218068;
    pair.pivot_2.right = 1.5736313585792958;
    pair.pivot_2.up = 0.15831485654646504;
    pair.impact.model = impulse(0.0);
    std::size_t steps = 0;
    const PendulumMotion motion =
        models::swing(pair, 101, [&] { return ++steps > 100'000; });  // some thousand are enough
    EXPECT_EQ(motion.status, PendulumStatus::complete);
    EXPECT_EQ(motion.impacts.size(), 3U);
    for (const models::PendulumImpact& impact : motion.impacts)
        EXPECT_GT(impact.approach_speed, 1e-3);
    EXPECT_LT(std::abs(motion.energy_residual), 1e-10);
}

/// J_1 theta_1'' = -m_1 g (L_1/2) sin(theta_1) + F s on the side of rod 1, s from its pivot.
TEST(PendulumPair, ForceOfRestingRodsIsThatWhichTurnsRod1AtTheSameTime) {
    PendulumPair pair = published(5.0);
    pair.rod_1.angle = 0.3;
    pair.rod_2.angle = -0.2;
    pair.pivot_2.right = 1.0;
    pair.rod_2.length = 3.0;
    pair.impact.model = impulse(0.0);
    const PendulumMotion motion = models::swing(pair, 5001, [] { return false; });
    const double inertia = 1.0 * 36.0 / 3.0;
    std::size_t resting = 0;
    for (std::size_t i = 1; i + 1 < motion.history.size(); ++i) {
        const models::PendulumSample &before = motion.history[i - 1], &now = motion.history[i],
                                     &after = motion.history[i + 1];
        if (!(before.force > 0.0 && now.force > 0.0 && after.force > 0.0)) continue;
        ++resting;
        const double turning = (after.rates[0] - before.rates[0]) / (after.time - before.time);
        const double weight = 1.0 * pair.gravity * 3.0 * std::sin(now.angles[0]);
        const double from_pivot_1 =
            std::hypot(1.0 + 3.0 * std::sin(now.angles[1]), 3.0 * std::cos(now.angles[1]));
        EXPECT_NEAR(now.force, (inertia * turning + weight) / from_pivot_1, 5e-6) << now.time;
    }
    EXPECT_GT(resting, 4000U);
}

TEST(PendulumPair, RestingRodsPressUntilTheyPart) {
    PendulumPair pair = published(10.0);
    pair.rod_1.angle = 0.24;
    pair.rod_1.angular_velocity = -0.15;
    pair.rod_2.mass = 2.3;
    pair.rod_2.length = 3.0;
    pair.rod_2.angle = -0.67;
    pair.rod_2.angular_velocity = -0.77;
    pair.pivot_2.right = 0.18;
    pair.impact.model = impulse(0.0);
    const PendulumMotion motion = models::swing(pair, 2001, [] { return false; });
    ASSERT_EQ(motion.impacts.size(), 3U);
    for (const models::PendulumSample& sample : motion.history)
        EXPECT_GE(sample.force, 0.0) << sample.time;
}

TEST(PendulumPair, TipThatPassesBelowRod1EndsTheMotion) {
    PendulumPair pair = published();
    pair.rod_2.length = 7.0;
    pair.impact.model = impulse(0.5);
    const PendulumMotion motion = followed(pair);
    EXPECT_EQ(motion.status, PendulumStatus::tip_missed);
    EXPECT_TRUE(motion.impacts.empty());
    EXPECT_LT(motion.end, 8.0);
}

/// Rod 1 leans on the tip of rod 2, which pushes it aside and slides along it to its end.
TEST(PendulumPair, TipThatSlidesOffRod1EndsTheMotion) {
    PendulumPair pair;
    pair.rod_1 = {0.1, 1.0, 0.0, 0.0};
    pair.rod_2 = {20.0, 1.0, -0.5, 0.5};
    pair.pivot_2.right = 0.3;
    pair.duration = 3.0;
    contact::LinearDamping soft;
    soft.damping = 2e3;
    using Model = decltype(pair.impact.model);
    for (const Model& model :
         {Model{impulse(0.0)}, Model{contact_of(soft, contact::Separation::zero_force)}}) {
        pair.impact.model = model;
        EXPECT_TRUE(check(pair).empty());
        const PendulumMotion motion = models::swing(pair, 3001, [] { return false; });
        EXPECT_EQ(motion.status, PendulumStatus::tip_missed);
        const models::PendulumSample& last = motion.history.back();
        EXPECT_GT(last.force, 0.0);
        const double from_pivot_1 =
            std::hypot(0.3 + std::sin(last.angles[1]), std::cos(last.angles[1]));
        EXPECT_LT(from_pivot_1, 1.0 + 1e-6);
        EXPECT_GT(from_pivot_1, 1.0 - 1e-2);
        EXPECT_LT(std::abs(motion.energy_residual), 1e-8);  // the overlap has energy, too
    }
}

TEST(PendulumPair, WithoutGravityNothingStartsToMove) {
    PendulumPair pair = published(3.0);
    pair.gravity = 0.0;
    pair.impact.model = impulse(0.5);
    const PendulumMotion motion = followed(pair);
    EXPECT_TRUE(motion.impacts.empty());
    EXPECT_EQ(motion.history.back().angles[0], motion.history.front().angles[0]);
    EXPECT_EQ(motion.history.size(), 101u);
}

TEST(PendulumPair, IsRefusedIfTheTipLiesOnRod1OrTheLawLacksItsStiffness) {
    PendulumPair pair = published();
    pair.impact.model = impulse(0.5);
    pair.rod_1.angle = 0.0;
    pair.rod_2.angle = 0.0;
    pair.pivot_2.right = 0.0;
    ASSERT_EQ(check(pair).size(), 1u);
    EXPECT_EQ(check(pair)[0].key, "rod_2.angle");
    pair = published();
    models::ContinuousContact model;
    model.law = contact::Hertz{};
    pair.impact.model = model;
    ASSERT_EQ(check(pair).size(), 1u);
    EXPECT_EQ(check(pair)[0].key, "impact.stiffness");
}

TEST(PendulumPair, StopsWhenAsked) {
    PendulumPair pair = published();
    pair.impact.model = impulse(0.5);
    int steps = 0;
    const PendulumMotion motion = models::swing(pair, 101, [&] { return ++steps > 5; });
    EXPECT_EQ(motion.status, PendulumStatus::interrupted);
    EXPECT_LT(motion.end, 8.0);
}

}  // namespace
