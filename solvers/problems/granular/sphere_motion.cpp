#include <solvers/problems/granular/sphere_motion.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include <stoss/granular/pair_list.hpp>

namespace stoss::solvers {

using granular::wall_bit;

SphereMotion::SphereMotion(const granular::Stepping& stepping, std::vector<granular::Wall> walls,
                           int threads)
    : step_(stepping.step),
      rigid_(std::make_unique<granular::Assembly>(stepping, std::move(walls), threads)) {}

SphereMotion::SphereMotion(const granular::CompliantStepping& stepping,
                           std::vector<granular::Wall> walls, int threads)
    : step_(stepping.step),
      compliant_(granular::compliant_assembly(stepping, std::move(walls), threads)) {}

void SphereMotion::add(const granular::Sphere& sphere) {
    if (rigid_) return rigid_->add(sphere);
    compliant_->add(sphere);
}

void SphereMotion::add(const granular::Clump& clump) {
    rigid_->add(clump);
}

const granular::Bodies& SphereMotion::bodies() const {
    return rigid_ ? rigid_->bodies() : no_clumps_;
}

void SphereMotion::begin() {
    if (compliant_) compliant_->begin();
}

granular::StepReport SphereMotion::step() {
    if (rigid_) return rigid_->step();
    granular::StepReport report;
    report.is_finite = compliant_->step();
    report.contacts = report.pressing = report.overlapping = compliant_->pressing();
    report.deepest_overlap = compliant_->deepest_overlap();
    report.deepest_share = compliant_->deepest_share();
    return report;
}

double SphereMotion::time() const {
    return rigid_ ? rigid_->time() : compliant_->time();
}

std::size_t SphereMotion::steps() const {
    return rigid_ ? rigid_->steps() : compliant_->steps();
}

const granular::Spheres& SphereMotion::spheres() const {
    return rigid_ ? rigid_->spheres() : compliant_->spheres();
}

granular::CompliantEnergy SphereMotion::energy() const {
    if (compliant_) return compliant_->energy();
    const granular::Energy energy = rigid_->energy();
    granular::CompliantEnergy all;
    all.translation = energy.translation;
    all.rotation = energy.rotation;
    all.potential = energy.potential;
    return all;
}

Eigen::Vector3d SphereMotion::momentum() const {
    return rigid_ ? rigid_->momentum() : compliant_->momentum();
}

std::vector<ContactForce> SphereMotion::contacts() const {
    std::vector<ContactForce> all = rigid_ ? rigid_contacts() : compliant_contacts();
    std::sort(all.begin(), all.end(), [](const ContactForce& a, const ContactForce& b) {
        return std::tie(a.first, a.second) < std::tie(b.first, b.second);
    });
    return all;
}

/// Where the centre of a sphere was at the beginning of the last step [m]: what
/// `granular::Bodies::advance` does, undone.
Eigen::Vector3d SphereMotion::position_before(std::uint32_t i) const {
    const granular::Spheres& spheres = rigid_->spheres();
    if (spheres.attachment.empty()) return spheres.position[i] - step_ * spheres.motion[i].v;
    const granular::Attachment& at = spheres.attachment[i];
    const granular::BodyMotion& body = bodies().motion[at.body];
    const Eigen::Vector3d half = 0.5 * step_ * body.omega;
    const Eigen::Quaterniond back(1.0, -half.x(), -half.y(), -half.z());
    const Eigen::Quaterniond orientation = (back * bodies().orientation[at.body]).normalized();
    return bodies().position[at.body] - step_ * body.v + orientation * at.place;
}

std::vector<ContactForce> SphereMotion::rigid_contacts() const {
    const granular::Spheres& spheres = rigid_->spheres();
    const auto before = [&](std::uint32_t i) { return position_before(i); };
    std::vector<ContactForce> all;
    for (const granular::Pair& pair : rigid_->pairs()) {
        if (pair.impulse.isZero(0.0)) continue;
        std::uint32_t i = pair.first, k = pair.second;
        Eigen::Vector3d force = pair.impulse / step_;
        ContactForce contact{};
        if (k & wall_bit) {
            contact.second = k;
            contact.normal = granular::near(walls()[k & ~wall_bit], before(i)).normal;
            contact.point = before(i) - spheres.motion[i].radius * contact.normal;
        } else {
            if (spheres.id[i] > spheres.id[k]) {
                std::swap(i, k);
                force = -force;
            }
            contact.second = spheres.id[k];
            contact.normal = (before(i) - before(k)).normalized();
            contact.point = 0.5 * (before(i) - spheres.motion[i].radius * contact.normal +
                                   before(k) + spheres.motion[k].radius * contact.normal);
        }
        contact.first = spheres.id[i];
        contact.normal_force = contact.normal.dot(force);
        contact.tangential_force = force - contact.normal_force * contact.normal;
        all.push_back(contact);
    }
    return all;
}

std::vector<ContactForce> SphereMotion::compliant_contacts() const {
    const granular::Spheres& spheres = compliant_->spheres();
    std::vector<std::size_t> place_of(spheres.size());
    for (std::size_t i = 0; i < spheres.size(); ++i) place_of[spheres.id[i]] = i;
    std::vector<ContactForce> all;
    for (const granular::TouchingPair& pair : compliant_->contacts()) {
        if (pair.force == 0.0 && pair.tangential_force.isZero(0.0)) continue;
        const std::size_t i = place_of[pair.first];
        const double depth = 0.5 * pair.overlap;
        const Eigen::Vector3d point =
            spheres.position[i] - (spheres.motion[i].radius - depth) * pair.normal;
        all.push_back(
            {pair.first, pair.second, point, pair.normal, pair.force, pair.tangential_force});
    }
    return all;
}

std::uint64_t SphereMotion::relaxations() const {
    return rigid_->relaxations();
}

std::vector<double> SphereMotion::state() const {
    return rigid_ ? rigid_->state() : compliant_->state();
}

void SphereMotion::restore(std::span<const double> state) {
    if (rigid_) return rigid_->restore(state);
    compliant_->restore(state);
}

}  // namespace stoss::solvers
