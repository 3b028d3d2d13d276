#pragma once
/// How the truth comes to deviate from a run in one step in contact (theory.md 12.7, 12.8).

#include <array>
#include <cstddef>

#include <stoss/modal/modal_kernels.hpp>
#include <stoss/time/collocation.hpp>
#include <stoss/time/defect.hpp>

namespace stoss::impact {

/// The law along the computed motion where the defect is seen: at the start of the step, between
/// its nodes, and at its end.
struct LawAlong {
    std::array<double, 4> force{};  ///< F(x) [N]
    std::array<double, 4> slope{};  ///< F'(x) [N/m]
};

/// The force that drives the deviation: a parabola through values at the nodes, and the defect.
struct DeviationForce {
    time::Triple nodes{};            ///< [N]
    std::array<double, 4> defect{};  ///< coefficients of node_polynomial z^w [N]
};

/// The forces of (12.8). `free`: overlaps [m] to which the deviation would lead without them.
/// What the parabola lacks to F'(x) dx is of higher order in the step than what that of the run
/// lacks to F(x); but most of the latter cancels over a step, so it is seen, too.
inline DeviationForce deviation_force(const LawAlong& law, const time::NodeForces& run,
                                      const modal::StepOverlaps& free,
                                      const modal::Compliances& compliance) {
    DeviationForce force{{}, time::step_defect(law.force, run.force)};
    const auto taken = [&](const std::array<double, 4>& by) {
        return by[0] * force.defect[0] + by[1] * force.defect[1] + by[2] * force.defect[2] +
               by[3] * force.defect[3];
    };
    const auto solve_nodes = [&] {
        time::Triple lacking;
        for (std::size_t i = 0; i < 3; ++i)
            lacking[i] = run.slope[i] * (free.nodes[i] - taken(compliance.defect[i]));
        for (std::size_t k = 0; k < 3; ++k) force.nodes[k] = time::dot(run.inverse[k], lacking);
    };
    solve_nodes();
    std::array<double, 4> caused{law.slope[0] * free.seen[0]};
    for (std::size_t i = 0; i < 3; ++i) {
        const double overlap = free.seen[i + 1] - time::dot(compliance.seen[i], force.nodes) -
                               taken(compliance.seen_defect[i]);
        caused[i + 1] = law.slope[i + 1] * overlap;
    }
    const std::array<double, 4> further = time::step_defect(caused, force.nodes);
    for (std::size_t w = 0; w < 4; ++w) force.defect[w] += further[w];
    solve_nodes();
    return force;
}

}  // namespace stoss::impact
