#include <gtest/gtest.h>

#include <cmath>

#include <solvers/expectation.hpp>

namespace {

using namespace stoss;
using solvers::Expectation;
using solvers::Select;

/// A map of two curves over three places, and two scalars.
solvers::Outcome two_curves() {
    solvers::Outcome outcome;
    outcome.summary.set("sub_impacts", 5).set("cor_kinematic", 0.6362467);
    io::Table table;
    table.add("xi", std::vector<double>{0.0, 0.5, 1.0, 0.0, 0.5, 1.0});
    table.add("e", std::vector<double>{0.9, 0.2, 0.4, 0.8, std::nan(""), -0.95});
    outcome.tables.emplace_back("map.csv", std::move(table));
    outcome.row_labels = {"a", "a", "a", "b", "b", "b"};
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

TEST(Expectation, ReadsAColumnWhereItIsTold) {
    Expectation expectation = of("e", 0.2, 0.0);
    expectation.sweep = "a";
    expectation.at = 0.5;
    EXPECT_TRUE(hold(expectation).passed);
    expectation.at = 0.25;
    EXPECT_NEAR(hold(expectation).computed, 0.55, 1e-15);
    expectation.at = 1.0;
    EXPECT_EQ(hold(expectation).computed, 0.4);
}

TEST(Expectation, SelectsExtremesAndTheirPlaces) {
    const auto selected = [](Select select, double from, double to) {
        Expectation expectation = of("e", 0.0, 0.0);
        expectation.select = select;
        expectation.from = from;
        expectation.to = to;
        return hold(expectation).computed;
    };
    EXPECT_EQ(selected(Select::minimum, 0.0, 1.0), -0.95);
    EXPECT_EQ(selected(Select::maximum, 0.0, 1.0), 0.9);
    EXPECT_EQ(selected(Select::largest_magnitude, 0.0, 1.0), 0.95);
    EXPECT_EQ(selected(Select::place_of_minimum, 0.0, 0.6), 0.5);
    EXPECT_EQ(selected(Select::place_of_maximum, 0.4, 1.0), 1.0);
}

TEST(Expectation, WithoutANumberFailsAndSaysWhy) {
    Expectation expectation = of("nonsense", 0.0, 1e9);
    EXPECT_FALSE(hold(expectation).passed);
    EXPECT_NE(hold(expectation).reason.find("no number"), std::string::npos);

    expectation.quantity = "e";
    EXPECT_NE(hold(expectation).reason.find("`at`"), std::string::npos);
    expectation.at = 0.5;
    EXPECT_NE(hold(expectation).reason.find("several curves"), std::string::npos);
    expectation.sweep = "a";
    expectation.at = 1.5;
    EXPECT_NE(hold(expectation).reason.find("outside"), std::string::npos);
    expectation.sweep = "c";
    EXPECT_NE(hold(expectation).reason.find("no collision"), std::string::npos);
    EXPECT_FALSE(hold(expectation).passed);
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
