#include <postproc/experiment/comparison.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/interpolation.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::postproc {
namespace {

constexpr double nan = io::no_number;

TEST(Agreement, OfFourPointsByHand) {
    const std::vector<MeasuredPoint> measured{
        {0.2, 0.9, 0.02, 4.0}, {0.4, 0.8, 0.01, 1.0}, {0.6, 0.6, 0.02, 1.0}, {0.8, 0.7, nan, 1.0}};
    const Agreement found = agreement(measured, {0.91, 0.815, 0.55, 0.7});
    EXPECT_EQ(found.points, 4u);
    EXPECT_NEAR(found.bias.value(), (0.01 + 0.015 - 0.05) / 4.0, 1e-15);
    EXPECT_NEAR(found.rmse.value(), std::sqrt((1e-4 + 2.25e-4 + 25e-4) / 4.0), 1e-15);
    EXPECT_NEAR(found.rmse_normalised.value(), found.rmse.value() / 0.3, 1e-15);
    EXPECT_NEAR(found.largest.value(), -0.05, 1e-15);
    EXPECT_DOUBLE_EQ(found.place_of_largest.value(), 0.6);
    EXPECT_EQ(found.points_with_deviation, 3u);
    EXPECT_NEAR(found.share_within_1.value(), 1.0 / 3.0, 1e-15);
    EXPECT_NEAR(found.share_within_2.value(), 2.0 / 3.0, 1e-15);
    EXPECT_NEAR(found.chi_square.value(), 0.25 + 2.25 + 6.25, 1e-12);
    // The first: t = 1 with three degrees of freedom, P(|t| > 1) = 2/3 - sqrt(3)/(2 pi), which is
    // that of the normal deviate 0.857801. The others are single measurements.
    EXPECT_NEAR(found.chi_square_of_means.value(), 0.735823 + 2.25 + 6.25, 1e-6);
    EXPECT_NEAR(found.probability_of_means.value(), 0.0263144, 1e-7);
    EXPECT_DOUBLE_EQ(found.rank_correlation.value(), 1.0);
}

/// Measurements of a known curve as an experiment gives them: the mean and the deviation of
/// `repeats` normal deviates at each of 20 places. The scatter grows 25 times along the curve, as
/// that of restitution does towards a steep flank.
class SyntheticMeasurements {
  public:
    static constexpr int places = 20;

    /// `shift`: of the true values from the computed ones, in deviations of one measurement.
    /// `systematic`: standard deviation of an error that all repeats at a place share, likewise.
    Agreement compared(int repeats, double shift = 0.0, double systematic = 0.0) {
        std::vector<MeasuredPoint> points;
        for (int i = 0; i < places; ++i) {
            const double scatter = 0.002 * std::pow(25.0, i / (places - 1.0));
            std::vector<double> values;
            const double shared = shift + (systematic > 0.0 ? systematic * normal_(random_) : 0.0);
            for (int k = 0; k < repeats; ++k)
                values.push_back(scatter * (shared + normal_(random_)));
            const double mean = std::accumulate(values.begin(), values.end(), 0.0) / repeats;
            double squares = 0.0;
            for (const double value : values) squares += (value - mean) * (value - mean);
            const double deviation = repeats > 1 ? std::sqrt(squares / (repeats - 1)) : scatter;
            points.push_back(
                {0.05 * i, mean, deviation, static_cast<double>(repeats), systematic * scatter});
        }
        return agreement(points, std::vector<double>(points.size(), 0.0));
    }

    /// Share of synthetic sets with a probability below `level`.
    double rejected(int repeats, double level, int sets, double shift = 0.0,
                    double systematic = 0.0) {
        int count = 0;
        for (int set = 0; set < sets; ++set)
            count += compared(repeats, shift, systematic).probability_of_means.value() < level;
        return static_cast<double>(count) / sets;
    }

