// Measured distances along a beam of another length, and bodies that come to rest: what maps, fits,
// studies and virtual experiments take from them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <solved_case.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::solvers {
namespace {

const std::string bar =
    "beam:\n  length: 300 mm\n  section: {shape: circle, radius: 10 mm}\n"
    "  material: {youngs_modulus: 210 GPa, poisson_ratio: 0.3, density: 7850 kg/m^3}\n"
    "  internal_damping: 1e6 Pa s\n"
    "striker: {shape: sphere, radius: 20 mm, mass: 263 g, velocity: 1 m/s, "
    "material: {youngs_modulus: 210 GPa, poisson_ratio: 0.3}}\n"
    "mesh: {elements: 16, modes: 6}\n";
const std::string distances = "locations: {at: [30 mm, 60 mm, 90 mm, 126 mm]}\n";

class MeasuredDistances : public testing::Test {
  protected:
    void write_measurements() const {
        const Outcome map = tests::solve("problem: beam_impact_map\n" + bar + distances);
        std::string text = "x [mm],cor\n";
        const std::vector<double> x{30, 60, 90, 126};
        const auto cor = tests::table(map, "map.csv").numbers("cor_kinematic");
        for (std::size_t i = 0; i < x.size(); ++i)
            text += core::to_text(x[i]) + ',' + core::to_text(cor[i]) + '\n';
        io::write_text(folder_.file("measured.csv"), text);
    }
    Outcome solved(const std::string& text) const {
        return tests::solve(text, {1, true}, folder_.file("case.yaml"));
    }

    tests::TemporaryDirectory folder_;
};

TEST_F(MeasuredDistances, StayWhereTheyAreWhileTheLengthIsFitted) {
    write_measurements();
    const Outcome found = solved("problem: beam_fit\n" + bar +
                                 "experiment: measured.csv\nstarts: 2\n"
                                 "fit: [{key: beam.length, from: 280 mm, to: 330 mm}]\n");
    EXPECT_NEAR(tests::table(found, "parameters.csv").numbers("value")[0], 0.3, 1e-6);
    EXPECT_NEAR(tests::table(found, "points.csv").numbers("xi")[0], 0.1, 1e-6);
}

TEST_F(MeasuredDistances, AreRefusedWhereTheFittedBeamMayBeShorter) {
    write_measurements();
    try {
        solved("problem: beam_fit\n" + bar +
               "experiment: measured.csv\n"
               "fit: [{key: beam.length, from: 120 mm, to: 330 mm}]\n");
        FAIL() << "not refused";
    } catch (const core::InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).violation.rule,
                  "may be shorter than the distance of a measured place, 0.126 m");
    }
}

TEST_F(MeasuredDistances, OfASweptLengthAreThoseOfLocations) {
    write_measurements();
    const std::string sweep = "sweep: {key: beam.length, values: [300 mm, 250 mm]}\n";
    const std::string map = "problem: beam_impact_map\n" + bar + sweep;
    const Outcome given = solved(map + distances);
    const Outcome measured = solved(map + "locations_from: measured.csv\n");
    for (const char* column : {"x_m", "cor_kinematic"}) {
        const auto expected = tests::table(given, "map.csv").numbers(column);
        const auto found = tests::table(measured, "map.csv").numbers(column);
        ASSERT_EQ(found.size(), 8u);
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(found[i], expected[i], 1e-12) << column << ' ' << i;
    }
}

const std::string overdamped =
    bar +
    "contact: {law: kelvin_voigt, stiffness: 1e7 N/m, damping: 1e4 N s/m, "
    "separation: zero_overlap}\nlocations: {at: [0.5, 0.4]}\n";

TEST(BodiesThatComeToRest, HaveARestitutionInTheSummaryOfAMap) {
    const Outcome map = tests::solve("problem: beam_impact_map\n" + overdamped);
    EXPECT_EQ(tests::number(map, "collisions_at_rest"), 2.0);
    EXPECT_EQ(tests::number(map, "collisions_failed"), 0.0);
    EXPECT_EQ(tests::number(map, "cor_kinematic_min"), 0.0);
}

