/// Impacts that follow each other, under laws that begin anew each time: the restitution of each of
/// them against that of a single impact (docs/theory/impact_motion.md).

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <friction_systems.hpp>
#include <motion_systems.hpp>
#include <stoss/impact/restitution.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss {
namespace {

using contact::Law;
using contact::Separation;
using motion::CompliantContact;
using motion::Impact;
using motion::ImpactMotion;
using motion::MotionStatus;
using motion::System;
using motion_test::bodies;

constexpr double mass = 0.01, wanted = 0.6;

template <class L>
Law with_restitution(double stiffness) {
    L law;
    law.stiffness = stiffness;
    law.restitution = wanted;
    return law;
}

/// Laws whose damping gives `wanted`, with and without a force that jumps.
std::vector<Law> damped_laws() {
    return {with_restitution<contact::HuntCrossley>(1e8),
            with_restitution<contact::SimonHuntCrossley>(1e8),
            with_restitution<contact::Tsuji>(1e8),
            with_restitution<contact::KuwabaraKono>(1e8),
            with_restitution<contact::Viscoelastic>(1e8),
            with_restitution<contact::LinearDamping>(1e8),
            with_restitution<contact::KelvinVoigt>(1e5),
            with_restitution<contact::KelvinVoigt>(1e8)};
}

/// The same, and others that lose energy.
std::vector<Law> lossy_laws() {
    std::vector<Law> laws = damped_laws();
    laws.push_back(with_restitution<contact::WaltonBraun>(1e5));
    contact::RampedDamping ramped;
    ramped.stiffness = 1e8;
    ramped.damping = 5.0;
    ramped.ramp_depth = 1e-6;
    laws.emplace_back(ramped);
    contact::Jkr adhesive;
    adhesive.stiffness = 1e8;
    adhesive.pull_off_force = 0.05;
    laws.emplace_back(adhesive);
    laws.emplace_back(motion_test::hertz(1e8));
    return laws;
}

Separation separation_of(const Law& law) {
    return std::holds_alternative<contact::Jkr>(law) ? Separation::zero_overlap
                                                     : Separation::zero_force;
}

std::string_view name_of(const Law& law) {
    return std::visit([](const auto& each) { return each.name; }, law);
}

/// A ball above a floor.
System dropped(const Law& law, double height, double gravity) {
    System system = bodies(1);
    const double root = std::sqrt(mass);
    system.coordinates = {root * height};
    system.contacts = {{{1.0 / root}, 0.0, CompliantContact{law, separation_of(law)}}};
    system.drives = {{0.0, 0.0, {-root * gravity}, {}}};
    return system;
}

/// A ball that moves at 1 m/s between two walls; it meets the first one after `time` [s].
System between_walls(const Law& law, double time, double width) {
    System system = bodies(1);
    const double root = std::sqrt(mass);
    system.rates = {root};
    const CompliantContact contact{law, separation_of(law)};
    system.contacts = {{{-1.0 / root}, time, contact}, {{1.0 / root}, width - time, contact}};
    return system;
}

std::vector<Impact> first_impacts(ImpactMotion& moving, std::size_t count) {
    std::vector<Impact> impacts;
    moving.advance(1e9, [&](const Impact& each) {
        impacts.push_back(each);
        return impacts.size() < count;
    });
    return impacts;
}

void expect_bounce(const Impact& impact, std::string_view what) {
    EXPECT_GT(impact.end, impact.start) << what;
    EXPECT_GT(impact.impulse, 0.0) << what;
    EXPECT_GT(impact.separation_speed, 0.0) << what;
    EXPECT_LE(impact.separation_speed, impact.approach_speed * (1.0 + 1e-7)) << what;
}

/// The ball comes back as fast as it left the floor: e is the ratio of two approach speeds.
TEST(RepeatedImpacts, OfADroppedBallHaveTheRestitutionOfSingleImpacts) {
    constexpr double gravity = 9.81;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> heights(0.01, 1.0);
    for (const Law& law : damped_laws()) {
        for (int drop = 0; drop < 60; ++drop) {
            ImpactMotion moving(dropped(law, heights(random), gravity), 1e-6);
            const std::vector<Impact> impacts = first_impacts(moving, 4);
            ASSERT_EQ(impacts.size(), 4U);
            for (std::size_t k = 0; k < 4; ++k) expect_bounce(impacts[k], name_of(law));
            for (std::size_t k = 0; k < 3; ++k) {
                const double speed = impacts[k].approach_speed;
                const auto single = impact::restitution(law, {speed, mass, gravity});
                EXPECT_NEAR(impacts[k + 1].approach_speed / speed, single.cor.value(), 1e-7)
                    << name_of(law) << ", impact " << k << " at " << speed << " m/s";
            }
        }
    }
}

/// Without a load in contact each impact leaves e times the speed: v_n = e^n v_0.
TEST(RepeatedImpacts, BetweenTwoWallsAreAGeometricSeries) {
    for (const Law& law : damped_laws()) {
        ImpactMotion moving(between_walls(law, 0.137, 1.0), 1e-6);
        double speed = 1.0;
        const std::vector<Impact> impacts = first_impacts(moving, 12);
        ASSERT_EQ(impacts.size(), 12U) << name_of(law);
        for (const Impact& impact : impacts) {
            EXPECT_NEAR(impact.approach_speed / speed, 1.0, 1e-7) << name_of(law);
            speed *= wanted;
        }
    }
}

/// The instant at which contact begins is known to the roundoff of the time.
TEST(RepeatedImpacts, AreBouncesHoweverLateTheyAre) {
    for (const Law& law : lossy_laws()) {
        for (const double time : {1e-6, 0.1, 7.0, 300.0, 1e4}) {
            ImpactMotion moving(between_walls(law, time, time + 0.01), 1e-6);
            const std::vector<Impact> impacts = first_impacts(moving, 6);
            ASSERT_EQ(impacts.size(), 6U) << name_of(law);
            for (std::size_t k = 0; k < 6; ++k) {
                EXPECT_EQ(impacts[k].contact, k % 2) << name_of(law) << " at " << time << " s";
                expect_bounce(impacts[k], name_of(law));
            }
            EXPECT_NEAR(moving.energy().residual() / moving.energy().initial, 0.0, 1e-6)
                << name_of(law) << " at " << time << " s";
        }
    }
}

/// From rest at a gap of 0 the load does as much work as the spring stores at the deepest point:
/// (2/5) k x^(5/2) = m g x, and the force k x^(3/2) is 5/2 of the weight.
TEST(RepeatedImpacts, OfABallThatRestsOnTheFloorBeginWithItsWeight) {
    constexpr double gravity = 9.81;
    ImpactMotion moving(dropped(motion_test::hertz(1e6), 0.0, gravity), 1e-8);
    const std::vector<Impact> impacts = first_impacts(moving, 2);
    ASSERT_EQ(impacts.size(), 2U);
    for (const Impact& impact : impacts)
        EXPECT_NEAR(impact.peak_force / (2.5 * mass * gravity), 1.0, 1e-6);
    EXPECT_EQ(impacts[0].start, 0.0);
    EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-12);
}

