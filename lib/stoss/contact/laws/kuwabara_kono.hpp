#pragma once

#include <string_view>

#include <stoss/contact/viscoelastic_family.hpp>

namespace stoss::contact {

/// (theory/contact_laws.md 8.4) with alpha = beta = 3/2 (Kuwabara and Kono 1987; Brilliantov et al.
/// 1996): viscoelastic spheres.
struct KuwabaraKono : ViscoelasticFamily<KuwabaraKono> {
    static constexpr std::string_view name = "kuwabara_kono";
    static constexpr std::string_view meaning = "viscoelastic spheres, damping with x^(1/2) v";

    static constexpr double exponent = 1.5;
    static constexpr double damping_exponent = 1.5;

    static constexpr auto fields() { return family_fields("s"); }
};

}  // namespace stoss::contact
