// Collisions under gravity and constant forces, which act on the rigid motion during contact.

#include <gtest/gtest.h>

#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include <models/beam_model.hpp>
#include <published_mesh.hpp>
#include <springy_body.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/explicit_collision.hpp>
#include <stoss/impact/restitution.hpp>
#include <stoss/modal/modal_body.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace {

using namespace stoss;
using tests::hertz;

/// A body moves down onto a fixed one; `acceleration` > 0 [m/s^2] presses it down.
impact::CollisionResult drop(const modal::ModalBody& body, double speed, double acceleration,
                             const impact::ContactSetup& contact, double tolerance,
                             double time_limit = 1.0, impact::History* history = nullptr) {
    impact::MovingBody moving{body, {-speed / body.phi[0]}};
    moving.rigid_loads = {-acceleration / body.phi[0]};
    return impact::collide(moving, {modal::ModalBody{}, {}}, contact, time::Splitting{tolerance},
                           time_limit, history);
}

/// A body that translates and has `vibrations` modes; `external` [1/s] slows the translation.
modal::ModalBody springy_body(double mass, std::size_t vibrations, double external = 0.0) {
    modal::ModalBody body = tests::springy_body(mass, vibrations, 0.0);
    body.damping.assign(body.damping.size(), external);
    return body;
}

/// x'' = A - omega^2 x from x = 0, x' = v: overlap vanishes again where tan(omega t/2) = -v
/// omega/A.
TEST(Loads, ALinearSpringUnderLoadMovesAboutItsRestPosition) {
    const double mass = 0.1, stiffness = 4e5, speed = 0.3, omega = std::sqrt(stiffness / mass);
    for (const double acceleration : {9.81, 3000.0, -200.0, -3000.0}) {
        const auto result =
            drop(modal::point_mass(mass), speed, acceleration, hertz(stiffness, 1.0), 1e-9);
        ASSERT_EQ(result.status, impact::Status::separated) << acceleration;
        const double duration =
            2.0 / omega *
            (acceleration > 0.0 ? std::numbers::pi - std::atan(speed * omega / acceleration)
                                : std::atan(speed * omega / -acceleration));
        const double rest = acceleration / (omega * omega);
        EXPECT_NEAR(result.separation / duration, 1.0, 1e-8) << acceleration;
        EXPECT_NEAR(result.peak_force / (stiffness * (rest + std::hypot(rest, speed / omega))), 1.0,
                    1e-4);
        EXPECT_NEAR(result.cor_kinematic, 1.0, 1e-8) << acceleration;
        EXPECT_NEAR(result.impulse, mass * (2.0 * speed + acceleration * duration),
                    1e-8 * mass * speed);
        EXPECT_NEAR(result.energy.load_work, 0.0, 1e-8);
        EXPECT_NEAR(result.energy.residual, 0.0, 1e-8);
        EXPECT_NEAR(result.cor_energetic, 1.0, 1e-6);
        EXPECT_EQ(result.sub_impacts.size(), 1U);
    }
}

/// `impact::restitution` is a solution of its own, to 1e-12.
TEST(Loads, ARigidBodyIsTheBeadUnderLoad) {
    const double mass = 0.05;
    std::size_t rebounds = 0;
    contact::KelvinVoigt spring;
    spring.stiffness = 1e6;
    spring.damping = 40.0;
    contact::HuntCrossley damped;
    damped.stiffness = 3e8;
    damped.damping_factor = 0.8;
    contact::Hertz elastic;
    elastic.stiffness = 3e8;
    for (const contact::Law& law :
         {contact::Law(spring), contact::Law(damped), contact::Law(elastic)}) {
        for (const double speed : {0.02, 1.0}) {
            for (const double gravity : {9.81, 500.0}) {
                impact::Impact bead{speed, mass, gravity, 2.0};
                bead.separation = contact::Separation::zero_overlap;
                const auto expected = impact::restitution(law, bead);
                const auto result = drop(modal::point_mass(mass), speed, gravity + 2.0 / mass,
                                         {law, contact::Separation::zero_overlap}, 1e-9, 0.02);
                if (expected.status == impact::ImpactOutcome::sticks) {
                    EXPECT_EQ(result.status, impact::Status::not_separated);
                    continue;
                }
                ++rebounds;
                ASSERT_EQ(result.status, impact::Status::separated);
                EXPECT_NEAR(result.cor_kinematic, expected.cor.value(), 2e-8);
                EXPECT_NEAR(result.separation / expected.duration.value(), 1.0, 1e-7);
                EXPECT_NEAR(result.peak_force / expected.peak_force.value(), 1.0, 1e-3);
                EXPECT_NEAR(result.energy.residual, 0.0, 1e-8);
                const double lost = 1.0 - result.cor_kinematic * result.cor_kinematic;
                EXPECT_NEAR(result.energy.contact_loss - result.energy.load_work, lost, 1e-8);
            }
        }
    }
    EXPECT_GE(rebounds, 10U);
}

