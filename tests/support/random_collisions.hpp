#pragma once
/// Admissible collisions of beams at random: sections, supports, materials, strikers, motions, and
/// every contact law in turn. The same seed gives the same collision.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <variant>

#include <models/beam_model.hpp>
#include <published_mesh.hpp>

namespace stoss::tests {

/// Factors of the units of length, mass and time.
struct Units {
    double length = 1.0, mass = 1.0, time = 1.0;
    double speed() const { return length / time; }
    double pressure() const { return mass / (length * time * time); }
};

/// True for a law that a case can hold.
template <class L>
inline constexpr bool is_of_cases = !requires {
    L::for_programs;
};

/// Number of these laws.
template <class... Laws>
constexpr std::size_t count_law_kinds(const std::variant<Laws...>* /*any*/) {
    return (std::size_t{0} + ... + (is_of_cases<Laws> ? 1 : 0));
}
inline constexpr std::size_t law_kinds = count_law_kinds(static_cast<const contact::Law*>(nullptr));

/// The law of a kind, without parameters.
template <std::size_t i = 0>
contact::Law law_of_kind(std::size_t kind) {
    constexpr bool counts = is_of_cases<std::variant_alternative_t<i, contact::Law>>;
    if constexpr (i + 1 < std::variant_size_v<contact::Law>) {
        if (!counts || kind > 0) return law_of_kind<i + 1>(counts ? kind - 1 : kind);
    }
    return contact::Law(std::in_place_index<i>);
}

/// The kind of a law; does not depend on which other laws there are.
template <class L>
std::size_t kind_of() {
    std::size_t kind = 0;
    while (!std::holds_alternative<L>(law_of_kind(kind))) ++kind;
    return kind;
}

/// One collision.
struct StruckBeam {
    models::BeamCollision parameters;
    double xi = 0.5;

    /// True if damping acts on the rigid motion.
    bool is_braked() const {
        return parameters.beam.external_damping > 0.0 || !parameters.beam.dashpots.empty();
    }

    /// Seen from the other end.
    StruckBeam mirrored() const {
        StruckBeam other = *this;
        other.xi = 1.0 - xi;
        for (models::Support& support : other.parameters.beam.supports)
            support.xi = 1.0 - support.xi;
        for (models::PointMass& mass : other.parameters.beam.masses) mass.xi = 1.0 - mass.xi;
        for (models::SpringSupport& spring : other.parameters.beam.springs)
            spring.xi = 1.0 - spring.xi;
        for (models::Dashpot& dashpot : other.parameters.beam.dashpots)
            dashpot.xi = 1.0 - dashpot.xi;
        for (models::PointLoad& load : other.parameters.motion.loads) load.xi = 1.0 - load.xi;
        other.parameters.motion.angular_velocity *= -1.0;
        return other;
    }

    /// The same collision with its numbers in other units.
    StruckBeam in(const Units& units) const {
        StruckBeam other = *this;
        models::Beam& beam = other.parameters.beam;
        const double force = units.mass * units.speed() / units.time;
        beam.length *= units.length;
        for (core::Required* const size : sizes(beam.section)) *size *= units.length;
        beam.material.youngs_modulus *= units.pressure();
        beam.material.density *= units.mass / std::pow(units.length, 3);
        beam.external_damping *= units.pressure() * units.time;
        beam.internal_damping *= units.pressure() * units.time;
        for (models::PointMass& mass : beam.masses) {
            mass.mass *= units.mass;
            mass.inertia *= units.mass * units.length * units.length;
        }
        for (models::SpringSupport& spring : beam.springs) {
            spring.translation *= force / units.length;
            spring.rotation *= force * units.length;
        }
        for (models::Dashpot& dashpot : beam.dashpots) {
            dashpot.translation *= force / units.speed();
            dashpot.rotation *= force * units.length * units.time;
        }
        models::Striker& striker = other.parameters.striker;
        std::get<models::Sphere>(striker.shape).radius *= units.length;
        striker.material->youngs_modulus *= units.pressure();
        *striker.mass *= units.mass;
        striker.velocity *= units.speed();
        models::Motion& motion = other.parameters.motion;
        if (motion.velocity) *motion.velocity *= units.speed();
        motion.angular_velocity /= units.time;
        motion.gravity *= units.speed() / units.time;
        for (models::PointLoad& load : motion.loads) load.force *= force;
        striker.load *= force;
        rescale(other.parameters.contact.law, units, force);
        return other;
    }

