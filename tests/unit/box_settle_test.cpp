// Problem box_settle: threads, interruption, failure.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numbers>
#include <string>

#include <solved_case.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/document.hpp>
#include <temporary_directory.hpp>

namespace {

using namespace stoss;
using tests::bytes;
using tests::number;
using tests::solve;
using tests::table;
using tests::warning_with;

const std::string small_box =
    "problem: box_settle\n"
    "box: {x: 7 mm, y: 7 mm, z: 20 mm}\n"
    "density: 2500 kg/m^3\n"
    "lattice: {count: 150, radius: 0.5 mm, radius_spread: 0.1, speed: 0.3 m/s}\n"
    "contact: {friction: 0.4}\n"
    "stepping: {step: 200 us}\n"
    "duration: 30 ms\n"
    "samples: 20\n"
    "frames: 4\n";

// The same with fewer spheres that are soft, in a wide and low box where they touch soon.
const std::string soft_box =
    "problem: box_settle\n"
    "box: {x: 5 mm, y: 5 mm, z: 3 mm}\n"
    "density: 2500 kg/m^3\n"
    "lattice: {count: 32, radius: 0.5 mm, radius_spread: 0.1, speed: 0.5 m/s}\n"
    "contact: {friction: 0.4}\n"
    "compliant:\n"
    "  contact: {law: kelvin_voigt, stiffness: 80 N/m, restitution: 0.6}\n"
    "  material: {youngs_modulus: 5 MPa, poisson_ratio: 0.2}\n"
    "stepping: {step: 10 us}\n"
    "duration: 2 ms\n"
    "samples: 20\n"
    "frames: 2\n";

const std::string small_box_of_clumps =
    "problem: box_settle\n"
    "box: {x: 7 mm, y: 7 mm, z: 20 mm}\n"
    "density: 2500 kg/m^3\n"
    "shapes:\n"
    "  - name: pair\n"
    "    spheres:\n"
    "      - {radius: 0.4 mm, position: [0, 0, 0]}\n"
    "      - {radius: 0.3 mm, position: [0.5 mm, 0, 0]}\n"
    "grains: pair\n"
    "lattice: {count: 60, radius: 0.5 mm, radius_spread: 0.1, speed: 0.3 m/s}\n"
    "contact: {model: coulomb, friction: 0.4}\n"
    "stepping: {step: 200 us}\n"
    "duration: 30 ms\n"
    "samples: 20\n"
    "frames: 4\n";

/// Two soft spheres of 10 mm that meet at twice that speed.
solvers::Outcome two_meet_at(const std::string& speed, const std::string& modulus = "50 kPa") {
    return solve(
        "problem: box_settle\n"
        "box: {x: 100 mm, y: 100 mm, z: 100 mm}\n"
        "density: 2500 kg/m^3\n"
        "gravity: [0, 0, 0]\n"
        "contact: {friction: 0.4}\n"
        "compliant: {contact: {law: hertz}, material: {poisson_ratio: 0.3, youngs_modulus: " +
        modulus +
        "}}\n"
        "spheres:\n"
        "  - {radius: 10 mm, position: [35 mm, 50 mm, 50 mm], velocity: [" +
        speed +
        ", 0, 0]}\n"
        "  - {radius: 10 mm, position: [65 mm, 50 mm, 50 mm], velocity: [-" +
        speed +
        ", 0, 0]}\n"
        "stepping: {step: 5 us}\n"
        "duration: 20 ms\n"
        "frames: 0\n");
}

TEST(BoxSettle, SpheresThatWouldPassThroughEachOtherAreAFailure) {
    const solvers::Outcome passed = two_meet_at("10");
    EXPECT_EQ(passed.ending, solvers::Ending::numerical_failure);
    EXPECT_NE(warning_with(passed, "passed through each other"), "");
    EXPECT_GT(number(passed, "deepest_overlap_radii"), 1.0);
}

/// Two rigid spheres of 1 mm, 3 mm apart, that meet beyond the margin of one step.
TEST(BoxSettle, TheOverlapOfTheLastStateCounts) {
    const solvers::Outcome outcome = solve(
        "problem: box_settle\n"
        "box: {x: 20 mm, y: 20 mm, z: 20 mm}\n"
        "density: 2500 kg/m^3\n"
        "gravity: [0, 0, 0]\n"
        "contact: {friction: 0.4}\n"
        "spheres:\n"
        "  - {radius: 1 mm, position: [5 mm, 10 mm, 10 mm], velocity: [20, 0, 0]}\n"
        "  - {radius: 1 mm, position: [8 mm, 10 mm, 10 mm], velocity: [-20, 0, 0]}\n"
        "stepping: {step: 50 us}\n"
        "duration: 50 us\n"
        "frames: 0\n");
    const auto x = table(outcome, "spheres.csv").numbers("x_m");
    const double overlap = 2e-3 - (x[1] - x[0]);
    EXPECT_NEAR(overlap, 1e-3, 1e-15);
    EXPECT_DOUBLE_EQ(number(outcome, "deepest_overlap_m"), overlap);
    EXPECT_DOUBLE_EQ(number(outcome, "deepest_overlap_last_m"), overlap);
    EXPECT_DOUBLE_EQ(table(outcome, "history.csv").numbers("deepest_overlap_m").back(), overlap);
}

/// Rigid spheres of 1 mm and 2 mm that meet beyond the margin of one step and overlap by 0.4 mm.
TEST(BoxSettle, WarnsOfRigidSpheresThatOverlapTooFar) {
    const auto after = [](const std::string& duration) {
        return solve(
            "problem: box_settle\n"
            "box: {x: 20 mm, y: 20 mm, z: 20 mm}\n"
            "density: 2500 kg/m^3\n"
            "gravity: [0, 0, 0]\n"
            "contact: {friction: 0.4}\n"
            "spheres:\n"
            "  - {radius: 1 mm, position: [5 mm, 10 mm, 10 mm], velocity: [14, 0, 0]}\n"
            "  - {radius: 2 mm, position: [9 mm, 10 mm, 10 mm], velocity: [-14, 0, 0]}\n"
            "stepping: {step: 50 us}\n"
            "frames: 0\n"
            "duration: " +
            duration + "\n");
    };
    for (const std::string duration : {"50 us", "100 us"}) {
        const solvers::Outcome outcome = after(duration);
        EXPECT_NEAR(number(outcome, "deepest_overlap_radii"), 0.4, 1e-9) << duration;
        EXPECT_NE(warning_with(outcome, "the deepest overlap is 0.4 of the smaller radius"), "")
            << duration;
    }
    const solvers::Outcome shallow = solve(small_box);
    EXPECT_GT(number(shallow, "deepest_overlap_radii"), 0.0);
    EXPECT_LT(number(shallow, "deepest_overlap_radii"), 0.1);
    EXPECT_EQ(warning_with(shallow, "deepest overlap"), "");
}

TEST(BoxSettle, NoFramesMeanNoFilesForParaView) {
    std::string text = small_box;
    EXPECT_EQ(solve(text).files.size(), 6u);  // that of the start, four more and their list
    text.replace(text.find("frames: 4"), 9, "frames: 0");
    EXPECT_TRUE(solve(text).files.empty());
}

/// 24 spheres on the floor, and one high above them.
TEST(BoxSettle, TheProfileReachesTheHighestSphere) {
    std::string text =
        "problem: box_settle\n"
        "box: {x: 60 mm, y: 40 mm, z: 100 mm}\n"
        "density: 2500 kg/m^3\n"
        "contact: {friction: 0.4}\n"
        "stepping: {step: 100 us}\n"
        "duration: 100 us\n"
        "spheres:\n  - {radius: 5 mm, position: [5 mm, 5 mm, 75 mm]}\n";
    for (int i = 0; i < 24; ++i) {
        text += "  - {radius: 5 mm, position: [" + std::to_string(5 + 10 * (i % 6)) + " mm, " +
                std::to_string(5 + 10 * (i / 6)) + " mm, 5 mm]}\n";
    }
    const solvers::Outcome outcome = solve(text);
    const auto heights = table(outcome, "profile.csv").numbers("height_m");
    const auto fractions = table(outcome, "profile.csv").numbers("solid_fraction");
    const double thickness = 1.2 * number(outcome, "bed_height_m") / 40.0;
    double volume = 0.0;
    for (std::size_t k = 0; k < heights.size(); ++k) {
        EXPECT_NEAR(heights[k], thickness * (static_cast<double>(k) + 0.5), 1e-12);
        volume += 60e-3 * 40e-3 * thickness * fractions[k];
    }
    EXPECT_NEAR(volume / (25.0 * 4.0 / 3.0 * std::numbers::pi * 125e-9), 1.0, 1e-9);
    EXPECT_GT(fractions.back(), 0.0);
}

/// A dozen spheres in a narrow box, at rest on each other in the end.
std::string settled_bed(const std::string& contacts, const std::string& stepping) {
    return "problem: box_settle\n"
           "box: {x: 2.6 mm, y: 2.6 mm, z: 10 mm}\n"
           "density: 2500 kg/m^3\n"
           "lattice: {count: 12, radius: 0.5 mm, speed: 0.1 m/s}\n"
           "contact: {friction: 0.4}\n" +
           contacts + "stepping: " + stepping +
           "\n"
           "duration: 0.25 s\n"
           "frames: 0\n";
}

const std::string soft_contacts =
    "compliant:\n"
    "  contact: {law: kelvin_voigt, stiffness: 80 N/m, restitution: 0.3}\n"
    "  material: {youngs_modulus: 5 MPa, poisson_ratio: 0.2}\n";

TEST(BoxSettle, WallsCarryTheWeightOfASettledBedAndFrictionObeysCoulomb) {
    const double weight = 12.0 * 2500.0 * 9.81 * 4.0 / 3.0 * std::numbers::pi * 0.125e-9;
    for (const std::string& text :
         {settled_bed("", "{step: 100 us, sweeps: 2000, tolerance: 1e-9 m/s}"),
          settled_bed(soft_contacts, "{step: 20 us}")}) {
        const solvers::Outcome outcome = solve(text);
        const io::Table& contacts = table(outcome, "contacts.csv");
        const auto& other = std::get<std::vector<std::int64_t>>(contacts.columns[1].values);
        const auto& wall = std::get<std::vector<std::string>>(contacts.columns[2].values);
        std::array<std::vector<double>, 3> n, f_t;
        for (std::size_t k = 0; k < 3; ++k) {
            n[k] = contacts.numbers(std::string("n_") + "xyz"[k]);
            f_t[k] = contacts.numbers(std::string("tangential_force_") + "xyz"[k] + "_N");
        }
        const auto f_n = contacts.numbers("normal_force_N");
        std::array<double, 3> on_spheres{};  // of all walls
        double on_floor = 0.0;
        EXPECT_GT(contacts.rows(), 12u);
        for (std::size_t i = 0; i < contacts.rows(); ++i) {
            const double friction = std::hypot(f_t[0][i], f_t[1][i], f_t[2][i]);
            EXPECT_LE(friction, 0.4 * f_n[i] * (1.0 + 1e-9) + 1e-15) << i;
            EXPECT_NEAR(std::hypot(n[0][i], n[1][i], n[2][i]), 1.0, 1e-12);
            EXPECT_EQ(other[i] == -1, !wall[i].empty());
            if (wall[i].empty()) continue;
            for (std::size_t k = 0; k < 3; ++k) on_spheres[k] += f_n[i] * n[k][i] + f_t[k][i];
            if (wall[i] == "z_low") on_floor += f_n[i];
        }
        EXPECT_NEAR(on_spheres[2] / weight, 1.0, 1e-3);
        EXPECT_NEAR(on_spheres[0] / weight, 0.0, 1e-3);
        EXPECT_NEAR(on_spheres[1] / weight, 0.0, 1e-3);
        EXPECT_NEAR(number(outcome, "force_on_z_low_N"), on_floor, 1e-12 * weight);
        EXPECT_EQ(number(outcome, "force_on_z_high_N"), 0.0);
    }
}

TEST(BoxSettle, WarnsOfOverlapsTooDeepForTheLaw) {
    const solvers::Outcome deep = two_meet_at("0.5");
    EXPECT_EQ(deep.ending, solvers::Ending::complete);
    EXPECT_NE(warning_with(deep, "the deepest overlap is 0."), "");
    const solvers::Outcome shallow = two_meet_at("0.5", "50 MPa");
    EXPECT_LT(number(shallow, "deepest_overlap_radii"), 0.1);
    EXPECT_TRUE(shallow.warnings.empty());
}

TEST(BoxSettle, DoubtsALawOfContactAlongALine) {
    const std::string hertz = "{law: hertz}";
    std::string box =
        "problem: box_settle\n"
        "box: {x: 10 mm, y: 10 mm, z: 10 mm}\n"
        "density: 2500 kg/m^3\n"
        "contact: {friction: 0.4}\n"
        "compliant: {contact: {law: hertz}, material: glass}\n"
        "spheres: [{radius: 1 mm, position: [5 mm, 5 mm, 2 mm]}]\n"
        "stepping: {step: 0.1 us}\n"
        "duration: 1 us\n";
    const auto doubts_of = [](const std::string& text) {
        return tests::read_case(text)->echo().doubts;
    };
    EXPECT_TRUE(doubts_of(box).empty());
    box.replace(box.find(hertz), hertz.size(),
                "{law: parallel_cylinders, effective_modulus: 7 GPa, length: 1 mm, "
                "effective_radius: 5 mm, mean_radius: 5 mm}");
    const auto doubts = doubts_of(box);
    ASSERT_EQ(doubts.size(), 1u);
    EXPECT_EQ(doubts[0].key, "compliant.contact.law");
}

TEST(BoxSettle, EnergyOfTheStartHasWhatContactsStore) {
    const solvers::Outcome outcome = solve(
        "problem: box_settle\n"
        "box: {x: 100 mm, y: 100 mm, z: 100 mm}\n"
        "density: 2500 kg/m^3\n"
        "gravity: [0, 0, 0]\n"
        "contact: {friction: 0.4}\n"
        "compliant: {contact: {law: hertz}, material: {youngs_modulus: 5 MPa, poisson_ratio: "
        "0.3}}\n"
        "spheres:\n"
        "  - {radius: 20 mm, position: [30 mm, 50 mm, 50 mm]}\n"
        "  - {radius: 20 mm, position: [69.81 mm, 50 mm, 50 mm]}\n"
        "stepping: {step: 10 us}\n"
        "duration: 20 ms\n");
    EXPECT_GT(number(outcome, "energy_first_J"), 7e-5);
    EXPECT_NEAR(number(outcome, "energy_residual_J"), 0.0,
                1e-4 * number(outcome, "energy_first_J"));
    EXPECT_TRUE(outcome.warnings.empty());
}

TEST(BoxSettle, SaysWhichStepWouldDoWhereTheMotionDiverges) {
    const solvers::Outcome outcome = solve(
        "problem: box_settle\n"
        "box: {x: 10 mm, y: 10 mm, z: 10 mm}\n"
        "density: 7800 kg/m^3\n"
        "contact: {friction: 0.4}\n"
        "compliant: {contact: {law: tsuji, restitution: 0.3}, material: steel}\n"
        "spheres: [{radius: 1 mm, position: [5 mm, 5 mm, 5 mm]}]\n"
        "stepping: {step: 1 ms}\n"
        "duration: 1 s\n");
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    EXPECT_NE(warning_with(outcome, "the step is too long for the contacts; take at most"), "");
}

TEST(BoxSettle, WarnsOfContactsThatTheSweepsLeaveUnsolved) {
    std::string text =
        "problem: box_settle\n"
        "box: {x: 40 mm, y: 40 mm, z: 900 mm}\n"
        "density: 7800 kg/m^3\n"
        "contact: {friction: 0.3}\n"
        "stepping: {step: 1 ms}\n"
        "duration: 0.3 s\n"
        "frames: 0\n"
        "spheres:\n";
    for (int i = 0; i < 40; ++i)
        text += "  - {radius: 10 mm, position: [20 mm, 20 mm, " + std::to_string(10 + 20 * i) +
                " mm]}\n";
    const solvers::Outcome few = solve(text);
    EXPECT_NE(warning_with(few, "raise `stepping.sweeps`"), "");
    EXPECT_GT(number(few, "unconverged_share"), 0.5);
    EXPECT_GT(number(few, "residual_largest_m_per_s"), 1e-2);
    text.replace(text.find("step: 1 ms"), 10, "step: 1 ms, sweeps: 5000, tolerance: 1e-9");
    const solvers::Outcome enough = solve(text);
    EXPECT_TRUE(enough.warnings.empty()) << enough.warnings.front();
    EXPECT_LT(number(enough, "unconverged_share"), 0.01);
}

TEST(BoxSettle, HeightsAreAgainstGravity) {
    const auto resting = [](const std::string& gravity, const std::string& place) {
        return solve(
            "problem: box_settle\n"
            "box: {x: 10 mm, y: 12 mm, z: 14 mm}\n"
            "density: 2500 kg/m^3\n"
            "contact: {friction: 0.4}\n"
            "gravity: [" +
            gravity + "]\nspheres: [{radius: 1 mm, position: [" + place +
            "]}]\n"
            "stepping: {step: 1 ms}\n"
            "duration: 10 ms\n");
    };
    const auto expect_bed = [](const solvers::Outcome& outcome, double area) {
        EXPECT_NEAR(number(outcome, "bed_height_m"), 2e-3, 1e-9);
        // The sphere from 0.2 mm to 1.8 mm: two caps are missing.
        const double volume =
            std::numbers::pi * 1e-9 * (4.0 / 3.0 - 2.0 * 0.04 * (1.0 - 0.2 / 3.0));
        EXPECT_NEAR(number(outcome, "solid_fraction"), volume / (area * 1.6e-3), 1e-6);
        EXPECT_TRUE(outcome.warnings.empty());
    };
    expect_bed(resting("0, 0, -9.81", "5 mm, 5 mm, 1 mm"), 120e-6);
    expect_bed(resting("0, 0, 9.81", "5 mm, 5 mm, 13 mm"), 120e-6);
    expect_bed(resting("-9.81, 0, 0", "1 mm, 5 mm, 5 mm"), 168e-6);
    expect_bed(resting("0, 9.81, 0", "5 mm, 11 mm, 5 mm"), 140e-6);
    EXPECT_NEAR(number(resting("0, 0, 0", "5 mm, 5 mm, 12 mm"), "bed_height_m"), 14e-3, 1e-12);
    EXPECT_NE(warning_with(resting("5, 0, -5", "5 mm, 5 mm, 1 mm"), "take z as the height"), "");
}

TEST(BoxSettle, OrientationOfAClumpIsThatOfItsShape) {
    const auto quaternion = [](const std::string& given) {
        const solvers::Outcome outcome = solve(
            "problem: box_settle\n"
            "box: {x: 100 mm, y: 100 mm, z: 100 mm}\n"
            "density: 2500 kg/m^3\n"
            "gravity: [0, 0, 0]\n"
            "contact: {friction: 0.4}\n"
            "shapes:\n"
            "  - name: odd\n"
            "    spheres:\n"
            "      - {radius: 4 mm, position: [0, 0, 0]}\n"
            "      - {radius: 3 mm, position: [5 mm, 1 mm, 0]}\n"
            "      - {radius: 2 mm, position: [0, 4 mm, 3 mm]}\n"
            "spheres: [{radius: 1 mm, position: [10 mm, 10 mm, 10 mm]}]\n"
            "clumps: [{shape: odd, position: [50 mm, 50 mm, 50 mm], orientation: " +
            given +
            "}]\n"
            "stepping: {step: 1 ms}\n"
            "duration: 1 ms\n");
        std::array<double, 4> q{};
        for (const auto& [name, table] : outcome.tables) {
            if (name != "clumps.csv") continue;
            for (std::size_t k = 0; k < 4; ++k) {
                const auto column = table.numbers(std::string("q_") + "wxyz"[k]);
                EXPECT_EQ(column[0], k == 0 ? 1.0 : 0.0);  // the sphere
                q[k] = column[1];
            }
        }
        return q;
    };
    const auto unturned = quaternion("[1, 0, 0, 0]"), turned = quaternion("[0.6, 0, 0, -0.8]");
    const std::array expected{1.0, 0.0, 0.0, 0.0}, other{0.6, 0.0, 0.0, -0.8};
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(unturned[k], expected[k], 1e-12);
        EXPECT_NEAR(turned[k], other[k], 1e-12);
    }
}

