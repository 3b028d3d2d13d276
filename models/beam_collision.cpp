#include <models/beam_collision.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <stoss/contact/geometry.hpp>
#include <stoss/core/text.hpp>
#include <stoss/modal/modal_body.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

constexpr int most_modes_chosen = 100;  // `mesh.modes: auto` keeps at least those that vibrate

constexpr int largest_dense =
    1000;  // freedoms of which nearly all modes can be had in half a minute

/// k [N/m^(3/2)] of the striker's surface on the beam's at xi (theory/contact.md 5.2 to 5.8).
double stiffness_from_geometry(const BeamCollision& parameters, double xi) {
    const double modulus = contact_modulus(parameters, xi);
    const contact::Gap gap = gap_at(parameters, xi);
    if (parameters.contact.area == ContactArea::ellipse) {
        return contact::elliptical_stiffness(modulus, gap);
    }
    return contact::hertz_stiffness(modulus, contact::gaussian_radius(gap));
}

/// The law as given, its stiffness computed from the bodies at xi if nobody gave it.
contact::Law with_stiffness(const BeamCollision& parameters, double xi) {
    contact::Law law = parameters.contact.law;
    std::visit(
        [&](auto& given) {
            if constexpr (requires { given.stiffness; }) {
                if (!core::is_given(given.stiffness)) {
                    given.stiffness = stiffness_from_geometry(parameters, xi);
                }
            }
        },
        law);
    return law;
}

std::vector<fem::Support> fem_supports(const Beam& beam) {
    std::vector<fem::Support> supports;
    for (const Support& support : beam.supports) {
        if (support.type == SupportType::free) continue;
        const auto kind = support.type == SupportType::pin     ? fem::SupportKind::pin
                          : support.type == SupportType::clamp ? fem::SupportKind::clamp
                                                               : fem::SupportKind::slider;
        supports.push_back({support.xi * beam.length, kind});
    }
    return supports;
}

int held_freedoms(const Beam& beam) {
    int held = 0;
    for (const fem::Support& support : fem_supports(beam)) {
        held += support.kind == fem::SupportKind::clamp ? 2 : 1;
    }
    return held;
}

/// Rigid motion of a beam, as given.
struct RigidMotion {
    double velocity = 0.0;          // of the centre of mass [m/s]
    double angular_velocity = 0.0;  // about the pin, if there is one [rad/s]

    bool is_rest() const { return velocity == 0.0 && angular_velocity == 0.0; }
};

/// The rigid motions that supports and springs leave to a beam.
struct RigidMotions {
    bool translation = true;  // of the centre of mass, and of its own accord
    bool rotation = true;
    double pivot = 0.0;  // place x [m] that it turns about
};

RigidMotions rigid_motions(const Beam& beam) {
    std::vector<double> still;  // places that cannot move
    bool turns = true;
    const auto add = [&](double x) {
        if (std::find(still.begin(), still.end(), x) == still.end()) still.push_back(x);
    };
    for (const fem::Support& support : fem_supports(beam)) {
        if (support.kind != fem::SupportKind::slider) add(support.x);
        if (support.kind != fem::SupportKind::pin) turns = false;
    }
    for (const SpringSupport& spring : beam.springs) {
        if (spring.translation > 0.0) add(spring.xi * beam.length);
        if (spring.rotation > 0.0) turns = false;
    }
    return {still.empty(), turns && still.size() < 2,
            still.empty() ? beam.centre_of_mass() : still.front()};
}

int count(const RigidMotions& motions) {
    return int(motions.translation) + int(motions.rotation);
}

void check_support_places(const Beam& beam, Violations& violations) {
    const auto& supports = beam.supports;
    for (std::size_t i = 0; i < supports.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other) {
            if (std::abs(supports[i].xi - supports[other].xi) > 1e-9) continue;
            violations.push_back({fmt::format("beam.supports[{}].xi", i),
                                  core::to_text(supports[i].xi),
                                  fmt::format("beam.supports[{}] is already at this place", other),
                                  "give each place one support"});
        }
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
            violations.push_back({fmt::format("beam.supports[{}].offset", i),
                                  core::with_unit(supports[i].offset, "m"),
                                  is_known
                                      ? "a second pin off the axis: between two the beam would "
                                        "have to stretch"
                                  : turns ? "only a pin can lie off the axis"
                                          : "a clamp or slider beside it holds the beam",
                                  "one pin of a beam may have an offset, beside pins that let the "
                                  "beam slide"});
        }
        is_known = true;
    }
}

/// Keys and places xi of everything that must be on a node.
std::vector<std::pair<std::string, double>> points_of(const Beam& beam) {
    std::vector<std::pair<std::string, double>> points;
    const auto add = [&](std::string_view key, const auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i)
            points.emplace_back(fmt::format("beam.{}[{}].xi", key, i), list[i].xi);
    };
    add("supports", beam.supports);
    add("springs", beam.springs);
    add("dashpots", beam.dashpots);
    add("masses", beam.masses);
    add("materials", beam.materials);
    if (const auto* profile = std::get_if<Profile>(&beam.section.shape)) {
        add("section.stations", profile->stations);
    }
    return points;
}

/// Two nodes too close to each other would cost all modes their digits.
void check_points_apart(const Beam& beam, Violations& violations) {
    constexpr double same = 1e-9, least = 1e-4;
    const auto points = points_of(beam);
    std::vector<std::pair<std::string, double>> before{{"the left end", 0.0},
                                                       {"the right end", 1.0}};
    for (const auto& [key, xi] : points) {
        const bool is_known = std::any_of(before.begin(), before.end(), [place = xi](auto& other) {
            return std::abs(place - other.second) <= same;
        });
        if (is_known) continue;
        const auto close = std::find_if(before.begin(), before.end(), [&, place = xi](auto& other) {
            const double distance = std::abs(place - other.second);
            return distance > same && distance < least;
        });
        if (close != before.end()) {
            violations.push_back(
                {key, core::to_text(xi),
                 fmt::format("too close to {} at {}: they must be one place, or {} of the length "
                             "apart",
                             close->first, core::to_text(close->second), core::to_text(least)),
                 ""});
        }
        before.emplace_back(key, xi);
    }
}