  private:
    static std::vector<core::Required*> sizes(models::Section& section) {
        return std::visit(
            [](auto& shape) -> std::vector<core::Required*> {
                using Shape = std::decay_t<decltype(shape)>;
                if constexpr (std::is_same_v<Shape, models::Circle>) return {&shape.radius};
                if constexpr (std::is_same_v<Shape, models::Tube>)
                    return {&shape.outer_radius, &shape.inner_radius};
                if constexpr (std::is_same_v<Shape, models::Rectangle> ||
                              std::is_same_v<Shape, models::Ellipse>)
                    return {&shape.width, &shape.height};
                return {};
            },
            section.shape);
    }

    static void rescale(contact::Law& law, const Units& units, double force) {
        std::visit(
            [&](auto& one) {
                using Law = std::decay_t<decltype(one)>;
                if constexpr (std::is_same_v<Law, contact::KelvinVoigt> ||
                              std::is_same_v<Law, contact::WaltonBraun>)
                    *one.stiffness *= force / units.length;
                if constexpr (std::is_same_v<Law, contact::Viscoelastic>)
                    *one.stiffness *= force / std::pow(units.length, one.exponent);
                if constexpr (std::is_same_v<Law, contact::RampedDamping>) {
                    *one.damping *= force / units.speed();
                    *one.ramp_depth *= units.length;
                }
                if constexpr (std::is_same_v<Law, contact::Tabulated>) {
                    for (double& each : one.overlap) each *= units.length;
                    for (double& each : one.force_points) each *= force;
                    for (double& each : one.unloading_force) each *= force;
                }
                if constexpr (std::is_same_v<Law, contact::ParallelCylinders>) {
                    *one.effective_modulus *= units.pressure();
                    *one.length *= units.length;
                    *one.effective_radius *= units.length;
                    *one.mean_radius *= units.length;
                }
                if constexpr (requires { one.pull_off_force; }) *one.pull_off_force *= force;
                if constexpr (requires { one.yield_overlap; }) *one.yield_overlap *= units.length;
            },
            law);
    }
};

/// Draws collisions.
class RandomCollisions {
  public:
    explicit RandomCollisions(std::uint64_t seed) : generator_(seed) {}

    /// With a law of this kind, below `law_kinds`.
    StruckBeam operator()(std::size_t law) {
        StruckBeam struck;
        models::BeamCollision& parameters = struck.parameters;
        struck.xi = uniform(0.03, 0.97);
        draw_beam(parameters.beam);
        parameters.mesh = tests::published_mesh();
        parameters.mesh.elements = elements;
        parameters.mesh.modes = 6 + static_cast<int>(uniform(0.0, 20.0));
        draw_motion(parameters);
        draw_law(parameters, law);
        draw_dashpots(parameters.beam);
        draw_loads(parameters);
        // The other way round, if they do not close.
        if (models::rigid_approach_speed(parameters, struck.xi) < 0.0) {
            parameters.striker.velocity *= -1.0;
            parameters.motion.angular_velocity *= -1.0;
            if (parameters.motion.velocity) *parameters.motion.velocity *= -1.0;
        }
        return struck;
    }

    double uniform(double low, double high) {
        const double unit = static_cast<double>(generator_() >> 11) * 0x1p-53;
        return low + (high - low) * unit;
    }
    double log_uniform(double low, double high) {
        return std::exp(uniform(std::log(low), std::log(high)));
    }
    bool chance(double probability) { return uniform(0.0, 1.0) < probability; }

  private:
    static constexpr int elements = 40;

    double node() { return std::floor(uniform(0.0, elements + 0.999)) / elements; }

    models::Section section(double size) {
        const double other = size * log_uniform(0.3, 3.0);
        switch (static_cast<int>(uniform(0.0, 4.0))) {
            case 0:
                return {models::Circle{0.5 * size}};
            case 1:
                return {models::Tube{0.5 * size, size * uniform(0.1, 0.45)}};
            case 2:
                return {models::Rectangle{other, size}};
            default:
                return {models::Ellipse{other, size}};
        }
    }

