#pragma once
/// Numbers of contact laws that otherwise follow from the bodies.

namespace stoss::tests {

/// Sets those beside stiffness and pull-off force, for the effective modulus E* [Pa] and the
/// effective radius R* [m]. Of other laws: none.
template <class L>
void set_numbers_of_bodies(L& law, double modulus, double radius) {
    if constexpr (requires { law.maugis_parameter; }) law.maugis_parameter = 1.0;
    if constexpr (requires { law.yield_strain; }) {
        law.yield_strain = 2e-3;
        law.effective_radius = radius;
        law.poisson_ratio = 0.3;
    }
    if constexpr (requires { law.mean_radius; }) {
        law.effective_modulus = modulus;
        law.length = radius;
        law.effective_radius = radius;
        law.mean_radius = radius;
    }
}

}  // namespace stoss::tests
