#pragma once
/// The table of a step without what only a run that knows its error needs.

#include <cstddef>

#include <stoss/core/aligned.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::modal {

/// The modes of `propagators` over a step of any length [s]: the columns of flows and responses at
/// the nodes and at the end. The columns between the nodes stay 0. The table is in `numbers`, which
/// may be used again for the next one and must live as long.
Propagator step_propagator(const Propagators& propagators, std::size_t modes, double step,
                           core::AlignedVector& numbers);
/// The same with the flow over the step alone: for free motion.
Propagator free_propagator(const Propagators& propagators, std::size_t modes, double step,
                           core::AlignedVector& numbers);

}  // namespace stoss::modal
