// The restitution of every law against its closed form, or a quadrature that shares no code with
// the motion: every law is in this list, or the last test fails.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/math/interpolators/cubic_hermite.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <boost/numeric/odeint.hpp>
#include <models/point_impacts.hpp>
#include <source_folder.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/impact/restitution.hpp>

namespace {

using namespace stoss;
using contact::Separation;

constexpr double mass = 0.7, speed = 1.3, k = 2.1;

double restitution_of(const contact::Law& law, Separation rule = Separation::zero_force,
                      double at = speed) {
    return impact::restitution(law, {at, mass, 0.0, 0.0, rule}).cor.value();
}

/// e of F = k (x^n + c x^b v), b >= 1/2, until the force vanishes, by a Runge-Kutta method of order
/// 7(8) on x = s^4 with the clock dt = 4 s^3 d(sigma); the end by bisection of the last step. From
/// s and v.
template <class Force>
double integrated(const Force& force, std::array<double, 2> y = {0.0, speed}) {
    using State = std::array<double, 2>;
    namespace odeint = boost::numeric::odeint;
    const auto slope = [&](const State& y, State& dy, double) {
        const double s = y[0], x = s * s * s * s;
        dy = {y[1], -4.0 * s * s * s * force(x, y[1]) / mass};
    };
    odeint::runge_kutta_fehlberg78<State> stepper;
    const double step = 2e-4;
    const auto ended = [&](const State& at) {
        const double s = at[0];
        return !(s > 0.0) || (at[1] < 0.0 && !(force(s * s * s * s, at[1]) > 0.0));
    };
    for (double now = step;;) {
        State next = y;
        stepper.do_step(slope, next, 0.0, now);
        if (!ended(next)) {
            y = next;
        } else if (now < 1e-14) {
            return -y[1] / speed;
        } else {
            now *= 0.5;
        }
    }
}

TEST(RestitutionOf, HertzIsOne) {
    contact::Hertz law;
    law.stiffness = k;
    EXPECT_NEAR(restitution_of(law), 1.0, 1e-12);
}

/// Energy lost is what the pull-off leaves: e(v) = sqrt(1 - (v_s/v)^2), and the body sticks below
/// v_s (Johnson, Kendall and Roberts 1971; Thornton and Ning 1998). The work of the pull-off by a
/// quadrature of the profile F(a), x(a): no code of the law.
TEST(RestitutionOf, JkrIsThatOfTheWorkOfAdhesion) {
    contact::Jkr law;
    law.stiffness = k;
    law.pull_off_force = 0.05;
    // F = k (s^(3/2) - (3/2) q s^(3/4)), x = s - q s^(1/4), q = (4/3) sqrt(F_c/k).
    const double q = 4.0 / 3.0 * std::sqrt(0.05 / k);
    boost::math::quadrature::tanh_sinh<double> quadrature;
    const auto work = [&](double s) {
        const double force = k * (std::pow(s, 1.5) - 1.5 * q * std::pow(s, 0.75));
        return force * (1.0 - 0.25 * q * std::pow(s, -0.75));
    };
    const double from = std::pow(0.25 * q, 4.0 / 3.0), to = std::pow(q, 4.0 / 3.0);
    const double lost = -quadrature.integrate(work, from, to);  // between x = 0 and the pull-off
    ASSERT_GT(lost, 0.0);
    const double sticking = std::sqrt(2.0 * lost / mass);
    for (const double ratio : {1.0001, 1.01, 1.2, 2.0, 5.0, 40.0}) {
        EXPECT_NEAR(restitution_of(law, Separation::zero_overlap, ratio * sticking),
                    std::sqrt(1.0 - 1.0 / (ratio * ratio)), 1e-9)
            << ratio;
    }
    for (const double ratio : {0.9999, 0.5}) {
        const impact::Restitution held =
            impact::restitution(law, {ratio * sticking, mass, 0.0, 0.0, Separation::zero_overlap});
        EXPECT_EQ(held.status, impact::ImpactOutcome::sticks) << ratio;
        EXPECT_EQ(held.cor, 0.0) << ratio;
    }
}

/// Onset and end are at the same overlap, so the pull takes back what it gave.
TEST(RestitutionOf, DmtIsOne) {
    contact::Dmt law;
    law.stiffness = k;
    for (const double pull : {1e-6, 0.05, 20.0}) {
        law.pull_off_force = pull;
        for (const double at : {1e-4, speed, 50.0})
            EXPECT_NEAR(restitution_of(law, Separation::zero_overlap, at), 1.0, 1e-12) << pull;
    }
}

/// The works of the forces by quadratures over the size s of the contact; the slope of the force
/// beyond yield by Thornton and Ning's formula (1998) with the pressure p_y and the radius a_y.
/// Unloading by the profile of a sphere of the radius R_p that carries the same force on the same
/// radius. All as in their paper, in a and R; no code of the law.
class AdhesivePlastic {
  public:
    static constexpr double R = 0.3, E = 40.0, w = 0.02, p_y = 15.0;

