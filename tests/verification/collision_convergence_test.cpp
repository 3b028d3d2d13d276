// The collision of the published beam against an independent integration, and measured orders.
#include <gtest/gtest.h>

#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <vector>

#include <published_beam.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/modal/modal_body.hpp>

namespace {

using namespace stoss;

/// The same modal system, integrated by Dormand-Prince with error control: no code in common with
/// collide() but the modes. Returns e_N and the last time at which the overlap vanished.
struct Reference {
    double restitution = 0.0, separation = 0.0;
};

Reference integrate_independently(const models::BeamCollision& parameters, double xi,
                                  double until) {
    namespace odeint = boost::numeric::odeint;
    using State = std::vector<double>;
    const models::BeamModel model(parameters);
    const fem::BeamMesh mesh(parameters.beam.length, parameters.mesh.elements);
    const modal::ModalBody body =
        modal::modal_body(model.beam().basis(), mesh.interpolation(xi * parameters.beam.length));
    const std::size_t p = body.modes();
    const double stiffness = models::contact_stiffness(model.parameters(), 0.0).value();
    const auto overlap = [&](const State& s) {
        double sum = 0.0;
        for (std::size_t j = 0; j < p; ++j) sum -= body.phi[j] * s[j];
        return sum;
    };
    const auto motion = [&](const State& s, State& rate, double) {
        const double x = overlap(s);
        const double force = x > 0.0 ? stiffness * std::pow(x, 1.5) : 0.0;
        for (std::size_t j = 0; j < p; ++j) {
            rate[j] = s[p + j];
            rate[p + j] =
                body.phi[j] * force - body.damping[j] * s[p + j] - body.eigenvalues[j] * s[j];
        }
    };
    State state(2 * p, 0.0);
    state[p] = -models::rigid_approach_speed(parameters, xi) / body.phi[0];
    Reference reference;
    const double start = state[p], dt = 2e-7;
    auto stepper = odeint::make_controlled<odeint::runge_kutta_dopri5<State>>(1e-13, 1e-10);
    double before = 0.0;
    for (double t = 0.0; t < until; t += dt) {
        odeint::integrate_adaptive(stepper, motion, state, t, t + dt, 0.2 * dt);
        const double now = overlap(state);
        if (before > 0.0 && now <= 0.0) reference.separation = t + dt * before / (before - now);
        before = now;
    }
    reference.restitution = -state[p] / start;
    return reference;
}

TEST(PublishedBeam, ImplicitNewmarkTendsToTheIndependentIntegration) {
    const auto parameters = published_beam(time::ForceEvaluation::implicit, 2.5e-8);
    const models::BeamModel model(parameters);
    const auto result = model.collide(0.68);
    const Reference reference =
        integrate_independently(parameters, 0.68, 0.105 * model.scales().time);
    EXPECT_NEAR(reference.restitution, 0.637393, 1e-6);
    EXPECT_NEAR(result.cor_kinematic, reference.restitution, 1e-6);
    EXPECT_NEAR(result.separation / model.scales().time, reference.separation / model.scales().time,
                1e-6);
}

TEST(PublishedBeam, DampedCollisionTendsToTheIndependentIntegration) {
    auto parameters = published_beam(time::ForceEvaluation::implicit, 2.5e-8);
    parameters.beam.internal_damping = 1e6;
    const models::BeamModel model(parameters);
    const auto result = model.collide(0.68);
    const Reference reference =
        integrate_independently(parameters, 0.68, 0.105 * model.scales().time);
    EXPECT_NEAR(reference.restitution, 0.494970, 1e-6);
    EXPECT_NEAR(result.cor_kinematic, reference.restitution, 1e-6);
    EXPECT_NEAR(reference.separation / model.scales().time, 0.09271, 5e-6);
    EXPECT_NEAR(result.separation, reference.separation, 1e-6 * model.scales().time);
}

TEST(PublishedBeam, ImplicitForceIsOfOrderTwoAndLaggedForceOfOrderOneInTheFirstSubImpact) {
    const auto impulse = [](time::ForceEvaluation force, double step) {
        return models::BeamModel(published_beam(force, step))
            .collide(0.68)
            .sub_impacts.front()
            .impulse;
    };
    const auto order = [&](time::ForceEvaluation force, double step) {
        const double coarse = impulse(force, step), middle = impulse(force, step / 2),
                     fine = impulse(force, step / 4);
        return std::log2(std::abs((coarse - middle) / (middle - fine)));
    };
    EXPECT_NEAR(order(time::ForceEvaluation::implicit, 4e-7), 2.0, 0.1);
    EXPECT_NEAR(order(time::ForceEvaluation::lagged, 1e-7), 1.0, 0.1);
}

TEST(PublishedBeam, RestitutionOfTheWholeCollisionConvergesWithOrderTwo) {
    const auto error = [](double step) {
        return std::abs(models::BeamModel(published_beam(time::ForceEvaluation::implicit, step))
                            .collide(0.68)
                            .cor_kinematic -
                        0.637393487);
    };
    const double order = std::log2(error(2e-7) / error(5e-8)) / 2.0;
    EXPECT_GT(order, 1.7);
    EXPECT_LT(order, 2.6);
}

TEST(PublishedBeam, PenaltyAndEliminationGiveTheSameCollision) {
    auto parameters = published_beam(time::ForceEvaluation::implicit, 1e-7);
    const auto penalty = models::BeamModel(parameters).collide(0.68);
    parameters.mesh.constraints = fem::ConstraintMethod::elimination;
    const auto elimination = models::BeamModel(parameters).collide(0.68);
    EXPECT_NEAR(penalty.cor_kinematic, elimination.cor_kinematic, 1e-5);
    EXPECT_EQ(penalty.sub_impacts.size(), elimination.sub_impacts.size());
}

TEST(PublishedBeam, RestitutionHardlyDependsOnTheAngularVelocity) {
    std::vector<double> restitution;
    for (const double omega : {-4.0, -6.0, -8.0}) {
        auto parameters = published_beam(time::ForceEvaluation::implicit, 1e-7);
        parameters.motion.angular_velocity = omega;
        restitution.push_back(models::BeamModel(parameters).collide(0.45).cor_kinematic);
    }
    EXPECT_NEAR(restitution[0], restitution[1], 0.03);
    EXPECT_NEAR(restitution[2], restitution[1], 0.03);
}

}  // namespace
