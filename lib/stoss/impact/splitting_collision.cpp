#include <stoss/impact/splitting_collision.hpp>

#include <cmath>

namespace stoss::impact {

void SplittingMemory::prepare(const ContactPair& pair, std::size_t padded) {
    for (core::AlignedVector* each : {&phi, &q, &v, &next_q, &next_v, &reach}) {
        each->assign(padded, 0.0);
    }
    std::copy(pair.phi.begin(), pair.phi.end(), phi.begin());
    omega.resize(pair.modes());
    for (std::size_t j = 0; j < pair.modes(); ++j) omega[j] = std::sqrt(pair.eigenvalues[j]);
    has_compliances.fill(false);
    flows.fill(nullptr);
}

/// A single difference may be small by chance; those of the energies of all modes are not. Where
/// (12.7): E_rigid = 1 - f + f e^2, with f the share of the relative motion, an error dE is one of
/// dE/(2 f e) in e.
ErrorEstimate::ErrorEstimate(const CollisionResult& fine, double effective_mass, double coarse_cor,
                             double coarse_impulse, std::span<const double> coarse_modes,
                             double kappa, double ratio, bool is_smooth) {
    double energy = 0.0;
    for (std::size_t j = 0; j < coarse_modes.size(); ++j) {
        const double difference = fine.energy.modes[j] - coarse_modes[j];
        energy += difference * difference;
    }
    const double relative =
        0.5 * effective_mass * fine.approach_speed * fine.approach_speed / fine.initial_energy;
    const double e = std::abs(fine.cor_kinematic);
    const double lost = std::sqrt(energy) / relative;
    const double from_energy = 0.5 * lost / std::max(e, std::sqrt(lost));
    // 1 / (ratio^order - 1) would be an upper bound; measured, the finer run keeps less, and less
    // still once kappa is small.
    const double share = is_smooth
                             ? (kappa > 0.7 ? 0.4 : 0.14) / (std::pow(ratio, error_order) - 1.0)
                             : 1.0 / (ratio * ratio - 1.0);
    cor = share * std::hypot(fine.cor_kinematic - coarse_cor, from_energy);
    const double own = share * std::abs(fine.impulse - coarse_impulse) / fine.impulse;
    // (1 + e) m V is the impulse of the rigid bodies.
    impulse = std::max(own, cor / (1.0 + e));
}

}  // namespace stoss::impact