    static contact::ThorntonNingAdhesive law() {
        contact::ThorntonNingAdhesive law;
        law.work_of_adhesion = w;
        law.yield_pressure = p_y;
        contact::set_from_bodies(law, {E, R, contact::hertz_stiffness(E, R)});
        return law;
    }

    static double elastic(double a, double radius) {
        return 4.0 * E * a * a * a / (3.0 * radius) -
               std::sqrt(8.0 * std::numbers::pi * w * E * a * a * a);
    }
    static double overlap_slope(double a, double radius) {
        return 2.0 * a / radius - std::sqrt(0.5 * std::numbers::pi * w / (E * a));
    }
    static double middle_pressure(double a) {
        return 2.0 * E * a / (std::numbers::pi * R) -
               std::sqrt(2.0 * w * E / (std::numbers::pi * a));
    }
    /// Where the overlap is 0, and where it is least.
    static double touching(double radius) {
        return std::cbrt(2.0 * std::numbers::pi * w * radius * radius / E);
    }
    static double pull_off(double radius) {
        return std::cbrt(0.125 * std::numbers::pi * w * radius * radius / E);
    }
    double yield_radius() const { return a_y_; }

    double force(double a) const {
        if (a <= a_y_) return elastic(a, R);
        boost::math::quadrature::tanh_sinh<double> quadrature;
        const auto slope = [&](double at) {
            const double hertz = 4.0 * E * at * at * at / (3.0 * R);
            const double critical = 1.5 * std::numbers::pi * w * R;
            const double by_overlap = (3.0 * std::numbers::pi * R * p_y * std::sqrt(hertz) -
                                       2.0 * E * a_y_ * std::sqrt(critical)) /
                                      (3.0 * std::sqrt(hertz) - std::sqrt(critical));
            return by_overlap * overlap_slope(at, R);
        };
        return elastic(a_y_, R) + quadrature.integrate(slope, a_y_, a);
    }
    double loading_work(double a) const {
        boost::math::quadrature::gauss<double, 30> quadrature;
        const auto power = [&](double at) { return force(at) * overlap_slope(at, R); };
        const double middle = std::min(a, a_y_);
        return quadrature.integrate(power, touching(R), middle) +
               (a > a_y_ ? quadrature.integrate(power, middle, a) : 0.0);
    }
    double unloading_work(double a) const {
        const double hertz = 4.0 * E * a * a * a / 3.0;
        const double radius = hertz / (force(a) + hertz / R - elastic(a, R));
        boost::math::quadrature::gauss<double, 30> quadrature;
        return quadrature.integrate(
            [&](double at) { return elastic(at, radius) * overlap_slope(at, radius); },
            pull_off(radius), a);
    }

