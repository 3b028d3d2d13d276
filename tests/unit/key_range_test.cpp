// Keys that run through a range, and problems on one line.
#include <gtest/gtest.h>

#include <models/beam_collision.hpp>
#include <models/single_impact.hpp>
#include <published_mesh.hpp>
#include <solvers/app/one_line.hpp>
#include <solvers/case/key_range.hpp>
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
                            true);
    const io::Value summary = io::parse_json(text, "summary");
    // xi = c/(2 sqrt(k m)) = 0.559; the closed form of the oscillator.
    EXPECT_NEAR(*summary.find("cor")->number(), 0.26762, 1e-5);
}

TEST(OneLine, CalibrationGivesBackWhatWasAskedFor) {
    const std::string text =
        solvers::solve_line("stoss calibrate", "calibrate",
                            {"--law", "linear_damping", "--cor", "0.6", "--mass", "1",
                             "--stiffness", "1e6", "--speed", "1"},
                            false);
    EXPECT_NE(text.find("damping            81.17356"), std::string::npos) << text;
    EXPECT_NE(text.find("cor                0.6"), std::string::npos) << text;
}

TEST(OneLine, RefusesWhatItDoesNotUnderstand) {
    EXPECT_NE(refusal({"--stiffnes", "1"}).find("did you mean `--stiffness`?"), std::string::npos);
    EXPECT_NE(refusal({"5"}).find("wants a key before it"), std::string::npos);
    EXPECT_NE(refusal({"--mass"}).find("wants a value after it"), std::string::npos);
    EXPECT_NE(refusal({"--mass", "1"}).find("speed: is missing"), std::string::npos);
}

}  // namespace
