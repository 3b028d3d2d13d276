#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <models/beam_body.hpp>
#include <models/beam_collision.hpp>
#include <models/compliant_spheres.hpp>
#include <models/rigid_motion.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

constexpr int most_modes_chosen = 100;  // `mesh.modes: auto` keeps at least those that vibrate

constexpr double same_place = 1e-9;  // of xi: closer places are one

// Freedoms of which nearly all modes can be computed in half a minute.
constexpr int largest_dense = 1000;

int held_freedoms(const Beam& beam) {
    int held = 0;
    for (const fem::Support& support : fem_supports(beam)) {
        held += support.kind == fem::SupportKind::clamp ? 2 : 1;
    }
    return held;
}

void check_support_places(const Beam& beam, Violations& violations) {
    const auto& supports = beam.supports;
    for (std::size_t i = 0; i < supports.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other) {
            if (std::abs(supports[i].xi - supports[other].xi) > same_place) continue;
            violations.push_back({fmt::format("beam.supports[{}].xi", i),
                                  core::to_text(supports[i].xi),
                                  fmt::format("beam.supports[{}] is already at this place", other),
                                  "give each place one support"});
        }
    }
}

void check_free_ends(const Beam& beam, Violations& violations) {
    for (std::size_t i = 0; i < beam.supports.size(); ++i) {
        const auto& [type, xi, offset] = beam.supports[i];
        if (type != SupportType::free || xi == 0.0 || xi == 1.0) continue;
        violations.push_back({fmt::format("beam.supports[{}].xi", i), core::to_text(xi),
                              "is no end of the beam: `free` marks a free end and holds nothing",
                              "leave it out, or give pin, clamp or slider"});
    }
}

/// A pin off the axis moves the beam along it; nothing else may hold it there.
void check_offsets(const Beam& beam, Violations& violations) {
    const auto& supports = beam.supports;
    const auto is_other = [&](const Support& other) {
        return other.type == SupportType::clamp || other.type == SupportType::slider;
    };
    const bool turns = std::none_of(supports.begin(), supports.end(), is_other);
    bool is_known = false;
    for (std::size_t i = 0; i < supports.size(); ++i) {
        if (supports[i].offset == 0.0) continue;
        if (supports[i].type != SupportType::pin || !turns || is_known) {
            violations.push_back(
                {fmt::format("beam.supports[{}].offset", i),
                 core::with_unit(supports[i].offset, "m"),
                 is_known ? "is a second pin off the axis: the beam would have to stretch between "
                            "the two"
                 : turns  ? "is not possible: only a pin can be off the axis"
                          : "is not possible: a clamp or slider holds the beam as well",
                 "only one pin may have an offset; the other pins must let the beam slide"});
        }
        is_known = true;
    }
}

/// Two nodes too close to each other would cost all modes their digits.
void check_points_apart(const Beam& beam, Violations& violations) {
    constexpr double least = 1e-4;
    const auto points = points_on_nodes(beam);
    std::vector<std::pair<std::string, double>> before{{"the left end", 0.0},
                                                       {"the right end", 1.0}};
    for (const auto& [key, xi] : points) {
        const bool is_known = std::any_of(before.begin(), before.end(), [place = xi](auto& other) {
            return std::abs(place - other.second) <= same_place;
        });
        if (is_known) continue;
        const auto close = std::find_if(before.begin(), before.end(), [&, place = xi](auto& other) {
            const double distance = std::abs(place - other.second);
            return distance > same_place && distance < least - same_place;
        });
        if (close != before.end()) {
            violations.push_back(
                {key, core::to_text(xi),
                 fmt::format("is too close to {} at {}: both must be at the same place, or at "
                             "least {} of the length apart",
                             close->first, core::to_text(close->second), core::to_text(least)),
                 ""});
        }
        before.emplace_back(key, xi);
    }
}

