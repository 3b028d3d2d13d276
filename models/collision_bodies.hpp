#pragma once
/// The two bodies of a collision of a beam: parameters and modes -> bodies, contact and motion.

#include <memory>
#include <optional>

#include <models/beam_body.hpp>
#include <models/beam_collision.hpp>
#include <models/struck_beam.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/modal/modal_body.hpp>

namespace stoss::models {

/// Beam and striker, and how they move, for any place of contact. Computes no modes.
class CollisionBodies {
  public:
    /// `beam`: the modes of `parameters.beam`; `striking_beam`: those of the striker if it is a
    /// beam, else null.
    CollisionBodies(const BeamCollision& parameters, std::shared_ptr<const BeamBody> beam,
                    std::shared_ptr<const BeamBody> striking_beam);

    /// Both bodies at the instant of first contact, for impact::collide. Only while the
    /// CollisionBodies live.
    struct At {
        modal::ModalBody beam;
        const modal::ModalBody& striker;
        ModalMotion beam_motion, striker_motion;

        impact::MovingBody first() const { return beam_motion.of(beam); }
        impact::MovingBody second() const { return striker_motion.of(striker); }
    };
    At at(double xi) const;

    /// True if the contact is the same all along the beam.
    bool has_one_contact() const { return contact_.has_value(); }
    /// The contact at xi; its stiffness follows the surface of the beam.
    impact::ContactSetup contact_at(double xi) const;
    /// Of all rigid velocities at xi: `motion.approach_speed`.
    double motion_scale(double xi) const;

    const BeamCollision& parameters() const { return parameters_; }
    const StruckBeam& beam() const { return beam_; }
    /// The other beam, if one is the striker; else null.
    const std::shared_ptr<const BeamBody>& striking_beam() const { return striking_beam_; }
    const modal::ModalBody& striker() const { return striker_; }
    /// Before any scaling.
    const ModalMotion& beam_motion() const { return beam_motion_; }
    const ModalMotion& striker_motion() const { return striker_motion_; }

  private:
    BeamCollision parameters_;
    StruckBeam beam_;
    std::shared_ptr<const BeamBody> striking_beam_;
    ModalMotion beam_motion_;
    modal::ModalBody striker_;
    ModalMotion striker_motion_;
    std::optional<impact::ContactSetup> contact_;  // if it is the same everywhere
};

}  // namespace stoss::models
