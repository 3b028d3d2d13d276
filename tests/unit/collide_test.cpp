// What a collision must do whatever the bodies: momentum, energy, restitution of rigid bodies,
// events.
#include <gtest/gtest.h>

#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <random>

#include <springy_body.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/impact/collide.hpp>

namespace {

using namespace stoss;
using tests::hertz;
using tests::springy_body;

modal::ModalBody fixed_body() {
    return {};
}

time::Newmark newmark(double step, time::ForceEvaluation force = time::ForceEvaluation::implicit) {
    time::Newmark scheme;
    scheme.step = step;
    scheme.force = force;
    return scheme;
}

impact::CollisionResult drop(const modal::ModalBody& body, double mass, double speed,
                             const impact::ContactSetup& contact, const time::Newmark& scheme,
                             impact::History* history = nullptr) {
    // The body moves down, towards the second body below it.
    return impact::collide({body, {-speed * std::sqrt(mass)}}, {fixed_body(), {}}, contact, scheme,
                           1.0, history);
}

/// Duration of the elastic impact m x'' = -k x^n at speed v: closed form by the Beta function.
double hertz_duration(double mass, double stiffness, double n, double speed) {
    const double largest =
        std::pow((n + 1.0) * mass * speed * speed / (2.0 * stiffness), 1.0 / (n + 1.0));
    return 2.0 * largest / speed * boost::math::beta(1.0 / (n + 1.0), 0.5) / (n + 1.0);
}

TEST(HertzImpact, DurationAndPeakForceAreTheClosedForms) {
    const double mass = 0.1, stiffness = 1e9, speed = 0.7;
    for (const double n : {1.5, 2.0}) {
        const auto result =
            drop(modal::point_mass(mass), mass, speed, hertz(stiffness, n), newmark(1e-8));
        const double largest =
            std::pow((n + 1.0) * mass * speed * speed / (2.0 * stiffness), 1.0 / (n + 1.0));
        ASSERT_EQ(result.status, impact::Status::separated);
        EXPECT_NEAR(result.separation / hertz_duration(mass, stiffness, n, speed), 1.0, 1e-6);
        EXPECT_NEAR(result.compression_end.value() / result.separation, 0.5, 1e-6);
        EXPECT_NEAR(result.peak_force / (stiffness * std::pow(largest, n)), 1.0, 1e-6);
    }
}

TEST(HertzImpact, DurationScalesWithSpeedToTheMinusOneFifth) {
    const auto slow = drop(modal::point_mass(0.1), 0.1, 0.1, hertz(1e9), newmark(1e-8));
    const auto fast = drop(modal::point_mass(0.1), 0.1, 3.2, hertz(1e9), newmark(1e-8));
    EXPECT_NEAR(slow.separation / fast.separation, std::pow(32.0, 0.2), 1e-5);
}

TEST(RigidBodies, ReboundWithoutLossInOneImpact) {
    const auto result = drop(modal::point_mass(0.2), 0.2, 1.0, hertz(1e8), newmark(1e-7));
    EXPECT_EQ(result.sub_impacts.size(), 1u);
    EXPECT_NEAR(result.cor_kinematic, 1.0, 1e-6);
    EXPECT_NEAR(result.impulse, 0.4, 1e-6);
    EXPECT_NEAR(result.energy.rigid, 1.0, 1e-6);
}

TEST(RigidBodies, OfFiniteMassExchangeVelocitiesAsTextbooksSay) {
    const double m1 = 0.3, m2 = 0.05, v1 = -1.2, v2 = 0.4;
    const auto result = impact::collide({modal::point_mass(m1), {v1 * std::sqrt(m1)}},
                                        {modal::point_mass(m2), {v2 * std::sqrt(m2)}}, hertz(1e8),
                                        newmark(1e-7), 1.0);
    ASSERT_EQ(result.status, impact::Status::separated);
    EXPECT_DOUBLE_EQ(result.approach_speed, v2 - v1);
    EXPECT_NEAR(result.cor_kinematic, 1.0, 1e-6);
    EXPECT_NEAR(result.impulse, 2.0 * (v2 - v1) * m1 * m2 / (m1 + m2), 1e-6);
}

TEST(Collision, ExchangingTheBodiesMirrorsEverything) {
    const modal::ModalBody a = springy_body(0.3, 6, 0.0), b = springy_body(0.1, 4, 0.0);
    const auto one = impact::collide({a, {-0.4}}, {b, {0.1}}, hertz(1e8), newmark(1e-7), 1.0);
    const auto two = impact::collide({b, {-0.1}}, {a, {0.4}}, hertz(1e8), newmark(1e-7), 1.0);
    EXPECT_NEAR(one.cor_kinematic, two.cor_kinematic, 1e-12);
    EXPECT_NEAR(one.impulse, two.impulse, 1e-12 * one.impulse);
    EXPECT_NEAR(one.separation, two.separation, 1e-12 * one.separation);
    EXPECT_EQ(one.sub_impacts.size(), two.sub_impacts.size());
}

TEST(Collision, KinematicKineticAndEnergeticRestitutionAgreeWithoutDampingOfRigidModes) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < 40; ++i) {
        const double mass = 0.05 + unit(random), speed = 0.05 + 2.0 * unit(random);
        const double damping = i % 2 ? 1e-6 * unit(random) : 0.0;
        const auto result = drop(springy_body(mass, 8, damping), mass, speed,
                                 hertz(std::pow(10.0, 7.0 + 3.0 * unit(random))), newmark(1e-7));
        ASSERT_EQ(result.status, impact::Status::separated);
        EXPECT_NEAR(result.cor_kinematic, result.cor_kinetic, 1e-11);
        EXPECT_NEAR(result.cor_kinematic, result.cor_energetic, 1e-9);
    }
}

