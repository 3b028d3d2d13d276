// The splitting scheme: to its tolerance, to the roundoff of the invariants, whatever the bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <thread>
#include <vector>

#include <springy_body.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/splitting_collision.hpp>
#include <stoss/impact/explicit_collision.hpp>
#include <stoss/modal/modal_body.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace {

using namespace stoss;
using tests::hertz;
using tests::springy_body;

impact::CollisionResult drop(const modal::ModalBody& body, double speed,
                             const impact::ContactSetup& contact, double tolerance,
                             impact::History* history = nullptr) {
    return impact::collide({body, {-speed / body.phi[0]}}, {modal::ModalBody{}, {}}, contact,
                           time::Splitting{tolerance}, 1.0, history);
}

TEST(Splitting, GivesTheClosedFormsOfHertzsImpact) {
    const double mass = 0.1, stiffness = 1e9, speed = 0.7;
    for (const double n : {1.0, 1.5, 2.0, 3.2}) {
        const auto result = drop(modal::point_mass(mass), speed, hertz(stiffness, n), 1e-9);
        const double largest =
            std::pow((n + 1.0) * mass * speed * speed / (2.0 * stiffness), 1.0 / (n + 1.0));
        const double duration =
            2.0 * largest / speed * boost::math::beta(1.0 / (n + 1.0), 0.5) / (n + 1.0);
        ASSERT_EQ(result.status, impact::Status::separated);
        EXPECT_NEAR(result.cor_kinematic, 1.0, 1e-9);
        EXPECT_NEAR(result.impulse, 2.0 * mass * speed, 1e-9);
        EXPECT_NEAR(result.separation / duration, 1.0, 1e-8) << n;
        EXPECT_NEAR(result.compression_end.value() / duration, 0.5, 1e-8) << n;
        EXPECT_NEAR(result.peak_force / (stiffness * std::pow(largest, n)), 1.0, 1e-4) << n;
        EXPECT_EQ(result.sub_impacts.size(), 1u);
    }
}

TEST(Splitting, GivesTheClosedFormOfTheDampedLinearContact) {
    // Kelvin-Voigt with separation at zero overlap: e = exp(-pi xi / sqrt(1 - xi^2)).
    const double mass = 0.5, stiffness = 1e7;
    for (const double xi : {0.01, 0.2, 0.7}) {
        contact::KelvinVoigt law;
        law.stiffness = stiffness;
        law.damping = 2.0 * xi * std::sqrt(mass * stiffness);
        const auto result =
            drop(modal::point_mass(mass), 1.3, {law, contact::Separation::zero_overlap}, 1e-9);
        EXPECT_NEAR(result.cor_kinematic,
                    std::exp(-std::numbers::pi * xi / std::sqrt(1.0 - xi * xi)), 1e-9);
        EXPECT_NEAR(result.energy.contact_loss, 1.0 - result.cor_kinematic * result.cor_kinematic,
                    1e-8);
    }
}

TEST(Splitting, ExchangingTheBodiesMirrorsEverything) {
    const modal::ModalBody a = springy_body(0.3, 6, 0.0), b = springy_body(0.1, 4, 1e-6);
    const time::Splitting scheme{1e-8};
    const auto one = impact::collide({a, {-0.4}}, {b, {0.1}}, hertz(1e8), scheme, 1.0);
    const auto two = impact::collide({b, {-0.1}}, {a, {0.4}}, hertz(1e8), scheme, 1.0);
    EXPECT_NEAR(one.cor_kinematic, two.cor_kinematic, 1e-12);
    EXPECT_NEAR(one.impulse, two.impulse, 1e-12 * one.impulse);
    EXPECT_NEAR(one.separation, two.separation, 1e-11 * one.separation);
    EXPECT_EQ(one.sub_impacts.size(), two.sub_impacts.size());
}