TEST(BoxSettle, TheSkinMustBeWiderThanTheReachOfSoftWalls) {
    const auto refused_key = [](const std::string& walls) {
        const io::Document document = io::parse_yaml(
            "problem: box_settle\n"
            "box: {x: 1 um, y: 1 um, z: 1 um}\n"
            "density: 2500 kg/m^3\n"
            "spheres: [{radius: 0.1 um, position: [0.5 um, 0.5 um, 0.5 um]}]\n"
            "contact: {friction: 0.4}\n"
            "compliant:\n"
            "  contact: {law: jkr, separation: zero_overlap}\n"
            "  material: {youngs_modulus: 70 GPa, poisson_ratio: 0.2, surface_energy: 0.05 J/m^2}\n"
            "  wall_material: " +
                walls +
                "\n"
                "stepping: {step: 1 ps}\n"
                "duration: 1 ns\n",
            "case.yaml");
        try {
            (void)solvers::problem_of(document).read(document);
        } catch (const core::InputError& error) {
            return error.diagnostics().front().violation.key;
        }
        return std::string();
    };
    EXPECT_EQ(refused_key("rubber"), "stepping.skin");
    EXPECT_EQ(refused_key("{youngs_modulus: 70 GPa, poisson_ratio: 0.2, surface_energy: 0.05}"),
              "");
}

