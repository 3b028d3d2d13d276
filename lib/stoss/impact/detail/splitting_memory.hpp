#pragma once
/// What collisions by the splitting scheme work in, one after the other.

#include <array>
#include <vector>

#include <stoss/core/aligned.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/pair_motion.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

/// Memory of a run, kept from collision to collision.
struct SplittingMemory {
    PairMotion motion;
    core::AlignedVector q, v, next_q, next_v, reach;
    core::AlignedVector deviation_q, deviation_v;  // of the true motion, to first order
    core::AlignedVector next_deviation_q, next_deviation_v;
    core::AlignedVector separated_q, separated_v, separated_deviation_q, separated_deviation_v;
    std::vector<double> coarse_modes;  // energies of the vibrations in the coarser run
    std::array<modal::Compliances, modal::Propagators::levels> compliances;
    std::array<bool, modal::Propagators::levels> has_compliances{};
    std::array<const modal::Propagator*, modal::Propagators::levels> flows{};

    /// For one more collision of `pair`, whatever was there before.
    void prepare(const ContactPair& pair, const modal::Propagators& propagators);
};

}  // namespace stoss::impact
