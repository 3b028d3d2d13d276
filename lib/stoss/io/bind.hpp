#pragma once
/// Parameter structs from a mapping and back, by their field lists (see core/fields.hpp).
/// Reading throws one InputError with all problems; every default is written out.
///
///     auto document = read_yaml("case.yaml");
///     auto [header, problem] = read<CaseHeader, BeamImpact>(document);
///     std::string resolved = to_yaml(to_node(header, problem));

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/place.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/units.hpp>

namespace stoss::io {

/// Everything found wrong so far. Line and column are set, the file is not (`read` adds it).
using Problems = std::vector<core::Diagnostic>;

using core::range_words;

/// A mapping that goes by a name.
struct Preset {
    std::string name;
    Node value;
};

/// The presets of a YAML text, in its order.
std::vector<Preset> read_presets(std::string_view text);

namespace detail {

/// What a key asks for: unit and range of its number or numbers.
struct Wanted {
    std::string_view unit;
    core::Range range;
};

/// A value to be read: its node, path and place, and the list for what is wrong with it.
struct Source {
    const Node& node;
    std::string path;
    Mark place;
    Problems& problems;

    Source value_of(const Node::Entry& entry) const;
    Source item(std::size_t index) const;
    /// Adds a problem with this value.
    void refuse(std::string rule, std::string suggestion = {}) const;
    /// Adds "is missing" for a key of this mapping.
    void refuse_missing(std::string_view key, const std::string& wants,
                        std::string_view meaning) const;
    /// Adds "wants ..., got ...".
    void refuse_kind(const std::string& wants, std::string suggestion = {}) const;
    /// Adds "is not one of ...", with the nearest of `names`.
    void refuse_name(const std::vector<std::string>& names) const;
    /// Adds to the last problem that `word` is accepted here as well.
    void offer(std::string_view word) const;
    const Node::Entry* entry(std::string_view key) const;
    /// The entry of a key that may have two names. Adds a problem if both are given.
    const Node::Entry* entry(std::string_view key, std::string_view other_name) const;
};

/// The keys a mapping may hold, and where a key that it may not hold would belong.
struct KnownKeys {
    struct Elsewhere {
        std::string key;
        enum class Relation { belongs_to, belongs_under } relation;
        std::string place;
    };
    std::vector<std::string> keys;
    std::vector<Elsewhere> elsewhere;
};

void refuse_unknown_keys(const Source& mapping, const KnownKeys& known);
/// Adds a problem if the key is a stiffness of F = k x^n, in `unit` N/m^n, and is given in N/m^p
/// with p != n.
void refuse_other_exponent(const Source& mapping, std::string_view key, std::string_view unit,
                           double exponent);
std::optional<double> read_number(const Source& source, const Wanted& wanted);
/// A number in the range, or a length >= 0.
std::optional<core::Place> read_place(const Source& source, const Wanted& wanted);
std::optional<long long> read_integer(const Source& source, const Wanted& wanted, long long least,
                                      long long greatest);
std::optional<bool> read_bool(const Source& source);
std::optional<std::string> read_text(const Source& source);
/// Index of the scalar among `names`.
std::optional<std::size_t> read_name(const Source& source, const std::vector<std::string>& names);
bool is_word(const Node& node, std::string_view word);
/// True if the node is a mapping; else adds the problem.
bool wants_mapping(const Source& source, const std::string& wants);
/// The same for a sequence; `count`: items that the hint asks for; 0 or 1: any number.
bool wants_sequence(const Source& source, const std::string& of_what, std::size_t count);
Node number_node(double value, std::string_view unit);

template <core::NamedEnum E>
std::vector<std::string> names_of_enum() {
    std::vector<std::string> names;
    for (const auto& entry : enum_names(E{})) names.emplace_back(entry.name);
    return names;
}

/// An alternative that no case can hold, for it has what no text can say.
template <class A>
concept ForPrograms = requires {
    requires A::for_programs;
};

/// The alternatives that a case can hold.
template <class Variant>
std::vector<std::string> names_of_alternatives() {
    std::vector<std::string> names;
    core::for_each_alternative<Variant>([&]<class A>(std::type_identity<A>) {
        if constexpr (!ForPrograms<A>) names.emplace_back(A::name);
    });
    return names;
}

template <class T>
struct OptionalVariant : std::false_type {};
template <class... Ts>
struct OptionalVariant<core::OrNone<std::variant<Ts...>>> : std::true_type {};

/// A struct that a case may also give by a name: `presets()` is YAML text, a mapping from names to
/// mappings with its keys, and maybe others.
template <class T>
concept HasPresets = core::Described<T> && requires {
    { T::presets() } -> std::convertible_to<std::string_view>;
};

/// The preset that the scalar names; nullopt, and the problem is added, if there is none.
std::optional<Node> find_preset(const Source& source, std::string_view presets);

/// What a value of type T is called in a message: "a length", "true or false", "one of a, b".
template <class T>
std::string words_for(std::string_view unit) {
    if constexpr (core::is_number<T>) {
        return quantity_words(unit).noun;
    } else if constexpr (std::same_as<T, core::Place>) {
        return "a pure number or a length";
    } else if constexpr (std::same_as<T, bool>) {
        return "true or false";
    } else if constexpr (std::integral<T>) {
        return "a whole number";
    } else if constexpr (std::same_as<T, std::string>) {
        return "a text";
    } else if constexpr (core::NamedEnum<T>) {
        return "one of " + core::listed(names_of_enum<T>());
    } else if constexpr (core::is_optional<T>) {
        constexpr std::string_view word = core::word_for_no_value<T>;
        const std::string words = words_for<typename T::value_type>(unit);
        return word.empty() ? words : words + ", or " + std::string(word);
    } else if constexpr (core::is_vector<T>) {
        return "a sequence";
    } else if constexpr (core::is_variant<T>) {
        return "one of " + core::listed(names_of_alternatives<T>());
    } else {
        static_assert(core::Described<T>, "no member of this type can be a key");
        std::vector<std::string> keys;
        core::for_each_field<T>([&](const auto& field) { keys.emplace_back(field.name); });
        std::string words =
            (keys.size() == 1 ? "a mapping with the key " : "a mapping with the keys ") +
            core::listed(keys, "and");
        if constexpr (HasPresets<T>) {
            std::vector<std::string> names;
            for (const Preset& preset : read_presets(T::presets())) names.push_back(preset.name);
            words.append(", or one of the names ").append(core::listed(names));
        }
        return words;
    }
}

/// The same with an example where one helps: `a length such as "12.7 mm"`.
template <class T>
std::string example_for(std::string_view unit) {
    if constexpr (core::is_number<T> || std::same_as<T, std::optional<double>>) {
        return words_for<T>(unit) + " such as \"" + quantity_words(unit).example + '"';
    } else {
        return words_for<T>(unit);
    }
}

template <core::Described T>
void bind_fields(const Source& mapping, T& value, KnownKeys& known);

template <core::Described T>
void bind_mapping(const Source& source, T& value) {
    if (!wants_mapping(source, words_for<T>(""))) return;
    KnownKeys known;
    bind_fields(source, value, known);
    refuse_unknown_keys(source, known);
}

template <HasPresets T>
void bind_preset(const Source& source, T& value) {
    const std::optional<Node> preset = find_preset(source, T::presets());
    KnownKeys any;  // a preset may have keys that this struct has no use for
    if (preset) {
        bind_fields(Source{*preset, source.path, source.place, source.problems}, value, any);
    }
}

template <class T>
void read_value(const Source& source, const Wanted& wanted, T& value) {
    const auto assign = [&](auto&& read) {
        if (read) value = static_cast<T>(*std::forward<decltype(read)>(read));
    };
    if constexpr (core::is_number<T>) {
        assign(read_number(source, wanted));
    } else if constexpr (std::same_as<T, core::Place>) {
        assign(read_place(source, wanted));
    } else if constexpr (std::same_as<T, bool>) {
        assign(read_bool(source));
    } else if constexpr (std::integral<T>) {
        using Limits = std::numeric_limits<T>;
        constexpr long long greatest = std::in_range<long long>(Limits::max())
                                           ? static_cast<long long>(Limits::max())
                                           : std::numeric_limits<long long>::max();
        assign(read_integer(source, wanted, static_cast<long long>(Limits::min()), greatest));
    } else if constexpr (std::same_as<T, std::string>) {
        assign(read_text(source));
    } else if constexpr (core::NamedEnum<T>) {
        const auto index = read_name(source, names_of_enum<T>());
        if (index)
            value =
                std::next(std::begin(enum_names(T{})), static_cast<std::ptrdiff_t>(*index))->value;
    } else if constexpr (core::is_optional<T>) {
        constexpr std::string_view word = core::word_for_no_value<T>;
        if (!word.empty() && is_word(source.node, word)) {
            value.reset();
        } else {
            typename T::value_type inner = value.value_or(typename T::value_type{});
            const std::size_t problems = source.problems.size();
            read_value(source, wanted, inner);
            const bool is_wrong = source.problems.size() > problems;
            if (core::is_or_auto<T> && is_wrong) source.offer(word);
            if (!word.empty() || !is_wrong) value = std::move(inner);
        }
    } else if constexpr (core::is_vector<T>) {
        using Item = typename T::value_type;
        if (!wants_sequence(source, words_for<Item>(wanted.unit), value.size())) return;
        value.clear();
        for (std::size_t i = 0; i < source.node.items.size(); ++i) {
            Item item{};
            read_value(source.item(i), wanted, item);
            value.push_back(std::move(item));
        }
    } else {
        if constexpr (HasPresets<T>) {
            if (source.node.kind == Node::Kind::scalar) return bind_preset(source, value);
        }
        bind_mapping(source, value);
    }
}

/// Makes `variant` hold its alternative number `index` of those that a case can hold; defaults stay
/// if it already does.
template <class Variant>
void hold_alternative(Variant& variant, std::size_t index) {
    std::size_t i = 0;
    core::for_each_alternative<Variant>([&]<class A>(std::type_identity<A>) {
        if constexpr (!ForPrograms<A>) {
            if (i++ == index && !std::holds_alternative<A>(variant)) variant = A{};
        }
    });
}

/// The keys of all alternatives but the held one: known to belong to another choice, or, where the
/// choice itself is wrong (`all_pass`), not to be complained about.
template <class Variant>
void note_other_keys(std::string_view tag, std::size_t held, bool all_pass, KnownKeys& known) {
    std::size_t i = 0;
    core::for_each_alternative<Variant>([&]<class A>(std::type_identity<A>) {
        const bool is_held = i++ == held;
        core::for_each_field<A>([&](const auto& field) {
            const std::string key(field.name);
            if (all_pass) {
                // Some alternatives have keys in common.
                if (std::ranges::find(known.keys, key) == known.keys.end())
                    known.keys.push_back(key);
            } else if (!is_held) {
                known.elsewhere.push_back(
                    {key, KnownKeys::Elsewhere::Relation::belongs_to,
                     "`" + std::string(tag) + ": " + std::string(A::name) + "`"});
            }
        });
    });
}

/// `variant` holds its default alternative. `entry` is the value of the tag key, if there is one.
template <class Variant>
void bind_variant(const Source& mapping, std::string_view tag, const Node::Entry* entry,
                  bool is_wrong, Variant& variant, KnownKeys& known) {
    if (entry != nullptr) {
        const auto index = read_name(mapping.value_of(*entry), names_of_alternatives<Variant>());
        if (index) hold_alternative(variant, *index);
        is_wrong = !index;
    }
    note_other_keys<Variant>(tag, variant.index(), is_wrong, known);
    if (is_wrong) return;
    std::visit([&](auto& alternative) { bind_fields(mapping, alternative, known); }, variant);
}

template <class Owner, class T>
void bind_field(const Source& mapping, const core::Field<Owner, T>& field, T& member,
                KnownKeys& known) {
    known.keys.emplace_back(field.name);
    const Node::Entry* const entry = mapping.entry(field.name, field.other_name);
    if (entry != nullptr && entry->key != field.name) known.keys.push_back(entry->key);
    const bool is_missing = entry == nullptr && field.is_required;
    if (is_missing) mapping.refuse_missing(field.name, example_for<T>(field.unit), field.meaning);
    if constexpr (core::is_variant<T>) {
        bind_variant(mapping, field.name, entry, is_missing, member, known);
    } else if constexpr (OptionalVariant<T>::value) {
        using Variant = typename T::value_type;
        if (entry != nullptr && is_word(entry->value, "none")) member.reset();
        const bool is_wanted = entry != nullptr && !is_word(entry->value, "none");
        if (is_wanted && !member) member.emplace();
        if (member) {
            bind_variant(mapping, field.name, entry, is_missing, *member, known);
        } else {
            note_other_keys<Variant>(field.name, std::variant_npos, is_missing, known);
        }
    } else {
        if constexpr (core::Described<T>) {
            core::for_each_field<T>([&](const auto& inner) {
                const std::string key(inner.name);
                known.elsewhere.push_back({key, KnownKeys::Elsewhere::Relation::belongs_under,
                                           "`" + std::string(field.name) + ":`"});
            });
        }
        if (entry == nullptr) return;
        read_value(mapping.value_of(*entry), Wanted{field.unit, field.range}, member);
    }
}

template <core::Described T>
void bind_fields(const Source& mapping, T& value, KnownKeys& known) {
    const std::size_t problems = mapping.problems.size();
    core::for_each_field<T>(
        [&](const auto& field) { bind_field(mapping, field, value.*field.member, known); });
    if constexpr (requires { double(value.exponent); }) {
        if (mapping.problems.size() > problems) return;  // the exponent may be wrong
        core::for_each_field<T>([&](const auto& field) {
            refuse_other_exponent(mapping, field.name, field.unit, value.exponent);
        });
    }
}

template <core::Described T>
void write_fields(const T& value, Node& mapping);

/// nullopt for a value that is not given and that no word denotes.
template <class T>
std::optional<Node> value_node(const T& value, std::string_view unit) {
    if constexpr (std::same_as<T, double>) {
        return number_node(value, unit);
    } else if constexpr (std::same_as<T, core::Required>) {
        if (!value.has_value()) return std::nullopt;
        return number_node(value, unit);
    } else if constexpr (std::same_as<T, core::Place>) {
        return number_node(value.value, value.is_distance ? "m" : "");
    } else if constexpr (std::same_as<T, bool>) {
        return Node::text(value ? "true" : "false");
    } else if constexpr (std::integral<T>) {
        return Node::text(std::to_string(value));
    } else if constexpr (std::same_as<T, std::string>) {
        return Node::text(value);
    } else if constexpr (core::NamedEnum<T>) {
        return Node::text(std::string(core::name_of(value)));
    } else if constexpr (core::is_optional<T>) {
        constexpr std::string_view word = core::word_for_no_value<T>;
        if (value) return value_node(*value, unit);
        return word.empty() ? std::nullopt : std::optional(Node::text(std::string(word)));
    } else if constexpr (core::is_vector<T>) {
        Node sequence;
        sequence.kind = Node::Kind::sequence;
        for (const auto& item : value)
            sequence.items.push_back(value_node(item, unit).value_or(Node{}));
        return sequence;
    } else {
        Node mapping;
        mapping.kind = Node::Kind::mapping;
        write_fields(value, mapping);
        return mapping;
    }
}

template <class Variant>
void write_variant(std::string_view tag, const Variant& variant, Node& mapping) {
    std::visit(
        [&]<class A>(const A& alternative) {
            mapping.entries.push_back({std::string(tag), {}, Node::text(std::string(A::name))});
            write_fields(alternative, mapping);
        },
        variant);
}

template <core::Described T>
void write_fields(const T& value, Node& mapping) {
    core::for_each_field<T>([&]<class Owner, class M>(const core::Field<Owner, M>& field) {
        const M& member = value.*field.member;
        if constexpr (core::is_variant<M>) {
            write_variant(field.name, member, mapping);
        } else if constexpr (OptionalVariant<M>::value) {
            if (member) {
                write_variant(field.name, *member, mapping);
            } else {
                mapping.entries.push_back({std::string(field.name), {}, Node::text("none")});
            }
        } else if (auto node = value_node(member, field.unit)) {
            mapping.entries.push_back({std::string(field.name), {}, *std::move(node)});
        }
    });
}

}  // namespace detail

/// Fills several structs from ONE mapping. A key is unknown if none of them has it. Every problem
/// found is added to `problems`. A value that is wrong leaves the default of its member; in an
/// OrAuto, OrNone or vector, of its type. `path` is the mapping's own path, "" for the root.
template <core::Described... Ts>
std::tuple<Ts...> bind_together(const Node& node, std::string_view path, Problems& problems) {
    std::tuple<Ts...> values;
    const detail::Source source{node, std::string(path), node.mark, problems};
    if (!detail::wants_mapping(source, "keys with values")) return values;
    detail::KnownKeys known;
    std::apply([&](Ts&... each) { (detail::bind_fields(source, each, known), ...); }, values);
    detail::refuse_unknown_keys(source, known);
    return values;
}

/// Fills one struct from a mapping; see `bind_together`.
template <core::Described T>
T bind(const Node& node, std::string_view path, Problems& problems) {
    return std::get<0>(bind_together<T>(node, path, problems));
}

/// Throws core::InputError with all `problems`, in the order of the file, if there are any.
void throw_if_any(const Document& document, Problems problems);

/// The struct that a whole document holds.
/// Errors: throws core::InputError that names every problem with file:line:column.
template <core::Described T>
T read(const Document& document) {
    Problems problems;
    T value = io::bind<T>(document.root, "", problems);  // unqualified, std::bind would be found
    throw_if_any(document, std::move(problems));
    return value;
}

/// Several structs whose keys are all in the root mapping.
template <core::Described A, core::Described B, core::Described... Rest>
std::tuple<A, B, Rest...> read(const Document& document) {
    Problems problems;
    auto values = bind_together<A, B, Rest...>(document.root, "", problems);
    throw_if_any(document, std::move(problems));
    return values;
}

/// The mapping of one or several structs, all defaults written out, numbers in SI with their unit.
/// A value that is not given and that no word denotes is left out. Reading the mapping gives the
/// same structs, bit by bit.
template <core::Described... Ts>
Node to_node(const Ts&... values) {
    Node mapping;
    mapping.kind = Node::Kind::mapping;
    (detail::write_fields(values, mapping), ...);
    return mapping;
}

}  // namespace stoss::io
