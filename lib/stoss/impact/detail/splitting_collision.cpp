#include <stoss/impact/detail/splitting_collision.hpp>

namespace stoss::impact {

void SplittingMemory::prepare(const ContactPair& pair, const modal::Propagators& propagators) {
    motion.prepare(pair, propagators);
    for (core::AlignedVector* each :
         {&q, &v, &next_q, &next_v, &reach, &deviation_q, &deviation_v, &next_deviation_q,
          &next_deviation_v, &parted_q, &parted_v, &parted_deviation_q, &parted_deviation_v}) {
        each->assign(propagators.padded(), 0.0);
    }
    has_compliances.fill(false);
    flows.fill(nullptr);
}

}  // namespace stoss::impact
