// Rigid clumps against closed forms and conservation laws.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include <stoss/granular/assembly.hpp>
#include <stoss/rigid/bodies.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace {

using namespace stoss;
using namespace stoss::granular;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double g = 9.81, radius = 1e-3, density = 2650.0;

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

Clump clump_of(const std::vector<Member>& spheres) {
    const MassProperties solid = mass_properties(spheres);
    const PrincipalAxes principal = principal_axes(solid.inertia);
    Clump clump;
    for (const Member& sphere : spheres)
        clump.members.push_back(
            {principal.axes.conjugate() * (sphere.place - solid.centre), sphere.radius});
    clump.mass = density * solid.volume;
    clump.inertia = density * principal.moments;
    return clump;
}

/// Two touching spheres along x, the centre between them.
Clump dumbbell() {
    return clump_of({{{-radius, 0, 0}, radius}, {{radius, 0, 0}, radius}});
}

/// Without gravity and walls.
Assembly floating(double step) {
    Stepping stepping = converged(Vector3d::Zero());
    stepping.step = step;
    return Assembly(stepping, {}, 1);
}

TEST(TorqueFree, SolvesTheMidpointRuleOrIsNoNumber) {
    const Vector3d inertia(1.0, 2.0, 3.0);
    int solved = 0, unsolved = 0;
    for (double turn = 0.01; turn < 1e3; turn *= 1.3) {
        for (const Vector3d& way : {Vector3d(1, 2, 3), Vector3d(3, 1, 0.1), Vector3d(1, 5, 0.2)}) {
            const Vector3d w = turn * way.normalized();
            const Vector3d after = torque_free(inertia, w, 1.0), middle = 0.5 * (w + after);
            const Vector3d L = inertia.cwiseProduct(middle);
            const Vector3d rest = inertia.cwiseProduct(after - w) + middle.cross(L);
            const bool is_solved = rest.norm() <= 1e-8 * middle.norm() * (3.0 + L.norm());
            EXPECT_NE(is_solved, after.hasNaN()) << turn;
            EXPECT_TRUE(is_solved || turn > 0.5) << turn;
            ++(is_solved ? solved : unsolved);
        }
    }
    EXPECT_GT(solved, 0);
    EXPECT_GT(unsolved, 0);
}

/// Moments 1, 2, 3 times 1e-9 kg m^2, which turns about all three axes.
Clump asymmetric() {
    Clump clump;
    clump.members = {{Vector3d::Zero(), radius}};
    clump.mass = 1e-3;
    clump.inertia = 1e-9 * Vector3d(1.0, 2.0, 3.0);
    clump.orientation = Quaterniond(0.5, 0.1, -0.7, 0.5).normalized();
    clump.angular_velocity = clump.orientation * Vector3d(0.3, 1.0, 0.2);
    return clump;
}

TEST(Clumps, TorqueFreeBodyKeepsItsEnergyAndTheSizeOfItsAngularMomentum) {
    Assembly assembly = floating(0.05);
    assembly.add(asymmetric());
    const double energy = assembly.energy().rotation, size = assembly.angular_momentum().norm();
    for (int i = 0; i < 2000; ++i) assembly.step();  // over ten tumbles
    EXPECT_NEAR(assembly.energy().rotation, energy, 1e-12 * energy);
    EXPECT_NEAR(assembly.angular_momentum().norm(), size, 1e-12 * size);
}

/// How far the angular momentum has turned after 10 s [rad].
double turned(double step) {
    Assembly assembly = floating(step);
    assembly.add(asymmetric());
    const Vector3d before = assembly.angular_momentum();
    while (assembly.time() < 10.0 - 0.5 * step) assembly.step();
    return (assembly.angular_momentum() - before).norm() / before.norm();
}

TEST(Clumps, TorqueFreeBodyTurnsItsAngularMomentumWithTheFirstOrderOfTheStep) {
    const double coarse = turned(1e-2), fine = turned(5e-3), finer = turned(2.5e-3);
    EXPECT_LT(coarse, 0.05);
    EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.1);
    EXPECT_NEAR(std::log2(fine / finer), 1.0, 0.1);
}

