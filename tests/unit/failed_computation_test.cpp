// Runs that have no result, as where numbers leave the range of doubles: they end, and say why.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <solved_case.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace {

using namespace stoss;
using tests::solve;

void ends_with(const std::string& text, const std::string& warning) {
    const solvers::Outcome outcome = solve(text);
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    ASSERT_FALSE(outcome.warnings.empty());
    EXPECT_EQ(outcome.warnings.front(), warning);
}

void is_refused(const std::string& text, const std::string& key) {
    try {
        solve(text);
        FAIL() << "must be refused";
    } catch (const core::InputError& error) {
        EXPECT_EQ(error.diagnostics().front().violation.key, key);
    }
}

TEST(FailedComputation, OfAStiffContactOfTwoBodiesSaysSo) {
    ends_with(R"(problem: impact_hypotheses
first:
  mass: 1 kg
  moments: [0.0833 kg m^2, 0.0833 kg m^2, 0.0833 kg m^2]
  position: [0.149 m, 0, 0.477 m]
  velocity: [1e300 m/s, 0, -1 m/s]
frame: {point: [0, 0, 0], normal: [0, 0, 1], tangent: [1, 0, 0]}
mu: 0.3
contact: {law: walton_braun, stiffness: 1e8 N/m, restitution: 0.5}
friction: regularised_coulomb
slip_speed: 1e-5
)",
              "the motion of the compliant impact diverged");
}

TEST(FailedComputation, OfTheLawAloneOfAnObliqueImpactSaysSo) {
    ends_with(R"(problem: sphere_impact
sphere: {radius: 100 mm, material: {youngs_modulus: 70 GPa, poisson_ratio: 0.3, density: 2699 kg/m^3}}
target: {shape: plane}
motion: {given: components, normal_speed: 1e-300 m/s}
contact: {law: hertz}
mu: 0.3
steps: 1000
)",
              "1 of 1 impacts diverged");
}

TEST(FailedComputation, OfAMotionWhoseInertiaIsNoNumberIsRefused) {
    is_refused(R"(problem: impact_motion
bodies:
  - {name: sphere, kind: sphere, mass: 0.26 g, radius: 1e300 mm, velocity: -3.9 m/s, tangential_velocity: 0.27 m/s}
  - {name: glass, kind: surface}
contacts:
  - name: spot
    first: {body: sphere}
    second: {body: glass}
    contact: {law: hertz, stiffness: 4e9}
    friction: {mu: 0.1, tangential_ratio: 0.86}
end: {time: 20 us}
)",
               "bodies");
}

/// A damped contact amid elastic-plastic ones that unload, in series with the omitted modes: in
/// steps that are too short the rates of their forces are roundoff.
TEST(FailedComputation, OfContactForcesThatAreNotFoundNamesTheContactsAndARemedy) {
    const solvers::Outcome outcome = solve(R"(problem: impact_motion
bodies:
  - name: free
    kind: beam
    modes: 5
    velocity: -0.92 m/s
    angular_velocity: -1.18 rad/s
    beam: {length: 0.4 m, section: {shape: rectangle, width: 20 mm, height: 5 mm}, material: steel, masses: [{xi: 0.9, mass: 50 g}]}
  - {name: floor, kind: surface}
  - {name: m, kind: point_mass, mass: 100 g, displacement: 2 mm, velocity: -1.55 m/s}
contacts:
  - {name: l, first: {body: free, xi: 0}, second: {body: floor}, gap: 1 mm, contact: {law: walton_braun, restitution: 0.6, stiffness: 1e8 N/m}}
  - {name: r, first: {body: free, xi: 1}, second: {body: floor}, gap: 1 mm, contact: {law: walton_braun, restitution: 0.6, stiffness: 1e8 N/m}}
  - {name: t, first: {body: m}, second: {body: free, xi: 0.85}, gap: 1 mm, contact: {law: hunt_crossley, damping_factor: 0.7 s/m, stiffness: 1e9 N/m^1.5}}
gravity: 9.81 m/s^2
end: {time: 0.02 s}
integration: {tolerance: 1e-6}
)");
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    ASSERT_FALSE(outcome.warnings.empty());
    EXPECT_EQ(outcome.warnings.front(),
              "contacts `l`, `r` and `t`: the equations of the contact forces could not be solved, "
              "even in the shortest step: the numbers are those of the step before; give the beams "
              "`residual_flexibility: false`");
}

TEST(FailedComputation, OfCompliantImpactsCountsThem) {
    ends_with(R"(problem: compliant_impact
first:
  mass: 1 kg
  moments: [0.1 kg m^2, 0.1 kg m^2, 0.1 kg m^2]
  position: [0.4 m, 0.3 m, 0]
  velocity: [-1e300 m/s, -1e300 m/s, 0]
frame: {point: [0, 0, 0], normal: [0, 1, 0], tangent: [1, 0, 0]}
mu: 2.5
contact: {law: kelvin_voigt, stiffness: 1e6 N/m, restitution: 0.5}
friction: regularised_coulomb
slip_speed: 1e-4
stiffness_factors: [1, 100]
)",
              "3 of 3 impacts diverged");
}