TEST(BoxSettle, ThreadsDoNotChangeAByte) {
    const solvers::Outcome one = solve(small_box), three = solve(small_box, {3, true});
    EXPECT_EQ(one.files.size(), 6u);  // five frames and their list
    EXPECT_EQ(bytes(one), bytes(three));
}

TEST(BoxSettle, ThreadsDoNotChangeAByteOfClumps) {
    const solvers::Outcome one = solve(small_box_of_clumps),
                           two = solve(small_box_of_clumps, {2, true});
    EXPECT_EQ(bytes(one), bytes(two));
    EXPECT_EQ(number(one, "clumps"), 60.0);
    EXPECT_EQ(number(one, "spheres"), 120.0);
    ASSERT_EQ(one.files.size(), 6u);
    EXPECT_NE(one.files[0].second.find("Name=\"clump\""), std::string::npos);
}

TEST(BoxSettle, SphereAmongClumpsIsAClumpOfOne) {
    const solvers::Outcome outcome = solve(
        "problem: box_settle\n"
        "box: {x: 20 mm, y: 20 mm, z: 20 mm}\n"
        "density: 2500 kg/m^3\n"
        "shapes: [{name: pair, spheres: [{radius: 1 mm, position: [0, 0, 0]}, "
        "{radius: 1 mm, position: [1 mm, 0, 0]}]}]\n"
        "spheres: [{radius: 1 mm, position: [5 mm, 5 mm, 5 mm]}]\n"
        "clumps: [{shape: pair, position: [10 mm, 10 mm, 5 mm]}]\n"
        "contact: {friction: 0.4}\n"
        "stepping: {step: 200 us}\n"
        "duration: 2 ms\n");
    EXPECT_EQ(number(outcome, "clumps"), 2.0);
    EXPECT_EQ(number(outcome, "spheres"), 3.0);
}

