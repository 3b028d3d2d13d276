#include <models/sphere_impact.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <models/compliant_spheres.hpp>
#include <models/law_materials.hpp>
#include <models/single_impact.hpp>
#include <stoss/contact/attraction.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/granular/adhesive_region.hpp>
#include <stoss/impact/calibrate.hpp>

namespace stoss::models {

namespace {

using Eigen::Vector3d;
using Violations = std::vector<core::Violation>;

const TargetSphere* target_sphere(const SphereImpact& parameters) {
    return std::get_if<TargetSphere>(&parameters.target.shape);
}

/// The contact with what follows from the materials of both bodies.
ContactParameters contact_of(const SphereImpact& parameters) {
    ContactParameters contact = parameters.contact;
    contact.law = with_materials(contact.law, parameters.sphere.surface(),
                                 parameters.target.material.value_or(rigid_surface()));
    return contact;
}

/// A law whose damping is calibrated needs none; any other must be complete.
Violations check_damping(const SphereImpact& parameters) {
    if (!parameters.cor) return check(contact_of(parameters), "contact");
    return check_wanted(parameters.contact, impact::Wanted{*parameters.cor});
}

/// R* [m] of the pair.
double effective_radius(const SphereImpact& parameters) {
    const TargetSphere* const other = target_sphere(parameters);
    const double r = parameters.sphere.radius;
    return other ? r * other->radius / (r + other->radius) : r;
}

/// The bodies as they meet: at the origin, the normal along z, the sphere from above.
std::vector<granular::Sphere> bodies_of(const SphereImpact& parameters) {
    const SphereMotion& motion = parameters.motion;
    const double r = parameters.sphere.radius;
    std::vector<granular::Sphere> bodies{{{0.0, 0.0, r},
                                          {motion.tangential(), 0.0, -motion.normal()},
                                          {0.0, motion.angular_velocity, 0.0},
                                          r,
                                          parameters.sphere_mass()}};
    if (const TargetSphere* const other = target_sphere(parameters)) {
        bodies.push_back({{0.0, 0.0, -other->radius},
                          Vector3d::Zero(),
                          {0.0, other->angular_velocity, 0.0},
                          other->radius,
                          mass_of(other->radius, other->density)});
    }
    return bodies;
}

/// The numbers along the normal, from the impact of the law alone. The steps find the pull-off to
/// one of them, and e is the root of a small difference of energies there.
void take_normal_motion(const SphereImpact& parameters, const impact::Restitution& normal,
                        SphereImpactResult& result) {
    if (result.status == SphereImpactStatus::not_finite || !normal.cor) return;
    const double v = parameters.motion.normal(), e = *normal.cor;
    const double first = parameters.sphere_mass(), share = parameters.effective_mass() / first;
    const double common = -(1.0 - share) * v;  // velocity of the centre of mass
    result.cor = e;
    result.peak_force = *normal.peak_force;
    result.peak_overlap = *normal.peak_overlap;
    if (normal.status == impact::ImpactOutcome::sticks) {
        result.status = SphereImpactStatus::sticks;
        result.duration = normal.duration;
        return;
    }
    const double before = result.energy.total() / (1.0 + result.energy_residual);
    const auto of_normal = [&](double one, double other) {
        const double second = share < 1.0 ? share * first / (1.0 - share) : 0.0;
        return 0.5 * (first * one * one + second * other * other);
    };
    granular::CompliantEnergy& energy = result.energy;
    energy.translation -= of_normal(result.sphere.normal, result.target.normal);
    result.sphere.normal = common + share * e * v;
    result.target.normal = share < 1.0 ? common - (1.0 - share) * e * v : 0.0;
    energy.translation += of_normal(result.sphere.normal, result.target.normal);
    energy.normal_loss = *normal.energy_lost;
    energy.stored = 0.0;
    result.energy_residual = energy.total() / before - 1.0;
    result.status = SphereImpactStatus::separated;
    result.duration = normal.duration;
}

/// A contact that has not ended: it sticks if that of the law alone does. There is no other e and
/// no other duration.
void take_open_end(const impact::Restitution& normal, SphereImpactResult& result) {
    const bool sticks = normal.status == impact::ImpactOutcome::sticks;
    result.status = sticks ? SphereImpactStatus::sticks : SphereImpactStatus::still_touching;
    result.cor = sticks ? normal.cor : std::nullopt;
    result.duration = sticks ? normal.duration : std::nullopt;
}

/// Time [s] that the steps divide: with force, or down to the largest overlap and back. A slow end
/// of the contact does not make them longer.
double contact_time(const impact::Restitution& normal, double speed) {
    const double way = normal.peak_overlap.value() / speed;
    const double duration = normal.duration.value();
    return std::isfinite(duration) ? std::min(duration, 10.0 * way) : std::numbers::pi * way;
}

/// Time [s] after which grazing spheres are closest if no force acts: v_n (r + R)/v_t^2. Infinite
/// for a plane.
double passing_time(const SphereImpact& parameters) {
    const TargetSphere* const other = target_sphere(parameters);
    if (!other) return core::infinity;
    const double v_t = parameters.motion.tangential();
    return parameters.motion.normal() * (parameters.sphere.radius + other->radius) / (v_t * v_t);
}

}  // namespace

double SphereImpact::sphere_mass() const {
    return mass_of(sphere.radius, sphere.material.density);
}

double SphereImpact::smaller_radius() const {
    const TargetSphere* const other = target_sphere(*this);
    const double own = sphere.radius;
    return other ? std::min<double>(own, other->radius) : own;
}

double SphereImpact::effective_mass() const {
    const TargetSphere* const other = target_sphere(*this);
    const double m = sphere_mass();
    if (!other) return m;
    const double m_other = mass_of(other->radius, other->density);
    return m * m_other / (m + m_other);
}

double SphereImpact::effective_modulus() const {
    return models::effective_modulus(sphere.surface(), target.material);
}

double SphereImpact::shear_ratio() const {
    return tangential_ratio ? *tangential_ratio
                            : models::shear_ratio(sphere.surface(), target.material);
}

bool SphereImpact::keeps_its_normal() const {
    const TargetSphere* const other = target_sphere(*this);
    if (!other) return true;
    const bool slides =
        mu > 0.0 && (motion.angular_velocity != 0.0 || other->angular_velocity != 0.0);
    return motion.tangential() == 0.0 && !slides;
}

impact::Impact SphereImpact::normal_impact() const {
    return {motion.normal(), effective_mass(), 0.0, 0.0, contact.separation};
}

namespace {

contact::Law law_of_bodies(const SphereImpact& impact) {
    return granular::law_of_pair(contact_of(impact).law, impact.effective_modulus(),
                                 effective_radius(impact));
}

}  // namespace

contact::Law SphereImpact::law() const {
    if (!cor) return law_of_bodies(*this);
    return impact::calibrate(law_of_bodies(*this), normal_impact(), impact::Wanted{*cor}).law;
}

double SphereImpact::friction_adhesion() const {
    if (std::holds_alternative<contact::PartialSlip>(tangential)) return 0.0;
    return std::visit(
        []<class L>([[maybe_unused]] const L& each) {
            if constexpr (granular::HasAdhesiveRegion<L>) {
                return granular::adhesive_region(each).sliding_force(1.0, 0.0);
            } else {
                return 0.0;
            }
        },
        law());
}

std::vector<core::Violation> check(const SphereImpact& parameters) {
    Violations found = check_damping(parameters);
    core::append(check_geometric_stiffness(parameters.contact.law, "contact"), found);
    core::append(check_acts_between_spheres(parameters.contact.law, "contact"), found);
    if (!found.empty()) return found;
    if (const double m = parameters.effective_mass(); !(m > 0.0 && std::isfinite(m))) {
        found.push_back({"sphere", "",
                         fmt::format("gives an effective mass of {} kg with its target; it must be "
                                     "> 0 kg and finite",
                                     core::to_text(m)),
                         "change radius or density of the smaller body"});
        return found;
    }
    found = check_with_bodies(law_of_bodies(parameters), "contact");
    if (!found.empty() || !parameters.cor) return found;
    try {
        parameters.law();
    } catch (const core::InputError& error) {
        found = core::violations_of(error);
    }
    return found;
}

SphereImpactResult follow(const SphereImpact& parameters, std::vector<SphereImpactMoment>* path) {
    const contact::Law law = parameters.law();
    const impact::Restitution normal = impact::restitution(law, parameters.normal_impact());
    if (normal.status == impact::ImpactOutcome::failed) return {};
    granular::SphereCollision collision{bodies_of(parameters), {}, parameters.steps};
    granular::CompliantStepping& stepping = collision.stepping;
    const impact::Impact alone = parameters.normal_impact();
    const bool attracts = contact::attracts(law, {alone.mass, alone.separation});
    double followed = contact_time(normal, parameters.motion.normal());
    if (!attracts) followed = std::min(followed, passing_time(parameters));
    stepping.step = followed / parameters.steps;
    stepping.law = law;
    stepping.separation = parameters.contact.separation;
    stepping.spheres = {parameters.effective_modulus(), parameters.shear_ratio(), parameters.mu,
                        parameters.resistance()};
    stepping.walls = stepping.spheres;
    stepping.skin = parameters.sphere.radius;
    stepping.tangential = parameters.tangential;
    SphereImpactResult result{granular::collide(collision, path), normal.cor};
    if (attracts && parameters.keeps_its_normal()) take_normal_motion(parameters, normal, result);
    if (result.status == SphereImpactStatus::still_touching) take_open_end(normal, result);
    return result;
}

}  // namespace stoss::models
