#include <stoss/granular/sphere_collision.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace stoss::granular {

namespace {

using Eigen::Vector3d;

constexpr double longest = 20.0;  // followed, in contact times
constexpr int samples_in_contact = 1000;

/// The bodies of a collision in motion.
class CollidingSpheres {
  public:
    explicit CollidingSpheres(const SphereCollision& collision)
        : bodies_(collision.bodies),
          rolls_freely_(!collision.stepping.walls.resistance.is_there()) {
        std::vector<Wall> walls;
        if (bodies_.size() == 1) walls.emplace_back(Plane{});
        assembly_ = compliant_assembly(collision.stepping, std::move(walls), 1);
        for (const Sphere& body : bodies_) assembly_->add(body);
        conserved_ = conserved();
    }

    CompliantAssembly& assembly() { return *assembly_; }

    Sphere body(std::size_t number) const {
        const Spheres& all = assembly_->spheres();
        return all[all.id[0] == number ? 0 : 1];
    }
    SphereVelocities velocities(std::size_t number) const {
        if (number >= bodies_.size()) return {};
        const Sphere now = body(number);
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
        const Sphere& sphere = bodies_.front();
        return largest / (sphere.mass * (sphere.velocity.norm() +
                                         sphere.radius * sphere.angular_velocity.norm()));
    }

  private:
    /// Momentum, and angular momentum about the contact over the radius; on a plane the part of it
    /// that friction cannot change, but resistance to rolling can.
    std::array<double, 3> conserved() const {
        const double r = bodies_.front().radius;
        if (bodies_.size() == 1) {
            if (!rolls_freely_) return {};
            const Sphere now = body(0);
            return {now.mass * (now.velocity.x() + 0.4 * r * now.angular_velocity.y()), 0.0, 0.0};
        }
        const Vector3d p = assembly_->momentum();
        return {p.x(), p.z(), assembly_->angular_momentum().y() / r};
    }

    std::vector<Sphere> bodies_;  // before
    bool rolls_freely_;
    std::unique_ptr<CompliantAssembly> assembly_;
    std::array<double, 3> conserved_{};
};

SphereCollisionSample sample_of(const CollidingSpheres& pair, const CompliantAssembly& assembly,
                                const std::vector<TouchingPair>& contacts) {
    SphereCollisionSample sample{
        assembly.time(), 0.0, 0.0, 0.0, pair.slip(), pair.velocities(0).angular, assembly.energy()};
    if (contacts.empty()) return sample;
    sample.overlap = contacts.front().overlap;
    sample.normal_force = contacts.front().force;
    sample.tangential_force = contacts.front().tangential_force.x();
    return sample;
}

}  // namespace

std::string_view to_string(SphereCollisionStatus status) {
    constexpr std::array<std::string_view, 4> names{"separated", "still_touching", "not_finite",
                                                    "sticks"};
    return names[static_cast<std::size_t>(status)];
}

SphereCollisionResult collide(const SphereCollision& collision,
                              std::vector<SphereCollisionSample>* samples) {
    CollidingSpheres pair(collision);
    const double speed = pair.closing_speed();
    CompliantAssembly& assembly = pair.assembly();
    const double energy = assembly.energy().total();
    SphereCollisionResult result;
    result.slip_before = pair.slip();
    result.slid = true;
    if (samples) samples->push_back(sample_of(pair, assembly, {}));
    result.status = SphereCollisionStatus::still_touching;
    const double most = longest * collision.steps;
    const int every = std::max(1, collision.steps / samples_in_contact);
    std::vector<TouchingPair> contacts;
    for (int step = 0; step < most && result.status == SphereCollisionStatus::still_touching;
         ++step) {
        if (!assembly.step()) {
            result.status = SphereCollisionStatus::not_finite;
            return result;
        }
        assembly.contacts(contacts);
        if (samples && (step % every == 0 || contacts.empty()))
            samples->push_back(sample_of(pair, assembly, contacts));
        if (contacts.empty()) {
            result.status = SphereCollisionStatus::separated;
            break;
        }
        const TouchingPair& now = contacts.front();
        result.peak_overlap = std::max(result.peak_overlap, now.overlap);
        result.peak_force = std::max(result.peak_force, now.force);
        if (now.force == 0.0) continue;
        result.duration = assembly.time() + 0.5 * collision.stepping.step;
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

}  // namespace stoss::granular
