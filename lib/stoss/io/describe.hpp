#pragma once
/// What a struct's keys are, as data: for `stoss describe`, the JSON schema and tables of the docs.

#include <algorithm>
#include <concepts>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <stoss/core/fields.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/document.hpp>

namespace stoss::io {

struct KeyDescription;

/// One name a key may hold: of an enumeration, or of an alternative with keys of its own.
struct Choice {
    std::string name;
    std::string meaning;
    std::vector<KeyDescription> keys;  ///< are in the mapping of the key
};

/// What a value may be.
struct ValueDescription {
    enum class Kind { number, integer, boolean, text, choice, mapping, sequence };

    Kind kind = Kind::text;
    std::string unit;                     ///< SI unit of a number
    bool may_be_length = false;           ///< a pure number or a length: core::Place
    core::Range range;                    ///< of a number or integer
    std::string other_word;               ///< admitted as well, `none` or `auto`; may be empty
    std::vector<Choice> choices;          ///< of a choice
    std::vector<KeyDescription> keys;     ///< of a mapping
    std::vector<std::string> names;       ///< that may replace a mapping
    std::vector<ValueDescription> items;  ///< of a sequence: one element, what each item is
};

/// "number", "integer" and so on.
std::string_view to_string(ValueDescription::Kind kind);

/// One key of a mapping.
struct KeyDescription {
    std::string key;
    std::string meaning;
    ValueDescription value;
    bool is_required = false;
    std::optional<Node> default_value;  ///< absent if required or if nothing is given by default
    std::string other_name;             ///< of the same key; may be empty
};

namespace detail {

template <class T>
concept HasMeaning = requires {
    T::meaning;
};

template <class T>
std::string meaning_of() {
    if constexpr (HasMeaning<T>) {
        return std::string(T::meaning);
    } else {
        return {};
    }
}

template <core::Described T>
std::vector<KeyDescription> describe_keys(const T& defaults);

/// `defaults` is the value that the key has if it is left out.
template <class T>
ValueDescription describe_value(const T& defaults, std::string_view unit,
                                const core::Range& range) {
    using Kind = ValueDescription::Kind;
    ValueDescription value;
    value.unit = unit;
    value.range = range;
    if constexpr (core::is_number<T>) {
        value.kind = Kind::number;
    } else if constexpr (std::same_as<T, core::Place>) {
        value.kind = Kind::number;
        value.may_be_length = true;
    } else if constexpr (std::same_as<T, bool>) {
        value.kind = Kind::boolean;
    } else if constexpr (std::integral<T>) {
        value.kind = Kind::integer;
    } else if constexpr (std::same_as<T, std::string>) {
        value.kind = Kind::text;
    } else if constexpr (core::NamedEnum<T>) {
        value.kind = Kind::choice;
        for (const auto& entry : enum_names(T{})) {
            value.choices.push_back({std::string(entry.name), std::string(entry.meaning), {}});
        }
    } else if constexpr (core::is_optional<T>) {
        using Inner = typename T::value_type;
        value = describe_value(defaults.value_or(Inner{}), unit, range);
        value.other_word = core::word_for_no_value<T>;
    } else if constexpr (core::is_vector<T>) {
        value.kind = Kind::sequence;
        value.items.push_back(describe_value(typename T::value_type{}, unit, range));
    } else if constexpr (core::is_variant<T>) {
        value.kind = Kind::choice;
        core::for_each_alternative<T>([&]<class A>(std::type_identity<A>) {
            if constexpr (!ForPrograms<A>) {
                const A* const held = std::get_if<A>(&defaults);
                value.choices.push_back({std::string(A::name), meaning_of<A>(),
                                         describe_keys(held != nullptr ? *held : A{})});
            }
        });
    } else {
        value.kind = Kind::mapping;
        value.keys = describe_keys(defaults);
        if constexpr (HasPresets<T>) {
            for (Preset& preset : read_presets(T::presets())) {
                value.names.push_back(std::move(preset.name));
            }
        }
    }
    return value;
}

/// The default of a key; a mapping has none of its own, its keys have.
template <class T>
std::optional<Node> default_node(const T& value, std::string_view unit) {
    if constexpr (core::is_variant<T>) {
        return std::visit([]<class A>(const A&) { return Node::text(std::string(A::name)); },
                          value);
    } else if constexpr (core::is_optional<T>) {
        constexpr std::string_view word = core::word_for_no_value<T>;
        if (value) return default_node(*value, unit);
        return word.empty() ? std::nullopt : std::optional(Node::text(std::string(word)));
    } else if constexpr (core::Described<T>) {
        return std::nullopt;
    } else {
        return value_node(value, unit);
    }
}

template <core::Described T>
std::vector<KeyDescription> describe_keys(const T& defaults) {
    std::vector<KeyDescription> keys;
    core::for_each_field<T>([&](const auto& field) {
        const auto& member = defaults.*field.member;
        KeyDescription key;
        key.key = field.name;
        key.meaning = field.meaning;
        key.value = describe_value(member, field.unit, field.range);
        key.is_required = field.is_required;
        key.other_name = field.other_name;
        if (!key.is_required) key.default_value = default_node(member, field.unit);
        keys.push_back(std::move(key));
    });
    return keys;
}

}  // namespace detail

/// The keys of T, nested structs and alternatives included.
template <core::Described T>
std::vector<KeyDescription> describe_keys() {
    return detail::describe_keys(T{});
}

/// T as one name of a choice: its `name`, `meaning` (if it has one) and keys, after those of
/// `Beside`, which are in the same mapping.
template <core::Described T, core::Described... Beside>
Choice describe_choice() {
    Choice choice{std::string(T::name), detail::meaning_of<T>(), {}};
    const auto add = [&](std::vector<KeyDescription> keys) {
        std::move(keys.begin(), keys.end(), std::back_inserter(choice.keys));
    };
    (add(describe_keys<Beside>()), ...);
    add(describe_keys<T>());
    return choice;
}

/// A table of keys: key, kind or unit, range, default, meaning. Nested keys are indented; the
/// alternatives of a choice follow it with their keys.
std::string to_table(const std::vector<KeyDescription>& keys);

}  // namespace stoss::io
