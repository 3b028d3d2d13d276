#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/damped_powers.hpp>
#include <stoss/contact/damping.hpp>
#include <stoss/contact/power.hpp>

namespace stoss::contact {

/// Hertz's spring with damping that grows with the overlap, F = k x^n (1 + mu v)
/// (theory/contact_laws.md 8.3) (Hunt and Crossley 1975). Never pulls in an impact: both separation
/// rules end it at x = 0.
struct HuntCrossley {
    static constexpr std::string_view name = "hunt_crossley";
    static constexpr std::string_view meaning =
        "Hertz spring with damping proportional to its force, F = k x^n (1 + mu v)";
    static constexpr bool is_elastic = false;

    /// Numbers of the present impact.
    struct Memory {
        double damping_number;  ///< z = mu v0; not used if mu itself is given
        double damping_factor;  ///< mu [s/m]
    };

    std::optional<double> stiffness = {};
    double exponent = 1.5;
    std::optional<double> damping_factor = {};
    std::optional<double> restitution = {};
    HuntCrossleyRule rule = HuntCrossleyRule::exact;

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &HuntCrossley::stiffness, "N/m^n", core::positive,
                        stiffness_meaning),
            core::field("exponent", &HuntCrossley::exponent, "", core::at_least(1.0), "exponent n"),
            core::field("damping_factor", &HuntCrossley::damping_factor, "s/m", core::non_negative,
                        "damping factor mu; or give restitution"),
            core::field("restitution", &HuntCrossley::restitution, "", wanted_restitution,
                        "wanted e, in place of damping_factor: mu follows from the approach speed "
                        "of each impact"),
            core::field("rule", &HuntCrossley::rule, "rule that converts restitution into mu")};
    }

    std::vector<core::Violation> check(Separation /*separation*/) const {
        auto violations = check_one_given("damping_factor", damping_factor, restitution);
        if (violations.empty() && restitution) violations = check_reachable(*restitution, rule);
        return violations;
    }

    Memory prepare(const PairProperties& /*pair*/) const {
        if (damping_factor) return {0.0, *damping_factor};
        return {hunt_crossley_number(required_restitution("damping_factor", restitution), rule),
                0.0};
    }

    /// mu = z/v0; without approach there is nothing to damp.
    void onset(Memory& memory, double approach_speed) const {
        if (damping_factor) return;
        memory.damping_factor = approach_speed > 0.0 ? memory.damping_number / approach_speed : 0.0;
    }

    void accept(Memory& /*memory*/, double /*x*/, double /*v*/) const {}

    template <class T>
    T force(const T& x, const T& v, const Memory& memory) const {
        return *stiffness * power(x, exponent) * (1.0 + memory.damping_factor * v);
    }

    DampedPowers powers(const Memory& memory) const {
        return {DampingTerm::spring, exponent, 0.0, *stiffness, memory.damping_factor};
    }

    template <class T>
    T stored_energy(const T& x, const Memory& /*memory*/) const {
        return *stiffness / (exponent + 1.0) * power(x, exponent) * x;
    }
};

}  // namespace stoss::contact
