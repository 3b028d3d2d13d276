#pragma once
/// Contact laws whose force is a function of Python.

#include <functional>

#include <stoss/contact/laws.hpp>

#include "background.hpp"

namespace stoss::python {

/// A law whose force is what `force(overlap, rate)` of Python returns. The lock of the interpreter
/// is held in each call. What the function raises, and TypeError if it returns no number, is thrown
/// as py::error_already_set, from any thread.
contact::Law law_of(const py::object& force);

/// The same work, whose thread calls laws of Python quickly.
Work with_python(const Work& work);

}  // namespace stoss::python
