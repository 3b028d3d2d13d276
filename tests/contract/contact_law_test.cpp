// What every contact law must satisfy, run over all laws of the variant unedited.
//
// Everything is computed in natural units: parameters, masses, speeds and overlaps are near 1.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>

namespace {

using namespace stoss;
using contact::Separation;

using Random = std::mt19937;

double between(Random& random, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

/// A law whose parameters have random values inside their ranges, the optional ones in turn: where
/// two exclude each other, `check` says so and one is left out again.
template <class Law>
Law admissible(Random& random, Separation separation) {
    if constexpr (requires(Law law) { law.function; }) {
        const double k = between(random, 0.2, 1.0), mu = between(random, 0.2, 1.0);
        Law law;
        law.function = std::make_shared<const contact::ForceFunction>(
            [=](double x, double v) { return k * x * std::sqrt(x) * (1.0 + mu * v); });
        return law;
    }
    if constexpr (requires(Law law) { law.force_points; }) {
        const double top = between(random, 2.5, 3.0), n = between(random, 1.0, 2.0);
        const bool loses = between(random, 0.0, 1.0) < 0.7;
        Law law;
        for (int i = 0; i <= 40; ++i) {
            law.overlap.push_back(top * i / 40.0);
            law.force_points.push_back(std::pow(law.overlap.back(), n));
            if (loses)
                law.unloading_force.push_back(std::pow(top, n) * std::pow(i / 40.0, 2.0 * n));
        }
        return law;
    }
    for (int attempt = 0; attempt < 1000; ++attempt) {
        Law law;
        const bool skip_first = attempt % 2 == 1;
        for (const bool second_round : {false, true}) {
            core::for_each_field<Law>([&](const auto& field) {
                auto& member = law.*field.member;
                if constexpr (std::is_same_v<std::decay_t<decltype(member)>,
                                             std::optional<double>>) {
                    if (member) return;
                    const bool may_be_skipped = skip_first && !second_round && !field.is_required;
                    if (may_be_skipped && between(random, 0.0, 1.0) < 0.5) return;
                    const double low = std::isfinite(field.range.low) ? field.range.low : 0.0;
                    const double span =
                        std::isfinite(field.range.high) ? field.range.high - low : 1.0;
                    member = low + span * between(random, 0.2, 1.0);
                    for (const core::Violation& violation : check(law, separation)) {
                        if (violation.key == field.name) member.reset();
                    }
                }
            });
        }
        if (!check(law, separation).empty()) continue;
        contact::set_from_bodies(law, {1.0, 1.0, 1.0});
        if constexpr (requires { law.check_numbers(); }) {
            if (!law.check_numbers().empty()) continue;
        }
        return law;
    }
    return {};
}

/// The separation rules that a law of this type can be used with.
template <class Law>
std::vector<Separation> rules() {
    std::vector<Separation> usable;
    for (const Separation rule : {Separation::zero_force, Separation::zero_overlap}) {
        bool is_usable = false;  // numbers that follow from the bodies exclude their sources
        for (unsigned seed = 1; seed <= 20 && !is_usable; ++seed) {
            Random random(seed);
            is_usable = check(admissible<Law>(random, rule), rule).empty();
        }
        if (is_usable) usable.push_back(rule);
    }
    return usable;
}

/// Memory of an impact of unit mass at unit speed that has come to the overlap `largest`.
template <class Law>
typename Law::Memory begun(const Law& law, Separation separation, double largest = 0.0) {
    auto memory = law.prepare({1.0, separation});
    law.onset(memory, 1.0);
    if (largest > 0.0) law.accept(memory, largest, 0.5);
    return memory;
}

/// Calls `f(law, separation, random)` for many laws of the type.
template <class Law, class F>
void for_many(F&& f, int laws = 30) {
    Random random(7);
    for (const Separation separation : rules<Law>()) {
        for (int i = 0; i < laws; ++i) f(admissible<Law>(random, separation), separation, random);
    }
}

template <class Law>
class EveryLaw : public testing::Test {};

template <class Variant>
struct TypesOf;
template <class... Laws>
struct TypesOf<std::variant<Laws...>> {
    using Types = testing::Types<Laws...>;
};

struct NameOfLaw {
    template <class Law>
    static std::string GetName(int /*index*/) {
        return std::string(Law::name);
    }
};
TYPED_TEST_SUITE(EveryLaw, TypesOf<contact::Law>::Types, NameOfLaw);

TYPED_TEST(EveryLaw, CanBeUsedWithAtLeastOneSeparationRule) {
    EXPECT_FALSE(rules<TypeParam>().empty());
}

TYPED_TEST(EveryLaw, HasNoForceApart) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        contact::Contact contact(law, separation, 1.0);
        contact.accept(-1.0, 1.0);
        for (const double rate : {-1.0, 0.0, 1.0}) {
            const double gap = between(random, 0.0, 1.0);
            EXPECT_EQ(contact.force(-gap, rate), 0.0);
            EXPECT_EQ(contact.stored_energy(-gap), 0.0);
            EXPECT_EQ(contact.dissipated_power(-gap, rate), 0.0);
        }
        EXPECT_EQ(contact.force(0.0, -1.0), 0.0);
    });
}

