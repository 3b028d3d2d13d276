// When contact begins and ends: laws that attract, laws that leave a dent, the separation rules.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/continuity.hpp>
#include <stoss/contact/laws.hpp>

namespace {

using namespace stoss;
using contact::Separation;

/// A spring that holds on until it is stretched by `reach`.
struct Magnet : contact::Memoryless {
    static constexpr std::string_view name = "magnet", meaning = "spring that holds on";
    static constexpr bool is_elastic = true;
    static constexpr auto fields() { return std::tuple{}; }
    static constexpr double stiffness = 100.0, reach = 0.1;

    template <class T>
    T force(const T& x, const T& /*v*/, const contact::NoMemory& /*memory*/) const {
        return stiffness * x;
    }
    template <class T>
    T stored_energy(const T& x, const contact::NoMemory& /*memory*/) const {
        return 0.5 * stiffness * x * x;
    }
    double end_overlap(const contact::NoMemory& /*memory*/) const { return -reach; }
};

/// A spring that gives way: unloads vertically from the largest overlap so far.
struct Clay {
    static constexpr std::string_view name = "clay", meaning = "spring that gives way";
    static constexpr bool is_elastic = false;
    static constexpr auto fields() { return std::tuple{}; }
    struct Memory {
        double dent = 0.0;
    };

    Memory prepare(const contact::PairProperties& /*pair*/) const { return {}; }
    void onset(Memory& /*memory*/, double /*approach_speed*/) const {}
    template <class T>
    T force(const T& x, const T& /*v*/, const Memory& memory) const {
        return x > T(memory.dent) ? 100.0 * x : T(0.0);
    }
    template <class T>
    T stored_energy(const T& /*x*/, const Memory& /*memory*/) const {
        return T(0.0);
    }
    void accept(Memory& memory, double x, double /*v*/) const {
        memory.dent = std::max(memory.dent, x);
    }
    double end_overlap(const Memory& memory) const { return memory.dent; }
};

TEST(Contact, OfALawThatAttractsBeginsAtZeroAndEndsAtThePullOff) {
    contact::Contact contact(Magnet{}, Separation::zero_overlap, 1.0);
    EXPECT_EQ(contact.begin_overlap(), 0.0);
    EXPECT_EQ(contact.end_overlap(), -0.1);
    EXPECT_EQ(contact.force(-0.05, 1.0), 0.0);  // not yet touched
    contact.accept(-0.05, 1.0);
    EXPECT_EQ(contact.force(0.02, 1.0), 2.0);
    contact.accept(0.02, 1.0);
    EXPECT_EQ(contact.force(-0.05, -1.0), -5.0);
    EXPECT_EQ(contact.accept(-0.05, -1.0), 0.0);
    EXPECT_DOUBLE_EQ(contact.stored_energy(-0.05), 0.125);
    EXPECT_DOUBLE_EQ(contact.accept(-0.2, -1.0), 0.5);  // what was stored at the pull-off is lost
    EXPECT_EQ(contact.force(-0.05, 1.0), 0.0);
    EXPECT_EQ(contact.accept(-0.05, 1.0), 0.0);
}

TEST(Contact, OfALawThatLeavesADentEndsAndBeginsAgainAtTheDent) {
    contact::Contact contact(Clay{}, Separation::zero_force, 1.0);
    contact.accept(0.0, 1.0);
    EXPECT_EQ(contact.force(0.3, 1.0), 30.0);
    EXPECT_EQ(contact.dissipated_power(0.3, 1.0), 30.0);
    contact.accept(0.3, 1.0);
    EXPECT_EQ(contact.end_overlap(), 0.3);
    EXPECT_EQ(contact.force(0.2, -1.0), 0.0);
    contact.accept(0.2, -1.0);  // apart, but the dent stays
    EXPECT_EQ(contact.begin_overlap(), 0.3);
    EXPECT_EQ(contact.force(0.25, 1.0), 0.0);
    EXPECT_EQ(contact.force(0.4, 1.0), 40.0);
    contact.accept(-1.0, 1.0);
    EXPECT_EQ(contact.begin_overlap(), 0.3);
}

contact::KelvinVoigt damped_spring() {
    contact::KelvinVoigt law;
    law.stiffness = 100.0;
    law.damping = 10.0;
    return law;
}

TEST(Contact, IsReleasedWhereTheForceWouldPull) {
    contact::Contact contact(damped_spring(), Separation::zero_force, 1.0);
    contact.accept(0.0, 1.0);
    EXPECT_EQ(contact.force(0.0, 1.0), 10.0);  // the damper acts at once
    EXPECT_EQ(contact.accept(0.05, 0.5), 0.0);
    EXPECT_EQ(contact.force(0.04, -0.6), 0.0);           // k x = 4, c v = -6
    EXPECT_DOUBLE_EQ(contact.accept(0.04, -0.6), 0.08);  // the spring's energy is left behind
    EXPECT_EQ(contact.stored_energy(0.03), 0.0);
    EXPECT_EQ(contact.dissipated_power(0.03, -0.6), 0.0);
    EXPECT_EQ(contact.accept(0.03, -0.6), 0.0);
    EXPECT_EQ(contact.accept(0.0, -0.6), 0.0);
}

TEST(Contact, PushesAgainIfReleasedBodiesComeBackBeforeTheOverlapIsGone) {
    contact::Contact contact(damped_spring(), Separation::zero_force, 1.0);
    contact.accept(0.05, 0.5);
    const double lost = contact.accept(0.04, -0.6);
    EXPECT_EQ(contact.force(0.03, 0.2), 5.0);
    const double taken_back = contact.accept(0.03, 0.2);
    EXPECT_DOUBLE_EQ(taken_back, -0.045);
    EXPECT_GT(lost + taken_back, 0.0);
    EXPECT_DOUBLE_EQ(contact.stored_energy(0.03), 0.045);
}

TEST(Contact, PullsUntilZeroOverlapUnderThatRule) {
    contact::Contact contact(damped_spring(), Separation::zero_overlap, 1.0);
    contact.accept(0.0, 1.0);
    contact.accept(0.04, -0.6);
    EXPECT_EQ(contact.force(0.04, -0.6), -2.0);
    contact.accept(0.0, -0.6);
    EXPECT_EQ(contact.force(-0.01, -0.6), 0.0);
}

/// A law that writes down what it is told.
struct Listener {
    static constexpr std::string_view name = "listener", meaning = "writes down what it is told";
    static constexpr bool is_elastic = true;
    static constexpr auto fields() { return std::tuple{}; }
    struct Memory {
        double effective_mass = 0.0, approach_speed = 0.0;
    };

