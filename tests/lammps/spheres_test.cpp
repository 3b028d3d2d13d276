// Spheres shared by processes: what is kept, and what one process would compute. mpirun starts this
// program 1, 2 or 4 times; the first process runs the tests, the others compute with it.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include <solvers/distributed/messages.hpp>
#include <solvers/distributed/ranks.hpp>
#include <solvers/distributed/sphere_stream.hpp>

namespace stoss::tests {
namespace {

using Eigen::Vector3d;
using solvers::SphereStream;

constexpr double radius = 0.5e-3, density = 2500.0;

/// A cube of n x n x n spheres about the origin that falls into itself.
std::vector<granular::Sphere> cloud(int n) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> random(-1.0, 1.0);
    std::vector<granular::Sphere> spheres;
    for (int k = 0; k < n * n * n; ++k) {
        granular::Sphere sphere;
        const Vector3d place(k % n, k / n % n, k / n / n);
        sphere.position = 2.2 * radius * (place - 0.5 * (n - 1) * Vector3d::Ones());
        sphere.velocity = -100.0 * sphere.position;
        for (double& component : sphere.velocity) component += 0.1 * random(engine);
        for (double& component : sphere.angular_velocity) component = 200.0 * random(engine);
        sphere.radius = radius * (1.0 - 0.1 * std::abs(random(engine)));
        sphere.mass = density * 4.0 / 3.0 * std::numbers::pi * std::pow(sphere.radius, 3);
        spheres.push_back(sphere);
    }
    return spheres;
}

granular::Stepping stepping() {
    granular::Stepping stepping;
    stepping.step = 2e-5;
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.error_reduction = 0.0;
    stepping.margin = 0.2 * radius;
    stepping.skin = 0.2 * radius;
    return stepping;
}

/// A converged step without friction: its velocities are the only solution.
granular::Stepping exact() {
    granular::Stepping stepping = tests::stepping();
    stepping.friction = granular::Friction::frictionless;
    stepping.sweeps = 20000;
    stepping.tolerance = 1e-13;
    return stepping;
}

/// In a box of 2 x `size`; by default nothing reaches its border.
std::unique_ptr<SphereStream> shared(const granular::Stepping& stepping,
                                     const std::vector<granular::Wall>& walls = {},
                                     double size = 0.1) {
    return solvers::distributed_stream(stepping, walls, Vector3d::Constant(-size),
                                       Vector3d::Constant(size), radius);
}

Vector3d momentum(const granular::Spheres& spheres) {
    Vector3d sum = Vector3d::Zero();
    for (const granular::Motion& motion : spheres.motion) sum += motion.v / motion.inverse_mass;
    return sum;
}

/// Sum of |m v|: what roundoff of the momentum is measured by.
double size_of_momentum(const granular::Spheres& spheres) {
    double sum = 0.0;
    for (const granular::Motion& motion : spheres.motion)
        sum += motion.v.norm() / motion.inverse_mass;
    return sum;
}

std::map<std::uint32_t, granular::Sphere> by_number(const granular::Spheres& spheres) {
    std::map<std::uint32_t, granular::Sphere> all;
    for (std::size_t i = 0; i < spheres.size(); ++i) all[spheres.id[i]] = spheres[i];
    return all;
}

/// Largest difference of two velocities of the same sphere [m/s].
double difference(const granular::Spheres& one, const granular::Spheres& other) {
    const auto first = by_number(one), second = by_number(other);
    EXPECT_EQ(first.size(), second.size());
    double largest = 0.0;
    for (const auto& [number, sphere] : first)
        largest = std::max(largest, (sphere.velocity - second.at(number).velocity).norm());
    return largest;
}

// Energy never grows in a converged step; momentum is kept in any.
TEST(SharedSpheres, MomentumIsKeptToRoundoffAndEnergyNeverGrows) {
    granular::Stepping many_sweeps = stepping();
    many_sweeps.sweeps = 50;
    const auto stream = shared(many_sweeps);
    stream->add(cloud(8));
    const Vector3d before = momentum(stream->spheres());
    const double scale = size_of_momentum(stream->spheres());
    double energy = stream->energy().total();
    std::size_t pressing = 0;
    for (int k = 0; k < 300; ++k) {
        const solvers::StreamStep step = stream->step();
        pressing += step.report.pressing;
        EXPECT_LE(step.energy, energy * (1.0 + 1e-14)) << k;
        energy = step.energy;
    }
    EXPECT_GT(pressing, 20000u);
    EXPECT_EQ(stream->size(), 512u);
    EXPECT_LT((momentum(stream->spheres()) - before).norm(), 1e-14 * scale);
}

TEST(SharedSpheres, AConvergedStepIsThatOfOneProcess) {
    const auto stream = shared(exact());
    const auto alone = solvers::local_stream(exact(), {}, 0.1, 1);
    stream->add(cloud(5));
    alone->add(cloud(5));
    std::size_t pressing = 0;
    for (int k = 0; k < 60; ++k) {
        pressing += alone->step().report.pressing;
        EXPECT_LT(stream->step().report.residual, 1e-13) << k;
    }
    EXPECT_GT(pressing, 500u);
    EXPECT_LT(difference(stream->spheres(), alone->spheres()), 1e-9);
}

TEST(SharedSpheres, PushedByWallsTheyMoveAsInOneProcess) {
    const auto stepping = [] {
        granular::Stepping stepping = exact();
        stepping.gravity = {0.0, 0.0, -9.81};
        return stepping;
    }();
    const std::vector<granular::Wall> walls{
        granular::Plane{{0, 0, -2.2e-3}, {0, 0, 1}, {0, 0, 0.3}},
        granular::Plane{{-2.2e-3, 0, 0}, {1, 0, 0}, {0.3, 0, 0}}};
    const auto stream = shared(stepping, walls);
    const auto alone = solvers::local_stream(stepping, walls, 0.1, 1);
    stream->add(cloud(4));
    alone->add(cloud(4));
    solvers::StreamStep step, other;
    for (int k = 0; k < 40; ++k) {
        step = stream->step();
        other = alone->step();
        EXPECT_NEAR(step.energy, other.energy, 1e-9 * other.energy) << k;
        EXPECT_EQ(step.report.contacts, other.report.contacts) << k;
    }
    EXPECT_GT(other.report.work_of_walls, 0.0);
    EXPECT_NEAR(step.report.work_of_walls, other.report.work_of_walls,
                1e-6 * other.report.work_of_walls);
    EXPECT_LT(difference(stream->spheres(), alone->spheres()), 1e-8);
}

TEST(SharedSpheres, AStateIsTakenUpWithItsImpulses) {
    std::vector<double> state;
    granular::Spheres before;
    solvers::StreamStep next;
    {
        const auto stream = shared(stepping());
        stream->add(cloud(6));
        for (int k = 0; k < 80; ++k) stream->step();
        state = stream->state();
        before = stream->spheres();
        next = stream->step();
    }
    const auto stream = shared(stepping());
    stream->restore(state);
    EXPECT_EQ(stream->steps(), 80u);
    EXPECT_EQ(difference(stream->spheres(), before), 0.0);
    EXPECT_EQ(stream->state().size(), state.size());
    const solvers::StreamStep again = stream->step();
    EXPECT_EQ(again.report.contacts, next.report.contacts);
    // The contacts are in another order; without their impulses the step is another.
    state.resize(3 + static_cast<std::size_t>(state[2]));
    stream->restore(state);
    const solvers::StreamStep cold = stream->step();
    EXPECT_EQ(cold.report.contacts, next.report.contacts);
    EXPECT_LT(std::abs(again.energy - next.energy), 0.1 * std::abs(cold.energy - next.energy));
}

TEST(SharedSpheres, WhatPassesTheOutletIsLetOut) {
    const auto stream = shared(stepping(), {}, 5e-3);
    std::vector<granular::Sphere> spheres = cloud(3);
    for (granular::Sphere& sphere : spheres) sphere.velocity = {1.0, 0.0, 0.0};
    stream->add(spheres);
    for (int k = 0; k < 400; ++k) {
        ASSERT_TRUE(stream->step().report.is_finite);
        if (k == 100) stream->add(cloud(2));  // these stay
    }
    EXPECT_EQ(stream->size(), 8u);
    EXPECT_EQ(by_number(stream->spheres()).begin()->first, 27u);
}

TEST(SharedSpheres, WhatLeavesElsewhereIsNoMotion) {
    const auto stream = shared(stepping(), {}, 5e-3);
    std::vector<granular::Sphere> spheres = cloud(2);
    for (granular::Sphere& sphere : spheres) sphere.velocity = {0.0, 2.0, 0.0};
    stream->add(spheres);
    bool is_valid = true;
    for (int k = 0; k < 200; ++k) is_valid = stream->step().report.is_finite && is_valid;
    EXPECT_FALSE(is_valid);
}

/// What all processes exchange before the tests: messages in pieces of three numbers.
struct Exchanged {
    int processes = 0;
    std::vector<double>
        gathered;  // of process k: k, k + 0.5, ... (4 k of them), then what was broadcast
    std::vector<double> broadcast;  // 0, 1, ... 7
};
Exchanged exchanged;

void exchange(int process, int processes) {
    constexpr std::size_t piece = 3;
    exchanged.processes = processes;
    exchanged.broadcast.assign(8, -1.0);
    if (process == 0) std::iota(exchanged.broadcast.begin(), exchanged.broadcast.end(), 0.0);
    solvers::broadcast(exchanged.broadcast, piece);
    std::vector<double> numbers;
    for (int k = 0; k < 4 * process; ++k) numbers.push_back(process + 0.5 * k);
    numbers.insert(numbers.end(), exchanged.broadcast.begin(), exchanged.broadcast.end());
    exchanged.gathered = solvers::gathered(numbers, piece);
}

TEST(Messages, InPiecesArriveWholeAndInOrder) {
    std::vector<double> expected;
    for (int process = 0; process < exchanged.processes; ++process) {
        for (int k = 0; k < 4 * process; ++k) expected.push_back(process + 0.5 * k);
        for (int k = 0; k < 8; ++k) expected.push_back(k);
    }
    EXPECT_EQ(exchanged.gathered, expected);
}

}  // namespace
}  // namespace stoss::tests

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const stoss::solvers::Ranks ranks;
    if (ranks.count() > 0) stoss::tests::exchange(ranks.number(), ranks.count());
    if (ranks.is_first()) return RUN_ALL_TESTS();
    ranks.follow();
    return 0;
}
