#pragma once
/// The forces of all contacts that act in one step, at its Gauss nodes.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <stoss/motion/detail/any_contact.hpp>
#include <stoss/motion/detail/driven_modes.hpp>
#include <stoss/motion/detail/friction_course.hpp>
#include <stoss/motion/detail/node_motion.hpp>

namespace stoss::motion {

/// One force that acts in a step: the normal force of a contact, or its tangential force along one
/// of its tangents.
struct ActingForce {
    std::size_t contact;                       ///< its place in the system
    std::size_t direction;                     ///< see motion::direction
    const AnyContact* law;                     ///< of the contact
    const FrictionCourse* friction = nullptr;  ///< of a tangential force
    std::size_t normal = 0;                    ///< then the place of the normal force in the list
    std::size_t component = 0;                 ///< and which tangent; the second follows the first
};

/// The tangential motion and force that belong to the force at `first` of a list, which is along a
/// first tangent.
TangentNodes tangent_nodes(const ActingForce& force, std::span<const NodeMotion> nodes,
                           std::size_t first);

/// Solves the collocation equations of several contacts together (theory/impact_motion.md 27.6,
/// 27.15):
///     F_ci = law_c(x_ci, v_ci),  x_ci = free_ci - sum_dk C_cd,ik F_dk,  v_ci likewise,
/// by Newton's method. Keeps its memory from step to step.
class NodeForces {
  public:
    /// `nodes`: of the forces, with the free overlaps and rates as `x`, `v` and a guess as `force`;
    /// takes the solution. `exact`: relative error that may be left. False: no solution was found.
    bool solve(const System& system, const StepTable& table, std::span<const ActingForce> acting,
               std::span<NodeMotion> nodes, double exact);

  private:
    void find_motion(std::span<const NodeMotion> free, std::span<NodeMotion> nodes);
    double newton_step(std::span<const ActingForce> acting, std::span<NodeMotion> nodes, double h);
    void add_normal(const AnyContact& law, std::size_t a, NodeMotion& nodes);
    void add_tangential(const ActingForce& force, std::size_t a, std::span<const NodeMotion> nodes,
                        double h);
    void add_component(const TangentialForces& forces, const ActingForce& force, std::size_t a,
                       std::size_t component);

    Eigen::MatrixXd compliance_x_, compliance_v_, jacobian_;
    Eigen::VectorXd force_, residual_, taken_;
    std::vector<NodeMotion> free_;
    double roundoff_ = 0.0;  // of a force by that of the overlaps [N]
};

}  // namespace stoss::motion