TEST(FailedComputation, OfTwoPendulumsSaysSo) {
    ends_with(R"(problem: pendulum_pair
rod_1: {mass: 1 kg, length: 6 m, angle: 15 deg}
rod_2: {mass: 0.2 kg, length: 4 m, angle: -90 deg}
pivot_2: {right: -2 m}
angles_from: vertical
gravity: 9.81 m/s^2
impact: {model: contact, law: hunt_crossley, stiffness: 1e300, restitution: 0.3}
duration: 2 s
)",
              "the motion diverged");
}

TEST(FailedComputation, OfRigidImpactsCountsThem) {
    ends_with(R"(problem: rigid_impact_map
given: bodies
first:
  mass: 1e300 kg
  moments: [0.8 kg m^2, 0.8 kg m^2, 0.8 kg m^2]
  velocity: [0 m/s, 0 m/s, -3 m/s]
frame: {point: [0 m, 0 m, -1 m], normal: [0, 0, 1]}
friction: [0.3]
inclination_to: 1.2 rad
points: 11
)",
              "11 of 11 impacts could not be solved");
}

TEST(FailedComputation, OfSpheresAtAnInfiniteSpeedKeepsWhatThereIs) {
    const solvers::Outcome outcome = solve(R"(problem: box_settle
box: {x: 4 mm, y: 4 mm, z: 20 mm}
density: 2500 kg/m^3
lattice: {count: 10, radius: 0.5 mm, speed: 1e300 m/s, seed: 7}
contact: {friction: 0.4}
compliant:
  contact: {law: tsuji, restitution: 0.6}
  material: {youngs_modulus: 5 MPa, poisson_ratio: 0.2}
stepping: {step: 5 us}
duration: 1 ms
)");
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    ASSERT_FALSE(outcome.warnings.empty());
    EXPECT_EQ(outcome.warnings.front(), "the motion diverged at 0 s");
    EXPECT_FALSE(outcome.tables.empty());
}

TEST(FailedComputation, OfARodThatDoublesCannotHoldIsRefused) {
    is_refused(R"(problem: sliding_rod
mass: 1 kg
length: 1e-160 m
speed: 1 m/s
angles: [0.3]
friction: [0.5]
)",
               "length");
}

/// Two curves, of which the second one is not followed to its separation.
TEST(FailedComputation, OfAMapLeavesWhatNoCollisionTellsWithoutANumber) {
    const tests::TemporaryDirectory folder;
    io::write_text(folder.file("measured.csv"), "xi,cor\n0.5,0.5\n0.7,0.6\n");
    const auto summary = [&](const std::string& limits) {
        const io::Document document = io::parse_yaml(
            "problem: beam_impact_map\n"
            "beam:\n"
            "  length: 508 mm\n"
            "  section: {shape: circle, radius: 6.35 mm}\n"
            "  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34, density: 2710 kg/m^3}\n"
            "  supports: [{type: pin, xi: 0}]\n"
            "striker:\n"
            "  shape: cylinder\n"
            "  radius: 6.35 mm\n"
            "  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34}\n"
            "motion: {angular_velocity: -3 rad/s}\n"
            "mesh: {elements: 20, modes: 8}\n"
            "locations_from: measured.csv\n"
            "sweep: {key: integration.time_limit, values: " +
                limits + "}\n",
            folder.file("case.yaml"));
        return solvers::problem_of(document).read(document)->solve({1, true}).summary;
    };
    const auto number = [](const io::Value& of, const char* key) {
        return of.find(key)->number().value();
    };
    const io::Value one = summary("[1 s, 1 us]");
    EXPECT_TRUE(std::isnan(number(one, "measured_rmse_max")));
    EXPECT_LT(number(one, "energy_residual_max"), 1e-3);
    const io::Value none = summary("[1 us]");
    EXPECT_TRUE(std::isnan(number(none, "measured_rmse_max")));
    EXPECT_TRUE(std::isnan(number(none, "energy_residual_max")));
    EXPECT_TRUE(std::isnan(number(none, "cor_difference_max")));
    EXPECT_GT(number(summary("[1 s]"), "measured_rmse_max"), 0.0);
}

TEST(FailedComputation, OfEveryImpactLeavesNoRestitution) {
    const solvers::Outcome outcome = solve(R"(problem: restitution
mass: 1 kg
speed: 1 m/s
contact: {law: hertz, stiffness: 1e8}
over: [{key: speed, from: 1e-300 m/s, to: 1e-290 m/s, points: 3, spacing: logarithmic}]
)");
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    EXPECT_EQ(outcome.summary.find("impacts_failed")->number(), 3.0);
    EXPECT_TRUE(std::isnan(outcome.summary.find("cor_min")->number().value()));
    EXPECT_TRUE(std::isnan(outcome.summary.find("cor_max")->number().value()));
}

}  // namespace
