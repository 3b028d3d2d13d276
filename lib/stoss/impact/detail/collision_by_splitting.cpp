#include <stoss/core/elementary.hpp>
#include <stoss/impact/detail/collision_by_splitting.hpp>

#include <algorithm>
#include <cmath>

namespace stoss::impact {

CoarserRun::CoarserRun(const CollisionResult& run, const RunDifference& deviation,
                       std::vector<double>& modes)
    : cor_(run.cor_kinematic + deviation.cor),
      impulse_(run.impulse * (1.0 + deviation.impulse)),
      modes_(modes) {
    modes.assign(run.energy.modes.begin(), run.energy.modes.end());
}

RunDifference CoarserRun::difference(const CollisionResult& fine,
                                     const RunDifference& deviation) const {
    const double impulse = fine.impulse * (1.0 + deviation.impulse);
    RunDifference difference{fine.cor_kinematic + deviation.cor - cor_,
                             (impulse - impulse_) / impulse};
    double sum = 0.0;
    for (std::size_t j = 0; j < modes_.size(); ++j) {
        const double change = fine.energy.modes[j] - modes_[j];
        sum += change * change;
    }
    difference.modes = std::sqrt(sum);
    return difference;
}

namespace {

/// A single difference may be small by chance; those of the energies of all modes are not. As
/// E_rigid = 1 - f + f e^2, with f the share of the relative motion, a difference dE of energies is
/// one of dE/(2 f e) in e, of which `weight` counts.
ErrorEstimate estimate(const CollisionResult& run, double effective_mass,
                       const RunDifference& difference, double weight) {
    const double relative =
        0.5 * effective_mass * run.approach_speed * run.approach_speed / run.initial_energy;
    const double e = std::abs(run.cor_kinematic);
    const double lost = difference.modes / relative;
    const double from_energy = 0.5 * lost / std::max(e, std::sqrt(lost));
    const double cor = core::hypot(difference.cor, weight * from_energy);
    // (1 + e) m V is the impulse of the rigid bodies.
    return {cor, std::max(std::abs(difference.impulse), cor / (1.0 + e))};
}

}  // namespace

ErrorEstimate error_of_deviation(const CollisionResult& run, double effective_mass,
                                 const RunDifference& deviation) {
    constexpr double uncertain = 0.05;  // part of a deviation that it may itself be wrong by
    return estimate(run, effective_mass, deviation, uncertain);
}

ErrorEstimate error_of_refinement(const CollisionResult& fine, double effective_mass,
                                  const RunDifference& difference, double ratio) {
    const double share = 1.0 / (ratio * ratio - 1.0);
    const ErrorEstimate whole = estimate(fine, effective_mass, difference, 1.0);
    return {share * whole.cor, share * whole.impulse};
}

}  // namespace stoss::impact