TEST(RepeatedImpacts, OfABallThatRestsOnTheFloorAreOverWhereTheContactDamps) {
    constexpr double gravity = 9.81;
    ImpactMotion moving(dropped(with_restitution<contact::Tsuji>(1e6), 0.0, gravity), 1e-6);
    moving.advance(0.2, {});
    EXPECT_TRUE(moving.is_touching());
    const double overlap = std::pow(mass * gravity / 1e6, 2.0 / 3.0);
    EXPECT_NEAR(-moving.coordinates()[0] / std::sqrt(mass) / overlap, 1.0, 1e-6);
}

TEST(RepeatedImpacts, AreBouncesHoweverStiffTheContactIs) {
    for (const double stiffness : {1e3, 1e6, 1e9, 1e12, 1e15}) {
        for (const Law& law : {with_restitution<contact::KelvinVoigt>(stiffness),
                               with_restitution<contact::LinearDamping>(stiffness),
                               with_restitution<contact::HuntCrossley>(stiffness)}) {
            ImpactMotion moving(between_walls(law, 0.137, 1.0), 1e-6);
            const std::vector<Impact> impacts = first_impacts(moving, 8);
            ASSERT_EQ(impacts.size(), 8U) << name_of(law) << " of " << stiffness;
            for (const Impact& impact : impacts) {
                expect_bounce(impact, name_of(law));
                // The instants are known to the roundoff of the time.
                const double roundoff = 1e-13 * impact.end / (impact.end - impact.start);
                EXPECT_NEAR(impact.separation_speed / impact.approach_speed, wanted,
                            1e-7 + roundoff)
                    << name_of(law) << " of " << stiffness;
            }
        }
    }
}

