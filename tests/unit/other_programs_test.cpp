#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <models/contact_pair.hpp>
#include <models/materials.hpp>
#include <models/other_programs.hpp>
#include <models/single_impact.hpp>
#include <solvers/app/one_line.hpp>
#include <source_folder.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/restitution.hpp>
#include <stoss/io/file.hpp>

namespace stoss {
namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string calibrate(const std::vector<std::string>& arguments) {
    return solvers::solve_line("stoss calibrate", "calibrate", arguments, false).text;
}
/// The unit that a calibration prints behind the stiffness.
std::string unit_of_stiffness(const std::vector<std::string>& law) {
    std::vector<std::string> arguments{"--mass", "1 kg", "--speed",     "1 m/s",
                                       "--cor",  "0.5",  "--stiffness", "1e8"};
    arguments.insert(arguments.end(), law.begin(), law.end());
    const std::string text = calibrate(arguments);
    const std::size_t begin = text.find("1e+08 ") + 6;
    return text.substr(begin, text.find('\n', begin) - begin);
}
std::string refusal(const std::vector<std::string>& arguments) {
    try {
        return "not refused: " + calibrate(arguments);
    } catch (const core::InputError& error) {
        return error.what();
    }
}

/// The table of docs/calibration.md.
std::string program_table() {
    std::string text =
        "| `--for` | its contact | contact force P | calibrated with | its parameters |\n"
        "|---|---|---|---|---|\n";
    for (const models::OtherProgram& each : models::other_programs()) {
        text += fmt::format("| `{}` | {} | {} | `{}`, `{}` | {} |\n", core::name_of(each.name),
                            each.contact, each.force, each.law, core::name_of(each.separation),
                            each.formulas);
    }
    return text;
}

TEST(CalibrateLine, PrintsTheUnitOfAStiffnessWithTheExponentOfTheLaw) {
    EXPECT_EQ(unit_of_stiffness({"--law", "hunt_crossley"}), "N/m^1.5");
    EXPECT_EQ(unit_of_stiffness({"--law", "hunt_crossley", "--exponent", "2.25"}), "N/m^2.25");
    EXPECT_EQ(unit_of_stiffness({"--law", "hunt_crossley", "--exponent", "1"}), "N/m");
    EXPECT_EQ(unit_of_stiffness({"--law", "kelvin_voigt"}), "N/m");
    const std::string table = calibrate({"--law", "hunt_crossley", "--mass", "1", "--speed", "1",
                                         "--cor", "0.4,0.5", "--stiffness", "1e8"});
    EXPECT_TRUE(contains(table, " N/m^1.5 ")) << table;
}

TEST(OtherPrograms, TableOfThePageIsThatOfTheCode) {
    const std::string page = io::read_text(STOSS_SOURCE_DIR "/docs/calibration.md");
    EXPECT_TRUE(contains(page, program_table())) << program_table();
}

/// Forces of the programs by their own formulas at random overlaps and rates.
TEST(OtherPrograms, ParametersGiveTheForceOfTheLaw) {
    const double k = 3e7, gamma = 2e-6, m = 4e-3, radius = 2.5e-3, x = 7e-6, v = 0.3;
    const models::CalibratedContact contact{k, gamma, m, radius};
    const auto parameters = [&](models::ProgramName name) {
        return models::program_of(name).parameters(contact);
    };
    const double kuwabara_kono = k * (std::pow(x, 1.5) + gamma * 1.5 * std::sqrt(x) * v);
    const double tsuji = k * (std::pow(x, 1.5) + gamma * 1.25 * std::pow(x, 0.25) * v);
    using enum models::ProgramName;
    const auto lammps_ = parameters(lammps);
    EXPECT_NEAR(std::sqrt(radius * x) * (lammps_[0].value * x + m * lammps_[1].value * v),
                kuwabara_kono, 1e-12 * kuwabara_kono);
    const auto chrono_ = parameters(chrono);
    EXPECT_NEAR(radius * std::sqrt(x) * (chrono_[0].value * x + m * chrono_[1].value * v),
                kuwabara_kono, 1e-12 * kuwabara_kono);
    const double betan = parameters(yade)[0].value;
    EXPECT_NEAR(k * std::pow(x, 1.5) + 2.0 * betan * std::sqrt(1.5 * k * m) * std::pow(x, 0.25) * v,
                tsuji, 1e-12 * tsuji);
    const double e = parameters(liggghts)[0].value;
    const double b =
        std::log(e) / std::sqrt(std::log(e) * std::log(e) + std::numbers::pi * std::numbers::pi);
    EXPECT_NEAR(
        k * std::pow(x, 1.5) - std::sqrt(5.0) * b * std::sqrt(k * m) * std::pow(x, 0.25) * v, tsuji,
        1e-12 * tsuji);
    const auto mercury = parameters(mercurydpm);
    const double secant = 4.0 / 3.0 * mercury[0].value * std::sqrt(radius * x);
    EXPECT_NEAR(secant * x + mercury[1].value * std::sqrt(m * secant) * v, tsuji, 1e-12 * tsuji);
}

TEST(CalibrateLine, GivesTheLinesOfAProgramForEveryRestitutionAndSpeed) {
    const std::string words =
        calibrate({"--for", "liggghts", "--cor", "0.3,0.5,0.7", "--speed", "0.1,1", "--body.radius",
                   "5 mm", "--body.material", "glass"});
    for (const char* cor : {"0.3", "0.5", "0.7"})
        for (const char* speed : {"0.1", "1"})
            EXPECT_TRUE(contains(words, std::string("# e = ") + cor + " at " + speed + " m/s\n"));
    EXPECT_TRUE(contains(words, "coefficientRestitution peratomtypepair 1 0.4362877627"));
}

TEST(CalibrateLine, TakesUnitsWithRoots) {
    const auto line = [](const char* stiffness) {
        return calibrate({"--for", "yade", "--cor", "0.6", "--speed", "1", "--mass", "1 g",
                          "--stiffness", stiffness});
    };
    EXPECT_EQ(line("7.3e7 N/m^1.5"), line("7.3e7"));
}

TEST(CalibrateLine, RefusesWhatTheProgramCannotTake) {
    EXPECT_TRUE(contains(refusal({"--for", "liggghts", "--cor", "0.1", "--speed", "1", "--mass",
                                  "1 g", "--stiffness", "1e7"}),
                         "cor[0]: 0.1: the damping is above the largest"));
    EXPECT_TRUE(contains(refusal({"--for", "liggghts", "--cor", "0.2", "--speed", "1", "--mass",
                                  "1 g", "--stiffness", "1e7"}),
                         "cor[0]: 0.2: LIGGGHTS refuses coefficientRestitution"));
    EXPECT_TRUE(contains(refusal({"--for", "lammps", "--cor", "0.5", "--speed", "1", "--mass",
                                  "1 g", "--stiffness", "1e7"}),
                         "body: is missing: parameters of lammps depend on its radius"));
    EXPECT_TRUE(contains(refusal({"--for", "yade", "--law", "hunt_crossley", "--cor", "0.5",
                                  "--speed", "1", "--mass", "1 g", "--stiffness", "1e7"}),
                         "is not the law of yade: that is tsuji"));
    EXPECT_TRUE(contains(refusal({"--law", "tsuji", "--cor", "0.5", "--speed", "1,2", "--mass",
                                  "1 g,2 g", "--stiffness", "1e7"}),
                         "is a second key with several values"));
}

models::SingleImpact ball(double radius) {
    models::SingleImpact impact;
    impact.speed = 1.0;
    impact.body = models::ImpactBody{models::SolidSphere{radius}, models::steel()};
    return impact;
}

TEST(ContactPair, GivesMassAndStiffnessOfABallOnAPlane) {
    const models::SingleImpact impact = ball(5e-3);
    const double mass = 4.0 / 3.0 * std::numbers::pi * 125e-9 * 7850.0,
                 modulus = 210e9 / (2.0 * 0.91);
    EXPECT_NEAR(impact.effective_mass().value(), mass, 1e-15);
    contact::Hertz hertz;
    models::SingleImpact copy = impact;
    copy.contact.law = hertz;
    EXPECT_NEAR(std::get<contact::Hertz>(copy.law()).stiffness.value() /
                    (4.0 / 3.0 * modulus * std::sqrt(5e-3)),
                1.0, 1e-14);
}

/// A rigid target is not deformed: E* is that of the body alone. It needs no density if it rests.
TEST(ContactPair, ARigidTargetAtRestNeedsNoDensity) {
    models::SingleImpact impact = ball(5e-3);
    impact.contact.law = contact::Hertz{};
    const double mass = impact.effective_mass().value();
    impact.target.material = models::StrikerMaterial{core::infinity, 0.3};
    EXPECT_TRUE(models::check(impact).empty());
    EXPECT_EQ(impact.effective_mass().value(), mass);
    EXPECT_NEAR(contact_bodies(*impact.body, impact.target).modulus / (210e9 / 0.91), 1.0, 1e-15);
    impact.target.shape = models::SolidSphere{5e-3};
    ASSERT_EQ(models::check(impact).size(), 1U);
    EXPECT_EQ(models::check(impact).front().rule, "is missing: the target has no density");
    impact.target.fixed = true;
    EXPECT_TRUE(models::check(impact).empty());
}

TEST(ContactPair, TwoEqualSpheresHaveHalfTheMassAndHalfTheRadius) {
    models::SingleImpact impact = ball(5e-3);
    const double alone = impact.effective_mass().value();
    impact.target.shape = models::SolidSphere{5e-3};
    EXPECT_NEAR(impact.effective_mass().value(), 0.5 * alone, 1e-15);
    EXPECT_NEAR(contact_bodies(*impact.body, impact.target).radius, 2.5e-3, 1e-15);
    impact.target.fixed = true;
    EXPECT_NEAR(impact.effective_mass().value(), alone, 1e-15);
}

TEST(ContactPair, WithoutAnyMassOrAlongALineIsRefused) {
    models::SingleImpact impact = ball(5e-3);
    impact.body->shape = models::SolidCylinder{5e-3, {}};
    const auto found = check_load(impact);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].key, "mass");
    EXPECT_EQ(found[1].key, "target");
}