/// Ends a run after each of these numbers of steps and goes on.
void expect_the_same_bytes_after_interruption(const std::string& box,
                                              std::initializer_list<int> steps) {
    const std::string whole = bytes(solve(box));
    const tests::TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    for (const int last : steps) {
        {
            io::Checkpoint checkpoint(file, "case", false);
            int asked = 0;
            const auto cut = solve(box, {1, true, [&] { return ++asked > last; }, &checkpoint});
            EXPECT_EQ(cut.ending, solvers::Ending::interrupted);
            EXPECT_EQ(cut.items_done, static_cast<std::size_t>(last));
            checkpoint.save();
        }
        io::Checkpoint checkpoint(file, "case", true);
        const auto resumed = solve(box, {1, true, [] { return false; }, &checkpoint});
        EXPECT_EQ(bytes(resumed), whole) << last;
    }
}

TEST(BoxSettle, InterruptedAnywhereItGoesOnToTheSameBytes) {
    expect_the_same_bytes_after_interruption(small_box, {1, 60, 149});
}

TEST(BoxSettle, InterruptedClumpsGoOnToTheSameBytes) {
    expect_the_same_bytes_after_interruption(small_box_of_clumps, {1, 60, 149});
}

TEST(BoxSettle, WithSoftSpheresItGoesOnToTheSameBytes) {
    expect_the_same_bytes_after_interruption(soft_box, {1, 77, 199});
}

