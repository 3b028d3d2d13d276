// A striker with masses inside, against an integration of its own equations, and its limits.

#include <models/beam_model.hpp>
#include <stoss/impact/collide.hpp>

#include <gtest/gtest.h>

#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <published_mesh.hpp>
#include <string>
#include <vector>

namespace {

using namespace stoss;

constexpr std::array masses{0.02, 0.05, 0.03};      // [kg]
constexpr std::array stiffnesses{4e6, 1e6};         // [N/m]
constexpr double damping_time = 4e-6, speed = 2.0;  // [s], [m/s]
constexpr double hertz_stiffness = 3e8;             // [N/m^(3/2)]

TEST(MassChain, OfTwoHasItsClosedForm) {
    const auto body = modal::mass_chain(std::array{0.02, 0.05}, std::array{4e6}, damping_time);
    ASSERT_EQ(body.modes(), 2u);
    EXPECT_EQ(body.rigid, 1u);
    EXPECT_NEAR(body.phi[0], 1.0 / std::sqrt(0.07), 1e-15);
    const double lambda = 4e6 * (1.0 / 0.02 + 1.0 / 0.05);
    EXPECT_NEAR(body.eigenvalues[1] / lambda, 1.0, 1e-14);
    EXPECT_NEAR(body.damping[1] / (damping_time * lambda), 1.0, 1e-14);
    // What a blow on the first mass sees at once is that mass alone.
    EXPECT_NEAR(body.phi[0] * body.phi[0] + body.phi[1] * body.phi[1], 1.0 / 0.02, 1e-12);
}

/// Two of three masses are all but locked together, by springs up to 10^16 times as stiff.
TEST(MassChain, WithAVeryStiffSpringIsThatOfTwo) {
    const double lambda = 1e6 * (1.0 / 0.01 + 1.0 / 0.02);
    for (const double stiff : {1e12, 1e18, 1e22}) {
        const auto body =
            modal::mass_chain(std::array{0.01, 0.005, 0.015}, std::array{1e6, stiff}, 0.0);
        ASSERT_EQ(body.modes(), 3u);
        EXPECT_NEAR(body.eigenvalues[1] / lambda, 1.0, 1e-5) << stiff;
        EXPECT_NEAR(std::abs(body.phi[1]), std::sqrt(1.0 / 0.01 - 1.0 / 0.03), 1e-4) << stiff;
        EXPECT_NEAR(body.eigenvalues[2] / (stiff * (1.0 / 0.005 + 1.0 / 0.015)), 1.0, 1e-5);
    }
}

using State = std::vector<double>;  // three places and velocities, into the wall [m], [m/s]

/// The chain moves towards a rigid wall at u = 0.
void rates(const State& y, State& dy, double) {
    const double overlap = std::max(y[0], 0.0);
    std::array<double, 3> force{-hertz_stiffness * overlap * std::sqrt(overlap), 0.0, 0.0};
    for (std::size_t i = 0; i < 2; ++i) {
        const double pull =
            stiffnesses[i] * (y[i + 1] - y[i] + damping_time * (y[i + 4] - y[i + 3]));
        force[i] += pull;
        force[i + 1] -= pull;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        dy[i] = y[i + 3];
        dy[i + 3] = force[i] / masses[i];
    }
}

TEST(MassChain, OnAWallMovesAsItsOwnEquationsSay) {
    const auto ball = modal::mass_chain(masses, stiffnesses, damping_time);
    const modal::ModalBody wall = modal::point_mass(core::infinity);
    const double mass = masses[0] + masses[1] + masses[2];
    contact::Hertz law;
    law.stiffness = hertz_stiffness;
    const auto result =
        impact::collide({wall, {}}, {ball, {speed * std::sqrt(mass)}},
                        {law, contact::Separation::zero_force}, time::Splitting{1e-10}, 1.0);
    ASSERT_EQ(result.status, impact::Status::separated);

    namespace odeint = boost::numeric::odeint;
    State y{0.0, 0.0, 0.0, speed, speed, speed};
    odeint::integrate_adaptive(
        odeint::make_controlled<odeint::runge_kutta_fehlberg78<State>>(1e-13, 1e-13), rates, y, 0.0,
        result.separation, 1e-8);
    EXPECT_NEAR(y[0], 0.0, 1e-10) << "the surface leaves the wall";
    const double momentum = masses[0] * y[3] + masses[1] * y[4] + masses[2] * y[5];
    EXPECT_NEAR(result.cor_kinematic, -momentum / (mass * speed), 1e-8);
    double energy = 0.0;
    for (std::size_t i = 0; i < 3; ++i) energy += 0.5 * masses[i] * y[i + 3] * y[i + 3];
    for (std::size_t i = 0; i < 2; ++i)
        energy += 0.5 * stiffnesses[i] * (y[i + 1] - y[i]) * (y[i + 1] - y[i]);
    const double initial = 0.5 * mass * speed * speed;
    EXPECT_NEAR(result.energy.structural_loss, 1.0 - energy / initial, 1e-8);
    EXPECT_GT(result.energy.structural_loss, 0.01);
    EXPECT_NEAR(result.cor_kinematic, result.cor_kinetic, 1e-10);
}

models::BeamCollision struck_beam() {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam.length = 0.5;
    parameters.beam.section = {models::Circle{0.01}};
    parameters.beam.material = {7e10, 0.33, 2700.0};
    parameters.striker = {models::Sphere{0.02}, models::SurfaceMaterial{2.1e11, 0.3}, 0.1, 1.0};
    parameters.integration.scheme = time::Splitting{1e-8};
    return parameters;
}

TEST(RingingBall, OnAStiffSpringIsAPointMass) {
    auto ringing = struck_beam();
    ringing.striker.inner = {{0.06, 1e14}};
    ASSERT_TRUE(models::check(ringing).empty());
    EXPECT_NEAR(models::BeamModel(ringing).collide(0.8).cor_kinematic,
                models::BeamModel(struck_beam()).collide(0.8).cor_kinematic, 1e-5);
}

TEST(RingingBall, LosesWhatItsDashpotsTake) {
    auto ringing = struck_beam();
    ringing.striker.inner = {{0.06, 2e6}};
    const auto elastic = models::BeamModel(ringing).collide(0.8);
    EXPECT_EQ(elastic.energy.structural_loss, 0.0);
    EXPECT_NEAR(elastic.energy.residual, 0.0, 1e-8);
    ringing.striker.inner_damping_time = 1e-5;
    const auto damped = models::BeamModel(ringing).collide(0.8);
    EXPECT_GT(damped.energy.structural_loss, 0.01);
    EXPECT_NEAR(damped.cor_kinematic, damped.cor_kinetic, 1e-9);
    EXPECT_EQ(models::rigid_approach_speed(ringing, 0.8), damped.approach_speed);
}

TEST(RingingBall, IsCheckedAsAWhole) {
    using Keys = std::vector<std::string>;
    const auto complaints = [](const models::BeamCollision& parameters) {
        Keys keys;
        for (const auto& violation : models::check(parameters)) keys.push_back(violation.key);
        return keys;
    };
    auto light = struck_beam();
    light.striker.inner = {{0.06, 1e6}, {0.04, 1e6}};
    EXPECT_EQ(complaints(light), Keys{"striker.mass"});
    auto empty = struck_beam();
    empty.striker.inner_damping_time = 1e-5;
    EXPECT_EQ(complaints(empty), Keys{"striker.inner_damping_time"});
}

}  // namespace