/// Distance of the angular velocity, along the principal axes, from what it was a period before.
/// I_1 < I_2 < I_3, 2 E I_2 > L^2: the period is 4 K(k)/lambda (Landau & Lifshitz, Mechanics, 37).
double missed_after_a_period(int steps) {
    const Vector3d I(1.0, 2.0, 3.0), w(0.3, 1.0, 0.2);
    const double E2 = w.dot(I.cwiseProduct(w)), L2 = I.cwiseProduct(w).squaredNorm();
    const bool about_third = L2 > E2 * I[1];
    const Vector3d J = about_third ? I : Vector3d(I.reverse());
    const double lambda = std::sqrt((J[2] - J[1]) * (L2 - E2 * J[0]) / I.prod());
    const double k =
        std::sqrt((J[1] - J[0]) * (E2 * J[2] - L2) / ((J[2] - J[1]) * (L2 - E2 * J[0])));
    const double period = 4.0 * std::comp_ellint_1(k) / lambda;
    Vector3d now = w;
    for (int i = 0; i < steps; ++i) now = torque_free(I, now, period / steps);
    return (now - w).norm();
}

TEST(Clumps, AsymmetricBodyTumblesWithItsPeriodToTheSecondOrder) {
    const double coarse = missed_after_a_period(200), fine = missed_after_a_period(400);
    EXPECT_LT(fine, 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.05);
}

/// Error of the axis [rad] of a spinning symmetric top after one turn about its angular momentum,
/// which takes 2 pi I_1/L.
double axis_missed(int steps) {
    Clump top;
    top.members = {{Vector3d::Zero(), radius}};
    top.mass = 1e-3;
    top.inertia = 1e-9 * Vector3d(2.0, 2.0, 3.0);
    top.angular_velocity = {0.6, 0.0, 2.0};
    const double L = top.inertia.cwiseProduct(top.angular_velocity).norm();
    Assembly assembly = floating(2.0 * std::numbers::pi * top.inertia.x() / L / steps);
    assembly.add(top);
    for (int i = 0; i < steps; ++i) assembly.step();
    return (assembly.bodies().orientation[0] * Vector3d::UnitZ() - Vector3d::UnitZ()).norm();
}

TEST(Clumps, SpinningTopIsBackAfterAPrecessionToTheSecondOrder) {
    const double coarse = axis_missed(500), fine = axis_missed(1000);
    EXPECT_LT(fine, 1e-4);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.01);
}

TEST(Clumps, TurnAboutAPrincipalAxisIsSteady) {
    Assembly assembly = floating(1e-3);
    Clump clump = dumbbell();
    clump.angular_velocity = {0, 0, 50.0};
    assembly.add(clump);
    for (int i = 0; i < 100; ++i) assembly.step();
    EXPECT_LE((assembly.bodies().motion[0].omega - Vector3d(0, 0, 50.0)).norm(), 1e-12);
    // (q + dt/2 omega q) turns by 2 atan(dt omega/2).
    const double angle = 100.0 * 2.0 * std::atan(0.5e-3 * 50.0);
    const Vector3d x = radius * Vector3d(std::cos(angle), std::sin(angle), 0.0);
    const std::size_t second = assembly.spheres().id[0] == 1 ? 0 : 1;
    EXPECT_LE((assembly.spheres().position[second] - x).norm(), 1e-12 * radius);
    EXPECT_NEAR(assembly.spheres().motion[second].v.norm(), 50.0 * radius, 1e-12);
}

