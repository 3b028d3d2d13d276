#pragma once
/// One step in contact of the splitting scheme: what its forces follow from, and what they lead to.

#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

struct SplittingStep {
    int level = 0;
    const modal::Propagator* flow = nullptr;
    const modal::Compliances* compliance = nullptr;
    int wanted = 0;                  ///< the level at which it was tried first
    modal::NodeOverlaps free;        ///< without forces
    time::NodeForces nodes;          ///< to be found; rates only if they are needed
    DeviationForce deviation;        ///< to be found, if the deviation is carried along
    modal::Overlap of_modes;         ///< overlap of the modes at the end, under these forces
    modal::Overlap end;              ///< less the residual displacement
    double approach_velocity = 0.0;  ///< V_rel [m/s] there
};

}  // namespace stoss::impact
