/// Warnings about derivatives that are missing.

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
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

}  // namespace
}  // namespace stoss