TEST(BoxSettle, EnergyOfSoftSpheresIsAccountedFor) {
    const solvers::Outcome one = solve(soft_box), two = solve(soft_box, {2, true});
    EXPECT_EQ(bytes(one), bytes(two));
    EXPECT_GT(number(one, "contacts_per_sphere"), 0.0);
    EXPECT_GT(number(one, "normal_loss_J"), 0.0);
    EXPECT_GT(number(one, "friction_loss_J"), 0.0);
    EXPECT_NEAR(number(one, "energy_residual_J"), 0.0, 1e-2 * number(one, "energy_lost_J"));
}

/// A stack of soft spheres in a corner that their weight presses together, without what
/// spheres.csv does not have: stretched springs and losses.
solvers::Outcome soft_stack(const std::string& spheres) {
    return solve(
        "problem: box_settle\n"
        "box: {x: 100 mm, y: 100 mm, z: 200 mm}\n"
        "density: 2500 kg/m^3\n"
        "contact: {friction: 0}\n"
        "compliant: {contact: {law: hertz}, material: {youngs_modulus: 20 kPa, poisson_ratio: "
        "0.3}, tangential: none}\n"
        "stepping: {step: 20 us}\n"
        "duration: 50 ms\n"
        "frames: 0\n"
        "spheres:\n" +
        spheres);
}