/// A motion that is asked for at many instants stops inside of first steps too.
TEST(RepeatedImpacts, AreTheSameWhereTheMotionIsStoppedAsTheyBegin) {
    const Law law = with_restitution<contact::KelvinVoigt>(1e8);
    const System system = dropped(law, 0.2, 9.81);
    ImpactMotion whole(system, 1e-6);
    const std::vector<Impact> expected = first_impacts(whole, 4);
    for (const double ahead : {-1.0, 0.0, 1.0, 2.0, 4.0, 16.0, 1e3}) {
        ImpactMotion stopped(system, 1e-6);
        std::vector<Impact> impacts;
        const auto take = [&](const Impact& each) {
            impacts.push_back(each);
            return true;
        };
        for (const Impact& each : expected) {
            stopped.advance(each.start * (1.0 + ahead * 0x1p-52), take);
            stopped.advance(each.end + 1e-5, take);
        }
        ASSERT_EQ(impacts.size(), expected.size()) << ahead;
        for (std::size_t k = 0; k < impacts.size(); ++k)
            EXPECT_NEAR(impacts[k].impulse / expected[k].impulse, 1.0, 1e-7) << ahead;
    }
}

TEST(RepeatedImpacts, OfTwoBallsThatLandTogetherAreThoseOfOne) {
    for (const Law& law : damped_laws()) {
        const System one = dropped(law, 0.2, 9.81);
        System two = bodies(2);
        two.coordinates = {one.coordinates[0], one.coordinates[0]};
        for (std::size_t c = 0; c < 2; ++c) {
            two.contacts.push_back(one.contacts[0]);
            two.contacts[c].phi.assign(2, 0.0);
            two.contacts[c].phi[c] = one.contacts[0].phi[0];
        }
        two.drives = one.drives;
        two.drives[0].forces.resize(2, one.drives[0].forces[0]);
        ImpactMotion alone(one, 1e-6), together(two, 1e-6);
        const std::vector<Impact> expected = first_impacts(alone, 4);
        std::size_t count = 0;
        for (const Impact& each : first_impacts(together, 8)) {
            const Impact& single = expected[count++ / 2];
            EXPECT_NEAR(each.approach_speed / single.approach_speed, 1.0, 1e-7) << name_of(law);
            EXPECT_NEAR(each.separation_speed / single.separation_speed, 1.0, 1e-7) << name_of(law);
        }
        EXPECT_EQ(count, 8U);
    }
}

/// Two free balls: the damping is that of their effective mass.
TEST(RepeatedImpacts, OfTwoFreeBallsLeaveTheWantedRestitution) {
    for (const Law& law : damped_laws()) {
        for (const double gap : {0.01, 0.0173, 0.3, 2.9}) {
            System system = bodies(2);
            const double first = std::sqrt(0.01), second = std::sqrt(0.03);
            system.rates = {first, 0.0};
            system.contacts = {{{-1.0 / first, 1.0 / second}, gap, CompliantContact{law}}};
            ImpactMotion moving(system, 1e-6);
            moving.advance(1e3);
            EXPECT_EQ(moving.impacts(), 1U);
            EXPECT_NEAR(moving.rates()[1] / second - moving.rates()[0] / first, wanted, 1e-7)
                << name_of(law);
        }
    }
}

/// Friction at a sphere turns it, and leaves the motion along the normal as it is.
TEST(RepeatedImpacts, OfASphereThatSlidesHaveTheWantedRestitution) {
    for (const Law& law : damped_laws()) {
        motion_test::PlanarImpact sphere = motion_test::sphere_on_plane();
        sphere.slip = 0.7;
        sphere.law = law;
        sphere.stiffness = 1e5;
        for (const double height : {0.003, 0.0171, 0.6}) {
            System system = sphere.system();
            system.coordinates[0] = height * std::sqrt(sphere.mass);
            ImpactMotion moving(system, 1e-6);
            const std::vector<Impact> impacts = first_impacts(moving, 1);
            ASSERT_EQ(impacts.size(), 1U);
            EXPECT_NEAR(impacts[0].separation_speed, wanted, 1e-7) << name_of(law);
            EXPECT_GT(impacts[0].friction_loss, 0.0) << name_of(law);
        }
    }
}

