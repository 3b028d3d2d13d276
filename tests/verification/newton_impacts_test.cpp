/// Newton's law of impact among many bodies: energy, order of impacts, and bodies that rest
/// (docs/theory/impact_motion.md 27.8 and 27.9).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

#include <motion_systems.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss {
namespace {

using motion::Impact;
using motion::ImpactMotion;
using motion::MotionStatus;
using motion::NewtonImpact;
using motion_test::bodies;
using motion_test::System;

constexpr double gravity = 9.81;  // [m/s^2]

/// A row of point masses; contact c lies between the bodies c and c + 1, with one cor for all.
System row(const std::vector<double>& masses, const std::vector<double>& velocities, double gap,
           double cor) {
    System system = bodies(masses.size());
    for (std::size_t b = 0; b < masses.size(); ++b)
        system.rates[b] = std::sqrt(masses[b]) * velocities[b];
    for (std::size_t c = 0; c + 1 < masses.size(); ++c) {
        motion::Contact contact{std::vector<double>(masses.size(), 0.0), gap, NewtonImpact{cor}};
        contact.phi[c] = -1.0 / std::sqrt(masses[c]);
        contact.phi[c + 1] = 1.0 / std::sqrt(masses[c + 1]);
        system.contacts.push_back(contact);
    }
    return system;
}

/// Three to six masses within six decades, many of which touch, with or without a wall on either
/// side.
System random_row(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::normal_distribution<double> normal;
    const std::size_t count = 3 + seed % 4;
    std::vector<double> masses, velocities;
    for (std::size_t b = 0; b < count; ++b) {
        masses.push_back(std::pow(10.0, 6.0 * uniform(random) - 3.0));
        velocities.push_back(normal(random));
    }
    System system = row(masses, velocities, 0.0, 1.0);
    for (const bool is_left : {true, false}) {
        if (uniform(random) < 0.3) continue;
        motion::Contact wall{std::vector<double>(count, 0.0), 0.0, NewtonImpact{}};
        const std::size_t b = is_left ? 0 : count - 1;
        wall.phi[b] = (is_left ? 1.0 : -1.0) / std::sqrt(masses[b]);
        system.contacts.push_back(wall);
    }
    for (motion::Contact& contact : system.contacts) {
        contact.gap = uniform(random) < 0.35 ? 0.0 : 0.2 * uniform(random);
        const double kind = uniform(random);
        contact.law = NewtonImpact{kind < 0.25 ? 0.0 : kind < 0.5 ? 1.0 : uniform(random)};
    }
    return system;
}

/// The contacts of a stack of masses of 1 kg above a floor: the lowest body on the floor, then each
/// body on the one below. All displacements are 0 where they touch.
System stack(std::size_t count, const std::vector<double>& cors) {
    System system = bodies(count);
    for (std::size_t c = 0; c < count; ++c) {
        motion::Contact contact{std::vector<double>(count, 0.0), 0.0, NewtonImpact{cors[c]}};
        contact.phi[c] = 1.0;
        if (c > 0) contact.phi[c - 1] = -1.0;
        system.contacts.push_back(contact);
    }
    system.drives = {{0.0, 0.0, std::vector<double>(count, -gravity), {}}};
    return system;
}

/// The floor moves by amplitude cos(frequency t).
void shake(System& system, double amplitude, double frequency) {
    motion::Drive drive{frequency, 0.0, {}, std::vector<double>(system.contacts.size(), 0.0)};
    drive.surfaces[0] = amplitude;
    system.drives.push_back(drive);
}

std::vector<Impact> impacts_until(ImpactMotion& moving, double time) {
    std::vector<Impact> impacts;
    moving.advance(time, [&](const Impact& each) {
        impacts.push_back(each);
        return true;
    });
    return impacts;
}

/// Speed [m/s] of an impact: what closes, or what the impulse changes.
double speed_of(const Impact& impact, const System& system) {
    double mobility = 0.0;
    for (const double phi : system.contacts[impact.contact].phi) mobility += phi * phi;
    return std::max(impact.approach_speed, mobility * impact.impulse);
}

/// Largest speed [m/s] of the bodies of a contact.
double largest_speed(const ImpactMotion& moving, std::size_t contact) {
    double largest = 0.0;
    for (std::size_t j = 0; j < moving.rates().size(); ++j)
        largest = std::max(largest,
                           std::abs(moving.system().contacts[contact].phi[j] * moving.rates()[j]));
    return largest;
}

TEST(NewtonImpacts, OfRandomRowsNeverCreateEnergyAndAreMoreThanRoundoff) {
    std::size_t ended_early = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        const System system = random_row(seed);
        ImpactMotion moving(system, 1e-6);
        const double initial = moving.energy().initial;
        double last = initial;
        moving.advance(1.0, [&](const Impact& each) {
            const double now = moving.energy().modes;
            EXPECT_LE((now - last) / initial, 1e-11) << seed;
            EXPECT_GE(each.loss, -1e-9 * initial) << seed;
            EXPECT_GT(speed_of(each, system), 1e-14 * largest_speed(moving, each.contact)) << seed;
            last = now;
            return true;
        });
        EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-12 * initial) << seed;
        ended_early += moving.status() == MotionStatus::rests ? 1 : 0;
    }
    EXPECT_LT(ended_early, 25U);  // those of e = 1 among impacts without end
}