TYPED_TEST(EveryLaw, AtRestAtZeroOverlapHasAForceOnlyIfItAttracts) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& /*random*/) {
        const auto memory = begun(law, separation);
        const double force = law.force(0.0, 0.0, memory);
        if (contact::end_overlap(law, memory) < 0.0) {
            EXPECT_LT(force, 0.0);
        } else if (separation == Separation::zero_force) {
            EXPECT_EQ(force, 0.0);
        } else {
            EXPECT_LE(force, 0.0);
        }
        EXPECT_NEAR(law.stored_energy(0.0, memory), 0.0, 1e-14);
    });
}

TYPED_TEST(EveryLaw, PushesWherePressed) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        const auto memory = begun(law, separation);
        const bool attracts = law.force(0.0, 0.0, memory) < 0.0;
        const double x = between(random, 1.0, 2.0) * (attracts ? 20.0 : 1.0);
        EXPECT_GT(law.force(x, 0.1, memory), 0.0);
    });
}

TYPED_TEST(EveryLaw, IsPure) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        const auto memory = begun(law, separation, between(random, 0.0, 1.0));
        const double x = between(random, 0.0, 1.0), v = between(random, -1.0, 1.0);
        const double first = law.force(x, v, memory);
        law.force(2.0 * x, -v, memory);
        EXPECT_EQ(law.force(x, v, memory), first);
    });
}

TYPED_TEST(EveryLaw, TangentByDualNumbersIsTheDifferenceQuotient) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        const auto memory = begun(law, separation, between(random, 0.0, 1.0));
        // Behind a dent, where the force begins as the power 3/2 of the overlap, as at x = 0.
        const double x =
            std::max(between(random, 0.05, 1.5), 0.05 + contact::end_overlap(law, memory));
        const double v = between(random, -1.0, 1.0);
        const double d = 1e-5;
        const double by_x = (law.force(x + d, v, memory) - law.force(x - d, v, memory)) / (2 * d);
        const double by_v = (law.force(x, v + d, memory) - law.force(x, v - d, memory)) / (2 * d);
        const double dual_x = law.force(core::Dual::variable(x), core::Dual(v), memory).derivative;
        const double dual_v = law.force(core::Dual(x), core::Dual::variable(v), memory).derivative;
        // Third derivatives near x = 0.05 are large; the roundoff of a quotient is 1e-11.
        EXPECT_NEAR(dual_x, by_x, 1e-6 * std::abs(by_x) + 1e-9);
        EXPECT_NEAR(dual_v, by_v, 1e-9 * std::abs(by_v) + 1e-9);
    });
}