  private:
    static double find_yield() {
        const auto [low, high] =
            boost::math::tools::bisect([](double a) { return middle_pressure(a) - p_y; }, 1e-4, 1.0,
                                       boost::math::tools::eps_tolerance<double>(52));
        return 0.5 * (low + high);
    }
    double a_y_ = find_yield();
};

TEST(RestitutionOf, ThorntonNingAdhesiveIsTheRootOfTheWorks) {
    const AdhesivePlastic spheres;
    const contact::ThorntonNingAdhesive law = AdhesivePlastic::law();
    int sticking = 0, bouncing = 0;
    for (const double depth :
         {0.525, 0.55, 0.6, 0.65, 0.8, 0.999, 1.0, 1.1, 1.5, 3.0, 10.0}) {  // in radii of yield
        const double a = depth * spheres.yield_radius();
        const double taken = spheres.loading_work(a);
        ASSERT_GT(taken, 0.0) << depth;
        const double back = spheres.unloading_work(a);
        const double at = std::sqrt(2.0 * taken / mass);
        const impact::Restitution impact =
            impact::restitution(law, {at, mass, 0.0, 0.0, Separation::zero_overlap});
        EXPECT_NEAR(impact.cor.value() * impact.cor.value(), std::max(0.0, back / taken), 1e-9)
            << depth;
        EXPECT_EQ(impact.status == impact::ImpactOutcome::sticks, back < 0.0) << depth;
        (back < 0.0 ? sticking : bouncing) += 1;
    }
    EXPECT_GT(sticking, 0);
    EXPECT_GT(bouncing, 2);
}

/// With little adhesion it is the law without, with a high yield pressure that of Johnson, Kendall
/// and Roberts.
TEST(RestitutionOf, ThorntonNingAdhesiveLiesBetweenItsLimits) {
    contact::ThorntonNingAdhesive law;
    law.stiffness = k;
    law.pull_off_force = 1e-13;
    law.yield_overlap = 0.02;
    contact::ThorntonNing plastic;
    plastic.stiffness = k;
    plastic.yield_overlap = 0.02;
    for (const double at : {0.1, speed, 10.0}) {
        EXPECT_NEAR(restitution_of(law, Separation::zero_overlap, at),
                    restitution_of(plastic, Separation::zero_force, at), 2e-6)
            << at;
    }
    law.pull_off_force = 0.05;
    law.yield_overlap = 1e3;
    contact::Jkr elastic;
    elastic.stiffness = k;
    elastic.pull_off_force = 0.05;
    for (const double at : {0.03, 0.2, speed, 10.0}) {
        EXPECT_NEAR(restitution_of(law, Separation::zero_overlap, at),
                    restitution_of(elastic, Separation::zero_overlap, at), 1e-9)
            << at;
    }
}

contact::Maugis between_limits(double lambda) {
    contact::Maugis law;
    law.stiffness = k;
    law.maugis_parameter = lambda;
    law.pull_off_force = 0.05;
    return law;
}

/// Maugis (1992) in dimensions: from the ratio u = a/c the radius a by the energy of the gap at the
/// edge, then overlap and force; without contact the zone c. Found by bisections, and the work by a
/// quadrature over the overlap: no code of the law.
class DugdaleZone {
  public:
    static constexpr double R = 0.3, E = 40.0, w = 0.02, K = 4.0 * E / 3.0;

    explicit DugdaleZone(double lambda)
        : stress_(0.5 * lambda * std::cbrt(std::numbers::pi * w * K * K / R)) {
        const auto by_ratio = [&](double u) { return overlap(radius(u), u); };
        const auto least = boost::math::tools::brent_find_minima(by_ratio, 1e-9, 1.0 - 1e-9, 40);
        fold_ = least.second;
        fold_ratio_ = least.first;
        last_contact_ = fold_;
        if (fold_ratio_ < 1e-6) {  // the branch goes on without contact
            const double c = 4.0 * stress_ * R / (std::numbers::pi * E);
            fold_ = zone_overlap(c);
        }
    }
    contact::Maugis law() const {
        contact::Maugis law;
        law.work_of_adhesion = w;
        law.adhesive_stress = stress_;
        contact::set_from_bodies(law, {E, R, contact::hertz_stiffness(E, R)});
        return law;
    }
    double range() const { return w / stress_; }
    /// Of the bodies' distance: 0 where undeformed surfaces would touch.
    double force(double distance) const {
        if (distance > last_contact_) {
            const auto excess = [&](double u) { return overlap(radius(u), u) - distance; };
            const double u = root(excess, fold_ratio_, 1.0 - 1e-15);
            const double a = radius(u);
            return K * a * a * a / R - 2.0 * stress_ * a * a / (u * u) * pull(u);
        }
        const auto excess = [&](double c) { return zone_overlap(c) - distance; };
        const double c = root(excess, 4.0 * stress_ * R / (std::numbers::pi * E), 10.0);
        return -std::numbers::pi * c * c * stress_;
    }
    /// What the pull-off leaves behind.
    double lost() const {
        boost::math::quadrature::tanh_sinh<double> quadrature;
        const auto pull_at = [&](double distance) { return -force(distance); };
        const double middle = std::clamp(last_contact_, fold_, -range());
        double sum = 0.0;
        if (middle > fold_) sum += quadrature.integrate(pull_at, fold_, middle, 1e-12);
        if (-range() > middle) sum += quadrature.integrate(pull_at, middle, -range(), 1e-12);
        return sum;
    }

