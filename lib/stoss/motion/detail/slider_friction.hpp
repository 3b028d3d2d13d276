#pragma once
/// The tangential force of one contact: a spring in series with a slider that obeys Coulomb's law
/// (docs/theory/impact_motion.md, Friction).

#include <array>
#include <cstddef>
#include <optional>

#include <stoss/motion/detail/any_contact.hpp>
#include <stoss/motion/detail/driven_modes.hpp>
#include <stoss/motion/detail/node_motion.hpp>
#include <stoss/motion/detail/tangential_force.hpp>
#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// A quantity at the begin, the Gauss nodes and the end of a step.
using AlongStep = std::array<double, 5>;

/// One contact over a step.
struct FrictionStep {
    double length;                  ///< [s]
    ContactMotion begin, end;       ///< along the normal
    double force_begin, force_end;  ///< normal force [N]
    const NodeMotion& normal;
    TangentNodes tangent;
    TangentMotion tangent_end;
    const AnyContact& law;
};

/// What must hold while the spring and the slider do what they do.
enum class FrictionCondition {
    sticks,        ///< |T| <= mu F, while the slider sticks
    slides_on,     ///< the slider slips in the direction of its force
    pushes,        ///< F >= 0, while the slider slips
    pulls,         ///< F <= 0, while nothing acts
    keeps_turning  ///< the overlap goes on to rise, or to fall: a spring that follows the law
};

/// A condition that fails inside a step.
struct FrictionEvent {
    FrictionCondition condition;
    double fraction;  ///< of the step, where it fails first; 0: from its begin
    double slope;     ///< of its margin there, by the fraction
};

/// The tangential force while the bodies touch.
class SliderFriction {
  public:
    explicit SliderFriction(const ContactFriction& given)
        : mu_(given.mu), spring_(given.stiffness, given.stiffness_ratio) {
        start_.is_planar = given.lateral_phi.empty();
    }

    bool is_planar() const { return start_.is_planar; }

    /// Contact begins at overlap x [m]: the spring is not stretched.
    void begin(const AnyContact& law, double x);
    /// Contact ends. Returns the energy of the spring [J], which is lost.
    double end();

    const Tangential& force() const { return start_.force; }  ///< T [N]
    double stiffness() const { return start_.stiffness; }     ///< k_t [N/m]
    double stored_energy() const;                             ///< [J]

    /// A step begins at y, y' and the rate x' [m/s] of the overlap.
    void begin_step(const TangentMotion& y, double rate);
    /// T at the nodes of a step of length h [s].
    TangentialForces at_nodes(double h, const AnyContact& law, const NodeMotion& normal,
                              const TangentNodes& tangent) const;
    /// The condition that fails first in a step; none: the step is as assumed.
    std::optional<FrictionEvent> event(const FrictionStep& step) const;
    /// Margin of a condition at the end of a step; 0 if it is roundoff.
    double end_margin(FrictionCondition condition, const FrictionStep& step) const;
    /// A condition fails from the begin of the step on: the slider slips or sticks.
    void change(FrictionCondition condition, const FrictionStep& step);

    /// The step is taken; the law not yet. Returns the energy lost [J].
    double accept(const FrictionStep& step);
    /// The law has taken the overlap x [m], which may have changed its slope. Returns the energy
    /// lost [J].
    double follow(const AnyContact& law, double x);

    /// Shows an archive what it is between two steps.
    template <class Archive>
    void visit(Archive& archive) {
        archive(slider_, turning_, start_);
    }

  private:
    enum class Slider { sticks, slips, loose };

    struct Margins {
        AlongStep values;
        double roundoff;  // values within it count as 0
    };

    Tangential end_force(const FrictionStep& step) const;
    bool applies(FrictionCondition condition) const;
    Margins margins(FrictionCondition condition, const FrictionStep& step) const;
    Margins cone_margins(const FrictionStep& step) const;
    Margins slider_margins(const FrictionStep& step) const;

    double mu_;
    TangentialSpring spring_;
    Slider slider_ = Slider::sticks;
    double turning_ = 1.0;   // sign of x' in the present step
    TangentialStart start_;  // of the present step
};

}  // namespace stoss::motion
