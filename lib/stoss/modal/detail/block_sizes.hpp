#pragma once
/// The blocks in which Eigen multiplies matrices. For sources whose products sum more than some
/// hundred terms.

#include <Eigen/Core>

namespace stoss::modal {

/// Eigen cuts long sums by the size of the first cache, for which it asks the processor. Their last
/// digits must not depend on that: all processors count as one with these caches. Done before
/// `main`, for the whole program; a library that brings its own copy of Eigen's functions, such as
/// Ceres, shares the sizes.
inline const bool blocks_are_alike = [] {
    constexpr int kilobyte = 1024;
    Eigen::setCpuCacheSizes(32 * kilobyte, 256 * kilobyte, 2048 * kilobyte);
    return true;
}();

}  // namespace stoss::modal