/// The rows of spheres.csv as a case has them.
std::string spheres_of(const solvers::Outcome& outcome) {
    const auto found = std::ranges::find_if(
        outcome.tables, [](const auto& each) { return each.first == "spheres.csv"; });
    const io::Table& table = found->second;
    const auto triple = [&](const char* before, const char* after, std::size_t row) {
        std::string text;
        for (const char* const axis : {"x", "y", "z"}) {
            const auto values = table.numbers(before + std::string(axis) + after);
            text += (text.empty() ? "" : ", ") + core::to_text(values[row]);
        }
        return "[" + text + "]";
    };
    std::string text;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        text += "  - {radius: " + core::to_text(table.numbers("radius_m")[i]) +
                ", position: " + triple("", "_m", i) +
                ", velocity: " + triple("v_", "_m_per_s", i) +
                ", angular_velocity: " + triple("omega_", "_rad_per_s", i) + "}\n";
    }
    return text;
}

TEST(BoxSettle, ASoftBedGoesOnFromItsOwnSpheres) {
    const solvers::Outcome first = soft_stack(
        "  - {radius: 20 mm, position: [20 mm, 20 mm, 20 mm], velocity: [-0.1, -0.2, 0]}\n"
        "  - {radius: 15 mm, position: [21 mm, 20 mm, 55 mm]}\n"
        "  - {radius: 20 mm, position: [20 mm, 21 mm, 90 mm], velocity: [0, 0, -0.5]}\n");
    EXPECT_GT(number(first, "deepest_overlap_last_m"), 0.1 * 15e-3);
    const solvers::Outcome next = soft_stack(spheres_of(first));
    EXPECT_EQ(next.ending, solvers::Ending::complete);
    const double energy = number(first, "energy_last_J");
    EXPECT_NEAR(number(next, "energy_first_J") / energy, 1.0, 1e-12);
    EXPECT_NEAR(number(next, "energy_last_J") / energy, 1.0, 1e-4);
}

