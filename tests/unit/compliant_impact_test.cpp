#include <models/compliant_contact.hpp>
#include <stoss/impact/compliant_impact.hpp>
#include <stoss/impact/restitution.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <solved_case.hpp>
#include <stoss/core/error.hpp>

namespace {

using namespace stoss::impact;
namespace contact = stoss::contact;
namespace rigid = stoss::rigid;
using Eigen::Vector3d;
using rigid::ContactVector;

rigid::RigidBody sphere_body(double mass, double radius) {
    rigid::RigidBody body;
    body.mass = mass;
    body.inertia = (0.4 * mass * radius * radius * Vector3d::Ones()).asDiagonal();
    return body;
}

contact::Law spring(double stiffness) {
    contact::KelvinVoigt law;
    law.stiffness = stiffness;
    law.damping = 0.0;
    return law;
}

/// A sphere of 2 kg falls on a fixed plane at 1 m/s and slides along t at `slip` [m/s].
CompliantImpact sphere_on_plane(double slip, double mu) {
    CompliantImpact impact;
    impact.first = sphere_body(2.0, 0.1);
    impact.first.position = {0.0, 0.0, 0.1};
    impact.first.velocity = {slip, 0.0, -1.0};
    impact.second = rigid::RigidBody::fixed();
    impact.frame.n = Vector3d::UnitZ();
    impact.frame.t = Vector3d::UnitX();
    impact.frame.o = Vector3d::UnitY();
    impact.mu = mu;
    impact.at_one_instant = true;
    return impact;
}

/// Two unlike bodies that both move and turn, with a contact on neither axis.
CompliantImpact two_bodies() {
    CompliantImpact impact;
    impact.first.mass = 2.0;
    impact.first.inertia = Vector3d(0.02, 0.03, 0.04).asDiagonal();
    impact.first.orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized());
    impact.first.position = {0.1, 0.05, 0.2};
    impact.first.velocity = {1.0, 0.3, -2.0};
    impact.first.angular_velocity = {3.0, -2.0, 5.0};
    impact.second.mass = 3.0;
    impact.second.inertia = Vector3d(0.05, 0.04, 0.03).asDiagonal();
    impact.second.position = {0.0, 0.02, -0.2};
    impact.second.velocity = {0.0, 0.2, 1.0};
    impact.second.angular_velocity = {-1.0, 2.0, 0.5};
    impact.frame.n = Vector3d::UnitZ();
    impact.frame.t = Vector3d::UnitX();
    impact.frame.o = Vector3d::UnitY();
    impact.mu = 0.3;
    return impact;
}

Vector3d momentum(const rigid::RigidBody& a, const rigid::RigidBody& b) {
    return a.mass * a.velocity + b.mass * b.velocity;
}
Vector3d angular_momentum(const rigid::RigidBody& body) {
    const Eigen::Matrix3d R = body.orientation.toRotationMatrix();
    return body.position.cross(body.mass * body.velocity) +
           R * (body.inertia * (R.transpose() * body.angular_velocity));
}

TEST(CompliantImpact, WithoutFrictionAnElasticLawReversesTheApproach) {
    CompliantImpact impact = two_bodies();
    impact.mu = 0.0;
    impact.at_one_instant = true;
    const auto problem = contact_problem(impact.first, impact.second, impact.frame, 0.0);
    const CompliantResult result = collide(spring(1e6), impact);
    EXPECT_EQ(result.status, CompliantStatus::separated);
    EXPECT_NEAR(result.velocity.n, problem.b.n, 1e-6 * problem.b.n);
    EXPECT_NEAR(result.impulse.n, 2.0 * problem.b.n / problem.A.nn, 1e-6 * result.impulse.n);
    EXPECT_NEAR(result.compression_impulse.n, problem.b.n / problem.A.nn, 1e-4 * result.impulse.n);
    EXPECT_EQ(result.impulse.t, 0.0);
}

