#pragma once
/// Sums over modes, as the kernels of the modes take them.

#include <array>
#include <cstddef>

#include <stoss/core/lanes.hpp>

namespace stoss::motion {

/// Eight sums side by side, which a compiler keeps in vector registers; in the order of
/// modal_kernels.hpp.
struct LaneSum {
    std::array<double, core::lanes> lane{};

    double total() const {
        std::array<double, core::lanes> sum = lane;
        for (std::size_t half = core::lanes / 2; half > 0; half /= 2)
            for (std::size_t l = 0; l < half; ++l) sum[l] += sum[l + half];
        return sum[0];
    }
};

}  // namespace stoss::motion
