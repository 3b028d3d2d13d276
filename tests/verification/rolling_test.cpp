// Dashpots across the normal and torques of compliant contacts (theory/compliant_spheres.md 16.11,
// 16.12) against closed forms and balances.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <stoss/granular/sphere_collision.hpp>

namespace {

using namespace stoss;
using granular::Sphere;

constexpr double r = 5e-3, m = 2e-3, k = 1e6;

contact::Hertz spring(double exponent, double stiffness = k) {
    contact::Hertz law;
    law.stiffness = stiffness;
    law.exponent = exponent;
    return law;
}

/// One sphere on a plane, or two that meet head-on, in units of the contact of the first.
granular::SphereCollision impact_of(std::vector<Sphere> bodies, const contact::Law& law,
                                    int steps) {
    granular::SphereCollision collision{std::move(bodies), {}, steps};
    collision.stepping.law = law;
    collision.stepping.step = std::numbers::pi * std::sqrt(m / k) / steps;
    collision.stepping.skin = r;
    return collision;
}

Sphere sphere(const Eigen::Vector3d& velocity, const Eigen::Vector3d& spin) {
    return {{0.0, 0.0, r}, velocity, spin, r, m};
}

/// A linear spring along the normal, one with a dashpot across it, no limit of friction: the slip
/// is that of a damped oscillator over half a period of the normal one.
TEST(RollingResistance, TangentialDampingIsTheDampedOscillator) {
    const double share = 0.3, v = 1.0, slip = 0.7;
    for (const double ratio : {0.0, 0.05, 0.2}) {
        auto collision = impact_of({sphere({slip, 0.0, -v}, {0.0, 0.0, 0.0})}, spring(1.0), 8000);
        collision.stepping.tangential = contact::SpringSlider{ratio};
        collision.stepping.walls = {{}, share, 1e6, {}};
        const auto result = granular::collide(collision, nullptr);
        ASSERT_EQ(result.status, granular::SphereCollisionStatus::separated);
        const double zeta = ratio * std::sqrt(3.5), root = std::sqrt(1.0 - zeta * zeta);
        const double phase = std::numbers::pi * std::sqrt(3.5 * share);
        const double expected = slip * std::exp(-zeta * phase) *
                                (std::cos(root * phase) - zeta / root * std::sin(root * phase));
        EXPECT_NEAR(result.slip, expected, 1e-3 * slip) << ratio;
        EXPECT_NEAR(result.energy_residual, 0.0, 1e-3) << ratio;
        EXPECT_GE(result.energy.friction_loss, 0.0);
    }
}

/// Friction limits spring and dashpot together: sliding throughout is what it is without a dashpot.
TEST(RollingResistance, ADashpotDoesNotExceedFriction) {
    auto collision = impact_of({sphere({20.0, 0.0, -1.0}, {0.0, 0.0, 0.0})}, spring(1.0), 4000);
    collision.stepping.tangential = contact::SpringSlider{0.5};
    collision.stepping.walls = {{}, 0.8, 0.2, {}};
    const auto result = granular::collide(collision, nullptr);
    EXPECT_TRUE(result.slid);
    EXPECT_NEAR(result.slip, 20.0 - 3.5 * 0.2 * 2.0, 1e-4);
}

/// Torques at their limit throughout: the spin falls by (5/2) mu (1 + e) v/r.
TEST(RollingResistance, ASphereThatRollsOrTwistsLosesSpinByTheImpulse) {
    const double v = 1.0, mu = 0.1, spin = 4000.0;
    const double loss = 2.5 * mu * 2.0 * v / r;
    for (const bool rolls : {true, false}) {
        const Eigen::Vector3d axis = rolls ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
        auto collision = impact_of({sphere({0.0, 0.0, -v}, spin * axis)}, spring(1.0), 4000);
        collision.stepping.tangential = contact::Smooth{};
        collision.stepping.walls.resistance = {rolls ? mu : 0.0, rolls ? 0.0 : mu};
        auto assembly = granular::compliant_assembly(collision.stepping,
                                                     {granular::Wall(granular::Plane{})}, 1);
        assembly->add(collision.bodies.front());
        for (int step = 0; step < 6000; ++step) ASSERT_TRUE(assembly->step());
        const Sphere after = assembly->spheres()[0];
        EXPECT_NEAR(spin - after.angular_velocity.dot(axis), loss, 1e-3 * loss) << rolls;
        EXPECT_NEAR(after.velocity.z(), v, 1e-4 * v);
        EXPECT_NEAR(after.velocity.x(), 0.0, 1e-12);
    }
}

/// Two spheres, random spins: momentum and angular momentum stay, and the energies add up.
TEST(RollingResistance, KeepsMomentumAndBringsNoEnergy) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const auto vector = [&](double scale) {
        return Eigen::Vector3d(scale * unit(random), scale * unit(random), scale * unit(random));
    };
    for (int i = 0; i < 200; ++i) {
        std::vector<Sphere> bodies{sphere(vector(0.5), vector(300.0)),
                                   sphere(vector(0.5), vector(300.0))};
        bodies[0].velocity.z() -= 1.0;
        bodies[1].position.z() = -0.7 * r;
        bodies[1].radius = 0.7 * r;
        bodies[1].mass = 0.4 * m;
        auto collision = impact_of(bodies, spring(1.5, 3e7), 1500);
        collision.stepping.tangential = contact::SpringSlider{i % 2 ? 0.3 : 0.0};
        collision.stepping.spheres = {{}, 0.8, 0.3, {0.2 * std::abs(unit(random)), 0.1}};
        const auto result = granular::collide(collision, nullptr);
        ASSERT_EQ(result.status, granular::SphereCollisionStatus::separated) << i;
        EXPECT_LT(result.momentum_residual, 1e-12) << i;
        EXPECT_NEAR(result.energy_residual, 0.0, 1e-3) << i;
        EXPECT_GE(result.energy.friction_loss, 0.0) << i;
    }
}

/// Springs and torques are part of the state: a run that was stopped goes on with the same bits.
TEST(RollingResistance, IsPartOfTheState) {
    auto collision =
        impact_of({sphere({0.3, 0.1, -1.0}, {200.0, -80.0, 500.0})}, spring(1.5, 3e7), 1000);
    collision.stepping.tangential = contact::SpringSlider{0.2};
    collision.stepping.walls = {{}, 0.8, 0.3, {0.05, 0.05}};
    const auto fresh = [&] {
        auto assembly = granular::compliant_assembly(collision.stepping,
                                                     {granular::Wall(granular::Plane{})}, 1);
        assembly->add(collision.bodies.front());
        return assembly;
    };
    auto whole = fresh(), first = fresh(), second = fresh();
    for (int step = 0; step < 400; ++step) {
        whole->step();
        first->step();
    }
    second->restore(first->state());
    for (int step = 0; step < 900; ++step) {
        whole->step();
        second->step();
    }
    const Sphere &one = whole->spheres()[0], &other = second->spheres()[0];
    EXPECT_EQ(one.position, other.position);
    EXPECT_EQ(one.velocity, other.velocity);
    EXPECT_EQ(one.angular_velocity, other.angular_velocity);
    EXPECT_EQ(whole->energy().friction_loss, second->energy().friction_loss);
    EXPECT_GT(whole->energy().friction_loss, 0.0);
}

}  // namespace