TEST(CompliantImpact, DampedLawGivesTheRestitutionItWasAskedFor) {
    CompliantImpact impact = sphere_on_plane(5.0, 0.2);
    contact::KelvinVoigt law;
    law.stiffness = 1e6;
    law.restitution = 0.6;
    impact.steps_per_radian = 200;
    const CompliantResult result = collide(law, impact);
    EXPECT_NEAR(result.velocity.n, 0.6, 1e-4);
    EXPECT_NEAR(result.normal_loss, 0.5 * 2.0 * (1.0 - 0.36), 2e-4);
}

TEST(CompliantImpact, GrossSlidingHasTheTangentialImpulseOfCoulomb) {
    for (const contact::Friction& friction : {contact::Friction(contact::RegularisedCoulomb{}),
                                              contact::Friction(contact::TangentialSpring{0.9})}) {
        CompliantImpact impact = sphere_on_plane(20.0, 0.2);
        impact.friction = friction;
        const CompliantResult result = collide(spring(1e6), impact);
        const double sliding = -0.2 * result.impulse.n;
        // The spring takes a little while before its end slides.
        const double tolerance = friction.index() == 0 ? 1e-12 : 0.03;
        EXPECT_NEAR(result.impulse.t, sliding, tolerance * std::abs(sliding));
        EXPECT_NEAR(result.impulse.o, 0.0, 1e-12);
    }
}

TEST(CompliantImpact, SlowSlipOfASphereStops) {
    CompliantImpact impact = sphere_on_plane(0.2, 0.5);
    const CompliantResult result = collide(spring(1e6), impact);
    const auto problem = contact_problem(impact.first, impact.second, impact.frame, 0.5);
    EXPECT_NEAR(result.impulse.t, problem.b.t / problem.A.tt, 1e-3 * std::abs(result.impulse.t));
    EXPECT_NEAR(result.velocity.t, 0.0, 1e-3 * 0.2);
}

TEST(CompliantImpact, TangentialSpringThatHoldsIsAnOscillator) {
    // v_t = v_t(0) cos(pi sqrt(ratio A_tt/A_nn)): both springs are linear, the impact lasts half a
    // period of the normal one. The force is not zero at release, which lies within a step.
    for (const double ratio : {0.1, 0.5, 0.8}) {
        CompliantImpact impact = sphere_on_plane(0.01, 1e3);
        impact.friction = contact::TangentialSpring{ratio};
        impact.steps_per_radian = 1000;
        const CompliantResult result = collide(spring(1e6), impact);
        EXPECT_NEAR(result.velocity.t, 0.01 * std::cos(std::numbers::pi * std::sqrt(3.5 * ratio)),
                    2e-4 * 0.01);
    }
}

TEST(CompliantImpact, KeepsMomentumAngularMomentumAndEnergy) {
    for (const contact::Friction& friction : {contact::Friction(contact::RegularisedCoulomb{1e-2}),
                                              contact::Friction(contact::TangentialSpring{0.7})}) {
        CompliantImpact impact = two_bodies();
        impact.friction = friction;
        contact::HuntCrossley law;
        law.stiffness = 1e7;
        law.restitution = 0.5;
        const CompliantResult result = collide(law, impact);
        ASSERT_EQ(result.status, CompliantStatus::separated);
        EXPECT_LT(
            (momentum(result.first, result.second) - momentum(impact.first, impact.second)).norm(),
            1e-13);
        EXPECT_LT((angular_momentum(result.first) + angular_momentum(result.second) -
                   angular_momentum(impact.first) - angular_momentum(impact.second))
                      .norm(),
                  1e-8);
        EXPECT_LT(std::abs(result.residual), 1e-6);
        EXPECT_GT(result.normal_loss, 0.0);
        EXPECT_GT(result.friction_loss, 0.0);
        EXPECT_NEAR(rigid::kinetic_energy(result.first) + rigid::kinetic_energy(result.second) +
                        result.normal_loss + result.friction_loss,
                    result.initial_energy, 1e-6 * result.initial_energy);
    }
}

TEST(CompliantImpact, TendsToTheImpactAtOneInstantWithTheRootOfTheStiffness) {
    CompliantImpact impact = two_bodies();
    impact.at_one_instant = true;
    const ContactVector limit = collide(spring(1e6), impact).impulse;
    impact.at_one_instant = false;
    const auto far = [&](double stiffness) {
        const ContactVector d = collide(spring(stiffness), impact).impulse - limit;
        return std::sqrt(dot(d, d));
    };
    const double coarse = far(1e7), fine = far(1e9);
    EXPECT_NEAR(std::log10(coarse / fine), 1.0, 0.05);
}

