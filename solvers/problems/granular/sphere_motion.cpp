#include <solvers/problems/granular/sphere_motion.hpp>

#include <utility>

namespace stoss::solvers {

SphereMotion::SphereMotion(const granular::Stepping& stepping, std::vector<granular::Wall> walls,
                           int threads)
    : rigid_(std::make_unique<granular::Assembly>(stepping, std::move(walls), threads)) {}

SphereMotion::SphereMotion(const granular::CompliantStepping& stepping,
                           std::vector<granular::Wall> walls, int threads)
    : compliant_(granular::compliant_assembly(stepping, std::move(walls), threads)) {}

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

double SphereMotion::deepest_share() const {
    return compliant_ ? compliant_->deepest_share() : 0.0;
}

granular::StepReport SphereMotion::step() {
    if (rigid_) return rigid_->step();
    granular::StepReport report;
    report.is_finite = compliant_->step();
    report.contacts = report.pressing = report.overlapping = compliant_->pressing();
    report.deepest_overlap = compliant_->deepest_overlap();
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
