#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>

#include <stoss/contact/damping.hpp>
#include <stoss/impact/hunt_crossley_impact.hpp>

namespace {

using namespace stoss;
using Precise = boost::multiprecision::cpp_bin_float_50;

/// The root e of z - log(1 + z) = -e z - log(1 - e z) (Papetti et al. 2011, (6)) with 50 digits.
/// Unknown is L = -log(1 - e z), so that no digit is lost where e z is near 1.
double root_of_balance(double number) {
    const Precise z = number;
    const Precise wanted = z - log1p(z);
    const auto balance = [&](const Precise& decay) {
        return Precise(decay + expm1(-decay) - wanted);
    };
    std::uintmax_t iterations = 500;
    const auto bracket = boost::math::tools::toms748_solve(
        balance, Precise(z / 1000), Precise(2 * z + 2),
        boost::math::tools::eps_tolerance<Precise>(150), iterations);
    return static_cast<double>(-expm1(-bracket.first) / z);
}

TEST(HuntCrossleyImpact, RestitutionIsTheRootOfTheEnergyBalanceToFourteenDigits) {
    for (double exponent = -12.0; exponent <= 3.0; exponent += 0.125) {
        const double z = std::pow(10.0, exponent);
        const double exact = root_of_balance(z);
        EXPECT_NEAR(contact::hunt_crossley_restitution(z), exact, 1e-14 * exact) << z;
    }
    EXPECT_EQ(contact::hunt_crossley_restitution(0.0), 1.0);
}

/// Relative error of the fit.
double fit_error(double z) {
    return impact::fitted_hunt_crossley_restitution(z) / contact::hunt_crossley_restitution(z) -
           1.0;
}

TEST(HuntCrossleyImpact, FitIsWithinTheBandsOfThePaper) {
    // Papetti et al. 2011, Fig. 3; the edges by an independent program.
    EXPECT_NEAR(fit_error(0.798392), 1e-3, 5e-9);
    EXPECT_NEAR(fit_error(8.053658), 1e-3, 5e-9);
    EXPECT_NEAR(fit_error(1.658591), 1e-2, 5e-8);
    EXPECT_NEAR(fit_error(5.002884), 1e-2, 5e-8);
    double largest = 0.0, place = 0.0;
    for (double z = 1e-4; z < 20.0; z += 1e-4) {
        if (std::abs(fit_error(z)) > largest) {
            largest = std::abs(fit_error(z));
            place = z;
        }
    }
    EXPECT_NEAR(largest, 0.020450, 5e-7);
    EXPECT_NEAR(place, 3.0008, 2e-4);
}

TEST(HuntCrossleyImpact, FitKeepsItsDigitsForLittleDamping) {
    for (const double z : {1e-12, 1e-8, 1e-5}) {
        EXPECT_NEAR(impact::fitted_hunt_crossley_restitution(z), 1.0 - 2.0 / 3.0 * z,
                    z * z + 1e-15);
    }
    EXPECT_EQ(impact::fitted_hunt_crossley_restitution(0.0), 1.0);
}

TEST(HuntCrossleyImpact, PhaseCurveSolvesTheEquationOfMotion) {
    // dx/dv = v/a = -m v/F along the motion; central differences.
    const double m = 0.02, k = 3e6, n = 1.4, mu = 0.7, v0 = 1.3;
    const impact::HuntCrossleyImpact impact(m, k, n, mu, v0);
    for (const double v : {1.2, 0.9, 0.4, -0.1, -0.5, -0.7}) {
        const double h = 1e-5;
        const double slope = (impact.overlap(v + h) - impact.overlap(v - h)) / (2.0 * h);
        const double x = impact.overlap(v);
        const double force = k * std::pow(x, n) * (1.0 + mu * v);
        EXPECT_NEAR(slope, -m * v / force, 1e-7 * std::abs(slope) + 1e-12) << v;
    }
}

TEST(HuntCrossleyImpact, EnergyIsKineticAndStored) {
    const double m = 0.02, k = 3e6, n = 1.4, mu = 0.7, v0 = 1.3;
    const impact::HuntCrossleyImpact impact(m, k, n, mu, v0);
    for (const double v : {1.3, 0.8, 0.0, -0.6}) {
        const double stored = k * std::pow(impact.overlap(v), n + 1.0) / (n + 1.0);
        EXPECT_NEAR(impact.energy(v), 0.5 * m * v * v + stored, 1e-15);
    }
    const double loss = impact.energy(v0) - impact.energy(impact.rebound_velocity());
    EXPECT_NEAR(impact.energy_loss(), loss, 1e-15);
}

TEST(HuntCrossleyImpact, WithoutDampingIsHertz) {
    const double m = 0.01, k = 1e8, n = 1.5, v0 = 0.7;
    const impact::HuntCrossleyImpact hertz(m, k, n, 0.0, v0);
    EXPECT_EQ(hertz.rebound_velocity(), -v0);
    EXPECT_EQ(hertz.energy_loss(), 0.0);
    EXPECT_NEAR(hertz.energy(0.3), 0.5 * m * v0 * v0, 1e-17);
    EXPECT_NEAR(hertz.largest_overlap(), std::pow(1.25 * m * v0 * v0 / k, 0.4), 1e-18);
    // 4/5 B(2/5, 1/2) x_max/v_0 (Hertz 1881).
    const double hertz_number = 0.8 * boost::math::beta(0.4, 0.5);
    EXPECT_NEAR(hertz.contact_time(), hertz_number * hertz.largest_overlap() / v0, 1e-17);
    // and so does the limit: no digit is lost on the way.
    const impact::HuntCrossleyImpact nearly(m, k, n, 1e-13, v0);
    EXPECT_NEAR(nearly.overlap(0.3) / hertz.overlap(0.3), 1.0, 1e-12);
}

TEST(HuntCrossleyImpact, ContactTimeFallsAsThePowerOfTheStiffnessToTheEndOfDoubles) {
    // At one speed and damping factor time goes with k^(-1/(n + 1)).
    const auto time = [](double k) {
        return impact::HuntCrossleyImpact(0.01, k, 1.5, 0.5, 1.0).contact_time();
    };
    for (const double factor : {1e20, 1e71, 1e150})
        EXPECT_NEAR(time(1e9 * factor) / time(1e9) * std::pow(factor, 0.4), 1.0, 1e-11) << factor;
}

TEST(HuntCrossleyImpact, OutsideTheImpactTheRootIsNegative) {
    const impact::HuntCrossleyImpact impact(0.01, 1e9, 1.5, 0.5, 1.0);
    EXPECT_LT(impact.overlap(1.001), 0.0);
    EXPECT_LT(impact.overlap(1.001 * impact.rebound_velocity()), 0.0);
    EXPECT_EQ(impact.overlap(1.0), 0.0);
    EXPECT_EQ(impact.overlap(impact.rebound_velocity()), 0.0);
}

TEST(HuntCrossleyImpact, StrongDampingEndsAtTheLimitVelocity) {
    const impact::HuntCrossleyImpact impact(0.01, 1e9, 1.5, 1e3, 2.0);
    EXPECT_NEAR(impact.rebound_velocity(), -1e-3, 1e-15);  // -1/mu
    EXPECT_TRUE(std::isinf(impact.contact_time()));        // it creeps out
    EXPECT_GT(impact.largest_overlap(), 0.0);
}

}  // namespace
