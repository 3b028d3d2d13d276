#pragma once
/// Parallel map over independent work items (oneTBB). Results go to fixed places, so they do not
/// depend on the number of threads.

#include <cstddef>
#include <functional>

namespace stoss::core {

/// Calls `work(i)` for i in [0, count) on at most `threads` threads (0: all cores). Before each item
/// `stop()` is asked; once it answers true no further item starts. Exceptions of `work` are rethrown.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& stop);

}  // namespace stoss::core
