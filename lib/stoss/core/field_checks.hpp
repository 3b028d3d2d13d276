#pragma once
/// Values of parameter structs against the ranges of their field lists: for callers that fill the
/// structs in a program. (A case file is checked while it is read, `io/bind.hpp`.)

#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::core {

/// "> 0 m", "between 0 and 1", "finite": completes "must be ...".
std::string range_words(const Range& range, std::string_view unit);

/// What is wrong with a number whose range that is.
std::vector<Violation> check_number(const std::string& key, double value, const Range& range,
                                    std::string_view unit);

/// The same of one that must be given; `meaning` says what it is.
std::vector<Violation> check_number(const std::string& key, const Required& value,
                                    const Range& range, std::string_view unit,
                                    std::string_view meaning);

/// The violation of a required key that is missing.
Violation missing(std::string key, std::string_view meaning);

/// Adds `more` behind `all`.
inline void append(std::vector<Violation> more, std::vector<Violation>& all) {
    for (Violation& each : more) all.push_back(std::move(each));
}

/// Throws InputError with all of them; returns if there is none.
void throw_if_any(std::vector<Violation> violations);

template <Described T>
std::vector<Violation> check_fields(const T& value, const std::string& path);

namespace detail {

template <class F, class T>
void check_member(const F& field, const T& member, const std::string& key, const std::string& owner,
                  std::vector<Violation>& all) {
    if constexpr (std::same_as<T, Required>) {
        append(check_number(key, member, field.range, field.unit, field.meaning), all);
    } else if constexpr (std::same_as<T, double> || (std::integral<T> && !std::same_as<T, bool>)) {
        append(check_number(key, static_cast<double>(member), field.range, field.unit), all);
    } else if constexpr (is_optional<T>) {
        const bool may_be_absent = !field.is_required || !word_for_no_value<T>.empty();
        if (member) check_member(field, *member, key, owner, all);
        if (!member && !may_be_absent) all.push_back(missing(key, field.meaning));
    } else if constexpr (is_vector<T>) {
        for (std::size_t i = 0; i < member.size(); ++i)
            check_member(field, member[i], key + '[' + std::to_string(i) + ']', owner, all);
    } else if constexpr (is_variant<T>) {
        // The keys of an alternative are in the mapping of the key that names it.
        std::visit([&](const auto& each) { append(check_fields(each, owner), all); }, member);
    } else if constexpr (Described<T>) {
        append(check_fields(member, key), all);
    }
}

}  // namespace detail

/// What the ranges of the fields of `value`, and of all structs in it, say of its numbers. Keys are
/// those of a case file behind `path`, as in `beam.supports[0].xi`. Empty if all is well.
template <Described T>
std::vector<Violation> check_fields(const T& value, const std::string& path) {
    std::vector<Violation> all;
    for_each_field<T>([&](const auto& field) {
        const std::string name(field.name);
        detail::check_member(field, value.*field.member, path.empty() ? name : path + '.' + name,
                             path, all);
    });
    return all;
}

}  // namespace stoss::core
