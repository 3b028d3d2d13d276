#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <solvers/case/expectation.hpp>

namespace {

using namespace stoss;
using solvers::Expectation;
using solvers::Select;

/// A map of two curves over three places, and two scalars.
solvers::Outcome two_curves() {
    solvers::Outcome outcome;
    outcome.summary.set("sub_impacts", 5).set("cor_kinematic", 0.6362467);
    outcome.summary.set("schemes",
                        io::Value::object().set("verlet", io::Value::object().set("error", 0.073)));
    io::Table table;
    table.add("xi", std::vector<double>{0.0, 0.5, 1.0, 0.0, 0.5, 1.0});
    table.add("e", std::vector<double>{0.9, 0.2, 0.4, 0.8, std::nan(""), -0.95});
    outcome.tables.emplace_back("map.csv", std::move(table));
    outcome.curves = {"map.csv", "xi", {"a", "a", "a", "b", "b", "b"}};
    return outcome;
}

solvers::Verdict hold(const Expectation& expectation) {
    solvers::Outcome outcome = two_curves();
    outcome.expect = {expectation};
    return solvers::hold_against(outcome).front();
}

Expectation of(const char* quantity, double value, double tolerance) {
    Expectation expectation;
    expectation.quantity = quantity;
    expectation.value = value;
    expectation.tolerance = tolerance;
    return expectation;
}

TEST(Expectation, OfAScalarHoldsWithinItsTolerance) {
    EXPECT_TRUE(hold(of("cor_kinematic", 0.6362, 5e-5)).passed);
    EXPECT_FALSE(hold(of("cor_kinematic", 0.6362, 4e-5)).passed);
    EXPECT_TRUE(hold(of("sub_impacts", 5, 0.0)).passed);
    EXPECT_FALSE(hold(of("sub_impacts", 4, 0.0)).passed);
}

TEST(Expectation, FindsAScalarByThePathOfItsKeys) {
    EXPECT_EQ(hold(of("schemes.verlet.error", 0.073, 0.0)).computed.value(), 0.073);
    const solvers::Verdict misspelt = hold(of("schemes.verlet.eror", 0.0, 1e9));
    EXPECT_NE(misspelt.reason.find("did you mean `schemes.verlet.error`"), std::string::npos);
    EXPECT_FALSE(hold(of("schemes.verlet", 0.0, 1e9)).passed);
}

TEST(Expectation, ReadsAColumnWhereItIsTold) {
    Expectation expectation = of("e", 0.2, 0.0);
    expectation.sweep = "a";
    expectation.at = 0.5;
    EXPECT_TRUE(hold(expectation).passed);
    expectation.at = 0.25;
    EXPECT_NEAR(hold(expectation).computed.value(), 0.55, 1e-15);
    expectation.at = 1.0;
    EXPECT_EQ(hold(expectation).computed.value(), 0.4);
}

TEST(Expectation, ReadsAColumnAtAPlaceThatDiffersByRoundoff) {
    Expectation expectation = of("e", 0.4, 0.0);
    expectation.sweep = "a";
    for (const double at : {1.0 + 1e-15, 1.0 - 1e-15}) {
        expectation.at = at;
        EXPECT_EQ(hold(expectation).computed.value(), 0.4) << at;
    }
    expectation.at = -1e-15;
    EXPECT_EQ(hold(expectation).computed.value(), 0.9);
}

TEST(Expectation, OfASweptValueThatIsNotThereSaysSo) {
    Expectation expectation = of("e", 0.2, 0.0);
    expectation.at = 0.5;
    expectation.sweep = "c";
    EXPECT_NE(hold(expectation).reason.find("no row has the swept value c"), std::string::npos);
    solvers::Outcome one_curve = two_curves();
    one_curve.curves->row_labels.assign(6, "");
    one_curve.expect = {expectation};
    const solvers::Verdict verdict = solvers::hold_against(one_curve).front();
    EXPECT_NE(verdict.reason.find("the table has no column of a sweep"), std::string::npos);
}

TEST(Expectation, SelectsExtremesAndTheirPlaces) {
    const auto selected = [](Select select, double from, double to) {
        Expectation expectation = of("e", 0.0, 0.0);
        expectation.select = select;
        expectation.from = from;
        expectation.to = to;
        return hold(expectation).computed.value();
    };
    EXPECT_EQ(selected(Select::minimum, 0.0, 1.0), -0.95);
    EXPECT_EQ(selected(Select::maximum, 0.0, 1.0), 0.9);
    EXPECT_EQ(selected(Select::largest_magnitude, 0.0, 1.0), 0.95);
    EXPECT_EQ(selected(Select::place_of_minimum, 0.0, 0.6), 0.5);
    EXPECT_EQ(selected(Select::place_of_maximum, 0.4, 1.0), 1.0);
}

/// Why there is no number for column e at xi of the curve `sweep`.
std::string reason(std::optional<double> xi, std::optional<std::string> sweep) {
    Expectation expectation = of("e", 0.0, 1e9);
    expectation.at = xi;
    expectation.sweep = std::move(sweep);
    const solvers::Verdict verdict = hold(expectation);
    EXPECT_FALSE(verdict.passed);
    return verdict.reason;
}

TEST(Expectation, WithoutANumberFailsAndSaysWhy) {
    const solvers::Verdict unknown = hold(of("nonsense", 0.0, 1e9));
    EXPECT_FALSE(unknown.passed);
    EXPECT_NE(unknown.reason.find("no number"), std::string::npos);
    EXPECT_NE(reason({}, {}).find("`at`"), std::string::npos);
    EXPECT_NE(reason(0.5, {}).find("several curves"), std::string::npos);
    EXPECT_NE(reason(1.5, std::string("a")).find("outside"), std::string::npos);
    EXPECT_NE(reason(0.5, std::string("c")).find("no row"), std::string::npos);
}

TEST(Expectation, OfSeveralCurvesAtOnePlaceNeedsTheSweptValue) {
    solvers::Outcome outcome;
    io::Table table;
    table.add("xi", std::vector<double>{0.5, 0.5});
    table.add("e", std::vector<double>{0.2, 0.4});
    outcome.tables.emplace_back("map.csv", std::move(table));
    outcome.curves = {"map.csv", "xi", {"a", "b"}};
    Expectation expectation = of("e", 0.4, 0.0);
    expectation.at = 0.5;
    outcome.expect = {expectation};
    EXPECT_NE(solvers::hold_against(outcome).front().reason.find("several curves"),
              std::string::npos);
    outcome.expect.front().sweep = "b";
    EXPECT_TRUE(solvers::hold_against(outcome).front().passed);
}

TEST(Expectation, OfACollisionThatFailedDoesNotHold) {
    Expectation expectation = of("e", 0.0, 1e9);
    expectation.sweep = "b";
    expectation.from = 0.4;
    expectation.to = 0.6;
    expectation.select = Select::minimum;
    EXPECT_FALSE(hold(expectation).passed);
}

}  // namespace