  private:
    template <class F>
    static double root(const F& f, double low, double high) {
        const auto [from, to] =
            boost::math::tools::bisect(f, low, high, boost::math::tools::eps_tolerance<double>(52));
        return 0.5 * (from + to);
    }
    /// arccos u + u sqrt(1 - u^2): the pull is 2 stress c^2 times it.
    static double pull(double u) { return std::acos(u) + u * std::sqrt(1.0 - u * u); }
    double overlap(double a, double u) const {
        return a * a / R - 8.0 * stress_ * a / (3.0 * K) * std::sqrt(1.0 / (u * u) - 1.0);
    }
    /// The gap at the edge of the zone is w/stress.
    double radius(double u) const {
        const double m = 1.0 / u, t = std::sqrt(m * m - 1.0), angle = std::acos(u);
        const double by_square = (t + (m * m - 2.0) * angle) / (std::numbers::pi * R);
        const double by_radius =
            16.0 * stress_ / (3.0 * std::numbers::pi * K) * (t * angle - m + 1.0);
        const auto excess = [&](double a) {
            return by_square * a * a + by_radius * a - w / stress_;
        };
        double high = 1e-3;
        while (excess(high) < 0.0) high *= 2.0;
        return root(excess, 0.0, high);
    }
    double zone_overlap(double c) const {
        return 0.5 * c * c / R - 4.0 * stress_ * c / (std::numbers::pi * E) - range();
    }

