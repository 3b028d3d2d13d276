#pragma once
/// Loops over independent work items on several threads. Results go to fixed places, so they do not
/// depend on the number of threads. A build without threads (`-DSTOSS_WITH_THREADS=OFF`) has the
/// same functions; each loop there is serial.

#include <cstddef>
#include <functional>
#include <memory>

namespace stoss::core {

/// The number of threads that `threads` means: itself, or all cores of this process if 0.
/// Always 1 in a build without threads.
int thread_count(int threads);

/// Calls `work(i)` once for every i in [0, count) on at most `threads` threads (0: all cores). The
/// items start in ascending order. Before each item `stop()` is asked; once it answers true no
/// further item starts. An empty `stop` never stops. Both functions are called from several threads
/// at once. Inside an item of a loop on several threads the loop is serial. The StopScope of the
/// caller (core/interrupt.hpp) holds in all threads.
/// Errors: after an exception of `work` or `stop` no further item starts. Of several exceptions
/// that of the lowest item is rethrown; it is the same one for any number of threads.
/// std::invalid_argument for negative `threads`.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& stop);

/// Threads for many short loops one after the other: `parallel_for` starts its threads in each
/// call, this class starts them once.
class Workers {
  public:
    /// `threads` as in `parallel_for`. Errors: std::invalid_argument if negative.
    explicit Workers(int threads);
    ~Workers();
    Workers(Workers&&) noexcept;
    Workers& operator=(Workers&&) noexcept;

    /// Calls `work(i)` once for every i in [0, count), in no particular order. The loop is serial
    /// inside an item of a loop on several threads, and while another thread uses these workers.
    /// The StopScope of the caller (core/interrupt.hpp) holds in all threads. Errors: one exception
    /// of `work` is rethrown; then items may have been left out.
    void for_each(std::size_t count, const std::function<void(std::size_t)>& work);

  private:
    class Pool;
    std::unique_ptr<Pool> pool_;  // none: the calling thread does it all
};

}  // namespace stoss::core
