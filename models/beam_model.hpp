#pragma once
/// Collisions of a beam: parameters -> bodies, contact and motion for impact::collide.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <models/beam_body.hpp>
#include <models/beam_collision.hpp>
#include <models/collision_bodies.hpp>
#include <models/struck_beam.hpp>
#include <stoss/contact/contact.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss::models {

/// Reference values of a beam, by which results become dimensionless.
struct BeamScales {
    explicit BeamScales(const Beam& beam);

    double length;  ///< l [m]
    double time;    ///< T [s]
    double force;   ///< EI/l^2 [N]
    double speed;   ///< l/T [m/s]
};

/// A beam ready to be struck anywhere: matrices and modes are computed once.
class BeamModel {
  public:
    /// One of many collisions.
    struct CollisionRequest {
        std::size_t id = 0;  ///< comes back with the result
        const BeamModel* model = nullptr;
        double xi = 0.0;
        double speed = 1.0;  ///< factor of all rigid velocities
    };

    /// Precondition: `check(parameters)` found nothing, and the number of modes is given (`auto`:
    /// see models/mode_choice.hpp). Throws core::NumericalError if the modes
    /// cannot be computed.
    explicit BeamModel(const BeamCollision& parameters);

    /// The same, with the modes of a model whose `beam` and `mesh` are the same.
    BeamModel(const BeamCollision& parameters, const BeamModel& same_beam);

    /// A model with the first modes of this one: `parameters` are its own but for fewer modes,
    /// `mesh.residual_flexibility` and the scheme. Solves no eigenproblem.
    BeamModel reduced(const BeamCollision& parameters) const;

    /// The collision at xi in [0, 1]. Where the bodies do not close its status is `no_approach`.
    impact::CollisionResult collide(double xi, impact::History* history = nullptr) const {
        return collide(xi, 1.0, history);
    }

    /// The same with all rigid velocities times `speed` > 0.
    impact::CollisionResult collide(double xi, double speed, impact::History* history) const;

    /// Many collisions, of one or more models, side by side (impact::Collider::collide_all): `next`
    /// writes the next one, or answers false if there are no more; `take` gets each result as soon
    /// as it is there, in no particular order. The same numbers as by `collide`. Threads may share
    /// the two functions if these are safe to share.
    static void collide_all(
        const std::function<bool(CollisionRequest&)>& next,
        const std::function<void(std::size_t id, const impact::CollisionResult&)>& take);

    /// The same collision with the exact gradient of each quantity by what the two bodies and the
    /// law bring, in the order of the request; none where the bodies do not close or do not
    /// separate. Throws core::NumericalError as impact::Collider::collide_with_gradients.
    impact::CollisionWithGradients collide_with_gradients(
        double xi, const impact::GradientRequest& request) const;

    /// Both bodies at the instant of first contact, for impact::collide. Only while the model
    /// lives.
    using Bodies = CollisionBodies::At;
    Bodies bodies_at(double xi) const { return bodies_.at(xi); }
    const CollisionBodies& bodies() const { return bodies_; }

    /// True if the contact is the same all along the beam.
    bool has_one_contact() const { return bodies_.has_one_contact(); }
    /// The contact at xi; its stiffness follows the surface of the beam.
    impact::ContactSetup contact_at(double xi) const { return bodies_.contact_at(xi); }
    double time_limit() const;  ///< longest motion to follow [s]

    /// Speed [m/s] at which the rigid striker leaves, against its axis, after that collision.
    double rebound_speed(double xi, const impact::CollisionResult& result) const;

    const BeamCollision& parameters() const { return bodies_.parameters(); }
    const BeamScales& scales() const { return scales_; }
    const StruckBeam& beam() const { return bodies_.beam(); }
    /// The other beam, if one is the striker; else null.
    const BeamBody* striking_beam() const { return bodies_.striking_beam().get(); }

  private:
    struct Scratch;
    class RequestStream;

    BeamModel(const BeamCollision& parameters, std::shared_ptr<const BeamBody> beam,
              std::shared_ptr<const BeamBody> striking_beam);

    /// True if the bodies close there; else `result` says so.
    bool approaches(double xi, impact::CollisionResult& result) const;
    /// What they bring to a collision; it refers to the model and to the scratch.
    impact::CollisionStream::Collision approach(double xi, double speed, Scratch& scratch) const;

    BeamScales scales_;
    CollisionBodies bodies_;
    std::optional<impact::Collider> collider_;  // made once the modes are known
};

}  // namespace stoss::models
