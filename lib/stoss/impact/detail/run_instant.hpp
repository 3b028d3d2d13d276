#pragma once
/// Where a run of the splitting scheme is.

#include <cstddef>

#include <stoss/modal/modal_kernels.hpp>

namespace stoss::impact {

struct RunInstant {
    double time = 0.0;  ///< [s]
    /// Overlap [m], rate [m/s] and acceleration [m/s^2]: what the law sees in contact, those of the
    /// modes in free motion.
    double x = 0.0, rate = 0.0, acceleration = 0.0;
    modal::Overlap of_modes;         ///< in contact: overlap of the modes, x + R P, and its rate
    double force = 0.0;              ///< P [N]
    double approach_velocity = 0.0;  ///< V_rel [m/s]
    std::size_t steps = 0;           ///< so far
    int stalled = 0;  ///< steps in a row, up to now, that are shorter than the roundoff of time

    void advance(double step) {
        stalled = time + step > time ? 0 : stalled + 1;
        time += step;
    }
};

}  // namespace stoss::impact
