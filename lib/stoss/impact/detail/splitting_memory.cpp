#include <stoss/impact/detail/splitting_memory.hpp>

namespace stoss::impact {

void SplittingMemory::prepare(const ContactPair& pair, const modal::Propagators& propagators) {
    motion.prepare(pair, propagators);
    for (core::AlignedVector* each :
         {&q, &v, &next_q, &next_v, &reach, &deviation_q, &deviation_v, &next_deviation_q,
          &next_deviation_v, &separated_q, &separated_v, &separated_deviation_q,
          &separated_deviation_v}) {
        each->assign(propagators.padded(), 0.0);
    }
    has_compliances.fill(false);
    flows.fill(nullptr);
}

}  // namespace stoss::impact
