// One impact of compliant spheres, as a case gives it.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <type_traits>

#include <law_numbers.hpp>
#include <models/sphere_impact.hpp>
#include <solved_case.hpp>
#include <stoss/impact/calibrate.hpp>

namespace {

using namespace stoss;
using namespace stoss::models;
using tests::number;

SphereImpact steel_ball() {
    SphereImpact impact;
    impact.sphere = {2.5e-3, {210e9, 0.3, 7850.0}};
    impact.motion.given = SpeedComponents{1.0, 0.0};
    contact::HuntCrossley law;
    law.restitution = 0.6;
    impact.contact.law = law;
    return impact;
}

TEST(SphereImpact, TangentialSpringIsThatOfMindlin) {
    SphereImpact impact = steel_ball();
    const double like = 2.0 * (1.0 - 0.3) / (2.0 - 0.3);  // the same with a rigid plane
    EXPECT_NEAR(impact.shear_ratio(), like, 1e-15);
    impact.target.material = SurfaceMaterial{210e9, 0.3};
    EXPECT_NEAR(impact.shear_ratio(), like, 1e-15);
    impact.tangential_ratio = 0.25;
    EXPECT_EQ(impact.shear_ratio(), 0.25);
}

TEST(SphereImpact, EffectiveMassAndModulusAreThoseOfThePair) {
    SphereImpact impact = steel_ball();
    const double m = impact.sphere_mass();
    EXPECT_EQ(impact.effective_mass(), m);
    impact.target.shape = TargetSphere{2.5e-3, 7850.0, 0.0};
    impact.target.material = SurfaceMaterial{210e9, 0.3};
    EXPECT_NEAR(impact.effective_mass(), 0.5 * m, 1e-18);
    EXPECT_NEAR(impact.effective_modulus(), 0.5 * 210e9 / (1.0 - 0.09), 1.0);
}

TEST(SphereImpact, TakesYieldAndAdhesionFromTheMaterials) {
    SphereImpact impact = steel_ball();
    impact.sphere.material.yield_stress = 350e6;
    impact.sphere.material.surface_energy = 0.04;
    impact.contact.law = contact::ThorntonNing{};
    EXPECT_EQ(std::get<contact::ThorntonNing>(impact.law()).yield_pressure, 1.6 * 350e6);
    EXPECT_TRUE(check(impact).empty());
    impact.contact = {contact::Jkr{}, contact::Separation::zero_overlap};
    EXPECT_EQ(check(impact).size(), 1u);  // a rigid plane has no surface energy
    impact.target.material = SurfaceMaterial{210e9, 0.3, std::nullopt, 0.09};
    EXPECT_TRUE(check(impact).empty());
    EXPECT_NEAR(std::get<contact::Jkr>(impact.law()).work_of_adhesion.value(), 0.12, 1e-16);
}

TEST(SphereImpact, AdhesionAddsToTheLimitOfFrictionWhatTheStepsAdd) {
    SphereImpact impact = steel_ball();
    EXPECT_EQ(impact.friction_adhesion(), 0.0);
    const double per_work = std::numbers::pi * 2.5e-3;  // F_c = 3/2 pi w R (jkr), 2 pi w R (dmt)
    contact::Jkr jkr;
    jkr.work_of_adhesion = 0.1;
    impact.contact = {jkr, contact::Separation::zero_overlap};
    EXPECT_NEAR(impact.friction_adhesion(), 2.0 * 1.5 * per_work * 0.1, 1e-15);
    contact::Dmt dmt;
    dmt.work_of_adhesion = 0.1;
    impact.contact.law = dmt;
    EXPECT_NEAR(impact.friction_adhesion(), 2.0 * per_work * 0.1, 1e-15);
    impact.tangential = contact::PartialSlip{};
    EXPECT_EQ(impact.friction_adhesion(), 0.0);
}

TEST(SphereImpact, WantedRestitutionIsCalibratedToThePair) {
    SphereImpact impact = steel_ball();
    contact::SimonHuntCrossley law;
    impact.contact.law = law;
    ASSERT_EQ(check(impact).size(), 1u);  // no damping
    impact.cor = 0.6;
    ASSERT_TRUE(check(impact).empty());
    const SphereImpactResult result = follow(impact, nullptr);
    EXPECT_EQ(result.status, SphereImpactStatus::separated);
    EXPECT_NEAR(result.cor_of_law.value(), 0.6, 1e-12);
    EXPECT_NEAR(result.cor.value(), 0.6, 1e-4);
}

TEST(SphereImpact, ASphereThatRollsOnThePlaneKeepsRolling) {
    SphereImpact impact = steel_ball();
    impact.mu = 0.5;
    impact.motion.given = SpeedComponents{1.0, 2.0};
    impact.motion.angular_velocity = 2.0 / 2.5e-3;
    const SphereImpactResult result = follow(impact, nullptr);
    EXPECT_EQ(result.slip_before, 0.0);
    EXPECT_NEAR(result.slip, 0.0, 1e-14);
    EXPECT_NEAR(result.sphere.tangential, 2.0, 1e-14);
    EXPECT_NEAR(result.energy.friction_loss, 0.0, 1e-18);
}

/// All of a linear contact comes in at once, so that its bed of springs is one spring.
TEST(SphereImpact, WithALinearLawHasTheSameSlipWithOneSpringAndWithMany) {
    SphereImpact impact = steel_ball();
    contact::KelvinVoigt law;
    law.stiffness = 1e6;
    law.restitution = 0.7;
    impact.contact.law = law;
    impact.motion.given = SpeedComponents{1.0, 0.5};
    impact.tangential_ratio = 0.8;
    impact.mu = 1.0;
    const auto slip = [&](int steps, const contact::TangentialLaw& tangential) {
        impact.steps = steps;
        impact.tangential = tangential;
        return follow(impact, nullptr).slip;
    };
    const double exact = slip(64000, contact::PartialSlip{});
    for (const int steps : {250, 1000}) {
        const double many = slip(steps, contact::PartialSlip{});
        EXPECT_NEAR(many, slip(steps, contact::SpringSlider{}), 1e-12) << steps;
        EXPECT_NEAR(many, exact, 10.0 / (steps * steps)) << steps;
    }
}

TEST(SphereImpact, WhatOneSphereLosesInMomentumTheOtherGets) {
    SphereImpact impact = steel_ball();
    impact.mu = 0.3;
    impact.motion.given = SpeedAndAngle{3.0, 0.9};
    impact.motion.angular_velocity = -150.0;
    impact.target.shape = TargetSphere{4e-3, 2700.0, 80.0};
    const SphereImpactResult result = follow(impact, nullptr);
    EXPECT_LT(result.momentum_residual, 1e-13);
    EXPECT_LT(std::abs(result.energy_residual), 1e-5);
    EXPECT_GT(result.energy.friction_loss, 0.0);
}

TEST(SphereImpact, ALawThatHoldsAFunctionIsRefused) {
    contact::FunctionLaw law;
    law.function = std::make_shared<const contact::ForceFunction>(
        [](double x, double) { return 1e6 * x * std::sqrt(x); });
    SphereImpact impact = steel_ball();
    impact.contact.law = law;
    impact.motion.given = SpeedComponents{1.0, 0.5};
    EXPECT_THROW(follow(impact, nullptr), core::InputError);
}

TEST(SphereImpact, AnImpactThatTheLawAloneDoesNotGiveIsNotFinite) {
    SphereImpact impact = steel_ball();
    impact.contact.law = contact::Hertz{};
    impact.motion.given = SpeedComponents{1e-300, 0.0};  // its energy is 0 J
    ASSERT_TRUE(check(impact).empty());
    std::vector<SphereImpactMoment> path;
    EXPECT_EQ(follow(impact, &path).status, SphereImpactStatus::not_finite);
    EXPECT_TRUE(path.empty());
}

TEST(SphereImpact, AnEffectiveMassThatIsTooSmallForANumberIsRefused) {
    SphereImpact impact = steel_ball();
    impact.target.shape = TargetSphere{.radius = 1e-163, .density = 2800.0};
    const auto found = check(impact);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.front().key, "sphere");
    EXPECT_NE(found.front().rule.find("effective mass of 0 kg"), std::string::npos);
}

