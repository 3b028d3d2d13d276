#pragma once
/// How the truth comes to deviate from a run in one step in contact
/// (theory/splitting_scheme.md 12.7, 12.8).

#include <array>
#include <cstddef>

#include <stoss/impact/detail/residual_flexibility.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/time/collocation.hpp>
#include <stoss/time/defect.hpp>

namespace stoss::impact {

/// The law along the computed motion, between the nodes and at the end of the step; in series with
/// the residual flexibility, x is the overlap of the modes.
struct LawAlong {
    std::array<double, 3> force{};  ///< F(x) [N]
    std::array<double, 3> slope{};  ///< F'(x) [N/m]
};

/// `seen`: overlap there without the node forces [m].
template <class Contact>
LawAlong law_along(const Contact& contact, const time::Triple& seen, const time::Triple& forces,
                   const modal::Compliances& compliance, double residual) {
    LawAlong law;
    for (std::size_t b = 0; b < 3; ++b) {
        const double x = seen[b] - time::dot(compliance.seen[b], forces);
        const core::Dual alone = contact.force(core::Dual::variable(x), core::Dual(0.0));
        const SeriesForce series = series_force(alone.value, alone.derivative,
                                                time::dot(parabola_weights[b], forces), residual);
        law.force[b] = series.force;
        law.slope[b] = series.slope;
    }
    return law;
}

/// The force that drives the deviation: a parabola through values at the nodes, and the defect.
struct DeviationForce {
    time::Triple nodes{};            ///< [N]
    std::array<double, 4> defect{};  ///< coefficients of node_polynomial z^w [N]
};

/// The forces of (12.8). `start`: F(x) at the begin of the step [N]; `free`: overlaps at the nodes
/// [m] to which the deviation would lead without forces; `residual`: R [m/N], which is in the
/// compliances too.
///
/// The defect deviates the motion within the step. What the parabola lacks to the force F'(x) dx of
/// that is of higher order than the defect; but of the defect most cancels over a step, and this
/// does not, so it counts as much.
inline DeviationForce deviation_force(double start, const LawAlong& law,
                                      const time::NodeForces& run, const time::Triple& free,
                                      const modal::Compliances& compliance, double residual) {
    DeviationForce force{
        {}, time::step_defect({start, law.force[0], law.force[1], law.force[2]}, run.force)};
    const auto taken = [&](const std::array<double, 4>& by) {
        return by[0] * force.defect[0] + by[1] * force.defect[1] + by[2] * force.defect[2] +
               by[3] * force.defect[3];
    };
    time::Triple seen, at_nodes;
    for (std::size_t i = 0; i < 3; ++i) {
        seen[i] = -law.slope[i] * taken(compliance.seen_defect[i]);
        at_nodes[i] =
            -series_force(0.0, run.slope[i], 0.0, residual).slope * taken(compliance.defect[i]);
    }
    const std::array<double, 4> further =
        time::step_defect({0.0, seen[0], seen[1], seen[2]}, at_nodes);
    for (std::size_t w = 0; w < 4; ++w) force.defect[w] += further[w];
    time::Triple lacking;
    for (std::size_t i = 0; i < 3; ++i)
        lacking[i] = run.slope[i] * (free[i] - taken(compliance.defect[i]));
    for (std::size_t k = 0; k < 3; ++k) force.nodes[k] = time::dot(run.inverse[k], lacking);
    return force;
}

}  // namespace stoss::impact
