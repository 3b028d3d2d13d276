#pragma once
/// The smallest bodies and contacts of tests of single collisions.

#include <cmath>
#include <cstddef>

#include <stoss/contact/laws/hertz.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_body.hpp>

namespace stoss::tests {

/// A body that translates and has `vibrations` modes of rising frequency.
inline modal::ModalBody springy_body(double mass, std::size_t vibrations, double damping) {
    modal::ModalBody body = modal::point_mass(mass);
    for (std::size_t j = 1; j <= vibrations; ++j) {
        const double omega = 2e3 * static_cast<double>(j * j);
        body.eigenvalues.push_back(omega * omega);
        body.damping.push_back(damping * omega * omega);
        body.phi.push_back((j % 2 ? 1.3 : -0.9) / std::sqrt(mass));
    }
    return body;
}

/// A Hertz contact [N/m^exponent] that ends when its force is zero.
inline impact::ContactSetup hertz(double stiffness, double exponent = 1.5) {
    contact::Hertz law;
    law.stiffness = stiffness;
    law.exponent = exponent;
    return {law, contact::Separation::zero_force};
}

}  // namespace stoss::tests
