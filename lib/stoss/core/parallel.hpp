#pragma once
/// Parallel map over independent work items (oneTBB). Results go to fixed places, so they do not
/// depend on the number of threads.

#include <cstddef>
#include <functional>
#include <memory>

namespace stoss::core {

/// The number of threads that `threads` stands for: itself, or all cores of this process if 0.
int thread_count(int threads);

/// Calls `work(i)` once for every i in [0, count) on at most `threads` threads (0: all cores), in
/// no particular order. Before each item `stop()` is asked; once it answers true no further item
/// starts. An empty `stop` never stops. Both functions are called from several threads at once.
/// Errors: the first exception of `work` or `stop` is rethrown, and no further item starts;
/// std::invalid_argument for negative `threads`.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& stop);

/// Threads for many short loops one after the other: what `parallel_for` sets up for each call is
/// set up once.
class Workers {
  public:
    /// `threads` as in `parallel_for`. Errors: std::invalid_argument if negative.
    explicit Workers(int threads);
    ~Workers();
    Workers(Workers&&) noexcept;
    Workers& operator=(Workers&&) noexcept;

    /// Calls `work(i)` once for every i in [0, count), in no particular order; `work` must not
    /// throw.
    void for_each(std::size_t count, const std::function<void(std::size_t)>& work);

  private:
    struct Threads;
    std::unique_ptr<Threads> threads_;  // none: the calling thread does it all
};

}  // namespace stoss::core
