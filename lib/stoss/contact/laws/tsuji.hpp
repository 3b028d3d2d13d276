#pragma once

#include <string_view>

#include <stoss/contact/viscoelastic_family.hpp>

namespace stoss::contact {

/// (theory/contact_laws.md 8.4) with alpha = 3/2, beta = 5/4 (Tsuji, Tanaka and Ishida 1992): the
/// law of many grain codes. The restitution depends on gamma_0 sqrt(k/m) only, in closed form
/// (8.11), (8.12).
struct Tsuji : ViscoelasticFamily<Tsuji> {
    static constexpr std::string_view name = "tsuji";
    static constexpr std::string_view meaning =
        "Hertz spring, damping with x^(1/4) v; e does not depend on the speed";

    static constexpr double exponent = 1.5;
    static constexpr double damping_exponent = 1.25;

    static constexpr auto fields() { return family_fields("s m^(1/4)"); }
};

}  // namespace stoss::contact
