#pragma once
/// Work that is left in the middle when the run is to stop.

#include <stoss/core/interrupt.hpp>

namespace stoss::solvers {

/// Calls `work()` in a core::StopScope of `stop`. False: it was stopped, and has no result.
template <class Work>
bool run_unless_stopped(const core::StopScope::Stop& stop, const Work& work) {
    const core::StopScope scope(&stop);
    try {
        work();
    } catch (const core::Stopped&) {
        return false;
    }
    return true;
}

}  // namespace stoss::solvers
