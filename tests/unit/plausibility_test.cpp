// Values that are hardly meant: each rule just inside and just outside of its bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <models/plausibility.hpp>
#include <steel_strip.hpp>

namespace {

using namespace stoss;
using models::BeamCollision;

using tests::steel_strip;

constexpr std::array places{0.33};

/// The keys that are called implausible by the rule for a quantity.
std::vector<std::string> keys_of(const BeamCollision& collision, std::string_view quantity) {
    EXPECT_TRUE(models::check(collision).empty());
    std::vector<std::string> keys;
    for (const core::Violation& doubt : models::implausible(collision, places)) {
        if (doubt.rule.starts_with(std::string(quantity) + " is ")) keys.push_back(doubt.key);
    }
    return keys;
}

/// How a case gives a value of a checked quantity.
struct Way {
    const char* quantity;
    const char* key;
    std::function<void(BeamCollision&, double value)> set;
};

const std::vector<Way>& ways() {
    static const std::vector<Way> all{
        {"length of a beam", "beam.length",
         [](BeamCollision& c, double value) {
             c.beam.section.shape = models::Circle{value / 50.0};
             c.striker.shape = models::Sphere{value / 50.0};
             c.beam.length = value;
         }},
        {"length over height", "beam.length",
         [](BeamCollision& c, double value) {
             c.beam.section.shape = models::Rectangle{0.025, c.beam.length / value};
         }},
        {"Young's modulus", "beam.material.youngs_modulus",
         [](BeamCollision& c, double value) { c.beam.material.youngs_modulus = value; }},
        {"Young's modulus", "striker.material.youngs_modulus",
         [](BeamCollision& c, double value) { c.striker.material->youngs_modulus = value; }},
        {"Poisson's ratio", "beam.material.poisson_ratio",
         [](BeamCollision& c, double value) { c.beam.material.poisson_ratio = value; }},
        {"density", "beam.material.density",
         [](BeamCollision& c, double value) { c.beam.material.density = value; }},
        {"density", "striker.material.density",
         [](BeamCollision& c, double value) { c.striker.material->density = value; }},
        {"density", "beam.materials[0].material.density",
         [](BeamCollision& c, double value) {
             c.beam.materials = {{0.5, {2.1e11, 0.3, value}}};
         }},
        {"radius of the striker over length of the beam", "striker.radius",
         [](BeamCollision& c, double value) {
             c.striker.shape = models::Sphere{value * c.beam.length};
         }},
        {"mass of the striker over mass of the beam", "striker.mass",
         [](BeamCollision& c, double value) { c.striker.mass = value * c.beam.mass(); }},
        {"mass of the striker over mass of the beam", "striker.material.density",
         [](BeamCollision& c, double value) {
             c.striker.material->density =
                 value * c.beam.mass() / std::get<models::Sphere>(c.striker.shape).volume();
         }},
        {"approach speed", "striker.velocity",
         [](BeamCollision& c, double value) { c.striker.velocity = value; }},
        {"approach speed", "motion.approach_speed",
         [](BeamCollision& c, double value) { c.motion.approach_speed = value; }},
        {"approach speed", "motion.drop_height",
         [](BeamCollision& c, double value) {
             c.motion.drop_height = 0.5 * value * value / models::standard_gravity;
         }},
        {"approach speed", "motion.angular_velocity",
         [](BeamCollision& c, double value) {
             c.beam.supports = {{models::SupportType::pin, 0.0}};
             c.striker.velocity = 0.0;
             c.motion.angular_velocity = -value / (places[0] * c.beam.length);
         }},
        {"magnitude of gravity", "motion.gravity",
         [](BeamCollision& c, double value) { c.motion.gravity = -value; }},
        {"contact stiffness over that of Hertz", "contact.stiffness",
         [](BeamCollision& c, double value) {
             contact::Hertz law;
             law.stiffness = value * models::contact_stiffness(c, places[0]).value();
             c.contact.law = law;
         }}};
    return all;
}

const models::PlausibilityRule& rule_of(std::string_view quantity) {
    const auto rules = models::plausibility_rules();
    return *std::ranges::find(rules, quantity, &models::PlausibilityRule::quantity);
}

TEST(Plausibility, NothingIsSaidOfAnOrdinaryCase) {
    EXPECT_TRUE(models::implausible(steel_strip(), places).empty());
}

TEST(Plausibility, EveryRuleHasAWayToIt) {
    for (const models::PlausibilityRule& rule : models::plausibility_rules()) {
        EXPECT_TRUE(std::ranges::any_of(ways(), [&](const Way& way) {
            return way.quantity == rule.quantity;
        })) << rule.quantity;
    }
}

TEST(Plausibility, AValueJustInsideIsAcceptedAndOneJustOutsideIsNamedByItsKey) {
    constexpr double step = 1e-6;
    for (const Way& way : ways()) {
        const core::Range& range = rule_of(way.quantity).range;
        const auto judged = [&](double value) {
            BeamCollision collision = steel_strip();
            way.set(collision, value);
            return keys_of(collision, way.quantity);
        };
        const std::vector<std::string> named{way.key};
        SCOPED_TRACE(std::string(way.quantity) + " by " + way.key);
        if (range.low > 0.0) {
            EXPECT_EQ(judged(range.low * (1.0 + step)), std::vector<std::string>{});
            EXPECT_EQ(judged(range.low * (1.0 - step)), named);
        }
        if (std::string_view(way.quantity) == "Poisson's ratio") {
            EXPECT_EQ(judged(0.0), std::vector<std::string>{});
            EXPECT_EQ(judged(-step), named);
            continue;  // above 0.5 is an error
        }
        EXPECT_EQ(judged(range.high * (1.0 - step)), std::vector<std::string>{});
        EXPECT_EQ(judged(range.high * (1.0 + step)), named);
    }
}

TEST(Plausibility, TheMistakesOfANewUserAreNamed) {
    BeamCollision large = steel_strip(), fast = steel_strip(), stout = steel_strip();
    large.striker.shape = models::Sphere{15.0};
    fast.striker.velocity = 2430.0;
    stout.beam.section.shape = models::Rectangle{0.025, 0.3};
    EXPECT_EQ(models::implausible(large, places).front().key, "striker.radius");
    EXPECT_EQ(models::implausible(fast, places).front().key, "striker.velocity");
    EXPECT_EQ(models::implausible(stout, places).front().key, "beam.length");
}

TEST(Plausibility, ALawOfContactAlongALineIsNotForASphereOnABeam) {
    BeamCollision collision = steel_strip();
    collision.contact.law = contact::ParallelCylinders{{}, 70e9, 0.005, 0.005, 0.005};
    ASSERT_TRUE(models::check(collision).empty());
    const auto doubts = models::implausible(collision, places);
    ASSERT_EQ(doubts.size(), 1u);
    EXPECT_EQ(doubts[0].key, "contact.law");
    EXPECT_EQ(doubts[0].value, "parallel_cylinders");
    EXPECT_EQ(doubts[0].rule,
              "is for two cylinders with parallel axes, which these bodies are not");
}

TEST(Plausibility, ALengthInMetresBesideAHeightInMillimetresMissesItsUnit) {
    BeamCollision collision = steel_strip();
    collision.beam.section.shape = models::Rectangle{0.025, 0.006};
    collision.beam.length = 300.0;
    const auto doubts = models::implausible(collision, {});
    ASSERT_EQ(doubts.size(), 1u);
    EXPECT_EQ(doubts[0].key, "beam.length");
    EXPECT_EQ(doubts[0].suggestion, "300 m long and 6 mm high: is `mm` missing?");
}

TEST(Plausibility, KeysOfAStrikingBeamAreJudgedToo) {
    BeamCollision collision = steel_strip();
    collision.beam.section.shape = models::Circle{0.002};
    models::StrikingBeam other;
    other.beam = collision.beam;
    other.beam.supports.clear();
    other.xi = 0.5;
    other.beam.material.density = 7.85;
    collision.striker.shape = other;
    collision.striker.material.reset();
    EXPECT_EQ(keys_of(collision, "density"), std::vector<std::string>{});
    std::get<models::StrikingBeam>(collision.striker.shape).beam.material.density = 0.785;
    EXPECT_EQ(keys_of(collision, "density"),
              std::vector<std::string>{"striker.beam.material.density"});
}

TEST(Plausibility, ARigidSurfaceAndAFixedStrikerAreNotDoubted) {
    BeamCollision collision = steel_strip();
    collision.beam.supports = {{models::SupportType::pin, 0.0}};
    collision.motion.angular_velocity = -6.0;
    collision.striker.velocity = 0.0;
    collision.striker.mass = core::infinity;
    collision.striker.material->youngs_modulus = core::infinity;
    EXPECT_TRUE(models::implausible(collision, places).empty());
}

TEST(Plausibility, ABeamAloneIsJudgedWithoutAStriker) {
    BeamCollision alone;
    alone.beam = steel_strip().beam;
    EXPECT_TRUE(models::implausible(alone, {}).empty());
    alone.beam.material.density = 7.85e6;
    const auto doubts = models::implausible(alone, {});
    ASSERT_EQ(doubts.size(), 1u);
    EXPECT_EQ(doubts[0].key, "beam.material.density");
    EXPECT_EQ(doubts[0].value, "7850000 kg/m^3");
}

}  // namespace