TEST(Collision, ImplicitForceKeepsTheEnergyAndLaggedForceGainsIt) {
    const modal::ModalBody body = springy_body(0.2, 8, 0.0);
    const auto implicit = drop(body, 0.2, 1.0, hertz(1e9), newmark(1e-7));
    const auto lagged =
        drop(body, 0.2, 1.0, hertz(1e9), newmark(1e-7, time::ForceEvaluation::lagged));
    EXPECT_LT(std::abs(implicit.energy.residual), 1e-5);
    EXPECT_GT(lagged.energy.residual, 1e-3);
}

TEST(Collision, LedgerClosesWithStructuralDamping) {
    const auto result = drop(springy_body(0.2, 8, 1e-6), 0.2, 1.0, hertz(1e9), newmark(1e-8));
    EXPECT_GT(result.energy.structural_loss, 0.01);
    EXPECT_LT(std::abs(result.energy.residual), 1e-6);
    const double sum =
        result.energy.rigid + result.energy.vibration + result.energy.structural_loss;
    EXPECT_NEAR(sum, 1.0 + result.energy.residual, 1e-14);
}

TEST(Collision, ImpulseIsTheMomentumThatTheFirstBodyGains) {
    const double mass = 0.2;
    const auto result = drop(springy_body(mass, 5, 0.0), mass, 1.0, hertz(1e9), newmark(1e-7));
    EXPECT_NEAR(result.impulse, mass * (1.0 + result.separation_speed), 1e-12);
    double sum = 0.0;
    for (const auto& sub_impact : result.sub_impacts) sum += sub_impact.impulse;
    EXPECT_NEAR(sum, result.impulse, 1e-9 * result.impulse);
}

TEST(Collision, SubImpactsAreDisjointAndInOrder) {
    const auto result = drop(springy_body(0.2, 8, 0.0), 0.2, 1.0, hertz(1e10), newmark(2e-8));
    ASSERT_GT(result.sub_impacts.size(), 1u);
    EXPECT_DOUBLE_EQ(result.sub_impacts.front().start, 0.0);
    EXPECT_DOUBLE_EQ(result.sub_impacts.back().end, result.separation);
    for (std::size_t i = 0; i < result.sub_impacts.size(); ++i) {
        const auto& sub_impact = result.sub_impacts[i];
        EXPECT_LT(sub_impact.start, sub_impact.end);
        EXPECT_GT(sub_impact.impulse, 0.0);
        EXPECT_LE(sub_impact.peak_force, result.peak_force);
        if (i > 0) {
            EXPECT_GT(sub_impact.start, result.sub_impacts[i - 1].end);
        }
    }
}

