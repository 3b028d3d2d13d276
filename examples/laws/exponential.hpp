#pragma once

#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>

#include <stoss/contact/contact_law.hpp>

namespace stoss::contact {

/// A spring that stiffens exponentially, as of a rough surface: F = k d (exp(x/d) - 1).
struct Exponential : Memoryless {
    static constexpr std::string_view name = "exponential";
    static constexpr std::string_view meaning = "stiffening spring, F = k d (exp(x/d) - 1)";
    static constexpr bool is_elastic = true;

    std::optional<double> stiffness = {};
    std::optional<double> depth = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &Exponential::stiffness, "N/m", core::positive, "k at x = 0")
                .required(),
            core::field("depth", &Exponential::depth, "m", core::positive,
                        "d, over which the stiffness grows by the factor e")
                .required()};
    }

    template <class T>
    T force(const T& x, const T& /*v*/, const NoMemory& /*memory*/) const {
        using std::exp;
        return *stiffness * *depth * (exp(x / *depth) - 1.0);
    }

    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        using std::exp;
        return *stiffness * *depth * (*depth * (exp(x / *depth) - 1.0) - x);
    }
};

}  // namespace stoss::contact
