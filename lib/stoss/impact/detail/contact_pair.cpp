#include <stoss/impact/detail/contact_pair.hpp>

#include <algorithm>

#include <stoss/core/fields.hpp>
#include <stoss/modal/modal_flow.hpp>

namespace stoss::impact {

ContactPair::ContactPair(const modal::ModalBody& first, const modal::ModalBody& second,
                         bool residual_modes)
    : rigid(first.rigid + second.rigid) {
    first_body_modes.resize(first.modes());
    second_body_modes.resize(second.modes());
    const auto append = [this](const modal::ModalBody& body, std::vector<std::size_t>& places,
                               bool rigid_part) {
        const std::size_t begin = rigid_part ? 0 : body.rigid;
        const std::size_t end = rigid_part ? body.rigid : body.modes();
        for (std::size_t j = begin; j < end; ++j) {
            places[j] = eigenvalues.size();
            eigenvalues.push_back(body.eigenvalues[j]);
            dampings.push_back(body.damping[j]);
        }
    };
    append(first, first_body_modes, true);
    append(second, second_body_modes, true);
    append(first, first_body_modes, false);
    append(second, second_body_modes, false);
    if (residual_modes) {
        first_residual = append_residual_mode(first_body_modes);
        second_residual = append_residual_mode(second_body_modes);
        if (!first_residual) first_residual = second_residual;
        if (!second_residual) second_residual = first_residual;
    }
    phi.resize(eigenvalues.size());
    initial_coordinates.resize(eigenvalues.size());
    initial_rates.resize(eigenvalues.size());
    loads.resize(rigid);
    damped = std::any_of(dampings.begin(), dampings.end(), [](double d) { return d != 0.0; });
    couple(first, second);
}

/// At a frequency at which its inertia is about that of the modes that are left out of a beam in
/// bending; damped as the highest mode of its body is, by its material. None without vibrations.
std::optional<ContactPair::ResidualMode> ContactPair::append_residual_mode(
    const std::vector<std::size_t>& body_modes) {
    constexpr double ratio = modal::residual_eigenvalue_of_bending;
    const auto highest = std::ranges::max_element(
        body_modes, {}, [this](std::size_t mode) { return eigenvalues[mode]; });
    if (highest == body_modes.end() || eigenvalues[*highest] == 0.0) return std::nullopt;
    const ResidualMode mode{eigenvalues.size(), *highest};
    eigenvalues.push_back(ratio * eigenvalues[mode.highest]);
    dampings.push_back(ratio * dampings[mode.highest]);
    return mode;
}

void ContactPair::couple(const modal::ModalBody& first, const modal::ModalBody& second) {
    if (first.coupled_damping.size() == 0 && second.coupled_damping.size() == 0) return;
    Eigen::MatrixXd damping = Eigen::Map<const Eigen::VectorXd>(
                                  dampings.data(), static_cast<Eigen::Index>(dampings.size()))
                                  .asDiagonal();
    const auto add = [&](const modal::ModalBody& body, const std::vector<std::size_t>& places) {
        for (Eigen::Index i = 0; i < body.coupled_damping.rows(); ++i) {
            for (Eigen::Index k = 0; k < body.coupled_damping.cols(); ++k) {
                damping(static_cast<Eigen::Index>(places[static_cast<std::size_t>(i)]),
                        static_cast<Eigen::Index>(places[static_cast<std::size_t>(k)])) +=
                    body.coupled_damping(i, k);
            }
        }
    };
    add(first, first_body_modes);
    add(second, second_body_modes);
    coupled = std::make_shared<const modal::CoupledModes>(eigenvalues, damping);
    damped = true;
}

void ContactPair::set(const Approach& first, const Approach& second) {
    std::fill(initial_coordinates.begin(), initial_coordinates.end(), 0.0);
    std::fill(initial_rates.begin(), initial_rates.end(), 0.0);
    std::fill(loads.begin(), loads.end(), 0.0);
    const auto place = [this](const Approach& body, const std::vector<std::size_t>& places,
                              double sign) {
        for (std::size_t j = 0; j < places.size(); ++j) phi[places[j]] = sign * body.phi[j];
        for (std::size_t j = 0; j < body.rigid_rates.size(); ++j) {
            initial_rates[places[j]] = body.rigid_rates[j];
        }
        for (std::size_t j = 0; j < body.rigid_loads.size(); ++j) {
            loads[places[j]] = body.rigid_loads[j];
        }
        const std::size_t rigid_modes = body.rigid_rates.size();
        for (std::size_t j = 0; j < body.vibration.size(); ++j)
            initial_coordinates[places[rigid_modes + j]] = body.vibration[j];
        for (std::size_t j = 0; j < body.vibration_rates.size(); ++j)
            initial_rates[places[rigid_modes + j]] = body.vibration_rates[j];
    };
    place(first, first_body_modes, 1.0);
    place(second, second_body_modes, -1.0);
    set_residual_modes(first.residual_flexibility, second.residual_flexibility);
    double mobility = 0.0;  // [1/kg]
    for (std::size_t j = 0; j < rigid; ++j) mobility += phi[j] * phi[j];
    effective_mass = 1.0 / mobility;
    loaded = std::any_of(loads.begin(), loads.end(), [](double f) { return f != 0.0; });
    load_acceleration = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) load_acceleration -= phi[j] * loads[j];
    const double excess = overlap(initial_coordinates);
    if (excess == 0.0) return;
    for (std::size_t j = 0; j < rigid; ++j)
        initial_coordinates[j] = phi[j] * excess * effective_mass;
}

