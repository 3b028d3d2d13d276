#include <stoss/impact/contact_pair.hpp>

#include <algorithm>

namespace stoss::impact {

ContactPair::ContactPair(const MovingBody& first, const MovingBody& second)
    : rigid(first.body.rigid + second.body.rigid) {
    const auto append = [this](const MovingBody& moving, double sign, bool rigid_part) {
        const std::size_t begin = rigid_part ? 0 : moving.body.rigid;
        const std::size_t end = rigid_part ? moving.body.rigid : moving.body.modes();
        for (std::size_t j = begin; j < end; ++j) {
            if (sign > 0.0) first_body_modes.push_back(phi.size());
            eigenvalues.push_back(moving.body.eigenvalues[j]);
            dampings.push_back(moving.body.damping[j]);
            phi.push_back(sign * moving.body.phi[j]);
            initial_rates.push_back(rigid_part ? moving.rigid_rates[j] : 0.0);
        }
    };
    append(first, 1.0, true);
    append(second, -1.0, true);
    append(first, 1.0, false);
    append(second, -1.0, false);
    damped = std::any_of(dampings.begin(), dampings.end(), [](double d) { return d != 0.0; });
}

double ContactPair::approach_velocity(std::span<const double> rate) const {
    double velocity = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) velocity -= phi[j] * rate[j];
    return velocity;
}

double ContactPair::approach_acceleration(std::span<const double> rate, double force) const {
    double acceleration = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) {
        acceleration -= phi[j] * (phi[j] * force - dampings[j] * rate[j]);
    }
    return acceleration;
}

double ContactPair::undamped_approach_velocity(std::span<const double> rate) const {
    double velocity = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) {
        if (dampings[j] == 0.0) velocity -= phi[j] * rate[j];
    }
    return velocity;
}

double ContactPair::rigid_overlap(std::span<const double> q) const {
    double overlap = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) overlap -= phi[j] * q[j];
    return overlap;
}

double ContactPair::vibration_bound(std::span<const double> q, std::span<const double> rate) const {
    double bound = 0.0;
    for (std::size_t j = rigid; j < modes(); ++j) bound += std::abs(phi[j]) * amplitude(j, q, rate);
    return bound;
}

double ContactPair::acceleration_bound(std::span<const double> q,
                                       std::span<const double> rate) const {
    double bound = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) bound += std::abs(phi[j] * dampings[j] * rate[j]);
    for (std::size_t j = rigid; j < modes(); ++j) {
        const double per_amplitude = eigenvalues[j] + dampings[j] * std::sqrt(eigenvalues[j]);
        bound += std::abs(phi[j]) * per_amplitude * amplitude(j, q, rate);
    }
    return bound;
}

double ContactPair::amplitude(std::size_t j, std::span<const double> q,
                              std::span<const double> rate) const {
    return std::sqrt(q[j] * q[j] + rate[j] * rate[j] / eigenvalues[j]);
}

}  // namespace stoss::impact