/// A spring or dashpot that acts on nothing but a motion that a support prevents.
template <class GroundLink>
void check_held_links(const Beam& beam, const std::vector<GroundLink>& links, std::string_view key,
                      Violations& violations) {
    const auto refuse = [&](std::size_t i, const char* direction, const Support& support) {
        violations.push_back({fmt::format("beam.{}[{}].{}", key, i, direction), "",
                              fmt::format("has no effect: the {} at xi = {} prevents this motion",
                                          core::name_of(support.type), core::to_text(support.xi)),
                              "leave it out, or give another place"});
    };
    for (std::size_t i = 0; i < links.size(); ++i) {
        for (const Support& support : beam.supports) {
            if (std::abs(support.xi - links[i].xi) > same_place) continue;
            const bool holds_w =
                support.type == SupportType::pin || support.type == SupportType::clamp;
            const bool holds_turn =
                support.type == SupportType::slider || support.type == SupportType::clamp;
            if (holds_w && links[i].translation > 0.0) refuse(i, "translation", support);
            if (holds_turn && links[i].rotation > 0.0) refuse(i, "rotation", support);
        }
    }
}

void check_dashpots(const Beam& beam, Violations& violations) {
    for (std::size_t i = 0; i < beam.dashpots.size(); ++i) {
        if (beam.dashpots[i].translation > 0.0 || beam.dashpots[i].rotation > 0.0) continue;
        violations.push_back({fmt::format("beam.dashpots[{}]", i), "", "has no damping",
                              "give translation (N s/m), rotation (N m s/rad) or both"});
    }
    check_held_links(beam, beam.dashpots, "dashpots", violations);
}

void check_springs(const Beam& beam, Violations& violations) {
    for (std::size_t i = 0; i < beam.springs.size(); ++i) {
        if (beam.springs[i].translation > 0.0 || beam.springs[i].rotation > 0.0) continue;
        violations.push_back({fmt::format("beam.springs[{}]", i), "", "has no stiffness",
                              "give translation (N/m), rotation (N m/rad) or both"});
    }
    check_held_links(beam, beam.springs, "springs", violations);
}

void check_materials(const Beam& beam, Violations& violations) {
    for (std::size_t i = 1; i < beam.materials.size(); ++i) {
        if (beam.materials[i].xi > beam.materials[i - 1].xi) continue;
        violations.push_back({fmt::format("beam.materials[{}].xi", i),
                              core::to_text(beam.materials[i].xi),
                              "materials must be in the order of xi, each at another place", ""});
    }
}

/// Places of which every part of the beam has one.
std::vector<double> middles_of_parts(const Section& section) {
    const auto* const profile = std::get_if<Profile>(&section.shape);
    if (profile == nullptr) return {0.5};
    std::vector<double> middles;
    for (std::size_t i = 1; i < profile->stations.size(); ++i) {
        const double from = profile->stations[i - 1].xi, to = profile->stations[i].xi;
        if (to > from) middles.push_back(0.5 * (from + to));
    }
    return middles;
}

void check_shear(const Beam& beam, Violations& violations) {
    if (!beam.has_shear()) return;
    const std::vector<double> places = middles_of_parts(beam.section);
    const auto is_known = [&](double xi) { return beam.shear_coefficient(xi).has_value(); };
    if (std::all_of(places.begin(), places.end(), is_known)) return;
    violations.push_back({"beam.shear_coefficient", "",
                          "is missing; it cannot be computed for a general section",
                          "give a number, 5/6 to 9/10 for compact sections"});
}

/// Squares of the lengths of elements stay within doubles.
void check_length(const Beam& beam, Violations& violations) {
    if (core::closed(1e-100, 1e100).contains(beam.length)) return;
    violations.push_back({"beam.length", core::with_unit(beam.length, "m"),
                          "must be between 1e-100 m and 1e100 m", ""});
}

