#pragma once
/// Where a run of the splitting scheme is.

#include <cstddef>

#include <stoss/modal/modal_kernels.hpp>

namespace stoss::impact {

struct RunInstant {
    double time = 0.0;                               ///< [s]
    double x = 0.0, rate = 0.0, acceleration = 0.0;  ///< overlap [m] and its derivatives
    modal::Overlap of_modes;         ///< in contact: what the law sees and what R yields
    double force = 0.0;              ///< P [N]
    double approach_velocity = 0.0;  ///< V_rel [m/s]
    std::size_t steps = 0;           ///< so far
    int stalled = 0;                 ///< of the last ones: shorter than the roundoff of time

    void advance(double step) {
        stalled = time + step > time ? 0 : stalled + 1;
        time += step;
    }
};

}  // namespace stoss::impact
