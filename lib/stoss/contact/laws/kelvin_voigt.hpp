#pragma once

#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/damped_powers.hpp>
#include <stoss/contact/damping.hpp>

namespace stoss::contact {

/// Linear spring and dashpot side by side, F = k x + c v (theory/contact_laws.md 8.1). The force
/// jumps at onset.
struct KelvinVoigt {
    static constexpr std::string_view name = "kelvin_voigt";
    static constexpr std::string_view meaning = "linear spring and dashpot, F = k x + c v";
    static constexpr bool is_elastic = false;

    struct Memory {
        double damping;  ///< c [N s/m]
    };

    std::optional<double> stiffness = {};
    std::optional<double> damping = {};
    std::optional<double> restitution = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &KelvinVoigt::stiffness, "N/m", core::positive, "stiffness k")
                .required(),
            core::field("damping", &KelvinVoigt::damping, "N s/m", core::non_negative,
                        "damping c; or give restitution"),
            core::field("restitution", &KelvinVoigt::restitution, "", wanted_restitution,
                        "wanted e, in place of damping: c follows from the effective mass")};
    }

    std::vector<core::Violation> check(Separation /*separation*/) const {
        return check_one_given("damping", damping, restitution);
    }

    /// c = 2 xi sqrt(k m) with the xi that gives e (8.11), (8.12).
    Memory prepare(const PairProperties& pair) const {
        if (damping) return {*damping};
        const double e = required_restitution("damping", restitution);
        const double ratio = oscillator_damping_ratio(e, pair.separation);
        return {2.0 * ratio * std::sqrt(*stiffness * pair.effective_mass)};
    }

    void onset(Memory& /*memory*/, double /*approach_speed*/) const {}
    void accept(Memory& /*memory*/, double /*x*/, double /*v*/) const {}

    template <class T>
    T force(const T& x, const T& v, const Memory& memory) const {
        return *stiffness * x + memory.damping * v;
    }

    DampedPowers powers(const Memory& memory) const {
        return {DampingTerm::constant, 1.0, 0.0, *stiffness, memory.damping};
    }

    template <class T>
    T stored_energy(const T& x, const Memory& /*memory*/) const {
        return 0.5 * *stiffness * x * x;
    }
};

}  // namespace stoss::contact