/// What is wrong with a beam whatever its mesh.
Violations check_alone(const Beam& beam) {
    Violations violations = check(beam.section, "beam.section");
    check_length(beam, violations);
    check_support_places(beam, violations);
    check_free_ends(beam, violations);
    check_offsets(beam, violations);
    check_springs(beam, violations);
    check_dashpots(beam, violations);
    if (violations.empty()) check_shear(beam, violations);
    check_materials(beam, violations);
    check_points_apart(beam, violations);
    return violations;
}

void check_modes(const Beam& beam, const Mesh& mesh, Violations& violations) {
    if (!mesh.modes) return;  // `auto` takes what there is room for
    const int modes = *mesh.modes;
    const fem::BeamMesh nodes = mesh_of(beam, mesh);
    const int freedoms = static_cast<int>(nodes.dofs()) - held_freedoms(beam);
    const int rigid = rigid_freedoms(beam).count();
    if (modes > freedoms) {
        violations.push_back(
            {"mesh.modes", std::to_string(modes),
             fmt::format(
                 "are more modes than degrees of freedom: {} elements with these supports have {}",
                 nodes.elements(), freedoms),
             fmt::format("use at most {} modes, or more elements; about a third of the modes of a "
                         "mesh are accurate",
                         freedoms)});
    }
    if (modes <= freedoms && freedoms > largest_dense && 2 * modes + 20 > freedoms) {
        violations.push_back(
            {"mesh.modes", std::to_string(modes),
             fmt::format(
                 "are nearly all of {} modes: this needs dense matrices, and minutes to hours",
                 freedoms),
             fmt::format("use at most {} modes, or fewer elements", freedoms / 2 - 10)});
    }
    if (modes < rigid) {
        violations.push_back(
            {"mesh.modes", std::to_string(modes),
             fmt::format("must be >= {}: this beam has {} rigid modes", rigid, rigid), ""});
    }
}

/// What is wrong with a beam on that mesh. Precondition: nothing is wrong with the beam alone.
Violations check_on_mesh(const Beam& beam, const Mesh& mesh) {
    Violations violations;
    check_modes(beam, mesh, violations);
    return violations;
}

void check_inclination(const BeamCollision& parameters, Violations& violations) {
    const Beam& beam = parameters.beam;
    const double inclination = parameters.motion.inclination;
    const bool is_held = held_freedoms(beam) > 0 || !beam.springs.empty() || !beam.dashpots.empty();
    if (inclination == 0.0 || (!is_held && beam.is_uniform() && beam.masses.empty())) return;
    violations.push_back(
        {"motion.inclination", core::with_unit(inclination, "rad"),
         is_held ? "is not possible: a held beam cannot move along its axis"
                 : "needs a uniform beam without masses on it",
         "leave it out, or use the problem modal_impact with modes from another program"});
}

void check_vibration(const Beam& beam, const std::vector<ModeMotion>& vibration, int modes,
                     const std::string& key, Violations& violations) {
    const int rigid = rigid_freedoms(beam).count();
    for (std::size_t i = 0; i < vibration.size(); ++i) {
        const int mode = vibration[i].mode;
        if (mode > rigid && mode <= modes) continue;
        violations.push_back({fmt::format("{}[{}].mode", key, i), std::to_string(mode),
                              mode > modes ? fmt::format("only {} modes are kept", modes)
                                           : fmt::format("the first {} modes are rigid", rigid),
                              fmt::format("give a mode from {} to {}", rigid + 1, modes)});
    }
}

void check_vibrations(const BeamCollision& parameters, Violations& violations) {
    const StrikingBeam* const other = parameters.striker.striking_beam();
    const auto& own = parameters.motion.vibration;
    if (own.empty() && (!other || other->vibration.empty())) return;
    const int modes = parameters.mesh.modes.value_or(most_modes_chosen);
    check_vibration(parameters.beam, own, modes, "motion.vibration", violations);
    if (other)
        check_vibration(other->beam, other->vibration, modes, "striker.vibration", violations);
}