TYPED_TEST(EveryLaw, DualNumbersCarryTheSameValue) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        const auto memory = begun(law, separation, between(random, 0.0, 1.0));
        const double x = between(random, 0.0, 1.5), v = between(random, -1.0, 1.0);
        EXPECT_EQ(law.force(core::Dual::variable(x), core::Dual(v), memory).value,
                  law.force(x, v, memory));
        EXPECT_EQ(law.stored_energy(core::Dual::variable(x), memory).value,
                  law.stored_energy(x, memory));
    });
}

TYPED_TEST(EveryLaw, IsAffineInTheRate) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        const auto memory = begun(law, separation, between(random, 0.0, 1.0));
        const double x = between(random, 0.0, 1.5), v = between(random, -1.0, 1.0);
        const double mean = 0.5 * (law.force(x, v + 0.5, memory) + law.force(x, v - 0.5, memory));
        EXPECT_NEAR(law.force(x, v, memory), mean, 1e-13 * (1.0 + std::abs(mean)));
    });
}

TYPED_TEST(EveryLaw, IsTheGradientOfItsStoredEnergyIfElastic) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        const auto memory = begun(law, separation);
        const double x = between(random, 0.1, 2.0);
        const double gradient = law.stored_energy(core::Dual::variable(x), memory).derivative;
        const double force = law.force(x, 1.0, memory);
        if (TypeParam::is_elastic) {
            EXPECT_NEAR(gradient, force, 1e-12 * (1.0 + std::abs(force)));
        } else {
            EXPECT_LE(gradient, force + 1e-12 * (1.0 + std::abs(force)));
        }
    });
}

/// A random smooth path of the overlap: in and out many times.
struct Path {
    double amplitude[3], frequency[3], phase[3];

    explicit Path(Random& random) {
        for (int i = 0; i < 3; ++i) {
            amplitude[i] = between(random, 0.1, 0.6);
            frequency[i] = between(random, 0.5, 3.0);
            phase[i] = between(random, 0.0, 6.0);
        }
    }
    double x(double t) const {
        double sum = -0.2;
        for (int i = 0; i < 3; ++i) sum += amplitude[i] * std::sin(frequency[i] * t + phase[i]);
        return sum;
    }
    double v(double t) const {
        double sum = 0.0;
        for (int i = 0; i < 3; ++i)
            sum += amplitude[i] * frequency[i] * std::cos(frequency[i] * t + phase[i]);
        return sum;
    }
};

/// Where the energy went on a path.
struct Books {
    double work = 0.0, stored = 0.0, lost = 0.0, throughput = 0.0;
};

/// Trapezoidal sums along the path; a jump of the force counts as half a step of it.
template <class Law>
Books follow(const Law& law, Separation separation, const Path& path) {
    contact::Contact contact(law, separation, 1.0);
    Books books;
    const double dt = 5e-4;
    int step = 0;
    while (path.x(step * dt) > -0.1) ++step;  // apart
    double force = 0.0, dissipated = 0.0, x_before = path.x(step * dt);
    for (const int end = step + 20000; step < end; ++step) {
        const double x = path.x(step * dt), v = path.v(step * dt);
        const double force_now = contact.force(x, v),
                     dissipated_now = contact.dissipated_power(x, v);
        const double work = 0.5 * (force + force_now) * (x - x_before);
        books.work += work;
        books.throughput += std::abs(work);
        books.lost += 0.5 * dt * (dissipated + dissipated_now) + contact.accept(x, v);
        force = force_now;
        dissipated = dissipated_now;
        x_before = x;
    }
    books.stored = contact.stored_energy(x_before);
    return books;
}

TYPED_TEST(EveryLaw, TurnsWorkIntoWhatIsStoredAndWhatIsLostAndGivesNothingBeyond) {
    for_many<TypeParam>(
        [](const auto& law, Separation separation, Random& random) {
            const Books books = follow(law, separation, Path(random));
            const double tolerance = 2e-3 * books.throughput + 1e-4;
            EXPECT_NEAR(books.work, books.stored + books.lost, tolerance);
            EXPECT_GE(books.lost, -1e-14);
            EXPECT_GE(books.work, books.stored - tolerance);
        },
        10);
}