TEST(Splitting, KeepsItsToleranceAndTheInvariantsOverRandomBodies) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < 60; ++i) {
        const double mass = 0.05 + unit(random), speed = 0.05 + 2.0 * unit(random);
        const double damping = i % 3 ? 1e-6 * unit(random) : 0.0;
        const auto body = springy_body(mass, 1 + random() % 12, damping);
        const auto law = hertz(std::pow(10.0, 7.0 + 3.0 * unit(random)));
        const auto exact = drop(body, speed, law, 1e-10);
        ASSERT_EQ(exact.status, impact::Status::separated);
        for (const double tolerance : {1e-4, 1e-7}) {
            const auto result = drop(body, speed, law, tolerance);
            EXPECT_TRUE(result.converged);
            EXPECT_NEAR(result.cor_kinematic, exact.cor_kinematic, 10.0 * tolerance);
            EXPECT_LE(std::abs(result.energy.residual), 0.1 * tolerance);
            EXPECT_NEAR(result.cor_kinematic, result.cor_kinetic, 1e-12);
            EXPECT_NEAR(result.cor_kinematic, result.cor_energetic, 1e-10);
        }
    }
}

TEST(Splitting, RunsEveryLawAndItsEnergiesAddUp) {
    const auto body = springy_body(0.2, 5, 0.0);
    const auto run = [&](const auto& law, contact::Separation separation, const char* name) {
        const auto result = drop(body, 0.8, {law, separation}, 1e-7);
        EXPECT_EQ(result.status, impact::Status::separated) << name;
        EXPECT_LE(std::abs(result.energy.residual), 1e-7) << name;
        EXPECT_GE(result.energy.contact_loss, 0.0) << name;
    };
    contact::HuntCrossley crossley;
    crossley.stiffness = 1e9;
    crossley.damping_factor = 0.4;
    contact::LinearDamping damped;
    damped.stiffness = 1e9;
    damped.damping = 30.0;
    for (const auto separation :
         {contact::Separation::zero_force, contact::Separation::zero_overlap}) {
        run(crossley, separation, "hunt_crossley");
        run(damped, separation, "linear_damping");
    }
}

/// The springy body with a dashpot where its modes have the values `at`.
modal::ModalBody with_dashpot(modal::ModalBody body, double strength, const Eigen::VectorXd& at) {
    body.coupled_damping = strength * at * at.transpose();
    return body;
}

/// e and the share of the energy that the damping took, of one Hertz impact: all equations by
/// Boost's Dormand-Prince method.
std::pair<double, double> by_runge_kutta(const modal::ModalBody& body, double speed,
                                         double stiffness, double end) {
    using State = std::vector<double>;
    const std::size_t n = body.modes();
    const auto overlap = [&](const State& z) {
        double x = 0.0;
        for (std::size_t j = 0; j < n; ++j) x -= body.phi[j] * z[j];
        return x;
    };
    const auto equations = [&](const State& z, State& rate, double) {
        const double x = overlap(z);
        const double force = x > 0.0 ? stiffness * x * std::sqrt(x) : 0.0;
        rate[2 * n] = 0.0;
        for (std::size_t j = 0; j < n; ++j) {
            double drag = body.damping[j] * z[n + j];
            for (std::size_t k = 0; k < n; ++k) {
                drag += body.coupled_damping(static_cast<Eigen::Index>(j),
                                             static_cast<Eigen::Index>(k)) *
                        z[n + k];
            }
            rate[j] = z[n + j];
            rate[n + j] = body.phi[j] * force - drag - body.eigenvalues[j] * z[j];
            rate[2 * n] += drag * z[n + j];
        }
    };
    State z(2 * n + 1, 0.0);
    z[n] = -speed / body.phi[0];
    namespace odeint = boost::numeric::odeint;
    auto stepper = odeint::make_dense_output(1e-13, 1e-11, odeint::runge_kutta_dopri5<State>());
    stepper.initialize(z, 0.0, 1e-8);
    double rigid = 0.0, taken = 0.0;  // at the last separation
    State inside(2 * n + 1);
    const auto touches_at = [&](double time) {
        stepper.calc_state(time, inside);
        return overlap(inside) > 0.0;
    };
    bool touches = false;
    while (stepper.current_time() < end) {
        const auto [from, to] = stepper.do_step(equations);
        constexpr int parts = 64;
        for (int i = 1; i <= parts; ++i) {
            double before = from + (to - from) * (i - 1) / parts,
                   after = before + (to - from) / parts;
            const bool touching = touches_at(after);
            for (int halving = 0; touches && !touching && halving < 30; ++halving) {
                const double middle = 0.5 * (before + after);
                (touches_at(middle) ? before : after) = middle;
            }
            if (touches && !touching) {
                touches_at(after);
                rigid = body.phi[0] * inside[n];
                taken = inside[2 * n];
            }
            touches = touching;
        }
    }
    return {rigid / speed, taken / (0.5 * z[n] * z[n])};
}

