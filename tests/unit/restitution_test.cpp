// One impact of a point mass against closed forms, invariants and an independent integration.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <stoss/contact/damping.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/impact/restitution.hpp>

namespace {

using namespace stoss;
using contact::Separation;
using impact::Impact;
using impact::ImpactOutcome;
using impact::Restitution;

contact::Hertz hertz(double stiffness, double exponent) {
    contact::Hertz law;
    law.stiffness = stiffness;
    law.exponent = exponent;
    return law;
}
contact::LinearDamping linear_damping(double stiffness, double exponent, double damping) {
    contact::LinearDamping law;
    law.stiffness = stiffness;
    law.exponent = exponent;
    law.damping = damping;
    return law;
}
contact::KelvinVoigt kelvin_voigt(double stiffness, double damping) {
    contact::KelvinVoigt law;
    law.stiffness = stiffness;
    law.damping = damping;
    return law;
}
contact::HuntCrossley hunt_crossley(double stiffness, double exponent, double factor) {
    contact::HuntCrossley law;
    law.stiffness = stiffness;
    law.exponent = exponent;
    law.damping_factor = factor;
    return law;
}
contact::Viscoelastic viscoelastic(double alpha, double beta, double gamma) {
    contact::Viscoelastic law;
    law.stiffness = 1.0;
    law.exponent = alpha;
    law.damping_exponent = beta;
    law.damping_factor = gamma;
    return law;
}

constexpr Impact unit{1.0, 1.0, 0.0, 0.0, Separation::zero_force};
constexpr Impact unit_to_zero_overlap{1.0, 1.0, 0.0, 0.0, Separation::zero_overlap};

TEST(HertzImpact, DurationAndPeaksAreTheClosedForms) {
    for (const double n : {1.0, 1.2, 1.5, 2.0, 3.3, 10.0, 20.0, 30.0}) {
        const double k = 3e7, m = 0.02, v = 1.7;
        const Restitution r = impact::restitution(hertz(k, n), {v, m});
        const double depth = std::pow((n + 1.0) * m * v * v / (2.0 * k), 1.0 / (n + 1.0));
        const double p = 1.0 / (n + 1.0);
        const double duration = 2.0 * depth / v * p * boost::math::beta(p, 0.5);
        const double roundoff = 1e-12 * std::max(1.0, 0.5 * n);  // of x^n
        EXPECT_EQ(r.cor.value(), 1.0);
        EXPECT_NEAR(r.peak_overlap.value() / depth, 1.0, 1e-12) << n;
        EXPECT_NEAR(r.duration.value() / duration, 1.0, roundoff) << n;
        EXPECT_NEAR(r.peak_force.value() / (k * std::pow(depth, n)), 1.0, roundoff) << n;
        EXPECT_EQ(r.energy_lost.value(), 0.0);
    }
}

TEST(KelvinVoigtImpact, DurationIsTheClosedForm) {
    const double k = 4.0, m = 1.0;
    for (const double xi : {0.05, 0.5, 0.9, 1.5, 3.0}) {
        const double omega = std::sqrt(k / m), c = 2.0 * xi * std::sqrt(k * m);
        const double w = omega * std::sqrt(std::abs(1.0 - xi * xi));
        const double angle =
            xi < 1.0 ? std::atan2(2.0 * xi * std::sqrt(1.0 - xi * xi), 2.0 * xi * xi - 1.0)
                     : std::acosh(2.0 * xi * xi - 1.0);
        const Restitution r = impact::restitution(kelvin_voigt(k, c), unit);
        EXPECT_NEAR(r.duration.value() / (angle / w), 1.0, 1e-11) << xi;
        EXPECT_NEAR(r.cor.value() / std::exp(-xi * omega * angle / w), 1.0, 1e-12) << xi;
    }
}

TEST(KelvinVoigtImpact, NeverEndsBeyondCriticalDampingIfTheOverlapMustVanish) {
    const Restitution r = impact::restitution(kelvin_voigt(1.0, 2.2), unit_to_zero_overlap);
    EXPECT_EQ(r.status, ImpactOutcome::sticks);
    EXPECT_EQ(r.cor.value(), 0.0);
    EXPECT_EQ(r.duration.value(), core::infinity);
}

TEST(HuntCrossleyImpact, PeakOverlapIsTheClosedForm) {
    for (const double mu : {0.01, 0.4, 5.0}) {
        const double k = 1e6, m = 0.1, v = 2.0, n = 1.5, z = mu * v;
        const Restitution r = impact::restitution(hunt_crossley(k, n, mu), {v, m});
        const double depth =
            std::pow(m * (n + 1.0) / (k * mu * mu) * (z - std::log1p(z)), 1.0 / (n + 1.0));
        EXPECT_NEAR(r.peak_overlap.value() / depth, 1.0, 1e-12) << mu;
    }
}

TEST(HuntCrossleyImpact, IntegrationAgreesWithTheClosedForm) {
    // As a member of the viscoelastic family the same law has no closed form of its own.
    for (const double gamma : {1e-3, 0.1, 1.0, 30.0}) {
        const double e = contact::hunt_crossley_restitution(2.5 * gamma);
        const double integrated =
            impact::coefficient_of_restitution(viscoelastic(1.5, 2.5, gamma), unit).value();
        EXPECT_NEAR(integrated / e, 1.0, 1e-12) << gamma;
    }
}

TEST(ClosedForm, GivesRestitutionAndEnergyOfEveryAnswerAlike) {
    const double v = 2.0, m = 0.5;
    for (const contact::Law& law :
         {contact::Law(hunt_crossley(1e6, 1.5, 1e-12)), contact::Law(hunt_crossley(1e6, 1.5, 0.3)),
          contact::Law(kelvin_voigt(1e6, 1e-9)), contact::Law(kelvin_voigt(1e6, 100.0))}) {
        const Restitution r = impact::restitution(law, {v, m});
        const double e = r.cor.value();
        EXPECT_EQ(r.energy_lost.value(), 0.5 * m * v * v * (1.0 - e) * (1.0 + e));
        EXPECT_EQ(impact::coefficient_of_restitution(law, {v, m}), e);
        const Restitution on_path = impact::path_of(law, {v, m}).restitution;
        EXPECT_EQ(on_path.cor, e);
        EXPECT_EQ(on_path.energy_lost, r.energy_lost);
    }
    // 1 - e = 2/3 mu v0 for weak damping (8.8).
    const auto lost = impact::restitution(hunt_crossley(1e6, 1.5, 1e-12), {1.0, 1.0}).energy_lost;
    EXPECT_NEAR(lost.value(), 2.0 / 3.0 * 1e-12, 1e-16);
}

TEST(ClosedForm, IsNoAnswerWhereTheMotionFails) {
    const Impact fast{1e10, 1.0};
    const contact::Law law = hunt_crossley(1e6, 1.5, 1e300);
    EXPECT_EQ(impact::restitution(law, fast).status, ImpactOutcome::failed);
    EXPECT_EQ(impact::path_of(law, fast).restitution.status, ImpactOutcome::failed);
    EXPECT_FALSE(impact::coefficient_of_restitution(law, fast));
    const Impact beyond_doubles{1e200, 1.0};
    EXPECT_FALSE(
        impact::coefficient_of_restitution(hunt_crossley(1e308, 1.5, 0.0), beyond_doubles));
}

contact::HuntCrossley hunt_crossley_of(double e) {
    contact::HuntCrossley law;
    law.stiffness = 1e7;
    law.restitution = e;
    return law;
}

TEST(HuntCrossleyImpact, EndsWithTheOverlapUnderBothRules) {
    // k x^n (1 + mu v) stays positive, however near the body comes to the rate -1/mu.
    for (const double e : {0.3, 0.02, 0.01, 1e-3, 3e-4, 1e-4, 1e-5}) {
        const contact::Law law = hunt_crossley_of(e);
        const Restitution r = impact::restitution(law, unit);
        EXPECT_EQ(r.end_overlap.value(), 0.0) << e;
        EXPECT_EQ(r.duration, impact::restitution(law, unit_to_zero_overlap).duration) << e;
        contact::SimonHuntCrossley same;
        same.stiffness = 1e7;
        same.restitution = e;
        EXPECT_NEAR(impact::restitution(same, unit).duration.value() / r.duration.value(), 1.0,
                    1e-11)
            << e;
    }
}

TEST(HuntCrossleyImpact, DurationIsTheQuadratureOfItsClosedForm) {
    // With 1 + mu v = exp(-u): dt = du/(mu k x^n), and x^(n + 1) is z - log(1 + z) + 1 - u -
    // exp(-u) in units of m (n + 1)/(k mu^2). From each end to v = 0, y is the distance in u.
    constexpr double k = 1e7, n = 1.5;
    for (const double e : {0.3, 0.02, 0.01, 1e-3, 1e-4}) {
        const double z = contact::hunt_crossley_number(e, contact::HuntCrossleyRule::exact);
        double end = z;
        for (int i = 0; i < 200; ++i) end = z - std::log1p(z) - std::expm1(-end);
        const auto time = [=](double power) {  // for x^(n + 1)
            return power > 0.0 ? std::pow((n + 1.0) / (k * z * z) * power, -n / (n + 1.0)) / (z * k)
                               : 0.0;
        };
        boost::math::quadrature::tanh_sinh<double> quadrature;
        const double in = quadrature.integrate(
            [&](double y) { return time(-y - (1.0 + z) * std::expm1(-y)); }, 0.0, std::log1p(z));
        const double out = quadrature.integrate(
            [&](double y) { return time(y + std::exp(y - end) * std::expm1(-y)); }, 0.0, end);
        EXPECT_NEAR(impact::restitution(hunt_crossley_of(e), unit).duration.value() / (in + out),
                    1.0, 1e-11)
            << e;
    }
}

TEST(HuntCrossleyImpact, IsCalibratedToAContactTimeHoweverLittleReturns) {
    // The duration is proportional to k^(-1/(n + 1)).
    impact::Wanted wanted;
    wanted.cor = 0.01;
    wanted.contact_time = 0.01;
    const auto [law, result] = impact::calibrate(hunt_crossley_of(0.5), unit, wanted);
    EXPECT_NEAR(result.duration.value(), 0.01, 1e-11);
    const double at = impact::restitution(hunt_crossley_of(0.01), unit).duration.value();
    EXPECT_NEAR(*std::get<contact::HuntCrossley>(law).stiffness / (1e7 * std::pow(at / 0.01, 2.5)),
                1.0, 1e-9);
}

contact::RampedDamping ramped(double k, double n, double c, double depth) {
    contact::RampedDamping law;
    law.stiffness = k;
    law.exponent = n;
    law.damping = c;
    law.ramp_depth = depth;
    return law;
}

/// Rate of a unit mass with F = x + c s(x/d) v after the ramp from `from` to `to`: dv/dx = -F/v, by
/// Runge and Kutta's method.
double after_ramp(double c, double d, double v, double from, double to) {
    const auto slope = [=](double x, double rate) {
        const double u = x / d;
        return -(x + c * u * u * (3.0 - 2.0 * u) * rate) / rate;
    };
    constexpr int steps = 2000;
    const double h = (to - from) / steps;
    for (int i = 0; i < steps; ++i) {
        const double x = from + i * h, a = slope(x, v), b = slope(x + h / 2, v + h / 2 * a);
        const double f = slope(x + h / 2, v + h / 2 * b), g = slope(x + h, v + h * f);
        v += h / 6 * (a + 2 * b + 2 * f + g);
    }
    return v;
}

TEST(RampedDampingImpact, IsRampOscillationAndRamp) {
    // Beyond the ramp the body is a damped oscillator: the rate at which it comes back to x = d, or
    // at which its force x + c v vanishes.
    for (const double c : {0.05, 0.4, 1.0}) {
        for (const double d : {0.2, 1e-2, 1e-4, 1e-7}) {
            const double begin = after_ramp(c, d, 1.0, 0.0, d), w = std::sqrt(1.0 - c * c / 4.0);
            const auto at = [&](double t) {
                const double fall = std::exp(-0.5 * c * t), b = (begin + 0.5 * c * d) / w;
                const double x = fall * (d * std::cos(w * t) + b * std::sin(w * t));
                const double dx = fall * w * (b * std::cos(w * t) - d * std::sin(w * t));
                return std::pair(x, dx - 0.5 * c * x);
            };
            const auto rate_where = [&](const auto& value) {
                double low = 0.5 * std::numbers::pi / w, high = std::numbers::pi / w;
                for (int halving = 0; halving < 60; ++halving) {
                    const double middle = 0.5 * (low + high);
                    (value(at(middle)) > 0.0 ? low : high) = middle;
                }
                return at(low).second;
            };
            const double back = rate_where([=](const auto& y) { return y.first - d; });
            const contact::Law law = ramped(1.0, 1.0, c, d);
            EXPECT_NEAR(impact::coefficient_of_restitution(law, unit_to_zero_overlap).value(),
                        -after_ramp(c, d, back, d, 0.0), 1e-12)
                << c << " " << d;
        }
    }
}

TEST(RampedDampingImpact, OnAThinRampIsThatOf25Digits) {
    // By Taylor series of 25 digits for each piece (mpmath).
    const Impact impact{1.0, 0.184961, 0.0, 0.0, Separation::zero_overlap};
    const Restitution r = impact::restitution(ramped(1e6, 2.0, 10.0, 30e-6), impact);
    EXPECT_NEAR(r.cor.value(), 0.51194002087819377839, 1e-12);
    EXPECT_NEAR(r.duration.value(), 0.02059018935517083075, 1e-14);
}

struct Bead {
    double gamma, g, e;
};

TEST(BeadImpact, IsTheReferenceOfIndependentCode) {
    Impact impact = unit_to_zero_overlap;
    impact.gravity = 0.1;
    EXPECT_NEAR(impact::restitution(viscoelastic(1.5, 1.5, 0.006), impact).cor.value(),
                0.98774557122534, 2e-14);
}

TEST(BeadImpact, SticksWhereItStopsWithOverlapLeft) {
    Impact impact = unit_to_zero_overlap;
    impact.gravity = 4.0;
    const Restitution r = impact::restitution(viscoelastic(1.5, 1.5, 0.06), impact);
    EXPECT_EQ(r.status, ImpactOutcome::sticks);
    EXPECT_EQ(r.cor.value(), 0.0);
    EXPECT_NEAR(r.end_overlap.value(), 0.604612290596, 2e-12);
}

TEST(BeadImpact, AnswersForAnyDampingAndLoad) {
    for (double gamma = 1e-4; gamma < 200.0; gamma *= 4.0) {
        double before = 1.0;
        for (double g = 1e-3; g < 1e8; g *= 4.0) {
            Impact impact = unit_to_zero_overlap;
            impact.gravity = g;
            const Restitution r = impact::restitution(viscoelastic(1.5, 1.5, gamma), impact);
            ASSERT_NE(r.status, ImpactOutcome::failed) << gamma << " " << g;
            EXPECT_LE(r.cor.value(), before + 1e-12) << "e falls with the load";
            EXPECT_GE(r.cor.value(), 0.0);
            before = r.cor.value();
        }
    }
}

/// The same motion in the paper's variables by Fehlberg's pair of orders 7 and 8.
double by_odeint(double alpha, double beta, double gamma, double g) {
    using State = std::array<double, 2>;
    namespace odeint = boost::numeric::odeint;
    const auto rate = [&](const State& y, State& dy, double) {
        const double u = std::max(y[0], 0.0);
        dy = {y[1] - gamma * std::pow(u, beta), g - std::pow(u, alpha)};
    };
    auto stepper = odeint::make_controlled<odeint::runge_kutta_fehlberg78<State>>(1e-13, 1e-13);
    State y{0.0, 1.0};
    double time = 0.0, step = 1e-8;
    double longest = 2e-3;
    while (longest > 1e-13) {
        const State before = y;
        const double start = time;
        step = std::min(step, longest);
        stepper.try_step(rate, y, time, step);
        if (y[0] >= 0.0) continue;
        y = before;  // beyond u = 0 the rate is not smooth: creep up to it
        time = start;
        longest *= 0.5;
    }
    return -(y[1] - gamma * std::pow(y[0], beta));
}

TEST(BeadImpact, AgreesWithAnotherIntegrator) {
    for (const double beta : {1.0, 1.25, 1.5, 1.83, 2.5}) {
        for (const double alpha : {1.0, 1.5, 1.71}) {
            Impact impact = unit_to_zero_overlap;
            impact.gravity = 0.05;
            const double e =
                impact::coefficient_of_restitution(viscoelastic(alpha, beta, 0.08), impact).value();
            EXPECT_NEAR(e, by_odeint(alpha, beta, 0.08, 0.05), 1e-9) << alpha << " " << beta;
        }
    }
}

TEST(BeadImpact, WithoutDampingLosesNothingUnderAnyLoad) {
    for (const double alpha : {1.0, 1.5, 2.0, 5.0}) {
        for (double g = 0.1; g < 2e8; g *= 10.0) {
            Impact impact = unit_to_zero_overlap;
            impact.gravity = g;
            const Restitution r = impact::restitution(viscoelastic(alpha, 1.5, 0.0), impact);
            EXPECT_NEAR(r.cor.value(), 1.0, 3e-11) << alpha << " " << g;
        }
    }
}

TEST(BeadImpact, IsThatOfTheSameForceInAnotherLawUnderALargeLoad) {
    for (const double g : {1e2, 1e4, 1e6}) {
        for (const Separation separation : {Separation::zero_overlap, Separation::zero_force}) {
            Impact impact = unit;
            impact.gravity = g;
            impact.separation = separation;
            const auto cor = [&](const auto& law) {
                return impact::coefficient_of_restitution(law, impact).value();
            };
            // Below what would hold the body.
            const double c = 0.1 * std::pow(g, -2.5), d = 0.1 * std::pow(g, -1.5);
            EXPECT_NEAR(cor(hunt_crossley(1.0, 1.5, 2.5 * c)), cor(viscoelastic(1.5, 2.5, c)),
                        1e-11);
            EXPECT_NEAR(cor(linear_damping(1.0, 1.5, d)), cor(viscoelastic(1.5, 1.0, d)), 1e-11);
            EXPECT_LT(cor(viscoelastic(1.5, 2.5, c)), 0.999);
        }
    }
}

TEST(Impact, ScalesWithItsUnits) {
    // m x'' + c x' + k x^n: time T = (m/k)^(1/(n+1)) v^((1-n)/(n+1)), length v T.
    const double n = 1.5, c = 0.4;
    const Restitution one = impact::restitution(linear_damping(1.0, n, c), unit);
    for (const auto& [m, v, k] : {std::array{1e-9, 1e-3, 1e4}, std::array{1e9, 30.0, 1e-3},
                                  std::array{1e-12, 1e4, 1e15}, std::array{2.0, 1e-9, 1e9}}) {
        const double time = std::pow(m / k, 1.0 / (n + 1.0)) * std::pow(v, (1.0 - n) / (n + 1.0));
        const Restitution r = impact::restitution(linear_damping(k, n, c * m / time), Impact{v, m});
        EXPECT_NEAR(r.cor.value() / one.cor.value(), 1.0, 1e-12);
        EXPECT_NEAR(r.duration.value() / (one.duration.value() * time), 1.0, 1e-11);
        EXPECT_NEAR(r.peak_overlap.value() / (one.peak_overlap.value() * v * time), 1.0, 1e-12);
        EXPECT_NEAR(r.peak_force.value() / (one.peak_force.value() * m * v / time), 1.0, 1e-12);
    }
}

TEST(Impact, LosesTheEnergyOfTheForceLoop) {
    for (const contact::Law& law :
         {contact::Law(linear_damping(1.0, 1.5, 0.4)), contact::Law(viscoelastic(1.5, 1.25, 0.3)),
          contact::Law(hunt_crossley(1.0, 1.5, 0.8))}) {
        const impact::Path path = impact::path_of(law, unit);
        double work = 0.0;
        for (std::size_t i = 1; i < path.points.size(); ++i) {
            work += 0.5 * (path.points[i].force + path.points[i - 1].force) *
                    (path.points[i].overlap - path.points[i - 1].overlap);
        }
        EXPECT_NEAR(work, path.restitution.energy_lost.value(), 2e-3);
    }
}

TEST(Impact, PeakForceIsTheLargestOfTheWay) {
    for (const double damping : {1e-3, 0.2, 0.6, 0.9, 3.0}) {
        const impact::Path path = impact::path_of(linear_damping(1.0, 1.5, damping), unit);
        double largest = 0.0;
        for (const impact::PathPoint& point : path.points) largest = std::max(largest, point.force);
        EXPECT_GE(path.restitution.peak_force.value(), largest - 1e-6) << damping;
        EXPECT_NEAR(path.restitution.peak_force.value(), largest, 2e-3) << damping;
    }
}

TEST(Impact, ForceVanishesAtTheEndUnderZeroForce) {
    const Restitution r = impact::restitution(linear_damping(1.0, 1.5, 0.5), unit);
    // n-(51) of Poursina and Nikravesh (2020): k x^n = c e v0 at separation.
    EXPECT_NEAR(std::pow(r.end_overlap.value(), 1.5), 0.5 * r.cor.value(), 1e-11);
}

TEST(Impact, ReboundsTheLessTheMoreIsPulledBack) {
    const contact::Law law = linear_damping(1.0, 1.5, 0.4);
    EXPECT_GT(impact::restitution(law, unit).cor.value(),
              impact::restitution(law, unit_to_zero_overlap).cor.value());
}

TEST(ElasticPlasticImpact, GivesTheSquareRootOfTheStiffnessRatio) {
    contact::WaltonBraun law;
    law.stiffness = 1e5;
    law.unloading_stiffness = 4e5;
    const Restitution r = impact::restitution(law, {2.0, 0.1});
    EXPECT_NEAR(r.cor.value(), 0.5, 1e-12);
    EXPECT_NEAR(r.end_overlap.value() / r.peak_overlap.value(), 0.75, 1e-11);
}

TEST(ElasticPlasticImpact, ReturnsTheSameUnderAnyLoad) {
    contact::WaltonBraun law;
    law.stiffness = 1e5;
    law.restitution = 0.2447;
    for (const double load : {0.0, 1.0, 1e3, 1e7, 1e12}) {
        const Restitution r = impact::restitution(law, {2.0, 0.1, 0.0, load});
        EXPECT_EQ(r.status, ImpactOutcome::rebounds);
        EXPECT_EQ(r.cor.value(), 0.2447) << load;
        // Its force is k_1 x at the largest overlap, where the works balance.
        const double x = r.peak_overlap.value();
        EXPECT_NEAR(r.peak_force.value() / (1e5 * x), 1.0, 1e-14) << load;
        EXPECT_NEAR((0.2 + load * x) / (0.5e5 * x * x), 1.0, 1e-14) << load;
    }
    EXPECT_EQ(impact::critical_load(law, {2.0, 0.1}), core::infinity);
}

TEST(ElasticPlasticImpact, IsItsMotionUnderASmallLoad) {
    // A dent that is nearly none is met by the motion, a fresh spot by the closed form.
    contact::WaltonBraun law;
    law.stiffness = 1e5;
    for (const double e : {0.05, 0.3, 0.9, 1.0}) {
        law.restitution = e;
        Impact impact{2.0, 0.1, 9.81, 3.0};
        const Restitution closed = impact::restitution(law, impact);
        impact.earlier_overlap = 1e-30;
        const Restitution moved = impact::restitution(law, impact);
        EXPECT_NEAR(moved.cor.value() / e, 1.0, 1e-10) << e;
        for (const auto number : {&Restitution::duration, &Restitution::peak_force,
                                  &Restitution::peak_overlap, &Restitution::end_overlap}) {
            EXPECT_NEAR((moved.*number).value(), (closed.*number).value(),
                        1e-12 * (closed.*number).value() + 1e-16)
                << e;
        }
    }
}

TEST(ElasticPlasticImpact, HasItsPeakForceAtTheLargestOverlap) {
    // The step that turns ends below the overlap where it began, on the steep curve of unloading.
    contact::WaltonBraun law;
    law.stiffness = 1.0;
    Impact impact = unit;
    impact.earlier_overlap = 1e-30;
    for (int i = 0; i < 700; ++i) {
        law.restitution = 0.03 + 0.57 * i / 699.0;
        EXPECT_NEAR(impact::restitution(law, impact).peak_force.value(), 1.0, 1e-12) << i;
    }
}

TEST(SmallRestitution, IsRightRelativeToItself) {
    // A member of the viscoelastic family is integrated, the same oscillator has a closed form.
    for (const double e : {1e-2, 1e-4, 1e-6, 1e-7}) {
        const double xi = contact::oscillator_damping_ratio(e, Separation::zero_force);
        EXPECT_NEAR(
            impact::coefficient_of_restitution(viscoelastic(1.0, 1.0, 2.0 * xi), unit).value() / e,
            1.0, 1e-12)
            << e;
    }
}

TEST(EveryLawInAnImpact, ReboundsOrSticksAndNeverGains) {
    core::for_each_alternative<contact::Law>([]<class L>(std::type_identity<L>) {
        L law;
        core::for_each_field<L>([&](const auto& field) {
            auto& member = law.*field.member;
            if constexpr (std::is_same_v<std::decay_t<decltype(member)>, std::optional<double>>) {
                if (field.name == "restitution") return;
                if (!member) member = 1.0;
            }
        });
        if (!contact::check(law, Separation::zero_overlap).empty()) return;
        for (const double gravity : {0.0, 1.0, 1e2, 1e4}) {
            Impact impact = unit_to_zero_overlap;
            impact.gravity = gravity;
            const Restitution r = impact::restitution(law, impact);
            EXPECT_NE(r.status, ImpactOutcome::failed) << L::name << " " << gravity;
            EXPECT_LE(r.cor.value_or(0.0), gravity == 0.0 ? 1.0 : 1.0 + 1e-11)
                << L::name << " " << gravity;
            EXPECT_GT(r.peak_force.value_or(0.0), 0.0) << L::name << " " << gravity;
        }
    });
}

TEST(Impact, RefusesWhatCannotBe) {
    const contact::Law law = hertz(1e6, 1.5);
    const auto words = [&](const Impact& impact) -> std::string {
        try {
            impact::restitution(law, impact);
        } catch (const core::InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(words({0.0, 1.0}).find("speed: 0 m/s: must be > 0 m/s"), std::string::npos);
    EXPECT_NE(words({1.0, -1.0}).find("mass: -1 kg: must be > 0 kg"), std::string::npos);
    EXPECT_NE(words({{}, 1.0}).find("speed: is missing"), std::string::npos);
    EXPECT_NE(words({1.0, core::infinity}).find("mass"), std::string::npos);
    EXPECT_NE(words({1.0, 1.0, 9.81, -10.0}).find("pulls the body away from its contact"),
              std::string::npos);
    EXPECT_NE(words({core::infinity, 1.0}).find("speed: inf m/s: must be finite and > 0 m/s"),
              std::string::npos);
    EXPECT_NE(words({1.0, 1.0, 0.0, core::infinity}).find("load: inf N: must be finite"),
              std::string::npos);
}

TEST(Impact, NamesTheNumberThatALawLacks) {
    const auto words = [](const contact::Law& law) -> std::string {
        try {
            impact::restitution(law, unit);
        } catch (const core::InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(words(contact::Hertz{}).find("stiffness: is missing"), std::string::npos);
    contact::Jkr adhesive;
    adhesive.stiffness = 1.0;
    EXPECT_NE(words(adhesive).find("pull_off_force: is missing"), std::string::npos);
}

TEST(Impact, NamesTheKeysThatTheDampingOfALawCanFollowFrom) {
    const auto key = [](const contact::Law& law) -> std::string {
        try {
            impact::restitution(law, unit);
        } catch (const core::InputError& error) {
            return error.diagnostics().front().violation.key;
        }
        return "";
    };
    EXPECT_EQ(key(contact::KelvinVoigt{.stiffness = 1.0}), "damping");
    EXPECT_EQ(key(contact::LinearDamping{.stiffness = 1.0}), "damping");
    EXPECT_EQ(key(contact::HuntCrossley{.stiffness = 1.0}), "damping_factor");
    contact::Tsuji tsuji;
    tsuji.stiffness = 1.0;
    EXPECT_EQ(key(tsuji), "damping_factor");
    EXPECT_EQ(key(contact::WaltonBraun{.stiffness = 1.0}), "unloading_stiffness");
    EXPECT_EQ(key(contact::FunctionLaw{}), "function");
}

TEST(Impact, ThatFailedHasNoNumbers) {
    const Restitution r = impact::restitution(hertz(1e308, 1.5), {1e200, 1.0});
    EXPECT_EQ(r.status, ImpactOutcome::failed);
    EXPECT_FALSE(r.cor || r.duration || r.peak_force || r.peak_overlap || r.energy_lost);
}

/// The force at rest tends to 10 N: a body under a larger load sinks in without end.
TEST(Impact, OnALawThatNowhereCarriesTheLoadHasNoNumbers) {
    using contact::ForceFunction;
    const auto fraction = [](double x) { return x / (1e-3 + x); };
    const auto exponential = [](double x) { return -std::expm1(-x / 1e-3); };
    for (const ForceFunction::Function& elastic :
         {ForceFunction::Function([=](double x, double) { return 10.0 * fraction(x); }),
          ForceFunction::Function([=](double x, double) { return 10.0 * exponential(x); })}) {
        for (const double damping : {1.0, 1e2, 1e4}) {
            contact::FunctionLaw law;
            law.function = std::make_shared<const ForceFunction>(
                [=](double x, double v) { return elastic(x, v) + damping * v; });
            for (const Separation separation : {Separation::zero_force, Separation::zero_overlap}) {
                const auto under = [&](double load) {
                    return impact::restitution(law, {1.0, 0.1, 0.0, load, separation});
                };
                EXPECT_EQ(under(20.0).status, ImpactOutcome::failed) << damping;
                EXPECT_FALSE(
                    impact::coefficient_of_restitution(law, {1.0, 0.1, 0.0, 20.0, separation}));
                EXPECT_NE(under(5.0).status, ImpactOutcome::failed) << damping;
            }
        }
    }
}

contact::Jkr jkr() {
    contact::Jkr law;
    law.stiffness = 1e8;
    law.pull_off_force = 5.0;
    return law;
}

/// Speed [m/s] below which adhesion holds a body of mass m [kg]: it brings the work of adhesion.
double sticking_speed(const contact::Jkr& law, double mass) {
    return std::sqrt(2.0 * law.stored_energy(law.end_overlap({}), {}) / mass);
}

TEST(JkrImpact, LosesTheWorkOfAdhesion) {
    const double m = 0.01, v_s = sticking_speed(jkr(), m);
    EXPECT_NEAR(v_s, 0.0938, 5e-5);
    for (const double v : {1.01 * v_s, 0.14, 1.0, 30.0}) {
        const Restitution r =
            impact::restitution(jkr(), {v, m, 0.0, 0.0, Separation::zero_overlap});
        EXPECT_EQ(r.status, ImpactOutcome::rebounds);
        EXPECT_NEAR(r.cor.value(), std::sqrt((1.0 - v_s / v) * (1.0 + v_s / v)), 1e-13) << v;
        EXPECT_NEAR(r.energy_lost.value() / (0.5 * m * v_s * v_s), 1.0, 1e-9) << v;
        EXPECT_EQ(r.end_overlap.value(), jkr().end_overlap({}));
    }
}

TEST(JkrImpact, SticksBelowTheSpeedThatBringsTheWorkOfAdhesion) {
    const double m = 0.01, v_s = sticking_speed(jkr(), m);
    const auto at = [&](double v) {
        return impact::restitution(jkr(), {v, m, 0.0, 0.0, Separation::zero_overlap});
    };
    for (int i = 1; i < 60; ++i) {
        const double v = v_s * i / 60.0;
        const Restitution r = at(v);
        EXPECT_EQ(r.status, ImpactOutcome::sticks) << v;
        EXPECT_EQ(r.cor.value(), 0.0) << v;
        // It turns where the contact holds all that the body brought.
        const double held = jkr().stored_energy(r.peak_overlap.value(), {});
        EXPECT_NEAR(held / (0.5 * m * v * v), 1.0, 1e-9) << v;
    }
    EXPECT_EQ(at(v_s * (1.0 - 1e-9)).status, ImpactOutcome::sticks);
    EXPECT_EQ(at(v_s * (1.0 + 1e-9)).status, ImpactOutcome::rebounds);
}

TEST(JkrImpact, EndsWithTheSpeedOfItsMotion) {
    // e comes from the energies, the path from the integration; a load does work as well.
    for (const double load : {0.0, 0.5}) {
        const impact::Path path =
            impact::path_of(jkr(), {0.14, 0.01, 9.81, load, Separation::zero_overlap});
        EXPECT_NEAR(-path.points.back().rate / 0.14, path.restitution.cor.value(), 1e-10) << load;
    }
}

TEST(AdhesiveImpact, IsRefusedUnderTheRuleThatForbidsPulling) {
    contact::Dmt dmt;
    dmt.stiffness = 1e8;
    dmt.pull_off_force = 5.0;
    contact::Maugis maugis;
    maugis.stiffness = 1e8;
    maugis.pull_off_force = 5.0;
    maugis.maugis_parameter = 1.0;
    contact::ThorntonNingAdhesive plastic;
    plastic.stiffness = 1e8;
    plastic.pull_off_force = 5.0;
    plastic.yield_overlap = 2e-5;
    for (const contact::Law& law :
         {contact::Law(jkr()), contact::Law(dmt), contact::Law(maugis), contact::Law(plastic)}) {
        Impact impact{0.14, 0.01, 0.0, 0.0, Separation::zero_force};
        try {
            impact::coefficient_of_restitution(law, impact);
            ADD_FAILURE() << "must be refused: law " << law.index();
        } catch (const core::InputError& error) {
            EXPECT_EQ(error.diagnostics().front().violation.key, "separation");
        }
        impact.separation = Separation::zero_overlap;
        EXPECT_LE(impact::coefficient_of_restitution(law, impact).value(), 1.0 + 1e-11);
    }
}

/// Walton and Braun: up to the largest overlap so far along k_2, which returns
/// (k_1 x_e)^2/(2 k_2); beyond it along k_1.
TEST(SameSpot, WaltonBraunIsItsClosedForm) {
    const double k_1 = 1e6, k_2 = 3e6, m = 0.01, deep = 2e-5;
    contact::WaltonBraun law;
    law.stiffness = k_1;
    law.unloading_stiffness = k_2;
    const double returns = 0.5 * k_1 * deep * k_1 * deep / k_2;
    for (const double ratio : {0.1, 0.5, 0.999, 1.001, 1.5, 20.0}) {
        const double kinetic = ratio * ratio * returns;
        const Restitution r = impact::restitution(
            law, {std::sqrt(2.0 * kinetic / m), m, 0.0, 0.0, Separation::zero_force, deep});
        const double x = std::sqrt(deep * deep + 2.0 * std::max(0.0, kinetic - returns) / k_1);
        const double e = ratio < 1.0 ? 1.0 : std::sqrt(0.5 * k_1 * x * k_1 * x / k_2 / kinetic);
        EXPECT_EQ(r.status, ImpactOutcome::rebounds);
        EXPECT_NEAR(r.cor.value(), e, 1e-11) << ratio;
        if (ratio > 1.0) {
            EXPECT_NEAR(r.peak_overlap.value() / x, 1.0, 1e-11);
        }
    }
}

/// Thornton and Ning (theory/contact_laws.md 8.17): unloading from x returns
/// 2 F^2/(5 k sqrt(x)); beyond the largest overlap the loading curve is a straight line.
TEST(SameSpot, ThorntonAndNingIsItsClosedForm) {
    const double k = 1e9, yield = 1e-6, m = 0.01, deep = 5e-6;
    contact::ThorntonNing law;
    law.stiffness = k;
    law.yield_overlap = yield;
    const auto force = [=](double x) { return k * std::sqrt(yield) * (1.5 * x - 0.5 * yield); };
    const auto returned = [=](double x) { return 0.4 * force(x) * force(x) / (k * std::sqrt(x)); };
    for (const double factor : {1.01, 1.5, 4.0}) {
        const double x = factor * deep;
        const double kinetic = returned(deep) + 0.5 * (x - deep) * (force(deep) + force(x));
        const Restitution r = impact::restitution(
            law, {std::sqrt(2.0 * kinetic / m), m, 0.0, 0.0, Separation::zero_force, deep});
        EXPECT_NEAR(r.peak_overlap.value() / x, 1.0, 1e-11) << factor;
        EXPECT_NEAR(r.cor.value(), std::sqrt(returned(x) / kinetic), 1e-11) << factor;
    }
    const double half = std::sqrt(returned(deep) / m);
    const Restitution again =
        impact::restitution(law, {half, m, 0.0, 0.0, Separation::zero_force, deep});
    EXPECT_NEAR(again.cor.value(), 1.0, 1e-10);
}

TEST(SameSpot, IsAnyOtherSpotForALawWithoutDents) {
    const double m = 0.01;
    for (const double earlier : {0.0, 1e-3}) {
        const Restitution r =
            impact::restitution(jkr(), {0.14, m, 9.81, 0.0, Separation::zero_overlap, earlier});
        EXPECT_EQ(r.cor,
                  impact::restitution(jkr(), {0.14, m, 9.81, 0.0, Separation::zero_overlap}).cor);
    }
    EXPECT_THROW(impact::restitution(jkr(), {0.14, m, 0.0, 0.0, Separation::zero_overlap, -1.0}),
                 core::InputError);
}

TEST(LargeLoad, DoesNotStickAnElasticContactThatDoesNotPull) {
    for (const double exponent : {1.0, 1.01, 1.3, 1.6}) {
        const contact::Hertz law = hertz(1.0, exponent);
        EXPECT_EQ(impact::critical_load(law, {1.0, 1.0}), core::infinity) << exponent;
        for (const double load : {1e3, 3.16e6, 1e10, 1e14}) {
            const Restitution r = impact::restitution(law, {1.0, 1.0, 0.0, load});
            EXPECT_EQ(r.status, ImpactOutcome::rebounds) << exponent << " " << load;
            EXPECT_EQ(r.cor, 1.0) << exponent << " " << load;
            if (load < 1e6) continue;
            // The load alone: k x^(n+1)/(n+1) = F x.
            EXPECT_NEAR(r.peak_force.value() / ((exponent + 1.0) * load), 1.0, 1e-5)
                << exponent << " " << load;
        }
    }
}

TEST(LargeLoad, ThatHidesTheSpeedBehindTheRoundoffOfADentGivesNoNumber) {
    contact::ThorntonNing law;
    law.stiffness = 1.0;
    law.yield_overlap = 1e9;
    EXPECT_EQ(impact::restitution(law, {1.0, 1.0, 0.0, 1e9}).status, ImpactOutcome::failed);
    EXPECT_NEAR(impact::restitution(law, {1.0, 1.0, 0.0, 1e3}).cor.value(), 1.0, 1e-6);
}

/// Steps of the rule for all contacts: the law acts where it pushes (8.24).
double ramped_restitution(const contact::RampedDamping& law, double mass, double speed) {
    using State = std::array<double, 2>;
    const auto slope = [&](const State& y, State& dy, double) {
        const double force = y[0] > 0.0 ? law.force(y[0], y[1], {}) : 0.0;
        dy = {y[1], -std::max(0.0, force) / mass};
    };
    State y{0.0, speed};
    boost::numeric::odeint::runge_kutta4<State> stepper;
    const double step = 1e-8;
    for (double time = 0.0; time < 1e-2 && (y[0] > 0.0 || y[1] > 0.0); time += step)
        stepper.do_step(slope, y, time, step);
    return -y[1] / speed;
}

TEST(RampedDamping, PushesAgainJustBeforeTheEndOfOverlap) {
    contact::RampedDamping law;
    law.stiffness = 1e9;
    law.ramp_depth = 50e-6;
    // With 800 N s/m the damper wins in the middle of the ramp alone.
    for (const double damping : {800.0, 2000.0, 5000.0, 10000.0}) {
        law.damping = damping;
        const Restitution r = impact::restitution(law, {1.0, 0.1});
        EXPECT_NEAR(r.cor.value(), ramped_restitution(law, 0.1, 1.0), 1e-5) << damping;
        EXPECT_EQ(r.cor, impact::coefficient_of_restitution(law, {1.0, 0.1})) << damping;
    }
}

/// The largest overlap of an overdamped oscillator under a load [N]: it creeps to where the spring
/// carries the load, from below, or turns beyond.
double peak_of_overdamped(double k, double c, double m, double load, double v) {
    const double rest = load / k, root = std::sqrt(c * c - 4.0 * k * m);
    const double slow = 2.0 * k / (c + root), fast = (c + root) / (2.0 * m);
    const double of_slow = (v - fast * rest) / (fast - slow), of_fast = -rest - of_slow;
    if (!(of_slow > 0.0)) return rest;
    const double turn = std::log(-fast * of_fast / (slow * of_slow)) / (fast - slow);
    return rest + of_slow * std::exp(-slow * turn) + of_fast * std::exp(-fast * turn);
}

TEST(KelvinVoigtImpact, OverdampedUnderALoadCreepsToItsRestOrTurnsBeyondIt) {
    std::mt19937_64 random(1);
    const auto between = [&](double low, double high) {  // evenly in the logarithm
        const double part = static_cast<double>(random() >> 11) * 0x1p-53;
        return low * std::pow(high / low, part);
    };
    int turned = 0;
    for (int i = 0; i < 300; ++i) {
        const double k = between(1e3, 1e9), m = between(1e-3, 10.0), v = between(1e-3, 10.0);
        const double c = 2.0 * between(1.001, 1e4) * std::sqrt(k * m);
        const double load = between(1e-3, 1e3) * std::sqrt(k * m) * v;
        const Restitution r =
            impact::restitution(kelvin_voigt(k, c), {v, m, 0.0, load, Separation::zero_overlap});
        const double peak = peak_of_overdamped(k, c, m, load, v);
        ASSERT_EQ(r.status, ImpactOutcome::sticks) << i;
        EXPECT_NEAR(r.peak_overlap.value() / peak, 1.0, 1e-9) << i;
        if (peak > load / k) ++turned;
    }
    EXPECT_GT(turned, 20);
    EXPECT_LT(turned, 280);
}

TEST(ViscoelasticImpact, OfNearlyEqualMassesThatStickHasNearlyEqualPeaks) {
    std::vector<double> peaks;
    for (int i = 0; i <= 40; ++i) {
        const double mass = 0.012 + 5e-5 * i;
        contact::Viscoelastic law;
        law.stiffness = 3e8;
        law.exponent = 1.6;
        law.damping_factor = 1e-4;
        law.damping_exponent = 1.2;
        const Restitution r =
            impact::restitution(law, {0.7, mass, 3.0, 0.4, Separation::zero_overlap});
        ASSERT_EQ(r.status, ImpactOutcome::sticks);
        peaks.push_back(r.peak_overlap.value());
    }
    for (std::size_t i = 2; i + 2 < peaks.size(); ++i) {
        const double bend =
            peaks[i - 2] - 4.0 * peaks[i - 1] + 6.0 * peaks[i] - 4.0 * peaks[i + 1] + peaks[i + 2];
        EXPECT_LT(std::abs(bend), 1e-10 * peaks[i]) << i;
    }
}

TEST(EnergyLost, OfABodyThatSticksIsWhatTheContactDoesNotStoreAtRest) {
    contact::KelvinVoigt law;
    law.stiffness = 2000.0;
    law.damping = 5.0;
    const double mass = 0.1, speed = 0.02, load = mass * 9.81, rest = load / 2000.0;
    const Restitution r = impact::restitution(law, {speed, mass, 9.81});
    ASSERT_EQ(r.status, ImpactOutcome::sticks);
    const double brought = 0.5 * mass * speed * speed + load * rest;
    EXPECT_NEAR(r.energy_lost.value() / (brought - 0.5 * 2000.0 * rest * rest), 1.0, 1e-12);
}

}  // namespace
