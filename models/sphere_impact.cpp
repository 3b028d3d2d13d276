#include <models/sphere_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <models/compliant_spheres.hpp>
#include <models/single_impact.hpp>
#include <stoss/impact/calibrate.hpp>

namespace stoss::models {

namespace {

using Eigen::Vector3d;
using Violations = std::vector<core::Violation>;

constexpr double longest = 20.0;  // followed, in contact times of the law
constexpr int path_rows = 1000;   // in the contact time of the law

const TargetSphere* target_sphere(const SphereImpact& parameters) {
    return std::get_if<TargetSphere>(&parameters.target.shape);
}

/// A law whose damping is calibrated needs none; any other must be complete.
Violations check_damping(const SphereImpact& parameters) {
    if (!parameters.cor) return check(parameters.contact, "contact");
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

/// Time [s] that the steps divide: with force, or down to the largest overlap and back.
double contact_time(const impact::Restitution& normal, double speed) {
    return std::isfinite(normal.duration) ? normal.duration
                                          : std::numbers::pi * normal.peak_overlap / speed;
}

/// An impact under way.
class Pair {
  public:
    Pair(const SphereImpact& parameters, const contact::Law& law, double step)
        : bodies_(bodies_of(parameters)) {
        granular::CompliantStepping stepping;
        stepping.step = step;
        stepping.law = law;
        stepping.separation = parameters.contact.separation;
        stepping.spheres = {parameters.effective_modulus(), parameters.shear_ratio(),
                            parameters.mu};
        stepping.walls = stepping.spheres;
        stepping.skin = parameters.sphere.radius;
        std::vector<granular::Wall> walls;
        if (bodies_.size() == 1) walls.emplace_back(granular::Plane{});
        assembly_ = granular::compliant_assembly(stepping, std::move(walls), 1);
        for (const granular::Sphere& body : bodies_) assembly_->add(body);
        conserved_ = conserved();
    }

    granular::CompliantAssembly& assembly() { return *assembly_; }
    std::size_t count() const { return bodies_.size(); }

    granular::Sphere body(std::size_t number) const {
        const granular::Spheres& all = assembly_->spheres();
        return all[all.id[0] == number ? 0 : 1];
    }
    SphereVelocities velocities(std::size_t number) const {
        if (number >= bodies_.size()) return {};
        const granular::Sphere now = body(number);
        return {now.velocity.z(), now.velocity.x(), now.angular_velocity.y()};
    }
    double slip() const {
        double slip = velocities(0).tangential - velocities(1).tangential;
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            slip -= bodies_[i].radius * velocities(i).angular;
        return slip;
    }
    double closing_speed() const { return velocities(1).normal - velocities(0).normal; }

    /// Largest change of what is conserved, of the momentum of the sphere.
    double momentum_residual() const {
        const auto now = conserved();
        double largest = 0.0;
        for (std::size_t i = 0; i < now.size(); ++i)
            largest = std::max(largest, std::abs(now[i] - conserved_[i]));
        const granular::Sphere& sphere = bodies_.front();
        return largest / (sphere.mass * (sphere.velocity.norm() +
                                         sphere.radius * sphere.angular_velocity.norm()));
    }

  private:
    /// Momentum, and angular momentum about the contact over the radius; on a plane the part of it
    /// that friction cannot change.
    std::array<double, 3> conserved() const {
        const double r = bodies_.front().radius;
        if (bodies_.size() == 1) {
            const granular::Sphere now = body(0);
            return {now.mass * (now.velocity.x() + 0.4 * r * now.angular_velocity.y()), 0.0, 0.0};
        }
        const Vector3d p = assembly_->momentum();
        return {p.x(), p.z(), assembly_->angular_momentum().y() / r};
    }

    std::vector<granular::Sphere> bodies_;  // before
    std::unique_ptr<granular::CompliantAssembly> assembly_;
    std::array<double, 3> conserved_{};
};

SphereImpactMoment moment_of(const Pair& pair, const granular::CompliantAssembly& assembly,
                             const std::vector<granular::TouchingPair>& contacts) {
    SphereImpactMoment moment{
        assembly.time(), 0.0, 0.0, 0.0, pair.slip(), pair.velocities(0).angular, assembly.energy()};
    if (contacts.empty()) return moment;
    moment.overlap = contacts.front().overlap;
    moment.normal_force = contacts.front().force;
    moment.tangential_force = contacts.front().tangential_force.x();
    return moment;
}

}  // namespace

double SphereImpact::sphere_mass() const {
    return mass_of(sphere.radius, sphere.material.density);
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

impact::Impact SphereImpact::normal_impact() const {
    return {motion.normal(), effective_mass(), 0.0, 0.0, contact.separation};
}

contact::Law SphereImpact::law() const {
    const contact::Law given =
        granular::law_of_pair(contact.law, effective_modulus(), effective_radius(*this));
    if (!cor) return given;
    return impact::calibrate(given, normal_impact(), impact::Wanted{*cor}).law;
}

std::vector<core::Violation> check(const SphereImpact& parameters) {
    Violations found = check_damping(parameters);
    for (core::Violation& each : check_geometric_stiffness(parameters.contact.law, "contact"))
        found.push_back(std::move(each));
    if (!found.empty() || !parameters.cor) return found;
    try {
        parameters.law();
    } catch (const core::InputError& error) {
        for (const core::Diagnostic& each : error.diagnostics()) found.push_back(each.violation);
    }
    return found;
}

std::string_view to_string(SphereImpactStatus status) {
    constexpr std::array<std::string_view, 3> names{"separated", "still_touching", "not_finite"};
    return names[static_cast<std::size_t>(status)];
}

SphereImpactResult follow(const SphereImpact& parameters, std::vector<SphereImpactMoment>* path) {
    const contact::Law law = parameters.law();
    const double speed = parameters.motion.normal();
    const impact::Restitution normal = impact::restitution(law, parameters.normal_impact());
    Pair pair(parameters, law, contact_time(normal, speed) / parameters.steps);
    granular::CompliantAssembly& assembly = pair.assembly();
    const double energy = assembly.energy().total();
    SphereImpactResult result;
    result.cor_of_law = normal.cor;
    result.slip_before = pair.slip();
    result.slid = true;
    if (path) path->push_back(moment_of(pair, assembly, {}));
    result.status = SphereImpactStatus::still_touching;
    const double most = longest * parameters.steps;
    const int every = std::max(1, parameters.steps / path_rows);
    for (int step = 0; step < most && result.status == SphereImpactStatus::still_touching; ++step) {
        if (!assembly.step()) {
            result.status = SphereImpactStatus::not_finite;
            return result;
        }
        const auto contacts = assembly.contacts();
        if (path && (step % every == 0 || contacts.empty()))
            path->push_back(moment_of(pair, assembly, contacts));
        if (contacts.empty()) {
            result.status = SphereImpactStatus::separated;
            break;
        }
        const granular::TouchingPair& now = contacts.front();
        result.peak_overlap = std::max(result.peak_overlap, now.overlap);
        result.peak_force = std::max(result.peak_force, now.force);
        if (now.force == 0.0) continue;
        result.duration = assembly.time() + 0.5 * assembly.time() / double(assembly.steps());
        result.slid = result.slid && now.is_sliding;
    }
    result.sphere = pair.velocities(0);
    result.target = pair.velocities(1);
    result.slip = pair.slip();
    result.cor = -pair.closing_speed() / speed;
    result.energy = assembly.energy();
    result.energy_residual = result.energy.total() / energy - 1.0;
    result.momentum_residual = pair.momentum_residual();
    return result;
}

}  // namespace stoss::models
