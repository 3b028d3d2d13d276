#pragma once
/// Friction between compliant bodies: tangential force from slip and normal force, within
/// |F_to| <= mu F_n. Each regularises Coulomb's law where the slip vanishes.

#include <string_view>
#include <tuple>
#include <variant>

#include <stoss/core/fields.hpp>

namespace stoss::contact {

/// Friction in proportion to the slip where that is slow: F_to = -mu F_n v_to/max(|v_to|, v_s).
struct RegularisedCoulomb {
    static constexpr std::string_view name = "regularised_coulomb";
    static constexpr std::string_view meaning =
        "force mu F_n against the slip; below a small slip speed it is proportional to the slip";

    double slip_speed = 1e-4;

    static constexpr auto fields() {
        return std::tuple{core::field("slip_speed", &RegularisedCoulomb::slip_speed, "",
                                      core::positive,
                                      "slip speed v_s below which the force is proportional to the "
                                      "slip, in units of the relative speed before the impact")};
    }
};

/// A tangential spring whose end slides as soon as it pulls with mu F_n (Maw, Barber & Fawcett
/// 1976, with one spring in place of their annuli): F_to = -k_t u, u' = v_to while
/// k_t |u| <= mu F_n.
struct TangentialSpring {
    static constexpr std::string_view name = "tangential_spring";
    static constexpr std::string_view meaning =
        "a tangential spring whose end slides at the force mu F_n";

    double stiffness_ratio = 2.0 / 3.0;

    static constexpr auto fields() {
        return std::tuple{core::field(
            "stiffness_ratio", &TangentialSpring::stiffness_ratio, "", core::positive,
            "tangential stiffness k_t in units of F_n/x at the overlap at which the "
            "elastic energy is that of the approach; for like elastic bodies (Mindlin 1949) 3 (1 "
            "- nu)/(2 - nu) with Hertz's law, 2 (1 - nu)/(2 - nu) with a linear law")};
    }
};

using Friction = std::variant<RegularisedCoulomb, TangentialSpring>;

}  // namespace stoss::contact
