/// Contacts of a motion in series with the residual flexibility of beams
/// (docs/theory/impact_motion.md 27.12).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <models/beam_model.hpp>
#include <models/impact_motion.hpp>
#include <motion_systems.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss {
namespace {

using models::SupportType;

models::Beam random_beam(std::mt19937& random, int kind) {
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    models::Beam beam;
    beam.length = 0.2 + 0.3 * uniform(random);
    beam.section.shape = models::Rectangle{0.02, 0.004 + 0.006 * uniform(random)};
    beam.material = {70e9 + 130e9 * uniform(random), 0.3, 2700.0 + 5000.0 * uniform(random)};
    if (kind % 3 == 1) beam.supports = {{SupportType::clamp, 0.0}};
    if (kind % 3 == 2) beam.supports = {{SupportType::pin, 0.0}, {SupportType::pin, 1.0}};
    if (kind % 4 == 1) beam.theory = models::Timoshenko{};
    if (kind % 3 > 0 && kind % 5 == 1) beam.external_damping = 5.0 * uniform(random);
    if (models::coupling_damping(beam, "")) beam.external_damping = 0.0;  // a motion leaves it out
    if (kind % 7 == 3) beam.internal_damping = 1e5 * uniform(random);
    return beam;
}

/// With and without loss, rates, memory, and a jump of the damping force.
contact::Law law_of(int kind, double stiffness) {
    contact::LinearDamping dashpot;
    dashpot.stiffness = 1e7;
    dashpot.damping = 20.0;
    contact::WaltonBraun plastic;
    plastic.stiffness = 1e7;
    plastic.restitution = 0.7;
    switch (kind % 5) {
        case 0:
            return motion_test::hertz(stiffness);
        case 1:
            return motion_test::hunt_crossley(stiffness, 0.2);
        case 2:
            return motion_test::hertz(1e7, 1.0);
        case 3:
            return dashpot;
        default:
            return plastic;
    }
}

struct Rebound {
    double cor = 0.0, impulse = 0.0;
    int impacts = 0;
};

Rebound by_motion(const models::Beam& beam, double xi, int modes, double mass,
                  const contact::Law& law) {
    models::MotionModel model;
    models::BeamInMotion body;
    body.beam = beam;
    body.modes = modes;
    models::PointBody ball;
    ball.mass = mass;
    ball.velocity = 1.0;
    model.bodies = {{"beam", body}, {"ball", ball}};
    models::MotionContact contact{"contact", {"beam", xi}, {"ball"}, 0.0, {}, {}, {}};
    contact.contact = models::ContactParameters{law};
    model.contacts = {contact};
    const motion::System system = models::motion_system(model).system;
    motion::ImpactMotion moving(system, 1e-6);
    Rebound rebound;
    moving.advance(5.0, [&](const motion::Impact& each) {
        rebound.impulse += each.impulse;
        ++rebound.impacts;
        return true;
    });
    EXPECT_EQ(moving.status(), motion::MotionStatus::separated);
    for (std::size_t j = 0; j < system.modes(); ++j)
        if (system.eigenvalues[j] == 0.0)
            rebound.cor += system.contacts[0].phi[j] * moving.rates()[j];
    const motion::MotionEnergy energy = moving.energy();
    EXPECT_NEAR(energy.residual(), 0.0, 1e-9 * energy.initial);
    return rebound;
}

Rebound by_beam_impact(const models::Beam& beam, double xi, int modes, double mass,
                       const contact::Law& law) {
    models::BeamCollision collision;
    collision.beam = beam;
    collision.striker.shape = models::Sphere{0.01};
    collision.striker.material = {210e9, 0.3};
    collision.striker.mass = mass;
    collision.motion.approach_speed = 1.0;
    collision.contact.law = law;
    collision.mesh.modes = modes;
    collision.integration.scheme = time::Splitting{1e-10};
    collision.integration.time_limit = 5.0;
    const impact::CollisionResult result = models::BeamModel(collision).collide(xi);
    EXPECT_EQ(result.status, impact::Status::separated);
    return {result.cor_kinematic, result.impulse, 0};
}

TEST(ResidualFlexibility, OneContactOfABeamIsBeamImpactWithItsDefaults) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (int kind = 0; kind < 40; ++kind) {
        const models::Beam beam = random_beam(random, kind);
        const double xi = 0.2 + 0.75 * uniform(random);
        const int modes = 6 + kind % 9;
        const double mass = beam.mass() * (0.05 + 0.3 * uniform(random));
        const contact::Law law = law_of(kind, std::pow(10.0, 8.0 + 1.5 * uniform(random)));
        const Rebound expected = by_beam_impact(beam, xi, modes, mass, law);
        const Rebound found = by_motion(beam, xi, modes, mass, law);
        const double bound = 1e-8 * found.impacts;  // each impact passes errors on
        EXPECT_NEAR(found.cor, expected.cor, bound) << kind;
        EXPECT_NEAR(found.impulse, expected.impulse, bound * expected.impulse) << kind;
    }
}

