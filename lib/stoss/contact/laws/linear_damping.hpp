#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/damped_powers.hpp>
#include <stoss/contact/damping.hpp>
#include <stoss/contact/power.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::contact {

/// Hertz's spring beside a linear damper, F = k x^n + c v (theory/contact_laws.md 8.2) (Poursina
/// and Nikravesh 2020, (7)). The force jumps at onset, F(0) = c v0; the jump belongs to the model.
struct LinearDamping {
    static constexpr std::string_view name = "linear_damping";
    static constexpr std::string_view meaning = "Hertz spring and linear damper, F = k x^n + c v";
    static constexpr bool is_elastic = false;

    /// Numbers of the present impact.
    struct Memory {
        double damping_scale;  ///< C (k m^n)^(1/(n+1)); not used if c itself is given
        double damping;        ///< c [N s/m]
    };

    std::optional<double> stiffness = {};
    double exponent = 1.5;
    std::optional<double> damping = {};
    std::optional<double> restitution = {};
    LinearDampingRule rule = LinearDampingRule::exact;

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &LinearDamping::stiffness, "N/m^n", core::positive,
                        stiffness_meaning),
            core::field("exponent", &LinearDamping::exponent, "", core::at_least(1.0),
                        "exponent n"),
            core::field("damping", &LinearDamping::damping, "N s/m", core::non_negative,
                        "damping c; or give restitution"),
            core::field("restitution", &LinearDamping::restitution, "", wanted_restitution,
                        "wanted e, in place of damping: c follows from the approach speed and the "
                        "effective mass of each impact"),
            core::field("rule", &LinearDamping::rule, "rule that converts restitution into c")};
    }

    std::vector<core::Violation> check(Separation separation) const {
        auto violations = check_one_given("damping", damping, restitution);
        if (violations.empty() && rule == LinearDampingRule::poursina_nikravesh_2020) {
            violations = check_fit(exponent, separation);
        }
        return violations;
    }

    /// (8.14) but for the speed.
    Memory prepare(const PairProperties& pair) const {
        if (damping) return {0.0, *damping};
        const double n = exponent, m = pair.effective_mass;
        const double e = required_restitution("damping", restitution);
        const double number = rule == LinearDampingRule::exact
                                  ? viscoelastic_number(e, n, 1.0, pair.separation)
                                  : linear_damping_fit(e, n);
        return {number * core::pow(*stiffness * core::pow(m, n), 1.0 / (n + 1.0)), 0.0};
    }

    /// (8.14): c = C(e, n) [k v0^(n-1) m^n]^(1/(n+1)).
    void onset(Memory& memory, double approach_speed) const {
        if (damping) return;
        memory.damping =
            memory.damping_scale * core::pow(approach_speed, (exponent - 1.0) / (exponent + 1.0));
    }

    void accept(Memory& /*memory*/, double /*x*/, double /*v*/) const {}

    template <class T>
    T force(const T& x, const T& v, const Memory& memory) const {
        return *stiffness * power(x, exponent) + memory.damping * v;
    }

    DampedPowers powers(const Memory& memory) const {
        return {DampingTerm::constant, exponent, 0.0, *stiffness, memory.damping};
    }

    template <class T>
    T stored_energy(const T& x, const Memory& /*memory*/) const {
        return *stiffness / (exponent + 1.0) * power(x, exponent) * x;
    }
};

}  // namespace stoss::contact
