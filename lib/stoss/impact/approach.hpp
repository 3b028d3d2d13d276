#pragma once

#include <span>

namespace stoss::impact {

/// What one body brings to a collision: where it is touched and how it moves.
struct Approach {
    std::span<const double> phi;          ///< mode values at the contact point [1/sqrt(kg)]
    std::span<const double> rigid_rates;  ///< rates of the rigid modes [sqrt(kg) m/s]
    /// State of the vibration modes at first contact: coordinates [sqrt(kg) m] and rates [sqrt(kg)
    /// m/s]; empty: none vibrates yet.
    std::span<const double> vibration = {}, vibration_rates = {};
    /// Constant forces on the rigid modes, such as gravity [sqrt(kg) m/s^2]; empty: none.
    /// Vibrations are measured from the static deflection under these forces
    /// (theory/collision.md 6.13).
    std::span<const double> rigid_loads = {};
    /// R [m/N]: what the modes that are left out yield per force at the contact point
    /// (theory/modal_reduction.md 4.13).
    double residual_flexibility = 0.0;
};

}  // namespace stoss::impact
