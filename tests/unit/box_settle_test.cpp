// Problem box_settle: threads, interruption, failure.

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>
#include <temporary_directory.hpp>

namespace {

using namespace stoss;

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

solvers::Outcome solve(const std::string& text, const solvers::RunOptions& options = {1, true}) {
    const io::Document document = io::parse_yaml(text, "case.yaml");
    return solvers::problem_of(document).read(document)->solve(options);
}

/// Everything that the run would write.
std::string bytes(const solvers::Outcome& outcome) {
    std::string all = io::to_json(outcome.summary);
    for (const auto& [name, table] : outcome.tables) all += name + io::to_csv(table);
    for (const auto& [name, content] : outcome.files) all += name + content;
    return all;
}

double number(const solvers::Outcome& outcome, const char* key) {
    return *outcome.summary.find(key)->number();
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

TEST(BoxSettle, WarnsOfAStepThatIsLongForAContact) {
    EXPECT_TRUE(solve(soft_box).warnings.empty());
    std::string text = soft_box;
    text.replace(text.find("80 N/m"), 6, "8 kN/m");
    const solvers::Outcome outcome = solve(text);
    ASSERT_EQ(outcome.warnings.size(), 1u);
    EXPECT_NE(outcome.warnings[0].find("less than 20 steps"), std::string::npos);
}

TEST(BoxSettle, EnergyIsAccountedFor) {
    const solvers::Outcome outcome = solve(small_box);
    EXPECT_NEAR(number(outcome, "energy_last_J") + number(outcome, "energy_lost_J"),
                number(outcome, "energy_first_J") + number(outcome, "work_of_error_reduction_J"),
                1e-12 * number(outcome, "energy_first_J"));
    EXPECT_GT(number(outcome, "energy_lost_J"), 0.0);
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
    EXPECT_NE(fast.warnings[0].find("contacts may have been missed"), std::string::npos);
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

}  // namespace