TEST(Splitting, ADashpotThatCouplesTheModesGivesTheMotionOfAllEquations) {
    const auto body = springy_body(0.2, 3, 1e-6);
    for (const double strength : {20.0, 2000.0, 2e5}) {
        const Eigen::Vector4d at(1.0, 0.6, -1.3, 0.4);
        const auto damped = with_dashpot(body, strength, at);
        const auto result = drop(damped, 0.5, hertz(1e8), 1e-8);
        ASSERT_EQ(result.status, impact::Status::separated) << strength;
        const auto [e, taken] = by_runge_kutta(damped, 0.5, 1e8, 1.2 * result.separation);
        EXPECT_NEAR(result.cor_kinematic, e, 1e-6) << strength;
        EXPECT_NEAR(result.energy.structural_loss, taken, 1e-5) << strength;
    }
}

TEST(Splitting, ADashpotThatCouplesNothingIsDampingOfItsMode) {
    auto body = springy_body(0.2, 4, 1e-6), same = body;
    body.damping[2] += 300.0;
    const auto plain = drop(body, 0.5, hertz(1e8), 1e-11);
    const auto dashpot =
        drop(with_dashpot(same, 300.0, Eigen::VectorXd::Unit(5, 2)), 0.5, hertz(1e8), 1e-11);
    EXPECT_NEAR(plain.cor_kinematic, dashpot.cor_kinematic, 1e-12);
    EXPECT_NEAR(plain.energy.structural_loss, dashpot.energy.structural_loss, 1e-11);
    EXPECT_EQ(plain.sub_impacts.size(), dashpot.sub_impacts.size());
}

TEST(Splitting, SchemesThatMoveModesAloneRefuseDashpots) {
    const auto body = with_dashpot(springy_body(0.2, 2, 0.0), 10.0, Eigen::Vector3d(1.0, 1.0, 1.0));
    EXPECT_THROW(impact::Collider(body, modal::ModalBody{}, hertz(1e8), time::Newmark{}),
                 core::NumericalError);
    EXPECT_THROW(impact::collide_explicitly({body, {-1.0}}, {modal::ModalBody{}, {}}, hertz(1e8),
                                            impact::ExplicitScheme::rk4, 1e-6, 1.0),
                 core::NumericalError);
}

/// e of a point mass with the contact law and an external damping [1/s]: speed at which the overlap
/// vanishes/approach speed, by the classical Runge-Kutta method in steps of 2e-9 s.
double cor_at_zero_overlap(const contact::RampedDamping& law, double mass, double brake,
                           double speed) {
    using State = std::array<double, 2>;  // overlap and its rate
    const auto equations = [&](const State& z, State& rate, double) {
        const double force = z[0] > 0.0 ? law.force(z[0], z[1], contact::NoMemory{}) : 0.0;
        rate = {z[1], -std::max(force, 0.0) / mass - brake * z[1]};
    };
    boost::numeric::odeint::runge_kutta4<State> stepper;
    State now{0.0, speed}, before{};
    while (now[0] >= 0.0) {
        before = now;
        stepper.do_step(equations, now, 0.0, 2e-9);
    }
    const double part = before[0] / (before[0] - now[0]);
    return -std::lerp(before[1], now[1], part) / speed;
}

