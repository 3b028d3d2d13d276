#pragma once
/// JSON: a value tree that keeps the order of its keys, written and read.

#include <concepts>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stoss::io {

/// A JSON value. Objects keep the order in which their keys were set.
///
///     Value summary = Value::object();
///     summary.set("sub_impacts", 5).set("separation_s", 1.588e-3);
///     std::string text = to_json(summary);
struct Value {
    struct Member;
    using Array = std::vector<Value>;
    using Object = std::vector<Member>;
    using Data =
        std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object>;

    Data data;  ///< std::monostate is null

    Value() = default;
    Value(bool flag);
    Value(std::int64_t number);
    Value(double number);
    Value(std::string text);
    Value(std::string_view text);
    Value(const char* text);
    Value(Array items);
    Value(Object members);

    /// Any other integer type.
    /// Errors: std::out_of_range beyond 64 signed bits.
    template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, std::int64_t>) Value(T number)
        : Value(in_64_bits(number)) {}

    static Value object();
    static Value array();

    /// Sets `key` of an object: replaces its value in place or appends it. Null becomes an object.
    /// Errors: throws std::bad_variant_access on any other kind.
    Value& set(std::string key, Value value);

    /// Appends to an array. Null becomes an array.
    /// Errors: throws std::bad_variant_access on any other kind.
    Value& append(Value value);

    /// The value of `key` in an object; nullptr if this is no object or has no such key.
    const Value* find(std::string_view key) const;

    bool is_null() const { return std::holds_alternative<std::monostate>(data); }
    const Array* items() const { return std::get_if<Array>(&data); }
    const Object* members() const { return std::get_if<Object>(&data); }
    const std::string* text() const { return std::get_if<std::string>(&data); }
    std::optional<bool> flag() const;

    /// An integer or a double; also "inf", "-inf" and "nan" as `to_json` writes them.
    std::optional<double> number() const;

    /// Same kind, same values, same order. NaN differs from NaN, 1 differs from 1.0.
    friend bool operator==(const Value& a, const Value& b);

  private:
    template <std::integral T>
    static std::int64_t in_64_bits(T number) {
        if (std::in_range<std::int64_t>(number)) return static_cast<std::int64_t>(number);
        throw std::out_of_range("an integer of a JSON value must fit in 64 signed bits");
    }
};

struct Value::Member {
    std::string key;
    Value value;
    friend bool operator==(const Member& a, const Member& b);
};

/// Writes `value` with `indent` blanks a level and a newline at the end. Arrays without arrays or
/// objects inside are on one line.
///
/// Doubles are the shortest text that reads back as the same double, always with a point or an
/// exponent, so that they stay doubles. JSON has no infinity and no NaN: they become the strings
/// "inf", "-inf" and "nan", which `Value::number` takes as numbers (null would hide which it was).
/// Bytes that are not UTF-8 become U+FFFD.
std::string to_json(const Value& value, int indent = 2);

/// Reads a JSON text; `file` is the name for messages.
/// Errors: core::InputError with line and column for bad syntax, a key given twice, a number that
/// no 64-bit integer or double holds, or nesting deeper than 64 levels.
Value parse_json(std::string_view text, const std::string& file);

}  // namespace stoss::io
