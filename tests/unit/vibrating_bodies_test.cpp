// Collisions of a beam that vibrates already.

#include <models/beam_model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <published_beam.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace {

using namespace stoss;

constexpr double xi = 0.68;

models::BeamCollision newmark_beam() {
    return published_beam(time::ForceEvaluation::implicit, 2e-7);
}

impact::CollisionResult collide(const models::BeamModel& model, const impact::MovingBody& beam,
                                const impact::MovingBody& striker,
                                impact::History* history = nullptr) {
    return impact::collide(beam, striker, model.contact_at(xi),
                           std::get<time::Newmark>(newmark_beam().integration.scheme), 1.0,
                           history);
}

/// The five sub-impacts of the published collision, and again from the instant of the second on:
/// what the first left is then a vibration that was there before.
TEST(VibratingBodies, ACollisionGoesOnFromItsSecondSubImpact) {
    const models::BeamModel model(newmark_beam());
    const auto bodies = model.bodies_at(xi);
    impact::History history(100000);
    const auto whole = collide(model, bodies.first(), bodies.second(), &history);
    ASSERT_EQ(whole.sub_impacts.size(), 5U);
    const double onset = whole.sub_impacts[1].start;
    const auto& samples = history.samples();
    const auto after = std::find_if(samples.begin(), samples.end(),
                                    [&](const auto& sample) { return sample.time > onset; });
    const impact::Sample& before = *(after - 1);
    impact::MovingBody beam = bodies.first();
    for (std::size_t j = 0; j < beam.body.modes(); ++j) {
        const auto flow =
            modal::modal_flow(beam.body.eigenvalues[j], beam.body.damping[j], onset - before.time);
        const double q = before.body_modes[j], v = before.body_rates[j];
        if (j < beam.body.rigid) {
            beam.rigid_rates[j] = flow.vq * q + flow.vv * v;
        } else {
            beam.vibration.push_back(flow.qq * q + flow.qv * v);
            beam.vibration_rates.push_back(flow.vq * q + flow.vv * v);
        }
    }
    const auto rest = collide(model, beam, bodies.second());
    ASSERT_EQ(rest.sub_impacts.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(rest.sub_impacts[i].impulse, whole.sub_impacts[i + 1].impulse,
                    1e-4 * whole.impulse);
        EXPECT_NEAR(onset + rest.sub_impacts[i].start, whole.sub_impacts[i + 1].start, 1e-7);
    }
    EXPECT_NEAR(rest.separation_speed, whole.separation_speed, 1e-4 * whole.approach_speed);
    EXPECT_NEAR(rest.initial_energy, whole.initial_energy, 1e-4 * whole.initial_energy);
}

TEST(VibratingBodies, EnergyOfTheVibrationCounts) {
    models::BeamCollision parameters = newmark_beam();
    parameters.motion.vibration = {{2, 2e-5, 0.0}, {3, 0.0, 0.5}};
    const models::BeamModel model(parameters);
    const auto& basis = model.beam().basis();
    const auto bodies = model.bodies_at(xi);
    const double rigid =
        0.5 * bodies.beam_motion.rigid_rates[0] * bodies.beam_motion.rigid_rates[0];
    const double q = bodies.beam_motion.vibration[0], v = bodies.beam_motion.vibration_rates[1];
    const double vibration = 0.5 * (basis.eigenvalues[1] * q * q + v * v);
    const auto result = model.collide(xi);
    ASSERT_EQ(result.status, impact::Status::separated);
    EXPECT_NEAR(result.initial_energy, rigid + vibration, 1e-12 * rigid);
    EXPECT_GT(vibration, 0.01 * rigid);
    EXPECT_NEAR(result.energy.residual, 0.0, 1e-5);
    EXPECT_NEAR(result.cor_kinematic, result.cor_kinetic, 1e-9);
}

/// The place that moves most in mode 2 of a beam on one pin is its free end.
TEST(VibratingBodies, AreGivenWhereTheyMoveMost) {
    models::BeamCollision parameters = newmark_beam();
    parameters.motion.vibration = {{2, 3e-4, -0.2}};
    const models::BeamModel model(parameters);
    const auto bodies = model.bodies_at(1.0);
    EXPECT_NEAR(bodies.beam.phi[1] * bodies.beam_motion.vibration[0], 3e-4, 1e-12);
    EXPECT_NEAR(bodies.beam.phi[1] * bodies.beam_motion.vibration_rates[0], -0.2, 1e-9);
    std::vector<double> q(bodies.beam.modes(), 0.0);
    q[1] = bodies.beam_motion.vibration[0];
    EXPECT_NEAR(model.beam().displacement(1.0, q), 3e-4, 1e-12);
}