TEST(Splitting, ALawWhoseSpringOutweighsItsDamperAtTheEndPressesUntilTheOverlapVanishes) {
    // A ramp: as the overlap falls the damping falls like x^2, the spring like x^1.5. The force
    // vanishes at 2e-5 m, sets in again at 1e-12 m or 2e-8 m, and contact ends at zero, in any unit
    // of time.
    const double mass = 0.1, speed = 0.5, brake = 500.0;
    for (const double depth : {6e-7, 6e-6}) {
        contact::RampedDamping si;
        si.stiffness = 1e9;
        si.damping = 400.0;
        si.ramp_depth = depth;
        const double e = cor_at_zero_overlap(si, mass, brake, speed);
        for (const double time : {1.0, 1.5, 2.5, 3.5, 1e4, 1e8}) {
            contact::RampedDamping law = si;
            *law.stiffness /= time * time;
            *law.damping /= time;
            modal::ModalBody body = modal::point_mass(mass);
            body.damping[0] = brake / time;
            const impact::MovingBody moving{body, {-speed / time / body.phi[0]}};
            const auto result = impact::collide(moving, {modal::ModalBody{}, {}},
                                                {law, contact::Separation::zero_force},
                                                time::Splitting{1e-9}, time);
            ASSERT_EQ(result.status, impact::Status::separated);
            EXPECT_NEAR(result.cor_kinematic, e, 1e-9) << depth << " " << time;
            EXPECT_EQ(result.sub_impacts.size(), 2u) << depth << " " << time;
            EXPECT_EQ(result.sub_impacts.back().end, result.separation);
        }
    }
}

TEST(Splitting, AWeakDamperEndsContactWhereTheForceVanishesNotWhereTheOverlapDoes) {
    // x'' + 2 a x' + w^2 x = 0 until k x + c x' = 0. External damping makes e depend on the instant
    // of separation.
    const double mass = 0.1, stiffness = 1e7, speed = 0.5, brake = 500.0;
    const double square = stiffness / mass;
    for (const double loss : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
        contact::KelvinVoigt law;
        law.stiffness = stiffness;
        law.damping = loss * stiffness / std::sqrt(square);
        const double a = 0.5 * (*law.damping / mass + brake), w = std::sqrt(square - a * a);
        // k sin(w t) + c (w cos(w t) - a sin(w t)) = 0
        const double end =
            (std::numbers::pi - std::atan(*law.damping * w / (stiffness - *law.damping * a))) / w;
        const double e = -std::exp(-a * end) * (std::cos(w * end) - a / w * std::sin(w * end));
        modal::ModalBody body = modal::point_mass(mass);
        body.damping[0] = brake;
        for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
            const auto result =
                drop(body, speed, {law, contact::Separation::zero_force}, tolerance);
            EXPECT_TRUE(result.converged);
            EXPECT_NEAR(result.cor_kinematic, e, tolerance) << loss;
            // The tolerance is that of e and of the impulse.
            EXPECT_NEAR(result.separation / end, 1.0, 10.0 * tolerance) << loss;
        }
    }
}

/// A body with three vibrations, struck once, in runs of any step_resolution.
class OneImpact {
  public:
    /// `residual`: flexibility of the body beside its modes [m/N].
    explicit OneImpact(double residual = 0.0)
        : body_(springy_body(0.2, 3, 0.0)),
          pair_(body_, modal::ModalBody{}),
          propagators_(pair_.eigenvalues, pair_.dampings, 1.0) {
        const std::vector<double> rates{-1.0 / body_.phi[0]};
        pair_.set({body_.phi, rates, {}, {}, {}, residual}, {});
        memory_.prepare(pair_, propagators_);
    }

    struct Outcome {
        double cor, deviation;
    };
    Outcome run(double kappa) {
        contact::Hertz law;
        law.stiffness = 1e8;
        return run(law, kappa);
    }
    template <class Law>
    Outcome run(const Law& law, double kappa,
                contact::Separation separation = contact::Separation::zero_force) {
        const contact::Contact<Law> contact(law, separation, pair_.effective_mass);
        impact::SplittingCollision<Law> collision(pair_, propagators_, contact, memory_);
        EXPECT_TRUE(collision.knows_its_error());
        impact::CollisionResult result;
        collision.run(impact::StepResolution{kappa}, 1.0, result, nullptr);
        return {result.cor_kinematic, collision.deviation().cor};
    }

