// Steps that need no more room than steps before them take no memory. An executable of its own: it
// replaces the operators that give memory.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include <stoss/granular/assembly.hpp>
#include <stoss/granular/sphere_collision.hpp>

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* const place = std::malloc(size)) return place;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    ++allocations;
    return std::malloc(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    ++allocations;
    const auto step = static_cast<std::size_t>(alignment);
    if (void* const place = std::aligned_alloc(step, (size + step - 1) / step * step)) return place;
    throw std::bad_alloc();
}
// Not inlined: g++ would warn of a free() that belongs to no malloc().
[[gnu::noinline]] void operator delete(void* place) noexcept {
    std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t /*size*/) noexcept {
    std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, const std::nothrow_t& /*tag*/) noexcept {
    std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::align_val_t /*alignment*/) noexcept {
    std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t /*size*/,
                                       std::align_val_t /*alignment*/) noexcept {
    std::free(place);
}

namespace {

using namespace stoss::granular;

/// How often 200 steps list the pairs.
int listings_in_200_steps(Assembly& assembly) {
    int listings = 0;
    for (int i = 0; i < 200; ++i) {
        if (assembly.is_pair_list_old()) ++listings;
        assembly.step();
    }
    return listings;
}

TEST(GranularAllocation, StepsThatWereTakenBeforeTakeNoMemory) {
    constexpr double radius = 1e-3;
    Stepping stepping;
    stepping.step = 1e-4;
    stepping.gravity = {0, 0, -9.81};
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.margin = stepping.skin = 0.4 * radius;
    Assembly assembly(stepping, {Plane{}}, 1);
    for (int i = 0; i < 216; ++i) {
        const Eigen::Vector3d place(i % 6, i / 6 % 6, 0.5 + i / 36);
        assembly.add({2.05 * radius * place, {0.01 * (i % 7), 0, 0}, {0, 0, 0}, radius, 1e-5});
    }
    const std::vector<double> start = assembly.state();
    for (int i = 0; i < 200; ++i) assembly.step();
    assembly.restore(start);
    const std::size_t before = allocations;
    EXPECT_GT(listings_in_200_steps(assembly), 3);
    EXPECT_EQ(allocations, before);
    EXPECT_GT(before, 0u);  // the count counts
}

TEST(GranularAllocation, StepsOfClumpsThatWereTakenBeforeTakeNoMemory) {
    constexpr double radius = 1e-3;
    for (const Friction friction : {Friction::coulomb, Friction::maximum_dissipation}) {
        Stepping stepping;
        stepping.step = 1e-4;
        stepping.gravity = {0, 0, -9.81};
        stepping.friction = friction;
        stepping.mu = stepping.wall_mu = 0.4;
        stepping.margin = stepping.skin = 0.4 * radius;
        Assembly assembly(stepping, {Plane{}}, 1);
        for (int i = 0; i < 64; ++i) {
            Clump clump;
            clump.members = {{{-radius, 0, 0}, radius}, {{radius, 0, 0}, radius}};
            clump.mass = 2e-5;
            clump.inertia = {8e-12, 28e-12, 28e-12};
            clump.position = 4.1 * radius * Eigen::Vector3d(i % 4, i / 4 % 4, 0.5 + i / 16);
            clump.angular_velocity = {0.0, 10.0 * (i % 7), 5.0};
            assembly.add(clump);
        }
        const std::vector<double> start = assembly.state();
        for (int i = 0; i < 200; ++i) assembly.step();
        assembly.restore(start);
        const std::size_t before = allocations;
        EXPECT_GT(listings_in_200_steps(assembly), 3);
        EXPECT_EQ(allocations, before);
    }
}

TEST(GranularAllocation, SpheresThatComeAndGoTakeNoMemory) {
    constexpr double radius = 1e-3;
    Stepping stepping;
    stepping.step = 1e-4;
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.margin = stepping.skin = 0.4 * radius;
    Assembly assembly(stepping, {Plane{}}, 1);
    std::vector<std::uint32_t> leaving;
    leaving.reserve(1000);
    // A layer of 25 comes in every 20 steps at 1 m/s; what is 20 radii away leaves.
    const auto run = [&](int steps) {
        for (int k = 0; k < steps; ++k) {
            for (int i = 0; k % 20 == 0 && i < 25; ++i) {
                const Eigen::Vector3d place(0.1 * (k % 3) + i % 5, i / 5, 0.5);
                assembly.add({2.05 * radius * place, {0, 0, 1}, {0, 0, 0}, radius, 1e-5});
            }
            leaving.clear();
            for (std::uint32_t i = 0; i < assembly.spheres().size(); ++i) {
                if (assembly.spheres().position[i].z() > 20 * radius) leaving.push_back(i);
            }
            if (!leaving.empty()) assembly.remove(leaving);
            assembly.step();
        }
    };
    run(1200);
    const std::size_t before = allocations;
    run(1200);
    EXPECT_EQ(allocations, before);
    EXPECT_LT(assembly.spheres().size(), 400u);
    EXPECT_GT(assembly.spheres().id.back(), 2000u);
}

CompliantStepping compliant_stepping(double step, double skin, double stiffness) {
    CompliantStepping stepping;
    stepping.step = step;
    stepping.skin = skin;
    stepping.law = [&] {
        stoss::contact::Hertz law;
        law.stiffness = stiffness;
        return law;
    }();
    stepping.spheres.mu = stepping.walls.mu = 0.4;
    stepping.spheres.tangential_share = stepping.walls.tangential_share = 0.8;
    return stepping;
}

/// The top layer falls by three skins: pairs are listed anew, with contacts that go on.
TEST(GranularAllocation, StepsOfCompliantSpheresThatWereTakenBeforeTakeNoMemory) {
    constexpr double radius = 1e-3;
    const auto assembly =
        compliant_assembly(compliant_stepping(2e-5, 0.4 * radius, 1e4), {Plane{}}, 1);
    for (int i = 0; i < 216; ++i) {
        const Eigen::Vector3d place(i % 6, i / 6 % 6, 0.5 + i / 36);
        assembly->add({2.05 * radius * place, {0.05 * (i % 7), 0, -0.3}, {0, 0, 0}, radius, 1e-5});
    }
    const std::vector<double> start = assembly->state();
    std::size_t before = 0;
    // Two lists of contacts change places; both are as long as ever after two rounds.
    for (int round = 0; round < 3; ++round) {
        assembly->restore(start);
        before = allocations;
        for (int i = 0; i < 200; ++i) assembly->step();
    }
    EXPECT_EQ(allocations, before);
    EXPECT_GT(assembly->pressing(), 10u);
}

TEST(GranularAllocation, StepsOfACollisionTakeNoMemory) {
    constexpr double radius = 1e-3, duration = 2e-5;
    const auto allocations_in = [&](int steps) {
        const SphereCollision collision{{{{0, 0, radius}, {0.1, 0, -1}, {0, 0, 0}, radius, 1e-5}},
                                        compliant_stepping(duration / steps, radius, 1e8),
                                        steps};
        const std::size_t before = allocations;
        EXPECT_EQ(collide(collision, nullptr).status, SphereCollisionStatus::separated);
        return allocations - before;
    };
    EXPECT_EQ(allocations_in(400), allocations_in(200));
}

}  // namespace
