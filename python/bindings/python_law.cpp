#include "python_law.hpp"

#include <memory>
#include <string>

#include <stoss/core/interrupt.hpp>

namespace stoss::python {

namespace {

/// A function of Python; copies and the end need no lock.
class PythonForce {
  public:
    explicit PythonForce(const py::object& force)
        : force_(new py::object(force), [](py::object* owned) {
              const py::gil_scoped_acquire lock;
              delete owned;
          }) {}

    double operator()(double x, double v) const {
        core::throw_if_stopped();
        const py::gil_scoped_acquire lock;
        const py::object result = (*force_)(x, v);
        const double force = PyFloat_AsDouble(result.ptr());
        if (force == -1.0 && PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            throw py::type_error("the force of a contact law must be a number, not " +
                                 std::string(py::str(py::type::of(result))));
        }
        return force;
    }

  private:
    std::shared_ptr<const py::object> force_;
};

}  // namespace

contact::Law law_of(const py::object& force) {
    contact::FunctionLaw law;
    law.function = std::make_shared<const contact::ForceFunction>(PythonForce(force));
    return law;
}

Work with_python(const Work& work) {
    return [&work](const std::function<bool()>& stop) {
        // The state that Python keeps of a thread is made here, once, and not in each call.
        const py::gil_scoped_acquire with_lock;
        const py::gil_scoped_release without_lock;
        work(stop);
    };
}

}  // namespace stoss::python
