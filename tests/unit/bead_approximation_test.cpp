// Published approximations of a bead's restitution.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include <stoss/contact/laws.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/impact/bead_approximation.hpp>
#include <stoss/impact/restitution.hpp>

namespace {

using namespace stoss;

double exact(double gamma, double g, double alpha, double beta) {
    contact::Viscoelastic law;
    law.stiffness = 1.0;
    law.exponent = alpha;
    law.damping_exponent = beta;
    law.damping_factor = gamma;
    return impact::coefficient_of_restitution(law,
                                              {1.0, 1.0, g, 0.0, contact::Separation::zero_overlap})
        .value();
}

TEST(BeadTaylor, HasThePublishedCoefficients) {
    const auto [c0, c1, c2] = impact::bead_taylor(1.5, 1.5);
    EXPECT_NEAR(c0, 1.7301732871429, 1e-13);
    EXPECT_NEAR(c1, 3.0, 1e-13);
    EXPECT_NEAR(c2, -1.7960997621, 1e-10);
}

TEST(BeadTaylor, IsRightToSecondOrder) {
    for (const double beta : {1.0, 1.25, 1.5, 2.5}) {
        const double h = 1e-3;
        const auto error = [&](double gamma) {
            return std::abs(impact::taylor_cor(gamma, 0.0, 1.5, beta) -
                            exact(gamma, 0.0, 1.5, beta));
        };
        EXPECT_NEAR(std::log2(error(2.0 * h) / error(h)), 3.0, 0.1) << beta;
        const double g = 1e-4,
                     mixed = (exact(h, g, 1.5, beta) - exact(h, 0.0, 1.5, beta)) / (h * g);
        EXPECT_NEAR(mixed / impact::bead_taylor(1.5, beta).c1, -1.0, 0.02) << beta;
    }
}

TEST(BeadTaylor, HasTheCoefficientsOfSchwagerAndPoeschel2008) {
    // (b-26), (b-27)
    const auto [c0, c1, c2] = impact::bead_taylor(1.5, 1.5);
    EXPECT_NEAR(c0, 1.5 * 1.153448854, 2e-8);
    EXPECT_NEAR(c2, -2.25 * 0.7982665553, 2e-8);
}

TEST(BeadIntegrals, AreBetaFunctionsWithoutLoad) {
    for (const double beta : {1.0, 1.5, 2.5}) {
        const auto quadrature = impact::bead_integrals(0.0, 1.5, beta);
        const auto by_beta = impact::bead_integrals_by_beta_functions(0.0, 1.5, beta);
        EXPECT_NEAR(quadrature.i0 / (impact::bead_taylor(1.5, beta).c0 / beta), 1.0, 1e-12);
        EXPECT_NEAR(by_beta.i0 / quadrature.i0, 1.0, 1e-7);
        EXPECT_NEAR(by_beta.q0 / quadrature.q0, 1.0, 1e-7);
    }
}

TEST(BeadIntegrals, OfPropositionThreeLoseDigitsWithTheDegree) {
    const double q0 = impact::bead_integrals(1.0, 1.5, 1.5).q0;
    const auto error = [&](int n) {
        return std::abs(impact::bead_integrals_by_beta_functions(1.0, 1.5, 1.5, n).q0 / q0 - 1.0);
    };
    EXPECT_LT(error(21), 1e-3);
    EXPECT_LT(error(21), error(5));
    EXPECT_GT(error(41), 1.0);
    EXPECT_THROW(impact::bead_integrals_by_beta_functions(1.0, 1.5, 1.5, 20),
                 std::invalid_argument);
}

TEST(SecondOrderRestitution, IsRightToSecondOrderUnderLoad) {
    for (const double g : {0.05, 1.0, 10.0}) {
        const auto integrals = impact::bead_integrals(g, 1.5, 1.5);
        const double h = 0.02 / integrals.i0;
        const auto error = [&](double gamma) {
            return std::abs(impact::second_order_cor(gamma, 1.5, integrals) -
                            exact(gamma, g, 1.5, 1.5));
        };
        EXPECT_GT(std::log2(error(h) / error(0.5 * h)), 2.7) << g;
    }
}

TEST(LargeLoad, HasThePublishedConstantAndLaw) {
    const auto [c, p] = impact::large_load(1.5, 1.5);
    EXPECT_NEAR(c, 4.4039858, 5e-8);
    EXPECT_NEAR(p, 11.0 / 6.0, 1e-15);
    EXPECT_NEAR(impact::large_load_critical_load(0.01, 1.5, 1.5), 3.762896, 5e-7);
    const double gamma = impact::large_load_critical_damping(7.0, 1.5, 1.5);
    EXPECT_NEAR(impact::large_load_critical_load(gamma, 1.5, 1.5), 7.0, 1e-12);
    EXPECT_NEAR(impact::large_load_cor(gamma, 7.0, 1.5, 1.5), 0.0, 1e-7);
}

TEST(LargeLoad, IsApproachedByTheExactRestitution) {
    for (const double alpha : {1.0, 1.5, 3.0}) {
        for (const double beta : {1.0, 1.5, 2.5}) {
            const auto distance = [&](double g) {
                const double gamma = 0.5 * impact::large_load_critical_damping(g, alpha, beta);
                return std::abs(exact(gamma, g, alpha, beta) -
                                impact::large_load_cor(gamma, g, alpha, beta));
            };
            const double order = 0.5 * std::log10(distance(1e2) / distance(1e4));
            EXPECT_NEAR(order, 1.0 + 1.0 / alpha, 0.06) << alpha << " " << beta;
            EXPECT_LT(distance(1e7), 1e-8) << alpha << " " << beta;
        }
    }
}

TEST(BeadNumbers, SayAllOfTheRestitution) {
    // Fig. 5: 8 mm steel bead at 0.246 m/s; gamma and g by (b-3) and (b-4) for alpha = beta = 3/2.
    const double per_mass = 6.9716e9 / 2.05e-3;
    const double gamma = 1e-6 * core::pow(0.246, 0.2) * core::pow(per_mass, 0.4);
    const double g = core::pow(per_mass, -0.4) * core::pow(0.246, -1.2) * 9.8;
    EXPECT_NEAR(g, 5.122388e-4, 5e-10);
    // A bead of these two numbers has the restitution of the physical one.
    contact::KuwabaraKono law;
    law.stiffness = 6.9716e9;
    law.damping_factor = 1e-6;
    EXPECT_NEAR(impact::coefficient_of_restitution(
                    law, {0.246, 2.05e-3, 9.8, 0.0, contact::Separation::zero_overlap})
                    .value(),
                exact(gamma, g, 1.5, 1.5), 1e-12);
}

}  // namespace
