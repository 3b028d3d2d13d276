// Runs whose numbers leave the range of doubles: they end, and say why.

#include <gtest/gtest.h>

#include <string>

#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>

namespace {

using namespace stoss;

solvers::Outcome solve(const std::string& text) {
    const io::Document document = io::parse_yaml(text, "case.yaml");
    return solvers::problem_of(document).read(document)->solve({1, true});
}

void ends_with(const std::string& text, const std::string& warning) {
    const solvers::Outcome outcome = solve(text);
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    ASSERT_FALSE(outcome.warnings.empty());
    EXPECT_EQ(outcome.warnings.front(), warning);
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
    try {
        solve(R"(problem: impact_motion
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
)");
        FAIL() << "must be refused";
    } catch (const core::InputError& error) {
        EXPECT_EQ(error.diagnostics().front().violation.key, "bodies");
    }
}

}  // namespace
