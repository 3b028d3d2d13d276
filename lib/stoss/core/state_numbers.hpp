#pragma once
/// Numbers of a state, one after the other: how long work is kept and taken up again.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace stoss::core {

/// Appends the numbers of a list or a vector of space.
template <class Numbers>
void put(std::vector<double>& state, const Numbers& numbers) {
    state.insert(state.end(), numbers.begin(), numbers.end());
}

/// The next number.
inline double take(std::span<const double>& state) {
    const double value = state.front();
    state = state.subspan(1);
    return value;
}

/// As many as `numbers` has.
template <class Numbers>
void take(std::span<const double>& state, Numbers& numbers) {
    for (double& number : numbers) number = take(state);
}

/// The bytes of an object, four in a number, so that each number is a whole one.
template <class T>
void put_bytes(std::vector<double>& state, const T& object) {
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr std::size_t size = sizeof(std::uint32_t);
    std::uint32_t words[(sizeof(T) + size - 1) / size]{};
    std::memcpy(words, &object, sizeof(T));
    for (const std::uint32_t word : words) state.push_back(static_cast<double>(word));
}

template <class T>
void take_bytes(std::span<const double>& state, T& object) {
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr std::size_t size = sizeof(std::uint32_t);
    std::uint32_t words[(sizeof(T) + size - 1) / size]{};
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(take(state));
    std::memcpy(&object, words, sizeof(T));
}

/// Puts members into a list of numbers. With `TakeNumbers` one function, `visit(archive)`, says for
/// both directions what belongs to a state. A member is a number, has `visit`, or `put` and `take`,
/// is made of plain bytes, or is a list of such members.
class PutNumbers {
  public:
    explicit PutNumbers(std::vector<double>& numbers) : numbers_(numbers) {}

    template <class... T>
    void operator()(T&... members) {
        (put(members), ...);
    }

  private:
    template <class T>
    void put(T& member) {
        if constexpr (std::is_floating_point_v<T>) {
            numbers_.push_back(member);
        } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
            numbers_.push_back(static_cast<double>(member));
        } else if constexpr (requires { member.visit(*this); }) {
            member.visit(*this);
        } else if constexpr (requires { member.put(numbers_); }) {
            member.put(numbers_);
        } else if constexpr (std::is_trivially_copyable_v<T>) {
            put_bytes(numbers_, member);
        } else {
            for (auto& each : member) put(each);
        }
    }
    std::vector<double>& numbers_;
};

/// Takes them back in the same order. Lists have the length that they have already.
class TakeNumbers {
  public:
    explicit TakeNumbers(std::span<const double>& numbers) : numbers_(numbers) {}

    template <class... T>
    void operator()(T&... members) {
        (take(members), ...);
    }

  private:
    template <class T>
    void take(T& member) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
            member = static_cast<T>(core::take(numbers_));
        } else if constexpr (requires { member.visit(*this); }) {
            member.visit(*this);
        } else if constexpr (requires { member.take(numbers_); }) {
            member.take(numbers_);
        } else if constexpr (std::is_trivially_copyable_v<T>) {
            take_bytes(numbers_, member);
        } else {
            for (auto& each : member) take(each);
        }
    }
    std::span<const double>& numbers_;
};

}  // namespace stoss::core