TEST(SphereImpact, EveryLawOfNumbersIsTaken) {
    core::for_each_alternative<contact::Law>([]<class L>(std::type_identity<L>) {
        if constexpr (!std::is_trivially_copyable_v<L>) return;
        SphereImpact impact = steel_ball();
        L law;
        if constexpr (requires { law.stiffness; }) law.stiffness = 1e6;
        tests::set_numbers_of_bodies(law, impact.effective_modulus(), 2.5e-3);
        if constexpr (requires { law.yield_overlap; }) law.yield_overlap = 2e-6;
        if constexpr (requires { law.ramp_depth; }) {
            law.damping = 20.0;
            law.ramp_depth = 1e-5;
        }
        if constexpr (requires { law.pull_off_force; }) {
            law.pull_off_force = 1e-3;
            impact.contact.separation = contact::Separation::zero_overlap;
        }
        if constexpr (requires { law.restitution; }) law.restitution = 0.7;
        impact.contact.law = law;
        impact.mu = 0.2;
        impact.motion.given = SpeedComponents{1.0, 0.5};
        if constexpr (
            requires { law.damping_factor; } && !requires { law.restitution; })
            impact.cor = 0.7;
        ASSERT_TRUE(check(impact).empty()) << L::name;
        const SphereImpactResult result = follow(impact, nullptr);
        EXPECT_EQ(result.status, SphereImpactStatus::separated) << L::name;
        EXPECT_NEAR(result.energy_residual, 0.0, 3e-5) << L::name;
        EXPECT_NEAR(result.cor.value(), result.cor_of_law.value(), 2e-4) << L::name;
    });
}