/// A cantilever that two balls of their own mass and speed hit at the same time, at two places.
motion::System two_balls(int modes, bool residual_flexibility) {
    models::MotionModel model;
    models::BeamInMotion body;
    body.beam.length = 0.3;
    body.beam.section.shape = models::Rectangle{0.02, 0.006};
    body.beam.material = {210e9, 0.3, 7850.0};
    body.beam.supports = {{SupportType::clamp, 0.0}};
    body.modes = modes;
    body.residual_flexibility = residual_flexibility;
    models::PointBody near, far;
    near.mass = 0.02;
    near.velocity = 1.0;
    far.mass = 0.03;
    far.velocity = 0.7;
    model.bodies = {{"beam", body}, {"near", near}, {"far", far}};
    for (const auto& [name, xi] : {std::pair{"near", 0.55}, std::pair{"far", 0.71}}) {
        models::MotionContact contact{name, {"beam", xi}, {name}, 0.0, {}, {}, {}};
        contact.contact = models::ContactParameters{motion_test::hertz(1e9)};
        model.contacts.push_back(contact);
    }
    return models::motion_system(model).system;
}

/// Impulse of the first impact of each ball, and the energy balance.
std::vector<double> first_impulses(const motion::System& system) {
    motion::ImpactMotion moving(system, 1e-8);
    std::vector<double> impulses(2, 0.0);
    moving.advance(2e-3, [&](const motion::Impact& each) {
        if (impulses[each.contact] == 0.0) impulses[each.contact] = each.impulse;
        return impulses[0] == 0.0 || impulses[1] == 0.0;
    });
    EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-10 * moving.energy().initial);
    return impulses;
}

/// What a force at one place yields at another one counts as well.
TEST(ResidualFlexibility, OfTwoContactsComesNearerToManyModes) {
    const std::vector<double> exact = first_impulses(two_balls(60, true));
    const std::vector<double> with = first_impulses(two_balls(10, true));
    const std::vector<double> without = first_impulses(two_balls(10, false));
    motion::System diagonal = two_balls(10, true);
    ASSERT_NE(diagonal.residual_flexibility[1], 0.0);
    diagonal.residual_flexibility[1] = diagonal.residual_flexibility[2] = 0.0;
    const std::vector<double> alone = first_impulses(diagonal);
    for (std::size_t c = 0; c < 2; ++c) {
        const double error = std::abs(with[c] - exact[c]);
        EXPECT_LT(5.0 * error, std::abs(without[c] - exact[c])) << c;
        EXPECT_LT(2.0 * error, std::abs(alone[c] - exact[c])) << c;
    }
}

TEST(ResidualFlexibility, ThatIsNoFlexibilityIsRefused) {
    motion::System system = two_balls(6, true);
    system.residual_flexibility[1] = 1.0;
    EXPECT_FALSE(motion::check(system).empty());
    system.residual_flexibility = {-1.0, 0.0, 0.0, 1.0};
    EXPECT_FALSE(motion::check(system).empty());
    system.residual_flexibility.pop_back();
    EXPECT_FALSE(motion::check(system).empty());
    contact::LinearDamping dashpot;
    dashpot.stiffness = 1e7;
    dashpot.damping = 20.0;
    system = two_balls(6, true);
    EXPECT_TRUE(motion::check(system).empty());
    system.contacts[0].law = motion::CompliantContact{dashpot};
    EXPECT_FALSE(motion::check(system).empty());
}