/// The load acts on the overlap that remains.
TEST(Loads, UnderZeroForceACollisionEndsWithTheForceAndABeadWithTheOverlap) {
    const double mass = 0.1, speed = 1.0, load = 1500.0;
    contact::LinearDamping law;
    law.stiffness = 1e9;
    law.damping = 50.0;
    const auto both = [&](contact::Separation separation) {
        impact::Impact bead{speed, mass, 0.0, load};
        bead.separation = separation;
        return std::pair(
            impact::restitution(law, bead),
            drop(modal::point_mass(mass), speed, load / mass, {law, separation}, 1e-10));
    };
    const auto [bead, collision] = both(contact::Separation::zero_force);
    EXPECT_NEAR(bead.cor.value(), 0.538379, 1e-6);
    EXPECT_NEAR(collision.cor_kinematic, 0.800561, 1e-6);
    const double work = load * bead.end_overlap.value() / (0.5 * mass * speed * speed);
    EXPECT_NEAR(collision.cor_kinematic, std::hypot(bead.cor.value(), std::sqrt(work)), 1e-8);

    const auto [pulled, pulled_collision] = both(contact::Separation::zero_overlap);
    EXPECT_NEAR(pulled.cor.value(), 0.534490, 1e-6);
    EXPECT_NEAR(pulled_collision.cor_kinematic, pulled.cor.value(), 1e-8);
}

TEST(Loads, GravityMakesTheTwoEndsOfASoftContactDiffer) {
    const double mass = 0.1, speed = 0.99, gravity = 9.81;
    contact::KelvinVoigt law;
    law.stiffness = 2000.0;
    law.damping = 15.0;
    const impact::ContactSetup setup{law, contact::Separation::zero_force};
    EXPECT_NEAR(impact::restitution(law, {speed, mass, gravity}).cor.value(), 0.1590, 1e-4);
    EXPECT_NEAR(drop(modal::point_mass(mass), speed, gravity, setup, 1e-10).cor_kinematic, 0.2498,
                1e-4);
    const impact::Impact pulled{speed, mass, gravity, 0.0, contact::Separation::zero_overlap};
    EXPECT_EQ(impact::restitution(law, pulled).status, impact::ImpactOutcome::sticks);
}

TEST(Loads, BodiesThatFallTogetherDoNotFeelIt) {
    const auto body = springy_body(0.2, 3);
    const modal::ModalBody striker = modal::point_mass(0.1);
    const auto collide = [&](double gravity) {
        impact::MovingBody first{body, {-0.5 / body.phi[0]}};
        impact::MovingBody second{striker, {0.2 / striker.phi[0]}};
        first.rigid_loads = {gravity / body.phi[0]};
        second.rigid_loads = {gravity / striker.phi[0]};
        return impact::collide(first, second, hertz(1e8), time::Splitting{1e-9}, 1.0);
    };
    const auto still = collide(0.0), falling = collide(9.81);
    EXPECT_NEAR(falling.cor_kinematic, still.cor_kinematic, 1e-9);
    EXPECT_NEAR(falling.impulse, still.impulse, 1e-9 * still.impulse);
    EXPECT_NEAR(falling.separation, still.separation, 1e-9 * still.separation);
    EXPECT_EQ(still.energy.load_work, 0.0);
    // Both gain g t, and the momentum of both is (p + g t M).
    const double momentum = 0.2 * -0.5 + 0.1 * 0.2, mass = 0.3, t = falling.separation;
    const double gained = 9.81 * t * (momentum + 0.5 * mass * 9.81 * t);
    EXPECT_NEAR(falling.energy.load_work, gained / falling.initial_energy, 1e-9);
    EXPECT_NEAR(falling.energy.residual, 0.0, 1e-9);
}

/// What an adaptive Runge-Kutta method of its own makes of the equations of a drop until `end`.
struct Reference {
    double separation_speed = 0.0, impulse = 0.0, work_of_damping = 0.0;
};

