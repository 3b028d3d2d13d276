#pragma once
/// Field lists: every parameter struct says once what its keys are.
///
/// A struct is `Described` when it has a static `fields()` that returns a tuple of `Field`s: name,
/// member, SI unit, range, one-line meaning. Reading, unit conversion, range errors, "did you
/// mean", `stoss describe`, the JSON schema and the tables of the docs all follow from that list.
///
///     struct Circle {
///         static constexpr std::string_view name = "circle";
///         core::Required radius;
///         static constexpr auto fields() {
///             return std::tuple{core::field("radius", &Circle::radius, "m", core::positive,
///                                           "radius of the solid circular section").required()};
///         }
///     };
///
/// Kinds of members and how they read in YAML:
/// - double, int, bool, std::string        a scalar; a double may carry a unit ("12.7 mm")
/// - enumeration                           one of the names of `enum_names(E)` (found by ADL)
/// - Described struct                      a mapping; if it has `presets()`, or the name of one
/// - Required                              the same as a double; the key is required
/// - std::optional<T>                      the same as T; no word denotes its absence
/// - OrNone<T>                             the same as T, or `none`
/// - OrAuto<T>                             the same as T, or `auto`: the model chooses
/// - std::vector<T>                        a sequence of T
/// - Place                                 a pure number, or a length (core/place.hpp)
/// - std::variant<Described...>            the key holds an alternative's `name`, whose own keys
///                                         are in the SAME mapping

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace stoss::core {

/// A number that must be given. It holds none until one is assigned, and is read as a double.
class Required {
  public:
    constexpr Required() = default;
    constexpr Required(double number) : number_(number) {}

    constexpr bool has_value() const { return number_.has_value(); }

    /// Errors: throws std::bad_optional_access while no number is given.
    constexpr operator double() const { return number_.value(); }
    constexpr Required& operator*=(double factor) { return *this = *this * factor; }

  private:
    std::optional<double> number_;
};

/// An interval of admissible numbers. NaN lies in none of them.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = true;   ///< low itself is excluded
    bool high_open = true;  ///< high itself is excluded

    constexpr bool contains(double value) const {
        return (low_open ? value > low : value >= low) &&
               (high_open ? value < high : value <= high);
    }
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range finite{-infinity, infinity, true, true};
inline constexpr Range positive{0.0, infinity, true, true};
inline constexpr Range positive_or_infinite{0.0, infinity, true, false};
inline constexpr Range non_negative{0.0, infinity, false, true};
constexpr Range closed(double low, double high) {
    return {low, high, false, false};
}
constexpr Range at_least(double low) {
    return {low, infinity, false, true};
}

/// One key of a parameter struct.
template <class Owner, class T>
struct Field {
    std::string_view name;
    T Owner::*member;
    std::string_view unit;     ///< SI unit in UDUNITS-2 words; "" for a pure number or a non-number
    Range range;               ///< admissible values of a number; of each number of a vector
    std::string_view meaning;  ///< one line
    bool is_required = false;
    std::string_view other_name = {};  ///< of the same key; "" if it has one name only

    constexpr Field required() const {
        Field copy = *this;
        copy.is_required = true;
        return copy;
    }
    /// A case may write `name` in place of the key's own name.
    constexpr Field also(std::string_view name_in_a_case) const {
        Field copy = *this;
        copy.other_name = name_in_a_case;
        return copy;
    }
};

/// A number (or optional, or vector of numbers) with unit and range.
template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member, std::string_view unit,
                                Range range, std::string_view meaning) {
    return {name, member, unit, range, meaning};
}

/// Anything that has neither unit nor range.
template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member, std::string_view meaning) {
    return {name, member, "", finite, meaning};
}

template <class T>
concept Described = requires {
    T::fields();
};

/// One name of an enumeration, as written in YAML.
template <class E>
struct EnumName {
    E value;
    std::string_view name;
    std::string_view meaning;
};
template <class E>  // clang 14 cannot deduce the arguments of an aggregate by itself
EnumName(E, std::string_view, std::string_view)->EnumName<E>;

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) {
    enum_names(e);
};

/// The YAML name of an enumeration value; empty if it has none.
template <NamedEnum E>
constexpr std::string_view name_of(E value) {
    for (const auto& entry : enum_names(E{})) {
        if (entry.value == value) return entry.name;
    }
    return {};
}

/// The fields of T, as a constant: no code of this list is left in the program.
template <Described T>
inline constexpr auto fields_of = T::fields();

/// Calls `f(field)` for every field of T, in the order of the list.
template <Described T, class F>
constexpr void for_each_field(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (f(std::get<I>(fields_of<T>)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(T::fields())>>{});
}

template <class T>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;

/// A value that is given or, while it holds none, absent on purpose.
template <class T>
struct OrNone : std::optional<T> {
    using std::optional<T>::optional;
    constexpr OrNone(std::optional<T> value) : std::optional<T>(std::move(value)) {}

    /// A struct may be assigned from its members in braces.
    template <class U = T>
    requires(std::is_class_v<T>&& std::is_constructible_v<T, U> &&
             !std::is_base_of_v<std::optional<T>, std::remove_cvref_t<U>>) constexpr OrNone&
    operator=(U&& value) {
        std::optional<T>::operator=(std::forward<U>(value));
        return *this;
    }
};

/// A value that is given or, while it holds none, left to the model.
template <class T>
struct OrAuto : std::optional<T> {
    using std::optional<T>::optional;
};

/// The word that denotes a missing value of type T; empty if there is none.
template <class T>
inline constexpr std::string_view word_for_no_value = "";
template <class T>
inline constexpr std::string_view word_for_no_value<OrNone<T>> = "none";
template <class T>
inline constexpr std::string_view word_for_no_value<OrAuto<T>> = "auto";

template <class T>
inline constexpr bool is_or_auto = word_for_no_value<T> == "auto";

/// True for a type that holds a value or none.
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_optional<OrNone<T>> = true;
template <class T>
inline constexpr bool is_optional<OrAuto<T>> = true;

/// True for a type of one real number.
template <class T>
inline constexpr bool is_number = std::same_as<T, double> || std::same_as<T, Required>;

template <class T>
inline constexpr bool is_variant = false;
template <class... Ts>
inline constexpr bool is_variant<std::variant<Ts...>> = true;

/// Calls `f(std::type_identity<Alternative>{})` for every alternative of a variant type.
template <class Variant, class F>
constexpr void for_each_alternative(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (f(std::type_identity<std::variant_alternative_t<I, Variant>>{}), ...);
    }
    (std::make_index_sequence<std::variant_size_v<Variant>>{});
}

}  // namespace stoss::core