/// Newmark's scheme moves each mode alone.
void check_scheme(const BeamCollision& parameters, Violations& violations) {
    if (!std::holds_alternative<time::Newmark>(parameters.integration.scheme)) return;
    const StrikingBeam* const other = parameters.striker.striking_beam();
    const auto refuse = [&](const Beam& beam, const std::string& key) {
        std::optional<core::Violation> found = what_couples_modes(beam, key);
        if (!found) return;
        found->rule += ", which the scheme newmark does not support";
        found->suggestion = "use `integration.scheme: splitting`";
        violations.push_back(std::move(*found));
    };
    refuse(parameters.beam, "beam.");
    if (other) refuse(other->beam, "striker.beam.");
}

/// What a constant force on a beam that cannot move rigidly would do: nothing.
void check_loads(const Beam& beam, const std::vector<PointLoad>& loads, const std::string& key,
                 Violations& violations) {
    if (loads.empty() || rigid_freedoms(beam).count() > 0) return;
    violations.push_back({key, "",
                          "have no effect on a held beam: it bends under a constant force and "
                          "vibrates about this shape as without the force",
                          "leave it out"});
}

void check_forces(const BeamCollision& parameters, Violations& violations) {
    const Striker& striker = parameters.striker;
    const StrikingBeam* const other = striker.striking_beam();
    check_loads(parameters.beam, parameters.motion.loads, "motion.loads", violations);
    if (other) check_loads(other->beam, other->loads, "striker.loads", violations);
    if (striker.load != 0.0 && (other || !std::isfinite(striker.total_mass()))) {
        violations.push_back({"striker.load", core::with_unit(striker.load, "N"),
                              other ? "is for a cylinder or sphere; a striking beam has `loads`"
                                    : "has no effect: a striker of infinite mass is fixed",
                              other ? "give striker.loads" : "give striker.mass, or leave it out"});
    }
    if (!is_loaded(parameters)) return;
    const std::string key = parameters.motion.gravity != 0.0 ? "motion.gravity" : "motion";
    std::optional<core::Violation> coupling = what_couples_modes(parameters.beam, "beam.");
    if (!coupling && other) coupling = what_couples_modes(other->beam, "striker.beam.");
    if (coupling) {
        violations.push_back({key, "",
                              fmt::format("gravity and loads are not possible with {}, which {}",
                                          coupling->key, coupling->rule),
                              fmt::format("leave out {}, or gravity and loads", coupling->key)});
    } else if (std::holds_alternative<time::Newmark>(parameters.integration.scheme)) {
        violations.push_back({key, "", "gravity and loads are not supported by the scheme newmark",
                              "use `integration.scheme: splitting`"});
    }
}

void check_motions(const BeamCollision& parameters, Violations& violations) {
    const Striker& striker = parameters.striker;
    const StrikingBeam* const other = striker.striking_beam();
    check_motion(parameters.beam,
                 {motion_of_beam(parameters), "motion.velocity", "motion.angular_velocity",
                  "striker.velocity"},
                 violations);
    if (other) {
        check_motion(other->beam,
                     {motion_of_striker(striker), "striker.velocity", "striker.angular_velocity",
                      "a motion of the other beam"},
                     violations);
    }
    check_inclination(parameters, violations);
    check_vibrations(parameters, violations);
    check_forces(parameters, violations);
    const Motion& motion = parameters.motion;
    if (motion.approach_speed && motion.drop_height) {
        violations.push_back({"motion.drop_height", core::with_unit(*motion.drop_height, "m"),
                              "cannot be given together with approach_speed", "keep one of them"});
    }
    if (motions_of(parameters).is_rest()) {
        violations.push_back({"motion", "", "nothing moves, so nothing can collide",
                              motion.closing_speed()
                                  ? "give striker.mass: a fixed striker and a held beam cannot "
                                    "approach each other"
                              : rigid_freedoms(parameters.beam).count() == 0
                                  ? "give striker.velocity"
                                  : "give motion.angular_velocity, motion.velocity (free beam) "
                                    "or striker.velocity"});
    }
}