void check_dashpots(const Beam& beam, Violations& violations) {
    for (std::size_t i = 0; i < beam.dashpots.size(); ++i) {
        if (beam.dashpots[i].translation > 0.0 || beam.dashpots[i].rotation > 0.0) continue;
        violations.push_back({fmt::format("beam.dashpots[{}]", i), "", "a dashpot without damping",
                              "give translation (N s/m), rotation (N m s/rad) or both"});
    }
}

void check_springs(const Beam& beam, Violations& violations) {
    for (std::size_t i = 0; i < beam.springs.size(); ++i) {
        if (beam.springs[i].translation > 0.0 || beam.springs[i].rotation > 0.0) continue;
        violations.push_back({fmt::format("beam.springs[{}]", i), "", "a spring without stiffness",
                              "give translation (N/m), rotation (N m/rad) or both"});
    }
}

void check_materials(const Beam& beam, Violations& violations) {
    for (std::size_t i = 1; i < beam.materials.size(); ++i) {
        if (beam.materials[i].xi > beam.materials[i - 1].xi) continue;
        violations.push_back(
            {fmt::format("beam.materials[{}].xi", i), core::to_text(beam.materials[i].xi),
             "materials must stand in the order of xi, each at a place of its own", ""});
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
    const auto is_known = [&](double xi) { return core::is_given(beam.shear_coefficient(xi)); };
    if (std::all_of(places.begin(), places.end(), is_known)) return;
    violations.push_back({"beam.shear_coefficient", "",
                          "is missing; a general section does not tell it",
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
    const int rigid = count(rigid_motions(beam));
    if (modes > freedoms) {
        violations.push_back(
            {"mesh.modes", std::to_string(modes),
             fmt::format("more modes than freedoms: {} elements under these supports have {}",
                         nodes.elements(), freedoms),
             fmt::format("at most {}, or more elements; about a third of the freedoms are accurate",
                         freedoms)});
    }
    if (modes <= freedoms && freedoms > largest_dense && 2 * modes + 20 > freedoms) {
        violations.push_back(
            {"mesh.modes", std::to_string(modes),
             fmt::format(
                 "nearly all of {} freedoms: that needs dense matrices, and minutes to hours",
                 freedoms),
             fmt::format("at most {}, or fewer elements", freedoms / 2 - 10)});
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

/// A motion of a beam, and the keys that give it.
struct GivenMotion {
    RigidMotion motion;
    std::string velocity_key, rotation_key;
    std::string otherwise;  // what else may move
};

void check_motion(const Beam& beam, const GivenMotion& given, Violations& violations) {
    const RigidMotions allowed = rigid_motions(beam);
    const int rigid = count(allowed);
    const char* const held = beam.springs.empty() ? "the supports hold the beam still"
                                                  : "supports and springs hold the beam";
    const auto& [velocity, angular_velocity] = given.motion;
    if (!allowed.translation && velocity != 0.0) {
        violations.push_back(
            {given.velocity_key, core::with_unit(velocity, "m/s"),
             rigid == 1 ? "a beam on one pin can only turn about it" : held,
             rigid == 1 ? fmt::format("leave it out; {} is about the pin", given.rotation_key)
                        : fmt::format("leave it out and give {}", given.otherwise)});
    }
    if (!allowed.rotation && angular_velocity != 0.0) {
        violations.push_back({given.rotation_key, core::with_unit(angular_velocity, "rad/s"),
                              rigid == 1 ? "a spring holds the beam against rotation" : held,
                              fmt::format("leave it out and give {}",
                                          rigid == 1 ? given.velocity_key : given.otherwise)});
    }
}

/// Rigid motion of the struck beam, and of the striking one if there is one.
RigidMotion motion_of_beam(const BeamCollision& parameters) {
    return {parameters.motion.velocity.value_or(0.0), parameters.motion.angular_velocity};
}
RigidMotion motion_of(const Striker& striker) {
    const StrikingBeam* const other = striker.striking_beam();
    return {striker.velocity, other ? other->angular_velocity : 0.0};
}

/// Motions of both bodies before they are scaled to a closing speed.
struct RigidMotionPair {
    RigidMotion beam, striker;

    bool is_rest() const { return beam.is_rest() && striker.is_rest(); }
};

bool may_translate(const Striker& striker) {
    const StrikingBeam* const other = striker.striking_beam();
    return other ? rigid_motions(other->beam).translation : std::isfinite(striker.total_mass());
}

/// As given. If nothing but a closing speed is given the striker moves, or a free beam if the
/// striker cannot, at 1 m/s.
RigidMotionPair motions_of(const BeamCollision& parameters) {
    RigidMotionPair motions{motion_of_beam(parameters), motion_of(parameters.striker)};
    if (!motions.is_rest() || !parameters.motion.closing_speed()) return motions;
    if (may_translate(parameters.striker)) {
        motions.striker.velocity = 1.0;
    } else if (rigid_motions(parameters.beam).translation) {
        motions.beam.velocity = -1.0;
    }
    return motions;
}

void check_inclination(const BeamCollision& parameters, Violations& violations) {
    const Beam& beam = parameters.beam;
    const double inclination = parameters.motion.inclination;
    const bool is_held = held_freedoms(beam) > 0 || !beam.springs.empty() || !beam.dashpots.empty();
    if (inclination == 0.0 || (!is_held && beam.is_uniform() && beam.masses.empty())) return;
    violations.push_back({"motion.inclination", core::with_unit(inclination, "rad"),
                          is_held ? "a beam that is held cannot move along its axis"
                                  : "needs a uniform beam without masses on it",
                          "leave it out; or take the modes from another program: modal_impact"});
}

void check_vibration(const Beam& beam, const std::vector<ModeMotion>& vibration, int modes,
                     const std::string& key, Violations& violations) {
    const int rigid = count(rigid_motions(beam));
    for (std::size_t i = 0; i < vibration.size(); ++i) {
        const int mode = vibration[i].mode;
        if (mode > rigid && mode <= modes) continue;
        violations.push_back({fmt::format("{}[{}].mode", key, i), std::to_string(mode),
                              mode > modes ? fmt::format("only {} modes are kept", modes)
                                           : fmt::format("the first {} modes are rigid", rigid),
                              fmt::format("a mode from {} to {}", rigid + 1, modes)});
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
    const auto refuse = [&](const std::string& key) {
        violations.push_back({key, "", "couple the modes; newmark moves each mode alone",
                              "integration.scheme: splitting"});
    };
    if (!parameters.beam.dashpots.empty()) refuse("beam.dashpots");
    if (other && !other->beam.dashpots.empty()) refuse("striker.beam.dashpots");
}

/// What a constant force on a beam that cannot move rigidly would do: nothing.
void check_loads(const Beam& beam, const std::vector<PointLoad>& loads, const std::string& key,
                 Violations& violations) {
    if (loads.empty() || count(rigid_motions(beam)) > 0) return;
    violations.push_back({key, "",
                          "a beam that is held bends under a constant force and then vibrates "
                          "about that shape as without it: the collision is the same",
                          "leave it out"});
}

void check_forces(const BeamCollision& parameters, Violations& violations) {
    const Striker& striker = parameters.striker;
    const StrikingBeam* const other = striker.striking_beam();
    check_loads(parameters.beam, parameters.motion.loads, "motion.loads", violations);
    if (other) check_loads(other->beam, other->loads, "striker.loads", violations);
    if (striker.load != 0.0 && (other || !std::isfinite(striker.total_mass()))) {
        violations.push_back({"striker.load", core::with_unit(striker.load, "N"),
                              other ? "a beam has forces at its places"
                                    : "a striker of infinite mass is inertially fixed",
                              other ? "give striker.loads" : "give striker.mass, or leave it out"});
    }
    if (!is_loaded(parameters)) return;
    const bool has_dashpots =
        !parameters.beam.dashpots.empty() || (other && !other->beam.dashpots.empty());
    const bool is_newmark = std::holds_alternative<time::Newmark>(parameters.integration.scheme);
    if (!has_dashpots && !is_newmark) return;
    violations.push_back({parameters.motion.gravity != 0.0 ? "motion.gravity" : "motion", "",
                          has_dashpots ? "gravity and loads need modes that no dashpots couple"
                                       : "gravity and loads are not for scheme newmark",
                          has_dashpots ? "leave out the dashpots, or gravity and loads"
                                       : "integration.scheme: splitting"});
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
                     {motion_of(striker), "striker.velocity", "striker.angular_velocity",
                      "a motion of the other beam"},
                     violations);
    }
    check_inclination(parameters, violations);
    check_vibrations(parameters, violations);
    check_forces(parameters, violations);
    const Motion& motion = parameters.motion;
    if (motion.approach_speed && motion.drop_height) {
        violations.push_back({"motion.drop_height", core::with_unit(*motion.drop_height, "m"),
                              "cannot stand beside approach_speed", "keep one of them"});
    }
    if (motions_of(parameters).is_rest()) {
        violations.push_back({"motion", "", "nothing moves, so nothing can collide",
                              motion.closing_speed()
                                  ? "give striker.mass: a fixed striker and a held beam cannot "
                                    "approach each other"
                              : count(rigid_motions(parameters.beam)) == 0
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
    if (cylinder == nullptr || !core::is_given(cylinder->length) || striker.mass) return;
    if (!striker.material || core::is_given(striker.material->density)) return;
    violations.push_back({"striker.length", core::with_unit(cylinder->length, "m"),
                          "gives no mass: striker.material has no density",
                          "give the density, or striker.mass"});
}

void check_striker(const Striker& striker, Violations& violations) {
    if (striker.striking_beam()) {
        const char* const hint = "leave it out; the keys of striker.beam say it";
        if (striker.material)
            violations.push_back({"striker.material", "", "a beam has its own", hint});
        if (striker.mass && std::isfinite(*striker.mass))
            violations.push_back(
                {"striker.mass", core::with_unit(*striker.mass, "kg"), "a beam has its own", hint});
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
                              "there are no inner masses", "give striker.inner, or leave it out"});
    }
    if (striker.velocity == 0.0 || std::isfinite(mass)) return;
    violations.push_back({"striker.velocity", core::with_unit(striker.velocity, "m/s"),
                          "a striker of infinite mass is inertially fixed and cannot move",
                          striker.mass ? "give striker.mass, or let the beam move instead"
                                       : what_gives_a_mass(striker)});
}

/// The stiffness by geometry needs a contact that is a point.
void check_contact_point(const BeamCollision& parameters, Violations& violations) {
    std::vector<double> places{0.0};
    if (const auto* profile = std::get_if<Profile>(&parameters.beam.section.shape)) {
        for (const Station& station : profile->stations) places.push_back(station.xi);
    }
    const auto is_line = [&](double xi) { return !(gap_at(parameters, xi).smaller > 0.0); };
    if (std::none_of(places.begin(), places.end(), is_line)) return;
    violations.push_back({"contact.stiffness", "",
                          "is missing; a cylinder on a flat face touches it along a line, for "
                          "which geometry gives none",
                          "give contact.stiffness, or strike with a sphere"});
}

void check_law(const BeamCollision& parameters, Violations& violations) {
    for (core::Violation& violation : check(parameters.contact, "contact")) {
        violations.push_back(std::move(violation));
    }
    std::visit(
        [&](const auto& law) {
            if constexpr (requires {
                              law.stiffness;
                              law.exponent;
                          }) {
                if (core::is_given(law.stiffness)) return;
                check_contact_point(parameters, violations);
                if (law.exponent == 1.5) return;
                violations.push_back(
                    {"contact.stiffness", "",
                     fmt::format("is missing; geometry gives it for exponent 1.5 only, not {}",
                                 core::to_text(law.exponent)),
                     fmt::format("give contact.stiffness, a plain number in N/m^{}",
                                 core::to_text(law.exponent))});
            }
        },
        parameters.contact.law);
}

/// Phi_r^T M S: rates of the rigid modes for unit motion along each rigid shape S.
Eigen::MatrixXd rigid_momenta(const fem::SupportedBeam& beam, const Eigen::MatrixXd& modes) {
    return modes.leftCols(beam.rigid_shapes.cols()).transpose() *
           (beam.matrices.mass * beam.rigid_shapes);
}

/// A cylinder or sphere, with what rings in it.
modal::ModalBody body_of(const Striker& striker) {
    if (striker.inner.empty()) return modal::point_mass(striker.total_mass());
    std::vector<double> masses{striker.outer_mass()}, stiffnesses;
    for (const InnerMass& each : striker.inner) {
        masses.push_back(each.mass);
        stiffnesses.push_back(each.stiffness);
    }
    return modal::mass_chain(masses, stiffnesses, striker.inner_damping_time);
}

/// Rates of the rigid modes for the velocity field of a motion: Phi_r^T M v
/// (theory/collision.md 6.2). The rigid shapes span that field: translation and rotation of a free
/// beam, whose centre of mass need not be in its middle; rotation about the pin of a pinned one.
std::vector<double> rigid_rates(const Beam& beam, const RigidMotion& motion,
                                const Eigen::MatrixXd& momenta) {
    const RigidMotions allowed = rigid_motions(beam);
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(momenta.cols());
    if (allowed.translation && allowed.rotation) {
        const double offset = beam.centre_of_mass() - 0.5 * beam.length;
        rates += (motion.velocity - motion.angular_velocity * offset) * momenta.col(0);
    } else if (allowed.translation) {
        rates += motion.velocity * momenta.col(0);
    }
    if (allowed.rotation) rates += motion.angular_velocity * momenta.col(momenta.cols() - 1);
    return {rates.begin(), rates.end()};
}

/// Constant forces on the rigid modes of a beam, phi_r F at the place of each force (6.13); gravity
/// is one at the centre of mass. `shapes`: phi of all modes at xi.
template <class Shapes>
std::vector<double> rigid_loads(const Beam& beam, double gravity,
                                const std::vector<PointLoad>& loads, Eigen::Index rigid,
                                Shapes&& shapes) {
    Eigen::VectorXd forces =
        beam.mass() * gravity * shapes(beam.centre_of_mass() / beam.length).head(rigid);
    for (const PointLoad& load : loads) forces += load.force * shapes(load.xi).head(rigid);
    return {forces.begin(), forces.end()};
}

/// Velocity [m/s] of the rigid beam at xi, along the normal of a surface it is inclined to.
double rigid_velocity(const Beam& beam, const RigidMotion& motion, double xi,
                      double inclination = 0.0) {
    const RigidMotions allowed = rigid_motions(beam);
    double velocity = allowed.translation ? motion.velocity : 0.0;
    if (allowed.rotation) {
        const double lever = std::cos(inclination) * (xi * beam.length - allowed.pivot);
        velocity += motion.angular_velocity * lever;
    }
    return velocity;
}

/// Inverse mass [1/kg] that the rigid beam opposes to a force at xi, normal to a surface it is
/// inclined to.
double rigid_mobility(const Beam& beam, double xi, double inclination = 0.0) {
    const RigidMotions allowed = rigid_motions(beam);
    double mobility = allowed.translation ? 1.0 / beam.mass() : 0.0;
    if (allowed.rotation) {
        double inertia = beam.inertia(allowed.pivot);
        for (const Support& support : beam.supports) inertia += beam.axial_inertia(support);
        const double lever = std::cos(inclination) * (xi * beam.length - allowed.pivot);
        mobility += lever * lever / inertia;
    }
    return mobility;
}

/// What bends, shears and moves at xi. A Kelvin-Voigt material has one time c_i/E for all strains.
fem::BeamProperties properties_of(const Beam& beam, double xi) {
    const Material& material = beam.material_at(xi);
    const SectionProperties section = beam.section.properties(xi);
    fem::BeamProperties properties{beam.length, material.youngs_modulus * section.second_moment,
                                   material.density * section.area, beam.external_damping,
                                   beam.internal_damping * section.second_moment};
    if (beam.has_shear()) {
        const double shear_modulus =
            material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio));
        properties.rotary_inertia = material.density * section.second_moment;
        properties.shear_stiffness = beam.shear_coefficient(xi) * shear_modulus * section.area;
        properties.shear_damping =
            beam.internal_damping / material.youngs_modulus * properties.shear_stiffness;
    }
    return properties;
}

std::vector<fem::NodeProperties> nodes_with_more(const Beam& beam, const fem::BeamMesh& mesh) {
    std::vector<fem::NodeProperties> nodes;
    const auto node = [&](double xi) { return mesh.node_at(xi * beam.length).value(); };
    for (const PointMass& each : beam.masses) {
        nodes.push_back({node(each.xi), each.mass, each.inertia, 0.0, 0.0});
    }
    for (const Support& each : beam.supports) {
        if (each.offset != 0.0)
            nodes.push_back({node(each.xi), 0.0, beam.axial_inertia(each), 0.0, 0.0});
    }
    for (const SpringSupport& each : beam.springs) {
        nodes.push_back({node(each.xi), 0.0, 0.0, each.translation, each.rotation});
    }
    return nodes;
}

/// Matrices of a beam with masses and springs, before supports.
fem::BeamMatrices free_matrices(const Beam& beam, const fem::BeamMesh& mesh,
                                const std::vector<fem::NodeProperties>& nodes) {
    fem::BeamMatrices matrices =
        beam.is_uniform()
            ? fem::assemble(mesh, properties_of(beam, 0.0))
            : fem::assemble(mesh, [&](double x) { return properties_of(beam, x / beam.length); });
    fem::add(mesh, matrices, nodes);
    return matrices;
}

/// `found`, whose keys of a beam stand under `key`, and behind what was found of another beam.
void append_under(const std::string& key, Violations found, Violations& violations) {
    for (core::Violation& violation : found) {
        if (violation.key.starts_with("beam.")) violation.key = key + "." + violation.key;
        const bool is_known = std::any_of(violations.begin(), violations.end(),
                                          [&](const auto& v) { return v.key == violation.key; });
        if (!is_known) violations.push_back(std::move(violation));
    }
}

}  // namespace

std::vector<core::Violation> check(const Beam& beam, const Mesh& mesh) {
    Violations violations = check_alone(beam);
    // Else it is not known how the beam can move.
    if (violations.empty()) violations = check_on_mesh(beam, mesh);
    return violations;
}

std::vector<core::Violation> check(const BeamCollision& parameters) {
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
    if (makes_sense && (other || parameters.striker.material)) check_law(parameters, violations);
    return violations;
}

fem::BeamMesh mesh_of(const Beam& beam, const Mesh& options) {
    std::vector<double> places;
    for (const auto& point : points_of(beam)) places.push_back(point.second * beam.length);
    return fem::BeamMesh(
        beam.length, options.elements,
        beam.has_shear() ? fem::BeamTheory::timoshenko : fem::BeamTheory::euler_bernoulli,
        std::move(places));
}

fem::SupportedBeam supported_beam(const Beam& beam, const Mesh& options) {
    const fem::BeamMesh mesh = mesh_of(beam, options);
    const std::vector<fem::NodeProperties> nodes = nodes_with_more(beam, mesh);
    return fem::support(mesh, free_matrices(beam, mesh, nodes), fem_supports(beam),
                        options.constraints, options.penalty_factor, nodes);
}

modal::ModalBasis modes_of(const fem::SupportedBeam& supported, const Beam& beam, int modes) {
    const double time_scale = beam.time_scale();
    return modal::modal_basis(supported.matrices.mass, supported.matrices.stiffness,
                              supported.matrices.damping, supported.rigid_shapes,
                              {modes, 1.0 / (time_scale * time_scale)});
}

Eigen::MatrixXd dashpot_damping(const Beam& beam, const fem::BeamMesh& mesh,
                                const modal::ModalBasis& basis) {
    if (beam.dashpots.empty()) return {};
    Eigen::MatrixXd damping = Eigen::MatrixXd::Zero(basis.modes(), basis.modes());
    const double displacement = 1.0 / std::sqrt(beam.mass());  // of a mass-normalised shape
    const auto add = [&](double strength, const Eigen::SparseVector<double>& freedom,
                         double scale) {
        if (strength == 0.0) return;
        Eigen::VectorXd at = basis.shapes.transpose() * freedom;
        // At a node or a pin the shape is roundoff: such a mode is not damped.
        const double least = 1e-9 * scale;
        at = at.unaryExpr([least](double a) { return std::abs(a) > least ? a : 0.0; });
        damping += strength * at * at.transpose();
    };
    for (const Dashpot& each : beam.dashpots) {
        add(each.translation, mesh.interpolation(each.xi * beam.length), displacement);
        add(each.rotation, mesh.rotation(each.xi * beam.length), displacement / beam.length);
    }
    return damping;
}

std::vector<double> nodes_of(const fem::BeamMesh& mesh, const modal::ModalBasis& basis,
                             Eigen::Index mode) {
    constexpr int points_per_element = 8;
    const auto at = [&](double xi) {
        return mesh.interpolation(xi * mesh.length()).dot(basis.shapes.col(mode));
    };
    const auto root = [&](double left, double right) {  // bisection needs the change of sign only
        const bool sign = std::signbit(at(left));
        while (right - left > 1e-12) {
            const double middle = 0.5 * (left + right);
            (std::signbit(at(middle)) == sign ? left : right) = middle;
        }
        return 0.5 * (left + right);
    };
    const int segments = points_per_element * mesh.elements();
    std::vector<double> values;
    for (int i = 0; i <= segments; ++i) values.push_back(at(static_cast<double>(i) / segments));
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    const double zero = 1e-9 * std::max(-*least, *greatest);  // what a penalty leaves of 0
    std::vector<double> places;
    std::size_t before = values.size();  // the last point that is not 0
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::abs(values[i]) <= zero) continue;
        if (before < i && std::signbit(values[i]) != std::signbit(values[before])) {
            places.push_back(
                root(static_cast<double>(before) / segments, static_cast<double>(i) / segments));
        }
        before = i;
    }
    return places;
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

double contact_stiffness(const BeamCollision& parameters, double xi) {
    return std::visit(
        [](const auto& law) {
            if constexpr (requires { law.stiffness; }) return law.stiffness;
            return core::not_given;
        },
        with_stiffness(parameters, xi));
}

namespace {

/// Its frequency is such that its inertia is the mean one of the modes that are left out: with
/// lambda ~ j^s that of lambda_p (2 s - 1)/(s - 1), s = 4 of bending, 2 of shear
/// (theory/modal_reduction.md 4.14). Precondition: the last mode is a vibration mode.
ResidualMode residual_mode_of(const Beam& beam, const modal::ModalBasis& basis) {
    const Eigen::Index last = basis.modes() - 1;
    const double highest = basis.eigenvalues[last];
    const double eigenvalue = highest * (beam.has_shear() ? modal::residual_eigenvalue_of_shear
                                                          : modal::residual_eigenvalue_of_bending);
    const double external = beam.external_damping * beam.length / beam.mass();
    const double internal = std::max(0.0, basis.damping[last] - external);
    return {eigenvalue, external + internal / highest * eigenvalue};
}

}  // namespace

BeamBody::BeamBody(const Beam& beam, const Mesh& options) : mesh(mesh_of(beam, options)) {
    const fem::SupportedBeam supported = supported_beam(beam, options);
    basis = modes_of(supported, beam, options.modes.value());
    rigid_momenta = models::rigid_momenta(supported, basis.shapes);
    basis.shapes = supported.expand(basis.shapes);
    dashpots = dashpot_damping(beam, mesh, basis);
    if (options.residual_flexibility) add_residual(beam, options);
}

BeamBody::BeamBody(const BeamBody& richer, const Beam& beam, const Mesh& options)
    : mesh(richer.mesh), basis(richer.basis), rigid_momenta(richer.rigid_momenta) {
    const Eigen::Index modes = options.modes.value();
    basis.eigenvalues.conservativeResize(modes);
    basis.damping.conservativeResize(modes);
    basis.shapes.conservativeResize(Eigen::NoChange, modes);
    dashpots = richer.dashpots.topLeftCorner(std::min(modes, richer.dashpots.rows()),
                                             std::min(modes, richer.dashpots.cols()));
    if (!options.residual_flexibility) return;
    compliance = richer.compliance;
    add_residual(beam, options);
}

void BeamBody::add_residual(const Beam& beam, const Mesh& options) {
    if (!compliance) {
        // Of the matrices that the modes are of: with a penalty the supports yield a little.
        const bool is_penalty = options.constraints == fem::ConstraintMethod::penalty;
        const auto held =
            is_penalty ? std::vector<Eigen::Index>{} : fem::held_freedoms(mesh, fem_supports(beam));
        compliance.emplace(mesh,
                           is_penalty ? supported_beam(beam, options).matrices
                                      : free_matrices(beam, mesh, nodes_with_more(beam, mesh)),
                           held, basis.shapes.leftCols(basis.rigid),
                           [beam](double x) { return properties_of(beam, x / beam.length); });
    }
    if (beam.internal_damping > 0.0 && basis.modes() > basis.rigid)
        residual_mode = residual_mode_of(beam, basis);
}

double BeamBody::residual_flexibility(double xi, const Eigen::VectorXd& phi) const {
    if (!compliance) return 0.0;
    double of_modes = 0.0;
    for (Eigen::Index j = basis.rigid; j < basis.modes(); ++j)
        of_modes += phi[j] * phi[j] / basis.eigenvalues[j];
    return std::max(0.0, compliance->at(xi * mesh.length()) - of_modes);
}

modal::ModalBody BeamBody::bending_at(double xi) const {
    modal::ModalBody body = modal::modal_body(basis, mesh.interpolation(xi * mesh.length()));
    body.dashpots = dashpots;
    return body;
}

modal::ModalBody BeamBody::at(double xi) const {
    modal::ModalBody body = bending_at(xi);
    const double residual = residual_flexibility(xi, shapes_at(xi));
    if (!residual_mode) {
        body.residual_flexibility = residual;
        return body;
    }
    body.eigenvalues.push_back(residual_mode->eigenvalue);
    body.damping.push_back(residual_mode->damping);
    body.phi.push_back(std::sqrt(residual * residual_mode->eigenvalue));
    return body;
}

ModalMotion ModalMotion::scaled(double scale) const {
    ModalMotion motion = *this;
    for (double& rate : motion.rigid_rates) rate *= scale;
    return motion;
}

Eigen::VectorXd BeamBody::shapes_at(double xi) const {
    return basis.shapes.transpose() * mesh.interpolation(xi * mesh.length());
}

void BeamBody::vibrate(const std::vector<ModeMotion>& given, ModalMotion& motion) const {
    if (given.empty()) return;
    motion.vibration.assign(static_cast<std::size_t>(basis.modes() - basis.rigid), 0.0);
    motion.vibration_rates = motion.vibration;
    for (const ModeMotion& each : given) {
        double largest = 0.0;
        for (int i = 0; i <= shape_segments; ++i) {
            const double x = mesh.length() * i / shape_segments;
            largest = std::max(
                largest, std::abs(mesh.interpolation(x).dot(basis.shapes.col(each.mode - 1))));
        }
        const auto j = static_cast<std::size_t>(each.mode - 1 - basis.rigid);
        motion.vibration[j] += each.displacement / largest;
        motion.vibration_rates[j] += each.velocity / largest;
    }
}

namespace {

/// The other beam of a collision; null if the striker is none.
std::shared_ptr<const BeamBody> striking_body(const BeamCollision& parameters) {
    const StrikingBeam* const other = parameters.striker.striking_beam();
    return other ? std::make_shared<const BeamBody>(other->beam, parameters.mesh) : nullptr;
}

}  // namespace

BeamModel::BeamModel(const BeamCollision& parameters)
    : BeamModel(parameters, std::make_shared<const BeamBody>(parameters.beam, parameters.mesh),
                striking_body(parameters)) {}

BeamModel::BeamModel(const BeamCollision& parameters, const BeamModel& same_beam)
    : BeamModel(parameters, same_beam.beam_, striking_body(parameters)) {}

BeamModel::BeamModel(const BeamCollision& parameters, std::shared_ptr<const BeamBody> beam,
                     std::shared_ptr<const BeamBody> striking_beam)
    : parameters_(parameters),
      beam_(std::move(beam)),
      striking_beam_(std::move(striking_beam)),
      time_scale_(parameters.beam.time_scale()),
      force_scale_(parameters.beam.bending_stiffness() /
                   (parameters.beam.length * parameters.beam.length)) {
    prepare();
}

BeamModel BeamModel::reduced(const BeamCollision& parameters) const {
    const Mesh& own = parameters_.mesh;
    const Mesh& mesh = parameters.mesh;
    const bool is_same = mesh.modes.value() == own.modes.value() &&
                         mesh.residual_flexibility == own.residual_flexibility;
    if (is_same) return {parameters, beam_, striking_beam_};
    const StrikingBeam* const other = parameters.striker.striking_beam();
    return {parameters, std::make_shared<const BeamBody>(*beam_, parameters.beam, mesh),
            other ? std::make_shared<const BeamBody>(*striking_beam_, other->beam, mesh) : nullptr};
}

void BeamModel::prepare() {
    const Beam& beam = parameters_.beam;
    if (beam.is_uniform()) contact_ = contact_at(0.0);
    motion_.rigid_rates = rigid_rates(beam, motions_of(parameters_).beam, beam_->rigid_momenta);
    motion_.rigid_loads = rigid_loads(beam, parameters_.motion.gravity, parameters_.motion.loads,
                                      basis().rigid, [this](double xi) {
                                          Eigen::VectorXd phi;
                                          shapes_at(xi, phi);
                                          return phi;
                                      });
    prepare_striker();
    beam_->vibrate(parameters_.motion.vibration, motion_);
    prepare_axial_modes();
    collider_.emplace(beam_at(0.0), striker_, contact_at(0.0), parameters_.integration.scheme);
}

void BeamModel::prepare_striker() {
    const Striker& striker = parameters_.striker;
    const double gravity = parameters_.motion.gravity;
    const RigidMotion motion = motions_of(parameters_).striker;
    if (const StrikingBeam* const other = striker.striking_beam()) {
        const BeamBody& body = *striking_beam_;
        striker_ = body.at(other->xi);
        striker_motion_.rigid_rates = rigid_rates(other->beam, motion, body.rigid_momenta);
        striker_motion_.rigid_loads =
            rigid_loads(other->beam, gravity, other->loads, body.basis.rigid,
                        [&](double xi) { return body.shapes_at(xi); });
        body.vibrate(other->vibration, striker_motion_);
        return;
    }
    striker_ = body_of(striker);
    if (striker_.rigid == 0) return;
    const double phi = striker_.phi.front();  // 1/sqrt(mass)
    striker_motion_.rigid_rates = {motion.velocity / phi};
    striker_motion_.rigid_loads = {gravity / phi + striker.load * phi};
}

/// Those of a free bar (6.11), up to the frequency of the fastest bending mode.
void BeamModel::prepare_axial_modes() {
    if (parameters_.motion.inclination == 0.0) return;
    const Material& material = parameters_.beam.material;
    const double slowest =
        std::numbers::pi / length() * std::sqrt(material.youngs_modulus / material.density);
    const double fastest = std::sqrt(basis().eigenvalues[basis().modes() - 1]);
    for (int k = 1; k * slowest <= fastest; ++k) axial_frequencies_.push_back(k * slowest);
}

double BeamModel::shapes_at(double xi, Eigen::VectorXd& phi) const {
    const double inclination = parameters_.motion.inclination;
    const Eigen::Index modes = basis().modes();
    const auto axial = static_cast<Eigen::Index>(axial_frequencies_.size());
    const auto& residual_mode = beam_->residual_mode;
    phi.resize(modes + axial + (residual_mode ? 1 : 0));
    phi.head(modes) = beam_->shapes_at(xi);
    double residual = residual_flexibility(xi, phi);
    if (inclination != 0.0) {
        phi.segment(1, modes - 1) *= std::cos(inclination);  // all but the translation
        const double largest = std::sin(inclination) * std::sqrt(2.0 / parameters_.beam.mass());
        for (Eigen::Index k = 0; k < axial; ++k) {
            phi[modes + k] = largest * std::cos(std::numbers::pi * static_cast<double>(k + 1) * xi);
        }
    }
    if (!residual_mode) return residual;
    phi[modes + axial] = std::sqrt(residual * residual_mode->eigenvalue);
    return 0.0;
}

double BeamModel::residual_flexibility(double xi, const Eigen::VectorXd& bending) const {
    const double of_bending = beam_->residual_flexibility(xi, bending);
    const double inclination = parameters_.motion.inclination;
    if (!beam_->compliance || inclination == 0.0) return of_bending;
    // sum cos^2(k pi xi)/k^2 over all k is pi^2/2 (1/3 - xi + xi^2)
    // (theory/modal_reduction.md 4.13).
    const Beam& beam = parameters_.beam;
    double sum = 0.5 * std::numbers::pi * std::numbers::pi * (1.0 / 3.0 - xi * (1.0 - xi));
    for (std::size_t k = 1; k <= axial_frequencies_.size(); ++k) {
        const double shape = std::cos(std::numbers::pi * static_cast<double>(k) * xi);
        sum -= shape * shape / static_cast<double>(k * k);
    }
    const double slowest = std::numbers::pi / length() *
                           std::sqrt(beam.material.youngs_modulus / beam.material.density);
    const double of_axial = 2.0 / beam.mass() / (slowest * slowest) * std::max(0.0, sum);
    const double across = std::cos(inclination), along = std::sin(inclination);
    return across * across * of_bending + along * along * of_axial;
}

impact::ContactSetup BeamModel::contact_at(double xi) const {
    if (contact_) return *contact_;
    return {with_stiffness(parameters_, xi), parameters_.contact.separation};
}

modal::ModalBody BeamModel::beam_at(double xi) const {
    modal::ModalBody body = beam_->bending_at(xi);
    const Beam& beam = parameters_.beam;
    for (const double omega : axial_frequencies_) {
        body.eigenvalues.push_back(omega * omega);
        body.damping.push_back(beam.internal_damping / beam.material.youngs_modulus * omega *
                               omega);
    }
    if (beam_->residual_mode) {
        body.eigenvalues.push_back(beam_->residual_mode->eigenvalue);
        body.damping.push_back(beam_->residual_mode->damping);
    }
    Eigen::VectorXd phi;
    body.residual_flexibility = shapes_at(xi, phi);
    body.phi.assign(phi.begin(), phi.end());
    return body;
}

/// Memory of the collisions of one thread.
struct BeamModel::Scratch {
    impact::Collider::Workspace workspace;
    Eigen::VectorXd phi;
    std::vector<double> beam_rates, striker_rates;
};

bool BeamModel::approaches(double xi, impact::CollisionResult& result) const {
    const double approach = rigid_approach_speed(parameters_, xi);
    if (approach > 0.0) return true;
    result = {};
    result.status = impact::Status::no_approach;
    result.approach_speed = approach;
    return false;
}

impact::CollisionStream::Collision BeamModel::approach(double xi, double speed,
                                                       Scratch& scratch) const {
    const double scale = speed * motion_scale(xi);
    const double residual = shapes_at(xi, scratch.phi);
    scratch.beam_rates = motion_.rigid_rates;
    scratch.striker_rates = striker_motion_.rigid_rates;
    for (double& rate : scratch.beam_rates) rate *= scale;
    for (double& rate : scratch.striker_rates) rate *= scale;
    const std::span<const double> phi(scratch.phi.data(),
                                      static_cast<std::size_t>(scratch.phi.size()));
    return {0,
            &*collider_,
            {phi, scratch.beam_rates, motion_.vibration, motion_.vibration_rates,
             motion_.rigid_loads, residual},
            {striker_.phi, scratch.striker_rates, striker_motion_.vibration,
             striker_motion_.vibration_rates, striker_motion_.rigid_loads,
             striker_.residual_flexibility},
            contact_at(xi),
            time_limit()};
}

impact::CollisionResult BeamModel::collide(double xi, double speed,
                                           impact::History* history) const {
    impact::CollisionResult result;
    if (!approaches(xi, result)) return result;
    thread_local Scratch scratch;
    const auto collision = approach(xi, speed, scratch);
    collider_->collide(collision.first, collision.second, collision.contact, collision.time_limit,
                       scratch.workspace, result, history);
    return result;
}

/// Strikes as collisions of their bodies.
class BeamModel::Strikes : public impact::CollisionStream {
  public:
    Strikes(const std::function<bool(CollisionRequest&)>& next,
            const std::function<void(std::size_t, const impact::CollisionResult&)>& take,
            Scratch& scratch)
        : next_(next), take_(take), scratch_(scratch) {}

    bool next(Collision& collision) override {
        CollisionRequest request;
        while (next_(request)) {
            impact::CollisionResult apart;
            if (request.model->approaches(request.xi, apart)) {
                collision = request.model->approach(request.xi, request.speed, scratch_);
                collision.id = request.id;
                return true;
            }
            take_(request.id, apart);
        }
        return false;
    }

    void take(std::size_t id, const impact::CollisionResult& result) override { take_(id, result); }

  private:
    const std::function<bool(CollisionRequest&)>& next_;
    const std::function<void(std::size_t, const impact::CollisionResult&)>& take_;
    Scratch& scratch_;
};

void BeamModel::collide_all(
    const std::function<bool(CollisionRequest&)>& next,
    const std::function<void(std::size_t, const impact::CollisionResult&)>& take) {
    thread_local Scratch scratch;  // not that of `collide`, which `take` may call
    Strikes strikes(next, take, scratch);
    impact::Collider::collide_all(strikes, scratch.workspace);
}

BeamModel::Bodies BeamModel::bodies_at(double xi) const {
    const double scale = motion_scale(xi);
    return {beam_at(xi), striker_, motion_.scaled(scale), striker_motion_.scaled(scale)};
}

double BeamModel::time_limit() const {
    return parameters_.integration.time_limit.value_or(100.0 * time_scale_);
}

double BeamModel::motion_scale(double xi) const {
    const double speed = rigid_approach_speed(parameters_, xi);
    return parameters_.motion.closing_speed().value_or(speed) / speed;
}

double BeamModel::rebound_speed(double xi, const impact::CollisionResult& result) const {
    double mobility = 0.0, velocity = 0.0, acceleration = 0.0;  // [1/kg], [m/s], [m/s^2]
    for (std::size_t j = 0; j < striker_.rigid; ++j) {
        mobility += striker_.phi[j] * striker_.phi[j];
        velocity += striker_.phi[j] * striker_motion_.rigid_rates[j];
        acceleration += striker_.phi[j] * striker_motion_.rigid_loads[j];
    }
    return mobility * result.impulse - motion_scale(xi) * velocity -
           acceleration * result.separation;
}

double BeamModel::displacement(double xi, const std::vector<double>& modal_coordinates) const {
    const Eigen::Map<const Eigen::VectorXd> q(modal_coordinates.data(), basis().modes());
    return mesh().interpolation(xi * length()).dot(basis().shapes * q);
}

Eigen::VectorXd BeamModel::rotations(double xi) const {
    return basis().shapes.transpose() * mesh().rotation(xi * length());
}

}  // namespace stoss::models