/// What a case with one soft sphere of 10 mm at that height is refused for; "" if it is not.
std::string refusal_at(const std::string& height) {
    try {
        soft_stack("  - {radius: 10 mm, position: [50 mm, 50 mm, " + height + "]}\n");
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

TEST(BoxSettle, ASoftSphereMayOverlapAWallByItsRadius) {
    EXPECT_EQ(refusal_at("0.1 mm"), "");
    EXPECT_EQ(refusal_at("199.9 mm"), "");
    EXPECT_NE(refusal_at("-0.1 mm").find("the centre is outside the box along z"),
              std::string::npos);
    EXPECT_NE(refusal_at("200.1 mm").find("at most 1 of the radius is accepted"),
              std::string::npos);
}

TEST(BoxSettle, SoftSpheresMayOverlapByTheSmallerRadius) {
    const std::string one = "  - {radius: 10 mm, position: [50 mm, 50 mm, 50 mm]}\n";
    const auto other = [&](const std::string& height) {
        return soft_stack(one + "  - {radius: 20 mm, position: [50 mm, 50 mm, " + height +
                          " mm]}\n");
    };
    EXPECT_EQ(other("70.1").ending, solvers::Ending::complete);
    EXPECT_THROW(other("69.9"), core::InputError);
}

TEST(BoxSettle, WarnsOfAStepThatIsLongForAContact) {
    EXPECT_EQ(warning_with(solve(soft_box), "less than 20 steps"), "");
    std::string text = soft_box;
    text.replace(text.find("80 N/m"), 6, "8 kN/m");
    const std::string warning = warning_with(solve(text), "less than 20 steps");
    EXPECT_NE(warning, "");
    EXPECT_EQ(warning.find_first_of("0123456789"), warning.find("2"));  // 2.8e-05 s, three digits
}

TEST(BoxSettle, EnergyIsAccountedFor) {
    const solvers::Outcome outcome = solve(small_box);
    EXPECT_NEAR(number(outcome, "energy_last_J") + number(outcome, "energy_lost_J"),
                number(outcome, "energy_first_J") + number(outcome, "work_of_error_reduction_J"),
                1e-12 * number(outcome, "energy_first_J"));
    EXPECT_GT(number(outcome, "energy_lost_J"), 0.0);
}

// theory/many_contacts.md, Energy: x is off by g dt t/2, and the energy by the work of g over it.
TEST(BoxSettle, FreeMotionIsOfFirstOrderInTheStep) {
    constexpr double g = 9.81, time = 0.1, mass = 4.0 / 3.0 * std::numbers::pi * 1e-6 * 2500.0;
    for (const double step : {1e-3, 1e-4}) {
        const solvers::Outcome fall = solve(
            "problem: box_settle\n"
            "box: {x: 1 m, y: 1 m, z: 1 m}\n"
            "density: 2500 kg/m^3\n"
            "spheres: [{radius: 10 mm, position: [0.5, 0.5, 0.5]}]\n"
            "contact: {friction: 0.4}\n"
            "stepping: {step: " +
            core::to_text(step) +
            "}\n"
            "duration: 0.1 s\n");
        const auto spheres = std::ranges::find_if(
            fall.tables, [](const auto& each) { return each.first == "spheres.csv"; });
        const double error = 0.5 - 0.5 * g * time * time - spheres->second.numbers("z_m")[0];
        EXPECT_NEAR(error / (0.5 * g * step * time), 1.0, 1e-9);
        EXPECT_NEAR(number(fall, "energy_lost_J") / (mass * g * error), 1.0, 1e-9);
    }
}

TEST(BoxSettle, WarnsOfAStepThatMayMissContacts) {
    const auto thrown = [](const std::string& speed) {
        return solve(
            "problem: box_settle\n"
            "box: {x: 1 m, y: 1 m, z: 1 m}\n"
            "density: 2500 kg/m^3\n"
            "spheres: [{radius: 1 mm, position: [0.5, 0.5, 0.5], velocity: [" +
            speed +
            ", 0, 0]}]\n"
            "gravity: [0, 0, 0]\n"
            "contact: {friction: 0.4}\n"
            "stepping: {step: 1 ms}\n"
            "duration: 10 ms\n");
    };
    EXPECT_TRUE(thrown("0.19").warnings.empty());  // the margin is 0.4 mm, for two spheres
    const solvers::Outcome fast = thrown("0.21");
    ASSERT_EQ(fast.warnings.size(), 1u);
    EXPECT_EQ(fast.warnings[0],
              "a sphere moved 0.00021 m in a step, more than half the margin of 0.0004 m: contacts "
              "may have been missed; take a shorter step or a wider margin");
}

TEST(BoxSettle, MotionThatIsNoNumberIsAFailure) {
    const solvers::Outcome lost = solve(
        "problem: box_settle\n"
        "box: {x: 1 m, y: 1 m, z: 1 m}\n"
        "density: 2500 kg/m^3\n"
        "spheres: [{radius: 1 mm, position: [0.5, 0.5, 0.5], velocity: [1e308, 0, 0]}]\n"
        "contact: {friction: 0.4}\n"
        "stepping: {step: 10 s}\n"
        "duration: 100 s\n");
    EXPECT_EQ(lost.ending, solvers::Ending::numerical_failure);
}

TEST(BoxSettle, BystandersAtRestDoNotExcuseAnEnergyThatIsOff) {
    const auto impact = [](int bystanders) {
        std::string text =
            "problem: box_settle\n"
            "box: {x: 1 m, y: 1 m, z: 1 m}\n"
            "density: 2500 kg/m^3\n"
            "gravity: [0, 0, 0]\n"
            "contact: {friction: 0.1}\n"
            "compliant:\n"
            "  contact: {law: hunt_crossley, restitution: 1e-9}\n"
            "  material: {youngs_modulus: 50 MPa, poisson_ratio: 0.2}\n"
            "stepping: {step: 5 us}\n"
            "duration: 20 ms\n"
            "frames: 0\n"
            "spheres:\n"
            "  - {radius: 10 mm, position: [0.2, 0.5, 0.0101], velocity: [0, 0, -1]}\n";
        for (int i = 0; i < bystanders; ++i) {
            text += "  - {radius: 10 mm, position: [" + std::to_string(30 + 30 * (i % 10)) +
                    " mm, " + std::to_string(30 + 30 * (i / 10)) + " mm, 500 mm]}\n";
        }
        return solve(text);
    };
    const solvers::Outcome alone = impact(0), among_many = impact(100);
    EXPECT_EQ(number(alone, "energy_residual_J"), number(among_many, "energy_residual_J"));
    EXPECT_NE(warning_with(alone, "energies are not accurate"), "");
    EXPECT_EQ(warning_with(among_many, "energies are not accurate"),
              warning_with(alone, "energies are not accurate"));
}

/// A body of three spheres that turns at these velocities [rad/s] in steps of 1 ms.
solvers::Outcome turning_clump(const std::string& velocity) {
    return solve(
        "problem: box_settle\n"
        "box: {x: 1 m, y: 1 m, z: 1 m}\n"
        "density: 2500 kg/m^3\n"
        "gravity: [0, 0, 0]\n"
        "shapes: [{name: odd, spheres: [{radius: 1 mm, position: [0, 0, 0]}, "
        "{radius: 1 mm, position: [1 mm, 0, 0]}, {radius: 0.5 mm, position: [0, 1 mm, 0]}], "
        "mass: 1 g, centre: [0, 0, 0], inertia: [1e-9, 2e-9, 3e-9]}]\n"
        "spheres: [{radius: 1 mm, position: [0.2, 0.2, 0.2], angular_velocity: [5e3, 0, 0]}]\n"
        "clumps: [{shape: odd, position: [0.5, 0.5, 0.5], angular_velocity: [" +
        velocity +
        "]}]\n"
        "contact: {friction: 0.4}\n"
        "stepping: {step: 1 ms}\n"
        "duration: 3 ms\n"
        "frames: 0\n");
}

TEST(BoxSettle, WarnsOfAClumpThatTurnsFarInAStep) {
    EXPECT_EQ(warning_with(turning_clump("0, 0, 490"), "a clump turns"), "");
    EXPECT_EQ(warning_with(turning_clump("0, 0, 1000"), "a clump turns"),
              "a clump turns by 1 rad in a step, more than 0.5 rad: its motion is not accurate; "
              "take a step of at most 0.0005 s");
}

TEST(BoxSettle, AClumpWhoseTurnIsNotFoundIsAFailureThatNamesTheStep) {
    const solvers::Outcome outcome = turning_clump("-4850, 8710, 730");
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    EXPECT_NE(warning_with(outcome, "the motion diverged at 0.001 s: a clump turns by 10 rad"), "");
}

TEST(BoxSettle, ContactsOfTurnedClumpsObeyCoulomb) {
    const solvers::Outcome outcome = solve(small_box_of_clumps);
    const io::Table& contacts = table(outcome, "contacts.csv");
    const auto normal = contacts.numbers("normal_force_N");
    const auto x = contacts.numbers("tangential_force_x_N"),
               y = contacts.numbers("tangential_force_y_N"),
               z = contacts.numbers("tangential_force_z_N");
    ASSERT_GT(normal.size(), 50u);
    for (std::size_t i = 0; i < normal.size(); ++i) {
        EXPECT_LE(std::sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]),
                  0.4 * normal[i] * (1.0 + 1e-9))
            << i;
    }
}

