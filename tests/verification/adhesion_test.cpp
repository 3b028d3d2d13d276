// e(v) = sqrt(1 - (v_s/v)^2) (Thornton and Ning 1998), and sticking below v_s, in every motion that
// takes the law of Johnson, Kendall and Roberts (theory/contact_laws.md 8.18). v_s is here from
// the work of adhesion by its number alone: no code of the law.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include <models/pendulum_pair.hpp>
#include <models/sphere_impact.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/granular/adhesive_region.hpp>
#include <stoss/granular/sphere_collision.hpp>
#include <stoss/impact/bouncing_ball.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/compliant_impact.hpp>
#include <stoss/impact/point_impact.hpp>
#include <stoss/impact/restitution.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace {

using namespace stoss;
using contact::Separation;

constexpr double stiffness = 1e8, pull_off = 5.0;
constexpr std::array<double, 5> ratios{1.02, 1.3, 2.0, 6.0, 30.0};

contact::Jkr adhesive() {
    contact::Jkr law;
    law.stiffness = stiffness;
    law.pull_off_force = pull_off;
    return law;
}

/// Work between x = 0 and the pull-off: with y = (s/q^(4/3))^(1/4), the integral of
/// (y^6 - (3/2) y^3) (4 y^3 - 1) from 1 to 4^(-1/3), times -k q^(10/3). At the lower end y^3 = 1/4.
double work_of_pull_off() {
    const double q = 4.0 / 3.0 * std::sqrt(pull_off / stiffness);
    const auto primitive = [](double y) {
        const double cube = y * y * y;
        return y * cube * (0.4 * cube * cube - cube + 0.375);
    };
    return stiffness * std::pow(q, 10.0 / 3.0) * (primitive(std::cbrt(0.25)) - primitive(1.0));
}

double sticking_speed(double mass) {
    return std::sqrt(2.0 * work_of_pull_off() / mass);
}

double closed_form(double ratio) {
    return std::sqrt(1.0 - 1.0 / (ratio * ratio));
}

/// Thornton and Ning (1998): v_s = 1.84 ((w/R)^5/(rho^3 E*^2))^(1/6) of a sphere on a plane; their
/// number has three digits.
TEST(Adhesion, StickingSpeedOfASphereOnAPlaneIsThePublishedOne) {
    const double radius = 1e-4, density = 2500.0, modulus = 5e9, w = 0.2;
    contact::Jkr law;
    contact::set_from_bodies(law, {modulus, radius, contact::hertz_stiffness(modulus, radius)});
    law.work_of_adhesion = w;
    contact::set_from_bodies(law, {modulus, radius, contact::hertz_stiffness(modulus, radius)});
    const double mass = 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3) * density;
    const double published =
        1.84 * std::pow(std::pow(w / radius, 5) / (density * density * density * modulus * modulus),
                        1.0 / 6.0);
    const auto at = [&](double v) {
        return impact::restitution(law, {v, mass, 0.0, 0.0, Separation::zero_overlap});
    };
    EXPECT_EQ(at(0.997 * published).status, impact::ImpactOutcome::sticks);
    EXPECT_EQ(at(1.003 * published).status, impact::ImpactOutcome::rebounds);
}

TEST(Adhesion, APointMassHasTheRestitutionOfTheWorkOfAdhesion) {
    const double m = 0.01, v_s = sticking_speed(m);
    const impact::PointImpact impact{adhesive(), Separation::zero_overlap, m, 0.0};
    for (const double ratio : ratios) {
        const double v = ratio * v_s;
        const auto energies =
            impact::restitution(adhesive(), {v, m, 0.0, 0.0, Separation::zero_overlap});
        EXPECT_NEAR(energies.cor.value(), closed_form(ratio), 1e-9);
        const auto motion = impact::reference_velocity(impact, v);
        EXPECT_NEAR(-motion.value() / v, closed_form(ratio), 1e-9);
    }
    EXPECT_FALSE(impact::reference_velocity(impact, 0.999 * v_s));
}