TEST(Collision, EndsOnlyWhenNoContactCanFollow) {
    // Following the motion for much longer must not show a contact that the early end missed.
    const modal::ModalBody body = springy_body(0.2, 8, 0.0);
    const auto ended = drop(body, 0.2, 1.0, hertz(1e9), newmark(1e-7));
    // A far heavier second body moves on at the same speed: the same collision in a moving frame,
    // which the end rule sees with other numbers.
    const double heavy = 1e12;
    const auto moving =
        impact::collide({body, {0.0}}, {modal::point_mass(heavy), {std::sqrt(heavy)}}, hertz(1e9),
                        newmark(1e-7), 1.0);
    EXPECT_NEAR(ended.cor_kinematic, moving.cor_kinematic, 1e-7);
    EXPECT_EQ(ended.sub_impacts.size(), moving.sub_impacts.size());
}

TEST(Collision, BodiesThatDoNotCloseAreNotComputed) {
    const auto apart = drop(modal::point_mass(1.0), 1.0, -1.0, hertz(1e8), newmark(1e-7));
    const auto still = drop(modal::point_mass(1.0), 1.0, 0.0, hertz(1e8), newmark(1e-7));
    EXPECT_EQ(apart.status, impact::Status::no_approach);
    EXPECT_EQ(still.status, impact::Status::no_approach);
}

TEST(Collision, TimeLimitIsAStatus) {
    const auto result = impact::collide({modal::point_mass(1.0), {-1.0}}, {fixed_body(), {}},
                                        hertz(1e8), newmark(1e-7), 1e-6);
    EXPECT_EQ(result.status, impact::Status::not_separated);
    EXPECT_EQ(result.steps, 10u);
}

TEST(Collision, NumbersThatAreNotFiniteAreAStatus) {
    const auto result = drop(modal::point_mass(1.0), 1.0, 1.0, hertz(std::nan("")), newmark(1e-7));
    EXPECT_EQ(result.status, impact::Status::not_finite);
}

TEST(Collision, HistoryKeepsItsCapacityAndItsSpacing) {
    impact::History history(100);
    drop(modal::point_mass(0.1), 0.1, 1.0, hertz(1e8), newmark(1e-8), &history);
    ASSERT_LE(history.samples().size(), 100u);
    ASSERT_GT(history.samples().size(), 49u);
    EXPECT_EQ(history.samples().front().time, 0.0);
    for (const auto& sample : history.samples()) ASSERT_EQ(sample.body_modes.size(), 1u);
    const double spacing = history.samples()[1].time;
    for (std::size_t i = 1; i < history.samples().size(); ++i) {
        EXPECT_NEAR(history.samples()[i].time, spacing * static_cast<double>(i), 1e-12);
    }
}

TEST(Collision, HistoryHoldsTwoSamplesIfItsCapacityIsLess) {
    for (const std::size_t capacity : {0U, 1U}) {
        impact::History history(capacity);
        for (std::size_t step = 0; step < 100; ++step) {
            impact::Sample sample{};
            sample.time = static_cast<double>(step);
            if (history.wants(step)) history.add(sample);
        }
        ASSERT_EQ(history.samples().size(), 2U) << capacity;
        EXPECT_EQ(history.samples().front().time, 0.0) << capacity;
    }
}

TEST(Collision, SameInputGivesTheSameBits) {
    const modal::ModalBody body = springy_body(0.2, 12, 1e-7);
    const auto one = drop(body, 0.2, 1.0, hertz(1e9), newmark(1e-7));
    const auto two = drop(body, 0.2, 1.0, hertz(1e9), newmark(1e-7));
    EXPECT_EQ(one.cor_kinematic, two.cor_kinematic);
    EXPECT_EQ(one.separation, two.separation);
    EXPECT_EQ(one.energy.modes, two.energy.modes);
}