  private:
    std::mt19937_64 random_{20240111};
    std::normal_distribution<double> normal_;
};

// 10,000 sets: a share of 5 % is known to 0.22 %, one of 50 % to 0.5 % (one standard deviation).
TEST(Agreement, TheTrueCurveIsRejectedAsOftenAsTheLevelSays) {
    for (const int repeats : {1, 2, 3, 5, 10}) {
        SyntheticMeasurements synthetic;
        EXPECT_NEAR(synthetic.rejected(repeats, 0.05, 10'000), 0.05, 0.01) << repeats;
        EXPECT_NEAR(synthetic.rejected(repeats, 0.5, 10'000), 0.5, 0.02) << repeats;
    }
}

TEST(Agreement, ASystematicErrorIsNoReasonToRejectTheTrueCurve) {
    for (const int repeats : {3, 5, 30}) {
        for (const double systematic : {0.3, 1.0, 5.0}) {
            SyntheticMeasurements synthetic;
            EXPECT_LT(synthetic.rejected(repeats, 0.05, 2000, 0.0, systematic), 0.065)
                << repeats << " " << systematic;
        }
    }
}

TEST(Agreement, ACurveThatIsOneDeviationOffIsRejected) {
    SyntheticMeasurements synthetic;
    EXPECT_GT(synthetic.rejected(3, 0.05, 1000, 1.0), 0.9);
    EXPECT_GT(synthetic.rejected(5, 0.05, 1000, 1.0), 0.99);
}

TEST(NormalDeviate, HasTheProbabilityOfStudentsT) {
    // Two-sided 5 % points of Student's t (Abramowitz and Stegun, table 26.10) are 1.959964.
    for (const auto& [repeats, t] :
         {std::pair{2.0, 12.706205}, {3.0, 4.302653}, {5.0, 2.776445}, {11.0, 2.228139}}) {
        const MeasuredPoint point{0.5, 0.6, 0.02, repeats};
        EXPECT_NEAR(normal_deviate(point, t * point.standard_error().value()), 1.959964, 1e-6)
            << repeats;
        EXPECT_NEAR(normal_deviate(point, -t * point.standard_error().value()), 1.959964, 1e-6);
    }
    EXPECT_EQ(normal_deviate({0.5, 0.6, 0.02, 7.0}, 0.0), 0.0);
}

TEST(NormalDeviate, OfAKnownDeviationIsTheDifferenceOverIt) {
    EXPECT_DOUBLE_EQ(normal_deviate({0.5, 0.6, 0.02, 1.0}, -0.05), 2.5);
    EXPECT_NEAR(normal_deviate({0.5, 0.6, 0.02, 1e9}, 0.02 * 2.5 / std::sqrt(1e9)), 2.5, 1e-8);
}

TEST(NormalDeviate, CountsTheSystematicErrorOnce) {
    const MeasuredPoint many{0.5, 0.6, 0.02, 1e9, 0.01}, few{0.5, 0.6, 0.02, 3.0, 0.01};
    EXPECT_NEAR(normal_deviate(many, 0.025), 2.5, 1e-6);
    EXPECT_NEAR(normal_deviate(few, 4.302653 * few.standard_error().value()), 1.959964, 1e-6);
}

TEST(NormalDeviate, GrowsOnWhereNoDoubleHoldsTheProbability) {
    const MeasuredPoint point{0.5, 0.6, 1.0, 1001.0};
    double last = 0.0;
    for (double difference = 0.1; difference < 1e150; difference *= 1.05) {
        const double deviate = normal_deviate(point, difference);
        ASSERT_GT(deviate, last) << difference;
        ASSERT_LT(deviate, 1.1 * last + 4.0) << difference;  // no jump where the formula changes
        last = deviate;
    }
    const Agreement found = agreement({{0.5, 0.6, 1e-320, 3.0}}, {0.7});
    EXPECT_EQ(found.probability_of_means.value(), 0.0);
}

TEST(Agreement, RanksOfEqualValuesAreShared) {
    const std::vector<MeasuredPoint> measured{{0.1, 0.5}, {0.2, 0.5}, {0.3, 0.7}, {0.4, 0.9}};
    // Ranks 1.5 1.5 3 4 against 1 2 4 3: correlation 3.5/sqrt(4.5 x 5) = 0.7379.
    EXPECT_NEAR(agreement(measured, {0.1, 0.2, 0.8, 0.6}).rank_correlation.value(),
                3.5 / std::sqrt(4.5 * 5.0), 1e-14);
}

TEST(Agreement, HasNoRankCorrelationWhereAllValuesAreEqual) {
    const std::vector<MeasuredPoint> equal{{0.1, 0.6}, {0.2, 0.6}}, rising{{0.1, 0.6}, {0.2, 0.7}};
    EXPECT_FALSE(agreement(equal, {0.1, 0.2}).rank_correlation);
    EXPECT_FALSE(agreement(rising, {0.1, 0.1}).rank_correlation);
    EXPECT_NEAR(agreement(rising, {0.1, 0.2}).rank_correlation.value(), 1.0, 1e-14);
}

TEST(Agreement, LeavesOutWhereNothingWasComputed) {
    const Agreement found = agreement({{0.1, 0.5}, {0.2, 0.6}}, {nan, 0.6});
    EXPECT_EQ(found.points, 1u);
    EXPECT_EQ(found.left_out, 1u);
    EXPECT_DOUBLE_EQ(found.rmse.value(), 0.0);
    EXPECT_FALSE(found.rmse_normalised);
    EXPECT_FALSE(found.rank_correlation);
    EXPECT_FALSE(found.chi_square);
}

TEST(Interpolated, IsLinearAndEndsWhereTheCurveDoes) {
    const std::vector<double> place{0.2, 0.4, 0.6}, values{1.0, 2.0, nan};
    EXPECT_DOUBLE_EQ(core::interpolated(place, values, 0.3), 1.5);
    EXPECT_DOUBLE_EQ(core::interpolated(place, values, 0.2), 1.0);
    EXPECT_DOUBLE_EQ(core::interpolated(place, values, 0.2 - 1e-12), 1.0);
    EXPECT_TRUE(std::isnan(core::interpolated(place, values, 0.19)));
    EXPECT_TRUE(std::isnan(core::interpolated(place, values, 0.5)));
    EXPECT_TRUE(std::isnan(core::interpolated(place, values, 0.7)));
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
    EXPECT_EQ(along[1].label, "a map, beam.internal_damping (Pa s) 1000000");
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

TEST_F(MapRun, SweepOfAnotherKeyThanTheSpeedIsRefused) {
    const postproc::Run damped =
        run("xi,x_m,approach_speed_m_per_s,cor_kinematic,status,beam.internal_damping_Pa_s\n"
            "0.5,0.25,2,0.9,separated,0\n0.5,0.25,2,0.7,separated,1000000\n");
    EXPECT_THROW(compare(measured(Abscissa::approach_speed, {{2.0, 0.8}}), damped),
                 core::InputError);
    EXPECT_THROW(compare(measured(Abscissa::angular_velocity, {{2.0, 0.8}}), damped),
                 core::InputError);
}

TEST_F(MapRun, PlacesElsewhereAreRefused) {
    const postproc::Run map =
        run("xi,x_m,approach_speed_m_per_s,cor_kinematic,status\n"
            "0.2,0.1,1,0.9,separated\n0.4,0.2,2,0.7,separated\n");
    EXPECT_THROW(compare(measured(Abscissa::xi, {{0.9, 0.8}}), map), core::InputError);
}

}  // namespace
}  // namespace stoss::postproc