/// A cylinder along y: two spheres with its moment of inertia m r^2/2. Returns v_x and r omega_y
/// over the time.
std::pair<double, double> rolled(Friction friction, double angle, double mu) {
    Stepping stepping = converged(g * Vector3d(std::sin(angle), 0, -std::cos(angle)));
    stepping.friction = friction;
    stepping.wall_mu = mu;
    Assembly assembly(stepping, {Plane{}}, 1);
    Clump cylinder;
    cylinder.members = {{{0, -2 * radius, 0}, radius}, {{0, 2 * radius, 0}, radius}};
    cylinder.mass = 1e-5;
    cylinder.inertia = 1e-5 * radius * radius * Vector3d(2.0, 0.5, 2.0);
    cylinder.position = {0, 0, radius};
    assembly.add(cylinder);
    for (int i = 0; i < 200; ++i) assembly.step();
    EXPECT_NEAR(assembly.bodies().position[0].z(), radius, 1e-12);
    const BodyMotion& motion = assembly.bodies().motion[0];
    return {motion.v.x() / assembly.time(), radius * motion.omega.y() / assembly.time()};
}

TEST(Clumps, CylinderRollsDownAnInclineWithTwoThirdsOfTheSlope) {
    for (const Friction friction : {Friction::coulomb, Friction::maximum_dissipation}) {
        const double angle = 0.3;  // tan = 0.309 < 3 mu
        const auto rolling = rolled(friction, angle, 0.15);
        EXPECT_NEAR(rolling.first, 2.0 / 3.0 * g * std::sin(angle), 1e-9);
        EXPECT_NEAR(rolling.second, rolling.first, 1e-9);
    }
}

TEST(Clumps, CylinderOnASteepInclineSlips) {
    const double angle = 0.8, mu = 0.2;  // tan = 1.03 > 3 mu
    const auto slipping = rolled(Friction::coulomb, angle, mu);
    EXPECT_NEAR(slipping.first, g * (std::sin(angle) - mu * std::cos(angle)), 1e-9);
    EXPECT_NEAR(slipping.second, 2.0 * mu * g * std::cos(angle), 1e-9);
    // At each sphere, 2 r from the middle, A_no = +-1/m and A_nn = 3/m. Maximum dissipation turns
    // friction out of the slip's direction by asin(mu A_no/A_nn), left and right (theory, 15).
    const double share = std::sqrt(1.0 - mu * mu / 9.0);
    const auto most = rolled(Friction::maximum_dissipation, angle, mu);
    EXPECT_NEAR(most.first, g * (std::sin(angle) - share * mu * std::cos(angle)), 1e-9);
    EXPECT_NEAR(most.second, share * 2.0 * mu * g * std::cos(angle), 1e-9);
}

/// A leaning dumbbell that strikes the floor obliquely with its lower sphere: kinetic energy left.
double energy_left(Friction friction, const Clump& clump, double mu) {
    Stepping stepping = converged(Vector3d::Zero());
    stepping.friction = friction;
    stepping.wall_mu = mu;
    stepping.step = 1e-9;  // so that it hardly turns
    Assembly assembly(stepping, {Plane{}}, 1);
    assembly.add(clump);
    EXPECT_EQ(assembly.step().pressing, 1u);
    return assembly.energy().total();
}

TEST(Clumps, ImpactIsThatOfTheTwoContactModels) {
    Clump clump = dumbbell();
    clump.orientation = Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(0.2, 1.0, 0.0).normalized()));
    clump.velocity = {0.8, 0.3, -1.0};
    const Vector3d lower = clump.orientation * Vector3d(radius, 0, 0);
    ASSERT_LT(lower.z(), 0.0);
    clump.position = {0, 0, radius - lower.z()};
    const double mu = 0.3;
    rigid::RigidBody body;
    body.mass = clump.mass;
    body.inertia = clump.inertia.asDiagonal();
    body.orientation = clump.orientation;
    body.position = clump.position;
    body.velocity = clump.velocity;
    const rigid::ContactProblem problem = rigid::contact_problem(
        body, rigid::RigidBody::fixed(),
        rigid::ContactFrame::of_normal(clump.position + lower - Vector3d(0, 0, radius),
                                       Vector3d::UnitZ()),
        mu);
    const double before = rigid::kinetic_energy(body);
    const rigid::ContactSolution most = rigid::maximum_dissipation(problem);
    const rigid::CoulombSolutions coulomb = rigid::coulomb_solutions(problem);
    ASSERT_EQ(coulomb.count, 1u);
    ASSERT_EQ(most.branch, rigid::Branch::slide);
    EXPECT_NEAR(energy_left(Friction::maximum_dissipation, clump, mu),
                before - most.dissipated_energy, 1e-9 * before);
    EXPECT_NEAR(energy_left(Friction::coulomb, clump, mu),
                before - coulomb.solution[0].dissipated_energy, 1e-9 * before);
    EXPECT_GT(most.dissipated_energy, 1.00005 * coulomb.solution[0].dissipated_energy);
}

