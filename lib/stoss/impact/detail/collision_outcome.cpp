#include <stoss/impact/detail/collision_outcome.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stoss::impact {

void take_restitution(CollisionResult& result, double compression_impulse, double compression_work,
                      double separation_work) {
    result.cor_kinematic = result.separation_speed / result.approach_speed;
    result.cor_kinetic = (result.impulse - compression_impulse) / compression_impulse;
    result.cor_energetic =
        std::sqrt(std::max(0.0, (compression_work - separation_work) / compression_work));
}

void take_first_body(Sample& sample, const ContactPair& pair, std::span<const double> q,
                     std::span<const double> rates) {
    sample.body_modes.reserve(pair.first_body_modes.size());
    sample.body_rates.reserve(pair.first_body_modes.size());
    for (const std::size_t j : pair.first_body_modes) {
        sample.body_modes.push_back(q[j]);
        sample.body_rates.push_back(rates[j]);
        sample.body_displacement += pair.phi[j] * q[j];
    }
}

}  // namespace stoss::impact
