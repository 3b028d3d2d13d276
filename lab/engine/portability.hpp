#pragma once
/// What the standard library of Emscripten 3.1.6 (LLVM 14) does not have yet and Stoss uses.
/// Included before every source of the laboratory's engine by its preset, so that no source knows
/// of it.

#ifdef __cplusplus

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace std {

template <class To, class From>
To bit_cast(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    alignas(To) char bytes[sizeof(To)];
    memcpy(bytes, &from, sizeof(To));
    return *reinterpret_cast<To*>(bytes);
}

// Where it begins no blank, sign of plus, hexadecimal number or word, this is the number that
// strtod reads.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
    const char* end = first;
    const auto skip_digits = [&] {
        const char* const begin = end;
        while (end != last && *end >= '0' && *end <= '9') ++end;
        return end - begin;
    };
    if (end != last && *end == '-') ++end;
    auto digits = skip_digits();
    if (end != last && *end == '.') {
        ++end;
        digits += skip_digits();
    }
    if (digits == 0) return {first, errc::invalid_argument};
    const char* const mantissa_end = end;
    if (end != last && (*end == 'e' || *end == 'E')) {
        ++end;
        if (end != last && (*end == '-' || *end == '+')) ++end;
        if (skip_digits() == 0) end = mantissa_end;
    }
    const double read = strtod(string(first, end).c_str(), nullptr);
    if (read - read != 0.0) return {end, errc::result_out_of_range};
    const char* const exponent = find_if(first, end, [](char c) { return c == 'e' || c == 'E'; });
    const bool has_digit = any_of(first, exponent, [](char c) { return c >= '1' && c <= '9'; });
    if (read == 0.0 && has_digit) return {end, errc::result_out_of_range};
    value = read;
    return {end, errc{}};
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int digits) {
    char text[40];
    const int length = snprintf(text, sizeof text, "%.*g", digits, value);
    if (last - first < length) return {last, errc::value_too_large};
    memcpy(first, text, static_cast<size_t>(length));
    return {first + length, errc{}};
}

// The shortest text that reads back as the same number.
inline to_chars_result to_chars(char* first, char* last, double value) {
    char text[40];
    int digits = 1;
    for (; digits < 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, nullptr) == value) break;
    }
    return to_chars(first, last, value, chars_format::general, digits);
}

namespace ranges {

struct same_value {
    template <class T>
    constexpr T&& operator()(T&& value) const noexcept {
        return static_cast<T&&>(value);
    }
};

template <class Range, class Test>
bool any_of(Range&& range, Test test) {
    return std::any_of(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
bool none_of(Range&& range, Test test) {
    return std::none_of(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
bool all_of(Range&& range, Test test) {
    return std::all_of(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
auto count_if(Range&& range, Test test) {
    return std::count_if(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
auto find_if(Range&& range, Test test) {
    return std::find_if(std::begin(range), std::end(range), test);
}
template <class Range, class Value>
auto count(Range&& range, const Value& value) {
    return std::count(std::begin(range), std::end(range), value);
}
template <class Range, class Value, class Key = same_value>
auto find(Range&& range, const Value& value, Key key = {}) {
    return std::find_if(std::begin(range), std::end(range),
                        [&](const auto& each) { return std::invoke(key, each) == value; });
}
template <class Range, class Key = same_value>
auto max_element(Range&& range, std::less<> less = {}, Key key = {}) {
    return std::max_element(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
        return less(std::invoke(key, a), std::invoke(key, b));
    });
}
template <class Range, class Before = std::less<>, class Key = same_value>
void sort(Range&& range, Before before = {}, Key key = {}) {
    std::sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
        return before(std::invoke(key, a), std::invoke(key, b));
    });
}

}  // namespace ranges
}  // namespace std
#endif
