// A body by a table of its modes collides as the body itself, however it moves and is driven.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <models/beam_model.hpp>
#include <published_mesh.hpp>
#include <solved_case.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::tests {
namespace {

models::BeamCollision rod_on_pin() {
    models::BeamCollision collision;
    collision.mesh = tests::published_mesh();
    collision.beam.length = 0.4;
    collision.beam.section.shape = models::Circle{0.006};
    collision.beam.material = {210e9, 0.3, 7850.0};
    collision.beam.supports = {{models::SupportType::pin, 0.0}};
    collision.striker.shape = models::Sphere{0.01};
    collision.striker.material = {210e9, 0.3};
    collision.striker.mass = 0.2;
    collision.striker.velocity = 0.3;
    collision.motion.angular_velocity = -1.0;
    contact::Hertz law;
    law.stiffness = 1e9;
    collision.contact.law = law;
    collision.mesh.elements = 30;
    collision.mesh.modes = 12;
    collision.integration.scheme = time::Splitting{1e-9};
    return collision;
}

/// The outcome of a case in a folder.
solvers::Outcome solve(const TemporaryDirectory& folder, const std::string& text) {
    return tests::solve(text, {1, true}, folder.file("case.yaml"));
}

/// The table of modes that `modal_analysis` makes of the rod. `mesh`: its keys; `damping`: of the
/// material [Pa s].
void write_modes(const TemporaryDirectory& folder,
                 const std::string& mesh = "elements: 30, modes: 12", double damping = 0.0) {
    const auto outcome = solve(
        folder,
        fmt::format(
            "problem: modal_analysis\nbeam:\n  length: 400 mm\n  section: {{shape: circle, "
            "radius: 6 mm}}\n"
            "  material: {{youngs_modulus: 210 GPa, poisson_ratio: 0.3, density: 7850 kg/m^3}}\n"
            "  internal_damping: {} Pa s\n"
            "  supports: [{{type: pin, xi: 0}}]\nmesh: {{{}}}\n"
            "points: [{{name: struck, xi: 0.7}}, {{name: tip, xi: 1}}, {{name: pin, xi: 0}}]\n",
            damping, mesh));
    for (const auto& [file, table] : outcome.tables) {
        if (file == "basis.csv") io::write_text(folder.file("rod.csv"), io::to_csv(table));
    }
}

/// With a spring the damping of the material is not proportional to the stiffness.
TEST(ModalImpact, ATableOfCoupledModesComesWithAWarning) {
    const TemporaryDirectory folder;
    for (const bool is_coupled : {false, true}) {
        const auto outcome = solve(
            folder, fmt::format("problem: modal_analysis\nbeam:\n  length: 400 mm\n  section: "
                                "{{shape: circle, radius: 6 mm}}\n  material: steel\n"
                                "  internal_damping: 1 MPa s\n{}"
                                "points: [{{name: tip, xi: 1}}]\n",
                                is_coupled ? "  springs: [{xi: 0.5, translation: 1 MN/m}]\n" : ""));
        const auto is_of_motions = [](const auto& each) {
            return each.first == "damped_motions.csv";
        };
        EXPECT_EQ(std::ranges::count_if(outcome.tables, is_of_motions), is_coupled ? 1 : 0);
        ASSERT_EQ(outcome.warnings.size(), is_coupled ? 1U : 0U);
        if (!is_coupled) continue;
        EXPECT_TRUE(
            outcome.warnings[0].starts_with("beam.internal_damping is not proportional to "
                                            "the stiffness and couples the modes"))
            << outcome.warnings[0];
    }
}

void expect_same(const solvers::Outcome& outcome, const impact::CollisionResult& expected) {
    ASSERT_EQ(expected.status, impact::Status::separated);
    const io::Table& table = outcome.tables.front().second;
    EXPECT_NEAR(table.numbers("cor_kinematic")[0], expected.cor_kinematic, 1e-8);
    EXPECT_NEAR(table.numbers("impulse_N_s")[0] / expected.impulse, 1.0, 1e-8);
    EXPECT_NEAR(table.numbers("energy_vibration")[0], expected.energy.vibration, 1e-8);
    EXPECT_NEAR(table.numbers("energy_load_work")[0], expected.energy.load_work, 1e-8);
    EXPECT_NEAR(table.numbers("energy_residual")[0], 0.0, 1e-8);
}

TEST(ModalImpact, ATableThatVibratesUnderGravityIsTheBeam) {
    models::BeamCollision parameters = rod_on_pin();
    parameters.motion.vibration = {{2, 2e-5, -0.05}, {3, 1e-6, 0.02}};
    parameters.motion.gravity = -9.81;
    const models::BeamModel model(parameters);
    const TemporaryDirectory folder;
    write_modes(folder);
    // Both modes move the free end most.
    const auto outcome = solve(
        folder,
        fmt::format("problem: modal_impact\nbody:\n  modes: rod.csv\n"
                    "  motion: [{{point: tip, velocity: -0.4 m/s, acceleration: {} m/s^2}}]\n"
                    "  vibration:\n"
                    "    - {{mode: 2, point: tip, displacement: {} m, velocity: {} m/s}}\n"
                    "    - {{mode: 3, point: tip, displacement: {} m, velocity: {} m/s}}\n"
                    "striker: {{kind: point_mass, mass: 200 g, velocity: 0.3 m/s, "
                    "acceleration: -9.81 m/s^2}}\n"
                    "contact: {{law: hertz, stiffness: 1e9}}\nintegration: {{tolerance: 1e-9}}\n"
                    "points: [struck]\n",
                    -1.5 * 9.81, 2e-5, -0.05, 1e-6, 0.02));
    const auto expected = model.collide(0.7);
    EXPECT_GT(expected.energy.vibration, 0.01);
    EXPECT_GT(std::abs(expected.energy.load_work), 1e-4);
    expect_same(outcome, expected);
}

/// The struck body is a mass, the table strikes: the same collision seen from the other side.
TEST(ModalImpact, ATableMayStrikeAsWell) {
    models::BeamCollision parameters = rod_on_pin();
    parameters.motion.vibration = {{2, 2e-5, -0.05}};
    const models::BeamModel model(parameters);
    const TemporaryDirectory folder;
    write_modes(folder);
    io::write_text(folder.file("mass.csv"),
                   fmt::format("frequency_Hz,all\n0,{:.17g}\n", 1.0 / std::sqrt(0.2)));
    const auto outcome = solve(
        folder, fmt::format("problem: modal_impact\nbody:\n  modes: mass.csv\n"
                            "  motion: [{{point: all, velocity: -0.3 m/s}}]\n"
                            "striker:\n  kind: modes\n  modes: rod.csv\n  point: struck\n"
                            "  motion: [{{point: tip, velocity: 0.4 m/s}}]\n"
                            "  vibration:\n"
                            "    - {{mode: 2, point: tip, displacement: {} m, velocity: {} m/s}}\n"
                            "contact: {{law: hertz, stiffness: 1e9}}\n"
                            "integration: {{tolerance: 1e-9}}\n",
                            -2e-5, 0.05));
    expect_same(outcome, model.collide(0.7));
}

/// A collision of the rod, given by its table, with a mass.
solvers::Outcome collision_of_table(const TemporaryDirectory& folder,
                                    const std::string& points = "struck") {
    return solve(folder,
                 fmt::format("problem: modal_impact\nbody:\n  modes: rod.csv\n"
                             "  motion: [{{point: tip, velocity: -0.4 m/s}}]\n"
                             "striker: {{kind: point_mass, mass: 200 g, velocity: 0.3 m/s}}\n"
                             "contact: {{law: hertz, stiffness: 1e9}}\n"
                             "integration: {{tolerance: 1e-9}}\npoints: [{}]\n",
                             points));
}

/// A column of this collision.
double column_of_table(const TemporaryDirectory& folder, const char* column) {
    return collision_of_table(folder).tables.front().second.numbers(column)[0];
}

double cor_of_table(const TemporaryDirectory& folder) {
    return column_of_table(folder, "cor_kinematic");
}

TEST(ModalImpact, ATableWithItsResidualFlexibilityIsTheBeamWithIt) {
    for (const double damping : {0.0, 1e5}) {
        models::BeamCollision parameters = rod_on_pin();
        parameters.beam.internal_damping = damping;
        parameters.mesh.residual_flexibility = true;
        const TemporaryDirectory folder;
        write_modes(folder, "elements: 30, modes: 12, residual_flexibility: true", damping);
        EXPECT_NEAR(cor_of_table(folder), models::BeamModel(parameters).collide(0.7).cor_kinematic,
                    1e-8)
            << damping;
    }
}

TEST(ModalImpact, ConvergesFasterWithTheResidualFlexibilityOfTheRowsThatAreLeftOut) {
    const TemporaryDirectory folder;
    write_modes(folder, "elements: 160, modes: 60, residual_flexibility: true");
    const double exact = cor_of_table(folder);
    for (const int modes : {12, 20}) {
        write_modes(folder,
                    fmt::format("elements: 160, modes: {}, residual_flexibility: false", modes));
        const double plain = std::abs(cor_of_table(folder) - exact);
        write_modes(folder,
                    fmt::format("elements: 160, modes: {}, residual_flexibility: true", modes));
        EXPECT_LT(std::abs(cor_of_table(folder) - exact), plain / 20.0) << modes;
    }
}

TEST(ModalImpact, EstimatesWithinAFactorOfTenWhatFurtherRowsWouldChange) {
    const TemporaryDirectory folder;
    write_modes(folder, "elements: 160, modes: 60, residual_flexibility: true");
    const double exact = cor_of_table(folder);
    for (const bool residual : {false, true}) {
        for (const int modes : {8, 10, 12, 16, 20}) {
            write_modes(folder, fmt::format("elements: 160, modes: {}, residual_flexibility: {}",
                                            modes, residual));
            const double error = std::abs(cor_of_table(folder) - exact);
            const double estimate = column_of_table(folder, "cor_truncation");
            EXPECT_GT(estimate, error / 10.0) << modes << residual;
            EXPECT_LT(estimate, error * 10.0) << modes << residual;
        }
    }
}

TEST(ModalImpact, WarnsOfTablesWithTooFewModes) {
    const TemporaryDirectory folder;
    write_modes(folder, "elements: 60, modes: 4, residual_flexibility: false");
    const auto few = collision_of_table(folder, "struck, tip");
    const auto truncations = few.tables.front().second.numbers("cor_truncation");
    const double largest = std::max(truncations[0], truncations[1]);
    ASSERT_GT(largest, 0.01);
    ASSERT_EQ(few.warnings.size(), 1U);
    EXPECT_NE(
        few.warnings[0].find(fmt::format("further modes would change e by {:.2g} at {}", largest,
                                         truncations[1] == largest ? "tip" : "struck")),
        std::string::npos)
        << few.warnings[0];
    write_modes(folder, "elements: 60, modes: 20, residual_flexibility: true");
    EXPECT_TRUE(collision_of_table(folder, "struck, tip").warnings.empty());
}

TEST(ModalImpact, KnowsNoLargestErrorWhereNoBodiesSeparate) {
    const TemporaryDirectory folder;
    write_modes(folder);
    const auto outcome =
        solve(folder,
              "problem: modal_impact\nbody:\n  modes: rod.csv\n"
              "  motion: [{point: tip, velocity: -0.4 m/s}]\n"
              "striker: {kind: point_mass, mass: 200 g, velocity: 0.3 m/s}\n"
              "contact: {law: hertz, stiffness: 1e9}\nintegration: {time_limit: 1 us}\n"
              "points: [struck]\n");
    for (const char* name : {"cor_truncation_max", "cor_difference_max", "energy_residual_max"}) {
        const auto number = outcome.summary.find(name)->number();
        ASSERT_TRUE(number) << name;
        EXPECT_TRUE(std::isnan(*number)) << name;
    }
}

TEST(ModalImpact, KnowsNoTruncationOfABodyWhoseModesAreAllRigid) {
    const TemporaryDirectory folder;
    io::write_text(folder.file("mass.csv"), "frequency_Hz,all\n0,2\n");
    const auto outcome = solve(folder,
                               "problem: modal_impact\nbody: {modes: mass.csv}\n"
                               "striker: {kind: point_mass, mass: 1 kg, velocity: 1 m/s}\n"
                               "contact: {law: hertz, stiffness: 1e9}\n");
    const double truncation = outcome.tables.front().second.numbers("cor_truncation")[0];
    EXPECT_TRUE(std::isnan(truncation));
}

TEST(ModalImpact, TheResidualFlexibilitiesOfBothTablesCount) {
    models::BeamCollision parameters = rod_on_pin();
    parameters.mesh.residual_flexibility = true;
    models::StrikingBeam other;
    other.beam = parameters.beam;
    other.xi = 0.7;
    other.angular_velocity = 1.0;
    parameters.striker = {};
    parameters.striker.shape = other;
    ASSERT_TRUE(models::check(parameters).empty());
    const TemporaryDirectory folder;
    write_modes(folder, "elements: 30, modes: 12, residual_flexibility: true");
    const auto outcome =
        solve(folder,
              "problem: modal_impact\nbody:\n  modes: rod.csv\n"
              "  motion: [{point: tip, velocity: -0.4 m/s}]\n"
              "striker:\n  kind: modes\n  modes: rod.csv\n  point: struck\n"
              "  motion: [{point: tip, velocity: 0.4 m/s}]\n"
              "contact: {law: hertz, stiffness: 1e9}\nintegration: {tolerance: 1e-9}\n"
              "points: [struck]\n");
    expect_same(outcome, models::BeamModel(parameters).collide(0.7));
}

}  // namespace
}  // namespace stoss::tests
