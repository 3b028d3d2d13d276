// Many contacts against closed forms and conservation laws.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include <stoss/granular/assembly.hpp>

namespace {

using namespace stoss::granular;
using Eigen::Vector3d;

constexpr double g = 9.81, radius = 1e-3;

Sphere sphere_at(const Vector3d& x, const Vector3d& v = Vector3d::Zero(), double r = radius) {
    return {x, v, Vector3d::Zero(), r, 2650.0 * 4.0 / 3.0 * std::numbers::pi * r * r * r};
}

/// Contacts solved to roundoff.
Stepping converged(const Vector3d& gravity = {0, 0, -g}) {
    Stepping stepping;
    stepping.step = 1e-4;
    stepping.gravity = gravity;
    stepping.sweeps = 100'000;
    stepping.tolerance = 1e-14;
    stepping.error_reduction = 0.0;
    stepping.margin = 0.4 * radius;
    stepping.skin = 0.4 * radius;
    return stepping;
}

std::vector<Wall> floor() {
    return {Plane{}};
}

std::vector<Wall> box(double x, double y, double z) {
    return {Plane{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, Plane{{x, 0, 0}, {-1, 0, 0}, {0, 0, 0}},
            Plane{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}, Plane{{0, y, 0}, {0, -1, 0}, {0, 0, 0}},
            Plane{{0, 0, 0}, {0, 0, 1}, {0, 0, 0}}, Plane{{0, 0, z}, {0, 0, -1}, {0, 0, 0}}};
}

/// Spheres of several sizes on a lattice, in random motion.
void add_cloud(Assembly& assembly, int edge, double speed) {
    std::mt19937 engine(11);
    std::uniform_real_distribution<double> v(-speed, speed), size(0.6 * radius, radius);
    for (int i = 0; i < edge * edge * edge; ++i) {
        const Vector3d x =
            2.05 * radius * Vector3d(i % edge + 0.5, i / edge % edge + 0.5, i / edge / edge + 0.5);
        Sphere sphere = sphere_at(x, {v(engine), v(engine), v(engine)}, size(engine));
        sphere.angular_velocity = Vector3d(v(engine), v(engine), v(engine)) / radius;
        assembly.add(sphere);
    }
}

TEST(Granular, FallingSphereComesToRestExactlyOnTheFloor) {
    Assembly assembly(converged(), floor(), 1);
    assembly.add(sphere_at({0, 0, 5.0 * radius}));
    double z = 5.0 * radius;
    int steps = 0;
    for (; z - 1e-8 * (steps + 1) * g > radius; ++steps) {
        assembly.step();
        z -= 1e-8 * g * (steps + 1);  // dt^2 g n(n + 1)/2 in all
        ASSERT_NEAR(assembly.spheres().position[0].z(), z, 1e-15);
    }
    EXPECT_NEAR(steps * 1e-4, std::sqrt(8.0 * radius / g), 2e-4);
    assembly.step();  // ends with the gap closed
    EXPECT_NEAR(assembly.spheres().position[0].z(), radius, 1e-17);
    for (int i = 0; i < 100; ++i) assembly.step();
    EXPECT_NEAR(assembly.spheres().position[0].z(), radius, 1e-17);
    EXPECT_NEAR(assembly.energy().translation, 0.0, 1e-40);
}

TEST(Granular, ContactsAreCountedThatAreNearOverlapAndPress) {
    Stepping stepping = converged(Vector3d::Zero());
    stepping.error_reduction = 0.2;
    Assembly assembly(stepping, floor(), 1);
    assembly.add(sphere_at({0, 0, 0.9 * radius}));           // overlaps: is pushed out
    assembly.add(sphere_at({4 * radius, 0, 1.1 * radius}));  // near, at rest
    assembly.add(sphere_at({8 * radius, 0, 1.1 * radius}, {0, 0, -4.0}));  // closes its gap
    assembly.add(sphere_at({12 * radius, 0, 3.0 * radius}));               // far
    const StepReport report = assembly.step();
    EXPECT_EQ(report.contacts, 3u);
    EXPECT_EQ(report.overlapping, 1u);
    EXPECT_EQ(report.pressing, 2u);
}

/// Acceleration along x and angular acceleration times radius of a sphere on an incline.
struct Rolled {
    double v, u;
};
Rolled roll_down(double angle, double mu, int steps) {
    Stepping stepping = converged(g * Vector3d(std::sin(angle), 0, -std::cos(angle)));
    stepping.wall_mu = mu;
    Assembly assembly(stepping, floor(), 1);
    assembly.add(sphere_at({0, 0, radius}));
    for (int i = 0; i < steps; ++i) assembly.step();
    const Motion& motion = assembly.spheres().motion[0];
    return {motion.v.x() / assembly.time(), motion.u.y() / assembly.time()};
}

TEST(Granular, SphereOnAnInclineRollsWhereItSticks) {
    const double angle = 0.3;  // tan = 0.309 < 3.5 mu
    const Rolled rolled = roll_down(angle, 0.1, 500);
    EXPECT_NEAR(rolled.v, 5.0 / 7.0 * g * std::sin(angle), 1e-11);
    EXPECT_NEAR(rolled.u, rolled.v, 1e-11);
}

TEST(Granular, SphereOnASteepInclineSlips) {
    const double angle = 0.8, mu = 0.2;  // tan = 1.03 > 3.5 mu
    const Rolled rolled = roll_down(angle, mu, 500);
    EXPECT_NEAR(rolled.v, g * (std::sin(angle) - mu * std::cos(angle)), 1e-11);
    EXPECT_NEAR(rolled.u, 2.5 * mu * g * std::cos(angle), 1e-11);
}

TEST(Granular, SlidingSphereEndsRollingAtFiveSeventhsOfItsSpeed) {
    Stepping stepping = converged();
    stepping.wall_mu = 0.25;
    Assembly assembly(stepping, floor(), 1);
    assembly.add(sphere_at({0, 0, radius}, {0.7, 0, 0}));
    const double rolls_after = 2.0 * 0.7 / (7.0 * 0.25 * g);
    while (assembly.time() < 0.9 * rolls_after) assembly.step();
    EXPECT_NEAR(assembly.spheres().motion[0].v.x(), 0.7 - 0.25 * g * assembly.time(), 1e-12);
    while (assembly.time() < 1.1 * rolls_after) assembly.step();
    EXPECT_NEAR(assembly.spheres().motion[0].v.x(), 0.5, 1e-12);
    EXPECT_NEAR(assembly.spheres().motion[0].u.y(), 0.5, 1e-12);
}

TEST(Granular, CradleWithoutRestitutionMovesOnAsOne) {
    Assembly assembly(converged(Vector3d::Zero()), {}, 1);
    assembly.add(sphere_at({-1.1 * radius, 0, 0}, {1, 0, 0}));
    for (int i = 0; i < 5; ++i) assembly.add(sphere_at({(2.0 * i + 1.0) * radius, 0, 0}));
    for (int i = 0; i < 3; ++i) assembly.step();
    for (const Motion& motion : assembly.spheres().motion)
        EXPECT_NEAR(motion.v.x(), 1.0 / 6.0, 1e-12);
}

TEST(Granular, StackOfTenStands) {
    Stepping stepping = converged();
    stepping.mu = stepping.wall_mu = 0.3;
    Assembly assembly(stepping, floor(), 1);
    for (int i = 0; i < 10; ++i) assembly.add(sphere_at({0, 0, (2.0 * i + 1.0) * radius}));
    StepReport report;
    for (int i = 0; i < 200; ++i) report = assembly.step();
    EXPECT_EQ(report.pressing, 10u);
    EXPECT_LE(report.residual, stepping.tolerance);
    for (std::size_t i = 0; i < 10; ++i) {
        const double height = (2.0 * assembly.spheres().id[i] + 1.0) * radius;
        EXPECT_NEAR(assembly.spheres().position[i].z(), height, 1e-12);
    }
}

TEST(Granular, WarmStartSavesTheSweepsOfAStackAtRest) {
    Assembly assembly(converged(), floor(), 1);
    for (int i = 0; i < 10; ++i) assembly.add(sphere_at({0, 0, (2.0 * i + 1.0) * radius}));
    const int cold = assembly.step().sweeps;
    assembly.step();
    EXPECT_GT(cold, 50);
    EXPECT_LE(assembly.step().sweeps, 3);
}

TEST(Granular, RemovedSpheresLeaveTheOthersTheirImpulses) {
    Assembly assembly(converged(), floor(), 1);
    for (int i = 0; i < 10; ++i) assembly.add(sphere_at({0, 0, (2.0 * i + 1.0) * radius}));
    for (const double x : {-5.0, 3.0, 7.0}) assembly.add(sphere_at({x * radius, 0, radius}));
    for (int i = 0; i < 100; ++i) assembly.step();  // impulses are solved in any order of contacts
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < assembly.spheres().size(); ++i) {
        if (assembly.spheres().id[i] >= 10 && assembly.spheres().id[i] != 11) places.push_back(i);
    }
    assembly.remove(places);
    EXPECT_LE(assembly.step().sweeps, 3);  // cold it takes more than 50
    ASSERT_EQ(assembly.spheres().size(), 11u);
    for (std::size_t i = 0; i < 11; ++i) {
        const std::uint32_t id = assembly.spheres().id[i];
        const double height = id < 10 ? (2.0 * id + 1.0) * radius : radius;
        EXPECT_NEAR(assembly.spheres().position[i].z(), height, 1e-12);
        EXPECT_EQ(id < 10 || id == 11, true);
    }
    assembly.add(sphere_at({0, 9 * radius, radius}));
    EXPECT_EQ(assembly.spheres().id.back(), 13u);  // numbers are never used again
    EXPECT_LE(assembly.step().sweeps, 3);
}

TEST(Granular, SpheresMayAllLeave) {
    Assembly assembly(converged(), floor(), 1);
    for (int i = 0; i < 3; ++i) assembly.add(sphere_at({0, 0, (2.0 * i + 1.0) * radius}));
    assembly.step();
    const std::vector<std::uint32_t> all{0, 1, 2};
    assembly.remove(all);
    EXPECT_EQ(assembly.step().contacts, 0u);
    EXPECT_EQ(assembly.spheres().size(), 0u);
    assembly.add(sphere_at({0, 0, radius}));
    EXPECT_EQ(assembly.step().pressing, 1u);
}

TEST(Granular, PlaneThatIsPutElsewhereMeetsWhatIsThere) {
    Assembly assembly(converged(Vector3d::Zero()), {Plane{{0, 0, 0}, {0, 0, 1}, {0, 0, 2.0}}}, 1);
    assembly.add(sphere_at({0, 0, 50.0 * radius}));
    EXPECT_EQ(assembly.step().contacts, 0u);
    assembly.place(0, {0, 0, 49.0 * radius});
    EXPECT_EQ(assembly.step().pressing, 1u);
    EXPECT_NEAR(assembly.spheres().motion[0].v.z(), 2.0, 1e-13);
}

TEST(Granular, MomentumIsConserved) {
    Stepping stepping = converged(Vector3d::Zero());
    stepping.mu = 0.5;
    stepping.sweeps = 7;  // it need not converge
    stepping.error_reduction = 0.3;
    Assembly assembly(stepping, {}, 2);
    add_cloud(assembly, 6, 1.0);
    const Vector3d before = assembly.momentum();
    double mass = 0.0;
    for (const Motion& motion : assembly.spheres().motion) mass += 1.0 / motion.inverse_mass;
    std::size_t pressing = 0;
    for (int i = 0; i < 100; ++i) pressing += assembly.step().pressing;
    EXPECT_GT(pressing, 500u);
    EXPECT_LE((assembly.momentum() - before).norm(), 1e-14 * mass);
}

TEST(Granular, AngularMomentumOfTouchingSpheresIsConserved) {
    Stepping stepping = converged(Vector3d::Zero());
    stepping.mu = 0.5;
    Assembly assembly(stepping, {}, 1);
    Sphere sphere = sphere_at({0, 0, 0}, {1, 0.3, 0});
    sphere.angular_velocity = Vector3d(0, 300, 500);
    assembly.add(sphere);
    assembly.add(sphere_at({1.6 * radius, 0, 0}, {0, 0, 0.4}, 0.6 * radius));
    const Vector3d before = assembly.angular_momentum();
    const double energy = assembly.energy().total();
    EXPECT_EQ(assembly.step().pressing, 1u);
    EXPECT_LE((assembly.angular_momentum() - before).norm(), 1e-14 * before.norm());
    EXPECT_LT(assembly.energy().total(), 0.9 * energy);
}

TEST(Granular, EnergyNeverIncreases) {
    for (const Friction friction : {Friction::frictionless, Friction::maximum_dissipation}) {
        Stepping stepping = converged();
        stepping.friction = friction;
        stepping.mu = stepping.wall_mu = 0.4;
        stepping.sweeps = 2000;
        stepping.tolerance = 1e-9;
        Assembly assembly(stepping, box(14 * radius, 14 * radius, 20 * radius), 1);
        add_cloud(assembly, 5, 0.5);
        double before = assembly.energy().total();
        const double first = before;
        for (int i = 0; i < 400; ++i) {
            // What the last sweep left, on all the mass.
            const double residual = assembly.step().residual;
            ASSERT_LE(residual, 1e-6);
            const double after = assembly.energy().total();
            ASSERT_LE(after, before + 1e-6 * first) << i;
            before = after;
        }
        EXPECT_LT(before, 0.5 * first);
    }
}

TEST(Granular, ConvergedContactsTakenInEarlyDoNotOverlap) {
    Stepping stepping = converged();
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.tolerance = 1e-9;
    Assembly assembly(stepping, box(14 * radius, 14 * radius, 20 * radius), 1);
    add_cloud(assembly, 5, 0.5);
    double deepest = 0.0;
    for (int i = 0; i < 300; ++i) deepest = std::max(deepest, assembly.step().deepest_overlap);
    EXPECT_LT(deepest, 1e-3 * radius);  // of the turning of normals within a step
}

TEST(Granular, ErrorReductionTakesItsShareOfAnOverlapBack) {
    Stepping stepping = converged(Vector3d::Zero());
    stepping.error_reduction = 0.25;
    Assembly assembly(stepping, {}, 1);
    assembly.add(sphere_at({0, 0, 0}));
    assembly.add(sphere_at({1.9 * radius, 0, 0}));
    const StepReport report = assembly.step();
    EXPECT_NEAR(report.deepest_overlap, 0.1 * radius, 1e-17);
    EXPECT_NEAR((assembly.spheres().position[0] - assembly.spheres().position[1]).norm(),
                1.925 * radius, 1e-16);
    EXPECT_NEAR(report.work_of_error_reduction, 2.0 * assembly.energy().total(),
                1e-14 * report.work_of_error_reduction);
}

TEST(Granular, UnderRelaxationEndsAtTheSameMotion) {
    Vector3d v[2];
    for (int k = 0; k < 2; ++k) {
        Stepping stepping = converged(Vector3d::Zero());
        stepping.mu = 0.3;
        stepping.relaxation = k == 0 ? 1.0 : 0.5;
        Assembly assembly(stepping, {}, 1);
        assembly.add(sphere_at({0, 0, 0}, {1, 0.5, 0}));
        assembly.add(sphere_at({2 * radius, 0, 0}));
        assembly.step();
        v[k] = assembly.spheres().motion[0].v;
    }
    EXPECT_LE((v[0] - v[1]).norm(), 1e-13);
    EXPECT_GT(v[0].y(), 0.1);
}

TEST(Granular, MovingWallTakesASphereAlong) {
    Assembly assembly(converged(Vector3d::Zero()), {Plane{{0, 0, 0}, {0, 0, 1}, {0, 0, 2.0}}}, 1);
    const Sphere sphere = sphere_at({0, 0, 3.0 * radius});
    assembly.add(sphere);
    double work = 0.0;
    for (int i = 0; i < 20; ++i) work += assembly.step().work_of_walls;
    EXPECT_NEAR(assembly.spheres().motion[0].v.z(), 2.0, 1e-13);
    EXPECT_NEAR(assembly.spheres().position[0].z(), 2.0 * 20e-4 + radius, 1e-15);
    EXPECT_NEAR(work, sphere.mass * 4.0, 1e-14 * work);  // twice the kinetic energy
}

TEST(Granular, SphereRestsOnABlockAndBesideACylinder) {
    const std::vector<Wall> walls{Plane{}, Block{{-1, -1, 0}, {1, 1, 2 * radius}},
                                  Cylinder{{0, 0, 0}, {0, 0, 1}, 5 * radius}};
    Assembly assembly(converged({-g, 0, -g}), walls, 1);
    assembly.add(sphere_at({7 * radius, 0, 4 * radius}));
    for (int i = 0; i < 500; ++i) assembly.step();
    const Vector3d expected{6 * radius, 0, 3 * radius};
    EXPECT_LE((assembly.spheres().position[0] - expected).norm(), 1e-14);
}

Stepping usual() {
    Stepping stepping = converged();
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.sweeps = 10;
    stepping.error_reduction = 0.2;
    return stepping;
}

TEST(Granular, MotionIsTheSameOnAnyNumberOfThreads) {
    const auto moved = [](int threads) {
        Assembly assembly(usual(), box(22 * radius, 22 * radius, 40 * radius), threads);
        add_cloud(assembly, 10, 0.5);
        int listings = 0;
        for (int i = 0; i < 60; ++i) {
            if (assembly.is_pair_list_old()) ++listings;
            assembly.step();
        }
        EXPECT_GT(listings, 2);
        return assembly.state();
    };
    const std::vector<double> one = moved(1);
    EXPECT_EQ(moved(2), one);
    EXPECT_EQ(moved(5), one);
}

TEST(Granular, RestoredAssemblyGoesOnWithTheSameBits) {
    const auto fresh = [] {
        return Assembly(usual(), box(14 * radius, 14 * radius, 20 * radius), 1);
    };
    for (const int steps : {0, 1, 37, 80}) {
        Assembly whole = fresh();
        add_cloud(whole, 5, 0.5);
        for (int i = 0; i < steps; ++i) whole.step();
        Assembly resumed = fresh();
        resumed.restore(whole.state());
        for (int i = 0; i < 50; ++i) {
            whole.step();
            resumed.step();
        }
        EXPECT_EQ(resumed.state(), whole.state()) << steps;
    }
}

TEST(Granular, TellsWhenTheMotionLeavesTheFiniteNumbers) {
    Assembly assembly(converged(), {}, 1);
    assembly.add(sphere_at({0, 0, 0}, {1e308, 1e308, 0}));
    bool is_finite = true;
    for (int i = 0; i < 3 && is_finite; ++i) is_finite = assembly.step().is_finite;
    EXPECT_FALSE(is_finite);
}

}  // namespace