TEST(CompliantImpact, SameBodiesTheOtherWayRoundGetTheOppositeImpulse) {
    CompliantImpact impact = two_bodies();
    impact.at_one_instant = true;
    const CompliantResult one = collide(spring(1e6), impact);
    std::swap(impact.first, impact.second);
    impact.frame.n = -impact.frame.n;
    impact.frame.t = -impact.frame.t;
    impact.frame.o = -impact.frame.o;
    const CompliantResult other = collide(spring(1e6), impact);
    EXPECT_NEAR(one.impulse.n, other.impulse.n, 1e-9);
    EXPECT_NEAR(one.impulse.t, other.impulse.t, 1e-9);
    EXPECT_NEAR(one.impulse.o, other.impulse.o, 1e-9);
}

TEST(CompliantImpact, GrazingRodJamsAboveTheCriticalFrictionOnly) {
    const double theta = 0.6, critical = 2.176973532218;
    CompliantImpact impact;
    impact.first.mass = 1.0;
    impact.first.inertia = (Vector3d(1e-6, 1.0, 1.0) / 12.0).asDiagonal();
    impact.first.orientation = Eigen::AngleAxisd(theta, Vector3d::UnitZ());
    impact.first.position = 0.5 * Vector3d(std::cos(theta), std::sin(theta), 0.0);
    impact.first.velocity = {-1.0, -1e-4, 0.0};
    impact.second = rigid::RigidBody::fixed();
    impact.frame.n = Vector3d::UnitY();
    impact.frame.t = Vector3d::UnitX();
    impact.frame.o = Vector3d::UnitZ();
    impact.friction = contact::RegularisedCoulomb{1e-3};
    impact.at_one_instant = true;
    impact.mu = 1.1 * critical;
    const ContactVector above = collide(spring(1e6), impact).compression_impulse;
    EXPECT_NEAR(above.n, .349514657238, 1e-3);
    EXPECT_NEAR(above.t, .760884157929, 1e-3);
    impact.mu = 0.9 * critical;
    const ContactVector below = collide(spring(1e6), impact).compression_impulse;
    EXPECT_LT(below.n, 1e-3);
    EXPECT_GT(below.n, 0.0);
}

/// A sphere of 10 g meets a fixed plane at `speed` [m/s]; contact ends where the overlap does.
CompliantImpact small_sphere(double speed) {
    CompliantImpact impact = sphere_on_plane(0.0, 0.0);
    impact.first = sphere_body(0.01, 0.002);
    impact.first.position = {0.0, 0.0, 0.002};
    impact.first.velocity = {0.0, 0.0, -speed};
    impact.separation = contact::Separation::zero_overlap;
    return impact;
}

TEST(CompliantImpact, ByAPullThatEndsWithAJumpLosesNothingIfTheLawDoesNot) {
    contact::Dmt law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    for (const double speed : {0.01, 0.1, 1.0}) {
        const CompliantResult result = collide(law, small_sphere(speed));
        ASSERT_EQ(result.status, CompliantStatus::separated) << speed;
        EXPECT_NEAR(result.velocity.n / speed, 1.0, 1e-12) << speed;
        EXPECT_LT(std::abs(result.residual), 1e-12) << speed;
    }
}

TEST(CompliantImpact, ClosesItsEnergiesWhereADentPullsToTheEnd) {
    contact::ThorntonNingAdhesive law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    law.yield_overlap = 2e-5;
    const CompliantImpact impact = small_sphere(1.0);
    auto memory = law.prepare({impact.first.mass, impact.separation});
    const CompliantResult result = collide(law, impact);
    ASSERT_EQ(result.status, CompliantStatus::separated);
    law.accept(memory, result.peak_overlap, 0.0);
    EXPECT_GT(law.end_overlap(memory), 0.0);
    EXPECT_NEAR(rigid::kinetic_energy(result.first) + result.normal_loss, result.initial_energy,
                1e-12 * result.initial_energy);
}