    Memory prepare(const contact::PairProperties& pair) const { return {pair.effective_mass, 0.0}; }
    void onset(Memory& memory, double approach_speed) const {
        memory.approach_speed = approach_speed;
    }
    template <class T>
    T force(const T& /*x*/, const T& /*v*/, const Memory& memory) const {
        return T(memory.effective_mass * memory.approach_speed);
    }
    template <class T>
    T stored_energy(const T& x, const Memory& /*memory*/) const {
        return 0.0 * x;
    }
    void accept(Memory& /*memory*/, double /*x*/, double /*v*/) const {}
};

TEST(Contact, TellsTheLawTheMassAndTheSpeedOfEachImpact) {
    contact::Contact contact(Listener{}, Separation::zero_overlap, 3.0);
    contact.accept(-1.0, 2.0);
    EXPECT_EQ(contact.force(0.1, 5.0), 6.0);
    contact.accept(0.1, 5.0);  // within the impact its beginning counts
    EXPECT_EQ(contact.force(0.1, 5.0), 6.0);
    contact.accept(0.0, -1.0);
    contact.accept(-0.1, 0.5);
    EXPECT_EQ(contact.force(0.1, 5.0), 1.5);
}

template <class Law>
Law damped(double damping) {
    Law law;
    law.stiffness = 1e8;
    if constexpr (requires { law.damping_factor; })
        law.damping_factor = damping;
    else
        law.damping = damping;
    return law;
}

// The limit of small overlaps knows no unit.
TEST(Contact, DampsFromTheOnsetByTheLawsWhoseDampingGrowsMoreSlowlyThanTheOverlap) {
    EXPECT_TRUE(contact::damps_from_onset(damped<contact::KelvinVoigt>(10.0)));
    EXPECT_TRUE(contact::damps_from_onset(damped<contact::LinearDamping>(10.0)));
    EXPECT_TRUE(contact::damps_from_onset(damped<contact::Tsuji>(1e-6)));
    EXPECT_TRUE(contact::damps_from_onset(damped<contact::KuwabaraKono>(1e-6)));
    EXPECT_FALSE(contact::damps_from_onset(damped<contact::HuntCrossley>(0.1)));
    for (const double depth : {1e-12, 1e-6, 1.0}) {
        auto ramped = damped<contact::RampedDamping>(10.0);
        ramped.ramp_depth = depth;
        EXPECT_TRUE(contact::damps_from_onset(ramped)) << depth;
    }
}

TEST(Contact, RemembersTheApproachSpeedIfTheDampingFollowsFromARestitution) {
    const auto remembers = []<class Law>(Law law) {
        law.stiffness = 1e8;
        return contact::remembers_approach(contact::Contact<Law>(law, Separation::zero_force, 1.0));
    };
    contact::HuntCrossley by_factor, by_restitution;
    by_factor.damping_factor = 0.1;
    by_restitution.restitution = 0.7;
    EXPECT_FALSE(remembers(by_factor));
    EXPECT_TRUE(remembers(by_restitution));
    // Of Tsuji's law the factor follows from the stiffness and the mass alone.
    contact::Tsuji tsuji;
    tsuji.restitution = 0.7;
    EXPECT_FALSE(remembers(tsuji));
    // Here the damping vanishes faster than the elastic force.
    contact::Viscoelastic singular;
    singular.damping_exponent = 3.0;
    singular.restitution = 0.7;
    EXPECT_TRUE(remembers(singular));
    singular.restitution.reset();
    singular.damping_factor = 1e-6;
    EXPECT_FALSE(remembers(singular));
}

/// Keys of what `with_all_numbers` says of a law.
template <class Law>
std::vector<std::string> keys_missing_of(const Law& law) {
    std::vector<std::string> keys;
    try {
        contact::with_all_numbers(law);
    } catch (const core::InputError& error) {
        for (const core::Diagnostic& each : error.diagnostics()) keys.push_back(each.violation.key);
    }
    return keys;
}

TEST(Contact, NamesAllNumbersThatItsLawLacks) {
    using Keys = std::vector<std::string>;
    EXPECT_EQ(keys_missing_of(contact::RampedDamping{}), (Keys{"stiffness", "ramp_depth"}));
    EXPECT_EQ(keys_missing_of(contact::Jkr{}), (Keys{"stiffness", "pull_off_force"}));
    EXPECT_EQ(keys_missing_of(damped<contact::HuntCrossley>(0.1)), Keys{});
}

TEST(Contact, OfALawWithoutItsSecondNumberIsRefused) {
    const auto make = [](const auto& law) { contact::Contact(law, Separation::zero_force, 1.0); };
    EXPECT_THROW(make(contact::WaltonBraun{.stiffness = 1.0}), core::InputError);
    const contact::WaltonBraun gains{.stiffness = 2.0, .unloading_stiffness = 1.0};
    EXPECT_THROW(make(gains), core::InputError);  // unloading would return more than was stored
    EXPECT_THROW(make(contact::HuntCrossley{.stiffness = 1.0}), core::InputError);
    EXPECT_THROW(make(contact::KelvinVoigt{.stiffness = 1.0}), core::InputError);
    EXPECT_THROW(make(contact::LinearDamping{.stiffness = 1.0}), core::InputError);
    contact::RampedDamping ramp;
    ramp.stiffness = ramp.ramp_depth = 1.0;
    EXPECT_THROW(make(ramp), core::InputError);
    EXPECT_THROW(make(contact::FunctionLaw{}), core::InputError);
}

}  // namespace