TEST(Adhesion, ABouncingBallLosesTheWorkOfAdhesionAtEachImpact) {
    impact::BouncingBall ball;
    ball.mass = 0.01;
    ball.law = adhesive();
    ball.separation = Separation::zero_overlap;
    const double lost = work_of_pull_off();
    ball.height = 5.5 * lost / (ball.mass * ball.gravity);
    const impact::Fall fall = impact::follow(ball);
    EXPECT_EQ(fall.end, impact::FallEnd::rests);
    ASSERT_EQ(fall.bounces.size(), 6U);
    double square = fall.speed * fall.speed;
    for (const impact::Bounce& bounce : fall.bounces) {
        EXPECT_NEAR(bounce.speed, std::sqrt(square), 1e-9 * fall.speed);
        square -= 2.0 * lost / ball.mass;
    }
}

/// Random speeds above that of sticking, between bodies of one rigid mode each: how many of their
/// collisions do not reach the tolerance, or do not know that they do.
template <class Law>
int collisions_beyond(double tolerance, const Law& law, int count) {
    constexpr double first = 1.0, second = 2.0, reduced = first * second / (first + second);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(std::log(0.02), std::log(2.0));
    const impact::ContactSetup setup{law, Separation::zero_overlap};
    const modal::ModalBody one = modal::point_mass(first), other = modal::point_mass(second);
    const impact::Collider collider(one, other, setup, time::Splitting{tolerance});
    impact::Collider::Workspace workspace;
    impact::CollisionResult result;
    const auto memory = law.prepare({reduced, Separation::zero_overlap});
    const double lost = law.stored_energy(law.end_overlap(memory), memory);
    int beyond = 0;
    for (int i = 0; i < count; ++i) {
        const double v = std::exp(uniform(random));
        const double share = lost / (0.5 * reduced * v * v);
        if (share > 0.95) continue;
        collider.collide(impact::MovingBody{one, {-v * std::sqrt(first)}}.approach(),
                         impact::MovingBody{other, {0.0}}.approach(), 1e3, workspace, result,
                         nullptr);
        const double error = std::abs(result.cor_kinematic - std::sqrt(1.0 - share));
        beyond += result.converged && error < tolerance ? 0 : 1;
    }
    return beyond;
}

/// Between the limits the surfaces attract each other before they touch. Where they touch, the
/// force is as singular as at the onset of Hertz's.
TEST(Adhesion, CollisionsBetweenTheLimitsReachTheirTolerance) {
    for (const double lambda : {0.05, 0.1, 0.3, 0.5, 1.0, 5.0}) {
        contact::Maugis law;
        law.stiffness = 1e6;
        law.pull_off_force = 0.5;
        law.maugis_parameter = lambda;
        for (const double tolerance : {1e-4, 1e-6})
            EXPECT_EQ(collisions_beyond(tolerance, law, 200), 0) << lambda << ", " << tolerance;
    }
}

/// A step may end where the force turns from a push to a pull, and is nearly zero. The contact is
/// not over there: a weak pull still acts.
TEST(Adhesion, AContactIsNotOverWhereItsForceTurns) {
    contact::Jkr jkr;
    jkr.stiffness = 1e6;
    jkr.pull_off_force = 0.02;
    EXPECT_EQ(collisions_beyond(1e-10, jkr, 800), 0);
}

/// What beams and tables of modes are made of: bodies of one rigid mode, on a fixed body and on a
/// free one.
TEST(Adhesion, BodiesOfOneRigidModeHaveTheRestitutionOfTheWorkOfAdhesion) {
    const impact::ContactSetup contact{adhesive(), Separation::zero_overlap};
    for (const double second : {0.0, 0.03}) {
        const double first = 0.01;
        const double reduced = second > 0.0 ? first * second / (first + second) : first;
        const modal::ModalBody target =
            second > 0.0 ? modal::point_mass(second) : modal::ModalBody{};
        const auto struck = [&](double ratio) {
            const double v = ratio * sticking_speed(reduced);
            std::vector<double> rest;
            if (second > 0.0) rest.push_back(0.0);
            return impact::collide({modal::point_mass(first), {-v * std::sqrt(first)}},
                                   {target, rest}, contact, time::Splitting{1e-11}, 1.0);
        };
        for (const double ratio : ratios) {
            const auto result = struck(ratio);
            ASSERT_EQ(result.status, impact::Status::separated) << ratio;
            EXPECT_NEAR(result.cor_kinematic, closed_form(ratio), 1e-9) << ratio;
        }
        EXPECT_NE(struck(0.98).status, impact::Status::separated);
    }
}