TEST(SphereImpact, AdhesiveSpheresLoseTheWorkOfAdhesion) {
    SphereImpact impact = steel_ball();
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    impact.contact = {law, contact::Separation::zero_overlap};
    const double lost = law.stored_energy(law.end_overlap({}), {});
    const double sticking_speed = std::sqrt(2.0 * lost / impact.sphere_mass());
    impact.motion.given = SpeedComponents{1.5 * sticking_speed, 0.0};
    const SphereImpactResult result = follow(impact, nullptr);
    EXPECT_EQ(result.status, SphereImpactStatus::separated);
    EXPECT_NEAR(result.cor_of_law.value(), std::sqrt(1.0 - 1.0 / 2.25), 1e-12);
    EXPECT_NEAR(result.cor.value(), result.cor_of_law.value(), 1e-3);
    impact.motion.given = SpeedComponents{0.9 * sticking_speed, 0.0};
    const SphereImpactResult held = follow(impact, nullptr);
    EXPECT_EQ(held.status, SphereImpactStatus::sticks);
    EXPECT_EQ(held.cor_of_law, 0.0);
}

std::unique_ptr<solvers::ReadCase> read(const std::string& keys) {
    return tests::read_case("problem: sphere_impact\n" + keys);
}

solvers::Outcome solve(const std::string& keys) {
    return read(keys)->solve({1, true});
}

std::vector<std::string> warnings_at(const std::string& speed) {
    return solve(
               "sphere: {radius: 5 mm, material: {youngs_modulus: 50 kPa, poisson_ratio: 0.3, "
               "density: 2500 kg/m^3}}\n"
               "target: {shape: sphere, radius: 2 mm, density: 2500 kg/m^3}\n"
               "motion: {given: components, normal_speed: " +
               speed + "}\ncontact: {law: hertz}\n")
        .warnings;
}

TEST(SphereImpact, AnOverlapTooDeepForTheLawIsWarnedOf) {
    EXPECT_TRUE(warnings_at("0.01 m/s").empty());
    const std::vector<std::string> deep = warnings_at("1 m/s");
    ASSERT_EQ(deep.size(), 1U);
    EXPECT_TRUE(deep.front().starts_with("the deepest overlap is ")) << deep.front();
}

