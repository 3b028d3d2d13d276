// Damping from a wanted restitution: what comes out is what was asked for.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/damping.hpp>
#include <stoss/contact/laws.hpp>

namespace {

using namespace stoss;
using contact::HuntCrossleyRule;
using contact::Separation;

constexpr std::array rules{Separation::zero_force, Separation::zero_overlap};

/// Wanted restitutions: evenly, near 0 and near 1.
double random_restitution(std::mt19937& random) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const double u = unit(random);
    switch (random() % 3) {
        case 0:
            return std::pow(10.0, -4.0 * u);
        case 1:
            return 1.0 - std::pow(10.0, -16.0 * u);
        default:
            return 1e-4 + (1.0 - 1e-4) * u;
    }
}

TEST(HuntCrossleyDamping, ExactRuleGivesTheRestitutionAskedFor) {
    std::mt19937 random(1);
    for (int i = 0; i < 10000; ++i) {
        const double e = random_restitution(random);
        const double z = contact::hunt_crossley_number(e, HuntCrossleyRule::exact);
        EXPECT_NEAR(contact::hunt_crossley_restitution(z), e, 4e-15);
    }
}

TEST(HuntCrossleyDamping, PublishedRulesGiveWhatTheTableSays) {
    // Wanted e; given by (13), (14), (15), (16) of Poursina and Nikravesh 2020.
    constexpr double table[5][5] = {{.9, .909016, .913177, .899900, .893921},
                                    {.7, .768000, .795973, .697297, .683184},
                                    {.5, .662962, .725241, .487741, .470445},
                                    {.3, .581288, .684225, .270658, .256208},
                                    {.1, .515833, .665265, .074074, .069444}};
    constexpr std::array published{HuntCrossleyRule::hunt_crossley_1975,
                                   HuntCrossleyRule::lankarani_nikravesh_1990,
                                   HuntCrossleyRule::hu_guo, HuntCrossleyRule::flores};
    for (const auto& row : table) {
        for (std::size_t rule = 0; rule < published.size(); ++rule) {
            const double z = contact::hunt_crossley_number(row[0], published[rule]);
            EXPECT_NEAR(contact::hunt_crossley_restitution(z), row[rule + 1], 5.1e-7);
        }
    }
}

TEST(HuntCrossleyDamping, TwoPublishedRulesHaveAFloor) {
    EXPECT_NEAR(contact::least_restitution(HuntCrossleyRule::hunt_crossley_1975), 0.487741, 5e-7);
    EXPECT_NEAR(contact::least_restitution(HuntCrossleyRule::lankarani_nikravesh_1990), 0.662962,
                5e-7);
    for (const auto rule :
         {HuntCrossleyRule::hu_guo, HuntCrossleyRule::flores, HuntCrossleyRule::exact}) {
        EXPECT_EQ(contact::least_restitution(rule), 0.0);
    }
}

TEST(HuntCrossleyDamping, RestitutionIsContinuousWhereTheFormulaChanges) {
    EXPECT_NEAR(contact::hunt_crossley_restitution(0.5),
                contact::hunt_crossley_restitution(0.5 * (1.0 + 1e-15)), 2e-15);
    EXPECT_EQ(contact::hunt_crossley_restitution(0.0), 1.0);
    EXPECT_NEAR(contact::hunt_crossley_restitution(1e-9), 1.0 - 2e-9 / 3.0, 2e-16);
    EXPECT_NEAR(contact::hunt_crossley_restitution(1e5) * 1e5, 1.0, 1e-15);
}

TEST(OscillatorDamping, RestitutionAtZeroForceIsThatOfButcherAndSegalman) {
    const auto e = [](double xi) {
        return contact::oscillator_restitution(xi, Separation::zero_force);
    };
    EXPECT_NEAR(e(0.5), 0.298436059192, 5e-13);
    EXPECT_NEAR(e(1.5), 0.075588309365, 5e-13);  // the exponent as printed would be off here
    EXPECT_NEAR(e(3.0), 0.023769514069, 5e-13);
    EXPECT_NEAR(e(1.0), std::exp(-2.0), 1e-15);
    EXPECT_NEAR(e(1.0 - 1e-9), e(1.0 + 1e-9), 1e-9);
    EXPECT_EQ(e(0.0), 1.0);
}

TEST(OscillatorDamping, RatioGivesTheRestitutionAskedFor) {
    std::mt19937 random(2);
    for (const Separation separation : rules) {
        for (int i = 0; i < 10000; ++i) {
            const double e = random_restitution(random);
            const double ratio = contact::oscillator_damping_ratio(e, separation);
            EXPECT_NEAR(contact::oscillator_restitution(ratio, separation), e, 4e-16);
        }
    }
}

TEST(OscillatorDamping, BeyondCriticalTheOverlapNeverVanishes) {
    EXPECT_EQ(contact::oscillator_restitution(1.0, Separation::zero_overlap), 0.0);
    EXPECT_EQ(contact::oscillator_restitution(2.0, Separation::zero_overlap), 0.0);
}

