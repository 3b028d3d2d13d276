#pragma once
/// The lock of the interpreter, in threads that may outlive it.
///
/// Python ends a daemon thread that asks for the lock after the interpreter began to end: it
/// unwinds the thread by pthread_exit. That would pass destructors and `catch (...)` of C++, and
/// abort the process. Such a thread sleeps here instead, until the process is over.

#include <pybind11/pybind11.h>

#include <optional>

namespace stoss::python {

namespace py = pybind11;

/// True once the interpreter began to end. From any thread.
bool is_python_ending();

/// Then true in all threads but the one that ends the interpreter.
bool is_left_behind();

/// For a thread that is left behind.
[[noreturn]] void sleep_for_ever();

/// What `call()` returns. It calls functions of Python's C interface alone, and holds no object of
/// C++: these throw nothing, so what arrives is the end of the thread.
template <class Call>
auto in_python(const Call& call) {
    try {
        return call();
    } catch (...) {
        sleep_for_ever();
    }
}

/// While one lives, this thread holds the lock.
class WithLock {
  public:
    WithLock() {
        // A state of this thread cannot be made in an interpreter that is gone.
        if (is_left_behind()) sleep_for_ever();
        in_python([this] { lock_.emplace(); });
    }

  private:
    std::optional<py::gil_scoped_acquire> lock_;
};

/// While one lives, this thread, which holds the lock, lets others have it.
class WithoutLock {
  public:
    WithoutLock() : state_(PyEval_SaveThread()) {}
    ~WithoutLock() {
        in_python([this] { PyEval_RestoreThread(state_); });
    }
    WithoutLock(const WithoutLock&) = delete;
    WithoutLock& operator=(const WithoutLock&) = delete;

  private:
    PyThreadState* state_;
};

}  // namespace stoss::python
