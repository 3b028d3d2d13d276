// What a run says of collisions that ended otherwise than by separation.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <solvers/case/collision_ending.hpp>

namespace {

using namespace stoss;
using impact::Status;

solvers::Outcome outcome_of(const std::vector<Status>& statuses) {
    std::vector<solvers::Ended> collisions;
    for (const Status status : statuses) collisions.push_back({status, 0.0, std::nullopt});
    solvers::Outcome outcome;
    solvers::judge(outcome, collisions, time::Splitting{});
    return outcome;
}

TEST(CollisionEnding, ContactPointsThatMoveApartAreAWarning) {
    const std::string words =
        ": the contact points move apart at first contact, so the bodies do not collide; turn the "
        "sign of the motion or of the vibration, or raise the speed";
    const auto one = outcome_of({Status::no_approach});
    EXPECT_EQ(one.warnings, std::vector{"the collision" + words});
    EXPECT_EQ(one.ending, solvers::Ending::complete);
    const auto two = outcome_of({Status::no_approach, Status::separated, Status::no_approach});
    EXPECT_EQ(two.warnings, std::vector{"2 of 3 collisions" + words});
}

TEST(CollisionEnding, ALoadThatMayHoldTheBodiesTogetherIsNamed) {
    const auto outcome = outcome_of({Status::not_separated});
    ASSERT_EQ(outcome.warnings.size(), 1u);
    EXPECT_NE(outcome.warnings[0].find("reduce gravity and loads"), std::string::npos);
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
}

TEST(CollisionEnding, BodiesThatSeparateAreNoWarning) {
    EXPECT_TRUE(outcome_of({Status::separated, Status::separated}).warnings.empty());
}

}  // namespace