TEST(BodiesThatComeToRest, HaveARestitutionInAStudyOfUncertainty) {
    const Outcome map = tests::solve(
        "problem: beam_impact_map\n" + overdamped +
        "uncertainty: {samples: 4, keys: [{key: contact.damping, distribution: uniform, "
        "from: 1e4 N s/m, to: 1.1e4 N s/m}]}\n");
    EXPECT_EQ(map.ending, Ending::complete);
    for (const double mean : tests::table(map, "uncertainty.csv").numbers("cor_mean"))
        EXPECT_EQ(mean, 0.0);
}

/// By the rigid rotation, e is the ratio of its velocities at separation and at first contact.
/// Viscous damping changes them until the motion that follows the impact has been computed.
TEST(VirtualExperiment, TheTrueVelocitiesHaveTheTrueRestitution) {
    const Outcome found = tests::solve(
        "problem: virtual_experiment\n"
        "beam:\n  length: 500 mm\n  section: {shape: circle, radius: 6 mm}\n"
        "  material: {youngs_modulus: 70 GPa, poisson_ratio: 0.3, density: 2700 kg/m^3}\n"
        "  supports: [{type: pin, xi: 0}]\n"
        "  internal_damping: 1e6 Pa s\n  external_damping: 3 N s/m^2\n"
        "striker: {shape: cylinder, radius: 6 mm, "
        "material: {youngs_modulus: 70 GPa, poisson_ratio: 0.3}}\n"
        "mesh: {elements: 16, modes: 6}\n"
        "locations: {from: 0.5, to: 0.9, points: 3}\n"
        "motion: {angular_velocity: -3 rad/s}\nbearing_friction: 0.5 rad/s^2\n"
        "integration: {scheme: splitting, tolerance: 1e-9}\n");
    const io::Table& truth = tests::table(found, "truth.csv");
    ASSERT_EQ(truth.rows(), 3u);
    for (std::size_t i = 0; i < truth.rows(); ++i)
        EXPECT_NEAR(
            -truth.numbers("omega_after_rad_per_s")[i] / truth.numbers("omega_before_rad_per_s")[i],
            truth.numbers("cor_kinematic")[i], 1e-8);
}

TEST(VirtualExperiment, RefusesAMotionThatItsTraceWouldNotHave) {
    const auto refused = [](const std::string& key, const std::string& of_beam,
                            const std::string& of_motion) {
        try {
            tests::read_case(
                "problem: virtual_experiment\n"
                "beam:\n  length: 500 mm\n  section: {shape: circle, radius: 6 mm}\n"
                "  material: {youngs_modulus: 70 GPa, poisson_ratio: 0.3, density: 2700 kg/m^3}\n"
                "  supports: [{type: pin, xi: 0}]\n" +
                of_beam +
                "striker: {shape: cylinder, radius: 6 mm, "
                "material: {youngs_modulus: 70 GPa, poisson_ratio: 0.3}}\n"
                "mesh: {elements: 16, modes: 6}\n"
                "locations: {from: 0.5, to: 0.9, points: 2}\n"
                "motion: {angular_velocity: -3 rad/s" +
                of_motion + "}\n");
            ADD_FAILURE() << key << " is not refused";
        } catch (const core::InputError& error) {
            ASSERT_EQ(error.diagnostics().size(), 1u) << error.what();
            EXPECT_EQ(error.diagnostics()[0].violation.key, key);
        }
    };
    refused("motion.vibration", "", ", vibration: [{mode: 2, displacement: 0.2 mm}]");
    refused("beam.dashpots", "  dashpots: [{xi: 0.9, translation: 5 N s/m}]\n", "");
}

}  // namespace
}  // namespace stoss::solvers