TEST(ViscoelasticDamping, LinearDampingNumbersAreThoseOfAnIndependentComputation) {
    constexpr double exponents[5] = {1.0, 1.2, 1.5, 1.8, 2.0};
    constexpr double table[6][6] = {
        {.9, .068530408, .064950107, .061557464, .059582644, .058755784},
        {.7, .244429496, .231795806, .219678243, .212379210, .209160559},
        {.5, .510551275, .481149060, .451733515, .432770299, .423746632},
        {.3, .994478789, .923459839, .849704506, .799636432, .774595946},
        {.1, 2.486375702, 2.217923755, 1.938616813, 1.747729885, 1.651372150},
        {1e-4, 99.91778751, 65.73539863, 39.77306883, 26.80032246, 21.52243073}};
    for (const auto& row : table) {
        for (int i = 0; i < 5; ++i) {
            const double number =
                contact::viscoelastic_number(row[0], exponents[i], 1.0, Separation::zero_force);
            EXPECT_NEAR(number, row[i + 1], 6e-9 + 6e-10 * row[i + 1]);
        }
    }
}

TEST(ViscoelasticDamping, NumberGivesTheRestitutionAskedFor) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < 150; ++i) {
        const double e = std::max(random_restitution(random), 1e-3);
        const double alpha = 1.0 + unit(random), beta = 1.0 + unit(random);
        for (const Separation separation : rules) {
            const double gamma = contact::viscoelastic_number(e, alpha, beta, separation);
            EXPECT_NEAR(contact::viscoelastic_restitution(gamma, alpha, beta, separation), e, 2e-12)
                << e << " " << alpha << " " << beta;
        }
    }
}

TEST(ViscoelasticDamping, TheNumberIsThatOfItsArgumentsWhateverWasAskedForBefore) {
    const auto number = [](int i) {
        return contact::viscoelastic_number(i & 1 ? 0.5 : 0.8, i & 2 ? 1.5 : 1.2, i & 4 ? 1.1 : 1.7,
                                            rules[i & 8 ? 1 : 0]);
    };
    std::vector<double> found;
    for (int i = 0; i < 16; ++i) {
        found.push_back(number(i));
        EXPECT_EQ(number(i), found.back()) << i;
        for (int before = 0; before < i; ++before)
            EXPECT_NE(found[static_cast<std::size_t>(before)], found.back()) << before << " " << i;
    }
    for (int i = 15; i >= 0; --i) EXPECT_EQ(number(i), found[static_cast<std::size_t>(i)]) << i;
}

TEST(ViscoelasticDamping, ClosedFormsContinueTheIntegratedOnes) {
    const double tiny = 1e-9;  // beta this far from a closed form is integrated
    for (const Separation separation : rules) {
        for (const double gamma : {0.05, 0.4, 1.2}) {
            for (const double beta : {1.25, 2.5}) {
                EXPECT_NEAR(contact::viscoelastic_restitution(gamma, 1.5, beta, separation),
                            contact::viscoelastic_restitution(gamma, 1.5, beta + tiny, separation),
                            1e-8);
            }
        }
    }
}

TEST(ViscoelasticDamping, HighExponentsAreIntegratedAsExactlyAsLowOnes) {
    // Exponents of the damping one bit from those of the closed forms are integrated.
    const double next = 1.0 + 4.0 * std::numeric_limits<double>::epsilon();
    for (const double alpha : {1.0, 1.5, 3.0, 4.0, 8.0, 15.0, 20.0, 50.0}) {
        for (const double number : {1e-3, 0.1, 1.0}) {
            const double beta = alpha + 1.0, gamma = number / beta;
            EXPECT_NEAR(contact::viscoelastic_restitution(gamma, alpha, beta * next,
                                                          Separation::zero_overlap),
                        contact::hunt_crossley_restitution(number), 1e-12)
                << alpha << " " << number;
            const double half = 0.5 * beta;
            for (const Separation separation : rules) {
                const double zeta = 0.4 * number;
                EXPECT_NEAR(contact::viscoelastic_restitution(2.0 * zeta / std::sqrt(half), alpha,
                                                              half * next, separation),
                            contact::oscillator_restitution(zeta, separation), 1e-12)
                    << alpha << " " << zeta;
            }
        }
    }
}

TEST(ViscoelasticDamping, HeavyLinearDampingLetsTheBodiesStickUnderZeroOverlap) {
    EXPECT_EQ(contact::viscoelastic_restitution(3.0, 1.5, 1.0, Separation::zero_overlap), 0.0);
    EXPECT_GT(contact::viscoelastic_restitution(3.0, 1.5, 1.0, Separation::zero_force), 0.04);
}

TEST(ViscoelasticDamping, KuwabaraKonoLosesAsItsFirstOrderSays) {
    // C_0 = 1.730173287142 of Chatterjee et al. in 1 - e = C_0 gamma.
    const double gamma = 1e-7;
    const double e = contact::viscoelastic_restitution(gamma, 1.5, 1.5, Separation::zero_overlap);
    EXPECT_NEAR((1.0 - e) / gamma, 1.7301732871, 1e-6);
}

