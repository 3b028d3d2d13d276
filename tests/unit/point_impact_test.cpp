#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <stoss/contact/damping.hpp>
#include <stoss/impact/point_impact.hpp>

namespace {

using namespace stoss;
using impact::OutputVelocity;
using impact::PointImpact;
using impact::PointImpacts;

/// Case 2 of Papetti et al. 2011: a hard impact at 1 m/s.
PointImpact hard() {
    contact::HuntCrossley law;
    law.stiffness = 1e9;
    law.damping_factor = 0.5;
    return {law, contact::Separation::zero_overlap, 0.01, 0.0};
}

constexpr double sample = 1.0 / 44100.0;

impact::PointScheme heun(const impact::Correction& correction) {
    return {time::Heun{time::StartForce::kept}, correction, sample};
}

TEST(PointImpact, DeviationsVanishWithTheStep) {
    const PointImpact impact = hard();
    const auto closed = impact::closed_forms(impact, 1.0);
    const auto result =
        PointImpacts(impact, {time::RungeKutta4{}, {}, sample / 512}, 100000).run(1.0, true);
    EXPECT_EQ(result.status, impact::Status::separated);
    EXPECT_LT(result.energy_deviation.value(), 1e-9 * closed.energy_loss());
    EXPECT_LT(result.overlap_deviation.value(), 1e-3 * closed.largest_overlap());
    EXPECT_NEAR(result.output_velocity.value() / closed.rebound_velocity(), 1.0, 1e-8);
}

TEST(PointImpact, PhaseCurveCorrectionKeepsEverySampleOnTheCurve) {
    const PointImpact impact = hard();
    const auto result =
        PointImpacts(impact, heun({true, OutputVelocity::computed}), 1000).run(1.0, true);
    const auto closed = impact::closed_forms(impact, 1.0);
    EXPECT_EQ(result.overlap_deviation.value(), 0.0);
    EXPECT_LT(result.energy_deviation.value(), 1e-15 * closed.energy(1.0) + 1e-17);
    EXPECT_GT(std::abs(result.output_velocity.value() / closed.rebound_velocity() - 1.0), 1e-3);
}

TEST(PointImpact, OutputVelocityIsSetByTheFitOrExactly) {
    const PointImpact impact = hard();
    const auto closed = impact::closed_forms(impact, 1.0);
    const auto output = [&](OutputVelocity velocity, double bound) {
        return PointImpacts(impact, heun({false, velocity, bound}), 1000)
            .run(1.0, false)
            .output_velocity.value();
    };
    EXPECT_EQ(output(OutputVelocity::exact, core::infinity), closed.rebound_velocity());
    EXPECT_EQ(output(OutputVelocity::fitted, core::infinity), closed.fitted_rebound_velocity());
    // The fit is off by 1.25e-4 at mu v = 0.5: a smaller bound leaves the scheme's own velocity.
    EXPECT_EQ(output(OutputVelocity::fitted, 2e-4), closed.fitted_rebound_velocity());
    EXPECT_EQ(output(OutputVelocity::fitted, 1e-4), output(OutputVelocity::computed, 0.0));
}

TEST(PointImpact, SamplesBeginAtTheWallAndEndBehindIt) {
    std::vector<impact::PointSample> samples;
    const auto result =
        PointImpacts(hard(), {time::RungeKutta4{}, {}, sample}, 1000).run(1.0, false, &samples);
    ASSERT_EQ(samples.size(), result.steps + 1);
    EXPECT_EQ(samples.front().overlap, 0.0);
    EXPECT_EQ(samples.front().energy, 0.005);
    EXPECT_LE(samples.back().overlap, 0.0);
    EXPECT_EQ(samples.back().velocity, result.output_velocity.value());
    EXPECT_EQ(result.contact_samples, 5U);
    EXPECT_EQ(result.force_evaluations, 4 * result.steps + 1);
}

TEST(PointImpact, BodyThatIsHeldAtTheWallDoesNotSeparate) {
    PointImpact impact = hard();
    impact.external_force = 1e5;
    const auto result =
        PointImpacts(impact, {time::RungeKutta4{}, {}, 1e-7}, 20000).run(1.0, false);
    EXPECT_EQ(result.status, impact::Status::not_separated);
    EXPECT_FALSE(impact::reference_velocity(impact, 1.0));
}

TEST(PointImpact, MotionThatLeavesTheFiniteNumbersIsAStatus) {
    PointImpact impact = hard();
    std::get<contact::HuntCrossley>(impact.law).stiffness = 1e300;
    const auto result = PointImpacts(impact, {time::Heun{}, {}, 1.0}, 1000).run(1e5, false);
    EXPECT_EQ(result.status, impact::Status::not_finite);
}

TEST(ReferenceVelocity, WithoutClosedFormAgreesWithThem) {
    // Viscoelastic with beta = alpha + 1 is Hunt and Crossley's law, and a load of nothing is none.
    PointImpact loaded = hard();
    const double exact = impact::reference_velocity(loaded, 0.8).value();
    loaded.external_force = 1e-12;
    EXPECT_FALSE(impact::has_closed_forms(loaded));
    EXPECT_NEAR(impact::reference_velocity(loaded, 0.8).value() / exact, 1.0, 1e-12);
}

TEST(ReferenceVelocity, OfALinearDamperIsTheOscillators) {
    contact::KelvinVoigt law;
    law.stiffness = 1e4;
    law.damping = 4.0;
    const PointImpact impact{law, contact::Separation::zero_overlap, 0.01, 0.0};
    const double ratio = 4.0 / (2.0 * std::sqrt(1e4 * 0.01));
    const double e = std::exp(-M_PI * ratio / std::sqrt(1.0 - ratio * ratio));
    EXPECT_NEAR(impact::reference_velocity(impact, 0.3).value(), -0.3 * e, 1e-12);
}

TEST(ReferenceVelocity, OfAForceThatIsCutOffBeforeItPullsIsTheOscillators) {
    contact::KelvinVoigt law;
    law.stiffness = 1e4;
    law.damping = 4.0;
    const PointImpact impact{law, contact::Separation::zero_force, 0.01, 0.0};
    const double ratio = 4.0 / (2.0 * std::sqrt(1e4 * 0.01));
    const double e = contact::oscillator_restitution(ratio, impact.separation);
    EXPECT_NEAR(impact::reference_velocity(impact, 0.3).value(), -0.3 * e, 1e-13);
}

TEST(ReferenceVelocity, OfABodyThatALoadPullsOffIsThatOfItsEnergy) {
    contact::Hertz law;
    law.stiffness = 1e8;
    const PointImpact impact{law, contact::Separation::zero_force, 0.01, -3.0};
    EXPECT_NEAR(impact::reference_velocity(impact, 0.5).value(), -0.5, 1e-12);
}

TEST(ReferenceVelocity, OfALoadedElasticBodyIsItsApproachSpeed) {
    contact::Hertz law;
    law.stiffness = 1e8;
    const PointImpact impact{law, contact::Separation::zero_force, 0.01, 3.0};
    EXPECT_NEAR(impact::reference_velocity(impact, 0.5).value(), -0.5, 1e-12);
}

TEST(ReferenceMotion, HasTheClosedFormsOfACoarselySampledImpact) {
    contact::HuntCrossley law;
    law.stiffness = 3e9;
    law.damping_factor = 1.1;
    const PointImpact impact{law, contact::Separation::zero_force, 0.002, 0.0};
    const auto closed = impact::closed_forms(impact, 2.6);
    const double v = closed.rebound_velocity();
    const auto motion = impact::reference_motion(impact, 2.6, {2.0, 0.0, 0.5 * v});
    ASSERT_EQ(motion.status, impact::Status::separated);
    ASSERT_EQ(motion.samples.size(), 4U);
    EXPECT_NEAR(motion.samples[0].velocity, 2.0, 1e-11);
    EXPECT_NEAR(motion.samples[0].overlap / closed.overlap(2.0), 1.0, 1e-11);
    EXPECT_NEAR(motion.samples[1].overlap / closed.largest_overlap(), 1.0, 1e-11);
    EXPECT_NEAR(motion.samples[2].overlap / closed.overlap(0.5 * v), 1.0, 1e-10);
    EXPECT_NEAR(motion.samples[3].time / closed.contact_time(), 1.0, 1e-11);
    EXPECT_NEAR(motion.samples[3].velocity / v, 1.0, 1e-11);
}

TEST(ReferenceMotion, OfAdhesiveSpheresLosesTheWorkOfAdhesion) {
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    const PointImpact impact{law, contact::Separation::zero_overlap, 0.01, 0.0};
    const double lost = law.stored_energy(law.end_overlap({}), {});
    const double speed = std::sqrt(0.14 * 0.14 - 2.0 * lost / impact.mass);
    EXPECT_NEAR(impact::reference_velocity(impact, 0.14).value() / -speed, 1.0, 1e-10);
    EXPECT_FALSE(impact::reference_velocity(impact, 0.09));
}

TEST(DiscreteGradient, LosesTheWorkOfAdhesionWhateverTheStep) {
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    const PointImpact impact{law, contact::Separation::zero_overlap, 0.01, 0.0};
    const double lost = law.stored_energy(law.end_overlap({}), {});
    const double speed = std::sqrt(0.14 * 0.14 - 2.0 * lost / impact.mass);
    for (const double step : {3e-5, 1e-6}) {
        const auto result =
            PointImpacts(impact, {time::DiscreteGradient{}, {}, step}, 10000).run(0.14, false);
        EXPECT_EQ(result.status, impact::Status::separated);
        EXPECT_NEAR(result.output_velocity.value() / -speed, 1.0, 1e-12) << step;
    }
}

}  // namespace