/// What a cylinder or sphere needs besides for `mass: auto` to be finite.
const char* what_gives_a_mass(const Striker& striker) {
    return std::holds_alternative<Cylinder>(striker.shape)
               ? "give striker.mass, or striker.length and the density of striker.material"
               : "give striker.mass, or the density of striker.material";
}

/// A length is there for the mass alone.
void check_cylinder_length(const Striker& striker, Violations& violations) {
    const auto* const cylinder = std::get_if<Cylinder>(&striker.shape);
    if (cylinder == nullptr || !cylinder->length || striker.mass) return;
    if (!striker.material || striker.material->density) return;
    violations.push_back({"striker.length", core::with_unit(*cylinder->length, "m"),
                          "gives no mass: striker.material has no density",
                          "give the density, or striker.mass"});
}

void check_striker(const Striker& striker, Violations& violations) {
    if (striker.striking_beam()) {
        const char* const hint = "leave it out; striker.beam determines it";
        if (striker.material)
            violations.push_back({"striker.material", "",
                                  "is for a cylinder or sphere; a striking beam has its own",
                                  hint});
        if (striker.mass && std::isfinite(*striker.mass))
            violations.push_back({"striker.mass", core::with_unit(*striker.mass, "kg"),
                                  "is for a cylinder or sphere; a striking beam has its own",
                                  hint});
        return;
    }
    if (!striker.material)
        violations.push_back({"striker.material", "", "is missing",
                              "give a name, see stoss list materials, or a mapping with "
                              "youngs_modulus and poisson_ratio"});
    const double mass = striker.total_mass();
    if (!striker.inner.empty() && !(std::isfinite(mass) && striker.outer_mass() > 1e-9 * mass)) {
        violations.push_back({"striker.mass", core::with_unit(mass, "kg"),
                              "must be finite and more than all inner masses together",
                              "it is the mass of the whole striker"});
    }
    check_cylinder_length(striker, violations);
    if (striker.inner.empty() && striker.inner_damping_time > 0.0) {
        violations.push_back({"striker.inner_damping_time",
                              core::with_unit(striker.inner_damping_time, "s"),
                              "needs inner masses", "give striker.inner, or leave it out"});
    }
    if (striker.velocity == 0.0 || std::isfinite(mass)) return;
    violations.push_back({"striker.velocity", core::with_unit(striker.velocity, "m/s"),
                          "a striker of infinite mass is inertially fixed and cannot move",
                          striker.mass ? "give striker.mass, or let the beam move instead"
                                       : what_gives_a_mass(striker)});
}

/// The place of `struck` where the surfaces touch along a line; none: they touch at a point.
std::optional<double> place_of_line(const BeamCollision& parameters, const core::Range& struck) {
    std::vector<double> places{struck.low, struck.high};
    if (const auto* profile = std::get_if<Profile>(&parameters.beam.section.shape)) {
        for (const Station& station : profile->stations) {
            if (struck.contains(station.xi)) places.push_back(station.xi);
        }
    }
    std::sort(places.begin(), places.end());
    const auto is_line = [&](double xi) { return !(gap_at(parameters, xi).smaller > 0.0); };
    const auto found = std::ranges::find_if(places, is_line);
    return found == places.end() ? std::nullopt : std::optional(*found);
}

/// Numbers of a law that follow from the geometry need a contact that is a point.
void check_contact_point(const BeamCollision& parameters, const core::Range& struck,
                         Violations& violations) {
    const std::optional<double> xi = place_of_line(parameters, struck);
    if (!xi) return;
    const auto name = [](const auto& shape) { return std::string(shape.name); };
    const std::string key = check_without_bodies(parameters.contact.law, "contact").front().key;
    const bool is_profile = std::holds_alternative<Profile>(parameters.beam.section.shape);
    violations.push_back({"striker.shape", std::visit(name, parameters.striker.shape),
                          fmt::format("touches the beam along a line{}, for which {} cannot be "
                                      "computed",
                                      is_profile ? " at xi = " + core::to_text(*xi) : "", key),
                          "give " + key + ", or strike with a sphere"});
}

