// A ball that falls on a plate, as a case gives it.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <solved_case.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/impact/bouncing_ball.hpp>

namespace {

using namespace stoss;

TEST(BouncingBall, AdhesionHoldsItOnceItBringsNoMoreThanTheWorkOfAdhesion) {
    const solvers::Outcome outcome = tests::solve(
        "problem: bouncing_ball\n"
        "mass: 10 g\n"
        "height: 20 mm\n"
        "contact: {law: jkr, stiffness: 1e8, pull_off_force: 5 N, separation: zero_overlap}\n");
    EXPECT_EQ(*outcome.summary.find("status")->text(), "rests");
    EXPECT_TRUE(outcome.warnings.empty());
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    const double lost = law.stored_energy(law.end_overlap({}), {});
    const io::Table& bounces = outcome.tables.front().second;
    const std::vector<double> losses = bounces.numbers("energy_lost_J");
    ASSERT_GT(losses.size(), 10U);
    // Each impact takes the work of adhesion.
    for (std::size_t i = 0; i + 1 < losses.size(); ++i)
        EXPECT_NEAR(losses[i] / lost, 1.0, 1e-9) << i;
    EXPECT_EQ(bounces.numbers("cor").back(), 0.0);
}

/// Laws with damping, adhesion and dents, and the rule that ends their contact.
std::vector<impact::BouncingBall> balls_of_all_kinds() {
    contact::KelvinVoigt soft;
    soft.stiffness = 2000.0;
    soft.damping = 5.0;
    contact::KuwabaraKono bead;
    bead.stiffness = 1e8;
    bead.damping_factor = 5e-6;
    contact::WaltonBraun walton_braun;
    walton_braun.stiffness = 1e5;
    walton_braun.restitution = 0.8;
    contact::ThorntonNing thornton_ning;
    thornton_ning.stiffness = 1e9;
    thornton_ning.yield_overlap = 1e-6;
    contact::Jkr jkr;
    jkr.stiffness = 1e5;
    jkr.pull_off_force = 0.3;
    std::vector<impact::BouncingBall> balls;
    for (const contact::Law& law : {contact::Law(soft), contact::Law(bead),
                                    contact::Law(walton_braun), contact::Law(thornton_ning)})
        balls.push_back({.mass = 0.05, .height = 0.05, .law = law, .most_bounces = 8});
    balls.push_back({.mass = 0.01,
                     .height = 0.005,
                     .law = jkr,
                     .separation = contact::Separation::zero_overlap,
                     .most_bounces = 8});
    return balls;
}

TEST(BouncingBall, LosesTheHeightThatItsImpactsTakeAsEnergy) {
    for (impact::BouncingBall ball : balls_of_all_kinds()) {
        for (const impact::Spot spot : {impact::Spot::fresh, impact::Spot::same}) {
            if (spot == impact::Spot::same && !impact::leaves_dents(ball.law)) continue;
            ball.spot = spot;
            double energy = ball.mass * ball.gravity * ball.height;
            const impact::Fall fall = impact::follow(ball);
            ASSERT_GT(fall.bounces.size(), 3U);
            for (const impact::Bounce& bounce : fall.bounces) {
                if (bounce.impact.status != impact::ImpactOutcome::rebounds) break;
                energy -= bounce.impact.energy_lost.value();
                EXPECT_NEAR(ball.mass * ball.gravity * bounce.apex, energy, 1e-11 * energy);
            }
        }
    }
}

TEST(BouncingBall, RisesFromWhereTheForceVanishesToItsApexAndFallsToTheNextContact) {
    for (const impact::BouncingBall& ball : balls_of_all_kinds()) {
        const impact::Fall fall = impact::follow(ball);
        for (std::size_t i = 0; i + 1 < fall.bounces.size(); ++i) {
            const impact::Bounce& bounce = fall.bounces[i];
            const double end = bounce.impact.end_overlap.value();
            const double rise = std::sqrt(2.0 * (bounce.apex + end) / ball.gravity);
            const double fall_time = std::sqrt(2.0 * bounce.apex / ball.gravity);
            EXPECT_NEAR(bounce.flight, rise + fall_time, 1e-9 * bounce.flight);
            EXPECT_NEAR(fall.bounces[i + 1].speed, ball.gravity * fall_time, 1e-9 * bounce.speed);
        }
    }
}

TEST(BouncingBall, RestsInADentThatItCannotLeave) {
    contact::WaltonBraun law;
    law.stiffness = 1e5;
    law.restitution = 0.5;
    const impact::BouncingBall ball{.mass = 0.1, .height = 0.05, .law = law};
    const impact::Fall fall = impact::follow(ball);
    EXPECT_EQ(fall.end, impact::FallEnd::rests);
    ASSERT_GT(fall.bounces.size(), 2U);
    const impact::Bounce& last = fall.bounces.back();
    EXPECT_EQ(last.impact.status, impact::ImpactOutcome::rebounds);
    EXPECT_LT(last.apex, 0.0);
    EXPECT_EQ(last.flight, 0.0);
    EXPECT_EQ(fall.rest, last.time);
}

/// With its dent a perfectly plastic contact is elastic: what it returns is what the ball brings
/// back, the work of gravity in the dent included. The first impact dents, no other does.
TEST(BouncingBall, OnTheSameSpotOnlyTheFirstImpactDents) {
    contact::WaltonBraun walton_braun;
    walton_braun.stiffness = 1e7;
    walton_braun.restitution = 0.6;
    contact::ThorntonNing thornton_ning;
    thornton_ning.stiffness = 1e9;
    thornton_ning.yield_overlap = 1e-6;
    for (const contact::Law& law : {contact::Law(walton_braun), contact::Law(thornton_ning)}) {
        impact::BouncingBall ball{.mass = 0.01, .height = 0.3, .law = law, .most_bounces = 5};
        const impact::Fall fresh = impact::follow(ball);
        ball.spot = impact::Spot::same;
        const impact::Fall same = impact::follow(ball);
        ASSERT_EQ(same.bounces.size(), 5U);
        EXPECT_EQ(same.bounces[0].impact.cor, fresh.bounces[0].impact.cor);
        for (std::size_t i = 1; i < 5; ++i) {
            EXPECT_LT(fresh.bounces[i].impact.cor.value(), 0.95);
            EXPECT_NEAR(same.bounces[i].impact.cor.value(), 1.0, 1e-10) << i;
            EXPECT_NEAR(same.bounces[i].impact.peak_overlap.value() /
                            same.bounces[0].impact.peak_overlap.value(),
                        1.0, 1e-10);
        }
    }
}

TEST(BouncingBall, OnTheSameSpotNeedsALawThatDents) {
    impact::BouncingBall ball{.mass = 0.01, .height = 0.3, .spot = impact::Spot::same};
    EXPECT_THROW(impact::follow(ball), core::InputError);  // Hertz
    ball.cor = 0.5;
    EXPECT_THROW(impact::follow(ball), core::InputError);
}

TEST(BouncingBall, OfAnAdhesiveLawIsRefusedUnderTheRuleThatForbidsPulling) {
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    const impact::BouncingBall ball{.mass = 0.01, .height = 0.02, .law = law};
    EXPECT_THROW(impact::follow(ball), core::InputError);
}

TEST(BouncingBall, DoesNotRestWhereAnImpactCannotBeComputed) {
    contact::Hertz law;
    law.stiffness = 1e8;
    // The kinetic energy, 1e315 J, is beyond the range of doubles.
    const impact::Fall fall =
        impact::follow({.mass = 1e10, .height = 1e155, .gravity = 1e150, .law = law});
    EXPECT_EQ(fall.end, impact::FallEnd::failed);
    EXPECT_EQ(fall.rest, core::infinity);
}

}  // namespace
