// How many searches a fit makes, and what it says of them. At three places four searches end in two
// local minima, and the true damping, 1e6 Pa s, lies in a third.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <bar_of_fits.hpp>
#include <solved_case.hpp>
#include <solvers/problems/beam/beam_fit.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/document.hpp>
#include <temporary_directory.hpp>

namespace stoss::solvers {
namespace {

constexpr const char* wide = "from: 1e5 Pa s, to: 1e7 Pa s";

using tests::number;

class BeamFit : public testing::Test {
  protected:
    std::unique_ptr<ReadCase> fit(const std::string& more, const std::string& bounds = wide) const {
        std::ofstream(folder_.file("measured.csv"))
            << "xi,cor,sd\n0.3,0.9073422,1.716e-4\n0.45,0.7553639,2.616e-4\n"
               "0.6,0.5836090,1.349e-4\n";
        const std::string text = fmt::format(
            "problem: beam_fit\nexperiment: measured.csv\n{}{}"
            "fit: [{{key: beam.internal_damping, {}, spacing: logarithmic}}]\n",
            tests::bar_of_fits, more, bounds);
        io::Document document = io::parse_yaml(text, folder_.file("fit.yaml"));
        document.root.set("beam.internal_damping", io::Node::text("3e5 Pa s"));
        return beam_fit_problem.read(document);
    }

    Outcome solved(const std::string& more, const std::string& bounds = wide) const {
        return fit(more, bounds)->solve({.quiet = true});
    }

    tests::TemporaryDirectory folder_;
};

double damping(const Outcome& outcome) {
    return outcome.tables.front().second.numbers("value").front();
}

bool warns(const Outcome& outcome, const std::string& words) {
    return std::ranges::any_of(outcome.warnings, [&](const std::string& warning) {
        return warning.find(words) != std::string::npos;
    });
}

TEST_F(BeamFit, SearchesFromMorePointsWhereTheSearchesDisagree) {
    const Outcome found = solved("");
    EXPECT_EQ(number(found, "starts"), 16.0);
    EXPECT_GE(number(found, "starts_that_ended_there"), 2.0);
    EXPECT_NEAR(damping(found), 0.99e6, 1e4);
    EXPECT_TRUE(found.warnings.empty());
    EXPECT_EQ(found.item_count, 16u);
    EXPECT_EQ(found.items_done, 16u);
}

TEST_F(BeamFit, MakesNoMoreSearchesWhereTheyAgree) {
    const Outcome found = solved("", "from: 8e5 Pa s, to: 1.3e6 Pa s");
    EXPECT_EQ(number(found, "starts"), 4.0);
    EXPECT_EQ(number(found, "starts_that_ended_there"), 4.0);
    EXPECT_TRUE(found.warnings.empty());
}

TEST_F(BeamFit, SearchesFromMorePointsWhereTheResultIsImprobableAndWarnsOfAMinimumFoundOnce) {
    // Both searches end at 4.4e5 Pa s; of the further ones one finds the best minimum.
    const Outcome found = solved("starts: 2\nweights: standard_error\n");
    EXPECT_EQ(number(found, "starts"), 8.0);
    EXPECT_NEAR(damping(found), 0.99e6, 1e4);
    EXPECT_TRUE(warns(found, "one of 8 searches found the best minimum"));
}

TEST_F(BeamFit, WarnsOfAnImprobableResultOfOneSearchThatWasAskedFor) {
    const Outcome found = solved("starts: 1\nweights: standard_error\n");
    EXPECT_EQ(number(found, "starts"), 1.0);
    EXPECT_LT(number(found, "probability"), 1e-3);
    EXPECT_TRUE(warns(found, "the model lacks something"));
    EXPECT_FALSE(warns(found, "found the best minimum"));
}

TEST_F(BeamFit, TheMergeOfPartsMakesTheFurtherSearches) {
    const auto given = fit("");
    io::Checkpoint together("case");
    for (const std::size_t number : {1u, 2u}) {
        io::Checkpoint part("case");
        const Outcome found =
            given->solve({.quiet = true, .checkpoint = &part, .shard = {number, 2}});
        EXPECT_EQ(found.ending, Ending::interrupted);
        EXPECT_EQ(found.items_done, 2u);
        EXPECT_EQ(found.item_count, 4u);
        together.take_text(part.text(), "part");
    }
    const Outcome merged = given->solve({.quiet = true, .checkpoint = &together, .shard = {0, 1}});
    EXPECT_EQ(merged.ending, Ending::complete);
    EXPECT_EQ(number(merged, "starts"), 16.0);
    EXPECT_NEAR(damping(merged), 0.99e6, 1e4);
}

}  // namespace
}  // namespace stoss::solvers
