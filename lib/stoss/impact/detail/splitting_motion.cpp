#include <stoss/impact/detail/splitting_motion.hpp>

#include <algorithm>
#include <cmath>

#include <stoss/core/gauss3.hpp>
#include <stoss/impact/detail/residual_flexibility.hpp>

namespace stoss::impact {

SplittingMotion::SplittingMotion(const ContactPair& pair, const modal::Propagators& propagators,
                                 SplittingMemory& memory, bool law_has_rates,
                                 bool carries_deviation)
    : pair(pair),
      propagators(propagators),
      memory(memory),
      bodies(memory.motion),
      padded(propagators.padded()),
      carries_deviation(carries_deviation),
      rates(!law_has_rates && !pair.damped       ? modal::Rates::none
            : law_has_rates && carries_deviation ? modal::Rates::everywhere
                                                 : modal::Rates::at_nodes),
      kernels_(memory.motion.kernels()),
      law_has_rates_(law_has_rates) {}

void SplittingMotion::start() {
    now_ = {memory.q.data(), memory.v.data()};
    next_ = {memory.next_q.data(), memory.next_v.data()};
    off_ = {memory.deviation_q.data(), memory.deviation_v.data()};
    next_off_ = {memory.next_deviation_q.data(), memory.next_deviation_v.data()};
    bodies.start(now_);
    std::fill(memory.deviation_q.begin(), memory.deviation_q.end(), 0.0);
    std::fill(memory.deviation_v.begin(), memory.deviation_v.end(), 0.0);
}

void SplittingMotion::find_compliances(int level) {
    const auto l = static_cast<std::size_t>(level);
    memory.compliances[l] = kernels_.compliances(flow(level), padded, bodies.shape(), rates);
    if (pair.residual_flexibility != 0.0)
        add_residual(memory.compliances[l], pair.residual_flexibility, propagators.step(level),
                     law_has_rates_);
    memory.has_compliances[l] = true;
}

/// The kernels move the modes under the contact force alone; the loads are added
/// (theory/collision.md 6.13).
void SplittingMotion::add_loads(const modal::Propagator& flow, modal::NodeOverlaps& free) const {
    for (std::size_t i = 0; i < 3; ++i) {
        const modal::Overlap change = pair.load_response(flow.step * core::Gauss3::node[i]);
        free.x[i] += change.x;
        free.v[i] += change.v;
        const modal::Overlap seen = pair.load_response(flow.step * time::seen_places[i]);
        free.seen[i] += seen.x;
        free.seen_v[i] += seen.v;
    }
}

/// Of a rigid mode that damping slows down under a load it is the rate beyond the steady one that
/// bends its path.
void SplittingMotion::replace_rates_under_loads() {
    for (std::size_t j = 0; j < pair.rigid; ++j) {
        if (pair.dampings[j] == 0.0) continue;
        memory.reach[j] = std::abs(pair.phi[j] * (now_.v[j] - pair.loads[j] / pair.dampings[j]));
    }
}

}  // namespace stoss::impact
