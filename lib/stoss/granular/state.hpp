#pragma once
/// Numbers of a state, one after the other: how assemblies are kept and taken up again.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace stoss::granular {

inline void put(std::vector<double>& state, const Eigen::Vector3d& vector) {
    state.insert(state.end(), {vector.x(), vector.y(), vector.z()});
}

inline void put(std::vector<double>& state, std::span<const double> numbers) {
    state.insert(state.end(), numbers.begin(), numbers.end());
}

inline double take(std::span<const double>& state) {
    const double value = state.front();
    state = state.subspan(1);
    return value;
}

inline void take(std::span<const double>& state, Eigen::Vector3d& vector) {
    for (double& component : vector) component = take(state);
}

/// The bytes of an object, four in a number.
template <class T>
void put_bytes(std::vector<double>& state, const T& object) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint32_t) == 0);
    std::uint32_t words[sizeof(T) / sizeof(std::uint32_t)];
    std::memcpy(words, &object, sizeof(T));
    for (const std::uint32_t word : words) state.push_back(static_cast<double>(word));
}

template <class T>
void take_bytes(std::span<const double>& state, T& object) {
    std::uint32_t words[sizeof(T) / sizeof(std::uint32_t)];
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(take(state));
    std::memcpy(&object, words, sizeof(T));
}

}  // namespace stoss::granular
