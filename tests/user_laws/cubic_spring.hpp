#pragma once

#include <optional>
#include <string_view>
#include <tuple>

#include <stoss/contact/contact_law.hpp>

namespace stoss::contact {

/// A stiffening spring without loss, as a user would add it: F = k x (1 + (x/d)^2).
struct CubicSpring : Memoryless {
    static constexpr std::string_view name = "cubic_spring";
    static constexpr std::string_view meaning = "stiffening spring, F = k x (1 + (x/d)^2)";
    static constexpr bool is_elastic = true;

    std::optional<double> stiffness = {};
    std::optional<double> depth = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &CubicSpring::stiffness, "N/m", core::positive, "k")
                .required(),
            core::field("depth", &CubicSpring::depth, "m", core::positive,
                        "d at which the force is twice that of a linear spring")
                .required()};
    }

    template <class T>
    T force(const T& x, const T& /*v*/, const NoMemory& /*memory*/) const {
        const T ratio = x / *depth;
        return *stiffness * x * (1.0 + ratio * ratio);
    }

    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        const T ratio = x / *depth;
        return 0.5 * *stiffness * x * x * (1.0 + 0.5 * ratio * ratio);
    }
};

}  // namespace stoss::contact