TEST(CompliantImpact, HasADurationIfTheBodiesPart) {
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    const CompliantResult parted = collide(law, small_sphere(1.0));
    EXPECT_EQ(parted.status, CompliantStatus::separated);
    EXPECT_GT(parted.duration.value(), 0.0);
    const CompliantResult held = collide(law, small_sphere(0.05));  // 0.094 m/s part them
    EXPECT_EQ(held.status, CompliantStatus::still_touching);
    EXPECT_FALSE(held.duration);
}

/// Half a period of the spring, whatever part of a step is left when it ends.
TEST(CompliantImpact, DurationConvergesWithTheThirdPowerOfTheStep) {
    CompliantImpact impact = sphere_on_plane(0.0, 0.0);
    const double exact = std::numbers::pi * std::sqrt(2.0 / 1e6);
    for (const int steps : {5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160}) {
        impact.steps_per_radian = steps;
        const double error = collide(spring(1e6), impact).duration.value() / exact - 1.0;
        EXPECT_LT(std::abs(error), 3e-4 / std::pow(steps, 3)) << steps;
    }
}

TEST(CompliantImpact, DurationIsThatOfAPointMassByEveryLaw) {
    CompliantImpact impact = sphere_on_plane(0.0, 0.0);
    contact::Hertz hertz;
    hertz.stiffness = 1e8;
    contact::HuntCrossley damped;
    damped.stiffness = 1e8;
    damped.restitution = 0.5;
    contact::WaltonBraun dented;
    dented.stiffness = 1e6;
    dented.restitution = 0.5;
    for (const contact::Law& law :
         {contact::Law(hertz), contact::Law(damped), contact::Law(dented)}) {
        const double exact = restitution(law, {1.0, 2.0}).duration.value();
        EXPECT_NEAR(collide(law, impact).duration.value() / exact, 1.0, 1e-6) << law.index();
    }
}

/// Half a period of the damped spring less the time in which it would pull: 2 acos(xi)/omega_d.
TEST(CompliantImpact, WithAForceThatMayNotPullEndsWhereTheForceVanishes) {
    const double k = 1e6, m = 2.0;
    for (const double e : {0.9, 0.5, 0.2}) {
        const double log_e = -std::log(e);
        contact::KelvinVoigt law;
        law.stiffness = k;
        law.restitution = e;
        CompliantImpact impact = sphere_on_plane(0.0, 0.0);
        impact.steps_per_radian = 400;
        const CompliantResult result = collide(law, impact);
        // e of this rule: exp(-xi/sqrt(1 - xi^2) 2 acos(xi)), by bisection
        double low = 0.0, high = 1.0;
        const auto rate = [](double xi) { return std::acos(xi) / std::sqrt(1.0 - xi * xi); };
        for (int i = 0; i < 60; ++i) {
            const double xi = 0.5 * (low + high);
            (2.0 * xi * rate(xi) < log_e ? low : high) = xi;
        }
        const double exact = 2.0 * rate(low) / std::sqrt(k / m);
        EXPECT_NEAR(result.duration.value() / exact, 1.0, 1e-6) << e;
        EXPECT_NEAR(restitution(law, {1.0, m}).duration.value() / exact, 1.0, 1e-9) << e;
        impact.separation = contact::Separation::zero_overlap;
        EXPECT_GT(collide(law, impact).duration.value(), exact) << e;
    }
}

/// A trace of the operator far above its entry of the normal makes the steps short, not the impact.
TEST(CompliantImpact, OfABodyThatTurnsEasilyIsFollowedToItsEnd) {
    CompliantImpact impact = sphere_on_plane(0.0, 0.0);
    impact.first.position.z() = 1.0;
    impact.first.inertia = (1e-5 * Vector3d::Ones()).asDiagonal();
    const CompliantResult result = collide(spring(1e6), impact);
    EXPECT_EQ(result.status, CompliantStatus::separated);
    EXPECT_NEAR(result.velocity.n, 1.0, 1e-9);
}

