#include <models/plausibility.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <models/beam_collision.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

using Values = std::vector<JudgedValue>;
using Places = std::span<const double>;

JudgedValue same(std::string key, double value, std::string_view unit) {
    return {std::move(key), core::with_unit(value, unit), value};
}

/// Calls `f(beam, key)` for the beam and for a striking one.
template <class F>
void for_each_beam(const BeamCollision& parameters, F&& f) {
    f(parameters.beam, std::string("beam"));
    if (const auto* const other = parameters.striker.striking_beam()) {
        f(other->beam, std::string("striker.beam"));
    }
}

/// Calls `f(material, key)` for every material; a rigid surface has no modulus.
template <class F>
void for_each_material(const BeamCollision& parameters, F&& f) {
    for_each_beam(parameters, [&](const Beam& beam, const std::string& key) {
        f(beam.material, key + ".material");
        for (std::size_t i = 0; i < beam.materials.size(); ++i) {
            f(beam.materials[i].material, fmt::format("{}.materials[{}].material", key, i));
        }
    });
    if (parameters.striker.material) f(*parameters.striker.material, "striker.material");
}

Values lengths(const BeamCollision& parameters, Places) {
    Values values;
    for_each_beam(parameters, [&](const Beam& beam, const std::string& key) {
        values.push_back(same(key + ".length", beam.length, "m"));
    });
    return values;
}

/// Height of the rectangle with the radius of gyration of the stoutest section.
double largest_height(const Beam& beam) {
    std::vector<double> places{0.5};
    if (const auto* const profile = std::get_if<Profile>(&beam.section.shape)) {
        places.clear();
        for (const Station& station : profile->stations) places.push_back(station.xi);
    }
    double largest = 0.0;
    for (const double xi : places) {
        const SectionProperties section = beam.section.properties(xi);
        largest = std::max(largest, std::sqrt(12.0 * section.second_moment / section.area));
    }
    return largest;
}

Values slenderness(const BeamCollision& parameters, Places) {
    Values values;
    for_each_beam(parameters, [&](const Beam& beam, const std::string& key) {
        const double height = largest_height(beam);
        const std::string length = core::with_unit(beam.length, "m");
        values.push_back(
            {key + ".length", length, beam.length / height,
             fmt::format("{} long and {:.3g} mm high: is `mm` missing?", length, 1e3 * height)});
    });
    return values;
}

Values moduli(const BeamCollision& parameters, Places) {
    Values values;
    for_each_material(parameters, [&](const auto& material, const std::string& key) {
        if (std::isinf(material.youngs_modulus)) return;
        values.push_back(same(key + ".youngs_modulus", material.youngs_modulus, "Pa"));
    });
    return values;
}

Values poisson_ratios(const BeamCollision& parameters, Places) {
    Values values;
    for_each_material(parameters, [&](const auto& material, const std::string& key) {
        values.push_back(same(key + ".poisson_ratio", material.poisson_ratio, ""));
    });
    return values;
}

Values densities(const BeamCollision& parameters, Places) {
    Values values;
    for_each_material(parameters, [&](const auto& material, const std::string& key) {
        const std::optional<double> density = material.density;
        if (density) values.push_back(same(key + ".density", *density, "kg/m^3"));
    });
    return values;
}

Values striker_radius(const BeamCollision& parameters, Places) {
    return std::visit(
        [&](const auto& shape) -> Values {
            if constexpr (requires { shape.radius; }) {
                return {{"striker.radius", core::with_unit(shape.radius, "m"),
                         shape.radius / parameters.beam.length}};
            }
            return {};
        },
        parameters.striker.shape);
}

Values striker_mass(const BeamCollision& parameters, Places) {
    const Striker& striker = parameters.striker;
    const double mass = striker.total_mass();
    if (std::isinf(mass)) return {};
    return {{striker.mass ? "striker.mass" : "striker.material.density",
             striker.mass ? core::with_unit(mass, "kg")
                          : core::with_unit(*striker.material->density, "kg/m^3"),
             mass / parameters.beam.mass()}};
}

/// The key that says most about the speed of approach, and its value.
JudgedValue speed_key(const BeamCollision& parameters) {
    const Motion& motion = parameters.motion;
    if (motion.drop_height) return same("motion.drop_height", *motion.drop_height, "m");
    if (motion.approach_speed) return same("motion.approach_speed", *motion.approach_speed, "m/s");
    const double velocity = motion.velocity.value_or(0.0);
    const double of_rotation = motion.angular_velocity * parameters.beam.length;
    const double of_striker = parameters.striker.velocity;
    if (std::abs(of_striker) >= std::max(std::abs(velocity), std::abs(of_rotation))) {
        return same("striker.velocity", of_striker, "m/s");
    }
    return std::abs(velocity) >= std::abs(of_rotation)
               ? same("motion.velocity", velocity, "m/s")
               : same("motion.angular_velocity", motion.angular_velocity, "rad/s");
}

