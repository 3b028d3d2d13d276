// Poincare sections of motions: after how many periods they repeat, and how exact their energy is.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <solved_case.hpp>

namespace {

using namespace stoss;
using tests::solve;

/// A ball under gravity on a table that moves with the phase -60 degrees.
std::string ball_on_table(const std::string& amplitude, const std::string& ending) {
    return R"(problem: impact_motion
bodies:
  - {name: ball, kind: point_mass, mass: 10 g, displacement: 0.27 mm}
  - {name: table, kind: surface, motion: [{amplitude: )" +
           amplitude + R"(, frequency: 30 Hz, phase: -60 deg}]}
contacts:
  - {name: bounce, first: {body: ball}, second: {body: table}, cor: 0.5}
gravity: 9.81 m/s^2
poincare: {frequency: 30 Hz, transient: 60, periods: 50}
)" + ending;
}

/// g / W^2 = 0.2761 mm: below it the ball stays on the table, above it is thrown once a period and
/// comes to rest again before the next section. Gaps and rates of the sections are roundoff.
TEST(Periodicity, OfABallThatRestsOnATableAtEverySectionIsOne) {
    const solvers::Outcome outcome = solve(ball_on_table("0.2 mm", R"(over:
  - {key: "bodies[1].motion[0].amplitude", from: 0.2 mm, to: 0.289 mm, points: 30}
)"));
    ASSERT_EQ(outcome.tables.back().first, "map.csv");
    EXPECT_EQ(outcome.tables.back().second.numbers("periodicity"), std::vector<double>(30, 1.0));
}

/// The force of the first motion is so large that its energies are infinite.
TEST(EnergyResidual, OfADiagramIsNoNumberIfThatOfAMotionIsNone) {
    const solvers::Outcome outcome = solve(ball_on_table("0.2 mm", R"(forces:
  - {on: {body: ball}, amplitude: 1 N}
over:
  - {key: "forces[0].amplitude", from: 1e200 N, to: 0.01 N, points: 2}
)"));
    const std::vector<double> residuals =
        tests::table(outcome, "map.csv").numbers("energy_residual");
    ASSERT_EQ(residuals.size(), 2u);
    EXPECT_TRUE(std::isnan(residuals[0]));
    EXPECT_TRUE(std::isfinite(residuals[1]));
    EXPECT_TRUE(std::isnan(tests::number(outcome, "energy_residual_max")));
    EXPECT_NE(tests::warning_with(outcome, "an energy is beyond the range of numbers"), "");
}

}  // namespace
