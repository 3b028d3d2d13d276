#pragma once

#include <optional>
#include <string_view>
#include <tuple>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/power.hpp>

namespace stoss::contact {

/// Elastic contact, F = k x^n (theory/contact.md 5.1). Hertz (1881): n = 3/2, k from geometry
/// (contact/geometry.hpp).
struct Hertz : Memoryless {
    static constexpr std::string_view name = "hertz";
    static constexpr std::string_view meaning =
        "elastic contact, F = k x^n; n = 3/2 for curved bodies";
    static constexpr bool is_elastic = true;

    std::optional<double> stiffness = {};
    double exponent = 1.5;

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &Hertz::stiffness, "N/m^n", core::positive, stiffness_meaning),
            core::field("exponent", &Hertz::exponent, "", core::at_least(1.0), "exponent n")};
    }

    template <class T>
    T force(const T& x, const T& /*v*/, const NoMemory& /*memory*/) const {
        return *stiffness * power(x, exponent);
    }

    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        return *stiffness / (exponent + 1.0) * power(x, exponent) * x;
    }
};

}  // namespace stoss::contact