Reference by_runge_kutta(const modal::ModalBody& body, double speed, double acceleration,
                         double stiffness, double end) {
    using State = std::vector<double>;
    const std::size_t n = body.modes();
    State z(2 * n + 2, 0.0);  // q, q', impulse, work of the dampings
    z[n] = -speed / body.phi[0];
    const auto equations = [&](const State& y, State& dy, double) {
        double overlap = 0.0;
        for (std::size_t j = 0; j < n; ++j) overlap -= body.phi[j] * y[j];
        const double force = overlap > 0.0 ? stiffness * overlap * std::sqrt(overlap) : 0.0;
        dy[2 * n] = force;
        dy[2 * n + 1] = 0.0;
        for (std::size_t j = 0; j < n; ++j) {
            dy[j] = y[n + j];
            dy[n + j] =
                body.phi[j] * force - body.damping[j] * y[n + j] - body.eigenvalues[j] * y[j];
            dy[2 * n + 1] += body.damping[j] * y[n + j] * y[n + j];
        }
        dy[n] -= acceleration / body.phi[0];
    };
    namespace odeint = boost::numeric::odeint;
    odeint::integrate_adaptive(
        odeint::make_controlled(1e-13, 1e-11, odeint::runge_kutta_dopri5<State>()), equations, z,
        0.0, end, 1e-8);
    return {body.phi[0] * z[n], z[2 * n], z[2 * n + 1]};
}

TEST(Loads, VibratingBodiesMoveAsAllEquationsTogetherSay) {
    for (const double external : {0.0, 30.0}) {
        const auto body = springy_body(0.2, 3, external);
        for (const double acceleration : {9.81, 100.0, 300.0, -300.0}) {
            const double speed = 0.5, stiffness = 1e8;
            const auto result = drop(body, speed, acceleration, hertz(stiffness), 1e-9);
            ASSERT_EQ(result.status, impact::Status::separated) << acceleration;
            const auto expected =
                by_runge_kutta(body, speed, acceleration, stiffness, result.separation);
            EXPECT_NEAR(result.separation_speed, expected.separation_speed, 1e-7) << acceleration;
            EXPECT_NEAR(result.impulse, expected.impulse, 1e-7 * expected.impulse);
            EXPECT_NEAR(result.energy.structural_loss * result.initial_energy,
                        expected.work_of_damping, 1e-7 * result.initial_energy);
            EXPECT_NEAR(result.energy.residual, 0.0, 1e-7);
        }
    }
}

/// Between sub-impacts and up to the end the bodies move freely over contacts that no step sees.
TEST(Loads, NoContactIsFlownOver) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::size_t several = 0;
    for (int i = 0; i < 40; ++i) {
        const auto body = springy_body(0.05 + uniform(random), 1 + random() % 4);
        const double speed = 0.02 + uniform(random),
                     acceleration = 4000.0 * (uniform(random) - 0.3);
        const double stiffness = std::pow(10.0, 6.0 + 3.0 * uniform(random));
        const auto result = drop(body, speed, acceleration, hertz(stiffness), 1e-8);
        if (result.status != impact::Status::separated) continue;
        several += result.sub_impacts.size() > 1;
        if (result.sub_impacts.size() > 6) continue;  // errors grow from one to the next
        const auto expected =
            by_runge_kutta(body, speed, acceleration, stiffness, result.separation);
        EXPECT_NEAR(result.impulse / expected.impulse, 1.0, 1e-5) << i;
    }
    EXPECT_GT(several, 10U);
}

/// A ball that bounces under gravity comes back; its collision is over when it leaves.
TEST(Loads, TheCollisionEndsThoughGravityBringsTheBodiesBack) {
    impact::History history(2000);
    const auto result = drop(modal::point_mass(0.1), 0.5, 9.81, hertz(1e8), 1e-9, 10.0, &history);
    EXPECT_EQ(result.status, impact::Status::separated);
    EXPECT_EQ(result.sub_impacts.size(), 1U);
    EXPECT_NEAR(result.cor_kinematic, 1.0, 1e-9);
    // A light bounce under a heavy load is over before the picture of it is: that ends with it.
    impact::History heavy(2000);
    const auto pressed = drop(modal::point_mass(0.1), 0.05, 3e3, hertz(1e8), 1e-9, 10.0, &heavy);
    EXPECT_EQ(pressed.status, impact::Status::separated);
    for (const auto& sample : heavy.samples()) {
        if (sample.time < pressed.separation) continue;
        EXPECT_LT(sample.overlap, 1e-15);
    }
}

TEST(Loads, ALoadHoldsADampedBodyInContact) {
    contact::KelvinVoigt law;
    law.stiffness = 1e6;
    law.damping = 2.5 * std::sqrt(1e6 * 0.1);  // more than critical
    const auto result =
        drop(modal::point_mass(0.1), 0.1, 9.81, {law, contact::Separation::zero_force}, 1e-6, 0.1);
    EXPECT_EQ(result.status, impact::Status::not_separated);
}

