#pragma once
/// Nonlinear least squares in a box, with a robust loss. Ceres stays in the .cpp.

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// What a residual r of scale a costs; small ones all cost r^2/2.
enum class Loss { none, huber, cauchy };

constexpr auto enum_names(Loss) {
    return std::array{
        core::EnumName{Loss::none, "none", "squares of the residuals: every point counts in full"},
        core::EnumName{Loss::huber, "huber",
                       "the cost grows linearly beyond 1.345 scales of the residuals"},
        core::EnumName{Loss::cauchy, "cauchy",
                       "the cost grows as a logarithm beyond 2.385 scales of the residuals"}};
}

/// Weight rho'(r^2) of a residual in the equations of the minimum; 1 without a loss, and of an
/// exact fit, whose scale is 0.
double weight_of(Loss loss, double scale, double residual);

/// Sum of rho(r^2)/2 of the residuals: what `minimise` minimises. Half their squares without a
/// loss, and of an exact fit, whose scale is 0.
double cost_of(Loss loss, double scale, const std::vector<double>& residuals);

/// Derivative of the weighted residual rho'(r^2) r with respect to r; 1 without a loss.
double slope_of(Loss loss, double scale, double residual);

/// Residuals as a function of unknowns in [0, 1].
struct LeastSquares {
    std::size_t unknowns = 0, residuals = 0;
    Loss loss = Loss::none;
    double scale = 1.0;  ///< of a residual; for the loss
    /// The jacobian costs little beside the residuals: both are computed at once.
    bool always_with_jacobian = false;

    /// Fills `residuals` and, if it is not null, `jacobian` (row by row, d r_i/d x_j). False if
    /// there are none at x: the step is made shorter. What it throws ends the search.
    std::function<bool(const std::vector<double>& x, double* residuals, double* jacobian)> evaluate;
};

/// Where a search ended.
struct Minimum {
    std::vector<double> x;
    double cost = core::infinity;  ///< sum of rho(r_i^2)/2; infinite: the search has failed
    bool converged = false;
    int iterations = 0;
};

/// Searches from `start`, by Levenberg and Marquardt's method in the box. It fails, and stays at
/// `start`, if there are no residuals there.
Minimum minimise(const LeastSquares& problem, const std::vector<double>& start);

}  // namespace stoss::solvers
