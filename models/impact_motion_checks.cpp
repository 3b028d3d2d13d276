#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <models/beam_collision.hpp>
#include <models/impact_motion.hpp>
#include <models/rigid_motion.hpp>
#include <stoss/contact/attraction.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

void check_place(const MotionModel& model, const BodyPlace& place, const std::string& key,
                 Violations& found) {
    if (model.find(place.body)) return;
    std::vector<std::string> names;
    for (const Body& body : model.bodies) names.push_back(body.name);
    const auto nearest = core::nearest_word(place.body, names);
    found.push_back({key + ".body", place.body, "is not a body of the case",
                     nearest ? "did you mean `" + *nearest + "`?"
                             : "the bodies are " + core::listed(names, "and")});
}

template <class Named>
void check_names(const std::vector<Named>& list, const std::string& key, Violations& found) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (seen.insert(list[i].name).second) continue;
        found.push_back({fmt::format("{}[{}].name", key, i), list[i].name, "is used twice",
                         "give each its own name"});
    }
}

void check_law(const MotionModel& model, const MotionContact& contact, const std::string& key,
               Violations& found) {
    if (contact.cor.has_value() == contact.contact.has_value()) {
        found.push_back(
            {key + (contact.cor ? ".cor" : ".contact"), "",
             contact.cor ? "cannot be given together with `contact`: each of them gives the rebound"
                         : "is missing",
             "give either `contact`, a law, or `cor`, Newton's coefficient of restitution"});
        return;
    }
    if (contact.contact) {
        const std::string path = key + ".contact";
        core::append(check(*contact.contact, path), found);
        append_missing(check_without_bodies(contact.contact->law, path), found);
        return;
    }
    for (const BodyPlace* place : {&contact.first, &contact.second}) {
        const Body* const body = model.find(place->body);
        if (body && body->is<BeamInMotion>())
            found.push_back({key + ".cor", core::to_text(*contact.cor),
                             fmt::format("`{}` vibrates: its impulse would depend on the number "
                                         "of its modes",
                                         place->body),
                             "give a contact law instead"});
    }
}

/// What the tangential law needs, or has no use for.
void check_tangential_law(const MotionFriction& friction, const std::string& key,
                          Violations& found) {
    const auto* const slider = std::get_if<contact::SpringSlider>(&friction.tangential);
    if (slider && slider->tangential_damping > 0.0)
        found.push_back({key + ".tangential_damping", core::to_text(slider->tangential_damping),
                         "is not known of bodies in motion: their slider has no dashpot",
                         "leave it out, or take `sphere_impact`"});
    const bool is_none = std::holds_alternative<contact::Smooth>(friction.tangential);
    if (is_none && (friction.tangential_stiffness || friction.tangential_ratio))
        found.push_back({key + ".tangential", "none",
                         "has no spring, but the stiffness of one is given",
                         "leave out the stiffness, or `tangential`"});
    if (std::holds_alternative<contact::PartialSlip>(friction.tangential) &&
        friction.tangential_stiffness)
        found.push_back({key + ".tangential_stiffness",
                         core::to_text(*friction.tangential_stiffness),
                         "is that of one spring: those of `tangential: partial_slip` follow the "
                         "normal law",
                         "give `tangential_ratio` in its place"});
}

void check_friction(const MotionModel& model, const MotionContact& contact, const std::string& key,
                    Violations& found) {
    const MotionFriction& friction = *contact.friction;
    check_tangential_law(friction, key, found);
    const bool is_none = std::holds_alternative<contact::Smooth>(friction.tangential);
    if (!is_none &&
        friction.tangential_stiffness.has_value() == friction.tangential_ratio.has_value()) {
        const bool both = friction.tangential_stiffness.has_value();
        found.push_back({key + (both ? ".tangential_ratio" : ".tangential_stiffness"), "",
                         both
                             ? "cannot be given together with `tangential_stiffness`: each of them "
                               "gives the tangential spring"
                             : "is missing",
                         "give either `tangential_stiffness`, in N/m, or `tangential_ratio`, of "
                         "the slope of the normal law"});
    }
    if (!contact.contact) {
        found.push_back({key, "", "needs a contact law: impacts by `cor` take no time",
                         "give `contact` instead of `cor`"});
    } else if (check_without_bodies(contact.contact->law, "").empty() &&
               contact::attracts(contact.contact->law, {1.0, contact.contact->separation})) {
        found.push_back({key, "",
                         "is not possible with a law that attracts: bodies that are pulled "
                         "together also stick across the normal",
                         "take another law, or leave `friction` out"});
    }
    for (const BodyPlace* place : {&contact.first, &contact.second}) {
        const Body* const body = model.find(place->body);
        if (body && is_spatial(model) && (body->is<RigidBar>() || body->is<BeamInMotion>()))
            found.push_back({key, "",
                             fmt::format("acts in space, as a body has a lateral velocity; `{}` "
                                         "moves in a plane",
                                         place->body),
                             "take spheres and point masses, or no lateral velocity"});
    }
}

