// Elastic-plastic and adhesive laws against the closed forms of their authors.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/contact/laws.hpp>

namespace {

using namespace stoss;
using contact::Separation;

TEST(WaltonBraun, ReboundEnergyIsTheRatioOfItsStiffnesses) {
    contact::WaltonBraun law;
    law.stiffness = 100.0;
    law.unloading_stiffness = 400.0;
    auto memory = law.prepare({});
    const double depth = 0.2, put_in = 0.5 * 100.0 * depth * depth;
    EXPECT_DOUBLE_EQ(law.stored_energy(depth, memory), put_in * 0.25);  // e^2 = k1/k2
    law.accept(memory, depth, 0.0);
    EXPECT_DOUBLE_EQ(law.end_overlap(memory), 0.15);
    EXPECT_NEAR(law.force(0.175, 0.0, memory), 10.0, 1e-13);
}

/// e of Thornton and Ning (1998), their equation for v > v_y, by r = v_y/v.
double thornton_ning_restitution(double r) {
    return std::sqrt(6.0 * std::sqrt(3.0) / 5.0) * std::sqrt(1.0 - r * r / 6.0) *
           std::pow(r / (r + 2.0 * std::sqrt(1.2 - 0.2 * r * r)), 0.25);
}

TEST(ThorntonNing, RestitutionIsThatOfTheAuthors) {
    contact::ThorntonNing law;
    law.stiffness = 1e6;
    law.yield_overlap = 1e-4;
    const auto memory = law.prepare({});
    // Half a kilogram brought to rest at overlap x: kinetic energy is the work of loading.
    const double mass = 0.5;
    const double yield_work = 0.4 * *law.stiffness * std::pow(*law.yield_overlap, 2.5);
    const double yield_speed = std::sqrt(2.0 * yield_work / mass);
    for (const double depth : {1.2e-4, 3e-4, 2e-3}) {
        const double y = *law.yield_overlap, force = law.force(y, 0.0, memory);
        const double beyond = depth - y;
        const double work =
            yield_work + force * beyond + 0.75 * *law.stiffness * std::sqrt(y) * beyond * beyond;
        const double speed = std::sqrt(2.0 * work / mass);
        const double e = std::sqrt(law.stored_energy(depth, memory) / work);
        EXPECT_NEAR(e, thornton_ning_restitution(yield_speed / speed), 1e-12) << depth;
    }
    EXPECT_DOUBLE_EQ(law.stored_energy(0.9e-4, memory),
                     0.4 * *law.stiffness * std::pow(0.9e-4, 2.5));
}

TEST(ThorntonNing, YieldPressureIsThatOfHertzAtTheYieldOverlap) {
    // p_0 = (2 E*/pi) sqrt(x/R*): the key's formula turned round.
    const double modulus = 70e9, radius = 5e-3, pressure = 1.6e9;
    const double overlap = radius * std::pow(std::numbers::pi * pressure / (2.0 * modulus), 2.0);
    const double force = contact::hertz_stiffness(modulus, radius) * std::pow(overlap, 1.5);
    const double area = std::numbers::pi * radius * overlap;
    EXPECT_NEAR(1.5 * force / area, pressure, 1e-6);
}

struct AdhesiveSpheres {
    double modulus = 1e9, radius = 1e-3, adhesion = 0.1;  // E* [Pa], R* [m], w [J/m^2]
    contact::Jkr law;
    AdhesiveSpheres() {
        law.stiffness = contact::hertz_stiffness(modulus, radius);
        law.pull_off_force = 1.5 * std::numbers::pi * adhesion * radius;
    }
};

TEST(Jkr, ForceAndOverlapAreThoseOfTheContactRadius) {
    const AdhesiveSpheres s;
    for (const double a : {8e-6, 2e-5, 1e-4}) {
        const double x =
            a * a / s.radius - std::sqrt(2.0 * std::numbers::pi * s.adhesion * a / s.modulus);
        const double force = 4.0 * s.modulus * a * a * a / (3.0 * s.radius) -
                             std::sqrt(8.0 * std::numbers::pi * s.adhesion * s.modulus * a * a * a);
        EXPECT_NEAR(s.law.force(x, 0.0, {}), force, 1e-11 * std::abs(force)) << a;
    }
}

TEST(Jkr, JumpsIntoContactAndPullsOffAtTheKnownForces) {
    const AdhesiveSpheres s;
    const double force = s.law.pull_off_force.value();
    EXPECT_NEAR(s.law.force(0.0, 0.0, {}), -8.0 / 9.0 * force, 1e-12 * force);
    EXPECT_NEAR(s.law.force(s.law.end_overlap({}), 0.0, {}), -5.0 / 9.0 * force, 1e-7 * force);
    double least = 0.0;
    for (int i = 0; i <= 1000; ++i) {
        least = std::min(least, s.law.force(s.law.end_overlap({}) * 1e-3 * i, 0.0, {}));
    }
    EXPECT_NEAR(least, -force, 1e-5 * force);
}

TEST(Jkr, LosesAtThePullOffWhatJohnsonAndPollockSay) {
    // 7.09 (w^5 R*^4/E*^2)^(1/3) (Thornton and Ning 1998).
    const AdhesiveSpheres s;
    contact::Contact contact(s.law, Separation::zero_overlap, 1.0);
    contact.accept(0.0, 1.0);
    contact.accept(1e-6, 1.0);
    const double lost = contact.accept(-1e-5, -1.0);
    const double known =
        std::cbrt(std::pow(s.adhesion, 5) * std::pow(s.radius, 4) / (s.modulus * s.modulus));
    EXPECT_NEAR(lost / known, 7.09, 5e-3);
}

TEST(Jkr, BecomesHertzWherePressedHard) {
    const AdhesiveSpheres s;
    const double x = 1e6 * -s.law.end_overlap({});
    EXPECT_NEAR(s.law.force(x, 0.0, {}) / (*s.law.stiffness * std::pow(x, 1.5)), 1.0, 1e-4);
}

TEST(Maugis, NamesTheKeyThatGivesAParameterOutOfRange) {
    contact::Maugis law;
    law.maugis_parameter = 1e3;
    ASSERT_EQ(law.check_numbers().size(), 1u);
    EXPECT_EQ(law.check_numbers()[0].key, "maugis_parameter");
    EXPECT_EQ(law.check_numbers()[0].value, "1000");
    law.adhesive_stress = 1e8;  // the parameter follows from it
    ASSERT_EQ(law.check_numbers().size(), 1u);
    EXPECT_EQ(law.check_numbers()[0].key, "adhesive_stress");
}

TEST(Jkr, IsRefusedWithARuleThatForbidsPulling) {
    const AdhesiveSpheres s;
    EXPECT_TRUE(check(s.law, Separation::zero_overlap).empty());
    EXPECT_EQ(check(s.law, Separation::zero_force).size(), 1u);
}

}  // namespace