TEST(Loads, AreRefusedWhereTheyAreNotKnown) {
    const auto body = springy_body(0.2, 1);
    impact::MovingBody moving{body, {-0.5 / body.phi[0]}};
    moving.rigid_loads = {1.0};
    const modal::ModalBody fixed;
    time::Newmark newmark;
    newmark.step = 1e-7;
    EXPECT_THROW(impact::collide(moving, {fixed, {}}, hertz(1e8), newmark, 1.0),
                 core::NumericalError);
    EXPECT_THROW(impact::collide_explicitly(moving, {fixed, {}}, hertz(1e8),
                                            impact::ExplicitScheme::verlet, 1e-7, 1.0),
                 core::NumericalError);
    modal::ModalBody coupled = body;
    coupled.coupled_damping = Eigen::MatrixXd::Constant(2, 2, 3.0);
    moving.rigid_rates = {-0.5 / body.phi[0]};
    const impact::MovingBody on_dashpots{coupled, moving.rigid_rates, {}, {}, moving.rigid_loads};
    EXPECT_THROW(impact::collide(on_dashpots, {fixed, {}}, hertz(1e8), time::Splitting{}, 1.0),
                 core::NumericalError);
}

TEST(SteadyResponse, SolvesItsEquationForwardsAndBackwards) {
    for (const double d : {0.0, 1e-9, 0.3, 4.9, 5.1, 80.0}) {
        for (const double t : {-0.1, 0.1}) {
            const auto whole = modal::steady_response(d, t);
            const auto half = modal::steady_response(d, 0.5 * t);
            // A second half from where the first has led, under the same force.
            const auto flow = modal::modal_flow(0.0, d, 0.5 * t);
            const double size = std::abs(whole.v) + d * std::abs(whole.q);
            EXPECT_NEAR(half.q + half.q + flow.qv * half.v, whole.q,
                        4e-16 * std::abs(t) + 1e-15 * std::abs(whole.q));
            EXPECT_NEAR(half.v + flow.vv * half.v, whole.v, 1e-15 * size);
            EXPECT_NEAR(whole.v + d * whole.q, t, 1e-15 * size);  // the integral of the equation
        }
    }
    EXPECT_DOUBLE_EQ(modal::steady_response(0.0, 3.0).q, 4.5);
    EXPECT_NEAR(modal::steady_response(1e-12, 3.0).q, 4.5, 1e-11);
    EXPECT_NEAR(modal::steady_response(1e3, 3.0).v, 1e-3, 1e-18);
}

// ---- beams
// ---------------------------------------------------------------------------------------

models::BeamCollision steel_rod() {
    models::BeamCollision collision;
    collision.mesh = tests::published_mesh();
    collision.beam.length = 0.4;
    collision.beam.section.shape = models::Circle{0.006};
    collision.beam.material = {210e9, 0.3, 7850.0};
    collision.striker.shape = models::Sphere{0.02};
    collision.striker.material = {210e9, 0.3};
    collision.mesh.elements = 30;
    collision.mesh.modes = 12;
    collision.integration.scheme = time::Splitting{1e-9};
    return collision;
}

double acceleration_at(const modal::ModalBody& body, const std::vector<double>& loads) {
    double acceleration = 0.0;
    for (std::size_t j = 0; j < loads.size(); ++j) acceleration += body.phi[j] * loads[j];
    return acceleration;
}

TEST(Loads, OfAFreeBeamGravityIsTheSameEverywhere) {
    auto parameters = steel_rod();
    parameters.beam.masses = {{0.8, 0.1, 0.0}};  // its centre of mass is not in the middle
    parameters.motion.velocity = -1.0;
    parameters.motion.gravity = -9.81;
    const models::BeamModel model(parameters);
    for (const double xi : {0.0, 0.3, 1.0}) {
        const auto bodies = model.bodies_at(xi);
        EXPECT_NEAR(acceleration_at(bodies.beam, bodies.beam_motion.rigid_loads), -9.81, 1e-9);
    }
}

