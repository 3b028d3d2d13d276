// What every contact law must satisfy, run over all laws of the variant unedited.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>

namespace {

using namespace stoss;

/// A law with every parameter inside its range: the default where there is one, else a number near
/// 1 scaled by `size`.
template <class Law>
Law admissible(double size) {
    Law law;
    core::for_each_field<Law>([&](const auto& field) {
        auto& member = law.*field.member;
        if constexpr (std::is_same_v<std::decay_t<decltype(member)>, double>) {
            if (core::is_given(member)) return;
            const double low = std::isfinite(field.range.low) ? field.range.low : 0.0;
            const double high = field.range.high;
            member = std::isfinite(high) ? low + (high - low) * 0.5 : low + size;
        }
    });
    return law;
}

template <class Law>
class EveryLaw : public testing::Test {};

template <class Variant>
struct TypesOf;
template <class... Laws>
struct TypesOf<std::variant<Laws...>> {
    using Types = testing::Types<Laws...>;
};
TYPED_TEST_SUITE(EveryLaw, TypesOf<contact::Law>::Types);

TYPED_TEST(EveryLaw, HasNoForceWithoutOverlap) {
    contact::Contact contact(admissible<TypeParam>(1e6), contact::Separation::zero_overlap);
    contact.accept(0.0, 1.0);
    for (const double rate : {-1.0, 0.0, 1.0}) {
        EXPECT_EQ(contact.force(-1e-6, rate), 0.0);
        EXPECT_EQ(contact.stored_energy(-1e-6), 0.0);
        EXPECT_EQ(contact.dissipated_power(-1e-6, rate), 0.0);
    }
    EXPECT_EQ(contact.force(0.0, -1.0), 0.0);
}

TYPED_TEST(EveryLaw, IsPure) {
    const TypeParam law = admissible<TypeParam>(1e6);
    const auto memory = law.onset(1.0);
    EXPECT_EQ(law.force(1e-4, 0.5, memory), law.force(1e-4, 0.5, memory));
}

TYPED_TEST(EveryLaw, TangentByDualNumbersIsTheDifferenceQuotient) {
    const TypeParam law = admissible<TypeParam>(1e6);
    const auto memory = law.onset(1.0);
    for (const double x : {1e-5, 3e-4, 2e-2}) {
        for (const double v : {-0.3, 0.0, 0.7}) {
            const double dx = 1e-6 * x;
            const double by_x =
                (law.force(x + dx, v, memory) - law.force(x - dx, v, memory)) / (2 * dx);
            const double dual_x =
                law.force(core::Dual::variable(x), core::Dual(v), memory).derivative;
            const double roundoff = 1e-15 * std::abs(law.force(x, v, memory)) / dx;
            EXPECT_NEAR(dual_x, by_x, 1e-7 * std::abs(by_x) + roundoff);
            const double dv = 1e-6;
            const double by_v =
                (law.force(x, v + dv, memory) - law.force(x, v - dv, memory)) / (2 * dv);
            const double dual_v =
                law.force(core::Dual(x), core::Dual::variable(v), memory).derivative;
            EXPECT_NEAR(dual_v, by_v, 1e-6 * std::abs(law.force(x, v, memory)) + 1e-9);
        }
    }
}

TYPED_TEST(EveryLaw, DualNumbersCarryTheSameValue) {
    const TypeParam law = admissible<TypeParam>(1e6);
    const auto memory = law.onset(1.0);
    EXPECT_EQ(law.force(core::Dual(1e-4), core::Dual(0.2), memory).value,
              law.force(1e-4, 0.2, memory));
    EXPECT_EQ(law.stored_energy(core::Dual(1e-4), memory).value, law.stored_energy(1e-4, memory));
}

TYPED_TEST(EveryLaw, IsTheGradientOfItsStoredEnergyIfElastic) {
    const TypeParam law = admissible<TypeParam>(1e6);
    const auto memory = law.onset(1.0);
    for (const double x : {1e-6, 1e-3}) {
        const double gradient = law.stored_energy(core::Dual::variable(x), memory).derivative;
        const double force = law.force(x, 1.0, memory);
        if (TypeParam::is_elastic) {
            EXPECT_NEAR(gradient / force, 1.0, 1e-12);
        } else {
            EXPECT_LT(gradient, force);
        }
    }
}

TYPED_TEST(EveryLaw, GivesNoWorkInACycle) {
    // Overlap x = X sin^2(t): in and out once. What comes back is never more than what went in.
    contact::Contact contact(admissible<TypeParam>(1e6), contact::Separation::zero_force);
    contact.accept(0.0, 1.0);
    const int steps = 20000;
    const double depth = 1e-3, pi = std::acos(-1.0), dt = pi / steps;
    double work = 0.0, largest = 0.0, before = 0.0;
    for (int i = 1; i < steps; ++i) {
        const double t = i * dt;
        const double x = depth * std::sin(t) * std::sin(t), v = depth * std::sin(2.0 * t);
        const double power = contact.force(x, v) * v;
        work += 0.5 * (before + power) * dt;
        before = power;
        largest = std::max(largest, work);
        contact.accept(x, v);
    }
    EXPECT_GT(largest, 0.0);
    EXPECT_GE(work, -1e-6 * largest);
}

TYPED_TEST(EveryLaw, NeverPullsUnderTheZeroForceRule) {
    contact::Contact contact(admissible<TypeParam>(1e6), contact::Separation::zero_force);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int i = 0; i < 1000; ++i) {
        const double x = 1e-3 * unit(random), v = unit(random);
        EXPECT_GE(contact.force(x, v), 0.0);
        contact.accept(x, v);
    }
}

TYPED_TEST(EveryLaw, TellsNameMeaningAndEachKeyOnce) {
    EXPECT_FALSE(std::string(TypeParam::name).empty());
    EXPECT_FALSE(std::string(TypeParam::meaning).empty());
    std::set<std::string> keys;
    core::for_each_field<TypeParam>([&](const auto& field) {
        EXPECT_TRUE(keys.insert(std::string(field.name)).second) << field.name;
        EXPECT_FALSE(field.meaning.empty()) << field.name;
        EXPECT_NE(field.name, "law");
        EXPECT_NE(field.name, "separation");
    });
}

TEST(Laws, HaveDistinctNames) {
    std::set<std::string> names;
    core::for_each_alternative<contact::Law>([&]<class Law>(std::type_identity<Law>) {
        EXPECT_TRUE(names.insert(std::string(Law::name)).second) << Law::name;
    });
}

}  // namespace
