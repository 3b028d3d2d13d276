#pragma once
/// Collisions of bodies whose modes come from elsewhere (finite elements of another program, a
/// modal test), for programs. Values, input checked.

#include <cstddef>
#include <optional>
#include <span>

#include <models/checked_beam_model.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_body.hpp>

namespace stoss::models {

/// A body by its modes, seen at its contact point, and how it moves at first contact.
struct ModesInMotion {
    modal::ModalBody body = {};
    ModalMotion motion = {};
};

/// The body with its contact point moving at `velocity` [m/s] along its own positive axis, without
/// vibration. Errors: core::InputError if the velocity is not finite, or not 0 while the contact
/// point is a node of the rigid mode, or while the body has not exactly one rigid mode: give the
/// rates of all of them in `ModalMotion::rigid_rates` [sqrt(kg) m/s] instead.
ModesInMotion moving(modal::ModalBody body, double velocity);

/// A point mass [kg] that moves at `velocity` [m/s]; an infinite one does not move.
/// Errors: core::InputError for a mass that is not positive, a velocity that is not finite, that of
/// an infinite mass.
ModesInMotion moving_mass(double mass, double velocity);

/// How a collision of modes is computed.
struct ModalCollisionOptions {
    impact::Scheme scheme = {};
    std::optional<double> time_limit = {};  ///< [s]; none: `default_time_limit`
    std::size_t samples = 0;                ///< most instants of the motion that are kept
};

/// 100 periods of the slowest vibration of both bodies, 100 s without one. Eigenvalues [1/s^2].
double default_time_limit(std::span<const double> first, std::span<const double> second);

/// The collision of two bodies. Both axes point the same way, and the points close if the velocity
/// of the second minus that of the first is positive; else the status is `no_approach`.
/// Errors: core::InputError for arrays of unequal length, numbers that are not finite, eigenvalues
/// below 0, damping that feeds energy in or is not symmetric, a contact, scheme or time limit whose
/// numbers are out of range, a stiffness that is not given. core::NumericalError as of
/// `impact::Collider::collide`.
Collision collide(const ModesInMotion& first, const ModesInMotion& second,
                  const impact::ContactSetup& contact, const ModalCollisionOptions& options = {});

}  // namespace stoss::models
