// What a case of impact_motion says of a wanted restitution: its damping, and the dent that is
// left.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include <models/impact_motion.hpp>
#include <solved_case.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace {

using namespace stoss;

std::vector<std::string> warnings_of(const std::string& text) {
    return tests::solve(text).warnings;
}

/// Three balls that touch, or with gaps; `ending`: the last lines.
std::string cradle(const std::string& law, const std::string& gap, const std::string& ending) {
    return R"(problem: impact_motion
bodies:
  - {name: a, kind: point_mass, mass: 10 g, velocity: 1 m/s}
  - {name: b, kind: point_mass, mass: 10 g}
  - {name: c, kind: point_mass, mass: 10 g}
contacts:
  - {name: first, first: {body: b}, second: {body: a}, gap: )" +
           gap + ", contact: {law: hunt_crossley, stiffness: 1e9, " + law + R"(}}
  - {name: second, first: {body: c}, second: {body: b}, gap: )" +
           gap + ", contact: {law: hunt_crossley, stiffness: 1e9, " + law + "}}\n" + ending;
}

constexpr const char* until = "end: {time: 1 s}\n";

TEST(MotionDamping, OfBallsThatTouchIsLackingAndTheRunSaysSo) {
    const std::string expected =
        "contact `second`: an impact had no damping, because its damping follows from "
        "`restitution` and the approach speed, and bodies that already touch have no approach "
        "speed; give the damping itself (`damping_factor` or `damping`) in place of `restitution`";
    const auto warnings = warnings_of(cradle("restitution: 0.6", "0 m", until));
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0], expected);
    const auto of_sections = warnings_of(cradle(
        "restitution: 0.6", "0 m", "poincare: {frequency: 1 kHz, periods: 2, transient: 0}\n"));
    ASSERT_EQ(of_sections.size(), 1U);
    EXPECT_EQ(of_sections[0], expected);
}

TEST(MotionDamping, OfBallsThatTouchIsThereIfItIsGiven) {
    EXPECT_TRUE(warnings_of(cradle("damping_factor: 0.3", "0 m", until)).empty());
}

TEST(MotionDamping, OfBallsWithGapsIsThere) {
    EXPECT_TRUE(warnings_of(cradle("restitution: 0.6", "1 um", until)).empty());
}

/// A ball that falls on a floor; `ending`: the last lines.
std::string ball(const std::string& law, const std::string& ending) {
    return R"(problem: impact_motion
bodies:
  - {name: ball, kind: point_mass, mass: 20 g, displacement: 10 mm}
  - {name: floor, kind: surface}
contacts:
  - {name: floor, first: {body: ball}, second: {body: floor}, contact: {law: )" +
           law + "}}\ngravity: 9.81 m/s^2\n" + ending;
}

TEST(MotionDent, OfAnEarlierImpactChangesTheWantedRestitutionAndTheRunSaysSo) {
    const std::string law = "walton_braun, stiffness: 1e6, restitution: 0.6";
    const std::string expected =
        "contact `floor`: only the first impact has the wanted `restitution`: its dent stays, and "
        "later impacts in the dent lose less energy or none; for one restitution of all impacts "
        "give a damped law with `restitution` or, for bodies without vibrations, `cor` in place of "
        "the law";
    EXPECT_EQ(warnings_of(ball(law, until)), std::vector{expected});
    const std::string sections = "poincare: {frequency: 10 Hz, periods: 5, transient: 0}\n";
    EXPECT_EQ(warnings_of(ball(law, sections)), std::vector{expected});
    const std::string over = "over: [{key: gravity, from: 9, to: 10, points: 2}]\n";
    EXPECT_EQ(warnings_of(ball(law, sections + over)), std::vector{expected});
}

TEST(MotionDent, IsNoSurpriseOfOneImpactOrWithoutAWantedRestitution) {
    const std::string law = "walton_braun, stiffness: 1e6, ";
    EXPECT_TRUE(warnings_of(ball(law + "restitution: 0.6", "end: {time: 60 ms}\n")).empty());
    EXPECT_TRUE(warnings_of(ball(law + "unloading_stiffness: 2e6", until)).empty());
    EXPECT_TRUE(
        warnings_of(ball("hunt_crossley, stiffness: 1e8, restitution: 0.6", until)).empty());
}

/// A point mass moves as a whole, on a spring too: its mass counts.
TEST(MotionDamping, OfAMassOnASpringGivesTheWantedRestitution) {
    models::MotionModel model;
    models::PointBody ball, box;
    ball.mass = 0.01;
    ball.velocity = -1.0;
    box.mass = 0.03;
    box.stiffness = 1.0;
    contact::KelvinVoigt law;
    law.stiffness = 1e7;
    law.restitution = 0.6;
    models::MotionContact contact{"k", {"ball"}, {"box"}, 1e-3, {}, {}, {}};
    contact.contact = models::ContactParameters{law};
    model.bodies = {{"ball", ball}, {"box", box}};
    model.contacts = {contact};
    motion::ImpactMotion moving(models::motion_system(model).system, 1e-6);
    double cor = 0.0;
    moving.advance(1.0, [&](const motion::Impact& impact) {
        cor = impact.separation_speed / impact.approach_speed;
        return false;
    });
    EXPECT_NEAR(cor, 0.6, 1e-4);
}

/// A mass on a beam couples its modes by the damping of the surroundings, and a motion follows each
/// mode alone.
TEST(MotionDamping, ThatCouplesTheModesOfBeamsIsNamedOnceForEachBeam) {
    const auto beam = [](const std::string& name, const std::string& velocity) {
        return "  - name: " + name +
               "\n    kind: beam\n    modes: 4\n    elements: 10\n    velocity: " + velocity + R"(
    beam: {length: 0.4 m, section: {shape: rectangle, width: 20 mm, height: 5 mm}, material: steel, masses: [{xi: 0.9, mass: 50 g}], external_damping: 1 N s/m^2}
)";
    };
    const std::string bodies = "problem: impact_motion\nbodies:\n" + beam("a", "-0.5 m/s") +
                               beam("b", "0 m/s") + R"(contacts:
  - {name: middle, first: {body: a}, second: {body: b}, gap: 1 mm, contact: {law: hertz, stiffness: 1e8}}
)";
    for (const std::string ending :
         {"end: {time: 1 ms}\n", "poincare: {frequency: 1 kHz, periods: 2, transient: 0}\n",
          "poincare: {frequency: 1 kHz, periods: 2, transient: 0}\n"
          "over:\n  - {key: 'contacts[0].gap', from: 1 mm, to: 2 mm, points: 2}\n"}) {
        const auto warnings = warnings_of(bodies + ending);
        ASSERT_EQ(warnings.size(), 2U) << ending;
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_TRUE(warnings[i].starts_with(
                "bodies[" + std::to_string(i) +
                "].beam.external_damping is not proportional to the mass and couples the modes "
                "(damping_coupling 0."))
                << warnings[i];
    }
}

}  // namespace