TEST(ResidualFlexibility, WithANegativeEigenvalueOfThreeContactsIsRefused) {
    const motion::System row = motion_test::chain(4, 0.1, 1e8);
    const auto keys_of = [&](double off) {
        motion::System system = row;
        for (const double each : {1.0, off, off, off, 1.0, off, off, off, 1.0})
            system.residual_flexibility.push_back(1e-6 * each);
        std::vector<std::string> keys;
        for (const core::Violation& each : motion::check(system)) keys.push_back(each.key);
        return keys;
    };
    EXPECT_EQ(keys_of(-0.9), std::vector<std::string>{"residual_flexibility"});
    EXPECT_TRUE(keys_of(-0.5).empty()) << "semidefinite";
}

TEST(ResidualFlexibility, OfALawWithoutStiffnessIsRefusedInWords) {
    motion::System system = two_balls(6, true);
    system.contacts[1].law = motion::CompliantContact{contact::Hertz{}};
    const auto found = motion::check(system);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].key, "contacts[1].law.stiffness");
}

/// A ball springs back from a wall that yields (k in series with 1/R), and another ball, of the
/// same mass, meets it by Newton's law meanwhile: they exchange their velocities, and the spring
/// keeps its force. In units of the first ball's speed and of its angle w t.
TEST(ResidualFlexibility, GoesOnToYieldDuringAnImpactByNewtonsLawElsewhere) {
    const double stiffness = 1e6, residual = 1e-6;
    const double omega = std::sqrt(stiffness / (1.0 + residual * stiffness));
    const double angle = 5.0 / 6.0 * std::numbers::pi, slow = 0.3;
    motion::System system = motion_test::bodies(2);
    system.rates = {-1.0, -slow};
    const double gap = (-std::sin(angle) + slow * angle) / omega;
    system.contacts = {
        {{1.0, 0.0}, 0.0, motion::CompliantContact{motion_test::hertz(stiffness, 1.0)}},
        {{-1.0, 1.0}, gap, motion::NewtonImpact{1.0}}};
    system.residual_flexibility = {residual, 0.0, 0.0, 0.0};
    motion::ImpactMotion moving(system, 1e-6);
    moving.advance(1.0, [](const motion::Impact& ended) { return ended.contact != 1; });
    EXPECT_NEAR(moving.time(), angle / omega, 1e-12);
    // The wall and the contact yield alike: k R = 1.
    const double overlap = 0.5 * std::sin(angle) / omega;
    EXPECT_NEAR(moving.overlap(0), overlap, 1e-8 * overlap);
    EXPECT_NEAR(moving.force(0), stiffness * overlap, 1e-8 * stiffness * overlap);
    EXPECT_NEAR(moving.overlap_rate(0), 0.5 * slow, 1e-8);
    EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-8 * moving.energy().initial);
    moving.advance(1.0);
    EXPECT_EQ(moving.status(), motion::MotionStatus::separated);
    EXPECT_NEAR(moving.rates()[0], std::hypot(slow, std::sin(angle)), 1e-8);
    EXPECT_NEAR(moving.rates()[1], -std::cos(angle), 1e-8);
    EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-8 * moving.energy().initial);
}