TEST(Loads, ABeamOnAPinFallsLikeAPhysicalPendulum) {
    auto parameters = steel_rod();
    parameters.beam.supports = {{models::SupportType::pin, 0.0}};
    parameters.motion.angular_velocity = -1.0;
    parameters.motion.gravity = -9.81;
    const auto bodies = models::BeamModel(parameters).bodies_at(1.0);
    EXPECT_NEAR(acceleration_at(bodies.beam, bodies.beam_motion.rigid_loads), -1.5 * 9.81, 1e-6);
    parameters.motion.gravity = 0.0;
    parameters.motion.loads = {{0.5, -3.0}};  // moment about the pin over the inertia, times l
    const auto pressed = models::BeamModel(parameters).bodies_at(1.0);
    EXPECT_NEAR(acceleration_at(pressed.beam, pressed.beam_motion.rigid_loads),
                -1.5 * 3.0 / parameters.beam.mass(), 1e-6);
}

/// With one mode, the rigid one, a beam on a pin is a bead of its effective mass.
TEST(Loads, ARigidBeamOnAPinIsTheBeadUnderLoad) {
    auto parameters = steel_rod();
    parameters.beam.supports = {{models::SupportType::pin, 0.0}};
    parameters.motion.angular_velocity = -1.0;
    parameters.motion.gravity = -9.81;
    parameters.motion.loads = {{0.25, -20.0}};
    parameters.mesh.modes = 1;
    contact::HuntCrossley law;
    law.stiffness = 1e8;
    law.damping_factor = 2.0;
    parameters.contact.law = law;
    parameters.contact.separation = contact::Separation::zero_overlap;
    const double mass = parameters.beam.mass(), length = 0.4, inertia = mass * length * length / 3;
    const double xi = 0.7, arm = xi * length;
    const double moment = 9.81 * mass * 0.5 * length + 20.0 * 0.25 * length;
    const impact::Impact bead{arm, inertia / (arm * arm), 0.0, moment / arm,
                              contact::Separation::zero_overlap};
    const auto expected = impact::restitution(law, bead);
    ASSERT_EQ(expected.status, impact::ImpactOutcome::rebounds);
    const auto result = models::BeamModel(parameters).collide(xi);
    ASSERT_EQ(result.status, impact::Status::separated);
    EXPECT_NEAR(result.cor_kinematic, expected.cor.value(), 1e-7);
    EXPECT_NEAR(result.separation / expected.duration.value(), 1.0, 1e-6);
    EXPECT_NEAR(result.energy.residual, 0.0, 1e-8);
}

/// A fixed beam and a falling ball: only the ball feels gravity, and its rebound speed knows it.
TEST(Loads, ABallFallsOnAClampedBeam) {
    auto parameters = steel_rod();
    parameters.beam.supports = {{models::SupportType::clamp, 0.0},
                                {models::SupportType::clamp, 1.0}};
    parameters.striker.mass = 0.25;
    parameters.striker.velocity = 0.5;
    parameters.motion.gravity = 50.0;
    parameters.striker.load = 5.0;
    const models::BeamModel model(parameters);
    const auto result = model.collide(0.5);
    ASSERT_EQ(result.status, impact::Status::separated);
    EXPECT_NEAR(model.rebound_speed(0.5, result), result.separation_speed, 1e-9);
    EXPECT_NEAR(result.energy.residual, 0.0, 1e-7);
    // e_N = e_P less what the load adds: m V' = m a - P.
    const double impulse = 0.25 * (0.5 + result.separation_speed + 70.0 * result.separation);
    EXPECT_NEAR(result.impulse, impulse, 1e-9 * impulse);
}

TEST(Loads, TwoBeamsExchangedGiveTheSame) {
    auto parameters = steel_rod();
    models::StrikingBeam other;
    other.beam = parameters.beam;
    other.beam.length = 0.3;
    other.xi = 0.8;
    other.loads = {{0.2, 60.0}};
    parameters.striker = {};
    parameters.striker.shape = other;
    parameters.striker.velocity = 0.3;
    parameters.motion.velocity = -0.2;
    parameters.motion.loads = {{0.9, -150.0}};
    const auto one = models::BeamModel(parameters).collide(0.4);
    auto exchanged = parameters;
    exchanged.beam = other.beam;
    models::StrikingBeam first = other;
    first.beam = parameters.beam;
    first.xi = 0.4;
    first.loads = {{0.9, 150.0}};
    exchanged.striker.shape = first;
    exchanged.striker.velocity = 0.2;
    exchanged.motion.velocity = -0.3;
    exchanged.motion.loads = {{0.2, -60.0}};
    const auto two = models::BeamModel(exchanged).collide(0.8);
    ASSERT_EQ(one.status, impact::Status::separated);
    EXPECT_NEAR(one.cor_kinematic, two.cor_kinematic, 1e-9);
    EXPECT_NEAR(one.impulse, two.impulse, 1e-9 * one.impulse);
    EXPECT_NEAR(one.energy.load_work, two.energy.load_work, 1e-9);
}

}  // namespace