/// The surface moves at W a cos(W t), and hardly changes its speed in a contact.
TEST(RepeatedImpacts, OnAMovingSurfaceHaveTheWantedRestitution) {
    constexpr double amplitude = 1e-3, frequency = 40.0;
    for (const Law& law : damped_laws()) {
        System system = dropped(law, 0.2, 0.0);
        system.rates[0] = -std::sqrt(mass);
        system.drives = {{frequency, -1.5707963267948966, {}, {amplitude}}};
        ImpactMotion moving(system, 1e-6);
        const std::vector<Impact> impacts = first_impacts(moving, 1);
        ASSERT_EQ(impacts.size(), 1U);
        expect_bounce(impacts[0], name_of(law));
        const double speed = frequency * amplitude * std::cos(frequency * impacts[0].start);
        EXPECT_NEAR(impacts[0].approach_speed, 1.0 + speed, 1e-9) << name_of(law);
        EXPECT_NEAR(impacts[0].separation_speed / impacts[0].approach_speed, wanted, 1e-3)
            << name_of(law);
    }
}

/// A law that attracts takes energy as the contact ends.
TEST(RepeatedImpacts, UnderAdhesionLoseWhatTheRatiosOfTheirSpeedsSay) {
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 0.05;
    for (const double height : {0.05, 0.08, 0.33, 0.97}) {
        ImpactMotion moving(dropped(law, height, 9.81), 1e-6);
        const std::vector<Impact> impacts = first_impacts(moving, 3);
        ASSERT_EQ(impacts.size(), 3U);
        for (std::size_t k = 0; k < 2; ++k) {
            const double before = impacts[k].approach_speed, after = impacts[k + 1].approach_speed;
            const double lost = 0.5 * mass * (before - after) * (before + after);
            EXPECT_NEAR(impacts[k].loss / lost, 1.0, 1e-4) << height;
        }
        const motion::MotionEnergy energy = moving.energy();
        EXPECT_NEAR(energy.residual() / energy.load_work, 0.0, 1e-9) << height;
    }
}

/// Three balls in a row; the first one moves.
System row(const Law& law, double gap) {
    System system = motion_test::chain(3, mass, 1e9);
    for (motion::Contact& contact : system.contacts) contact.law = CompliantContact{law};
    system.contacts[1].gap = gap;
    return system;
}

TEST(RepeatedImpacts, LackTheirDampingOnlyWhereItNeedsAnApproachThatThereIsNot) {
    const Law wanting = with_restitution<contact::HuntCrossley>(1e9);
    const auto lacks = [](const System& system) {
        ImpactMotion moving(system, 1e-6);
        moving.advance(1.0);
        EXPECT_EQ(moving.status(), MotionStatus::separated);
        EXPECT_EQ(moving.impacts(), 2U);
        return std::pair(moving.lacked_damping(0), moving.lacked_damping(1));
    };
    EXPECT_EQ(lacks(row(wanting, 0.0)), std::pair(false, true));
    EXPECT_EQ(lacks(row(wanting, 1e-6)), std::pair(false, false));
    for (const Law& law :
         {with_restitution<contact::KelvinVoigt>(1e6), motion_test::hunt_crossley(1e9, 0.3)})
        EXPECT_EQ(lacks(row(law, 0.0)), std::pair(false, false)) << name_of(law);
}

/// Of a linear spring the damping of a wanted restitution is the same at all speeds.
TEST(RepeatedImpacts, OfBallsThatTouchHaveADampingThatNeedsNoApproach) {
    contact::LinearDamping linear;
    linear.exponent = 1.0;
    linear.stiffness = 1e6;
    linear.restitution = wanted;
    ImpactMotion moving(row(linear, 0.0), 1e-6);
    ImpactMotion expected(row(with_restitution<contact::KelvinVoigt>(1e6), 0.0), 1e-6);
    moving.advance(1.0);
    expected.advance(1.0);
    for (std::size_t j = 0; j < 3; ++j)
        EXPECT_NEAR(moving.rates()[j], expected.rates()[j], 1e-9) << j;
    EXPECT_FALSE(moving.lacked_damping(1));
}

}  // namespace
}  // namespace stoss
