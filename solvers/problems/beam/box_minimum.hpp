#pragma once
/// Least squares in a box by exact derivatives, to the minimum itself: what `beam_optimize` does.

#include <functional>
#include <vector>

#include <Eigen/Core>

namespace stoss::solvers {

/// Residuals and their derivatives by the unknowns in [0, 1] (residuals x unknowns). False if there
/// are none at x. What it throws ends the search.
using BoxResiduals = std::function<bool(const Eigen::VectorXd& x, Eigen::VectorXd& residuals,
                                        Eigen::MatrixXd& jacobian)>;

/// Where a search ended.
struct BoxMinimum {
    Eigen::VectorXd x;
    double cost = 0.0;         ///< half the mean of the squares of the residuals
    Eigen::VectorXd gradient;  ///< of the cost
    bool converged = false;
    int iterations = 0;
};

/// The gradient without the parts that point out of the box: it vanishes at a minimum.
Eigen::VectorXd projected(const Eigen::VectorXd& gradient, const Eigen::VectorXd& x);

/// Searches from `start` by the method of Levenberg and Marquardt in the unknowns that are not held
/// at a bound (Moré 1978; Bertsekas 1982). Where it becomes slow, the matrix J^T J is replaced by
/// the second derivatives, from differences of exact gradients: beside a valley of residuals that
/// do not vanish they differ. `better`, if given, sees each point that is taken.
/// None at the start: `converged` is false, and the cost is infinite.
BoxMinimum minimise_in_box(const BoxResiduals& residuals, const std::vector<double>& start,
                           const std::function<void(const BoxMinimum&)>& better = {});

}  // namespace stoss::solvers