/// The rods turn while they touch; what they lose is the work of adhesion all the same.
TEST(Adhesion, PendulumsLoseTheWorkOfAdhesion) {
    models::PendulumPair pair;
    pair.rod_1.mass = 1.0;
    pair.rod_1.length = 6.0;
    pair.rod_1.angle = std::numbers::pi / 12.0;
    pair.rod_2.mass = 0.2;
    pair.rod_2.length = 4.0;
    pair.rod_2.angle = -0.5 * std::numbers::pi;
    pair.pivot_2.right = -2.0;
    pair.duration = 2.0;
    models::ContinuousContact model;
    model.law = adhesive();
    model.separation = Separation::zero_overlap;
    pair.impact.model = model;
    const auto motion = models::swing(pair, 11, [] { return false; });
    ASSERT_EQ(motion.impacts.size(), 1U);
    const auto& impact = motion.impacts.front();
    EXPECT_NEAR(impact.energy_lost / work_of_pull_off(), 1.0, 1e-9);
}

/// A sphere on a fixed plane and on a sphere, with spin and without: where the normal keeps its
/// direction and nothing rubs.
TEST(Adhesion, CompliantImpactsHaveTheRestitutionOfTheWorkOfAdhesion) {
    for (const double second : {0.0, 0.03}) {
        const double first = 0.01, r = 0.002;
        const double reduced = second > 0.0 ? first * second / (first + second) : first;
        impact::CompliantImpact impact;
        impact.first.mass = first;
        impact.first.inertia = 0.4 * first * r * r * Eigen::Matrix3d::Identity();
        impact.first.position = {0.0, 0.0, r};
        impact.second = rigid::RigidBody::fixed();
        if (second > 0.0) {
            impact.second.mass = second;
            impact.second.inertia = 0.4 * second * r * r * Eigen::Matrix3d::Identity();
            impact.second.position = {0.0, 0.0, -r};
        }
        impact.frame.n = {0.0, 0.0, 1.0};
        impact.frame.t = {1.0, 0.0, 0.0};
        impact.frame.o = {0.0, 1.0, 0.0};
        impact.separation = Separation::zero_overlap;
        const auto struck = [&](double ratio) {
            const double v = ratio * sticking_speed(reduced);
            impact.first.velocity = {0.0, 0.0, -v};
            return std::pair{impact::collide(adhesive(), impact), v};
        };
        for (const double ratio : ratios) {
            const auto [result, v] = struck(ratio);
            ASSERT_EQ(result.status, impact::CompliantStatus::separated) << ratio;
            EXPECT_NEAR(result.velocity.n / v, closed_form(ratio), 1e-9) << ratio;
            EXPECT_NEAR(result.impulse.n / (reduced * v), 1.0 + closed_form(ratio), 1e-9) << ratio;
            EXPECT_NEAR(result.residual, 0.0, 2e-2 / (ratio * ratio)) << ratio;
        }
        EXPECT_EQ(struck(0.98).first.status, impact::CompliantStatus::still_touching);
    }
}

/// A mass that meets a wall, and two masses that meet each other.
TEST(Adhesion, MotionsWithContactsHaveTheRestitutionOfTheWorkOfAdhesion) {
    for (const double second : {0.0, 0.03}) {
        const double first = 0.01;
        const double reduced = second > 0.0 ? first * second / (first + second) : first;
        motion::System system;
        system.eigenvalues = {0.0};
        system.dampings = {0.0};
        system.coordinates = {0.0};
        motion::Contact contact{{1.0 / std::sqrt(first)}, 1e-6, {}};
        contact.law = motion::CompliantContact{adhesive(), Separation::zero_overlap};
        if (second > 0.0) {
            system.eigenvalues.push_back(0.0);
            system.dampings.push_back(0.0);
            system.coordinates.push_back(0.0);
            contact.phi.push_back(-1.0 / std::sqrt(second));
        }
        system.contacts = {contact};
        const auto struck = [&](double ratio) {
            const double v = ratio * sticking_speed(reduced);
            system.rates.assign(system.modes(), 0.0);
            system.rates[0] = -v * std::sqrt(first);
            motion::ImpactMotion moving(system, 1e-9);
            moving.advance(1e-6 / v + 0.003);
            return std::pair{-moving.overlap_rate(0) / v, moving.status()};
        };
        for (const double ratio : {1.0001, 1.001, 1.02, 1.05, 1.1, 1.3, 2.0, 6.0, 30.0}) {
            const auto [e, status] = struck(ratio);
            EXPECT_EQ(status, motion::MotionStatus::separated) << ratio;
            EXPECT_NEAR(e, closed_form(ratio), 1e-9) << ratio;
        }
        EXPECT_EQ(struck(0.98).second, motion::MotionStatus::running);
    }
}