/// Equal masses exchange their velocities: first balls 2 and 3, then 1 and 2.
TEST(NewtonImpacts, OfContactsThatSeparateFollowOneAfterTheOther) {
    const System system = row({1.0, 1.0, 1.0}, {0.0, 0.1, -1.0}, 0.0, 1.0);
    ImpactMotion moving(system, 1e-6);
    const std::vector<Impact> impacts = impacts_until(moving, 1.0);
    ASSERT_EQ(impacts.size(), 2U);
    EXPECT_EQ(impacts[0].contact, 1U);
    EXPECT_EQ(impacts[1].contact, 0U);
    EXPECT_NEAR(impacts[0].approach_speed, 1.1, 1e-15);
    EXPECT_NEAR(impacts[1].approach_speed, 1.0, 1e-15);
    const std::vector<double> after{-1.0, 0.0, 0.1};
    for (std::size_t b = 0; b < 3; ++b) EXPECT_NEAR(moving.rates()[b], after[b], 1e-15) << b;
    EXPECT_NEAR(moving.energy().contact_loss, 0.0, 1e-15);
}

/// A ball of 1 mg between two of 1 kg that close: its impacts have a limit, where the gaps are
/// below roundoff. There all three move as one.
TEST(NewtonImpacts, OfALightBallBetweenHeavyOnesEndInOneVelocity) {
    const System system = row({1.0, 1e-6, 1.0}, {0.0, 0.0, -1.0}, 1e-3, 0.6);
    ImpactMotion moving(system, 1e-6);
    for (int k = 1; k <= 1000; ++k)  // many steps have much roundoff of the places
        for (const Impact& each : impacts_until(moving, 1e-3 * k)) {
            EXPECT_GT(each.approach_speed + each.impulse, 0.1);
            EXPECT_GE(each.loss, 0.0);
        }
    EXPECT_EQ(moving.status(), MotionStatus::running);
    EXPECT_EQ(moving.time(), 1.0);
    EXPECT_NEAR(moving.energy().modes, 0.25, 1e-6);
    EXPECT_NEAR(moving.rates()[0], -0.5, 1e-6);
    EXPECT_NEAR(moving.rates()[2], -0.5, 1e-6);
}

/// One ball hits touching ones at rest: (27.8) has them all at once (Moreau 1988).
TEST(NewtonImpacts, OfTouchingBallsAtRestAreSimultaneous) {
    System system = row({1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, 0.0, 1.0);
    ImpactMotion moving(system, 1e-6);
    EXPECT_EQ(impacts_until(moving, 1.0).size(), 2U);
    const std::vector<double> after{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    for (std::size_t b = 0; b < 3; ++b) EXPECT_NEAR(moving.rates()[b], after[b], 1e-15) << b;
}

/// Ball A rests on a floor that shakes by 1 um, and B falls on it from 0.5 m: B leaves at e v, and
/// the floor does next to no work.
TEST(NewtonImpacts, OnABodyThatRestsOnADrivenFloorTurnTheOther) {
    System system = stack(2, {0.3, 0.5});
    shake(system, 1e-6, 2.0 * std::numbers::pi);
    system.contacts[0].gap = 1e-3;
    system.coordinates = {0.0, 0.5};
    ImpactMotion moving(system, 1e-6);
    Impact hit;
    moving.advance(1.0, [&](const Impact& each) {
        hit = each;
        return each.contact == 0;
    });
    const double speed = std::sqrt(2.0 * gravity * 0.501);
    EXPECT_NEAR(hit.approach_speed, speed, 1e-5);
    EXPECT_NEAR(hit.separation_speed, 0.5 * hit.approach_speed, 1e-12);
    EXPECT_NEAR(moving.energy().contact_loss - 0.00981, 0.375 * speed * speed, 1e-4);
    EXPECT_NEAR(moving.energy().drive_work, 0.0, 1e-4);
    EXPECT_NEAR(moving.overlap_rate(0), 0.0, 1e-15);
}

/// The same on a floor that does not move: A stays where it is, and B bounces on it until it rests
/// as well.
TEST(NewtonImpacts, OfABodyThatRestsDoNotEndTheMotionOfOthers) {
    System system = stack(2, {0.3, 0.5});
    system.contacts[0].gap = 1e-3;
    system.coordinates = {0.0, 0.5};
    ImpactMotion moving(system, 1e-6);
    moving.advance(3.0);
    EXPECT_EQ(moving.status(), MotionStatus::rests);
    const double first = std::sqrt(2.0 * 0.501 / gravity);
    EXPECT_NEAR(moving.time(), first * (1.0 + 0.5) / (1.0 - 0.5), 1e-10);
    EXPECT_NEAR(moving.energy().contact_loss, gravity * (0.001 + 0.501), 1e-10);
    EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-13);
}

/// Three balls on one floor: the motion ends when the last one rests.
TEST(NewtonImpacts, OfSeveralBodiesOnAFloorEndWithTheLast) {
    System system = bodies(3);
    const std::vector<double> heights{0.2, 0.01, 0.5};
    system.coordinates = heights;
    system.drives = {{0.0, 0.0, std::vector<double>(3, -gravity), {}}};
    for (std::size_t b = 0; b < 3; ++b) {
        system.contacts.push_back({std::vector<double>(3, 0.0), 0.0, NewtonImpact{0.4}});
        system.contacts[b].phi[b] = 1.0;
    }
    ImpactMotion moving(system, 1e-6);
    moving.advance(100.0);
    EXPECT_EQ(moving.status(), MotionStatus::rests);
    EXPECT_NEAR(moving.time(), std::sqrt(2.0 * 0.5 / gravity) * 1.4 / 0.6, 1e-10);
    for (std::size_t b = 0; b < 3; ++b) EXPECT_NEAR(moving.coordinates()[b], 0.0, 1e-14) << b;
    EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-12);
}

