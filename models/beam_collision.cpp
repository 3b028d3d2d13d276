#include <models/beam_collision.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <stoss/contact/geometry.hpp>
#include <stoss/core/units.hpp>
#include <stoss/modal/modal_body.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

constexpr int largest_dense =
    1000;  // freedoms of which nearly all modes can be had in half a minute

/// k [N/m^(3/2)] of the striker's surface on the beam's (theory.md 5.2 to 5.8).
double stiffness_from_geometry(const BeamCollision& parameters) {
    const Beam& beam = parameters.beam;
    const Striker& striker = parameters.striker;
    const double modulus =
        contact::effective_modulus(beam.material.youngs_modulus, beam.material.poisson_ratio,
                                   striker.material.youngs_modulus, striker.material.poisson_ratio);
    const contact::Gap gap = std::visit(
        [&](const auto& shape) {
            return contact::gap_between(contact::cylinder(beam.contact_radius()), shape.surface(),
                                        shape.crossing_angle);
        },
        striker.shape);
    if (parameters.contact.area == ContactArea::ellipse) {
        return contact::elliptical_stiffness(modulus, gap);
    }
    return contact::hertz_stiffness(modulus, contact::gaussian_radius(gap));
}

/// The law as given, its stiffness computed from the bodies if nobody gave it.
contact::Law with_stiffness(const BeamCollision& parameters) {
    contact::Law law = parameters.contact.law;
    std::visit(
        [&](auto& given) {
            if constexpr (requires { given.stiffness; }) {
                if (!core::is_given(given.stiffness)) {
                    given.stiffness = stiffness_from_geometry(parameters);
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
        const auto kind =
            support.type == SupportType::pin ? fem::SupportKind::pin : fem::SupportKind::clamp;
        supports.push_back({support.xi * beam.length, kind});
    }
    return supports;
}

int held_freedoms(const Beam& beam) {
    int held = 0;
    for (const fem::Support& support : fem_supports(beam)) {
        held += support.kind == fem::SupportKind::pin ? 1 : 2;
    }
    return held;
}

/// Rigid freedoms under distinct supports: 2 free, 1 on a single pin, else 0.
int rigid_freedoms(const Beam& beam) {
    return std::max(0, 2 - held_freedoms(beam));
}

void check_support_places(const BeamCollision& parameters, Violations& violations) {
    const auto& supports = parameters.beam.supports;
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

std::string counts_to_try(const fem::ElementCounts& counts) {
    std::string text;
    for (const auto& count : {counts.below, counts.above}) {
        if (count) text += fmt::format("{}{}", text.empty() ? "" : " or ", *count);
    }
    return text.empty() ? "move the support: no mesh of equal elements has nodes at all supports"
                        : "nodes lie at all supports with mesh.elements: " + text;
}

void check_supports_on_nodes(const BeamCollision& parameters, Violations& violations) {
    std::vector<double> places;
    for (const Support& support : parameters.beam.supports) places.push_back(support.xi);
    const int elements = parameters.mesh.elements;
    const fem::ElementCounts counts = fem::admissible_elements(1.0, places, elements);
    if (counts.admissible) return;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (fem::node_at(fem::BeamMesh(1.0, elements), places[i])) continue;
        violations.push_back(
            {fmt::format("beam.supports[{}].xi", i), core::to_text(places[i]),
             fmt::format("no node there: a mesh of {} elements has nodes at multiples of 1/{}",
                         elements, elements),
             counts_to_try(counts)});
    }
}

void check_modes(const BeamCollision& parameters, Violations& violations) {
    const Mesh& mesh = parameters.mesh;
    if (!mesh.modes) return;  // `auto` takes what there is room for
    const int modes = *mesh.modes;
    const int freedoms = 2 * (mesh.elements + 1) - held_freedoms(parameters.beam);
    const int rigid = rigid_freedoms(parameters.beam);
    if (modes > freedoms) {
        violations.push_back(
            {"mesh.modes", std::to_string(modes),
             fmt::format("more modes than freedoms: {} elements under these supports have {}",
                         mesh.elements, freedoms),
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

void check_motion(const BeamCollision& parameters, Violations& violations) {
    const Motion& motion = parameters.motion;
    const int rigid = rigid_freedoms(parameters.beam);
    if (rigid < 2 && motion.velocity && *motion.velocity != 0.0) {
        violations.push_back({"motion.velocity", core::with_unit(*motion.velocity, "m/s"),
                              rigid == 1 ? "a beam on one pin can only turn about it"
                                         : "the supports hold the beam still",
                              rigid == 1 ? "leave it out; motion.angular_velocity is about the pin"
                                         : "leave it out and give striker.velocity"});
    }
    if (rigid == 0 && motion.angular_velocity != 0.0) {
        violations.push_back(
            {"motion.angular_velocity", core::with_unit(motion.angular_velocity, "rad/s"),
             "the supports hold the beam still", "leave it out and give striker.velocity"});
    }
    if (motion.velocity.value_or(0.0) == 0.0 && motion.angular_velocity == 0.0 &&
        parameters.striker.velocity == 0.0) {
        violations.push_back({"motion", "", "nothing moves, so nothing can collide",
                              rigid == 0
                                  ? "give striker.velocity"
                                  : "give motion.angular_velocity, motion.velocity (free beam) "
                                    "or striker.velocity"});
    }
}

void check_striker(const Striker& striker, Violations& violations) {
    if (striker.velocity == 0.0 || std::isfinite(striker.mass)) return;
    violations.push_back({"striker.velocity", core::with_unit(striker.velocity, "m/s"),
                          "a striker of infinite mass is inertially fixed and cannot move",
                          "give striker.mass, or let the beam move instead"});
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
                if (core::is_given(law.stiffness) || law.exponent == 1.5) return;
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

fem::SupportedBeam supported_beam(const BeamCollision& parameters, const fem::BeamMesh& mesh) {
    const Beam& beam = parameters.beam;
    const double second_moment =
        std::visit([](const auto& shape) { return shape.second_moment(); }, beam.section.shape);
    const fem::BeamProperties properties{beam.length, beam.bending_stiffness(),
                                         beam.mass_per_length(), beam.external_damping,
                                         beam.internal_damping * second_moment};
    return fem::support(mesh, fem::assemble(mesh, properties), fem_supports(beam),
                        parameters.mesh.constraints, parameters.mesh.penalty_factor);
}

/// Rates of the rigid modes for the velocity field of `motion`: Phi_r^T M v (theory.md 6.2).
/// The remaining rigid shapes span that field: translation and rotation about the centre of mass of
/// a free beam, rotation about the pin of a pinned one.
std::vector<double> rigid_rates(const Motion& motion, const fem::SupportedBeam& beam,
                                const Eigen::MatrixXd& modes) {
    Eigen::VectorXd velocity = Eigen::VectorXd::Zero(beam.matrices.mass.rows());
    const Eigen::Index rigid = beam.rigid_shapes.cols();
    if (rigid == 2) velocity += motion.velocity.value_or(0.0) * beam.rigid_shapes.col(0);
    if (rigid >= 1) velocity += motion.angular_velocity * beam.rigid_shapes.col(rigid - 1);
    const Eigen::VectorXd rates =
        modes.leftCols(rigid).transpose() * (beam.matrices.mass * velocity);
    return {rates.begin(), rates.end()};
}

}  // namespace

std::vector<core::Violation> check(const BeamCollision& parameters) {
    Violations violations;
    check_support_places(parameters, violations);
    if (violations.empty()) {  // else it is not known how the beam can move
        check_supports_on_nodes(parameters, violations);
        check_modes(parameters, violations);
        check_motion(parameters, violations);
    }
    check_striker(parameters.striker, violations);
    check_law(parameters, violations);
    return violations;
}

double rigid_approach_speed(const BeamCollision& parameters, double xi) {
    const Beam& beam = parameters.beam;
    const Motion& motion = parameters.motion;
    double speed = parameters.striker.velocity;
    if (const int rigid = rigid_freedoms(beam); rigid == 2) {
        speed -= motion.velocity.value_or(0.0) + motion.angular_velocity * (xi - 0.5) * beam.length;
    } else if (rigid == 1) {
        const double arm = xi * beam.length - fem_supports(beam).front().x;
        speed -= motion.angular_velocity * arm;
    }
    return speed;
}

BeamModel::BeamModel(const BeamCollision& parameters)
    : parameters_(parameters),
      mesh_(parameters.beam.length, parameters.mesh.elements),
      striker_(modal::point_mass(parameters.striker.mass)),
      contact_{with_stiffness(parameters), parameters.contact.separation},
      time_scale_(parameters.beam.time_scale()),
      force_scale_(parameters.beam.bending_stiffness() /
                   (parameters.beam.length * parameters.beam.length)) {
    const fem::SupportedBeam beam = supported_beam(parameters, mesh_);
    const modal::ModalOptions options{parameters.mesh.modes.value(),
                                      1.0 / (time_scale_ * time_scale_)};
    basis_ = modal::modal_basis(beam.matrices.mass, beam.matrices.stiffness, beam.matrices.damping,
                                beam.rigid_shapes, options);
    rigid_rates_ = rigid_rates(parameters.motion, beam, basis_.shapes);
    basis_.shapes = beam.expand(basis_.shapes);
    collider_.emplace(beam_at(0.0), striker_, contact_, parameters.integration.scheme);
}

modal::ModalBody BeamModel::beam_at(double xi) const {
    return modal::modal_body(basis_, mesh_.interpolation(xi * mesh_.length()));
}

impact::CollisionResult BeamModel::collide(double xi, double speed,
                                           impact::History* history) const {
    impact::CollisionResult result;
    const double approach = rigid_approach_speed(parameters_, xi);
    if (!(approach > 0.0)) {
        result.status = impact::Status::no_approach;
        result.approach_speed = approach;
        return result;
    }
    const double scale = speed * motion_scale(xi);
    struct Scratch {
        impact::Collider::Workspace workspace;
        Eigen::VectorXd phi;
        std::vector<double> beam_rates, striker_rates;
    };
    thread_local Scratch scratch;
    scratch.phi = basis_.shapes.transpose() * mesh_.interpolation(xi * mesh_.length());
    scratch.beam_rates = rigid_rates_;
    for (double& rate : scratch.beam_rates) rate *= scale;
    scratch.striker_rates.assign(
        striker_.rigid,
        striker_.rigid > 0 ? scale * parameters_.striker.velocity / striker_.phi.front() : 0.0);
    const std::span<const double> phi(scratch.phi.data(), static_cast<std::size_t>(basis_.modes()));
    collider_->collide({phi, scratch.beam_rates}, {striker_.phi, scratch.striker_rates},
                       time_limit(), scratch.workspace, result, history);
    return result;
}

BeamModel::Bodies BeamModel::bodies_at(double xi) const {
    const double scale = motion_scale(xi);
    Bodies bodies{beam_at(xi), striker_, rigid_rates_, {}};
    for (double& rate : bodies.beam_rates) rate *= scale;
    if (striker_.rigid > 0) {
        bodies.striker_rates.push_back(scale * parameters_.striker.velocity / striker_.phi.front());
    }
    return bodies;
}

double BeamModel::time_limit() const {
    return parameters_.integration.time_limit.value_or(100.0 * time_scale_);
}

double BeamModel::motion_scale(double xi) const {
    const double speed = rigid_approach_speed(parameters_, xi);
    return parameters_.motion.approach_speed.value_or(speed) / speed;
}

double BeamModel::displacement(double xi, const std::vector<double>& modal_coordinates) const {
    const Eigen::Map<const Eigen::VectorXd> q(modal_coordinates.data(),
                                              static_cast<Eigen::Index>(modal_coordinates.size()));
    return mesh_.interpolation(xi * mesh_.length()).dot(basis_.shapes * q);
}

Eigen::VectorXd BeamModel::rotations(double xi) const {
    return basis_.shapes.transpose() * mesh_.slope(xi * mesh_.length());
}

double BeamModel::contact_stiffness() const {
    return std::visit(
        [](const auto& law) {
            if constexpr (requires { law.stiffness; }) return law.stiffness;
            return core::not_given;
        },
        contact_.law);
}

}  // namespace stoss::models
