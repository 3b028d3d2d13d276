#pragma once
/// The wish to stop: Ctrl-C (SIGINT) or SIGTERM.

#include <csignal>
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

}  // namespace stoss::core