TEST(BoxSettle, ALawMustHoldForTheLargestSphereToo) {
    try {
        solve(
            "problem: box_settle\n"
            "box: {x: 0.1 m, y: 0.1 m, z: 0.1 m}\n"
            "density: 2500 kg/m^3\n"
            "spheres:\n"
            "  - {radius: 0.5 mm, position: [0.05, 0.05, 0.05]}\n"
            "  - {radius: 2 mm, position: [0.05, 0.07, 0.05]}\n"
            "contact: {friction: 0.4}\n"
            "compliant:\n"
            "  contact: {law: maugis, separation: zero_overlap, adhesive_stress: 7 MPa}\n"
            "  material: {youngs_modulus: 5 MPa, poisson_ratio: 0.2, surface_energy: 0.05 J/m^2}\n"
            "  wall_material: {youngs_modulus: 5 MPa, poisson_ratio: 0.2, "
            "surface_energy: 0.02 J/m^2}\n"
            "stepping: {step: 1 us}\n"
            "duration: 5 ms\n");
        FAIL() << "accepted";
    } catch (const core::InputError& error) {
        const core::Diagnostic& first = error.diagnostics().front();
        EXPECT_EQ(first.violation.key, "compliant.contact");
        EXPECT_EQ(first.line, 9);
        EXPECT_NE(first.violation.rule.find("of radius 0.002 m"), std::string::npos);
    }
}

TEST(BoxSettle, AMassWithoutASquareIsRefused) {
    for (const std::string density : {"1e300 kg", "1e-300 kg"}) {
        for (std::string text : {small_box, small_box_of_clumps}) {
            text.replace(text.find("2500 kg"), 7, density);
            EXPECT_THROW((void)tests::read_case(text), core::InputError) << density;
        }
    }
}

}  // namespace
