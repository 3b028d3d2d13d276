#include <postproc/comparison.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::postproc {
namespace {

constexpr double nan = core::not_given;

TEST(Agreement, OfFourPointsByHand) {
    const std::vector<MeasuredPoint> measured{
        {0.2, 0.9, 0.02, 4.0}, {0.4, 0.8, 0.01, 1.0}, {0.6, 0.6, 0.02, 1.0}, {0.8, 0.7, nan, 1.0}};
    const Agreement found = agreement(measured, {0.91, 0.815, 0.55, 0.7});
    EXPECT_EQ(found.points, 4u);
    EXPECT_NEAR(found.bias, (0.01 + 0.015 - 0.05) / 4.0, 1e-15);
    EXPECT_NEAR(found.rmse, std::sqrt((1e-4 + 2.25e-4 + 25e-4) / 4.0), 1e-15);
    EXPECT_NEAR(found.rmse_normalised, found.rmse / 0.3, 1e-15);
    EXPECT_NEAR(found.largest, -0.05, 1e-15);
    EXPECT_DOUBLE_EQ(found.place_of_largest, 0.6);
    EXPECT_EQ(found.points_with_deviation, 3u);
    EXPECT_NEAR(found.share_within_1, 1.0 / 3.0, 1e-15);
    EXPECT_NEAR(found.share_within_2, 2.0 / 3.0, 1e-15);
    EXPECT_NEAR(found.chi_square, 0.25 + 2.25 + 6.25, 1e-12);
    EXPECT_NEAR(found.chi_square_of_means, 1.0 + 2.25 + 6.25, 1e-12);
    // 9.5 with three degrees of freedom: Abramowitz and Stegun, table 26.7 brackets it.
    EXPECT_NEAR(found.probability_of_means, 0.0233, 5e-5);
    EXPECT_DOUBLE_EQ(found.rank_correlation, 1.0);
}

TEST(Agreement, RanksOfEqualValuesAreShared) {
    const std::vector<MeasuredPoint> measured{{0.1, 0.5}, {0.2, 0.5}, {0.3, 0.7}, {0.4, 0.9}};
    // Ranks 1.5 1.5 3 4 against 1 2 4 3: correlation 3.5/sqrt(4.5 x 5) = 0.7379.
    EXPECT_NEAR(agreement(measured, {0.1, 0.2, 0.8, 0.6}).rank_correlation,
                3.5 / std::sqrt(4.5 * 5.0), 1e-14);
}

TEST(Agreement, LeavesOutWhereNothingWasComputed) {
    const Agreement found = agreement({{0.1, 0.5}, {0.2, 0.6}}, {nan, 0.6});
    EXPECT_EQ(found.points, 1u);
    EXPECT_EQ(found.left_out, 1u);
    EXPECT_DOUBLE_EQ(found.rmse, 0.0);
    EXPECT_TRUE(std::isnan(found.rmse_normalised));
    EXPECT_TRUE(std::isnan(found.rank_correlation));
    EXPECT_TRUE(std::isnan(found.chi_square));
}

TEST(Interpolated, IsLinearAndEndsWhereTheCurveDoes) {
    const std::vector<double> place{0.2, 0.4, 0.6}, values{1.0, 2.0, nan};
    EXPECT_DOUBLE_EQ(interpolated(place, values, 0.3), 1.5);
    EXPECT_DOUBLE_EQ(interpolated(place, values, 0.2), 1.0);
    EXPECT_DOUBLE_EQ(interpolated(place, values, 0.2 - 1e-12), 1.0);
    EXPECT_TRUE(std::isnan(interpolated(place, values, 0.19)));
    EXPECT_TRUE(std::isnan(interpolated(place, values, 0.5)));
    EXPECT_TRUE(std::isnan(interpolated(place, values, 0.7)));
}

/// A directory with a map in it, as a run writes it.
class MapRun : public testing::Test {
  protected:
    postproc::Run run(const std::string& map) {
        io::write_text(folder_.file("summary.json"),
                       R"({"problem": "beam_impact_map", "title": "a map"})");
        io::write_text(folder_.file("map.csv"), map);
        return read_run(folder_.path());
    }

    tests::TemporaryDirectory folder_;
};

Experiment measured(Abscissa abscissa, std::vector<MeasuredPoint> points) {
    Experiment experiment;
    experiment.file = "e.csv";
    experiment.abscissa = abscissa;
    experiment.points = std::move(points);
    return experiment;
}

TEST_F(MapRun, EachSweptValueIsACurve) {
    const postproc::Run map =
        run("xi,x_m,approach_speed_m_per_s,cor_kinematic,status,beam.internal_damping_Pa_s\n"
            "0.2,0.1,1,0.9,separated,0\n0.4,0.2,2,0.7,separated,0\n"
            "0.4,0.2,2,0.5,separated,1000000\n0.2,0.1,1,0.8,separated,1000000\n");
    const auto along = compare(measured(Abscissa::xi, {{0.3, 0.8}}), map);
    ASSERT_EQ(along.size(), 2u);
    EXPECT_DOUBLE_EQ(along[0].at_points[0], 0.8);
    EXPECT_DOUBLE_EQ(along[1].at_points[0], 0.65);
    EXPECT_EQ(along[1].label, "a map, internal damping (Pa s) 1000000");
    EXPECT_DOUBLE_EQ(compare(measured(Abscissa::x, {{0.15, 0.8}}), map)[0].at_points[0], 0.8);
}

TEST_F(MapRun, SpeedNeedsOnePlaceAndASweep) {
    const std::string header =
        "xi,x_m,approach_speed_m_per_s,cor_kinematic,status,motion.angular_velocity_rad_per_s\n";
    const postproc::Run swept =
        run(header + "0.5,0.25,1,0.9,separated,-4\n0.5,0.25,2,0.7,separated,-8\n");
    const auto speed = compare(measured(Abscissa::approach_speed, {{1.5, 0.8}}), swept);
    EXPECT_DOUBLE_EQ(speed[0].at_points[0], 0.8);
    const auto omega = compare(measured(Abscissa::angular_velocity, {{5.0, 0.8}}), swept);
    EXPECT_DOUBLE_EQ(omega[0].at_points[0], 0.85);
    const postproc::Run two =
        run(header + "0.5,0.25,1,0.9,separated,-4\n0.6,0.3,2,0.7,separated,-8\n");
    EXPECT_THROW(compare(measured(Abscissa::approach_speed, {{1.5, 0.8}}), two), core::InputError);
}

TEST_F(MapRun, PlacesElsewhereAreRefused) {
    const postproc::Run map =
        run("xi,x_m,approach_speed_m_per_s,cor_kinematic,status\n"
            "0.2,0.1,1,0.9,separated\n0.4,0.2,2,0.7,separated\n");
    EXPECT_THROW(compare(measured(Abscissa::xi, {{0.9, 0.8}}), map), core::InputError);
}

}  // namespace
}  // namespace stoss::postproc