  private:
    modal::ModalBody body_;
    impact::ContactPair pair_;
    modal::Propagators propagators_;
    impact::SplittingMemory memory_;
};

TEST(Splitting, IsOfOrderSixInKappaThoughTheForceOfHertzIsNotSmoothAtItsEdges) {
    OneImpact impact;
    const double exact = impact.run(1.0 / 64.0).cor;
    // The larger of two errors: one alone may be small by chance.
    const auto error = [&](double kappa) {
        return std::max(std::abs(impact.run(kappa).cor - exact),
                        std::abs(impact.run(0.7 * kappa).cor - exact));
    };
    EXPECT_GT(std::log2(error(1.4) / error(1.4 / 8.0)) / 3.0, 5.5);
}

TEST(Splitting, TheDeviationThatARunCarriesAlongIsItsErrorWithItsSign) {
    OneImpact impact;
    const double exact = impact.run(1.0 / 64.0).cor;
    for (const double kappa : {1.0, 0.7, 0.5, 0.35}) {
        const auto run = impact.run(kappa);
        const double ratio = run.deviation / (exact - run.cor);
        EXPECT_NEAR(ratio, 1.0, 0.1) << kappa;
    }
}

template <class Law>
Law damped(double damping_factor) {
    Law law;
    law.stiffness = 1e8;
    law.damping_factor = damping_factor;
    return law;
}

/// Deviation/error of runs of several step_resolutions, between these bounds.
template <class Law>
void expect_deviations(const Law& law, double residual, double least, double most) {
    OneImpact impact(residual);
    const double exact = impact.run(law, 1.0 / 64.0).cor;
    for (const double kappa : {0.7, 0.5, 0.35}) {
        const auto run = impact.run(law, kappa);
        const double ratio = run.deviation / (exact - run.cor);
        EXPECT_GE(ratio, least) << Law::name << " " << kappa << " " << residual;
        EXPECT_LE(ratio, most) << Law::name << " " << kappa << " " << residual;
    }
}

TEST(Splitting, TheDeviationOfADampedLawIsItsErrorWithItsSign) {
    expect_deviations(damped<contact::HuntCrossley>(0.3), 0.0, 0.9, 1.1);
    expect_deviations(damped<contact::SimonHuntCrossley>(0.3), 0.0, 0.9, 1.1);
    // Behind a spring that is a tenth as soft as the contact.
    expect_deviations(damped<contact::HuntCrossley>(0.3), 1e-8, 0.9, 1.6);
}

// Their damping has no slope where the overlap begins, and what the step that begins there is wrong
// by counts too much.
TEST(Splitting, TheDeviationOfALawThatDampsFromTheOnsetIsOnTheSafeSide) {
    expect_deviations(damped<contact::KuwabaraKono>(1e-5), 0.0, 1.0, 2.5);
    expect_deviations(damped<contact::Viscoelastic>(1e-5), 0.0, 1.0, 2.5);
    expect_deviations(damped<contact::Tsuji>(1e-6), 0.0, 1.0, 6.0);
}

// Of one impact: the truth meets the jump at its end at another instant than the run.
TEST(Splitting, TheDeviationOfALawWhoseForceJumpsIsItsErrorWithItsSign) {
    const auto expect_deviations = []<class Law>(Law law) {
        law.damping = 10.0;
        OneImpact impact;
        for (const auto separation :
             {contact::Separation::zero_force, contact::Separation::zero_overlap}) {
            const double exact = impact.run(law, 1.0 / 64.0, separation).cor;
            for (const double kappa : {1.0, 0.5, 0.35}) {
                const auto run = impact.run(law, kappa, separation);
                const double ratio = run.deviation / (exact - run.cor);
                EXPECT_NEAR(ratio, 1.0, 0.1) << Law::name << " " << kappa;
            }
        }
    };
    contact::LinearDamping hertz;
    hertz.stiffness = 1e8;
    expect_deviations(hertz);
    contact::KelvinVoigt spring;
    spring.stiffness = 1e6;
    expect_deviations(spring);
}

