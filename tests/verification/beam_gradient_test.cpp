/// Gradients of collisions of beams by the keys of their cases (docs/theory/gradients.md).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <models/beam_gradients.hpp>
#include <models/parts.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss {
namespace {

using models::BeamCollision;
using models::BeamGradients;
using models::BeamModel;

constexpr std::array quantities{impact::Quantity::cor_kinematic, impact::Quantity::impulse,
                                impact::Quantity::peak_force, impact::Quantity::separation,
                                impact::Quantity::energy_vibration};

BeamCollision collision_of() {
    BeamCollision c;
    c.beam.length = 0.4;
    c.beam.section.shape = models::Rectangle{.width = 0.02, .height = 0.01};
    c.beam.material = {.youngs_modulus = 7e10, .poisson_ratio = 0.33, .density = 2700.0};
    c.striker = models::solid_sphere(0.012, {.youngs_modulus = 2.1e11, .poisson_ratio = 0.3, .density = 7800.0}, 0.5);
    c.mesh.elements = 20;
    c.mesh.modes.emplace(10);
    c.integration.scheme = time::Splitting{1e-12};
    return c;
}

double value(const BeamCollision& c, const core::Place& place, impact::Quantity q) {
    return impact::value_of(BeamModel(c).collide(place.share(c.beam.length)), q);
}

double difference(const BeamCollision& c, const std::string& key, double xi, impact::Quantity q) {
    const bool is_place = key == models::contact_place_key;
    BeamCollision copy = c;
    const double p = is_place ? xi * c.beam.length : core::number_at(copy, key).value().value();
    const double h = 2e-4 * (p == 0.0 ? 1.0 : std::abs(p));
    const auto at = [&](double steps) {
        BeamCollision changed = c;
        if (is_place) return value(c, {p + steps * h, true}, q);
        core::number_at(changed, key).set(p + steps * h);
        return value(changed, {xi, false}, q);
    };
    if (p == 0.0) return (-25.0 * at(0) + 48.0 * at(1) - 36.0 * at(2) + 16.0 * at(3) - 3.0 * at(4)) / (12.0 * h);
    return (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h);
}

void compare(const BeamCollision& c, const std::vector<std::string>& keys, double xi) {
    const BeamModel model(c);
    const BeamGradients gradients(model, keys);
    const auto slopes = gradients.at({xi, false}, quantities);
    ASSERT_GT(slopes.by_key.size(), 0);
    for (std::size_t k = 0; k < keys.size(); ++k) {
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            const double expected = difference(c, keys[k], xi, quantities[q]);
            const double p = std::max(std::abs(gradients.value(k, xi)), 1e-30);
            const double Q = impact::value_of(slopes.result, quantities[q]);
            const double got = slopes.by_key(Eigen::Index(q), Eigen::Index(k));
            printf("%-36s %zu log-slope %12.8f  difference %12.8f  rel %.1e\n", keys[k].c_str(), q, got * p / Q, expected * p / Q, std::abs(got - expected) * p / Q);
        }
    }
}

TEST(BeamGradients, Try) {
    BeamCollision c = collision_of();
    printf("free\n");
    compare(c, {"beam.length", "beam.section.width", "beam.section.height", "beam.material.youngs_modulus", "beam.material.density", "beam.material.poisson_ratio", "striker.radius", "striker.material.density", "striker.velocity", "location", "beam.external_damping"}, 0.37);
    printf("pinned spring mass damped\n");
    c.beam.supports = {models::pin(0.1)};
    c.beam.masses = {{.xi = 0.8, .mass = 0.05, .inertia = 1e-6}};
    c.beam.external_damping = 3.0;
    c.beam.internal_damping = 1e6;
    c.striker.velocity = 0.0;
    c.striker.mass.emplace(core::infinity);
    c.motion.angular_velocity = -3.0;
    c.motion.gravity = 9.81;
    compare(c, {"beam.length", "beam.section.width", "beam.section.height", "beam.material.youngs_modulus", "beam.material.density",  "striker.radius", "motion.angular_velocity", "motion.gravity", "beam.masses[0].mass", "beam.masses[0].inertia", "beam.external_damping", "beam.internal_damping", "location"}, 0.67);
    c.beam.springs = {{.xi = 0.7, .translation = 1e4, .rotation = 5.0}};
    c.beam.theory = models::Timoshenko{};
    c.striker.velocity = 1.0;
    c.striker.mass.reset();
    c.motion.gravity = 0.0;
    c.motion.angular_velocity = 0.0;
    c.contact.law = contact::HuntCrossley{.damping_factor = 0.1};
    compare(c, {"beam.length", "beam.section.width", "beam.section.height", "beam.material.youngs_modulus", "beam.material.density", "beam.springs[0].translation","beam.springs[0].rotation", "contact.damping_factor", "location"}, 0.67);
}

}  // namespace
}  // namespace stoss
