#pragma once
/// Long work without the lock of the interpreter: other Python threads run on, Ctrl-C stops it.

#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>

namespace stoss::python {

namespace py = pybind11;

/// Long work; `stop()` is true once it is to end.
using Work = std::function<void(const std::function<bool()>& stop)>;

/// Calls `work(stop)` in a thread of its own, with `stop` as its core::StopScope, and waits for it.
/// The caller looks for signals, and calls `progress(what, done, total)` unless it is None, every
/// 20 ms. When Python's signal handler
/// or `progress` raises, the work is stopped, its thread has ended, and that exception goes on.
/// What `work` throws is thrown here. A work may call Python, which may start a nested one.
/// Does not return to a daemon thread once the interpreter ends.
/// Errors: RecursionError beyond 50 nested works.
void in_background(const Work& work, const py::object& progress = py::none());

/// From now on works that still run when the interpreter ends, those of daemon threads, are
/// stopped.
void end_works_at_exit();

}  // namespace stoss::python