TEST(Splitting, AForceThatIsContinuousOrJumpsOnceKnowsItsError) {
    const auto continuous = []<class Law>(const Law& law) {
        return contact::is_continuous(
            contact::Contact<Law>(law, contact::Separation::zero_force, 1.0));
    };
    const auto jumps = []<class Law>(const Law& law) {
        return contact::jumps_at_onset(
            contact::Contact<Law>(law, contact::Separation::zero_force, 1.0));
    };
    EXPECT_TRUE(continuous(damped<contact::HuntCrossley>(0.3)));
    EXPECT_TRUE(continuous(damped<contact::SimonHuntCrossley>(0.3)));
    EXPECT_TRUE(continuous(damped<contact::KuwabaraKono>(1e-5)));
    EXPECT_TRUE(continuous(damped<contact::Tsuji>(1e-6)));
    auto sudden = damped<contact::Viscoelastic>(1e-5);
    EXPECT_TRUE(continuous(sudden));
    sudden.damping_exponent = 1.0;
    EXPECT_FALSE(continuous(sudden));
    EXPECT_TRUE(jumps(sudden));
    contact::KelvinVoigt spring;
    spring.stiffness = 1e7;
    spring.damping = 10.0;
    EXPECT_FALSE(continuous(spring));
    EXPECT_TRUE(jumps(spring));
    spring.damping = 0.0;
    EXPECT_TRUE(continuous(spring));
    EXPECT_FALSE(jumps(spring));
    contact::HuntCrossley wanted;
    wanted.stiffness = 1e8;
    wanted.restitution = 0.7;
    EXPECT_TRUE(continuous(wanted));
    EXPECT_FALSE(jumps(wanted));
    EXPECT_FALSE(jumps(damped<contact::Tsuji>(1e-6)));
}

TEST(Splitting, StepsGrowAsTheEllipseWithoutSingularitiesAllows) {
    for (const double kappa : {0.01, 0.3, 1.0, 1.4}) {
        const double z = 1.0 + 2.0 / impact::growth_by_ellipse(kappa);
        const double half_axes = z + std::sqrt(z * z - 1.0);
        EXPECT_NEAR(half_axes * kappa, 3.0, 1e-12) << kappa;
    }
}

TEST(Splitting, StepsEndBeforeTheOverlapDoesAlsoInTheCoarsestRun) {
    for (const double kappa : {0.01, 0.3, impact::with_known_error.largest_kappa})
        EXPECT_LT(impact::closing_by_ellipse(kappa), 1.0) << kappa;
    const auto& compared = impact::with_compared_runs;
    EXPECT_LT(impact::closing_in_proportion(compared.largest_kappa * compared.refinement), 1.0);
}

