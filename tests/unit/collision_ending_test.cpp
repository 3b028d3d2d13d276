// What a run says of collisions that ended otherwise than by separation.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <solved_case.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/registry/registry.hpp>

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

TEST(CollisionEnding, BodiesThatCameToRestAreTold) {
    solvers::Outcome outcome;
    const std::vector<solvers::Ended> collisions{{Status::not_separated, 0.0, std::nullopt, true}};
    solvers::judge(outcome, collisions, time::Splitting{});
    EXPECT_EQ(outcome.warnings,
              std::vector<std::string>{"the collision: damping brought the bodies to rest against "
                                       "each other; they do not separate, so e is 0"});
    EXPECT_EQ(outcome.ending, solvers::Ending::complete);
}

TEST(CollisionEnding, BodiesAtRestAreInContactBeforeTheTimeLimit) {
    impact::CollisionResult result;
    result.status = Status::not_separated;
    EXPECT_FALSE(solvers::came_to_rest(result, 3.0));
    result.sub_impacts = {{0.0, 1.0, 1.0, 1.0}, {1.5, 2.0, 1.0, 1.0}};
    result.separation = 1.0;
    EXPECT_TRUE(solvers::came_to_rest(result, 3.0));
    EXPECT_FALSE(solvers::came_to_rest(result, 2.0));  // the time was over
    result.separation = 2.0;                           // on the way apart when the time was over
    EXPECT_FALSE(solvers::came_to_rest(result, 3.0));
    result.separation = 1.0;
    result.status = Status::not_finite;
    EXPECT_FALSE(solvers::came_to_rest(result, 3.0));
}

/// A free beam, which a dashpot holds back: with the sphere it comes to rest after 20 s.
TEST(CollisionEnding, OfABeamAtRestGivesWhatIsKnown) {
    const std::string text = R"(problem: beam_impact
beam:
  length: 0.683 m
  section:
    shape: profile
    stations:
      - {xi: 0, shape: rectangle, width: 12.9 mm, height: 3.5 mm}
      - {xi: 0.51, shape: rectangle, width: 14.5 mm, height: 6.7 mm}
      - {xi: 1, shape: rectangle, width: 8.8 mm, height: 3.4 mm}
  material: {youngs_modulus: 210 GPa, poisson_ratio: 0.3, density: 4500 kg/m^3}
  dashpots: [{xi: 0.06, translation: 19 N s/m, rotation: 0.05 N m s/rad}]
  masses:
    - {xi: 0.43, mass: 0.098 kg, inertia: 9e-6 kg m^2}
    - {xi: 0.84, mass: 0.042 kg, inertia: 4.9e-6 kg m^2}
  internal_damping: 14 kPa s
striker: {shape: sphere, radius: 10 mm, material: steel, mass: 83.7 g, velocity: 3.01 m/s}
contact: {law: hunt_crossley, stiffness: 1e8, damping_factor: 0.176 s/m}
location: {xi: 0.117}
mesh: {elements: 160, modes: 16}
integration: {time_limit: 100 s}
)";
    const solvers::Outcome outcome = tests::solve(text);
    EXPECT_EQ(outcome.ending, solvers::Ending::complete);
    ASSERT_FALSE(outcome.warnings.empty());
    EXPECT_NE(outcome.warnings.front().find("to rest against each other"), std::string::npos);
    const auto number = [&](const char* key) { return *outcome.summary.find(key)->number(); };
    EXPECT_EQ(number("cor_kinematic"), 0.0);
    EXPECT_NEAR(number("impulse_N_s"), 0.0837 * 3.01, 1e-9);  // sphere and beam are at rest
    EXPECT_GT(number("peak_force_N"), 400.0);
    EXPECT_NEAR(number("energy_structural_loss") + number("energy_contact_loss"), 1.0, 1e-6);
    EXPECT_LT(number("energy_rigid"), 1e-20);
}

constexpr const char* cut_collision = R"(problem: beam_impact
beam:
  length: 508 mm
  section: {shape: circle, radius: 6.35 mm}
  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34, density: 2710 kg/m^3}
  supports: [{type: pin, xi: 0.0375}]
striker: {shape: sphere, radius: 6.35 mm, material: steel, velocity: 1 m/s}
contact: {law: hertz}
mesh: {elements: 20, modes: 4}
location: {xi: 0.68}
integration: {time_limit: )";

TEST(CollisionEnding, ACollisionThatIsCutOffHasNoErrorEstimates) {
    const auto number = [](const solvers::Outcome& outcome, const char* key) {
        return *outcome.summary.find(key)->number();
    };
    const solvers::Outcome cut = tests::solve(cut_collision + std::string("1 us}\n"));
    const solvers::Outcome whole = tests::solve(cut_collision + std::string("none}\n"));
    EXPECT_EQ(cut.ending, solvers::Ending::numerical_failure);
    EXPECT_EQ(whole.ending, solvers::Ending::complete);
    for (const char* key : {"cor_error", "peak_force_error", "peak_force_N"}) {
        EXPECT_TRUE(std::isnan(number(cut, key))) << key;
        EXPECT_FALSE(std::isnan(number(whole, key))) << key;
    }
}

TEST(CollisionEnding, BodiesThatSeparateAreNoWarning) {
    EXPECT_TRUE(outcome_of({Status::separated, Status::separated}).warnings.empty());
}

}  // namespace
