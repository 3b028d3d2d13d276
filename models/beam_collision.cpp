#include <models/beam_collision.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <models/law_materials.hpp>
#include <models/rigid_motion.hpp>
#include <stoss/contact/geometry.hpp>

namespace stoss::models {

namespace {

/// k [N/m^(3/2)] of the striker's surface on the beam's at xi (theory/contact.md 5.2 to 5.8). Along
/// a line there is none: of an ellipse it is then 0, of a circle infinite, the limits of (5.5) and
/// (5.8).
double stiffness_from_geometry(const BeamCollision& parameters, double xi) {
    const double modulus = contact_modulus(parameters, xi);
    const contact::Gap gap = gap_at(parameters, xi);
    if (parameters.contact.area == ContactArea::ellipse) {
        return gap.smaller > 0.0 ? contact::elliptical_stiffness(modulus, gap) : 0.0;
    }
    return contact::hertz_stiffness(modulus, contact::gaussian_radius(gap));
}

}  // namespace

contact::Law with_materials(contact::Law law, const BeamCollision& parameters, double xi) {
    return with_materials(std::move(law), surface_of(parameters.beam.material_at(xi)),
                          parameters.striker.surface_material());
}

contact::Law law_at(const BeamCollision& parameters, double xi) {
    contact::Law law = parameters.contact.law;
    const auto is_complete = [](const auto& given) {
        bool has_all = true;
        contact::for_each_missing(given, [&](std::string_view) { has_all = false; });
        return has_all;
    };
    if (std::visit(is_complete, law)) return law;
    law = with_materials(std::move(law), parameters, xi);
    std::visit(
        [&](auto& given) {
            contact::set_from_bodies(given, {contact_modulus(parameters, xi),
                                             contact::gaussian_radius(gap_at(parameters, xi)),
                                             stiffness_from_geometry(parameters, xi)});
        },
        law);
    return law;
}

std::optional<double> Motion::closing_speed() const {
    if (!drop_height) return approach_speed;
    const double acceleration = gravity == 0.0 ? standard_gravity : std::abs(gravity);
    return std::sqrt(2.0 * acceleration * *drop_height);
}

contact::Gap gap_at(const BeamCollision& parameters, double xi) {
    const contact::Surface surface{parameters.beam.section.properties(xi).contact_curvature, 0.0};
    return std::visit(
        [&](const auto& shape) {
            return contact::gap_between(surface, shape.surface(), shape.crossing_angle);
        },
        parameters.striker.shape);
}

double contact_modulus(const BeamCollision& parameters, double xi) {
    const Material& own = parameters.beam.material_at(xi);
    const SurfaceMaterial other = parameters.striker.surface_material();
    return contact::effective_modulus(own.youngs_modulus, own.poisson_ratio, other.youngs_modulus,
                                      other.poisson_ratio);
}

bool is_loaded(const BeamCollision& parameters) {
    const StrikingBeam* const other = parameters.striker.striking_beam();
    const auto acts = [](const std::vector<PointLoad>& loads) {
        return std::ranges::any_of(loads, [](const PointLoad& load) { return load.force != 0.0; });
    };
    return parameters.motion.gravity != 0.0 || acts(parameters.motion.loads) ||
           parameters.striker.load != 0.0 || (other && acts(other->loads));
}

double rigid_approach_speed(const BeamCollision& parameters, double xi) {
    const Striker& striker = parameters.striker;
    const StrikingBeam* const other = striker.striking_beam();
    const RigidMotionPair motions = motions_of(parameters);
    const double closing =
        other ? rigid_velocity(other->beam, motions.striker, other->xi) : motions.striker.velocity;
    return closing -
           rigid_velocity(parameters.beam, motions.beam, xi, parameters.motion.inclination);
}

double closing_speed(const BeamCollision& parameters, double xi) {
    const double speed = rigid_approach_speed(parameters, xi);
    return speed > 0.0 ? parameters.motion.closing_speed().value_or(speed) : speed;
}

double rigid_mobility(const BeamCollision& parameters, double xi) {
    const Striker& striker = parameters.striker;
    const StrikingBeam* const other = striker.striking_beam();
    return rigid_mobility(parameters.beam, xi, parameters.motion.inclination) +
           (other ? rigid_mobility(other->beam, other->xi) : 1.0 / striker.total_mass());
}

std::optional<double> contact_stiffness(const BeamCollision& parameters, double xi) {
    return std::visit(
        [](const auto& law) -> std::optional<double> {
            if constexpr (requires { law.stiffness; }) return law.stiffness;
            return std::nullopt;
        },
        law_at(parameters, xi));
}

}  // namespace stoss::models
