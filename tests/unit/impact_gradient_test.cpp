/// `gradient:` of `problem: restitution` where its numbers are at an end of what is admitted.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <solved_case.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/impact/restitution.hpp>

namespace stoss::tests {
namespace {

constexpr double mass = 2.0, stiffness = 1e6, damping = 100.0;

solvers::Outcome gradient(const std::string& more) {
    return solve("problem: restitution\nmass: 2 kg\nspeed: 1 m/s\n" + more);
}

const std::string damped = "contact: {law: kelvin_voigt, stiffness: 1e6, damping: 100}\n";

double cor_under(double load) {
    const contact::KelvinVoigt law{.stiffness = stiffness, .damping = damping};
    return impact::restitution(law, {1.0, mass, 0.0, load}).cor.value();
}

/// To one side of no load, by three impacts.
double slope_by_load() {
    const double step = 0.1;
    return (-3.0 * cor_under(0.0) + 4.0 * cor_under(step) - cor_under(2.0 * step)) / (2.0 * step);
}

TEST(ImpactGradient, WithoutALoadIsThatToTheSideOfLoads) {
    const solvers::Outcome outcome = gradient(damped + "gradient: [load, gravity]\n");
    const std::vector<double> slopes =
        outcome.tables.back().second.numbers("d_cor");  // gradient.csv
    ASSERT_LT(slope_by_load(), 0.0);
    EXPECT_NEAR(slopes[0] / slope_by_load(), 1.0, 1e-4);
    EXPECT_NEAR(slopes[1] / (mass * slope_by_load()), 1.0, 1e-4);
    EXPECT_TRUE(outcome.warnings.empty()) << outcome.warnings.front();
}

TEST(ImpactGradient, WhereTheLoadCarriesTheWeightIsThatToTheSideOfLoads) {
    const solvers::Outcome outcome =
        gradient(damped + "gravity: 9.81 m/s^2\nload: -19.62 N\ngradient: [load, gravity, mass]\n");
    const std::vector<double> slopes = outcome.tables.back().second.numbers("d_cor");
    EXPECT_NEAR(slopes[0] / slope_by_load(), 1.0, 1e-4);
    EXPECT_NEAR(slopes[1] / (mass * slope_by_load()), 1.0, 1e-4);
}

/// The last points of both lists of forces must be equal.
TEST(ImpactGradient, ByANumberThatCannotChangeAloneIsNoneAndSaysTheRule) {
    const solvers::Outcome outcome = gradient(
        "contact: {law: tabulated, overlap: [0, 0.1 mm, 1 mm], force: [0, 300, 3000], "
        "unloading_force: [0, 100, 3000], separation: zero_overlap}\n"
        "gradient: ['contact.force[2]', 'contact.unloading_force[2]', 'contact.force[1]']\n");
    const std::vector<double> slopes = outcome.tables.back().second.numbers("d_cor");
    EXPECT_TRUE(std::isnan(slopes[0]));
    EXPECT_TRUE(std::isnan(slopes[1]));
    EXPECT_TRUE(std::isfinite(slopes[2]));
    ASSERT_EQ(outcome.warnings.size(), 2u);
    for (const std::string& warning : outcome.warnings) {
        EXPECT_NE(warning.find("it cannot be changed alone by 0.29 % (contact.unloading_force"),
                  std::string::npos)
            << warning;
        EXPECT_NE(warning.find("must end at the last force"), std::string::npos) << warning;
        EXPECT_EQ(warning.find("kink"), std::string::npos) << warning;
    }
}

TEST(ImpactGradient, OfAnEnergyOfRoundoffIsNoneAndSaysSo) {
    const solvers::Outcome outcome = gradient(
        "contact: {law: kelvin_voigt, stiffness: 1e6, damping: 1e-9}\ngradient: [speed]\n");
    ASSERT_EQ(outcome.warnings.size(), 1u);
    EXPECT_TRUE(outcome.warnings.front().starts_with(
        "no derivatives of energy_lost_J: too much of 1 - e = "))
        << outcome.warnings.front();
}

}  // namespace
}  // namespace stoss::tests
