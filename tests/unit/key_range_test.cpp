// Keys that run through a range, and problems on one line.
#include <gtest/gtest.h>

#include <regex>

#include <models/beam_collision.hpp>
#include <models/single_impact.hpp>
#include <published_mesh.hpp>
#include <solvers/app/one_line.hpp>
#include <solvers/case/key_range.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>

namespace {

using namespace stoss;
using solvers::Spacing;
using solvers::Steps;

TEST(Steps, MeetBothEndsExactly) {
    for (const Spacing spacing : {Spacing::linear, Spacing::logarithmic}) {
        const Steps steps{0.1, 0.7, 7, spacing};
        EXPECT_EQ(steps[0], 0.1);
        EXPECT_EQ(steps[6], 0.7);
    }
    EXPECT_NEAR((Steps{0.1, 0.7, 7, Spacing::linear})[3], 0.4, 1e-15);
    EXPECT_NEAR((Steps{1e-4, 1.0, 5, Spacing::logarithmic})[1], 1e-3, 1e-18);
}

TEST(NumberKey, IsFoundBesideTheChoiceItBelongsTo) {
    models::SingleImpact impact;
    impact.contact.law = contact::LinearDamping{};
    const auto key = solvers::number_at(impact, "contact.damping");
    ASSERT_TRUE(key);
    EXPECT_EQ(key.unit, "N s/m");
    EXPECT_FALSE(key.value());
    key.set(3.0);
    EXPECT_EQ(key.value(), 3.0);
    EXPECT_EQ(std::get<contact::LinearDamping>(impact.contact.law).damping, 3.0);
    EXPECT_TRUE(solvers::number_at(impact, "speed"));
    EXPECT_FALSE(solvers::number_at(impact, "contact.damping_factor"));
    EXPECT_FALSE(solvers::number_at(impact, "contact.law"));
    EXPECT_FALSE(solvers::number_at(impact, "contact"));
}

TEST(NumberKey, OfAnOptionalNumberIsThereIfItIsGiven) {
    models::BeamCollision collision;
    collision.mesh = tests::published_mesh();
    EXPECT_FALSE(solvers::number_at(collision, "striker.mass"));
    EXPECT_FALSE(solvers::number_at(collision, "motion.drop_height"));
    collision.striker.mass = 0.2;
    const auto key = solvers::number_at(collision, "striker.mass");
    ASSERT_TRUE(key);
    EXPECT_EQ(key.unit, "kg");
    key.set(0.3);
    EXPECT_EQ(collision.striker.total_mass(), 0.3);
}

TEST(NumberKey, HasOnePath) {
    models::BeamCollision collision;
    collision.beam.masses = {{.xi = 0.5, .mass = 0.1}};
    EXPECT_TRUE(solvers::number_at(collision, "beam.masses[0].mass"));
    EXPECT_FALSE(solvers::number_at(collision, "beam.masses[00].mass"));
    EXPECT_FALSE(solvers::number_at(collision, "beam.masses[1].mass"));
}

std::string refusal(const std::vector<std::string>& arguments) {
    try {
        solvers::solve_line("stoss cor", "restitution", arguments, false);
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

TEST(OneLine, TakesKeysByTheirLastPartAndUnits) {
    const std::string text =
        solvers::solve_line("stoss cor", "restitution",
                            {"--law", "kelvin_voigt", "--stiffness=4 kN/m", "--damping", "10",
                             "--mass", "20 g", "--speed", "1"},
                            true)
            .text;
    const io::Value summary = io::parse_json(text, "summary");
    // xi = c/(2 sqrt(k m)) = 0.559; the closed form of the oscillator.
    EXPECT_NEAR(*summary.find("cor")->number(), 0.26762, 1e-5);
}

TEST(OneLine, TakesListsAndMappingsAsACaseFileHasThem) {
    const auto cor = [](const std::vector<std::string>& arguments) {
        const std::string text =
            solvers::solve_line("stoss cor", "restitution", arguments, true).text;
        return *io::parse_json(text, "summary").find("cor")->number();
    };
    // A straight table is a linear spring: nothing is lost.
    for (const auto& [overlap, force] : {std::pair{"[0, 1e-3]", "[0, 1e3]"}, {"0,1e-3", "0,1e3"}}) {
        EXPECT_NEAR(cor({"--law", "tabulated", "--overlap", overlap, "--contact.force", force,
                         "--mass", "10 g", "--speed", "1"}),
                    1.0, 1e-9);
    }
    EXPECT_NEAR(cor({"--law", "hertz", "--speed", "1", "--body.radius", "5 mm", "--body.material",
                     "{density: 1000, youngs_modulus: 5 MPa, poisson_ratio: 0.3}"}),
                1.0, 1e-9);
    const auto restitutions = solvers::solve_line("stoss calibrate", "calibrate",
                                                  {"--law", "tsuji", "--cor", "[0.5,0.3]", "--mass",
                                                   "1", "--stiffness", "1e6", "--speed", "1"},
                                                  false);
    EXPECT_NE(restitutions.text.find("\n       0.3 "), std::string::npos) << restitutions.text;
}

TEST(OneLine, HintsAtADecimalCommaOnlyWhereTheNumberHasNoPoint) {
    const auto with_damping = [](const char* damping) {
        return refusal({"--law", "kelvin_voigt", "--stiffness", "1e6", "--mass", "1", "--speed",
                        "1", "--damping", damping});
    };
    EXPECT_NE(with_damping("0,-5").find("damping"), std::string::npos);
    EXPECT_EQ(with_damping("0.5,-0.3").find("write 0.5."), std::string::npos);
    EXPECT_EQ(with_damping("[0.5,0.3]").find("write [0.5."), std::string::npos);
}

// At 10 km/s two glass spheres of 5 mm would overlap by 16 mm.
TEST(OneLine, WarnsOfAnOverlapTooDeepForTheBodies) {
    const auto warnings = [](const char* speed) {
        return solvers::solve_line(
                   "stoss cor", "restitution",
                   {"--law", "hertz", "--speed", speed, "--body.radius", "5 mm", "--body.material",
                    "glass", "--target.shape", "sphere", "--target.radius", "6 mm"},
                   false)
            .warnings;
    };
    EXPECT_TRUE(warnings("1 m/s").empty());
    ASSERT_EQ(warnings("10 km/s").size(), 1U);
    EXPECT_TRUE(warnings("10 km/s").front().starts_with("the deepest overlap is 3."));
    EXPECT_NE(warnings("10 km/s").front().find("of the smaller radius"), std::string::npos);
}

TEST(OneLine, AKeyThatIsGivenTwiceIsRefused) {
    for (const std::vector<std::string>& again :
         {std::vector<std::string>{"--mass", "2"}, {"--mass=2"}, {"--mass", "2,3"}}) {
        std::vector<std::string> words{"--law",       "hertz", "--mass",  "1",
                                       "--stiffness", "1e6",   "--speed", "1"};
        words.insert(words.end(), again.begin(), again.end());
        try {
            solvers::solve_line("stoss cor", "restitution", words, false);
            ADD_FAILURE() << again.front();
        } catch (const core::InputError& error) {
            EXPECT_STREQ(error.what(),
                         "stoss cor: error: --mass: is given twice\n    hint: keep one of the two");
        }
    }
    EXPECT_THROW(solvers::solve_line("stoss cor", "restitution",
                                     {"--law", "hertz", "--contact.law", "hertz", "--mass", "1",
                                      "--stiffness", "1e6", "--speed", "1"},
                                     false),
                 core::InputError);
}

TEST(OneLine, WarnsOfAnOverlapTooDeepForTheRadiusOfTheLaw) {
    const std::vector<std::string> warnings =
        solvers::solve_line("stoss cor", "restitution",
                            {"--law", "jackson_green", "--mass", "0.1", "--stiffness", "1e9",
                             "--effective_radius", "1 mm", "--yield_strain", "0.01",
                             "--contact.poisson_ratio", "0.3", "--speed", "0.1,10"},
                            false)
            .warnings;
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_TRUE(warnings.front().starts_with("the deepest overlap is 2.3 of the effective radius"))
        << warnings.front();
}

// A rubber ball of 10 um at 100 m/s.
TEST(OneLine, ACalibrationWarnsOfAnOverlapTooDeepForTheBodies) {
    const auto warnings = [](const char* speed) {
        return solvers::solve_line("stoss calibrate", "calibrate",
                                   {"--law", "hunt_crossley", "--cor", "0.5", "--speed", speed,
                                    "--body.radius", "10 um", "--body.material", "rubber"},
                                   false)
            .warnings;
    };
    EXPECT_TRUE(warnings("0.1 m/s").empty());
    ASSERT_EQ(warnings("100 m/s").size(), 1U);
    EXPECT_TRUE(warnings("0.1 m/s,100 m/s")
                    .front()
                    .starts_with("the deepest overlap is 3.1 of the smaller"))
        << warnings("0.1 m/s,100 m/s").front();
}

TEST(OneLine, GravityThatPullsTheBodyOffIsNamed) {
    const std::vector<std::string> impact{"--law",  "hertz", "--stiffness", "1e6",
                                          "--mass", "1",     "--speed",     "1"};
    const auto with = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = impact;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return refusal(arguments);
    };
    EXPECT_NE(with({"--gravity", "-9.81"}).find("gravity: -9.81 m/s^2: pulls the body away"),
              std::string::npos);
    EXPECT_NE(with({"--gravity", "9.81", "--load", "-12"}).find("load: -12 N: pulls the body away"),
              std::string::npos);
}

TEST(OneLine, CalibrationGivesBackWhatWasAskedFor) {
    const std::string text =
        solvers::solve_line("stoss calibrate", "calibrate",
                            {"--law", "linear_damping", "--cor", "0.6", "--mass", "1",
                             "--stiffness", "1e6", "--speed", "1"},
                            false)
            .text;
    EXPECT_NE(text.find("damping            81.17356"), std::string::npos) << text;
    EXPECT_NE(text.find("cor                0.6"), std::string::npos) << text;
}

TEST(OneLine, RefusesWhatItDoesNotUnderstand) {
    EXPECT_NE(refusal({"--stiffnes", "1"}).find("did you mean `--stiffness`?"), std::string::npos);
    EXPECT_NE(refusal({"5"}).find("wants a key before it"), std::string::npos);
    EXPECT_NE(refusal({"--mass"}).find("wants a value after it"), std::string::npos);
    EXPECT_NE(refusal({"--mass", "1"}).find("speed: is missing"), std::string::npos);
}

std::string calibrate_refusal(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--mass", "1", "--speed", "1"});
    try {
        solvers::solve_line("stoss calibrate", "calibrate", arguments, false);
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

TEST(OneLine, ACalibrationWithoutALawSaysHowToNameOne) {
    for (const auto& more : {std::vector<std::string>{}, {"--stiffness", "1e4"}}) {
        std::vector<std::string> arguments{"--cor", "0.5"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const std::string words = calibrate_refusal(arguments);
        EXPECT_NE(words.find("give --law NAME; `stoss list laws` shows the names"),
                  std::string::npos)
            << words;
    }
}

TEST(OneLine, ADecimalCommaIsNamedWhereItMadeTwoValues) {
    const std::string words =
        calibrate_refusal({"--law", "kelvin_voigt", "--stiffness", "1e4", "--cor", "0,8"});
    EXPECT_NE(words.find("cor[0]: 0: must be between 1e-06 and 1\n"
                         "    hint: a comma separates several values; write 0.8"),
              std::string::npos)
        << words;
    const std::string swept =
        calibrate_refusal({"--law", "kelvin_voigt", "--stiffness", "0,5", "--cor", "0.8"});
    EXPECT_NE(swept.find("a comma separates several values; write 0.5"), std::string::npos)
        << swept;
}

TEST(OneLine, ACalibrationPrintsTheSeparationRuleOfItsDamping) {
    for (const char* const cor : {"0.5", "0.5,0.6"}) {
        const std::string text = solvers::solve_line("stoss calibrate", "calibrate",
                                                     {"--for", "lammps_hooke", "--stiffness", "1e4",
                                                      "--mass", "1", "--speed", "1", "--cor", cor},
                                                     false)
                                     .text;
        EXPECT_TRUE(std::regex_search(text, std::regex("separation +zero_overlap\n"))) << text;
    }
}

TEST(KeyRange, AnEndThatTheKeyCannotHaveIsNamedWhereItStands) {
    const io::Document document = io::parse_yaml(
        "problem: restitution\nspeed: 1\nmass: 1\n"
        "contact: {law: hertz, stiffness: 1e6}\nover: [{key: speed, from: -1, to: 1}]\n",
        "case.yaml");
    try {
        solvers::problem_of(document).read(document);
        FAIL() << "a negative speed was accepted";
    } catch (const core::InputError& error) {
        EXPECT_STREQ(error.what(), "case.yaml:5:27: error: over[0].from: -1: must be > 0 m/s");
    }
}

TEST(KeyRange, SaysThatAListOfValuesBelongsToASweep) {
    const io::Document document = io::parse_yaml(
        "problem: restitution\nspeed: 1\nmass: 1\n"
        "contact: {law: hertz, stiffness: 1e6}\nover: [{key: speed, values: [1, 2]}]\n",
        "case.yaml");
    try {
        solvers::problem_of(document).read(document);
        FAIL() << "a range of values was accepted";
    } catch (const core::InputError& error) {
        const std::string words = error.what();
        EXPECT_NE(words.find("add `from` (first value, a number with its unit as for the key "
                             "itself)\n"),
                  std::string::npos)
            << words;
        EXPECT_NE(words.find("`values` belongs to `sweep`"), std::string::npos) << words;
    }
}

/// Else the time to read a case would grow as the square of the number of values.
TEST(Sweep, ABranchIsReadWithoutTheValuesOfTheOthers) {
    const io::Document document =
        io::parse_yaml("speed: 1\nsweep: {key: speed, values: [2, 3, 4]}\n", "case.yaml");
    const solvers::Sweep sweep{"speed", {"2", "3", "4"}};
    std::vector<std::string> read;
    solvers::read_branches(document, sweep, {}, [&](const io::Document& changed, std::size_t i) {
        read.push_back(changed.root.find("speed")->scalar);
        EXPECT_EQ(read.back(), sweep.values[i]);
        EXPECT_EQ(changed.root.find("sweep")->find("values")->items.size(), 1U);
        return std::vector<core::Violation>{};
    });
    EXPECT_EQ(read.size(), 3U);
}

TEST(Sweep, ReadingItsBranchesCanBeStopped) {
    const io::Document document =
        io::parse_yaml("speed: 1\nsweep: {key: speed, values: [2, 3, 4]}\n", "case.yaml");
    std::size_t read = 0;
    const core::StopScope::Stop stop = [&] { return read == 2; };
    const core::StopScope scope(&stop);
    EXPECT_THROW(solvers::read_branches(document, {"speed", {"2", "3", "4"}}, {},
                                        [&](const io::Document&, std::size_t) {
                                            ++read;
                                            return std::vector<core::Violation>{};
                                        }),
                 core::Stopped);
    EXPECT_EQ(read, 2U);
}

}  // namespace