TEST(Clumps, ClumpOfOneSphereMovesAsTheFreeSphere) {
    Stepping stepping = converged();
    stepping.mu = stepping.wall_mu = 0.25;
    Assembly free(stepping, {Plane{}}, 1), clumps(stepping, {Plane{}}, 1);
    for (const double x : {0.0, 2.2, 4.1}) {
        Sphere sphere;
        sphere.position = {x * radius, 0.1 * x * radius, radius};
        sphere.velocity = {0.5 - 0.2 * x, 0, 0};
        sphere.angular_velocity = {0, 0, 100.0};
        sphere.radius = radius;
        Clump clump = clump_of({{Vector3d::Zero(), radius}});
        sphere.mass = clump.mass;
        clump.position = sphere.position;
        clump.velocity = sphere.velocity;
        clump.angular_velocity = sphere.angular_velocity;
        free.add(sphere);
        clumps.add(clump);
    }
    std::size_t pressing = 0;
    for (int i = 0; i < 200; ++i) {
        pressing += free.step().pressing;
        clumps.step();
    }
    EXPECT_GT(pressing, 600u);  // those with the floor
    for (std::size_t i = 0; i < 3; ++i) {
        const Sphere a = free.spheres()[i], b = clumps.spheres()[i];
        EXPECT_EQ(free.spheres().id[i], clumps.spheres().id[i]);
        EXPECT_LE((a.position - b.position).norm(), 1e-9 * radius);
        EXPECT_LE((a.velocity - b.velocity).norm(), 1e-9);
        EXPECT_LE((a.angular_velocity - b.angular_velocity).norm(), 1e-9 / radius);
    }
}