    void draw_beam(models::Beam& beam) {
        beam.length = log_uniform(0.05, 5.0);
        beam.section = section(beam.length / log_uniform(10.0, 100.0));
        beam.material = {log_uniform(1e9, 4e11), uniform(0.0, 0.45), log_uniform(500.0, 2e4)};
        using enum models::SupportType;
        switch (static_cast<int>(uniform(0.0, 6.0))) {
            case 0:
                beam.supports = {{pin, node()}};
                break;
            case 1:
                beam.supports = {{pin, 0.0}, {pin, 1.0}};
                break;
            case 2:
                beam.supports = {{clamp, 0.0}};
                break;
            case 3:
                beam.supports = {{clamp, 0.0}, {pin, uniform(0.0, 1.0) < 0.5 ? 1.0 : 0.75}};
                break;
            default:
                break;
        }
        if (chance(0.2)) {
            beam.masses = {{node(), beam.mass() * log_uniform(0.01, 2.0), 0.0}};
        }
        const double period = beam.time_scale();
        if (chance(0.2)) {
            const double stiffness = beam.bending_stiffness() / std::pow(beam.length, 3);
            beam.springs = {{node(), stiffness * log_uniform(0.1, 100.0), 0.0}};
        }
        if (chance(0.3))
            beam.external_damping = beam.mass_per_length() / period * log_uniform(1e-3, 1.0);
        if (chance(0.5))
            beam.internal_damping = beam.material.youngs_modulus * period * log_uniform(1e-6, 1e-3);
    }

    void draw_dashpots(models::Beam& beam) {
        const double strength = beam.mass() / beam.time_scale();
        const auto turning = [&] { return strength * beam.length * beam.length; };
        for (int k = 0; k < 2 && chance(0.2); ++k) {
            beam.dashpots.push_back({node(), strength * log_uniform(1e-3, 100.0),
                                     chance(0.5) ? turning() * log_uniform(1e-4, 1.0) : 0.0});
        }
    }

    /// Gravity and forces that change the velocity by 1e-5 to 0.1 of it in the time T of the beam.
    void draw_loads(models::BeamCollision& parameters) {
        const models::Beam& beam = parameters.beam;
        models::Striker& striker = parameters.striker;
        if (models::what_couples_modes(beam, "")) return;  // loads need modes that move alone
        const double acceleration = striker.velocity / beam.time_scale();
        const auto of_either_sign = [&] {
            return (chance(0.5) ? acceleration : -acceleration) * log_uniform(1e-5, 0.1);
        };
        if (chance(0.2)) parameters.motion.gravity = of_either_sign();
        if (chance(0.1) && may_turn(beam))
            parameters.motion.loads = {{uniform(0.0, 1.0), beam.mass() * of_either_sign()}};
        if (chance(0.1) && std::isfinite(*striker.mass))
            striker.load = *striker.mass * of_either_sign();
    }

    static bool may_move(const models::Beam& beam) {
        return beam.supports.empty() && beam.springs.empty();
    }
    static bool may_turn(const models::Beam& beam) {
        return may_move(beam) || (beam.springs.empty() && beam.supports.size() == 1 &&
                                  beam.supports.front().type == models::SupportType::pin);
    }

    void draw_motion(models::BeamCollision& parameters) {
        const models::Beam& beam = parameters.beam;
        models::Striker& striker = parameters.striker;
        striker.shape = models::Sphere{beam.length * log_uniform(0.003, 0.3)};
        striker.material = models::SurfaceMaterial{log_uniform(1e9, 4e11), uniform(0.0, 0.45)};
        striker.velocity = log_uniform(1e-3, 10.0);
        striker.mass = beam.mass() * log_uniform(1e-2, 1e2);
        if (may_move(beam)) parameters.motion.velocity = -striker.velocity * uniform(0.0, 1.0);
        if (may_turn(beam)) {
            parameters.motion.angular_velocity =
                striker.velocity / beam.length * uniform(-1.0, 1.0);
            if (chance(0.2)) striker.mass = core::infinity;
        }
    }

