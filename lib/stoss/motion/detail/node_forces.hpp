#pragma once
/// The forces of all contacts that act in one step, at its Gauss nodes.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <stoss/motion/detail/any_contact.hpp>
#include <stoss/motion/detail/driven_modes.hpp>

namespace stoss::motion {

/// Overlap, rate and force of one contact at the three Gauss nodes of a step.
struct NodeMotion {
    std::array<double, 3> x{}, v{}, force{}, slope{};  ///< slope: dF/dx [N/m]
};

/// Solves the collocation equations of several contacts together (theory/impact_motion.md 27.6):
///     F_ci = law_c(x_ci, v_ci),  x_ci = free_ci - sum_dk C_cd,ik F_dk,  v_ci likewise,
/// by Newton's method. Keeps its memory from step to step.
class NodeForces {
  public:
    /// `active`: the contacts that act, by their place in the system; `laws`: of these; `nodes`: of
    /// these, with the free overlaps and rates as `x`, `v` and a guess as `force`; takes the
    /// solution. `exact`: relative error that may be left. False: no solution was found.
    bool solve(const System& system, const StepTable& table, std::span<const std::size_t> active,
               std::span<const AnyContact* const> laws, std::span<NodeMotion> nodes, double exact);

  private:
    void find_motion(std::span<const NodeMotion> free, std::span<NodeMotion> nodes);
    double newton_step(std::span<const AnyContact* const> laws, std::span<NodeMotion> nodes);

    Eigen::MatrixXd compliance_x_, compliance_v_, jacobian_;
    Eigen::VectorXd force_, residual_, taken_;
    std::vector<NodeMotion> free_;
    double roundoff_ = 0.0;  // of a force by that of the overlaps [N]
};

}  // namespace stoss::motion
