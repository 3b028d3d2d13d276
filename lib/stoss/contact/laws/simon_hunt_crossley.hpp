#pragma once

#include <string_view>

#include <stoss/contact/viscoelastic_family.hpp>

namespace stoss::contact {

/// (theory/contact_laws.md 8.4) with alpha = 3/2, beta = 5/2 (Simon 1967; Hunt and Crossley 1975):
/// (8.3) with n = 3/2 and mu = (5/2) gamma_0.
struct SimonHuntCrossley : ViscoelasticFamily<SimonHuntCrossley> {
    static constexpr std::string_view name = "simon_hunt_crossley";
    static constexpr std::string_view meaning =
        "Hertz spring, damping with x^(3/2) v: gamma_0 = (2/5) mu";

    static constexpr double exponent = 1.5;
    static constexpr double damping_exponent = 2.5;

    static constexpr auto fields() { return family_fields("s/m"); }
};

}  // namespace stoss::contact
