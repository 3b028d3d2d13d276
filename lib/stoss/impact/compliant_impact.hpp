#pragma once
/// The compliant counterpart of a rigid frictional impact: two rigid bodies whose contact has a
/// normal law and a tangential one, followed in time (docs/theory/rigid_impact.md).

#include <optional>
#include <string_view>

#include <stoss/contact/friction.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/rigid/bodies.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::impact {

/// A point fixed to the first body meets a plane fixed to the second, with the normal n of the
/// frame, at time 0 and at the point of the frame.
struct CompliantImpact {
    rigid::RigidBody first, second;
    rigid::ContactFrame frame;  ///< orthonormal
    double mu = 0.0;            ///< [-]
    contact::Separation separation = contact::Separation::zero_force;
    contact::Friction friction;

    /// Bodies keep their places and orientations: what is left in the limit of infinite stiffness,
    /// where an impact takes no time.
    bool at_one_instant = false;
    int steps_per_radian = 40;     ///< of the fastest vibration at the contact
    long most_steps = 50'000'000;  ///< after which the impact is given up
};

/// How a compliant impact ended.
enum class CompliantStatus {
    separated,
    still_touching,   ///< after the longest time, or the most steps, that are followed
    not_approaching,  ///< the bodies do not close: nothing was computed
    not_finite        ///< the motion diverged
};

std::string_view to_string(CompliantStatus status);

/// One compliant impact. Impulses on the first body and relative velocities (first minus second)
/// are in the frame as it is at time 0.
struct CompliantResult {
    CompliantStatus status = CompliantStatus::not_approaching;
    rigid::ContactVector impulse;              ///< of the whole impact [N s]
    rigid::ContactVector compression_impulse;  ///< up to the first end of approach [N s]
    rigid::ContactVector velocity;             ///< after [m/s]
    std::optional<double> duration = {};  ///< to the end of contact by the rule of separation [s];
                                          ///< none if the bodies did not part
    double peak_force = 0.0;              ///< largest normal force [N]
    double peak_overlap = 0.0;            ///< [m]
    double initial_energy = 0.0;          ///< [J]; kinetic, in the frame of a body of infinite mass
    double normal_loss = 0.0;             ///< lost in the normal law [J]
    double friction_loss = 0.0;  ///< work of the slip, and what the tangential spring kept [J]
    double residual = 0.0;       ///< what the energies above lack, of the initial one [-]
    long steps = 0;
    bool out_of_steps = false;       ///< it took the most steps and still touched
    rigid::RigidBody first, second;  ///< after
};

/// Follows one impact from touch to separation by the classical Runge-Kutta scheme (Kutta 1901).
/// Preconditions: valid bodies and frame, one of them can move; a body of infinite mass is at rest.
CompliantResult collide(const contact::Law& law, const CompliantImpact& impact);

}  // namespace stoss::impact