/// Every mode of a clamped beam moves its free end most, to the side that is asked for, whichever
/// end that is.
TEST(VibratingBodies, OfAMirroredBeamCollideAlike) {
    models::BeamCollision parameters = newmark_beam();
    parameters.integration.scheme = time::Splitting{1e-9};
    parameters.mesh.modes = 8;
    parameters.motion.angular_velocity = 0.0;
    parameters.striker.velocity = 1.0;
    for (int mode = 1; mode <= 4; ++mode) {
        parameters.motion.vibration = {{mode, 0.0, 0.4}};
        const auto at_free_end = [&](double clamp) {
            parameters.beam.supports = {{models::SupportType::clamp, clamp}};
            return models::BeamModel(parameters).collide(1.0 - clamp);
        };
        const auto one = at_free_end(0.0), mirrored = at_free_end(1.0);
        EXPECT_NEAR(one.approach_speed, mirrored.approach_speed, 1e-12) << mode;
        EXPECT_NEAR(one.cor_kinematic, mirrored.cor_kinematic, 1e-6) << mode;
        EXPECT_NEAR(one.impulse, mirrored.impulse, 1e-6 * one.impulse) << mode;
    }
}

/// Both beams vibrate; seen from the other beam, whose w points the other way, it is the same.
TEST(VibratingBodies, AStrikingBeamVibratesAsTheStruckOne) {
    models::BeamCollision parameters = newmark_beam();
    parameters.integration.scheme = time::Splitting{1e-9};
    parameters.mesh.modes = 12;
    parameters.beam.supports = {};
    parameters.motion.angular_velocity = 0.0;
    parameters.motion.velocity = -0.2;
    parameters.motion.vibration = {{3, 2e-5, 0.1}};
    models::StrikingBeam other;
    other.beam = parameters.beam;
    other.beam.length = 0.3;
    other.xi = 0.8;
    other.vibration = {{4, -1e-5, 0.2}};
    parameters.striker = {};
    parameters.striker.shape = other;
    parameters.striker.velocity = 0.3;
    ASSERT_TRUE(models::check(parameters).empty());
    const auto one = models::BeamModel(parameters).collide(0.4);
    auto exchanged = parameters;
    exchanged.beam = other.beam;
    models::StrikingBeam first = other;
    first.beam = parameters.beam;
    first.xi = 0.4;
    first.vibration = {{3, -2e-5, -0.1}};
    exchanged.striker.shape = first;
    exchanged.striker.velocity = 0.2;
    exchanged.motion.velocity = -0.3;
    exchanged.motion.vibration = {{4, 1e-5, -0.2}};
    const auto two = models::BeamModel(exchanged).collide(0.8);
    ASSERT_EQ(one.status, impact::Status::separated);
    EXPECT_NEAR(one.initial_energy, two.initial_energy, 1e-12 * one.initial_energy);
    EXPECT_NEAR(one.cor_kinematic, two.cor_kinematic, 1e-8);
    EXPECT_NEAR(one.impulse, two.impulse, 1e-8 * one.impulse);
    EXPECT_NEAR(one.energy.residual, 0.0, 1e-8);
    other.vibration = {};
    parameters.striker.shape = other;
    const auto still = models::BeamModel(parameters).collide(0.4);
    EXPECT_GT(std::abs(still.cor_kinematic - one.cor_kinematic), 1e-3);
}

TEST(VibratingBodies, ASurfaceThatDrawsBackIsNotTouched) {
    models::BeamCollision parameters = newmark_beam();
    const double approach = models::rigid_approach_speed(parameters, 1.0);
    for (const double share : {0.9, 1.1}) {
        parameters.motion.vibration = {{2, 0.0, share * approach}};
        const auto result = models::BeamModel(parameters).collide(1.0);
        EXPECT_EQ(result.status,
                  share < 1.0 ? impact::Status::separated : impact::Status::no_approach);
    }
}

}  // namespace