TYPED_TEST(EveryLaw, HeatsAndNeverCoolsAndNotAtAllIfElastic) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        contact::Contact contact(law, separation, 1.0);
        contact.accept(0.0, 1.0);
        const double x = between(random, 0.1, 1.0);
        const double power = contact.dissipated_power(x, 1.0);
        EXPECT_TRUE(TypeParam::is_elastic ? power == 0.0 : power > -1e-14) << power;
    });
}

TYPED_TEST(EveryLaw, NeverPullsUnderTheZeroForceRule) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        if (separation != Separation::zero_force) return;
        contact::Contact contact(law, separation, 1.0);
        for (int i = 0; i < 200; ++i) {
            const double x = between(random, -1.0, 1.0), v = between(random, -1.0, 1.0);
            EXPECT_GE(contact.force(x, v), 0.0);
            contact.accept(x, v);
        }
    });
}

TYPED_TEST(EveryLaw, BeginsWhereItEndsOrAboveAndKnowsNothingOfTheLastImpactButItsDent) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        contact::Contact contact(law, separation, 1.0);
        contact.accept(0.0, 1.0);
        const double depth = between(random, 0.2, 1.0);
        contact.accept(depth, 0.0);
        EXPECT_GE(contact.begin_overlap(), contact.end_overlap());
        EXPECT_GE(contact.begin_overlap(), 0.0);
        EXPECT_GE(contact.accept(-5.0, -1.0), 0.0);
        contact.accept(-5.0, 1.0);
        contact::Contact fresh(law, separation, 1.0);
        fresh.accept(0.0, 1.0);
        const double deeper = 2.0 * depth;
        EXPECT_DOUBLE_EQ(contact.force(deeper, 0.3), fresh.force(deeper, 0.3));
    });
}

TYPED_TEST(EveryLaw, UnloadsAndReloadsAlongOneCurveBelowTheLoadingCurve) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        auto memory = begun(law, separation);
        const double depth = between(random, 0.5, 1.5), x = between(random, 0.1, 1.0) * depth;
        const double loading = law.force(x, 0.0, memory);
        law.accept(memory, depth, 0.0);
        const double unloading = law.force(x, 0.0, memory);
        law.accept(memory, x, -1.0);
        EXPECT_EQ(law.force(x, 0.0, memory), unloading);
        EXPECT_LE(unloading, loading + 1e-12 * (1.0 + std::abs(loading)));
        const auto fresh = begun(law, separation);
        const double beyond = 1.5 * depth;
        EXPECT_DOUBLE_EQ(law.force(beyond, 0.0, memory), law.force(beyond, 0.0, fresh));
        // Continuous at the turning point.
        const double at = law.force(depth, 0.0, memory);
        EXPECT_NEAR(law.force(depth * (1.0 + 1e-12), 0.0, memory), at, 1e-9 * (1.0 + std::abs(at)));
    });
}

/// Factor of a quantity when the unit of mass becomes `mass` and the unit of time `time` times
/// smaller. Lengths stay, so that exponents of metres do not matter.
double factor_of(std::string_view unit, double mass, double time) {
    double factor = 1.0, sign = 1.0;
    for (std::size_t i = 0; i < unit.size();) {
        if (unit[i] == '/') sign = -1.0;
        if (!std::isalpha(static_cast<unsigned char>(unit[i]))) {
            if (unit[i] == '^') {  // an exponent of metres
                while (i < unit.size() && unit[i] != ' ' && unit[i] != '/') ++i;
                continue;
            }
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < unit.size() && std::isalpha(static_cast<unsigned char>(unit[end]))) ++end;
        const std::string_view word = unit.substr(i, end - i);
        if (word == "kg") {
            factor *= std::pow(mass, sign);
        } else if (word == "s") {
            factor *= std::pow(time, sign);
        } else if (word == "N" || word == "Pa" || word == "J") {
            factor *= std::pow(mass / (time * time), sign);
        } else {
            EXPECT_EQ(word, "m") << "unit not known to this test: " << unit;
        }
        i = end;
    }
    return factor;
}

