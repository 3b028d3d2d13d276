#include <stoss/core/robust.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace stoss::core {

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return 0.5 * (*std::max_element(values.begin(), middle) + *middle);
}

double robust_scale(std::vector<double> residuals) {
    for (double& each : residuals) each = std::abs(each);
    return 1.4826 * median(std::move(residuals));
}

}  // namespace stoss::core
