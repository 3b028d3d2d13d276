#include <stoss/granular/energy.hpp>

#include <stoss/granular/contact.hpp>

namespace stoss::granular {

Energy energy_of(const Spheres& spheres, const Bodies& clumps, const Eigen::Vector3d& gravity) {
    Energy energy;
    if (clumps.empty()) {
        for (std::size_t i = 0; i < spheres.size(); ++i) {
            const Motion& motion = spheres.motion[i];
            const double mass = 1.0 / motion.inverse_mass;
            energy.translation += 0.5 * mass * motion.v.squaredNorm();
            energy.rotation += 0.5 * mass / spin_gain * motion.u.squaredNorm();
            energy.potential -= mass * gravity.dot(spheres.position[i]);
        }
    }
    for (std::size_t i = 0; i < clumps.size(); ++i) {
        const double mass = 1.0 / clumps.motion[i].inverse_mass;
        energy.translation += 0.5 * mass * clumps.motion[i].v.squaredNorm();
        energy.rotation += clumps.rotation_energy(i);
        energy.potential -= mass * gravity.dot(clumps.position[i]);
    }
    return energy;
}

Eigen::Vector3d momentum_of(const Spheres& spheres, const Bodies& clumps) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    if (clumps.empty()) {
        for (const Motion& sphere : spheres.motion) sum += sphere.v / sphere.inverse_mass;
    }
    for (const BodyMotion& body : clumps.motion) sum += body.v / body.inverse_mass;
    return sum;
}

Eigen::Vector3d angular_momentum_of(const Spheres& spheres, const Bodies& clumps) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    if (clumps.empty()) {
        for (std::size_t i = 0; i < spheres.size(); ++i) {
            const Motion& motion = spheres.motion[i];
            sum += (spheres.position[i].cross(motion.v) + motion.radius / spin_gain * motion.u) /
                   motion.inverse_mass;
        }
    }
    for (std::size_t i = 0; i < clumps.size(); ++i) {
        const BodyMotion& body = clumps.motion[i];
        sum += clumps.position[i].cross(body.v) / body.inverse_mass + clumps.spin(i);
    }
    return sum;
}

}  // namespace stoss::granular
