#include <postproc/experiment/experiment.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::postproc {
namespace {

/// A folder with a table in it.
class ExperimentTable : public testing::Test {
  protected:
    void write(const std::string& text, const std::string& name = "e.csv") {
        io::write_text(folder_.file(name), text);
    }
    Experiment read(bool skip_bad = false) const {
        return read_experiment(folder_.file("e.csv"), skip_bad);
    }
    std::string error() const {
        try {
            read();
            return "no error";
        } catch (const core::InputError& problem) {
            std::string text = problem.what();
            for (std::size_t at; (at = text.find(folder_.path() + "/")) != text.npos;) {
                text.erase(at, folder_.path().size() + 1);
            }
            return text;
        }
    }

    tests::TemporaryDirectory folder_;
};

TEST_F(ExperimentTable, ColumnsAreKnownByNameAndUnit) {
    const std::vector<std::pair<std::string, Abscissa>> headers{
        {"xi,cor", Abscissa::xi},
        {"Location,CoR (mean)", Abscissa::xi},
        {"x_mm,e", Abscissa::x},
        {"location [mm],restitution", Abscissa::x},
        {"X (mm);eps", Abscissa::x},
        {"speed_mm_per_s,cor", Abscissa::approach_speed},
        {"approach speed [mm/s]\tcor", Abscissa::approach_speed},
    };
    for (const auto& [header, abscissa] : headers) {
        const char separator = header.find(';') != header.npos    ? ';'
                               : header.find('\t') != header.npos ? '\t'
                                                                  : ',';
        write(header + "\n0.5" + separator + "0.25\n");
        const Experiment experiment = read();
        EXPECT_EQ(experiment.abscissa, abscissa) << header;
        EXPECT_DOUBLE_EQ(experiment.points[0].place, abscissa == Abscissa::xi ? 0.5 : 0.5e-3);
        EXPECT_DOUBLE_EQ(experiment.points[0].cor, 0.25) << header;
        EXPECT_FALSE(experiment.points[0].deviation);
    }
}

TEST_F(ExperimentTable, PercentAndRepeatsAreRead) {
    write("xi,cor [%],sd [%],n\n0.5,64,2,5\n");
    const Experiment experiment = read();
    EXPECT_DOUBLE_EQ(experiment.points[0].cor, 0.64);
    EXPECT_DOUBLE_EQ(experiment.points[0].deviation.value(), 0.02);
    EXPECT_DOUBLE_EQ(experiment.points[0].standard_error().value(), 0.02 / std::sqrt(5.0));
}

TEST_F(ExperimentTable, ScatterWithoutAUnitHasThatOfTheCoefficient) {
    for (const char* const header : {"xi,cor [%],sd,n", "xi,cor (%),cor_sd [%],n"}) {
        write(std::string(header) + "\n0.5,64,2,5\n");
        EXPECT_DOUBLE_EQ(read().points[0].deviation.value(), 0.02) << header;
    }
    write("xi,cor [%],se,n\n0.5,64,2,4\n");
    EXPECT_DOUBLE_EQ(read().points[0].deviation.value(), 0.04);
    write("xi,cor,sd [%],n\n0.5,0.64,2,5\n");
    EXPECT_DOUBLE_EQ(read().points[0].deviation.value(), 0.02);
    write("xi,a,b\n0.5,64,2\n");
    write("cor: {column: a, unit: '%'}\nstandard_deviation: {column: b}\n", "e.columns.yaml");
    EXPECT_DOUBLE_EQ(read().points[0].deviation.value(), 0.02);
}

TEST_F(ExperimentTable, AScatterAboveOneIsRefused) {
    write("xi,cor,sd\n0.5,0.64,2\n");
    EXPECT_EQ(error(),
              "e.csv:2:1: error: sd: 2: must be between 0 and 1\n"
              "    hint: percentages need it in the header: `sd [%]`; --skip-bad leaves such rows "
              "out");
}

TEST_F(ExperimentTable, AStandardErrorGivesTheDeviationOfOneMeasurement) {
    for (const char* const name :
         {"standard_error", "se", "Standard error", "cor_standard_error"}) {
        write("xi,cor," + std::string(name) + ",n\n0.4,0.5,0.01,9\n0.6,0.4,0.02,1\n");
        const std::vector<MeasuredPoint> points = read().points;
        EXPECT_DOUBLE_EQ(points[0].standard_error().value(), 0.01) << name;
        EXPECT_DOUBLE_EQ(points[0].deviation.value(), 0.03) << name;
        EXPECT_DOUBLE_EQ(points[1].deviation.value(), 0.02) << name;
    }
}

TEST_F(ExperimentTable, AStandardErrorBesideTheDeviationMustAgreeWithIt) {
    write("xi,cor,sd,se,n\n0.4,0.5,0.02,0.0101,4\n");  // rounded
    EXPECT_DOUBLE_EQ(read().points[0].deviation.value(), 0.02);
    write("xi,cor,sd,se,n\n0.4,0.5,0.002,0.001414,3\n");  // divided by n - 1 once more
    EXPECT_DOUBLE_EQ(read().points[0].deviation.value(), 0.002);
    write("xi,cor,sd,se,n\n0.4,0.5,0.002,0.0007,3\n");
    EXPECT_EQ(error(),
              "e.csv:2:1: error: se: 0.0007: contradicts the standard deviation: "
              "sqrt(sd^2/n + systematic^2) is 0.001155\n"
              "    hint: keep one of both columns; what repeats do not average out belongs in a "
              "column `cor_systematic_error`; --skip-bad leaves such rows out");
}

TEST_F(ExperimentTable, ASystematicErrorIsNotAveragedOut) {
    write("xi,cor,sd,systematic_error,n\n0.4,0.5,0.02,0.03,25\n");
    EXPECT_DOUBLE_EQ(read().points[0].standard_error().value(), std::hypot(0.004, 0.03));
    EXPECT_DOUBLE_EQ(read().points[0].error_of_one().value(), std::hypot(0.02, 0.03));
    write("xi,cor [%],se,systematic,n\n0.4,50,5,3,4\n");
    EXPECT_DOUBLE_EQ(read().points[0].deviation.value(), 0.08);  // sqrt(5^2 - 3^2) % of 4
    EXPECT_DOUBLE_EQ(read().points[0].standard_error().value(), 0.05);
    write("xi,cor,cor_standard_error,cor_systematic_error\n0.4,0.5,0.05,0.03\n0.4,0.6,0.03,0.01\n");
    EXPECT_DOUBLE_EQ(read().points[0].systematic, 0.02);
    write("xi,cor,se,systematic\n0.4,0.5,0.02,0.03\n");
    EXPECT_EQ(error(),
              "e.csv:2:1: error: se: 0.02: must be at least the systematic error\n"
              "    hint: it is sqrt(sd^2/n + systematic^2); --skip-bad leaves such rows out");
}

TEST_F(ExperimentTable, ACoefficientBelowZeroByNoiseIsRead) {
    write("xi,cor\n0.4,-0.0006\n");
    EXPECT_DOUBLE_EQ(read().points[0].cor, -0.0006);
}

TEST_F(ExperimentTable, DecimalCommasBetweenSemicolonsAreRead) {
    write("x [mm];cor [%];sd [%];n\n254,5;64,25;2,5;5\n");
    const Experiment experiment = read();
    EXPECT_DOUBLE_EQ(experiment.points[0].place, 0.2545);
    EXPECT_DOUBLE_EQ(experiment.points[0].cor, 0.6425);
    EXPECT_DOUBLE_EQ(experiment.points[0].deviation.value(), 0.025);
}

TEST_F(ExperimentTable, CommasBesidePointsAreRefused) {
    write("xi;cor\n0,5;0,64\n0.75;0,6\n");
    const std::string hint =
        "    hint: write numbers with a decimal point; decimal commas are accepted if semicolons "
        "separate the cells, the header has no comma and no number has a point";
    EXPECT_EQ(error(), "e.csv:2:1: error: xi: 0,5: must be a finite number\n" + hint +
                           "\ne.csv:2:1: error: cor: 0,64: must be a finite number\n" + hint +
                           "\ne.csv:3:1: error: cor: 0,6: must be a finite number\n" + hint +
                           "; --skip-bad leaves such rows out");
}

TEST_F(ExperimentTable, SpeedsLoseTheirSign) {
    write("omega [rad/s],cor\n-3,0.6\n-6,0.5\n");
    const Experiment experiment = read();
    EXPECT_EQ(experiment.abscissa, Abscissa::angular_velocity);
    EXPECT_DOUBLE_EQ(experiment.points[0].place, 3.0);
}

TEST_F(ExperimentTable, YamlBesideItSaysWhichColumnIsWhat) {
    write("a,b,c\n120,70,1\n", "e.csv");
    write("location: {column: a, unit: mm}\ncor: {column: b, unit: '%'}\nsynthetic: true\n",
          "e.columns.yaml");
    const Experiment experiment = read();
    EXPECT_DOUBLE_EQ(experiment.points[0].place, 0.12);
    EXPECT_DOUBLE_EQ(experiment.points[0].cor, 0.7);
    EXPECT_TRUE(experiment.is_synthetic);
}

TEST_F(ExperimentTable, YamlBesideItAssignsStandardAndSystematicError) {
    write("xi,e,Fehler,fest,n\n0.5,0.6,0.05,0.03,4\n");
    write("standard_error: {column: Fehler}\nsystematic_error: {column: fest}\n", "e.columns.yaml");
    const MeasuredPoint point = read().points[0];
    EXPECT_DOUBLE_EQ(point.standard_error().value(), 0.05);
    EXPECT_DOUBLE_EQ(point.systematic, 0.03);
    EXPECT_DOUBLE_EQ(point.deviation.value(), 0.08);
}

TEST_F(ExperimentTable, MappedColumnWithoutUnitHasTheUnitOfItsHeader) {
    write("x_m,x_mm,x,e\n0.2,300,0.4,0.5\n");
    for (const auto& [column, place] :
         {std::pair{"x_m", 0.2}, std::pair{"x_mm", 0.3}, std::pair{"x", 0.4}}) {
        write("location: {column: " + std::string(column) + "}\n", "e.columns.yaml");
        const Experiment experiment = read();
        EXPECT_EQ(experiment.abscissa, Abscissa::x) << column;
        EXPECT_DOUBLE_EQ(experiment.points[0].place, place) << column;
    }
    write("omega,cor\n-3,0.5\n");
    write("speed: {column: omega}\n", "e.columns.yaml");
    EXPECT_EQ(read().abscissa, Abscissa::angular_velocity);
}

TEST_F(ExperimentTable, MappedColumnOfAnotherNameHasTheFirstUnitOfItsKind) {
    write("Messstelle,cor\n0.2,0.5\n");
    write("location: {column: Messstelle}\n", "e.columns.yaml");
    EXPECT_EQ(read().abscissa, Abscissa::xi);
}

TEST_F(ExperimentTable, MappedSpeedIsUsedBesideAColumnOfPlaces) {
    write("xi,v,cor\n0.5,2,0.6\n");
    EXPECT_EQ(read().abscissa, Abscissa::xi);
    write("speed: {column: v}\n", "e.columns.yaml");
    const Experiment experiment = read();
    EXPECT_EQ(experiment.abscissa, Abscissa::approach_speed);
    EXPECT_DOUBLE_EQ(experiment.points[0].place, 2.0);
}

TEST_F(ExperimentTable, RowsOfOnePlaceAtOtherSpeedsAreNoRepeats) {
    write("xi,omega [rad/s],cor\n0.4,-3,0.5\n0.5,6,0.4\n0.4,-6,0.45\n");
    EXPECT_EQ(error(),
              "e.csv:4:1: error: omega [rad/s]: -6: is another speed than 3 in an earlier row of "
              "the same place\n"
              "    hint: give each speed a table of its own; or, to average over them, write "
              "`location: {column: xi}` into e.columns.yaml");
    write("location: {column: xi}\n", "e.columns.yaml");
    EXPECT_DOUBLE_EQ(read().points[0].repeats, 2.0);
    write("speed: {column: 'omega [rad/s]'}\n", "e.columns.yaml");
    EXPECT_EQ(read().points.size(), 2u);
}

TEST_F(ExperimentTable, ScatterOfTheSpeedLeavesRepeats) {
    write("xi,omega_before_rad_per_s,v,cor\n0.4,-3,1,0.5\n0.4,-3.2,,0.51\n");
    EXPECT_DOUBLE_EQ(read().points[0].repeats, 2.0);
}

TEST_F(ExperimentTable, LocationAndSpeedTogetherAreRefused) {
    write("xi,v,cor\n0.5,2,0.6\n");
    write("location: {column: xi}\nspeed: {column: v}\n", "e.columns.yaml");
    EXPECT_EQ(error(),
              "e.columns.yaml:2:1: error: speed: cannot be given beside `location`\n"
              "    hint: keep the one against which the coefficient of restitution was measured");
}

TEST_F(ExperimentTable, RowsOfOnePlaceBecomeTheirMeanAndScatter) {
    write("xi,cor\n0.6,0.1\n0.4,0.50\n0.4,0.52\n0.4,0.57\n");
    const Experiment experiment = read();
    ASSERT_EQ(experiment.points.size(), 2u);
    EXPECT_DOUBLE_EQ(experiment.points[0].place, 0.4);
    EXPECT_NEAR(experiment.points[0].cor, 0.53, 1e-15);
    EXPECT_NEAR(experiment.points[0].deviation.value(), std::sqrt((9 + 1 + 16) * 1e-4 / 2.0),
                1e-15);
    EXPECT_DOUBLE_EQ(experiment.points[0].repeats, 3.0);
    EXPECT_DOUBLE_EQ(experiment.points[1].repeats, 1.0);
}

TEST_F(ExperimentTable, PlacesThatDifferByRoundoffAreOne) {
    write("x [mm],cor\n152.40000000000003,0.5\n304.8,0.3\n152.4,0.6\n");
    const Experiment experiment = read();
    ASSERT_EQ(experiment.points.size(), 2u);
    EXPECT_NEAR(experiment.points[0].place, 0.1524, 1e-15);
    EXPECT_DOUBLE_EQ(experiment.points[0].repeats, 2.0);
    EXPECT_NEAR(experiment.points[0].cor, 0.55, 1e-15);
}

TEST_F(ExperimentTable, MeansOfPartsAreTheMeansOfTheWhole) {
    // 0.5, 0.54 and 0.6, 0.62, 0.64 as two rows, against the five measurements one by one.
    write("xi,cor,sd,n\n0.4,0.52,0.0282842712474619,2\n0.4,0.62,0.02,3\n");
    const MeasuredPoint parts = read().points[0];
    write("xi,cor\n0.4,0.5\n0.4,0.54\n0.4,0.6\n0.4,0.62\n0.4,0.64\n");
    const MeasuredPoint whole = read().points[0];
    EXPECT_NEAR(parts.cor, whole.cor, 1e-14);
    EXPECT_NEAR(parts.deviation.value(), whole.deviation.value(), 1e-14);
    EXPECT_DOUBLE_EQ(parts.repeats, whole.repeats);
}

TEST_F(ExperimentTable, WhatIsWrittenReadsBack) {
    write(
        "# synthetic: computed by Stoss, not measured\nxi,cor,sd,systematic,n\n"
        "0.4,0.5,0.02,0.01,3\n0.6,0.4,,,1\n");
    const Experiment first = read();
    EXPECT_TRUE(first.is_synthetic);
    write(io::to_csv(to_table(first)));
    const Experiment second = read();
    EXPECT_TRUE(second.is_synthetic);
    ASSERT_EQ(second.points.size(), 2u);
    EXPECT_DOUBLE_EQ(second.points[0].deviation.value(), 0.02);
    EXPECT_DOUBLE_EQ(second.points[0].repeats, 3.0);
    EXPECT_DOUBLE_EQ(second.points[0].systematic, 0.01);
}

TEST_F(ExperimentTable, EveryBadRowIsRefusedWithItsLine) {
    write("xi,cor,n\n0.2,0.9,1\n0.3,abc,1\n1.4,0.5,1\n0.5,63.6,1\n0.6,0.5,2.5\n0.7,-0.2,1\n");
    EXPECT_EQ(error(),
              "e.csv:3:1: error: cor: abc: must be a finite number\n"
              "e.csv:4:1: error: xi: 1.4: must be between 0 and 1: xi = x/l\n"
              "    hint: lengths need a unit in the header: `x [mm]`\n"
              "e.csv:5:1: error: cor: 63.6: must be between -0.1 and 1.5\n"
              "    hint: percentages need it in the header: `cor [%]`\n"
              "e.csv:6:1: error: n: 2.5: must be a whole number >= 1\n"
              "e.csv:7:1: error: cor: -0.2: must be between -0.1 and 1.5\n"
              "    hint: --skip-bad leaves such rows out");
    const Experiment rest = read(true);
    EXPECT_EQ(rest.points.size(), 1u);
    EXPECT_EQ(rest.left_out, 5u);
}

TEST_F(ExperimentTable, NumbersBeyondDoublesInSiUnitsAreRefused) {
    write("v [km/s],cor\n1e306,0.9\n");
    EXPECT_EQ(error(),
              "e.csv:2:1: error: v [km/s]: 1e306: must be a finite number\n"
              "    hint: --skip-bad leaves such rows out");
}

TEST_F(ExperimentTable, RepeatsThatNobodyMadeAreRefused) {
    write("xi,cor,n\n0.2,0.9,1e300\n");
    EXPECT_EQ(error(),
              "e.csv:2:1: error: n: 1e300: must be at most 1e9\n"
              "    hint: --skip-bad leaves such rows out");
}

TEST_F(ExperimentTable, MissingColumnIsRefused) {
    write("xi,value\n0.2,0.9\n");
    EXPECT_EQ(error(),
              "e.csv:1:1: error: cor: is missing; the columns are xi and value\n"
              "    hint: name the column `cor`, or say which one it is in e.columns.yaml: `cor: "
              "{column: ...}`");
    write("place_in_box,cor\n0.2,0.9\n");
    EXPECT_EQ(error(),
              "e.csv:1:1: error: location: is missing; the columns are place_in_box and cor\n"
              "    hint: name the column `x [mm]`, or say which one it is in e.columns.yaml: "
              "`location: {column: "
              "...}`");
}

TEST_F(ExperimentTable, UnitOfAnotherDimensionIsRefused) {
    write("x [kg],cor\n0.2,0.9\n");
    EXPECT_EQ(error(),
              "e.csv:1:1: error: x [kg]: the unit of `location` must be one of a pure number or m\n"
              "    hint: for example `x [mm]`");
}

TEST_F(ExperimentTable, TwoColumnsThatFitAreRefused) {
    write("xi,cor,e\n0.2,0.9,0.9\n");
    EXPECT_EQ(error(),
              "e.csv:1:1: error: cor: is not unique: the columns `cor` and `e` both fit\n"
              "    hint: say which one in e.columns.yaml: `cor: {column: ...}`");
}

TEST_F(ExperimentTable, TableWithoutUsableRowsIsRefused) {
    write("xi,cor\n");
    EXPECT_EQ(error(), "e.csv: error: has no row that can be used");
}

TEST_F(ExperimentTable, PlacesOffTheBeamAreRefused) {
    write("x [mm],cor\n300,0.5\n600,0.4\n");
    const Experiment experiment = read();
    EXPECT_THROW(locations_of(experiment, 0.508), core::InputError);
    EXPECT_EQ(locations_of(experiment, 1.2), (std::vector<double>{0.25, 0.5}));
}

TEST_F(ExperimentTable, PlacesWithoutAUnitAreSaidToBeInMetres) {
    write("x,cor\n80,0.5\n120,0.4\n");
    const std::string hint = unit_hint(read());
    EXPECT_EQ(hint,
              "the measured places are x = 80 m to 120 m; a header without a unit is read in m, so "
              "write `x [mm]` if they are millimetres");
    try {
        locations_of(read(), 0.3);
        FAIL() << "80 m was found on a beam of 0.3 m";
    } catch (const core::InputError& refused) {
        EXPECT_NE(std::string(refused.what()).find(hint), std::string::npos) << refused.what();
    }
}

TEST_F(ExperimentTable, ADecimalCommaBetweenCommasIsNamed) {
    write("x [mm],cor,sd,n\n80,0.37,0.02,5\n120,0,35,0.02,5\n");
    EXPECT_EQ(error(),
              "e.csv:3:1: error: the row has 5 cells, but there are 4 columns\n"
              "    hint: a decimal comma? write a decimal point, or separate the cells by "
              "semicolons; --skip-bad leaves such rows out");
}

TEST_F(ExperimentTable, RoundoffOfAUnitLeavesTheEndOnTheBeam) {
    write("x [mm],cor\n700,0.5\n");
    const Experiment experiment = read();
    ASSERT_GT(experiment.points[0].place, 0.7);
    EXPECT_EQ(locations_of(experiment, 0.7), (std::vector<double>{1.0}));
    EXPECT_THROW(locations_of(experiment, 0.699), core::InputError);
}

}  // namespace
}  // namespace stoss::postproc