TYPED_TEST(EveryLaw, SaysTheSameInOtherUnitsOfMassAndTime) {
    for_many<TypeParam>([](const auto& law, Separation separation, Random& random) {
        const double mass = 3.0, time = 0.2;
        auto other = law;
        if constexpr (requires { other.function; }) {
            other.function =
                std::make_shared<const contact::ForceFunction>([=](double x, double v) {
                    return mass / (time * time) * law.function->force(x, time * v);
                });
        }
        core::for_each_field<TypeParam>([&](const auto& field) {
            auto& member = other.*field.member;
            if constexpr (std::is_same_v<std::decay_t<decltype(member)>, std::optional<double>>) {
                if (member) *member *= factor_of(field.unit, mass, time);
            }
            if constexpr (std::is_same_v<std::decay_t<decltype(member)>, std::vector<double>>) {
                for (double& each : member) each *= factor_of(field.unit, mass, time);
            }
        });
        auto memory = law.prepare({1.0, separation});
        law.onset(memory, 0.7);
        auto other_memory = other.prepare({mass, separation});
        other.onset(other_memory, 0.7 / time);
        for (int i = 0; i < 5; ++i) {
            const double x = between(random, 0.0, 1.5), v = between(random, -1.0, 1.0);
            const double newton = mass / (time * time);
            const double force = law.force(x, v, memory) * newton;
            const double energy = law.stored_energy(x, memory) * newton;
            EXPECT_NEAR(other.force(x, v / time, other_memory), force,
                        1e-11 * (1.0 + std::abs(force)));
            EXPECT_NEAR(other.stored_energy(x, other_memory), energy,
                        1e-11 * (1.0 + std::abs(energy)));
            law.accept(memory, x, v);
            other.accept(other_memory, x, v / time);
        }
    });
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

TYPED_TEST(EveryLaw, NamesItsOwnKeysInWhatIsWrong) {
    std::set<std::string> keys{"separation"};
    if constexpr (requires(TypeParam law) { law.function; }) keys.insert("function");
    core::for_each_field<TypeParam>([&](const auto& field) { keys.emplace(field.name); });
    for (const Separation separation : {Separation::zero_force, Separation::zero_overlap}) {
        for (const core::Violation& violation : check(TypeParam{}, separation)) {
            EXPECT_TRUE(keys.contains(violation.key)) << violation.key;
            EXPECT_FALSE(violation.rule.empty());
        }
    }
}

#if __has_builtin(__builtin_clear_padding)  // else the compiler does not tell which bytes are
                                            // padding
/// States hold the bytes of the memory: padding would differ between states that are equal.
TYPED_TEST(EveryLaw, HasAMemoryWithoutPadding) {
    using Memory = typename TypeParam::Memory;
    if constexpr (std::is_trivially_copyable_v<Memory> && !std::is_empty_v<Memory>) {
        constexpr unsigned char set = 0xff;
        alignas(Memory) unsigned char bytes[sizeof(Memory)];
        std::memset(bytes, set, sizeof(Memory));
        __builtin_clear_padding(reinterpret_cast<Memory*>(bytes));
        for (const unsigned char byte : bytes) EXPECT_EQ(byte, set);
    }
}
#endif

TEST(Laws, HaveDistinctNames) {
    std::set<std::string> names;
    core::for_each_alternative<contact::Law>([&]<class Law>(std::type_identity<Law>) {
        EXPECT_TRUE(names.insert(std::string(Law::name)).second) << Law::name;
    });
}

}  // namespace
