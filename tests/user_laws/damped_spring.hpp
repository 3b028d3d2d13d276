#pragma once

#include <optional>
#include <string_view>
#include <tuple>

#include <stoss/contact/contact_law.hpp>

namespace stoss::contact {

/// A law as a user would add it: linear spring and dashpot, F = k x + c v.
struct DampedSpring : Memoryless {
    static constexpr std::string_view name = "damped_spring";
    static constexpr std::string_view meaning = "linear spring and dashpot, F = k x + c v";
    static constexpr bool is_elastic = false;

    std::optional<double> stiffness = {};
    std::optional<double> damping = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &DampedSpring::stiffness, "N/m", core::positive, "k")
                .required(),
            core::field("damping", &DampedSpring::damping, "N s/m", core::non_negative, "c")
                .required()};
    }

    template <class T>
    T force(const T& x, const T& v, const NoMemory& /*memory*/) const {
        return *stiffness * x + *damping * v;
    }

    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        return 0.5 * *stiffness * x * x;
    }
};

}  // namespace stoss::contact
