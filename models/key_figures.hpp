#pragma once
/// What the parameters of a struck beam amount to: the few numbers by which a reader sees whether
/// the case is what was meant.

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <stoss/core/fields.hpp>

namespace stoss::models {

struct BeamCollision;

/// A quantity that follows from the parameters; it runs from `low` to `high` over the places that
/// are struck and the values that are swept.
struct KeyFigure {
    std::string quantity;
    std::string unit;             ///< SI; "" for a ratio
    double low = core::infinity;  ///< above `high` while no value is in
    double high = -core::infinity;

    /// Widens the range to hold a value.
    void add(double value) {
        low = std::fmin(low, value);
        high = std::fmax(high, value);
    }
};

/// Masses and first frequencies of the beams, mass of the striker; at `places`, xi of
/// the contact: contact stiffness, speed, reduced mass and energy of the approach. No places: a
/// beam without a striker. Frequencies that cannot be computed are left out, as are those of a call
/// without `with_frequencies`. Precondition: `check` found nothing.
std::vector<KeyFigure> key_figures(const BeamCollision& parameters, std::span<const double> places,
                                   bool with_frequencies = true);

/// Widens the ranges of `all` by those of another value of the sweep.
void widen(std::vector<KeyFigure>& all, const std::vector<KeyFigure>& more);

/// "176.6 g", "1.2 m/s to 3.6 m/s", in units with an everyday prefix.
std::string to_text(const KeyFigure& figure);

}  // namespace stoss::models
