#pragma once
/// Rigid motion of beam and striker at first contact.

#include <string>
#include <vector>

#include <Eigen/Core>
#include <models/beam.hpp>
#include <models/beam_collision.hpp>
#include <stoss/core/error.hpp>

namespace stoss::models {

/// Rigid motion of a beam, as given.
struct RigidMotion {
    double velocity = 0.0;          ///< of the centre of mass [m/s]
    double angular_velocity = 0.0;  ///< about the pin, if there is one [rad/s]

    bool is_rest() const { return velocity == 0.0 && angular_velocity == 0.0; }
};

/// The rigid motions that supports and springs leave to a beam.
struct RigidFreedoms {
    bool translation = true;  ///< of the centre of mass, independent of the rotation
    bool rotation = true;
    double pivot = 0.0;  ///< place x [m] that it turns about

    int count() const { return int(translation) + int(rotation); }
};

RigidFreedoms rigid_freedoms(const Beam& beam);

/// A motion of a beam, and the keys that give it.
struct GivenMotion {
    RigidMotion motion;
    std::string velocity_key, rotation_key;
    std::string otherwise;  ///< what else may move
};

/// Adds to `violations` what supports and springs do not allow.
void check_motion(const Beam& beam, const GivenMotion& given,
                  std::vector<core::Violation>& violations);

/// Motions of both bodies before they are scaled to a closing speed.
struct RigidMotionPair {
    RigidMotion beam, striker;

    bool is_rest() const { return beam.is_rest() && striker.is_rest(); }
};

/// The motion of the struck beam, as given.
RigidMotion motion_of_beam(const BeamCollision& parameters);

/// The motion of the striker, as given.
RigidMotion motion_of_striker(const Striker& striker);

/// The motions of both, as given. If nothing but a closing speed is given the striker moves, or a
/// free beam if the striker cannot, at 1 m/s.
RigidMotionPair motions_of(const BeamCollision& parameters);

/// Velocity [m/s] of the rigid beam at xi, along the normal of a surface it is inclined to.
double rigid_velocity(const Beam& beam, const RigidMotion& motion, double xi,
                      double inclination = 0.0);

/// Rates of the rigid modes [sqrt(kg) m/s] for the velocity field of a motion, Phi_r^T M v
/// (theory/collision.md 6.2), from the momenta Phi_r^T M S of the rigid shapes S. The rigid shapes
/// span that field: translation and rotation of a free beam, whose centre of mass need not be in
/// its middle; rotation about the pin of a pinned one.
std::vector<double> rigid_rates(const Beam& beam, const RigidMotion& motion,
                                const Eigen::MatrixXd& momenta);

/// Inverse mass [1/kg] that the rigid beam opposes to a force at xi, normal to a surface it is
/// inclined to.
double rigid_mobility(const Beam& beam, double xi, double inclination = 0.0);

}  // namespace stoss::models