    double stress_, fold_ = 0.0, fold_ratio_ = 0.0, last_contact_ = 0.0;
};

TEST(RestitutionOf, MaugisIsThatOfTheWorkOfThePullOff) {
    for (const double lambda : {0.3, 0.9, 1.0, 3.0, 12.0}) {
        const DugdaleZone zone(lambda);
        const contact::Maugis law = zone.law();
        ASSERT_NEAR(law.maugis_parameter.value(), lambda, 1e-12);
        const auto memory = law.prepare({mass, Separation::zero_overlap});
        const double end = contact::end_overlap(law, memory);
        for (const double x : {0.9 * end, 0.3 * end, 0.0, -0.5 * end, -5.0 * end, 1.0}) {
            const double expected = zone.force(x - zone.range());
            EXPECT_NEAR(law.force(x, 0.0, memory), expected,
                        1e-7 * (zone.w * zone.R + std::abs(expected)))
                << lambda << ' ' << x / end;
        }
        const double sticking = std::sqrt(2.0 * zone.lost() / mass);
        for (const double ratio : {1.001, 1.2, 3.0, 40.0}) {
            const double e = restitution_of(law, Separation::zero_overlap, ratio * sticking);
            EXPECT_NEAR(e * e, 1.0 - 1.0 / (ratio * ratio), 1e-8) << lambda << ' ' << ratio;
        }
        const impact::Restitution held =
            impact::restitution(law, {0.999 * sticking, mass, 0.0, 0.0, Separation::zero_overlap});
        EXPECT_EQ(held.status, impact::ImpactOutcome::sticks) << lambda;
    }
}

/// The work of the pull-off over that of the limits: it tends to that of jkr as 1/lambda, and
/// vanishes for small lambda. The forces tend to those of both limits.
TEST(RestitutionOf, MaugisLiesBetweenItsLimits) {
    const auto lost = [](double lambda) {
        const contact::Maugis law = between_limits(lambda);
        const auto memory = law.prepare({mass, Separation::zero_overlap});
        return law.stored_energy(law.end_overlap(memory), memory);
    };
    contact::Jkr soft;
    soft.stiffness = k;
    soft.pull_off_force = 0.05;
    const double limit = soft.stored_energy(soft.end_overlap({}), {});
    const double at_50 = 1.0 - lost(50.0) / limit, at_100 = 1.0 - lost(100.0) / limit;
    EXPECT_LT(at_100, 0.01);
    EXPECT_NEAR(at_50 / at_100, 2.0, 0.02);
    EXPECT_LT(lost(0.01), 1e-9 * limit);
    double before = 0.0;
    for (double lambda = 0.01; lambda < 100.0; lambda *= 1.7) {
        EXPECT_GT(lost(lambda), before) << lambda;
        before = lost(lambda);
    }
    for (const double x : {0.02, 0.1, 1.0}) {
        const contact::Maugis large = between_limits(100.0);
        EXPECT_NEAR(large.force(x, 0.0, large.prepare({mass, Separation::zero_overlap})),
                    soft.force(x, 0.0, {}), 2e-2 * (0.05 + k * std::pow(x, 1.5)))
            << x;
        // The attraction lifts the surfaces around the contact; the less, the smaller lambda is.
        const auto beyond_hertz = [&](double lambda) {
            contact::Dmt hard;
            hard.stiffness = k;
            hard.pull_off_force = 0.05;
            const contact::Maugis small = between_limits(lambda);
            const auto memory = small.prepare({mass, Separation::zero_overlap});
            const double shift = memory.length * memory.profile.range();
            return small.force(x + shift, 0.0, memory) - hard.force(x, 0.0, {});
        };
        EXPECT_LT(std::abs(beyond_hertz(0.01)), 0.3 * 0.05 + 0.01 * k * std::pow(x, 1.5)) << x;
        EXPECT_LT(std::abs(beyond_hertz(0.01)), 0.8 * std::abs(beyond_hertz(0.04))) << x;
    }
}

/// Jackson and Green's force, with the hardness of 2019, in the yield stress S and the modulus E';
/// unloading by Hertz for the overlap x - x_p and the same force: e^2 = (2/5) F (x - x_p) over the
/// work of loading.
TEST(RestitutionOf, JacksonGreenIsTheRootOfTheWorks) {
    const double R = 0.2, E = 50.0, S = 0.3, nu = 0.29, C = 1.295 * std::exp(0.736 * nu);
    const double critical = std::pow(std::numbers::pi * C * S / (2.0 * E), 2) * R;
    const double unit =
        4.0 / 3.0 * std::pow(R / E, 2) * std::pow(0.5 * C * std::numbers::pi * S, 3);
    const auto force = [&](double x) {
        const double ratio = x / critical, B = 0.14 * std::exp(23.0 * S / E);
        const double area = std::pow(std::numbers::pi, 3) * std::pow(C * S * R / (2.0 * E), 2) *
                            ratio * std::pow(ratio / 1.9, B);
        const double a = std::min(R, std::sqrt(area / std::numbers::pi));
        const double hardness = (2.84 - 0.92 * (1.0 - std::cos(std::numbers::pi * a / R))) * S;
        const double fit =
            std::exp(-0.25 * std::pow(ratio, 5.0 / 12.0)) * std::pow(ratio, 1.5) +
            4.0 * hardness / (C * S) * (1.0 - std::exp(-std::pow(ratio, 5.0 / 9.0) / 25.0)) * ratio;
        return unit * std::min(fit, std::pow(ratio, 1.5));
    };
    contact::JacksonGreen law;
    law.yield_stress = S;
    law.poisson_ratio = nu;
    contact::set_from_bodies(law, {E, R, contact::hertz_stiffness(E, R)});
    const auto memory = law.prepare({mass, Separation::zero_force});
    EXPECT_NEAR(memory.critical_overlap / critical, 1.0, 1e-14);
    EXPECT_NEAR(memory.kink / critical, 2.048586848, 1e-8);
    double last = 1.0;
    for (const double depth : {1.0, 1.8, 2.5, 5.0, 30.0, 110.0, 1000.0}) {
        const double x = depth * critical;
        double taken = 0.0;
        boost::math::quadrature::gauss<double, 30> quadrature;
        for (double from = 0.0, to = std::min(x, memory.kink); from < x;
             from = to, to = std::min(2.0 * to, x))
            taken += quadrature.integrate(force, from, to);
        const double elastic = force(x) / (contact::hertz_stiffness(E, R) * std::sqrt(x));
        const double e =
            std::sqrt(0.4 * force(x) * (depth < memory.kink / critical ? x : elastic) / taken);
        EXPECT_NEAR(restitution_of(law, Separation::zero_force, std::sqrt(2.0 * taken / mass)), e,
                    1e-8)
            << depth;
        EXPECT_LE(e, last + 1e-7);
        last = e;
    }
    EXPECT_LT(last, 0.4);
}

/// Elastic: e = 1. The force is the inverse of the published overlap, and the duration the integral
/// of dx/v.
TEST(RestitutionOf, ParallelCylindersIsOne) {
    contact::ParallelCylinders law;
    law.effective_modulus = 60.0;
    law.length = 0.4;
    law.effective_radius = 0.1;
    law.mean_radius = 0.22;
    const double line = std::numbers::pi * 60.0 * 0.4, scale = 4.0 * line * 0.22 * 0.22 / 0.1;
    const auto overlap = [&](double f) { return f / line * (std::log(scale / f) - 1.0); };
    for (const double f : {1e-12, 1e-3, 0.3, 0.049 * scale})
        EXPECT_NEAR(law.force(overlap(f), 0.0, {}) / f, 1.0, 1e-13);
    for (const double at : {1e-6, 0.01, 0.5}) {
        const impact::Restitution result = impact::restitution(law, {at, mass, 0.0, 0.0});
        EXPECT_NEAR(result.cor.value(), 1.0, 1e-12) << at;
        // F = F_m sin^2 u makes the velocity smooth enough at both ends.
        const double energy = 0.5 * mass * at * at;
        const auto stored = [&](double f) {
            return f * f / (2.0 * line) * (std::log(scale / f) - 1.5);
        };
        const auto [low, high] = boost::math::tools::bisect(
            [&](double f) { return stored(f) - energy; }, 1e-30, 0.049 * scale,
            boost::math::tools::eps_tolerance<double>(52));
        const double largest = 0.5 * (low + high);
        boost::math::quadrature::tanh_sinh<double> quadrature;
        const auto time = [&](double u) {
            const double f = largest * std::sin(u) * std::sin(u);
            const double left = energy - stored(f);
            if (!(left > 0.0) || !(f > 0.0)) return 0.0;
            return (std::log(scale / f) - 2.0) / line * 2.0 * largest * std::sin(u) * std::cos(u) /
                   std::sqrt(2.0 * left / mass);
        };
        const double half = quadrature.integrate(time, 0.0, 0.5 * std::numbers::pi);
        EXPECT_NEAR(result.duration.value() / (2.0 * half), 1.0, 1e-6) << at;
    }
}

TEST(RestitutionOf, WaltonBraunIsTheRootOfTheStiffnesses) {
    contact::WaltonBraun law;
    law.stiffness = k;
    law.unloading_stiffness = 3.0 * k;
    EXPECT_NEAR(restitution_of(law), std::sqrt(1.0 / 3.0), 1e-12);
}

/// Thornton and Ning (1998), equation of the restitution above the yield speed v_y:
/// e^2 = (6 sqrt 3/5) (1 - r^2/6) sqrt(r/(r + 2 sqrt(6/5 - r^2/5))), r = v_y/v.
TEST(RestitutionOf, ThorntonNingIsTheirClosedForm) {
    contact::ThorntonNing law;
    law.stiffness = k;
    law.yield_overlap = 0.02;
    const double yield_speed = std::sqrt(0.8 * k * std::pow(0.02, 2.5) / mass);
    for (const double r : {0.9, 0.5, 0.1, 0.01}) {
        const double square = 6.0 * std::sqrt(3.0) / 5.0 * (1.0 - r * r / 6.0) *
                              std::sqrt(r / (r + 2.0 * std::sqrt(1.2 - 0.2 * r * r)));
        EXPECT_NEAR(restitution_of(law, Separation::zero_force, yield_speed / r), std::sqrt(square),
                    1e-9)
            << r;
    }
    EXPECT_NEAR(restitution_of(law, Separation::zero_force, 0.9 * yield_speed), 1.0, 1e-12);
}

/// The damped oscillation: e = exp(-xi t w) at the end of its force.
TEST(RestitutionOf, KelvinVoigtIsTheDampedOscillation) {
    const double xi = 0.3, w = std::sqrt(k / mass);
    contact::KelvinVoigt law;
    law.stiffness = k;
    law.damping = 2.0 * xi * w * mass;
    const double root = std::sqrt(1.0 - xi * xi);
    const double end = std::atan2(2.0 * xi * root, 2.0 * xi * xi - 1.0);
    EXPECT_NEAR(restitution_of(law), std::exp(-xi * end / root), 1e-12);
    EXPECT_NEAR(restitution_of(law, Separation::zero_overlap),
                std::exp(-xi * std::numbers::pi / root), 1e-12);
}

/// z = mu v_0: z - log(1 + z) = -e z - log(1 - e z).
TEST(RestitutionOf, HuntCrossleySolvesItsEquation) {
    contact::HuntCrossley law;
    law.stiffness = k;
    law.damping_factor = 0.8;
    const double z = 0.8 * speed, e = restitution_of(law);
    EXPECT_NEAR(z - std::log1p(z), -e * z - std::log1p(-e * z), 1e-12);
    EXPECT_LT(e, 1.0);
}

template <class Law>
class Damped : public testing::Test {};
using DampedLaws =
    testing::Types<contact::KuwabaraKono, contact::SimonHuntCrossley, contact::Tsuji>;
TYPED_TEST_SUITE(Damped, DampedLaws);

/// F = k (x^(3/2) + gamma d/dt x^beta).
TYPED_TEST(Damped, RestitutionIsThatOfAnIndependentIntegration) {
    TypeParam law;
    law.stiffness = k;
    law.damping_factor = 0.15;
    constexpr double beta = std::is_same_v<TypeParam, contact::KuwabaraKono>        ? 1.5
                            : std::is_same_v<TypeParam, contact::SimonHuntCrossley> ? 2.5
                                                                                    : 1.25;
    const double e = integrated([&](double x, double v) {
        return k * (std::pow(x, 1.5) + 0.15 * beta * std::pow(x, beta - 1.0) * v);
    });
    EXPECT_NEAR(restitution_of(law), e, 1e-9);
}

TEST(RestitutionOf, LinearDampingIsThatOfAnIndependentIntegration) {
    contact::LinearDamping law;
    law.stiffness = k;
    law.damping = 0.4;
    const double e = integrated([](double x, double v) { return k * std::pow(x, 1.5) + 0.4 * v; });
    EXPECT_NEAR(restitution_of(law), e, 1e-9);
}

TEST(RestitutionOf, ViscoelasticIsThatOfAnIndependentIntegration) {
    contact::Viscoelastic law;
    law.stiffness = k;
    law.damping_factor = 0.15;
    law.exponent = 1.5;
    law.damping_exponent = 2.0;
    const double e =
        integrated([](double x, double v) { return k * (std::pow(x, 1.5) + 0.15 * 2.0 * x * v); });
    EXPECT_NEAR(restitution_of(law), e, 1e-9);
}

/// The damper at the largest force is half of the critical one of a linear spring k.
TEST(RestitutionOf, RampedDampingIsThatOfAnIndependentIntegration) {
    contact::RampedDamping law;
    law.stiffness = k;
    law.damping = 0.6;
    for (const double depth : {0.2, 5.0}) {  // the impact leaves the ramp, or stays on it
        law.ramp_depth = depth;
        const auto force = [&](double x, double v) {
            const double u = std::min(x / depth, 1.0);
            return k * std::pow(x, 1.5) + 0.6 * u * u * (3.0 - 2.0 * u) * v;
        };
        const double e = integrated(force), v = -speed * e;
        if (depth > 1.0) {  // the damper never wins
            EXPECT_NEAR(restitution_of(law), e, 1e-12);
            continue;
        }
        double low = 1e-12, high = 1e-12;  // where the released body is pushed again
        while (force(high, v) > 0.0) high *= 1.1;
        for (int halving = 0; halving < 100; ++halving) {
            const double middle = 0.5 * (low + high);
            (force(middle, v) > 0.0 ? low : high) = middle;
        }
        const auto push = [&](double x, double at) { return std::max(force(x, at), 1e-300); };
        EXPECT_NEAR(restitution_of(law), integrated(push, {std::pow(low, 0.25), v}), 1e-12);
    }
}

/// Hermite's curve of Boost with the slopes of Fritsch and Butland, at the ends those of the
/// parabola through three points, 0 if that falls.
boost::math::interpolators::cubic_hermite<std::vector<double>> monotone(
    const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t last = x.size() - 1;
    const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
    const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
    const auto end = [&](std::size_t i, std::size_t next) {
        const double slope =
            ((2.0 * h(i) + h(next)) * chord(i) - h(i) * chord(next)) / (h(i) + h(next));
        return slope * chord(i) > 0.0 ? slope : 0.0;
    };
    std::vector<double> slopes{end(0, 1)};
    for (std::size_t i = 1; i < last; ++i) {
        const double part = (h(i - 1) + 2.0 * h(i)) / (3.0 * (h(i - 1) + h(i)));
        const double product = chord(i - 1) * chord(i);
        slopes.push_back(product > 0.0 ? product / (part * chord(i) + (1.0 - part) * chord(i - 1))
                                       : 0.0);
    }
    slopes.push_back(end(last - 1, last - 2));
    return {std::vector<double>{x}, std::vector<double>{y}, std::move(slopes)};
}

/// e^2 is the ratio of the works of unloading and loading. The curve by Boost's polynomials, its
/// works by a quadrature; the largest overlap from the energy of the approach.
TEST(RestitutionOf, TabulatedIsTheRootOfTheWorks) {
    const std::vector<double> x{0.0, 0.1, 0.25, 0.5, 0.7, 1.0};
    const std::vector<double> loading{0.0, 0.2, 0.6, 1.7, 2.4, 4.0};
    const std::vector<double> unloading{0.0, 0.0, 0.1, 0.6, 1.3, 4.0};
    contact::Tabulated law;
    law.overlap = x;
    law.force_points = loading;
    EXPECT_NEAR(restitution_of(law), 1.0, 1e-12);
    law.unloading_force = unloading;
    const auto f = monotone(x, loading), g = monotone(x, unloading);
    const auto work = [&](const auto& curve, double to) {
        double sum = 0.0;
        for (std::size_t i = 1; i < x.size() && x[i - 1] < to; ++i) {
            sum += boost::math::quadrature::gauss<double, 7>::integrate(curve, x[i - 1],
                                                                        std::min(x[i], to));
        }
        return sum;
    };
    for (const double at : {0.3, 0.9, 1.6}) {
        const double energy = 0.5 * mass * at * at;
        const auto balance = [&](double depth) { return work(f, depth) - energy; };
        ASSERT_GT(balance(1.0), 0.0);  // inside the table
        const auto [low, high] = boost::math::tools::bisect(
            balance, 1e-3, 1.0, boost::math::tools::eps_tolerance<double>(50));
        const double depth = 0.5 * (low + high);
        const double back = f(depth) * depth * work(g, 1.0) / 4.0;
        EXPECT_NEAR(restitution_of(law, Separation::zero_force, at), std::sqrt(back / energy),
                    1e-12)
            << at;
    }
}

TEST(RestitutionOf, AFunctionIsThatOfTheSameLawOfOurs) {
    contact::FunctionLaw law;
    law.function = std::make_shared<const contact::ForceFunction>(
        [](double x, double v) { return k * x * std::sqrt(x) * (1.0 + 0.8 * v); });
    const double z = 0.8 * speed, e = restitution_of(law);
    EXPECT_NEAR(z - std::log1p(z), -e * z - std::log1p(-e * z), 1e-9);
}

/// With all numbers but the damping; what a case may leave out stays out.
template <class L>
L without_damping() {
    L law;
    core::for_each_field<L>([&](const auto& field) {
        auto& member = law.*field.member;
        if constexpr (std::is_same_v<std::decay_t<decltype(member)>, std::optional<double>>) {
            if (field.is_required && field.name != impact::damping_key(law)) member = 0.5;
        }
    });
    if constexpr (requires { law.stiffness; }) law.stiffness = k;
    return law;
}

TEST(CalibrationOf, EveryLawWithADampingGivesTheRestitutionThatIsWanted) {
    std::set<std::string_view> laws;
    core::for_each_alternative<contact::Law>([&]<class L>(std::type_identity<L>) {
        if (impact::damping_key(L{}).empty()) return;
        laws.insert(L::name);
        for (const Separation rule : {Separation::zero_force, Separation::zero_overlap}) {
            for (const double e : {0.95, 0.6, 0.3}) {
                models::SingleImpact single;
                single.mass = mass;
                single.speed = speed;
                single.contact = {without_damping<L>(), rule};
                const auto found = models::calibrate(single, impact::Wanted{.cor = e});
                EXPECT_GT(impact::damping_of(found.law).value(), 0.0) << L::name;
                EXPECT_NEAR(impact::restitution(found.law, single.impact()).cor.value(), e, 1e-11)
                    << L::name;
            }
        }
    });
    EXPECT_TRUE(laws.contains(contact::KelvinVoigt::name));
    EXPECT_TRUE(laws.contains(contact::RampedDamping::name));
}

/// The laws of this library; a law of a user has tests of its own.
TEST(RestitutionOf, EveryLawIsInThisFile) {
    const std::set<std::string> covered{"hertz",
                                        "jkr",
                                        "walton_braun",
                                        "thornton_ning",
                                        "thornton_ning_adhesive",
                                        "dmt",
                                        "maugis",
                                        "jackson_green",
                                        "parallel_cylinders",
                                        "kelvin_voigt",
                                        "hunt_crossley",
                                        "tsuji",
                                        "kuwabara_kono",
                                        "linear_damping",
                                        "viscoelastic",
                                        "simon_hunt_crossley",
                                        "ramped_damping",
                                        "tabulated",
                                        "function_law"};
    const std::filesystem::path folder(STOSS_SOURCE_DIR "/lib/stoss/contact/laws");
    std::set<std::string> laws;
    for (const auto& file : std::filesystem::directory_iterator(folder))
        laws.insert(file.path().stem().string());
    EXPECT_EQ(laws, covered);
}

}  // namespace
