#pragma once
/// A place along a body, as a case gives it.

#include <stoss/core/fields.hpp>

namespace stoss::core {

/// A pure number is a fraction of the length of the body; a length ("10 mm") is the distance from
/// its left end.
struct Place {
    double value = 0.0;  ///< share [1], or distance [m]
    bool is_distance = false;

    /// The place as a fraction of `length` [m].
    double share(double length) const { return is_distance ? value / length : value; }
};

}  // namespace stoss::core