/// The flexibility [m/N] of both bodies. The sign of phi does not matter: these modes are at rest.
void ContactPair::set_residual_modes(double of_first, double of_second) {
    residual_flexibility = first_residual ? 0.0 : of_first + of_second;
    if (!first_residual) return;
    const auto set = [this](const ResidualMode& mode, double flexibility) {
        phi[mode.place] = std::sqrt(flexibility * eigenvalues[mode.place]);
    };
    if (first_residual->place == second_residual->place)
        return set(*first_residual, of_first + of_second);
    set(*first_residual, of_first);
    set(*second_residual, of_second);
}

double ContactPair::overlap(std::span<const double> y) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < y.size(); ++j) sum -= phi[j] * y[j];
    return sum;
}

double ContactPair::approach_acceleration(std::span<const double> rate, double force) const {
    double acceleration = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) {
        acceleration -= phi[j] * (phi[j] * force + loads[j] - dampings[j] * rate[j]);
    }
    return acceleration;
}

double ContactPair::lasting_approach_velocity(std::span<const double> rate) const {
    constexpr double roundoff = 1e-6;  // between the modes of one body, which share one damping
    double least = core::infinity, velocity = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) least = std::min(least, dampings[j]);
    for (std::size_t j = 0; j < rigid; ++j) {
        if (dampings[j] <= (1.0 + roundoff) * least) velocity -= phi[j] * rate[j];
    }
    return velocity;
}

bool ContactPair::parts_for_good(std::span<const double> q, std::span<const double> rate,
                                 double reach) const {
    return !(lasting_approach_velocity(rate) > 0.0) && rigid_overlap(q) + reach < 0.0;
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

modal::Overlap ContactPair::load_response(double time) const {
    modal::Overlap change;
    for (std::size_t j = 0; j < rigid; ++j) {
        const modal::SteadyResponse response = modal::steady_response(dampings[j], time);
        change.x -= phi[j] * loads[j] * response.q;
        change.v -= phi[j] * loads[j] * response.v;
    }
    return change;
}

modal::Overlap ContactPair::move_by_loads(double time, modal::ModalState state) const {
    for (std::size_t j = 0; j < rigid; ++j) {
        const modal::SteadyResponse response = modal::steady_response(dampings[j], time);
        state.q[j] += loads[j] * response.q;
        state.v[j] += loads[j] * response.v;
    }
    return load_response(time);
}

double ContactPair::load_work(std::span<const double> q) const {
    double work = 0.0;
    for (std::size_t j = 0; j < rigid; ++j) work += loads[j] * (q[j] - initial_coordinates[j]);
    return work;
}

double ContactPair::energy(std::size_t begin, std::size_t end, std::span<const double> q,
                           std::span<const double> rate) const {
    double energy = 0.0;
    for (std::size_t j = begin; j < end; ++j) energy += mode_energy(j, q, rate);
    return energy;
}

double ContactPair::amplitude(std::size_t j, std::span<const double> q,
                              std::span<const double> rate) const {
    return std::sqrt(q[j] * q[j] + rate[j] * rate[j] / eigenvalues[j]);
}

}  // namespace stoss::impact