TEST(CompliantImpact, ThatTakesTheMostStepsSaysSo) {
    CompliantImpact impact = sphere_on_plane(0.1, 10.0);
    impact.most_steps = 100;
    const CompliantResult result = collide(spring(1e6), impact);
    EXPECT_EQ(result.status, CompliantStatus::still_touching);
    EXPECT_TRUE(result.out_of_steps);
    EXPECT_EQ(result.steps, 100);
    impact.most_steps = 10'000'000;
    EXPECT_FALSE(collide(spring(1e6), impact).out_of_steps);
}

/// A sphere of 1 kg meets a fixed plane at 1 m/s and moves across it at `across` [m/s].
std::string compliant_case(const std::string& contact, const std::string& more = "",
                           double across = 0.0) {
    return "problem: compliant_impact\n"
           "first:\n"
           "  mass: 1 kg\n"
           "  moments: [0.4 kg m^2, 0.4 kg m^2, 0.4 kg m^2]\n"
           "  position: [0, 0, 1 m]\n"
           "  velocity: [" +
           std::to_string(across) +
           " m/s, 0, -1 m/s]\n"
           "frame: {point: [0, 0, 0], normal: [0, 0, 1], tangent: [1, 0, 0]}\n"
           "mu: 0\n"
           "friction: regularised_coulomb\n"
           "contact: " +
           contact + "\n" + more;
}

std::vector<std::string> warnings_of(const std::string& text) {
    return stoss::tests::solve(text).warnings;
}

TEST(CompliantImpactProblem, KeepsTheRestitutionOfALawWithAnUnloadingStiffness) {
    stoss::models::CompliantContact compliant;
    contact::WaltonBraun law;
    law.stiffness = 1e6;
    law.unloading_stiffness = 4e6;
    compliant.contact.law = law;
    for (const double factor : {1.0, 2.0, 10.0, 100.0}) {
        const CompliantResult result = collide(compliant.law(factor), sphere_on_plane(0.0, 0.0));
        EXPECT_NEAR(result.velocity.n, 0.5, 1e-4) << factor;
        EXPECT_NEAR(result.normal_loss, 0.75, 1e-4) << factor;
    }
}

/// Where a stiffness below some limit is no law: the spheres would yield by adhesion alone.
TEST(CompliantImpactProblem, NamesTheFactorThatGivesNoLaw) {
    const std::string contact =
        "{law: thornton_ning_adhesive, stiffness: 1e6, pull_off_force: 100, "
        "yield_overlap: 3e-3, separation: zero_overlap}";
    EXPECT_NO_THROW(
        stoss::tests::read_case(compliant_case(contact, "stiffness_factors: [1, 10]\n")));
    try {
        stoss::tests::read_case(compliant_case(contact, "stiffness_factors: [0.01, 1]\n"));
        FAIL() << "must be refused";
    } catch (const stoss::core::InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1u);
        const auto& found = error.diagnostics().front().violation;
        EXPECT_EQ(found.key, "stiffness_factors");
        EXPECT_EQ(found.value, "0.01");
        EXPECT_NE(found.rule.find("contact.yield_overlap"), std::string::npos) << found.rule;
    }
}

TEST(CompliantImpactProblem, JudgesTheEnergyByTheMotionAlongTheNormal) {
    const std::string stiff_damper = "{law: kelvin_voigt, stiffness: 1e6, restitution: 1e-4}";
    for (const double across : {0.0, 1e3}) {
        const std::vector<std::string> coarse = warnings_of(
            compliant_case(stiff_damper, "stiffness_factors: [1]\nsteps_per_radian: 5\n", across));
        ASSERT_EQ(coarse.size(), 1u) << across;
        EXPECT_NE(coarse[0].find("of its motion along the normal; raise steps_per_radian"),
                  std::string::npos)
            << coarse[0];
        EXPECT_TRUE(warnings_of(compliant_case(stiff_damper,
                                               "stiffness_factors: [1]\n"
                                               "steps_per_radian: 1000\n",
                                               across))
                        .empty())
            << across;
    }
}

TEST(CompliantImpact, BodiesThatPartHaveNone) {
    CompliantImpact impact = sphere_on_plane(0.0, 0.1);
    impact.first.velocity.z() = 1.0;
    EXPECT_EQ(collide(spring(1e6), impact).status, CompliantStatus::not_approaching);
}

}  // namespace
