#pragma once
/// The force of a tangential spring over a step in which its slider sticks or slips
/// (docs/theory/impact_motion.md 27.15, 27.16).

#include <array>
#include <cstddef>

#include <stoss/motion/detail/any_contact.hpp>
#include <stoss/motion/detail/driven_modes.hpp>
#include <stoss/motion/detail/node_motion.hpp>

namespace stoss::motion {

/// Components along the two tangents; the second one is 0 in a plane.
using Tangential = std::array<double, 2>;
/// Motion along the two tangents at one instant.
using TangentMotion = std::array<ContactMotion, 2>;
/// Motions and forces along the two tangents at the nodes.
using TangentNodes = std::array<NodeMotion, 2>;

/// Absolute value; of a force in a plane exactly.
double size_of(const Tangential& force);

/// T [N] at the nodes as a function of the motion and the normal forces there, and its derivatives.
struct TangentialForces {
    using Nodes = std::array<double, 3>;
    std::array<Nodes, 2> force{};  ///< of component and node
    /// Of component and node by y of a component at the same node: [component][of y][node].
    std::array<std::array<Nodes, 2>, 2> by_y{};
    std::array<std::array<Nodes, 3>, 2> by_x{};      ///< of component and node by x of a node
    std::array<std::array<Nodes, 3>, 2> by_force{};  ///< by the normal force of a node
    /// Of component and node by y' of a component and a node.
    std::array<std::array<std::array<Nodes, 2>, 3>, 2> by_rate{};
};

/// Stiffness k_t of a tangential spring.
class TangentialSpring {
  public:
    /// `constant` [N/m]; if that is 0, `ratio` times the slope of the normal law at rest.
    TangentialSpring(double constant, double ratio) : constant_(constant), ratio_(ratio) {}

    bool follows() const { return !(constant_ > 0.0); }
    double constant() const { return constant_; }
    /// k_t [N/m] at overlap x [m], and dk_t/dx [N/m^2].
    double at(const AnyContact& law, double x) const;
    double slope_at(const AnyContact& law, double x) const;

  private:
    double constant_, ratio_;
};

/// Spring and slider at the begin of a step.
struct TangentialStart {
    TangentMotion y{};               ///< y [m] and y' [m/s]
    Tangential force{};              ///< T [N]
    double stiffness = 0.0;          ///< k_t [N/m]
    bool softens = false;            ///< k_t follows the law and falls
    bool is_planar = true;           ///< there is no second tangent
    Tangential direction{1.0, 0.0};  ///< of T, while the slider slips

    /// Stretch of the spring [m].
    double stretch(std::size_t component) const {
        return stiffness > 0.0 ? force[component] / stiffness : 0.0;
    }

    /// Shows its members to an archive (core/state_numbers.hpp).
    template <class Archive>
    void visit(Archive& archive) {
        archive(y, force, stiffness, softens, is_planar, direction);
    }
};

/// Length [s], law, motion and forces at the nodes of a step.
struct TangentialStep {
    double length;
    const AnyContact& law;
    const NodeMotion& normal;
    const TangentNodes& tangent;
};

/// T while the slider sticks: at the nodes, and at the end with overlap x [m] and motion `end`.
TangentialForces sticking_forces(const TangentialSpring& spring, const TangentialStart& start,
                                 const TangentialStep& step);
Tangential sticking_end(const TangentialSpring& spring, const TangentialStart& start,
                        const TangentialStep& step, double x, const TangentMotion& end);

/// The same while it slips; `normal_force` [N] at the end.
TangentialForces slipping_forces(double mu, const TangentialSpring& spring,
                                 const TangentialStart& start, const TangentialStep& step);
Tangential slipping_end(double mu, const TangentialSpring& spring, const TangentialStart& start,
                        const TangentialStep& step, double normal_force);

}  // namespace stoss::motion