TEST(PhysicalInput, WorkOfAdhesionIsThePullOffForce) {
    models::SingleImpact impact = ball(1e-6);
    impact.contact.separation = contact::Separation::zero_overlap;
    contact::Jkr jkr;
    jkr.work_of_adhesion = 0.1;
    impact.contact.law = jkr;
    const auto completed = std::get<contact::Jkr>(impact.law());
    EXPECT_NEAR(completed.pull_off_force.value() / (1.5 * std::numbers::pi * 0.1 * 1e-6), 1.0,
                1e-15);
    EXPECT_TRUE(check(impact).empty());
}

TEST(PhysicalInput, YieldPressureIsTheYieldOverlap) {
    models::SingleImpact impact = ball(5e-3);
    contact::ThorntonNing law;
    law.yield_pressure = 1.5e9;
    impact.contact.law = law;
    const auto completed = std::get<contact::ThorntonNing>(impact.law());
    const double modulus = 210e9 / (2.0 * 0.91),
                 strain = std::numbers::pi * 1.5e9 / (2.0 * modulus);
    EXPECT_NEAR(completed.yield_overlap.value() / (5e-3 * strain * strain), 1.0, 1e-14);
    // At the yield overlap the mean pressure of Hertz's contact has p_0 = p_y.
    const double force =
        completed.stiffness.value() * std::pow(completed.yield_overlap.value(), 1.5);
    const double radius = std::sqrt(5e-3 * completed.yield_overlap.value());
    EXPECT_NEAR(1.5 * force / (std::numbers::pi * radius * radius) / 1.5e9, 1.0, 1e-12);
}

TEST(PhysicalInput, WithoutBodiesOrGivenTwiceIsRefused) {
    models::SingleImpact impact{.mass = 1.0, .speed = 1.0};
    contact::Jkr jkr;
    jkr.stiffness = 1e6;
    jkr.work_of_adhesion = 0.1;
    impact.contact = {jkr, contact::Separation::zero_overlap};
    auto found = check(impact);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].key, "contact.pull_off_force");
    jkr.pull_off_force = 1.0;
    impact.contact.law = jkr;
    found = check(impact);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].key, "contact.work_of_adhesion");
}

}  // namespace
}  // namespace stoss
