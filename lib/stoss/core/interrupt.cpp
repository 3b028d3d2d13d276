#include <stoss/core/interrupt.hpp>

#include <atomic>

namespace stoss::core {
namespace {

// Lock-free atomics are the only shared data that a signal handler and threads may both touch.
std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

thread_local const StopScope::Stop* stop_here = nullptr;

extern "C" void note_signal(int) {
    signalled = true;
    struct sigaction default_action {};
    default_action.sa_handler = SIG_DFL;
    for (const int each : {SIGINT, SIGTERM}) {
        struct sigaction present {};
        sigaction(each, nullptr, &present);
        // One that was ignored stays ignored.
        if (present.sa_handler == note_signal) sigaction(each, &default_action, nullptr);
    }
}

void install(int signal, struct sigaction& old_action) {
    sigaction(signal, nullptr, &old_action);
    if (old_action.sa_handler == SIG_IGN) return;
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;  // a write that is under way must not fail
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    signalled = false;
    install(SIGINT, old_interrupt_);
    install(SIGTERM, old_terminate_);
}

InterruptGuard::~InterruptGuard() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool interrupted() {
    return signalled;
}

StopScope::StopScope(const Stop* stop) : before_(stop_here) {
    stop_here = stop;
}

StopScope::~StopScope() {
    stop_here = before_;
}

const StopScope::Stop* StopScope::current() {
    return stop_here;
}

void throw_if_stopped() {
    if (stop_here != nullptr && (*stop_here)()) throw Stopped();
}

}  // namespace stoss::core
