// Many rigid impacts from all directions: how they are shared by threads, and how they stop.

#include <gtest/gtest.h>

#include <string>

#include <solved_case.hpp>

namespace {

using namespace stoss;

/// Four curves of 700 impacts: several blocks of impacts are at work at once.
const std::string rod = R"(problem: rigid_impact_map
given: bodies
first:
  mass: 1 kg
  moments: [0.0833 kg m^2, 0.0833 kg m^2, 0.0833 kg m^2]
  position: [0.149 m, 0, 0.477 m]
  velocity: [0.3 m/s, 0, -1 m/s]
frame: {point: [0, 0, 0], normal: [0, 0, 1], tangent: [1, 0, 0]}
friction: [0.3, 1.5]
azimuths: [0, 60 deg]
points: 700
)";

TEST(RigidImpactMap, HasTheSameBytesOnAnyNumberOfThreads) {
    const solvers::Outcome one = tests::solve(rod, {1, true});
    EXPECT_EQ(tests::number(one, "impacts"), 2800.0);
    EXPECT_EQ(tests::bytes(tests::solve(rod, {4, true})), tests::bytes(one));
}

TEST(RigidImpactMap, KeepsNothingIfItIsStopped) {
    solvers::RunOptions options{2, true};
    options.stop = [] { return true; };
    const solvers::Outcome outcome = tests::solve(rod, options);
    EXPECT_EQ(outcome.ending, solvers::Ending::interrupted);
    EXPECT_EQ(outcome.item_count, 2800u);
    EXPECT_EQ(outcome.items_done, 0u);
    EXPECT_TRUE(outcome.tables.empty());
}

}  // namespace
