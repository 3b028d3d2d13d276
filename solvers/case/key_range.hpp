#pragma once
/// `over:`, a key of the case that runs through a range. For many cheap computations: the number is
/// set where it lies in the parameters, and the case is not read again.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// How the numbers of a range follow each other.
enum class Spacing { linear, logarithmic };

constexpr auto enum_names(Spacing) {
    return std::array{core::EnumName{Spacing::linear, "linear", "equal differences"},
                      core::EnumName{Spacing::logarithmic, "logarithmic", "equal ratios"}};
}

/// A key that runs from one value to another, both included.
struct KeyRange {
    std::string key;
    std::string from;
    std::string to;
    int points = 101;
    Spacing spacing = Spacing::linear;

    static constexpr auto fields() {
        return std::tuple{
            core::field("key", &KeyRange::key, "path of the key, e.g. contact.damping").required(),
            core::field("from", &KeyRange::from, "first value, written as for the key itself")
                .required(),
            core::field("to", &KeyRange::to, "last value").required(),
            core::field("points", &KeyRange::points, "", core::closed(2, 1e6), "number of values"),
            core::field("spacing", &KeyRange::spacing, "spacing of the values")};
    }
};

/// The numbers of a range in SI.
struct Steps {
    double from = 0.0, to = 0.0;
    std::size_t points = 2;
    Spacing spacing = Spacing::linear;

    double operator[](std::size_t index) const;
};

/// A number of a parameter struct by the path of its key.
struct NumberKey {
    /// Where it is held; std::monostate: there is none at that path.
    std::variant<std::monostate, double*, core::Required*, std::optional<double>*> place;
    std::string_view unit;

    explicit operator bool() const { return place.index() != 0; }

    /// None if it is not given, or there is none.
    std::optional<double> value() const {
        if (const auto* const number = std::get_if<double*>(&place)) return **number;
        if (const auto* const required = std::get_if<core::Required*>(&place))
            return (*required)->has_value() ? std::optional<double>(**required) : std::nullopt;
        if (const auto* const optional = std::get_if<std::optional<double>*>(&place))
            return **optional;
        return std::nullopt;
    }

    /// Precondition: there is one.
    void set(double value) const {
        std::visit(
            [value](auto held) {
                if constexpr (std::is_pointer_v<decltype(held)>) *held = value;
            },
            place);
    }
};

/// The index in "velocity[2]" if `key` is "velocity"; none if that is no item of it.
std::optional<std::size_t> index_of_item(std::string_view name, std::string_view key);

template <class>
inline constexpr bool is_list_of_structs = false;
template <core::Described T>
inline constexpr bool is_list_of_structs<std::vector<T>> = true;

/// The number at a dotted path, given or not; none where a word replaces it. Keys of the
/// present alternative of a choice are beside it.
template <core::Described T>
NumberKey number_at(T& parameters, std::string_view path) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    const std::string_view rest = dot == path.npos ? "" : path.substr(dot + 1);
    NumberKey found;
    core::for_each_field<T>([&](const auto& field) {
        auto& member = parameters.*field.member;
        using Member = std::remove_reference_t<decltype(member)>;
        if constexpr (core::is_number<Member> || std::is_same_v<Member, std::optional<double>>) {
            const bool is_it = field.name == name || (field.other_name == name && !name.empty());
            if (is_it && rest.empty()) found = {&member, field.unit};
        } else if constexpr (std::is_same_v<Member, std::vector<double>>) {
            const auto index = index_of_item(name, field.name);
            if (index && *index < member.size() && rest.empty())
                found = {&member[*index], field.unit};
        } else if constexpr (is_list_of_structs<Member>) {
            const auto index = index_of_item(name, field.name);
            if (index && *index < member.size()) found = number_at(member[*index], rest);
        } else if constexpr (core::is_variant<Member>) {
            if (!found)
                std::visit([&](auto& alternative) { found = number_at(alternative, path); },
                           member);
        } else if constexpr (core::Described<Member>) {
            if (field.name == name) found = number_at(member, rest);
        } else if constexpr (core::is_optional<Member>) {
            if constexpr (std::is_same_v<typename Member::value_type, double>) {
                if (field.name == name && rest.empty() && member)
                    found = {static_cast<std::optional<double>*>(&member), field.unit};
            } else if constexpr (core::Described<typename Member::value_type>) {
                if (field.name == name && member) found = number_at(*member, rest);
            }
        }
    });
    return found;
}

/// Reads the case at both ends of a range: `read(changed)` gets the document with the key set and
/// returns what is wrong with it; it may throw core::InputError instead.
/// Returns the steps. Errors: core::InputError with all that is wrong with the range, at its place.
/// `index` is that of the range in `over:`; `unit` that of the key.
Steps read_range(const io::Document& document, const KeyRange& range, std::size_t index,
                 std::string_view unit,
                 const std::function<std::vector<core::Violation>(const io::Document&)>& read);

/// "speed_m_per_s": the column of a key.
std::string column_of(std::string_view path, std::string_view unit);

}  // namespace stoss::solvers
