#pragma once
/// Numbers of parameter structs by the paths of their keys, as "beam.supports[0].xi".

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <stoss/core/fields.hpp>

namespace stoss::core {

/// A number of a parameter struct by the path of its key.
struct NumberKey {
    /// Where it is held; std::monostate: there is none at that path.
    std::variant<std::monostate, double*, Required*, std::optional<double>*> place;
    std::string_view unit;  ///< SI, as of its field
    Range range = {};       ///< of its field

    explicit operator bool() const { return place.index() != 0; }

    /// None if it is not given, or there is none.
    std::optional<double> value() const {
        if (const auto* const number = std::get_if<double*>(&place)) return **number;
        if (const auto* const required = std::get_if<Required*>(&place))
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
template <Described T>
inline constexpr bool is_list_of_structs<std::vector<T>> = true;

/// The number at a dotted path, given or not; none where a word replaces it. Keys of the
/// present alternative of a choice are beside it.
template <Described T>
NumberKey number_at(T& parameters, std::string_view path) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    const std::string_view rest = dot == path.npos ? "" : path.substr(dot + 1);
    NumberKey found;
    for_each_field<T>([&](const auto& field) {
        auto& member = parameters.*field.member;
        using Member = std::remove_reference_t<decltype(member)>;
        if constexpr (is_number<Member> || std::is_same_v<Member, std::optional<double>>) {
            const bool is_it = field.name == name || (field.other_name == name && !name.empty());
            if (is_it && rest.empty()) found = {&member, field.unit, field.range};
        } else if constexpr (std::is_same_v<Member, std::vector<double>>) {
            const auto index = index_of_item(name, field.name);
            if (index && *index < member.size() && rest.empty())
                found = {&member[*index], field.unit, field.range};
        } else if constexpr (is_list_of_structs<Member>) {
            const auto index = index_of_item(name, field.name);
            if (index && *index < member.size()) found = number_at(member[*index], rest);
        } else if constexpr (is_variant<Member>) {
            if (!found)
                std::visit([&](auto& alternative) { found = number_at(alternative, path); },
                           member);
        } else if constexpr (Described<Member>) {
            if (field.name == name) found = number_at(member, rest);
        } else if constexpr (is_optional<Member>) {
            if constexpr (std::is_same_v<typename Member::value_type, double>) {
                if (field.name == name && rest.empty() && member)
                    found = {static_cast<std::optional<double>*>(&member), field.unit, field.range};
            } else if constexpr (Described<typename Member::value_type>) {
                if (field.name == name && member) found = number_at(*member, rest);
            }
        }
    });
    return found;
}

/// Calls `visit(name, range, number)` for each double, and each optional double that is given, in
/// the order of the fields; `number` is a reference to it. Other members are left out.
template <class T, class Visit>
void for_each_number(T& parameters, const Visit& visit) {
    for_each_field<std::remove_const_t<T>>([&](const auto& field) {
        auto& member = parameters.*field.member;
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_same_v<Member, double>) {
            visit(field.name, field.range, member);
        } else if constexpr (std::is_same_v<Member, std::optional<double>>) {
            if (member) visit(field.name, field.range, *member);
        }
    });
}

}  // namespace stoss::core
