#pragma once
/// Numbers of a state, one after the other: how assemblies are kept and taken up again.

#include <Eigen/Core>
#include <span>
#include <vector>

#include <stoss/core/state_numbers.hpp>

namespace stoss::granular {

inline void put(std::vector<double>& state, const Eigen::Vector3d& vector) {
    state.insert(state.end(), {vector.x(), vector.y(), vector.z()});
}

inline void put(std::vector<double>& state, std::span<const double> numbers) {
    state.insert(state.end(), numbers.begin(), numbers.end());
}

using core::take;

inline void take(std::span<const double>& state, Eigen::Vector3d& vector) {
    for (double& component : vector) component = take(state);
}

}  // namespace stoss::granular