TEST(LinearDampingFit, IsThePublishedOneWithItsError) {
    EXPECT_NEAR(contact::linear_damping_fit(0.5, 1.0),
                1.4181 * (std::pow(0.5, 1.285 - 1.725) - 1.0), 1e-12);
    double worst = 0.0, worst_e = 0.0;
    for (double e = 0.05; e < 1.0; e += 0.01) {
        const double c = contact::linear_damping_fit(e, 1.0);
        const double given = contact::viscoelastic_restitution(c, 1.0, 1.0, Separation::zero_force);
        if (std::abs(given - e) > worst) {
            worst = std::abs(given - e);
            worst_e = e;
        }
    }
    EXPECT_NEAR(worst, 3.37e-3, 5e-6);
    EXPECT_NEAR(worst_e, 0.65, 0.011);
}

/// Rebound speed over approach speed of a law in action, integrated with no knowledge of it.
template <class Law>
double rebound(const Law& law, Separation separation, double mass, double speed, double time) {
    contact::Contact contact(law, separation, mass);
    contact.accept(0.0, speed);
    // Velocity Verlet with the rate of the middle: of order 2, plain, and sure of its ends.
    const int steps = 200000;
    const double dt = time / steps;
    double x = 0.0, v = speed;
    for (int i = 0; i < 100 * steps; ++i) {
        const double half = v - 0.5 * dt * contact.force(x, v) / mass;
        const double x_new = x + dt * half;
        const double v_new = half - 0.5 * dt * contact.force(x_new, half) / mass;
        contact.accept(x_new, v_new);
        x = x_new;
        v = v_new;
        if (v < 0.0 && contact.force(x, v) == 0.0 && contact.force(x, 0.0) == 0.0)
            return -v / speed;
    }
    return -1.0;
}

/// Sets the wanted restitution of a law and looks at what it gives, at two speeds and masses.
template <class Law>
void expect_wanted(Law law, double stiffness, double e, Separation separation) {
    law.stiffness = stiffness;
    law.restitution = e;
    ASSERT_TRUE(check(law, separation).empty());
    for (const double speed : {0.3, 4.0}) {
        for (const double mass : {0.05, 2.0}) {
            const double time = 3.0 * std::pow(mass / stiffness, 0.4);
            EXPECT_NEAR(rebound(law, separation, mass, speed, time), e, 3e-4)
                << Law::name << " " << speed << " m/s " << mass << " kg";
        }
    }
}

TEST(WantedRestitution, IsWhatEveryLawGivesAtAnySpeedAndMass) {
    for (const Separation separation : rules) {
        expect_wanted(contact::KelvinVoigt{}, 1e4, 0.6, separation);
        expect_wanted(contact::LinearDamping{}, 1e4, 0.6, separation);
        expect_wanted(contact::HuntCrossley{}, 1e4, 0.6, separation);
        expect_wanted(contact::Tsuji{}, 1e4, 0.6, separation);
        expect_wanted(contact::KuwabaraKono{}, 1e4, 0.6, separation);
        expect_wanted(contact::SimonHuntCrossley{}, 1e4, 0.6, separation);
        expect_wanted(contact::Viscoelastic{}, 1e4, 0.6, separation);
        expect_wanted(contact::WaltonBraun{}, 1e4, 0.6, separation);
    }
}

TEST(WantedRestitution, ExcludesTheDampingItself) {
    contact::HuntCrossley law;
    law.stiffness = 1e6;
    auto violations = check(law, Separation::zero_force);
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].key, "damping_factor");
    law.damping_factor = 0.1;
    EXPECT_TRUE(check(law, Separation::zero_force).empty());
    law.restitution = 0.5;
    violations = check(law, Separation::zero_force);
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].key, "restitution");
}

TEST(WantedRestitution, BelowTheFloorOfARuleIsRefusedWithWhatItWouldGive) {
    contact::HuntCrossley law;
    law.stiffness = 1e6;
    law.restitution = 0.3;
    law.rule = HuntCrossleyRule::hunt_crossley_1975;
    const auto violations = check(law, Separation::zero_force);
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].rule,
              "rule `hunt_crossley_1975` gives no restitution below 0.4877; for the wanted value "
              "it gives "
              "0.5813");
    law.restitution = 0.5;
    EXPECT_TRUE(check(law, Separation::zero_force).empty());
}

TEST(WantedRestitution, ByTheFitIsRefusedWhereTheFitDoesNotHold) {
    contact::LinearDamping law;
    law.stiffness = 1e6;
    law.restitution = 0.5;
    law.rule = contact::LinearDampingRule::poursina_nikravesh_2020;
    EXPECT_TRUE(check(law, Separation::zero_force).empty());
    EXPECT_EQ(check(law, Separation::zero_overlap).size(), 1u);
    law.exponent = 2.5;
    EXPECT_EQ(check(law, Separation::zero_force).size(), 1u);
}

}  // namespace
