#pragma once
/// The wish to stop: Ctrl-C (SIGINT) or SIGTERM.

#include <csignal>
#include <functional>
#include <stdexcept>

namespace stoss::core {

/// While one lives, the first SIGINT or SIGTERM is only noted (see `interrupted`), so that what is
/// done can be saved. The second one ends the program as if there were no InterruptGuard. A signal
/// that was ignored before (as under nohup) stays ignored. Not for use from several threads.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();  ///< what was there before holds again
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

  private:
    struct sigaction old_interrupt_ {};
    struct sigaction old_terminate_ {};
};

/// True once a signal has come since the last InterruptGuard was made. From any thread.
bool interrupted();

/// The caller's `stop` answered true: there are no results.
class Stopped : public std::runtime_error {
  public:
    Stopped() : std::runtime_error("stopped") {}
};

/// While one lives, work in this thread, and in the threads of its loops (core/parallel.hpp), is
/// left in the middle once `stop` answers true: `throw_if_stopped` throws there. For callers who
/// want no part of the results. `stop` must live as long; it is called from several threads at
/// once.
class StopScope {
  public:
    using Stop = std::function<bool()>;

    /// Null: nothing stops the work.
    explicit StopScope(const Stop* stop);
    ~StopScope();  ///< the one that was there before is back
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

    /// The stop function of this thread; may be null.
    static const Stop* current();

  private:
    const Stop* before_;
};

/// Errors: Stopped if the StopScope of this thread says so. Nothing without one.
void throw_if_stopped();

/// The same for loops of short steps: asks in one call of 256.
class StopCheck {
  public:
    void operator()() {
        if (++calls_ % 256 == 0) throw_if_stopped();
    }

  private:
    unsigned calls_ = 0;
};

}  // namespace stoss::core