Values approach_speeds(const BeamCollision& parameters, Places places) {
    Values values;
    for (const double xi : places) {
        const double speed = closing_speed(parameters, xi);
        if (!(speed > 0.0)) continue;
        values.push_back(speed_key(parameters));
        values.back().value = speed;
    }
    return values;
}

Values gravity(const BeamCollision& parameters, Places) {
    JudgedValue value = same("motion.gravity", parameters.motion.gravity, "m/s^2");
    value.value = std::abs(value.value);
    return {value};
}

/// Of a law whose stiffness is given although it follows from the bodies.
Values stiffness_ratios(const BeamCollision& parameters, Places places) {
    BeamCollision by_geometry = parameters;
    const bool is_comparable = std::visit(
        [](auto& law) {
            if constexpr (requires {
                              law.stiffness;
                              law.exponent;
                          }) {
                const bool is_given = law.stiffness.has_value();
                law.stiffness.reset();
                return is_given && law.exponent == 1.5;
            }
            return false;
        },
        by_geometry.contact.law);
    if (!is_comparable) return {};
    Values values;
    for (const double xi : places) {
        const double given = contact_stiffness(parameters, xi).value();
        const double hertz = contact_stiffness(by_geometry, xi).value();
        if (!(hertz > 0.0) || !std::isfinite(hertz)) continue;  // they touch along a line
        values.push_back({"contact.stiffness", core::to_text(given), given / hertz});
    }
    return values;
}

constexpr std::array rules{
    PlausibilityRule{"length of a beam", "m", core::closed(1e-5, 1e3),
                     "a beam is neither thinner than a cell nor longer than a bridge", false,
                     lengths},
    PlausibilityRule{"length over height", "", core::closed(3.0, 1e4),
                     "a shorter beam is a block, a longer one a thread", false, slenderness},
    PlausibilityRule{"Young's modulus", "Pa", core::closed(1e3, 1.3e12),
                     "soft gels have 1 kPa, diamond has 1.2 TPa", false, moduli},
    PlausibilityRule{"Poisson's ratio", "", core::closed(0.0, 0.5),
                     "it is negative in auxetic solids only", false, poisson_ratios},
    PlausibilityRule{"density", "kg/m^3", core::closed(5.0, 2.3e4),
                     "light foams have 10 kg/m^3, osmium has 22590 kg/m^3", false, densities},
    PlausibilityRule{"radius of the striker over length of the beam", "", core::closed(1e-5, 10.0),
                     "a larger one is flat beside the beam, a smaller one a needle", true,
                     striker_radius},
    PlausibilityRule{"mass of the striker over mass of the beam", "", core::closed(1e-6, 1e6),
                     "otherwise one of the bodies hardly moves", true, striker_mass},
    PlausibilityRule{"approach speed", "m/s", core::closed(1e-6, 200.0),
                     "balls in sports reach 100 m/s; faster solids flow or break", true,
                     approach_speeds},
    PlausibilityRule{"magnitude of gravity", "m/s^2", core::closed(0.0, 300.0),
                     "it is 9.8 m/s^2 on Earth and 274 m/s^2 on the Sun", true, gravity},
    PlausibilityRule{"contact stiffness over that of Hertz", "", core::closed(1e-3, 1e3),
                     "radii and moduli of both bodies give it within a few per cent", true,
                     stiffness_ratios},
};

}  // namespace

std::span<const PlausibilityRule> plausibility_rules() {
    return rules;
}

std::vector<core::Violation> implausible(const BeamCollision& parameters, Places places) {
    std::vector<core::Violation> found;
    for (const PlausibilityRule& rule : rules) {
        if (places.empty() && rule.needs_striker) continue;
        std::string last_key;  // a key is named once a rule
        for (const JudgedValue& each : rule.values(parameters, places)) {
            if (rule.range.contains(each.value)) continue;
            if (each.key == std::exchange(last_key, each.key)) continue;
            found.push_back({each.key, each.written,
                             fmt::format("{} is {:.4g}{}{}; plausible is {} to {}: {}",
                                         rule.quantity, each.value, rule.unit.empty() ? "" : " ",
                                         rule.unit, core::to_text(rule.range.low),
                                         core::with_unit(rule.range.high, rule.unit), rule.reason),
                             each.value > rule.range.high ? each.hint : ""});
        }
    }
    if (!places.empty())
        core::append(implausible_line_contact(parameters.contact.law, "contact"), found);
    return found;
}

std::vector<core::Violation> implausible_line_contact(const contact::Law& law,
                                                      const std::string& path) {
    if (!std::holds_alternative<contact::ParallelCylinders>(law)) return {};
    return {{path + ".law", std::string(contact::ParallelCylinders::name),
             "is for two cylinders with parallel axes, which these bodies are not",
             "use a law for bodies that touch at a point, such as `hertz`"}};
}

}  // namespace stoss::models