std::vector<Wall> box(double x, double y, double z) {
    return {Plane{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, Plane{{x, 0, 0}, {-1, 0, 0}, {0, 0, 0}},
            Plane{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}, Plane{{0, y, 0}, {0, -1, 0}, {0, 0, 0}},
            Plane{{0, 0, 0}, {0, 0, 1}, {0, 0, 0}}, Plane{{0, 0, z}, {0, 0, -1}, {0, 0, 0}}};
}

/// edge^3 dumbbells and triangles at any angle, in random motion.
void add_cloud(Assembly& assembly, int edge, double speed) {
    std::mt19937 engine(11);
    std::uniform_real_distribution<double> random(-1.0, 1.0);
    const auto vector = [&] { return Vector3d(random(engine), random(engine), random(engine)); };
    const Clump triangle =
        clump_of({{{0, 0, 0}, radius}, {{radius, 0, 0}, 0.8 * radius}, {{0, radius, 0}, radius}});
    for (int i = 0; i < edge * edge * edge; ++i) {
        Clump clump = i % 2 ? dumbbell() : triangle;
        clump.position =
            4.1 * radius * Vector3d(i % edge + 0.5, i / edge % edge + 0.5, i / edge / edge + 0.5);
        clump.orientation =
            Quaterniond(random(engine), random(engine), random(engine), 1.0).normalized();
        clump.velocity = speed * vector();
        clump.angular_velocity = speed / radius * vector();
        assembly.add(clump);
    }
}

TEST(Clumps, StackOfTenStands) {
    Stepping stepping = converged();
    stepping.mu = stepping.wall_mu = 0.3;
    Assembly assembly(stepping, {Plane{}}, 1);
    Clump clump = dumbbell();
    for (int i = 0; i < 10; ++i) {
        clump.position = {0, 0, (2.0 * i + 1.0) * radius};
        assembly.add(clump);
    }
    StepReport report;
    for (int i = 0; i < 100; ++i) report = assembly.step();
    EXPECT_EQ(report.pressing, 20u);
    for (std::size_t i = 0; i < 10; ++i) {
        const double height = (2.0 * static_cast<double>(i) + 1.0) * radius;
        EXPECT_NEAR(assembly.bodies().position[i].z(), height, 1e-11);
        EXPECT_LE(assembly.bodies().motion[i].omega.norm(), 1e-9);
    }
}

TEST(Clumps, DumbbellLeansOnABlockAndACylinder) {
    // The block is 2 radii high, the cylinder along y and its top as high: the clump lies level.
    const std::vector<Wall> walls{Plane{}, Block{{-9e-3, -9e-3, 0}, {0, 9e-3, 2 * radius}},
                                  Cylinder{{2 * radius, 0, 0}, {0, 1, 0}, 2 * radius}};
    Assembly assembly(converged(), walls, 1);
    Clump clump = dumbbell();
    clump.position = {radius, 0, 3 * radius};
    assembly.add(clump);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(assembly.step().pressing, 2u);
    EXPECT_LE((assembly.bodies().position[0] - clump.position).norm(), 1e-12);
}

TEST(Clumps, MomentumIsConserved) {
    Stepping stepping = converged(Vector3d::Zero());
    stepping.mu = 0.5;
    stepping.sweeps = 5;
    Assembly assembly(stepping, {}, 2);
    add_cloud(assembly, 4, 1.0);
    const Vector3d before = assembly.momentum();
    double mass = 0.0;
    for (const BodyMotion& body : assembly.bodies().motion) mass += 1.0 / body.inverse_mass;
    std::size_t pressing = 0;
    for (int i = 0; i < 60; ++i) pressing += assembly.step().pressing;
    EXPECT_GT(pressing, 100u);
    EXPECT_LE((assembly.momentum() - before).norm(), 1e-14 * mass);
}

TEST(Clumps, EnergyNeverIncreases) {
    for (const Friction friction : {Friction::coulomb, Friction::maximum_dissipation}) {
        Stepping stepping = converged();
        stepping.friction = friction;
        stepping.mu = stepping.wall_mu = 0.4;
        stepping.sweeps = 2000;
        stepping.tolerance = 1e-8;
        Assembly assembly(stepping, box(14 * radius, 14 * radius, 20 * radius), 1);
        add_cloud(assembly, 3, 0.3);
        const double first = assembly.energy().total();
        double before = first;
        for (int i = 0; i < 150; ++i) {
            ASSERT_LE(assembly.step().residual, 1e-6);
            const double after = assembly.energy().total();
            ASSERT_LE(after, before + 1e-6 * first) << i;
            before = after;
        }
        EXPECT_LT(before, 0.7 * first);
    }
}

Stepping usual(Friction friction) {
    Stepping stepping = converged();
    stepping.friction = friction;
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.sweeps = 5;
    stepping.error_reduction = 0.2;
    return stepping;
}

TEST(Clumps, MotionIsTheSameOnAnyNumberOfThreads) {
    const auto moved = [](int threads) {
        Assembly assembly(usual(Friction::maximum_dissipation),
                          box(22 * radius, 22 * radius, 40 * radius), threads);
        add_cloud(assembly, 5, 0.5);
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

TEST(Clumps, RestoredAssemblyGoesOnWithTheSameBits) {
    const auto fresh = [] {
        return Assembly(usual(Friction::coulomb), box(14 * radius, 14 * radius, 20 * radius), 1);
    };
    for (const int steps : {0, 1, 37}) {
        Assembly whole = fresh();
        add_cloud(whole, 3, 0.5);
        for (int i = 0; i < steps; ++i) whole.step();
        Assembly resumed = fresh();
        resumed.restore(whole.state());
        for (int i = 0; i < 30; ++i) {
            whole.step();
            resumed.step();
        }
        EXPECT_EQ(resumed.state(), whole.state()) << steps;
    }
}

}  // namespace