/// Two beams with three contacts of which one is in reach move as with this one alone.
TEST(ResidualFlexibility, OfTwoBeamsWithTwoContactsOutOfReachIsThatOfOneContact) {
    const std::array<std::pair<double, double>, 3> places{{{0.1, 0.2}, {0.5, 0.5}, {0.9, 0.8}}};
    const auto rates = [&](std::size_t in_reach, bool with_others) {
        models::MotionModel model;
        models::BeamInMotion upper, lower;
        upper.beam.length = 0.3;
        upper.beam.section.shape = models::Rectangle{0.02, 0.004};
        upper.beam.material = {210e9, 0.3, 7850.0};
        upper.modes = lower.modes = 8;
        lower.beam = upper.beam;
        lower.beam.length = 0.4;
        upper.velocity = -0.5;
        model.bodies = {{"upper", upper}, {"lower", lower}};
        for (std::size_t c = 0; c < 3; ++c) {
            if (c != in_reach && !with_others) continue;
            models::MotionContact contact{std::to_string(c),
                                          {"upper", places[c].first},
                                          {"lower", places[c].second},
                                          c == in_reach ? 1e-4 : 0.05,
                                          {},
                                          {},
                                          {}};
            contact.contact = models::ContactParameters{motion_test::hertz(1e9)};
            model.contacts.push_back(contact);
        }
        motion::ImpactMotion moving(models::motion_system(model).system, 1e-8);
        moving.advance(2.5e-3);
        EXPECT_GT(moving.impacts(), 2U);
        return moving.rates();
    };
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(rates(c, true), rates(c, false)) << c;
}

/// A beam that is touched on both sides of one place yields on one spring.
TEST(ResidualFlexibility, OfTwoContactsAtOnePlaceIsShared) {
    models::MotionModel model;
    models::BeamInMotion body;
    body.beam.length = 0.3;
    body.beam.section.shape = models::Rectangle{0.02, 0.006};
    body.beam.material = {210e9, 0.3, 7850.0};
    model.bodies = {{"beam", body}, {"above", models::Surface{}}, {"below", models::Surface{}}};
    models::MotionContact above{"above", {"above"}, {"beam", 0.3}, 1e-4, {}, {}, {}};
    models::MotionContact below{"below", {"beam", 0.3}, {"below"}, 1e-4, {}, {}, {}};
    above.contact = below.contact = models::ContactParameters{motion_test::hertz(1e9)};
    model.contacts = {above, below};
    const auto residual = models::motion_system(model).system.residual_flexibility;
    ASSERT_EQ(residual.size(), 4U);
    EXPECT_GT(residual[0], 0.0);
    EXPECT_EQ(residual[3], residual[0]);
    EXPECT_EQ(residual[1], -residual[0]);
}

/// A free steel beam of 0.4 m, at rest, with 8 modes.
models::BeamInMotion free_beam() {
    models::BeamInMotion body;
    body.beam.length = 0.4;
    body.beam.section.shape = models::Rectangle{0.02, 0.005};
    body.beam.material = {210e9, 0.3, 7850.0};
    body.modes = 8;
    return body;
}

/// Its stop below and a ball of 0.1 kg above.
models::MotionModel beam_on_stop(double stop_at, double ball_at, double gap,
                                 const contact::Law& law) {
    models::MotionModel model;
    models::PointBody ball;
    ball.mass = 0.1;
    ball.velocity = -1.0;
    model.bodies = {{"beam", free_beam()}, {"stop", models::Surface{}}, {"ball", ball}};
    models::MotionContact stop{"stop", {"beam", stop_at}, {"stop"}, gap, {}, {}, {}};
    models::MotionContact struck{"struck", {"ball"}, {"beam", ball_at}, 0.0, {}, {}, {}};
    stop.contact = struck.contact = models::ContactParameters{law};
    model.contacts = {stop, struck};
    return model;
}

/// Impulse of the first impact of the ball, which is the second contact by name.
double impulse_of_ball(const models::MotionModel& model) {
    motion::ImpactMotion moving(models::motion_system(model).system, 1e-6);
    double impulse = 0.0;
    moving.advance(0.01, [&](const motion::Impact& each) {
        if (each.contact == 1 && impulse == 0.0) impulse = each.impulse;
        return impulse == 0.0;
    });
    EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-8 * moving.energy().initial);
    return impulse;
}