models::SphereImpact adhesive_ball(double radius = 2.5e-3) {
    models::SphereImpact impact;
    impact.sphere = {radius, {210e9, 0.3, 7850.0}};
    impact.contact = {adhesive(), Separation::zero_overlap};
    return impact;
}

/// On a plane and head-on with a sphere of another mass, with friction and without it, whatever the
/// number of steps; energy and momentum add up.
TEST(Adhesion, SpheresHaveTheRestitutionOfTheWorkOfAdhesion) {
    for (const bool is_plane : {true, false}) {
        for (const double across : {0.0, 3.0}) {
            if (!is_plane && across > 0.0) continue;  // the line of centres turns
            models::SphereImpact impact = adhesive_ball();
            if (!is_plane) impact.target.shape = models::TargetSphere{1.7e-3, 2500.0};
            impact.mu = 0.3 * across;
            const double m = impact.effective_mass(), v_s = sticking_speed(m);
            for (const double ratio : {1.0 + 1e-6, 1.001, 1.02, 1.3, 2.0, 6.0, 30.0, 1e4}) {
                const double v = ratio * v_s;
                impact.steps = ratio < 2.0 ? 400 : 1000;
                impact.motion.given = models::SpeedComponents{v, across * v};
                const auto after = models::follow(impact, nullptr);
                const double e = closed_form(ratio);
                // Near v_s e is a root of a difference: 1e-9 of its square.
                EXPECT_NEAR(after.cor.value() * after.cor.value(), e * e, 1e-9 * e) << ratio;
                EXPECT_EQ(after.status, models::SphereImpactStatus::separated) << ratio;
                EXPECT_NEAR((after.sphere.normal - after.target.normal) / v, e, 1e-7) << ratio;
                EXPECT_NEAR(impact.sphere_mass() * (after.sphere.normal + v) / (m * (1.0 + e) * v),
                            1.0, 1e-7);
                EXPECT_NEAR(after.energy.normal_loss / (0.5 * m * v_s * v_s), 1.0,
                            1e-9 * ratio * ratio);
                EXPECT_NEAR(after.energy_residual, 0.0, across == 0.0 ? 1e-12 : 2e-2);
            }
            for (const double ratio : {1.0 - 1e-6, 0.98, 0.1}) {
                impact.motion.given = models::SpeedComponents{ratio * v_s, across * ratio * v_s};
                const auto held = models::follow(impact, nullptr);
                EXPECT_EQ(held.status, models::SphereImpactStatus::sticks) << ratio;
                EXPECT_EQ(held.cor, 0.0) << ratio;
                EXPECT_EQ(held.duration, core::infinity) << ratio;
            }
        }
    }
}