/// A damper that sets in with x^0.1 has an infinite slope where the overlap vanishes.
TEST(Splitting, ForcesWithAnInfiniteSlopeAreNotSolved) {
    struct Damper {
        core::Dual force(core::Dual x, core::Dual v) const { return contact::power(x, 0.1) * v; }
        double force(double x, double v) const { return contact::power(x, 0.1) * v; }
    };
    const time::Matrix3 compliance{{{1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, {1.0, 1.0, 1.0}}};
    const time::NodeForces nodes = time::solve_node_forces<true>(
        Damper{}, {0.0, 0.0, 0.0}, {-1.0, -1.0, -1.0}, compliance, compliance, {0.0, 0.0, 0.0},
        std::numeric_limits<double>::epsilon());
    EXPECT_FALSE(nodes.solved);
}

TEST(Splitting, OneColliderServesManyThreadsAndOneWorkspaceManyColliders) {
    const auto body = springy_body(0.2, 7, 0.0);
    const modal::ModalBody none;
    const impact::Collider soft(body, none, hertz(1e7), time::Splitting{});
    const impact::Collider hard(body, modal::point_mass(0.1), hertz(1e9), time::Splitting{});
    const std::vector<double> rates{-0.3}, striker{0.2 * std::sqrt(0.1)};
    const auto fixed_rate = std::vector<double>{};
    const auto both = [&](std::vector<double>& out) {
        impact::Collider::Workspace workspace;
        impact::CollisionResult result;
        for (int i = 0; i < 3; ++i) {
            soft.collide({body.phi, rates}, {none.phi, fixed_rate}, 1.0, workspace, result);
            out.push_back(result.cor_kinematic);
            hard.collide({body.phi, rates}, {modal::point_mass(0.1).phi, striker}, 1.0, workspace,
                         result);
            out.push_back(result.cor_kinematic);
        }
    };
    std::vector<std::vector<double>> outcomes(4);
    std::vector<std::thread> threads;
    for (auto& outcome : outcomes) threads.emplace_back([&] { both(outcome); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& outcome : outcomes) {
        EXPECT_EQ(outcome, outcomes[0]);
        EXPECT_EQ(outcome[0], outcome[2]);
        EXPECT_EQ(outcome[1], outcome[5]);
    }
}

TEST(Splitting, SaysSoWhereTheBodiesDoNotMeetOrDoNotPart) {
    EXPECT_EQ(drop(modal::point_mass(1.0), -1.0, hertz(1e8), 1e-6).status,
              impact::Status::no_approach);
    const auto early = impact::collide({modal::point_mass(1.0), {-1.0}}, {modal::ModalBody{}, {}},
                                       hertz(1e8), time::Splitting{}, 1e-6);
    EXPECT_EQ(early.status, impact::Status::not_separated);
    contact::Hertz broken;
    broken.stiffness = std::nan("");
    EXPECT_EQ(
        drop(modal::point_mass(1.0), 1.0, {broken, contact::Separation::zero_force}, 1e-6).status,
        impact::Status::not_finite);
}

TEST(Splitting, HistoryOfACollisionThatTakesTooLongEndsAtTheTimeLimit) {
    const double whole = drop(modal::point_mass(1.0), 1.0, hertz(1e8), 1e-6).separation;
    impact::History history(4096);
    const auto result = impact::collide({modal::point_mass(1.0), {-1.0}}, {modal::ModalBody{}, {}},
                                        hertz(1e8), time::Splitting{}, 0.3 * whole, &history);
    EXPECT_EQ(result.status, impact::Status::not_separated);
    ASSERT_GT(history.samples().size(), 1000u);
    EXPECT_NEAR(history.samples().back().time, 0.3 * whole, 1e-3 * whole);
    ASSERT_EQ(result.sub_impacts.size(), 1u);
    EXPECT_GE(result.sub_impacts.front().end, 0.3 * whole);
    EXPECT_LT(result.sub_impacts.front().end, whole);
    EXPECT_GT(result.sub_impacts.front().impulse, 0.0);
}

TEST(Splitting, HistoryFollowsTheCollisionFromTouchToAfterTheLastSeparation) {
    impact::History history(4096);
    const auto result = drop(springy_body(0.2, 5, 1e-6), 0.8, hertz(1e9), 1e-6, &history);
    ASSERT_EQ(result.status, impact::Status::separated);
    const auto& samples = history.samples();
    ASSERT_GT(samples.size(), 1000u);
    EXPECT_EQ(samples.front().time, 0.0);
    EXPECT_GT(samples.back().time, 1.1 * result.separation);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i > 0) {
            EXPECT_GT(samples[i].time, samples[i - 1].time);
        }
        const double energy = samples[i].energy_rigid + samples[i].energy_vibration +
                              samples[i].energy_contact + samples[i].energy_structural_loss +
                              samples[i].energy_contact_loss;
        EXPECT_NEAR(energy, 1.0, 1e-5);
    }
}

}  // namespace
