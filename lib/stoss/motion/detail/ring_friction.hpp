#pragma once
/// The tangential force of one contact that slips from its edge inwards: the bed of springs of
/// contact::RingSprings (docs/theory/impact_motion.md, Partial slip).

#include <cstddef>
#include <span>
#include <vector>

#include <stoss/contact/ring_springs.hpp>
#include <stoss/motion/detail/any_contact.hpp>
#include <stoss/motion/detail/node_motion.hpp>
#include <stoss/motion/detail/slider_friction.hpp>
#include <stoss/motion/detail/tangential_force.hpp>
#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// The bed while the bodies touch. Its memory is that at the begin of the present step; the forces
/// inside follow from it by moving along the polynomials through the motion at the nodes.
class RingFriction {
  public:
    /// `rings`: largest number of springs.
    RingFriction(const ContactFriction& given, int rings);

    bool is_planar() const { return is_planar_; }

    /// As of SliderFriction, all of them.
    void begin(const AnyContact& law, double x);
    double end();
    Tangential force() const;
    double stiffness() const { return bed_.stiffness(); }
    double stored_energy() const { return bed_.stored_energy(); }
    void begin_step(const TangentMotion& y, const ContactMotion& normal);
    TangentialForces at_nodes(double h, const AnyContact& law, const NodeMotion& normal,
                              const TangentNodes& tangent) const;
    double accept(const FrictionStep& step);
    /// `force` [N]: of the law at the overlap x [m].
    double follow(const AnyContact& law, double x, double force);

    /// What it remembers, to the numbers of a state and back: as many for any number of springs.
    void put(std::vector<double>& state) const;
    void take(std::span<const double>& state);

  private:
    contact::RingSprings empty_, bed_;
    mutable contact::RingSprings trial_;  // of `at_nodes`, which so allocates once
    bool is_planar_;
    int parts_;               // of a step: a multiple of this
    TangentMotion y_{};       // at the begin of the present step
    ContactMotion normal_{};  // the same
};

}  // namespace stoss::motion
