#pragma once

#include <string_view>
#include <tuple>

#include <stoss/contact/viscoelastic_family.hpp>

namespace stoss::contact {

/// F = k [x^alpha + gamma_0 d/dt x^beta] (theory/contact_laws.md 8.4) with any exponents. The
/// members that have a name are laws of their own; this one is for the exponents in between.
struct Viscoelastic : ViscoelasticFamily<Viscoelastic> {
    static constexpr std::string_view name = "viscoelastic";
    static constexpr std::string_view meaning =
        "family of damped laws, F = k [x^alpha + gamma_0 d/dt x^beta]";

    double exponent = 1.5;
    double damping_exponent = 1.5;

    static constexpr auto fields() {
        return std::tuple_cat(
            family_fields("s m^(alpha-beta)"),
            std::tuple{core::field("exponent", &Viscoelastic::exponent, "", core::at_least(1.0),
                                   "exponent alpha of the elastic part"),
                       core::field("damping_exponent", &Viscoelastic::damping_exponent, "",
                                   core::at_least(1.0), "exponent beta of the damping")});
    }
};

}  // namespace stoss::contact
