#pragma once
/// Statistics that a few wild values hardly change.

#include <vector>

namespace stoss::core {

/// Where Huber's loss becomes linear, in standard deviations: 95 % efficient for normal residuals
/// (Huber 1964).
inline constexpr double huber_width = 1.345;

/// The middle value; of an even count the mean of the two in the middle. 0 of none.
double median(std::vector<double> values);

/// 1.4826 times the median magnitude: the standard deviation of normal residuals, in their unit.
double robust_scale(std::vector<double> residuals);

}  // namespace stoss::core