TEST(MovingBody, VibratesAlsoIfOnlyItsCoordinatesOrOnlyItsRatesAreGiven) {
    const modal::ModalBody body = springy_body(1.0, 2, 0.0);
    using Numbers = std::vector<double>;
    const auto impulse = [&](const Numbers& coordinates, const Numbers& rates) {
        const auto result = impact::collide({body, {-1.0}, coordinates, rates}, {fixed_body(), {}},
                                            hertz(1e9), time::Splitting{1e-9}, 1.0);
        EXPECT_EQ(result.status, impact::Status::separated);
        return result.impulse;
    };
    const Numbers coordinates{1e-6, -2e-6}, rates{0.01, 0.02}, none{0.0, 0.0};
    EXPECT_EQ(impulse(coordinates, {}), impulse(coordinates, none));
    EXPECT_EQ(impulse({}, rates), impulse(none, rates));
    EXPECT_NE(impulse(coordinates, {}), impulse({}, {}));
    EXPECT_NE(impulse({}, rates), impulse({}, {}));
}

TEST(History, IsEvenlySpacedWhateverItsCapacity) {
    for (const std::size_t capacity : std::array<std::size_t, 4>{2, 3, 50, 51}) {
        impact::History history(capacity);
        for (std::size_t step = 0; step <= 1000; ++step) {
            impact::Sample sample{};
            sample.time = static_cast<double>(step);
            if (history.wants(step)) history.add(sample);
        }
        const std::vector<impact::Sample>& samples = history.samples();
        ASSERT_LE(samples.size(), capacity);
        ASSERT_GE(2 * samples.size() + 2, capacity);
        for (std::size_t i = 0; i < samples.size(); ++i)
            EXPECT_EQ(samples[i].time, static_cast<double>(i) * samples[1].time) << capacity;
    }
}

/// A vibration of 10^13 years: the tables of steps must reach down to the contact all the same.
TEST(Collision, OfABodyWithAVerySlowModeIsThatOfARigidOne) {
    modal::ModalBody slow = modal::point_mass(0.5);
    const double approach = 0.4 * std::sqrt(0.5);
    const auto impact = [&] {
        return impact::collide({slow, {-approach}}, {fixed_body(), {}}, hertz(1e8),
                               time::Splitting{1e-9}, 1.0);
    };
    const impact::CollisionResult rigid = impact();
    for (const double eigenvalue : {1e-40, 1e-120, 1e-240}) {
        slow = modal::point_mass(0.5);
        slow.eigenvalues.push_back(eigenvalue);
        slow.damping.push_back(0.0);
        slow.phi.push_back(0.0);
        const impact::CollisionResult result = impact();
        EXPECT_EQ(result.status, impact::Status::separated) << eigenvalue;
        EXPECT_NEAR(result.cor_kinematic, 1.0, 1e-9) << eigenvalue;
        EXPECT_NEAR(result.separation, rigid.separation, 1e-9 * rigid.separation) << eigenvalue;
    }
}

/// The inner mass of the ball is locked to its shell by a dashpot. The beam's residual flexibility
/// must not become a mode of that spring.
TEST(Collision, ResidualModeIsOfTheBodyThatYields) {
    modal::ModalBody beam = springy_body(0.3, 4, 0.0);
    beam.residual_flexibility = 2e-8;
    contact::Tsuji law;
    law.stiffness = 1e8;
    law.restitution = 0.9;
    const auto restitution = [&](const modal::ModalBody& ball) {
        const auto result =
            impact::collide({beam, {0.0}}, {ball, {std::sqrt(0.03)}},
                            {law, contact::Separation::zero_force}, time::Splitting{1e-9}, 1.0);
        EXPECT_EQ(result.status, impact::Status::separated);
        return result.cor_kinematic;
    };
    const double rigid = restitution(modal::point_mass(0.03));
    EXPECT_NEAR(restitution(modal::mass_chain(std::array{0.029, 0.001}, std::array{1e9}, 1e-2)),
                rigid, 1e-4);
    beam.residual_flexibility = 0.0;
    EXPECT_GT(std::abs(restitution(modal::point_mass(0.03)) - rigid), 1e-3);
}

}  // namespace