    /// Stiffness, forces and overlaps that suit the bodies, from an impact of the striker.
    void draw_law(models::BeamCollision& parameters, std::size_t index) {
        const models::Striker& striker = parameters.striker;
        const double modulus = 1.0 / (1.0 / parameters.beam.material.youngs_modulus +
                                      1.0 / striker.material->youngs_modulus);
        const double k = modulus * std::sqrt(std::get<models::Sphere>(striker.shape).radius);
        const double mass = std::min(*striker.mass, parameters.beam.mass());
        const double overlap = std::pow(mass * striker.velocity * striker.velocity / k, 0.4);
        const double linear = k * std::sqrt(overlap) * log_uniform(0.1, 10.0);
        const double restitution = uniform(0.1, 1.0);
        parameters.contact.law = law_of_kind(index);
        parameters.contact.area = models::ContactArea::circle;  // as the tallies were made
        std::visit(
            [&](auto& law) {
                using Law = std::decay_t<decltype(law)>;
                if constexpr (requires { law.restitution; }) law.restitution = restitution;
                if constexpr (std::is_same_v<Law, contact::KelvinVoigt> ||
                              std::is_same_v<Law, contact::WaltonBraun>)
                    law.stiffness = linear;
                if constexpr (requires { law.pull_off_force; }) {
                    law.pull_off_force = k * std::pow(overlap, 1.5) * log_uniform(1e-5, 1e-3);
                    parameters.contact.separation = contact::Separation::zero_overlap;
                }
                if constexpr (requires { law.yield_overlap; })
                    law.yield_overlap =
                        overlap * log_uniform(
                                      requires { law.pull_off_force; } ? 0.02 : 0.01, 2.0);
                if constexpr (std::is_same_v<Law, contact::Maugis>)
                    law.maugis_parameter = log_uniform(0.05, 20.0);
                if constexpr (std::is_same_v<Law, contact::JacksonGreen>) {
                    const double radius = std::get<models::Sphere>(striker.shape).radius;
                    law.yield_strain =
                        std::min(0.02, std::sqrt(overlap / radius) * log_uniform(0.02, 1.0));
                    law.poisson_ratio = uniform(0.0, 0.45);
                }
                if constexpr (std::is_same_v<Law, contact::ParallelCylinders>) {
                    const double radius = std::get<models::Sphere>(striker.shape).radius;
                    law.effective_modulus = modulus;
                    law.length = radius * log_uniform(0.1, 10.0);
                    law.effective_radius = radius;
                    law.mean_radius = radius * log_uniform(1.0, 3.0);
                }
                if constexpr (std::is_same_v<Law, contact::RampedDamping>) {
                    law.damping = std::sqrt(mass * linear) * log_uniform(0.01, 1.0);
                    law.ramp_depth = overlap * log_uniform(0.01, 2.0);
                }
                if constexpr (std::is_same_v<Law, contact::Tabulated>)
                    draw_table(law, k, overlap, restitution);
                if constexpr (std::is_same_v<Law, contact::Viscoelastic>) {
                    law.exponent = uniform(1.0, 2.0);
                    law.damping_exponent = law.exponent + 1.0 - uniform(0.05, 0.95);
                    law.stiffness = linear * std::pow(overlap, 1.0 - law.exponent);
                }
                if constexpr (std::is_same_v<Law, contact::LinearDamping>)
                    parameters.contact.separation = contact::Separation::zero_force;
            },
            parameters.contact.law);
    }

    /// Points of Hertz's curve beyond the largest overlap; while unloaded a part of the energy is
    /// lost.
    void draw_table(contact::Tabulated& law, double k, double overlap, double restitution) {
        const int points = 3 + static_cast<int>(uniform(0.0, 8.0));
        const bool loses = chance(0.5);
        double x = 0.0;
        for (int i = 0; i < points; ++i) {
            const double part = static_cast<double>(i) / (points - 1);
            law.overlap.push_back(x);
            law.force_points.push_back(k * std::pow(x, 1.5));
            if (loses)
                law.unloading_force.push_back(law.force_points.back() *
                                              (part + (1.0 - part) * restitution));
            x += 3.0 * overlap * uniform(0.5, 1.5) / (points - 1);
        }
    }

    std::mt19937_64 generator_;
};

}  // namespace stoss::tests
