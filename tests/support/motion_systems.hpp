#pragma once
/// Systems of bodies with many contacts, for tests of motion::ImpactMotion.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include <stoss/motion/impact_motion.hpp>

namespace stoss::motion_test {

using motion::CompliantContact;
using motion::Contact;
using motion::NewtonImpact;
using motion::System;

inline contact::Law hertz(double stiffness, double exponent = 1.5) {
    contact::Hertz law;
    law.stiffness = stiffness;
    law.exponent = exponent;
    return law;
}

inline contact::Law hunt_crossley(double stiffness, double damping_factor) {
    contact::HuntCrossley law;
    law.stiffness = stiffness;
    law.damping_factor = damping_factor;
    return law;
}

/// Modes at rest, without contacts.
inline System bodies(std::size_t modes) {
    System system;
    for (std::vector<double>* each :
         {&system.eigenvalues, &system.dampings, &system.coordinates, &system.rates})
        each->assign(modes, 0.0);
    return system;
}

/// Spheres of one mass in a row that just touch; the first one moves at `speed` [m/s].
inline System chain(std::size_t spheres, double mass, double stiffness, double speed = 1.0) {
    System system = bodies(spheres);
    const double root = std::sqrt(mass);
    system.rates[0] = root * speed;
    for (std::size_t c = 0; c + 1 < spheres; ++c) {
        Contact contact{std::vector<double>(spheres, 0.0), 0.0, CompliantContact{hertz(stiffness)}};
        contact.phi[c] = -1.0 / root;
        contact.phi[c + 1] = 1.0 / root;
        system.contacts.push_back(contact);
    }
    return system;
}

/// Bodies with vibrations, gaps between them, and laws with and without loss: a row from left to
/// right between two walls, each body with one point on either side.
struct RandomRow {
    int bodies = 3;
    int vibrations = 3;    ///< of each body
    bool elastic = false;  ///< no contact loses energy
    bool damped = false;   ///< vibrations lose energy
    bool driven = false;   ///< a force on a body, and a wall that shakes
    bool between_walls = true;
};

inline System random_row(const RandomRow& what, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const auto own = static_cast<std::size_t>(1 + what.vibrations);
    const auto count = static_cast<std::size_t>(what.bodies);
    System system = bodies(own * count);
    std::vector<double> left(system.modes()), right(system.modes());
    for (std::size_t b = 0; b < count; ++b) {
        const double mass = 0.1 + uniform(random);
        system.rates[own * b] = (2.0 * uniform(random) - 1.0) * std::sqrt(mass);
        double omega = 100.0 + 300.0 * uniform(random);
        for (std::size_t j = own * b; j < own * (b + 1); ++j) {
            const bool is_rigid = j == own * b;
            left[j] = (is_rigid ? 1.0 : 2.0 * uniform(random) - 1.0) / std::sqrt(mass);
            right[j] = is_rigid ? left[j] : (2.0 * uniform(random) - 1.0) / std::sqrt(mass);
            if (is_rigid) continue;
            omega *= 1.3 + uniform(random);
            system.eigenvalues[j] = omega * omega;
            if (what.damped) system.dampings[j] = 0.02 * omega * uniform(random);
        }
    }
    const std::size_t first = what.between_walls ? 0 : 1;
    const std::size_t last = what.between_walls ? count : count - 1;
    for (std::size_t c = first; c <= last; ++c) {
        Contact contact;
        contact.phi.assign(system.modes(), 0.0);
        for (std::size_t j = 0; c > 0 && j < own; ++j)
            contact.phi[own * (c - 1) + j] = -right[own * (c - 1) + j];
        for (std::size_t j = 0; c < count && j < own; ++j)
            contact.phi[own * c + j] = left[own * c + j];
        contact.gap = 1e-3 * uniform(random);
        const double stiffness = std::pow(10.0, 6.0 + 2.0 * uniform(random));
        contact.law = CompliantContact{what.elastic || uniform(random) < 0.5
                                           ? hertz(stiffness, uniform(random) < 0.5 ? 1.0 : 1.5)
                                           : hunt_crossley(stiffness, 0.3 * uniform(random))};
        system.contacts.push_back(contact);
    }
    if (!what.driven) return system;
    motion::Drive drive{300.0 * (1.0 + uniform(random)), uniform(random), {}, {}};
    drive.forces.assign(system.modes(), 0.0);
    for (std::size_t j = 0; j < own; ++j) drive.forces[j] = 500.0 * left[j];
    drive.surfaces.assign(system.contacts.size(), 0.0);
    drive.surfaces.back() = 1e-4;
    system.contacts.back().gap += 1e-4;
    system.drives.push_back(std::move(drive));
    return system;
}

/// The same in other units: 1 kg, 1 m and 1 s count `mass`, `length` and `time` of the new ones.
/// For elastic laws with the exponents of `random_row`.
inline System in_other_units(System system, double mass, double length, double time) {
    const double root = std::sqrt(mass);
    for (std::size_t j = 0; j < system.modes(); ++j) {
        system.eigenvalues[j] /= time * time;
        system.dampings[j] /= time;
        system.coordinates[j] *= root * length;
        system.rates[j] *= root * length / time;
    }
    for (Contact& contact : system.contacts) {
        for (double& phi : contact.phi) phi /= root;
        contact.gap *= length;
        auto* const compliant = std::get_if<CompliantContact>(&contact.law);
        if (!compliant) continue;
        auto& law = std::get<contact::Hertz>(compliant->law);
        law.stiffness =
            *law.stiffness * mass / (time * time) * std::pow(length, 1.0 - law.exponent);
    }
    for (motion::Drive& drive : system.drives) {
        drive.frequency /= time;
        for (double& force : drive.forces) force *= root * length / (time * time);
        for (double& surface : drive.surfaces) surface *= length;
    }
    return system;
}

}  // namespace stoss::motion_test