void check_law(const BeamCollision& parameters, const core::Range& struck, Violations& violations) {
    BeamContact contact = parameters.contact;
    contact.law = with_materials(contact.law, parameters, struck.low);
    core::append(check(contact, "contact"), violations);
    if (check_without_bodies(parameters.contact.law, "contact").empty()) return;
    check_contact_point(parameters, struck, violations);
    core::append(check_geometric_stiffness(parameters.contact.law, "contact"), violations);
    if (violations.empty())
        core::append(check_with_bodies(law_at(parameters, struck.low), "contact"), violations);
}

/// `found`, whose keys of a beam are under `key`, and behind what was found of another beam.
void append_under(const std::string& key, Violations found, Violations& violations) {
    for (core::Violation& violation : found) {
        if (violation.key.starts_with("beam.")) violation.key = key + "." + violation.key;
        const bool is_known = std::any_of(violations.begin(), violations.end(),
                                          [&](const auto& v) { return v.key == violation.key; });
        if (!is_known) violations.push_back(std::move(violation));
    }
}

}  // namespace

void check_motion(const Beam& beam, const GivenMotion& given,
                  std::vector<core::Violation>& violations) {
    const RigidFreedoms allowed = rigid_freedoms(beam);
    const int rigid = allowed.count();
    const auto has = [&](SupportType type) {
        return std::ranges::any_of(beam.supports, [&](const auto& s) { return s.type == type; });
    };
    const bool has_supports =
        has(SupportType::pin) || has(SupportType::clamp) || has(SupportType::slider);
    const char* const held = beam.springs.empty() ? "is not possible: the supports hold the beam"
                             : has_supports ? "is not possible: supports and springs hold the beam"
                                            : "is not possible: springs hold the beam";
    const char* const pivot = has(SupportType::pin) ? "pin" : "spring";
    const char* const holder = has(SupportType::slider) ? "slider" : "spring";
    const auto& [velocity, angular_velocity] = given.motion;
    if (!allowed.translation && velocity != 0.0) {
        violations.push_back(
            {given.velocity_key, core::with_unit(velocity, "m/s"),
             rigid == 1
                 ? fmt::format("is not possible: a beam on one {} can only turn about it", pivot)
                 : held,
             rigid == 1 ? fmt::format("leave it out; {} is about the {}", given.rotation_key, pivot)
                        : fmt::format("leave it out and give {}", given.otherwise)});
    }
    if (!allowed.rotation && angular_velocity != 0.0) {
        violations.push_back(
            {given.rotation_key, core::with_unit(angular_velocity, "rad/s"),
             rigid == 1
                 ? fmt::format("is not possible: a {} holds the beam against rotation", holder)
                 : held,
             fmt::format("leave it out and give {}",
                         rigid == 1 ? given.velocity_key : given.otherwise)});
    }
}

std::vector<core::Violation> check(const Beam& beam, const Mesh& mesh) {
    Violations violations = check_alone(beam);
    // Else it is not known how the beam can move.
    if (violations.empty()) violations = check_on_mesh(beam, mesh);
    return violations;
}

std::vector<core::Violation> check(const BeamCollision& parameters, const core::Range& struck) {
    Violations violations = check_alone(parameters.beam);
    const StrikingBeam* const other = parameters.striker.striking_beam();
    if (other) append_under("striker", check_alone(other->beam), violations);
    const bool makes_sense = violations.empty();
    if (makes_sense) {
        violations = check_on_mesh(parameters.beam, parameters.mesh);
        if (other) append_under("striker", check_on_mesh(other->beam, parameters.mesh), violations);
        check_motions(parameters, violations);
    }
    check_striker(parameters.striker, violations);
    check_scheme(parameters, violations);
    if (makes_sense && (other || parameters.striker.material))
        check_law(parameters, struck, violations);
    return violations;
}

}  // namespace stoss::models