std::vector<std::string> warnings_of_steps(const std::string& law, int steps,
                                           const std::string& target = "{shape: plane}") {
    return solve(
               "sphere: {radius: 5 mm, material: glass}\n"
               "target: " +
               target +
               "\nmotion: {given: components, normal_speed: 1 m/s, tangential_speed: 20 m/s}\n"
               "mu: 0.1\ncontact: " +
               law + "\nsteps: " + std::to_string(steps) + "\n")
        .warnings;
}

/// Fast motion across the normal has hundreds of times the energy of that along it.
TEST(SphereImpact, StepsThatChangeTheRestitutionAreWarnedOfHoweverFastTheMotionAcrossIs) {
    using Warnings = std::vector<std::string>;
    const std::string spring = "{law: hunt_crossley, restitution: 0.1}";
    EXPECT_EQ(warnings_of_steps(spring, 30),
              Warnings{"the time steps change cor from 0.1 to 0.202; raise steps"});
    EXPECT_EQ(warnings_of_steps(spring, 1000), Warnings{});
    const std::string dashpot = "{law: kelvin_voigt, stiffness: 1e6, restitution: 0.1}";
    EXPECT_EQ(warnings_of_steps(dashpot, 10),
              Warnings{"the time steps change cor from 0.1 to 0.197; raise steps"});
    EXPECT_EQ(warnings_of_steps(dashpot, 1000), Warnings{});
}

TEST(SphereImpact, StepsThatChangeTheMotionAlongANormalThatTurnsAreWarnedOf) {
    const std::string law = "{law: hunt_crossley, restitution: 0.1}";
    const std::string sphere = "{shape: sphere, radius: 5 mm, density: 2500 kg/m^3}";
    const std::vector<std::string> found = warnings_of_steps(law, 30, sphere);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_TRUE(
        found.front().ends_with("of the energy of its motion along the normal; raise steps"))
        << found.front();
    const std::vector<std::string> fine = warnings_of_steps(law, 1000, sphere);
    ASSERT_EQ(fine.size(), 1U);  // with any steps
    EXPECT_NE(fine.front().find("the spheres pass each other"), std::string::npos) << fine.front();
}

const std::string adhesive =
    "sphere: {radius: 0.5 mm, material: {youngs_modulus: 3.25 GPa, poisson_ratio: 0.34, density: "
    "1050 kg/m^3}}\n"
    "target: {material: {youngs_modulus: 70 GPa, poisson_ratio: 0.25}}\n"
    "motion: {given: components, normal_speed: 2 mm/s, tangential_speed: 1 mm/s}\n"
    "contact: {law: jkr, work_of_adhesion: 0.1 J/m^2, separation: zero_overlap}\n"
    "mu: 0.3\n";

/// It moves on in contact: there is no velocity after the impact.
TEST(SphereImpact, ASphereThatSticksIsNoImpactWithoutEnd) {
    const solvers::Outcome held = solve(adhesive);
    EXPECT_EQ(*held.summary.find("status")->text(), "sticks");
    EXPECT_TRUE(held.warnings.empty());
    EXPECT_EQ(number(held, "cor"), 0.0);
    EXPECT_EQ(number(held, "duration_s"), core::infinity);
    EXPECT_GT(number(held, "peak_force_N"), 0.0);
    for (const char* const after :
         {"cor_tangential", "normal_velocity_m_per_s", "tangential_velocity_m_per_s",
          "angular_velocity_rad_per_s", "slip_m_per_s", "slip_restitution", "normal_loss_J",
          "friction_loss_J", "slid", "rebound_angle_deg", "rebound_angle_of_contact_deg"})
        EXPECT_TRUE(std::isnan(number(held, after))) << after;
}

