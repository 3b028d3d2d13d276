#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/power.hpp>

namespace stoss::contact {

/// Spring with a damper that is ramped over a depth, as the function IMPACT of ADAMS has it
/// (theory/contact_laws.md 8.24): F = k x^n + c s(x/d) v, s(u) = u^2 (3 - 2 u) up to u = 1, then 1.
/// Unlike a plain damper it begins without a jump of the force.
struct RampedDamping : Memoryless {
    static constexpr std::string_view name = "ramped_damping";
    static constexpr std::string_view meaning =
        "spring k x^n and a damper that grows over a depth, as in the function IMPACT of ADAMS";
    static constexpr bool is_elastic = false;

    std::optional<double> stiffness = {};
    double exponent = 1.5;
    std::optional<double> damping = {};
    std::optional<double> ramp_depth = {};

    static constexpr auto fields() {
        return std::tuple{core::field("stiffness", &RampedDamping::stiffness, "N/m^n",
                                      core::positive, stiffness_meaning),
                          core::field("exponent", &RampedDamping::exponent, "", core::at_least(1.0),
                                      "exponent n"),
                          core::field("damping", &RampedDamping::damping, "N s/m",
                                      core::non_negative, "largest damping c"),
                          core::field("ramp_depth", &RampedDamping::ramp_depth, "m", core::positive,
                                      "depth d: overlap at which the damping reaches c")
                              .required()};
    }

    /// The damping is no required field: a calibration finds it.
    std::vector<core::Violation> check(Separation /*separation*/) const {
        if (damping) return {};
        return {core::missing("damping", "add `damping`, the largest damping c")};
    }

    NoMemory prepare(const PairProperties& pair) const {
        core::throw_if_any(check(pair.separation));
        return {};
    }

    template <class T>
    T force(const T& x, const T& v, const NoMemory& /*memory*/) const {
        const T u = x / *ramp_depth;
        const T ramp = u < T(1.0) ? u * u * (3.0 - 2.0 * u) : T(1.0);
        return *stiffness * power(x, exponent) + *damping * ramp * v;
    }

    /// The ramp, and what lies beyond.
    int piece(double x, const NoMemory& /*memory*/) const { return x < *ramp_depth ? 0 : 1; }

    template <class T>
    T stored_energy(const T& x, const NoMemory& /*memory*/) const {
        return *stiffness / (exponent + 1.0) * power(x, exponent) * x;
    }
};

}  // namespace stoss::contact
