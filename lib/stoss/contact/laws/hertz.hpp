#pragma once

#include <cmath>
#include <string_view>
#include <tuple>

#include <stoss/contact/contact_law.hpp>

namespace stoss::contact {

/// Elastic contact, F = k x^n (5.1). Hertz (1881): n = 3/2, k from geometry (contact/geometry.hpp).
struct Hertz {
    static constexpr std::string_view name = "hertz";
    static constexpr std::string_view meaning =
        "elastic contact, F = k x^n; n = 3/2 for curved bodies";
    static constexpr bool is_elastic = true;
    using Memory = NoMemory;

    double stiffness = core::not_given;
    double exponent = 1.5;

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &Hertz::stiffness, "N/m^n", core::positive,
                        "k; if left out, computed from the shapes and materials of the two bodies"),
            core::field("exponent", &Hertz::exponent, "", core::at_least(1.0), "n")};
    }

    NoMemory onset(double /*approach_speed*/) const { return {}; }
    void accept(NoMemory& /*memory*/, double /*x*/, double /*v*/) const {}

    template <class T>
    T force(const T& x, const T& /*v*/, const NoMemory& /*memory*/) const {
        return stiffness * power(x);
    }

    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        return stiffness / (exponent + 1.0) * power(x) * x;
    }

  private:
    /// x^n; the square root is several times faster than the general power.
    double power(double x) const {
        return exponent == 1.5 ? x * std::sqrt(x) : std::pow(x, exponent);
    }
    core::Dual power(core::Dual x) const {
        if (exponent != 1.5) return pow(x, exponent);
        const double root = std::sqrt(x.value);
        return {x.value * root, 1.5 * root * x.derivative};
    }
};

}  // namespace stoss::contact