/// The time steps alone, as many spheres have them, find the jumps of the force at the onset, 8/9
/// of the pull-off force, and at the pull-off, 5/9 of it, to half a step each. The speeds are v and
/// e v there, which gives the error of the energy (theory/contact_laws.md 8.35).
TEST(Adhesion, TimeStepsMissTheEnergyByHalfAStepOfTheJumpsOfTheForce) {
    const models::SphereImpact impact = adhesive_ball();
    const double m = impact.sphere_mass(), v_s = sticking_speed(m), r = impact.sphere.radius;
    for (const double ratio : {1.02, 1.05, 1.1, 1.3, 2.0, 6.0}) {
        const double v = ratio * v_s, e = closed_form(ratio);
        const auto exact =
            impact::restitution(adhesive(), {v, m, 0.0, 0.0, Separation::zero_overlap});
        for (const int steps : {1000, 16000}) {
            const double dt = exact.duration.value() / steps;
            const double bound = 1.1 * (8.0 + 5.0 * e) / 9.0 * pull_off * dt / (m * v);
            for (const double begin : {0.0, 0.3, 0.6, 0.9}) {  // of a step before the onset
                granular::SphereCollision collision{
                    {{{0.0, 0.0, r + begin * v * dt}, {0.0, 0.0, -v}, {0.0, 0.0, 0.0}, r, m}},
                    {},
                    steps};
                collision.stepping.step = dt;
                collision.stepping.law = adhesive();
                collision.stepping.separation = Separation::zero_overlap;
                collision.stepping.skin = r;
                const double found = granular::collide(collision, nullptr).cor.value();
                EXPECT_NEAR(found * found, e * e, bound) << ratio << ", " << steps;
            }
        }
    }
}

/// A contact that slides, but for the first instant in which the spring is stretched: the
/// tangential impulse is mu (P + 2 F_c t), P the normal impulse and t the duration. It is the only
/// sign of the pull that a speed can show.
TEST(Adhesion, ASlidingContactIsHeldByTheForceAndTwicePullOff) {
    models::SphereImpact impact;
    impact.sphere = {2.5e-3, {210e9, 0.3, 7850.0}};
    impact.contact = {adhesive(), Separation::zero_overlap};
    impact.mu = 0.1;
    impact.steps = 4000;
    const double m = impact.sphere_mass(), v = 1.5 * sticking_speed(m);
    impact.motion.given = models::SpeedComponents{v, 200.0 * v};
    const auto result = models::follow(impact, nullptr);
    ASSERT_EQ(result.status, models::SphereImpactStatus::separated);
    const double normal = m * (1.0 + result.cor.value()) * v;
    const double held = normal + 2.0 * pull_off * result.duration.value();
    EXPECT_GT(held, 1.3 * normal);
    EXPECT_NEAR((200.0 * v - result.sphere.tangential) * m / (0.1 * held), 1.0, 1e-3);
    EXPECT_NEAR(result.energy_residual, 0.0, 1e-4);
}

/// The region is that of the law: 2 E* a = (3/2) k sqrt(s), with x = s - q s^(1/4), and with
/// F = k (s^(3/2) - (3/2) q s^(3/4)), on both sides of the largest pull.
TEST(Adhesion, TheRegionOfAForceIsThatOfTheLaw) {
    const granular::AdhesiveRegion region{stiffness, pull_off};
    const double q = 4.0 / 3.0 * std::sqrt(pull_off / stiffness);
    for (const double y : {0.64, 0.8, 0.9, 0.92, 1.0, 1.7, 5.0}) {
        const double s = std::pow(q, 4.0 / 3.0) * std::pow(y, 4);
        const double x = s - q * std::pow(s, 0.25);
        const double force = stiffness * (std::pow(s, 1.5) - 1.5 * q * std::pow(s, 0.75));
        EXPECT_NEAR(region.slope(x, force) / (1.5 * stiffness * std::sqrt(s)), 1.0, 1e-9) << y;
    }
    EXPECT_EQ(region.sliding_force(0.5, -pull_off), 0.5 * pull_off);
}

/// Oblique impacts that stick and turn: friction takes energy and gives none.
TEST(Adhesion, FrictionUnderPullGivesNoEnergy) {
    models::SphereImpact impact;
    impact.sphere = {2.5e-3, {210e9, 0.3, 7850.0}};
    impact.contact = {adhesive(), Separation::zero_overlap};
    impact.steps = 4000;
    const double v = sticking_speed(impact.sphere_mass());
    for (const double mu : {0.05, 0.3, 2.0}) {
        for (const double normal : {0.8, 1.5, 10.0}) {
            for (const double across : {0.2, 1.0, 5.0}) {
                impact.mu = mu;
                impact.motion.given = models::SpeedComponents{normal * v, across * normal * v};
                const auto result = models::follow(impact, nullptr);
                EXPECT_NEAR(result.energy_residual, 0.0, 2e-3) << mu << ' ' << normal << across;
                EXPECT_GE(result.energy.friction_loss, 0.0);
            }
        }
    }
}

}  // namespace
