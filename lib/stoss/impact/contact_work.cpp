#include <stoss/impact/contact_work.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <stoss/impact/detail/parabola.hpp>

namespace stoss::impact {

std::optional<double> contact_restitution(const CollisionResult& result, const History& history) {
    // Losses are known at the end only.
    if (result.status != Status::separated) return std::nullopt;
    std::vector<double> time, work;  // of the contact, so far
    for (const Sample& sample : history.samples()) {
        if (!time.empty() && !(sample.time > time.back())) continue;
        time.push_back(sample.time);
        work.push_back(sample.energy_contact + sample.energy_contact_loss);
    }
    double taken = 0.0;
    for (std::size_t i = 1; i < work.size(); ++i) {
        taken += std::max(0.0, work[i] - work[i - 1]);
        if (i + 1 < work.size() && work[i] > work[i - 1] && work[i] > work[i + 1])
            taken += detail::Parabola({time[i - 1], time[i], time[i + 1]},
                                      {work[i - 1], work[i], work[i + 1]})
                         .rise();
    }
    if (!(taken > 0.0)) return std::nullopt;
    return std::sqrt(std::max(0.0, 1.0 - result.energy.contact_loss / taken));
}

}  // namespace stoss::impact
