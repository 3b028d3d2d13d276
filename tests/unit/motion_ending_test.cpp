// What a case of impact_motion says at its end: impacts that go on, bars that have turned far.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <solved_case.hpp>

namespace {

using namespace stoss;

/// A ball that falls by 1 m on a dashpot; `damping` beside 1e5 N/m, the end of the motion after it.
solvers::Outcome dropped(const std::string& damping) {
    return tests::solve(R"(problem: impact_motion
bodies:
  - {name: floor, kind: surface}
  - {name: ball, kind: point_mass, mass: 1 kg}
contacts:
  - {name: c, first: {body: ball}, second: {body: floor}, gap: 1 m,
     contact: {law: kelvin_voigt, stiffness: 1e5 N/m, damping: )" +
                        damping + R"(}}
gravity: 9.81 m/s^2
end: {time: 1 s, impacts: 1}
)");
}

TEST(MotionEnding, CountsAnImpactThatHasNotEnded) {
    const solvers::Outcome creeps = dropped("2000 N s/m"), rebounds = dropped("20 N s/m");
    EXPECT_EQ(tests::number(creeps, "impacts"), 0.0);
    EXPECT_EQ(tests::number(creeps, "impacts_not_ended"), 1.0);
    EXPECT_EQ(tests::number(rebounds, "impacts"), 1.0);
    EXPECT_EQ(tests::number(rebounds, "impacts_not_ended"), 0.0);
}

/// A sphere that slides over a floor at 2 m/s without a force across the normal.
std::vector<double> slip_of_a_smooth_sphere(const std::string& friction) {
    const solvers::Outcome outcome = tests::solve(R"(problem: impact_motion
bodies:
  - {name: floor, kind: surface}
  - {name: sphere, kind: sphere, mass: 10 g, radius: 5 mm, velocity: -1 m/s, tangential_velocity: 2 m/s}
  - {name: beside, kind: sphere, mass: 10 g, radius: 5 mm, velocity: -1 m/s}
contacts:
  - {name: c, first: {body: sphere}, second: {body: floor}, contact: {law: hertz, stiffness: 1e8 N/m^1.5})" +
                                                  friction + R"(}
  - {name: d, first: {body: beside}, second: {body: floor}, gap: 1 mm,
     contact: {law: hertz, stiffness: 1e8 N/m^1.5}, friction: {mu: 0.1, tangential_ratio: 0.8}}
end: {time: 10 ms}
)");
    const io::Table& impacts = tests::table(outcome, "impacts.csv");
    return {impacts.numbers("slip_m")[0], impacts.numbers("start_s")[0],
            impacts.numbers("end_s")[0]};
}

TEST(MotionEnding, GivesTheSlipOfAContactWithoutAFrictionForce) {
    const auto slip = slip_of_a_smooth_sphere(", friction: {mu: 0, tangential_ratio: 0.8}");
    EXPECT_GT(slip[2], slip[1]);
    EXPECT_NEAR(slip[0], 2.0 * (slip[2] - slip[1]), 1e-9 * slip[0]);
    EXPECT_TRUE(std::isnan(slip_of_a_smooth_sphere("")[0]));
}

/// A bar of 1 m above a floor. Its ends move on straight lines: by 0.6 m at an angle of 1.2 rad.
solvers::Outcome turning(const std::string& gap) {
    return tests::solve(R"(problem: impact_motion
bodies:
  - {name: floor, kind: surface}
  - {name: bar, kind: rigid_bar, mass: 1 kg, length: 1 m, angular_velocity: 20 rad/s}
contacts:
  - {name: left, first: {body: bar, xi: 0}, second: {body: floor}, gap: )" +
                        gap + R"(, cor: 0.5}
end: {time: 1 s, impacts: 1}
)");
}

TEST(MotionEnding, WarnsOfABarThatHasTurnedByMoreThanSmallAngles) {
    const std::string words = "rigid bar `bar` turns by";
    EXPECT_EQ(tests::warning_with(turning("0.6 m"), words),
              "rigid bar `bar` turns by 1.2 rad, more than 0.1 rad: its gaps and impacts are "
              "computed for small angles and differ from those of a real bar; reduce the gaps or "
              "the angular velocities");
    EXPECT_EQ(tests::warning_with(turning("0.04 m"), words), "");
}

}  // namespace
