// What a run says of spheres that stay in contact with a plate or a beam.

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include <solved_case.hpp>

namespace {

using namespace stoss;
using tests::solve;

const std::string sphere =
    "problem: structure_impact\nsphere: {radius: 5 mm, material: steel}\n"
    "speed: 1 m/s\n";
const std::string beam = sphere +
                         "target: {shape: beam, section: {shape: rectangle, width: 20 mm, height: "
                         "6 mm}, material: steel}\n";
const std::string plate = sphere + "target: {shape: plate, thickness: 1.6 mm, material: glass}\n";

const io::Table& table_of(const solvers::Outcome& outcome, const std::string& name) {
    for (const auto& [file, table] : outcome.tables)
        if (file == name) return table;
    throw std::logic_error("there is no " + name);
}

TEST(StructureImpactRun, OnAThinPlateHasItsRestitution) {
    const solvers::Outcome outcome = solve(plate);
    EXPECT_EQ(outcome.ending, solvers::Ending::complete);
    EXPECT_NEAR(*outcome.summary.find("cor")->number(), 0.0011616, 1e-7);
}

TEST(StructureImpactRun, WritesTheRowsOfContactsThatDoNotEndAndSaysWhere) {
    const solvers::Outcome outcome =
        solve(beam + "mass: 1 kg\nover: [{key: mass, from: 0.1 kg, to: 1 kg, points: 3}]\n");
    EXPECT_EQ(outcome.ending, solvers::Ending::complete);
    EXPECT_TRUE(outcome.warnings.back().starts_with(
        "2 of 3 impacts: the contact does not end within 1e5 T on a plate (lambda > 2500) or "
        "within 5 T on a beam (eta > 2.85)"))
        << outcome.warnings.back();
    const io::Table& map = table_of(outcome, "map.csv");
    const auto statuses = map.texts("status");
    EXPECT_EQ(statuses[0], "separated");
    EXPECT_EQ(statuses[1], "not_separated");
    EXPECT_LT(map.numbers("cor")[0], 0.0);
    EXPECT_TRUE(std::isnan(map.numbers("cor")[1]));
    EXPECT_GT(map.numbers("peak_force_N")[1], map.numbers("peak_force_N")[0]);
    EXPECT_EQ(*outcome.summary.find("cor_max")->number(), map.numbers("cor")[0]);
}

TEST(StructureImpactRun, HasAChartOfTheContactsThatEnd) {
    const solvers::Outcome outcome = solve(beam + "mass: 1000 kg\n");
    const auto restitution = table_of(outcome, "chart.csv").numbers("cor");
    ASSERT_FALSE(restitution.empty());
    for (const double cor : restitution) EXPECT_FALSE(std::isnan(cor));
}

}  // namespace
