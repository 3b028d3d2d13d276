#pragma once
/// F = k [x^alpha + gamma_0 d/dt x^beta] (theory/contact_laws.md 8.4): what the laws of this family
/// share.

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

/// Base of a law of the family. The law has `exponent` (alpha) and `damping_exponent` (beta), as
/// fields or as constants.
template <class Law>
struct ViscoelasticFamily {
    static constexpr bool is_elastic = false;

    /// Numbers of the present impact.
    struct Memory {
        /// gamma (m/k)^q, q = (alpha - beta + 1)/(alpha + 1); not used if gamma_0 itself is given
        double damping_scale;
        double damping_factor;  ///< gamma_0 [s m^(alpha - beta)]
    };

    std::optional<double> stiffness = {};
    std::optional<double> damping_factor = {};
    std::optional<double> restitution = {};

    /// The fields of every law of the family; `unit` is that of gamma_0.
    static constexpr auto family_fields(std::string_view unit) {
        return std::tuple{
            core::field("stiffness", &ViscoelasticFamily::stiffness, "N/m^n", core::positive,
                        stiffness_meaning),
            core::field("damping_factor", &ViscoelasticFamily::damping_factor, unit,
                        core::non_negative, "damping factor gamma_0; or give restitution"),
            core::field("restitution", &ViscoelasticFamily::restitution, "", wanted_restitution,
                        "wanted e, in place of damping_factor: gamma_0 follows from the approach "
                        "speed and the effective mass of each impact")};
    }

    std::vector<core::Violation> check(Separation /*separation*/) const {
        return check_one_given("damping_factor", damping_factor, restitution);
    }

    /// (8.7) but for the speed.
    Memory prepare(const PairProperties& pair) const {
        if (damping_factor) return {0.0, *damping_factor};
        const double e = required_restitution("damping_factor", restitution);
        const double gamma = viscoelastic_number(e, alpha(), beta(), pair.separation);
        return {gamma * core::pow(pair.effective_mass / *stiffness, scale_exponent()), 0.0};
    }

    /// (8.7): gamma_0 = gamma (m v0^2/k)^q / v0. It has no limit for v0 = 0 if q < 1/2; such a
    /// contact is not damped.
    void onset(Memory& memory, double approach_speed) const {
        if (damping_factor) return;
        const double exponent_of_speed = 2.0 * scale_exponent() - 1.0;
        const bool has_value = approach_speed > 0.0 || exponent_of_speed >= 0.0;
        memory.damping_factor =
            has_value ? memory.damping_scale * core::pow(approach_speed, exponent_of_speed) : 0.0;
    }

    void accept(Memory& /*memory*/, double /*x*/, double /*v*/) const {}

    template <class T>
    T force(const T& x, const T& v, const Memory& memory) const {
        const T damper = memory.damping_factor * beta() * power(x, beta() - 1.0) * v;
        return *stiffness * (power(x, alpha()) + damper);
    }

    DampedPowers powers(const Memory& memory) const {
        return {DampingTerm::power, alpha(), beta() - 1.0, *stiffness,
                memory.damping_factor * beta()};
    }

    template <class T>
    T stored_energy(const T& x, const Memory& /*memory*/) const {
        return *stiffness / (alpha() + 1.0) * power(x, alpha()) * x;
    }

  private:
    double alpha() const { return static_cast<const Law&>(*this).exponent; }
    double beta() const { return static_cast<const Law&>(*this).damping_exponent; }
    double scale_exponent() const { return (alpha() - beta() + 1.0) / (alpha() + 1.0); }
};

}  // namespace stoss::contact
