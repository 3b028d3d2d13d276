#pragma once
/// Random pairs of rigid bodies that meet at a point with a compliant contact.

#include <cmath>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <random_contacts.hpp>
#include <stoss/impact/compliant_impact.hpp>

namespace stoss::tests {

/// A body of any shape whose surface passes through the origin.
inline rigid::RigidBody random_body(RandomContacts& random) {
    rigid::RigidBody body;
    body.mass = random.logarithmic(0.1, 10.0);
    const Eigen::Vector3d squares(random.uniform(0.5, 1.0), random.uniform(0.02, 1.0),
                                  random.uniform(0.02, 1.0));
    const Eigen::Vector3d moments(squares[1] + squares[2], squares[2] + squares[0],
                                  squares[0] + squares[1]);
    body.inertia = (0.3 * body.mass * moments).asDiagonal();
    body.orientation =
        Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal())
            .normalized();
    const Eigen::Vector3d lever(random.uniform(-1.0, 1.0), 0.3 * random.normal(),
                                0.3 * random.normal());
    body.position = -(body.orientation * lever);
    return body;
}

/// Two bodies, the second at rest, that approach each other at the origin with slip.
inline impact::CompliantImpact random_bodies(std::uint64_t seed) {
    RandomContacts random(seed);
    impact::CompliantImpact contact;
    contact.first = random_body(random);
    contact.second = random_body(random);
    contact.frame = rigid::ContactFrame::of_normal(
        {0.0, 0.0, 0.0}, {random.normal(), random.normal(), random.normal()});
    contact.mu = random.uniform(0.05, 1.5);
    const Eigen::Vector3d v(-random.uniform(0.2, 1.0), random.normal(), random.normal());
    contact.first.velocity =
        v[0] * contact.frame.n + v[1] * contact.frame.t + v[2] * contact.frame.o;
    return contact;
}

}  // namespace stoss::tests