void check_contact(const MotionModel& model, std::size_t i, Violations& found) {
    const MotionContact& contact = model.contacts[i];
    const std::string key = fmt::format("contacts[{}]", i);
    check_place(model, contact.first, key + ".first", found);
    check_place(model, contact.second, key + ".second", found);
    check_law(model, contact, key, found);
    if (contact.friction) check_friction(model, contact, key + ".friction", found);
    const Body* const first = model.find(contact.first.body);
    const Body* const second = model.find(contact.second.body);
    if (!first || !second) return;
    if (first->is<Surface>() && second->is<Surface>())
        found.push_back({key + ".second.body", contact.second.body,
                         "is a surface, like the first body: two surfaces cannot collide",
                         "name a body with a mass"});
    const bool has_places = first->is<RigidBar>() || first->is<BeamInMotion>();
    if (first == second && (!has_places || contact.first.xi == contact.second.xi))
        found.push_back({key + ".second.body", contact.second.body,
                         "is the first body at the same place", "name another body or place"});
}

/// Gravity moves rigid modes alone.
bool falls(const Body& body) {
    return std::visit(
        [](const auto& kind) {
            if constexpr (requires { kind.stiffness; })
                return kind.stiffness == 0.0;
            else if constexpr (requires { kind.beam; })
                return rigid_freedoms(kind.beam).count() > 0;
            else
                return !requires {
                    kind.motion;
                };
        },
        body.kind);
}

void check_gravity(const MotionModel& model, Violations& found) {
    if (model.gravity == 0.0 || model.bodies.empty() || std::ranges::any_of(model.bodies, falls))
        return;
    found.push_back({"gravity", core::with_unit(model.gravity, "m/s^2"),
                     "has no effect: every body is held, and its displacement counts from the "
                     "static equilibrium",
                     "leave it out"});
}

/// How a beam moves at time 0.
void check_beam_motion(const BeamInMotion& given, const std::string& key, Violations& found) {
    check_motion(given.beam,
                 {{given.velocity, given.angular_velocity},
                  key + "velocity",
                  key + "angular_velocity",
                  "a velocity to another body"},
                 found);
    if (given.tangential_velocity != 0.0 && !moves_along_its_axis(given.beam))
        found.push_back({key + "tangential_velocity",
                         core::with_unit(given.tangential_velocity, "m/s"),
                         "is not possible: a clamp or pin holds the beam along its axis",
                         "leave it out, or replace the clamp or pin by a slider or a spring"});
}

void check_bodies(const MotionModel& model, Violations& found) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const auto* const beam = std::get_if<BeamInMotion>(&model.bodies[i].kind);
        if (!beam) continue;
        const std::string key = fmt::format("bodies[{}].", i);
        const std::size_t before = found.size();
        for (core::Violation& each : check(beam->beam, beam->mesh())) {
            if (each.key.starts_with("mesh.")) each.key.erase(0, std::string("mesh.").size());
            each.key = key + each.key;
            found.push_back(std::move(each));
        }
        if (!beam->beam.dashpots.empty())
            found.push_back({key + "beam.dashpots", "",
                             "couple the modes, which must be independent here",
                             "use external_damping or internal_damping"});
        if (found.size() == before) check_beam_motion(*beam, key, found);
        if (!model.moves_along_tangent(model.bodies[i].name, beam->tangential_velocity)) continue;
        for (std::size_t k = 0; k < beam->beam.supports.size(); ++k) {
            const double offset = beam->beam.supports[k].offset;
            if (offset != 0.0)
                found.push_back({fmt::format("{}beam.supports[{}].offset", key, k),
                                 core::with_unit(offset, "m"),
                                 "is not possible with friction: such a pin couples bending with "
                                 "the motion along the axis",
                                 "leave it out, or leave out `friction`"});
        }
    }
}

}  // namespace

std::vector<core::Violation> check(const MotionModel& model) {
    Violations found;
    if (model.bodies.empty())
        found.push_back({"bodies", "", "is empty", "give at least one body with a mass"});
    if (model.contacts.empty())
        found.push_back(
            {"contacts", "", "is empty", "give at least one place where two bodies may meet"});
    check_names(model.bodies, "bodies", found);
    check_names(model.contacts, "contacts", found);
    check_bodies(model, found);
    check_gravity(model, found);
    for (std::size_t i = 0; i < model.contacts.size(); ++i) check_contact(model, i, found);
    for (std::size_t i = 0; i < model.forces.size(); ++i) {
        const HarmonicForce& force = model.forces[i];
        const std::string key = fmt::format("forces[{}]", i);
        check_place(model, force.on, key + ".on", found);
        const Body* const body = model.find(force.on.body);
        if (body && body->is<Surface>())
            found.push_back({key + ".on.body", force.on.body, "is a surface: no force moves it",
                             "give it a `motion`"});
    }
    return found;
}

}  // namespace stoss::models
