#pragma once
/// The forces of all contacts that act in one step, at its Gauss nodes.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/motion/detail/any_contact.hpp>
#include <stoss/motion/detail/any_friction.hpp>
#include <stoss/motion/detail/band_matrix.hpp>
#include <stoss/motion/detail/directions.hpp>
#include <stoss/motion/detail/driven_modes.hpp>
#include <stoss/motion/detail/node_motion.hpp>

namespace stoss::motion {

/// One force that acts in a step: the normal force of a contact, or its tangential force along one
/// of its tangents.
struct ActingForce {
    std::size_t contact;                    ///< its place in the system
    std::size_t direction;                  ///< see motion::direction
    const AnyContact* law;                  ///< of the contact
    const AnyFriction* friction = nullptr;  ///< of a tangential force
    std::size_t normal = 0;                 ///< then the place of the normal force in the list
    std::size_t component = 0;              ///< and which tangent; the second follows the first
};

/// The tangential motion and force that belong to the force at `first` of a list, which is along a
/// first tangent.
TangentNodes tangent_nodes(const ActingForce& force, std::span<const NodeMotion> nodes,
                           std::size_t first);

/// Solves the collocation equations of several contacts together (theory/impact_motion.md 27.6,
/// 27.15):
///     F_ci = law_c(x_ci, v_ci),  x_ci = free_ci - sum_dk C_cd,ik F_dk,  v_ci likewise,
/// by Newton's method. Its matrix has a band where each contact meets few others. Keeps its memory
/// from step to step.
class NodeForces {
  public:
    /// Keeps a reference to `directions`.
    explicit NodeForces(const Directions& directions) : directions_(directions) {}

    /// `nodes`: of the forces, with the free overlaps and rates as `x`, `v` and a guess as `force`;
    /// takes the solution. `exact`: relative error that may be left. False: no solution was found.
    bool solve(const StepTable& table, std::span<const ActingForce> acting,
               std::span<NodeMotion> nodes, double exact);

  private:
    /// Number of the equation of a force at a node.
    std::size_t at(std::size_t a, std::size_t node) const { return 3 * places_[a] + node; }
    void find_places(std::span<const ActingForce> acting);
    std::size_t half_band(std::span<const ActingForce> acting) const;
    void find_compliances(const StepTable& table, std::span<const ActingForce> acting);
    void find_motion(std::span<const NodeMotion> free, std::span<NodeMotion> nodes);
    double newton_step(std::span<const ActingForce> acting, std::span<NodeMotion> nodes, double h);
    void add_normal(const AnyContact& law, std::size_t a, NodeMotion& nodes);
    void add_tangential(const ActingForce& force, std::size_t a, std::span<const NodeMotion> nodes,
                        double h);
    void add_component(const TangentialForces& forces, const ActingForce& force, std::size_t a,
                       std::size_t component);

    const Directions& directions_;
    std::vector<std::size_t> places_, order_;  // of the forces in the equations; the other way
    BandMatrix compliance_x_, compliance_v_, jacobian_;
    std::vector<double> force_, residual_;
    std::vector<NodeMotion> free_;
    double roundoff_ = 0.0;  // of a force by that of the overlaps [N]
};

}  // namespace stoss::motion