/// The ball pushes the beam into its stop at once, through the flexibility: the stop, which comes
/// first in the list of contacts, acts from the beginning.
TEST(ResidualFlexibility, OfABeamThatRestsOnAStopLetsABallStrikeIt) {
    for (const contact::Law& law :
         {motion_test::hertz(1e9), motion_test::hunt_crossley(1e9, 0.3)}) {
        for (const auto& [stop, ball] : {std::pair{0.5, 0.5}, std::pair{0.3, 0.3},
                                         std::pair{0.0, 1.0}, std::pair{0.25, 0.75}}) {
            const double touching = impulse_of_ball(beam_on_stop(stop, ball, 0.0, law));
            const double near = impulse_of_ball(beam_on_stop(stop, ball, 1e-10, law));
            EXPECT_GT(touching, 0.01);
            EXPECT_NEAR(touching, near, 1e-4 * near) << stop << ' ' << ball;
        }
    }
}

/// A beam that falls on two stops, and a ball that falls on the beam.
models::MotionModel falling_beam(std::mt19937& random, int modes, const contact::Law& stop_law,
                                 const contact::Law& ball_law) {
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    models::MotionModel model;
    models::BeamInMotion beam = free_beam();
    beam.modes = modes;
    beam.velocity = -0.1 - 0.9 * uniform(random);
    beam.angular_velocity = 6.0 * uniform(random) - 3.0;
    models::PointBody ball;
    ball.mass = 0.1;
    ball.velocity = -0.3 - 2.7 * uniform(random);
    model.bodies = {{"beam", beam}, {"floor", models::Surface{}}, {"ball", ball}};
    for (const auto& [name, xi] : {std::pair{"left", 0.0}, std::pair{"right", 1.0}}) {
        models::MotionContact contact{name, {"beam", xi}, {"floor"}, 1e-5, {}, {}, {}};
        contact.contact = models::ContactParameters{stop_law};
        model.contacts.push_back(contact);
    }
    const double xi = 0.05 + 0.9 * uniform(random);
    models::MotionContact struck{"struck", {"ball"}, {"beam", xi}, 1e-4, {}, {}, {}};
    struck.contact = models::ContactParameters{ball_law};
    model.contacts.push_back(struck);
    return model;
}

/// A law with rates keeps its force where another contact ends, or reaches the end of its own force
/// with overlap left: the equations there have a solution, and it is found.
TEST(ResidualFlexibility, OfLawsWithRatesFollowsContactsThatEnd) {
    std::mt19937 random(7);
    contact::SimonHuntCrossley simon;
    simon.stiffness = 1e9;
    simon.damping_factor = 0.7;
    const contact::Law elastic = motion_test::hertz(1e9),
                       damped = motion_test::hunt_crossley(1e9, 0.7);
    for (int kind = 0; kind < 24; ++kind) {
        const models::MotionModel model =
            falling_beam(random, 4 + kind % 9, kind % 3 == 1 ? damped : elastic,
                         kind % 3 == 2 ? contact::Law(simon) : damped);
        motion::ImpactMotion moving(models::motion_system(model).system, 1e-6);
        moving.advance(0.005);
        EXPECT_NE(moving.status(), motion::MotionStatus::unsolved) << kind << ' ' << moving.time();
        EXPECT_GT(moving.impacts(), 2U) << kind;
        EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-7 * moving.energy().initial) << kind;
    }
}

/// A force that ends at a dent is the difference of two overlaps: its roundoff is that of these.
TEST(ResidualFlexibility, OfElasticPlasticContactsIsFollowedToTheirDents) {
    std::mt19937 random(7);
    contact::WaltonBraun plastic;
    plastic.stiffness = 1e8;
    plastic.restitution = 0.6;
    for (int kind = 0; kind < 6; ++kind) {
        const models::MotionModel model = falling_beam(random, 4 + kind, plastic, plastic);
        motion::ImpactMotion moving(models::motion_system(model).system, 1e-6);
        moving.advance(0.005);
        EXPECT_NE(moving.status(), motion::MotionStatus::unsolved) << kind << ' ' << moving.time();
        EXPECT_NEAR(moving.energy().residual(), 0.0, 1e-7 * moving.energy().initial) << kind;
    }
}

}  // namespace
}  // namespace stoss
