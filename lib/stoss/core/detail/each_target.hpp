#pragma once
/// The kernels of every instruction set of this machine, for tests that compare them.

#include <cstdint>
#include <vector>

#include <stoss/core/detail/vector_targets.hpp>

#include <hwy/targets.h>

namespace stoss::core {

/// What `get` chooses by HWY_DYNAMIC_DISPATCH for each of them, one after the other.
template <class Get>
auto of_each_target(const Get& get) {
    std::vector<decltype(get())> all;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        all.push_back(get());
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return all;
}

}  // namespace stoss::core
