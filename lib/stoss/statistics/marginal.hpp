#pragma once
/// Distributions of one number by their quantile functions.

#include <stoss/core/fields.hpp>

namespace stoss::statistics {

/// A normal distribution, cut at two bounds or not; a lognormal or a uniform one.
struct Marginal {
    enum class Shape { normal, lognormal, uniform };

    Shape shape = Shape::normal;
    double mean = 0.0, sigma = 1.0;  ///< of a normal one before it is cut
    double from = -core::infinity, to = core::infinity;

    /// The value that a share `u` in (0, 1) of all lies below.
    double quantile(double u) const;

    /// Mean between the bounds.
    double expectation() const;
    /// Its standard deviation.
    double standard_deviation() const;

    /// Probability of a normal distribution between `from` and `to`.
    double share_within_bounds() const;
};

}  // namespace stoss::statistics
