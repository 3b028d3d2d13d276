#pragma once
/// What a contact law is.
///
/// Convention of the whole library: overlap x > 0 while the bodies press on each other, its rate
/// v = dx/dt > 0 while they close, force F >= 0 pushes them apart. A law is one file in `laws/`:
/// one struct, named as its file (hunt_crossley.hpp defines HuntCrossley), that satisfies
/// `ContactLaw`.

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stoss/core/dual.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::contact {

/// When contact ends. The rule is applied in one place for every law (contact/contact.hpp).
enum class Separation {
    zero_force,  ///< the force may not pull: contact ends when it vanishes, even if overlap remains
    zero_overlap  ///< contact ends when the overlap vanishes; the force may have pulled before
};

constexpr auto enum_names(Separation) {
    return std::array{
        core::EnumName{Separation::zero_force, "zero_force",
                       "the contact ends when the force vanishes; an overlap may remain"},
        core::EnumName{
            Separation::zero_overlap, "zero_overlap",
            "the contact ends when the overlap vanishes; the force may be attractive before"}};
}

/// What the key `stiffness` of a spring k x^n is. Where the case gives no bodies it is required.
inline constexpr std::string_view stiffness_meaning =
    "stiffness k; if left out, computed from the shapes and materials of the two bodies, where the "
    "case gives these";

/// What a law may know of two bodies before they touch.
struct PairProperties {
    /// m [kg] of the relative motion (theory/contact_laws.md 8.5).
    double effective_mass = core::infinity;
    Separation separation = Separation::zero_force;  ///< the rule that will end the contact
};

/// Memory of a law whose force depends on the present overlap and rate only.
struct NoMemory {};

/// Base of a law without memory: nothing to prepare, nothing to remember.
struct Memoryless {
    using Memory = NoMemory;
    NoMemory prepare(const PairProperties& /*pair*/) const { return {}; }
    void onset(NoMemory& /*memory*/, double /*approach_speed*/) const {}
    void accept(NoMemory& /*memory*/, double /*x*/, double /*v*/) const {}
};

/// - `L::name`                      name in YAML
/// - `L::fields()`                  its parameters (core/fields.hpp). One that may be left out, or
///                                  must be given, is a std::optional<double>
/// - `L::is_elastic`                true: the force is d(stored_energy)/dx; nothing is lost while
///                                  the bodies touch. What is stored at `end_overlap` is lost when
///                                  they part
/// - `prepare(pair)`           memory of two bodies that have not touched yet; the place for
///                                  work that is done once. May throw core::InputError, as for a
///                                  damping that is not given
/// - `onset(memory, v0)`            an impact begins at approach speed v0 [m/s]; cheap, because
///                                  every step of a free motion may call it
/// - `force(x, v, memory)`          force [N] at overlap x [m], rate v [m/s]; pure; affine in v;
///                                  written once for double and core::Dual. Precondition, as of all
///                                  that follow: `with_all_numbers` does not throw
/// - `stored_energy(x, memory)`     recoverable part of the contact energy [J], 0 at x = 0; the
///                                  contact loss is the work of force - d(stored_energy)/dx. While
///                                  a law with memory is loaded further, before `accept` got x, it
///                                  is the energy that unloading from x would return
/// - `accept(memory, x, v)`         called once after each accepted step; updates the memory
///
/// and, if it needs them:
/// - `end_overlap(memory)`          overlap [m] at which contact ends; 0 if absent. Below 0 for a
///                                  law that attracts (pull-off), above 0 for one that leaves a
///                                  dent
/// - `begin_overlap(memory)`        overlap [m] at which contact begins again, for a law whose
///                                  dent attracts: there it is neither 0 nor `end_overlap`. The
///                                  energy stored there is below 0; it is lost as contact
///                                  begins
/// - `kink_overlap(memory)`         overlap [m] at which the loading curve has a kink. Only for a
///                                  law whose memory is the largest overlap so far; such a law
///                                  is `Hysteretic`
/// - `piece(x, memory)`             number of the smooth piece of the force curve that x lies
///                                  on; for a law of pieces that meet with a jump of curvature
/// - `singular_overlap(memory)`     overlap [m] inside the contact at which the force rises as
///                                  where an overlap begins, like a power of what is beyond it;
///                                  or `end_overlap`
/// - `elastic_force(x, memory)`     d(stored_energy)/dx [N], where it takes less than the energy
/// - `powers(memory)`               the force as contact::DampedPowers, if it is such a law
/// - `check(separation)`            violations that no range of a single field can express
/// - `check_numbers()`              those that need all numbers of the law; an impact without them
///                                  is refused
/// - `from_bodies`                  names of fields, beside the stiffness, that follow from the
///                                  bodies
/// - `set_from_bodies(bodies)`      sets those of them that are not given
/// - `for_programs`                 true: no case can hold the law; its fields say not all of it
template <class L>
concept ContactLaw = core::Described<L> && std::default_initializable<L> &&
    requires(const L law, double x, core::Dual dual, typename L::Memory memory) {
    { L::name } -> std::convertible_to<std::string_view>;
    { L::meaning } -> std::convertible_to<std::string_view>;
    { L::is_elastic } -> std::convertible_to<bool>;
    { law.prepare(PairProperties{}) } -> std::same_as<typename L::Memory>;
    law.onset(memory, x);
    { law.force(x, x, memory) } -> std::same_as<double>;
    { law.force(dual, dual, memory) } -> std::same_as<core::Dual>;
    { law.stored_energy(x, memory) } -> std::same_as<double>;
    { law.stored_energy(dual, memory) } -> std::same_as<core::Dual>;
    law.accept(memory, x, x);
};

/// What no range of a single field can say about the parameters of a law; keys are those of the
/// law.
template <ContactLaw L>
std::vector<core::Violation> check(const L& law, Separation separation) {
    if constexpr (requires { law.check(separation); }) return law.check(separation);
    return {};
}

/// What cylinders with parallel axes have beside E* and R*.
struct LineContact {
    double length = 0.0;       ///< of the line along which they touch [m]
    double mean_radius = 0.0;  ///< R_m [m] (theory/contact_laws.md 8.34)
};

/// What the shapes and materials of two bodies give their contact.
struct ContactBodies {
    double modulus = 0.0;    ///< E* [Pa]
    double radius = 0.0;     ///< R* [m]; along a line 1/(1/R_1 + 1/R_2)
    double stiffness = 0.0;  ///< k of Hertz [N/m^(3/2)]; along a line 0
    std::optional<LineContact> line = std::nullopt;
};

/// True for a number that follows from the bodies where it is not given.
template <class L>
constexpr bool follows_from_bodies(std::string_view field) {
    if constexpr (requires { L::from_bodies; }) {
        for (const std::string_view each : L::from_bodies)
            if (each == field) return true;
    }
    return field == "stiffness";
}

/// Calls `visit(name)` for each number that follows from the bodies and is not given.
template <ContactLaw L, class Visit>
void for_each_missing(const L& law, const Visit& visit) {
    core::for_each_field<L>([&](const auto& field) {
        const auto& member = law.*field.member;
        if constexpr (std::same_as<decltype(member), const std::optional<double>&>) {
            if (!member && follows_from_bodies<L>(field.name)) visit(field.name);
        }
    });
}

/// Sets the numbers of the law that follow from the bodies and are not given.
template <ContactLaw L>
void set_from_bodies(L& law, const ContactBodies& bodies) {
    if constexpr (requires { law.stiffness; }) {
        if (!law.stiffness) law.stiffness = bodies.stiffness;
    }
    if constexpr (requires { law.set_from_bodies(bodies); }) law.set_from_bodies(bodies);
}

/// What an impact by the law is refused for: each required key, and each number that follows from
/// the bodies, that it lacks; if it lacks none, what `check_numbers` finds. Keys are those of the
/// law.
template <ContactLaw L>
std::vector<core::Violation> check_all_numbers(const L& law) {
    std::vector<core::Violation> found;
    core::for_each_field<L>([&](const auto& field) {
        const auto& member = law.*field.member;
        if constexpr (std::same_as<decltype(member), const std::optional<double>&>) {
            if (!member && (field.is_required || follows_from_bodies<L>(field.name)))
                found.push_back(core::missing(std::string(field.name), field.meaning));
        }
    });
    if constexpr (requires { law.check_numbers(); }) {
        if (found.empty()) return law.check_numbers();
    }
    return found;
}

/// The law itself, for an impact: its formulas read its numbers without a test.
/// Errors: throws core::InputError with what `check_all_numbers` finds.
template <ContactLaw L>
const L& with_all_numbers(const L& law) {
    core::throw_if_any(check_all_numbers(law));
    return law;
}

/// True for a law whose loading curve has a kink at the largest overlap so far.
template <class L>
concept Hysteretic = requires(const L law, typename L::Memory memory) {
    { law.kink_overlap(memory) } -> std::same_as<double>;
};

/// True for a law whose force is singular inside the contact.
template <class L>
concept SingularInside = requires(const L law, typename L::Memory memory) {
    { law.singular_overlap(memory) } -> std::same_as<double>;
};

/// True for a law whose force curve is made of pieces.
template <class L>
concept Piecewise = requires(const L law, double x, typename L::Memory memory) {
    { law.piece(x, memory) } -> std::same_as<int>;
};

/// The derivative [N] of the stored energy by the overlap (see `ContactLaw`).
template <ContactLaw L>
double elastic_force(const L& law, double x, const typename L::Memory& memory) {
    if constexpr (requires { law.elastic_force(x, memory); }) return law.elastic_force(x, memory);
    return law.stored_energy(core::Dual::variable(x), memory).derivative;
}

/// Overlap [m] at which contact ends (see `ContactLaw`).
template <ContactLaw L>
double end_overlap(const L& law, const typename L::Memory& memory) {
    if constexpr (requires { law.end_overlap(memory); }) return law.end_overlap(memory);
    return 0.0;
}

/// True for a law whose dent attracts.
template <class L>
concept BeginsAtDent = requires(const L law, typename L::Memory memory) {
    { law.begin_overlap(memory) } -> std::same_as<double>;
};

/// Overlap [m] above which bodies that are apart come into contact (see `ContactLaw`).
template <ContactLaw L>
double begin_overlap(const L& law, const typename L::Memory& memory) {
    if constexpr (BeginsAtDent<L>) return law.begin_overlap(memory);
    return std::max(0.0, end_overlap(law, memory));
}

}  // namespace stoss::contact
