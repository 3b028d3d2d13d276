// Tables of the sections along a beam.

#include <solvers/case/profile_table.hpp>

#include <gtest/gtest.h>

#include <models/section.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::solvers {
namespace {

/// The case of a beam of 0.8 m whose section is that table.
io::Document case_with(const std::string& table) {
    static const tests::TemporaryDirectory directory;
    io::write_text(directory.file("profile.csv"), table);
    return io::parse_yaml("beam: {length: 80 cm, section: {shape: profile, table: profile.csv}}\n",
                          directory.file("case.yaml"));
}

models::Section section_of(const std::string& table) {
    io::Document document = case_with(table);
    read_profile_tables(document);
    io::Problems problems;
    auto section = io::bind<models::Section>(*document.root.find("beam")->find("section"),
                                             "beam.section", problems);
    EXPECT_TRUE(problems.empty());
    return section;
}

const models::Profile& profile_of(const models::Section& section) {
    return std::get<models::Profile>(section.shape);
}

TEST(ProfileTable, HoldsCirclesUnlessItNamesShapes) {
    const auto section = section_of("x_mm;radius_mm\n0;12.7\n200;20\n800;5\n");
    const models::Profile& profile = profile_of(section);
    ASSERT_EQ(profile.stations.size(), 3U);
    EXPECT_EQ(profile.stations[1].xi, 0.25);
    EXPECT_EQ(std::get<models::Circle>(profile.stations[0].shape).radius, 0.0127);
    EXPECT_EQ(section.properties(0.625).contact_curvature, 1.0 / 0.0125);
    EXPECT_TRUE(models::check(section, "").empty());
}

TEST(ProfileTable, EachDimensionMayHaveAUnitOfItsOwn) {
    const auto section = section_of(
        "# a tube, then an ellipse\n"
        "xi,shape,outer_radius_mm,inner_radius_cm,width_m,height_in\n"
        "0,tube,8,0.4,,\n0.5,tube,8,0.4,,\n0.5,ellipse,,,0.02,0.5\n1,ellipse,,,0.03,0.5\n");
    const models::Profile& profile = profile_of(section);
    EXPECT_EQ(std::get<models::Tube>(profile.stations[1].shape).inner_radius, 0.004);
    EXPECT_EQ(std::get<models::Ellipse>(profile.stations[3].shape).width, 0.03);
    EXPECT_DOUBLE_EQ(std::get<models::Ellipse>(profile.stations[3].shape).height, 0.0127);
}

TEST(ProfileTable, NumbersOfAGeneralSectionHavePowersOfAUnit) {
    const auto section = section_of(
        "x_m,shape,area_mm2,second_moment_mm4,contact_radius_mm\n"
        "0,general,100,800,5\n0.8,general,100,800,5\n");
    const auto at = section.properties(0.3);
    EXPECT_DOUBLE_EQ(at.area, 1e-4);
    EXPECT_DOUBLE_EQ(at.second_moment, 8e-10);
    EXPECT_DOUBLE_EQ(at.contact_curvature, 200.0);
}

TEST(ProfileTable, ALengthThatIsRoundedToDecimalsIsTheLength) {
    const auto section = section_of("x_in,radius_mm\n0,5\n31.496062992,5\n");
    EXPECT_EQ(profile_of(section).stations.back().xi, 1.0);
}

TEST(ProfileTable, MayHaveDecimalCommasBetweenSemicolons) {
    const auto commas = section_of("x_mm;radius_mm\n0;12,7\n200,5;20\n800;5\n");
    const auto points = section_of("x_mm;radius_mm\n0;12.7\n200.5;20\n800;5\n");
    for (const std::size_t i : {0U, 1U, 2U}) {
        EXPECT_EQ(profile_of(commas).stations[i].xi, profile_of(points).stations[i].xi);
        EXPECT_EQ(std::get<models::Circle>(profile_of(commas).stations[i].shape).radius,
                  std::get<models::Circle>(profile_of(points).stations[i].shape).radius);
    }
}

TEST(ProfileTable, ACaseWithoutTableStaysAsItIs) {
    const io::Document before = io::parse_yaml("beam: {length: 1, section: {shape: circle}}\n", "");
    io::Document after = before;
    read_profile_tables(after);
    EXPECT_TRUE(io::same_tree(before.root, after.root));
}

TEST(ProfileTable, IsRefusedWhereItStands) {
    io::Document document = case_with("x_mm,radius_mm\n0,5\n300,-8\n800,9\n");
    try {
        read_profile_tables(document);
        FAIL();
    } catch (const core::InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1U);
        EXPECT_EQ(error.diagnostics()[0].line, 3);
        EXPECT_EQ(error.diagnostics()[0].column, 5);
        EXPECT_TRUE(error.diagnostics()[0].file.ends_with("profile.csv"));
    }
}

}  // namespace
}  // namespace stoss::solvers
