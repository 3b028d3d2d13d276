#pragma once
/// Systems of bodies with friction, for tests of motion::ImpactMotion.

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include <motion_systems.hpp>

namespace stoss::motion_test {

using motion::ContactFriction;

/// A rigid body in the plane meets a fixed plane at one point. Modes: motion along the normal,
/// along the tangent, turning.
struct PlanarImpact {
    double mass = 0.01, inertia = 1e-7;  ///< [kg], [kg m^2]
    double along = 0.0, up = -0.005;     ///< from the centre to the contact [m]
    double approach = 1.0, slip = 0.0;   ///< of the contact point [m/s]; the body does not turn
    contact::Law law = hertz(1e6, 1.0);
    double mu = 0.3;
    double stiffness = 0.0, stiffness_ratio = 0.0;  ///< of the tangential spring

    double A_nn() const { return 1.0 / mass + along * along / inertia; }  ///< [1/kg]
    double A_nt() const { return -along * up / inertia; }
    double A_tt() const { return 1.0 / mass + up * up / inertia; }

    System system() const {
        System made = bodies(3);
        const double root = std::sqrt(mass), turn = std::sqrt(inertia);
        made.rates = {-root * approach, root * slip, 0.0};
        Contact contact{{1.0 / root, 0.0, along / turn}, 0.0, CompliantContact{law}};
        contact.friction =
            ContactFriction{{0.0, 1.0 / root, -up / turn}, mu, stiffness, stiffness_ratio};
        made.contacts = {contact};
        return made;
    }
};

/// A homogeneous sphere of 10 g and 5 mm.
inline PlanarImpact sphere_on_plane() {
    PlanarImpact sphere;
    sphere.inertia = 0.4 * sphere.mass * sphere.up * sphere.up;
    return sphere;
}

/// A thin bar of 1 kg and 1 m whose lower end meets the plane; `angle` [rad] to the plane.
inline PlanarImpact bar_on_plane(double angle) {
    PlanarImpact bar;
    bar.mass = 1.0;
    bar.inertia = 1.0 / 12.0;
    bar.along = -0.5 * std::cos(angle);
    bar.up = -0.5 * std::sin(angle);
    return bar;
}

/// `random_row` with friction at each contact. Each body also moves across the row, and its
/// vibrations do so at its contacts.
inline System random_row_with_friction(const RandomRow& what, unsigned seed) {
    System system = random_row(what, seed);
    std::mt19937 random(seed + 1000);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const std::size_t along = system.modes(), own = 1 + static_cast<std::size_t>(what.vibrations);
    const auto count = static_cast<std::size_t>(what.bodies), modes = along + count;
    const auto extend = [&](std::vector<double>& values) { values.resize(modes, 0.0); };
    for (std::vector<double>* each :
         {&system.eigenvalues, &system.dampings, &system.coordinates, &system.rates})
        extend(*each);
    for (motion::Drive& drive : system.drives) extend(drive.forces);
    for (Contact& contact : system.contacts) {
        extend(contact.phi);
        ContactFriction friction;
        friction.phi.assign(modes, 0.0);
        double sign = 1.0;  // of the first one of the two bodies in the list of modes
        for (std::size_t b = 0; b < count; ++b) {
            double size = 0.0;
            for (std::size_t j = own * b; j < own * (b + 1); ++j) {
                size = std::max(size, std::abs(contact.phi[j]));
                friction.phi[j] = (uniform(random) - 0.5) * contact.phi[j];
            }
            if (size == 0.0) continue;
            friction.phi[own * b] = 0.0;
            friction.phi[along + b] = std::copysign(size, contact.phi[own * b]) * sign;
        }
        friction.mu = 0.1 + 0.7 * uniform(random);
        const double ratio = 0.5 + 0.5 * uniform(random);
        if (uniform(random) < 0.5)
            friction.stiffness_ratio = ratio;
        else
            friction.stiffness = ratio * 1e5 * std::pow(10.0, uniform(random));
        contact.friction = friction;
    }
    for (std::size_t b = 0; b < count; ++b) system.rates[along + b] = uniform(random) - 0.5;
    return system;
}

}  // namespace stoss::motion_test