/// Ball A rests on a floor. B hits it from below, elastically, and A leaves with the speed of B.
TEST(NewtonImpacts, LiftABodyOffTheFloorOnWhichItRests) {
    System system = bodies(2);
    system.coordinates = {0.0, -0.05};
    system.rates = {0.0, 2.0};
    system.contacts = {{{1.0, 0.0}, 1e-5, NewtonImpact{0.3}},
                       {{1.0, -1.0}, 0.0, NewtonImpact{1.0}}};
    system.drives = {{0.0, 0.0, {-gravity, -gravity}, {}}};
    shake(system, 1e-6, 2.0 * std::numbers::pi);
    ImpactMotion moving(system, 1e-6);
    Impact last;
    moving.advance(1.0, [&](const Impact& each) {
        last = each;
        return each.contact == 0;
    });
    EXPECT_NEAR(last.approach_speed, std::sqrt(4.0 - 2.0 * gravity * 0.05), 1e-3);
    const double later = 1e-3;
    moving.advance(moving.time() + later);
    EXPECT_NEAR(moving.rates()[0], last.approach_speed - gravity * later, 1e-5);
    EXPECT_NEAR(moving.rates()[1], -gravity * later, 1e-5);
    EXPECT_NEAR(moving.energy().drive_work, 0.0, 1e-5);
}

/// The same with a force law in place of the elastic impact: it is not known how the floor answers.
TEST(NewtonImpacts, OfABodyThatAForceLawPushesEndTheMotion) {
    System system = bodies(2);
    system.coordinates = {0.0, -0.05};
    system.rates = {0.0, 2.0};
    system.contacts = {{{1.0, 0.0}, 1e-5, NewtonImpact{0.3}},
                       {{1.0, -1.0}, 0.0, motion::CompliantContact{motion_test::hertz(1e6, 1.0)}}};
    system.drives = {{0.0, 0.0, {-gravity, -gravity}, {}}};
    ImpactMotion moving(system, 1e-6);
    moving.advance(1.0);
    EXPECT_EQ(moving.status(), MotionStatus::pushed);
    EXPECT_EQ(to_string(moving.status()), "pushed");
    const double fall = 1e-5 + 0.05;  // that of B, to where A is on the floor
    EXPECT_NEAR(moving.time(), (2.0 - std::sqrt(4.0 - 2.0 * gravity * (fall - 2e-5))) / gravity,
                1e-10);
    EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-12);
}

/// While other bodies collide by force laws, one rests on a floor that shakes, and leaves it where
/// the floor falls faster than the body does.
TEST(NewtonImpacts, OfABodyThatRestsHoldWhileForcesActElsewhere) {
    const double frequency = 50.0, amplitude = 0.5 * gravity / (frequency * frequency);
    System system = bodies(3);
    system.rates = {0.0, 0.02, 0.0};
    system.contacts = {
        {{1.0, 0.0, 0.0}, 0.0, NewtonImpact{0.0}},
        {{0.0, -1.0, 1.0}, 1e-3, motion::CompliantContact{motion_test::hertz(100.0, 1.0)}}};
    system.coordinates = {amplitude, 0.0, 0.0};
    system.drives = {{0.0, 0.0, {-gravity, 0.0, 0.0}, {}}};
    shake(system, amplitude, frequency);
    ImpactMotion moving(system, 1e-6);
    for (int k = 1; k <= 100; ++k) {
        const double time = 0.005 * k;
        moving.advance(time);
        EXPECT_NEAR(moving.coordinates()[0], amplitude * std::cos(frequency * time), 1e-15) << k;
        EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-9) << k;
    }
    EXPECT_NEAR(moving.rates()[2], 0.02, 1e-9);
}

}  // namespace
}  // namespace stoss