/// The law alone lets these two go; they turn about each other and stay together.
TEST(SphereImpact, AnImpactThatDoesNotEndInTimeHasNoRestitution) {
    const solvers::Outcome open = solve(
        "sphere: {radius: 0.5 mm, material: {youngs_modulus: 3.25 GPa, poisson_ratio: 0.34, "
        "density: 1050 kg/m^3}}\n"
        "target: {shape: sphere, radius: 0.5 mm, density: 1050 kg/m^3, material: {youngs_modulus: "
        "3.25 GPa, poisson_ratio: 0.34}}\n"
        "motion: {given: components, normal_speed: 3.417 mm/s, tangential_speed: 20 mm/s}\n"
        "contact: {law: jkr, work_of_adhesion: 0.1 J/m^2, separation: zero_overlap}\n"
        "mu: 0.3\nsteps: 400\n");
    EXPECT_EQ(*open.summary.find("status")->text(), "still_touching");
    EXPECT_GT(number(open, "cor_of_law"), 0.0);
    for (const char* const after : {"cor", "duration_s", "slip_m_per_s", "rebound",
                                    "slip_of_rigid_spheres_m_per_s", "friction_loss_J"})
        EXPECT_TRUE(std::isnan(number(open, after))) << after;
    EXPECT_EQ(open.warnings,
              std::vector<std::string>{"1 of 1 impacts did not end within the time limit"});
}

TEST(SphereImpact, AMapCountsTheImpactsThatStick) {
    const solvers::Outcome map = solve(
        adhesive + "over: [{key: motion.normal_speed, from: 2 mm/s, to: 5 mm/s, points: 4}]\n");
    EXPECT_EQ(number(map, "impacts_that_stick"), 2.0);
    EXPECT_TRUE(map.warnings.empty());
}

/// A damper that is stronger than the spring lets the sphere creep back without end.
TEST(SphereImpact, ASphereThatCreepsOutOfAnOverdampedContactSticks) {
    SphereImpact impact = steel_ball();
    contact::KelvinVoigt law;
    law.stiffness = 1e6;
    law.damping = 500.0;
    impact.contact = {law, contact::Separation::zero_overlap};
    const SphereImpactResult result = follow(impact, nullptr);
    EXPECT_EQ(result.status, SphereImpactStatus::sticks);
    EXPECT_EQ(result.cor, 0.0);
}

/// Fast spheres that graze: the overlap of rigid ones is v_n t - v_t^2 t^2/(2 (r + R)), far shorter
/// than an elastic contact.
TEST(SphereImpact, SpheresThatPassEachOtherAreFollowedAndWarnedOf) {
    const auto outcome = solve(R"(
sphere: {radius: 0.01 m, material: {youngs_modulus: 1e9 Pa, poisson_ratio: 0.3, density: 2000 kg/m^3}}
target: {shape: sphere, radius: 0.02 m, density: 1000 kg/m^3}
motion: {given: components, normal_speed: 1 m/s, tangential_speed: 1e4 m/s}
contact: {law: hertz}
mu: 0
)");
    const double time = 1.0 * 0.03 / 1e8;  // to the largest overlap
    EXPECT_NEAR(number(outcome, "peak_overlap_m"), 0.5 * 1.0 * time, 1e-3 * time);
    EXPECT_NEAR(number(outcome, "duration_s"), 2.0 * time, 1e-3 * time);
    EXPECT_NEAR(number(outcome, "cor"), -1.0, 1e-3);
    ASSERT_FALSE(outcome.warnings.empty());
    EXPECT_TRUE(outcome.warnings[0].starts_with("in 1 of 1 impacts the spheres pass each other"));
}

TEST(SphereImpact, ALawOfContactAlongALineIsDoubted) {
    const auto doubts_of = [](const std::string& law) {
        return read(
                   "sphere: {radius: 5 mm, material: glass}\n"
                   "motion: {given: components, normal_speed: 1 m/s}\ncontact: " +
                   law + "\n")
            ->echo()
            .doubts;
    };
    EXPECT_TRUE(doubts_of("{law: hertz}").empty());
    const auto doubts = doubts_of(
        "{law: parallel_cylinders, effective_modulus: 70 GPa, length: 1 mm, "
        "effective_radius: 5 mm, mean_radius: 5 mm}");
    ASSERT_EQ(doubts.size(), 1U);
    EXPECT_EQ(doubts.front().key, "contact.law");
}

}  // namespace
