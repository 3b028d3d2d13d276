/// Derivatives in the summary, and warnings about those that are missing.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <solvers/case/gradient_table.hpp>

namespace stoss {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> warnings_of(std::vector<double> results, std::vector<double> slopes) {
    const std::array keys{solvers::GradientKey{"contact.damping", "N s/m", ""}};
    const std::array rows{
        solvers::GradientRow{"at xi = 0.5", {0.5, 0.2}, {1.0}, std::move(results), slopes}};
    std::vector<std::string> warnings;
    solvers::warn_of_gradient(warnings, keys, rows);
    return warnings;
}

TEST(GradientWarnings, SayThatAResultHasNoDerivativeThoughNoneHas) {
    EXPECT_EQ(warnings_of({0.5, 0.1}, {none, none}).size(), 1U);
    EXPECT_EQ(warnings_of({0.5, 0.1}, {2.0, none}).size(), 1U);
    EXPECT_TRUE(warnings_of({0.5, 0.1}, {2.0, 3.0}).empty());
}

TEST(GradientWarnings, AreNotOfACollisionWithoutResults) {
    EXPECT_TRUE(warnings_of({none, none}, {none, none}).empty());
    EXPECT_TRUE(warnings_of({0.5, none}, {2.0, none}).empty());
}

/// Of the place 0 no part is small. Both ends of a beam are alike.
TEST(GradientWarnings, SayThatAKinkIsNearAPlaceByTheLengthThatItLiesOn) {
    const std::array keys{solvers::GradientKey{"location", "m", "", 0.4},
                          solvers::GradientKey{"striker.xi", "", "", 1.0}};
    const auto warnings_at = [&](double x, double distance) {
        const std::array rows{solvers::GradientRow{
            "at xi = 0", {0.0, 0.0}, {x, x}, {0.5}, {2.0, 3.0, distance, distance, 1.0, 1.0}}};
        std::vector<std::string> warnings;
        solvers::warn_of_gradient(warnings, keys, rows);
        return warnings;
    };
    for (const double x : {0.0, 0.2, 0.4}) {
        const auto near = warnings_at(x, -1.5e-5);
        ASSERT_EQ(near.size(), 2U) << x;
        EXPECT_NE(near[0].find("a change of it by -1.5e-05 m leads to a kink"), std::string::npos);
        EXPECT_NE(near[1].find("a change of it by -1.5e-05 leads to a kink"), std::string::npos);
        EXPECT_EQ(warnings_at(x, 6e-4).size(), 1U) << x;
        EXPECT_TRUE(warnings_at(x, 2e-3).empty()) << x;
    }
}

TEST(GradientWarnings, SayThatAKinkIsNearANumberByAPartOfIt) {
    const std::array keys{solvers::GradientKey{"striker.radius", "m", ""}};
    const auto warnings_of_kink = [&](double distance) {
        const std::array rows{
            solvers::GradientRow{"at xi = 0.5", {0.5, 0.2}, {0.01}, {0.5}, {2.0, distance, 1.0}}};
        std::vector<std::string> warnings;
        solvers::warn_of_gradient(warnings, keys, rows);
        return warnings;
    };
    ASSERT_EQ(warnings_of_kink(9e-6).size(), 1U);
    EXPECT_NE(warnings_of_kink(9e-6)[0].find("a change of it by +0.09 % leads"), std::string::npos);
    EXPECT_TRUE(warnings_of_kink(2e-5).empty());
}

TEST(GradientTable, SummaryHasTheSteepestSlopeAndTheNearestKinkOfEachKey) {
    solvers::GradientKeys wanted;
    wanted.gradient_of = std::vector{impact::Quantity::cor_kinematic};
    const std::array keys{solvers::GradientKey{"a", "", ""}, solvers::GradientKey{"b", "", ""}};
    solvers::GradientTable table(wanted, {"xi"});
    // Values and results of 1, so that slopes are relative; then distances, then events.
    const auto add = [&](double xi, std::vector<double> slopes) {
        table.add(keys, {"", {xi}, {1.0, 1.0}, {1.0}, std::move(slopes)});
    };
    add(0.1, {none, 0.5, none, none, none, none});
    add(0.2, {2.0, 0.25, -0.4, none, 1.0, none});
    add(0.3, {-3.0, -0.5, 0.2, none, 1.0, none});
    add(0.4, {1.0, 0.5, -0.3, none, 1.0, none});
    io::Value summary = io::Value::object();
    table.add_to(summary, true);
    const auto number = [&](const char* name, const char* key) {
        return *summary.find(name)->find(key)->number();
    };
    EXPECT_EQ(number("log_cor_kinematic", "a"), -3.0);
    EXPECT_EQ(number("log_cor_kinematic_xi", "a"), 0.3);
    EXPECT_EQ(number("log_cor_kinematic", "b"), 0.5);
    EXPECT_EQ(number("log_cor_kinematic_xi", "b"), 0.1);
    EXPECT_EQ(number("kink", "a"), 0.2);
    EXPECT_EQ(number("kink_xi", "a"), 0.3);
    EXPECT_TRUE(std::isnan(number("kink", "b")));
}

}  // namespace
}  // namespace stoss
