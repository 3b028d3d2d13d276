#include "python_law.hpp"

#include <memory>
#include <stdexcept>
#include <string>

#include <stoss/core/interrupt.hpp>

#include "lock.hpp"

namespace stoss::python {

namespace {

/// Refuses a number of numpy in single precision: its roundoff makes the force rough, and the
/// steps that follow it without number.
void check_precision(const py::object& force) {
    if (PyFloat_Check(force.ptr()) || !py::hasattr(force, "dtype")) return;
    const py::object type = force.attr("dtype");
    if (py::cast<std::string>(type.attr("kind")) == "f" &&
        py::cast<int>(type.attr("itemsize")) < 8) {
        throw py::type_error("the force of a contact law is a " + std::string(py::str(type)) +
                             "; compute it in double precision, as float");
    }
}

/// A function of Python; copies and the end need no lock.
class PythonForce {
  public:
    explicit PythonForce(py::object force)
        : force_(force.release().ptr(), [](PyObject* owned) {
              const WithLock lock;
              in_python([&] { Py_DECREF(owned); });
          }) {}

    double operator()(double x, double v) const {
        core::throw_if_stopped();
        const WithLock lock;
        PyObject* const found =
            in_python([&] { return PyObject_CallFunction(force_.get(), "dd", x, v); });
        if (found == nullptr) throw py::error_already_set();
        const auto result = py::reinterpret_steal<py::object>(found);
        check_precision(result);
        const double force = in_python([&] { return PyFloat_AsDouble(found); });
        if (force == -1.0 && PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            throw py::type_error("the force of a contact law must be a number, not " +
                                 std::string(py::str(py::type::of(result))));
        }
        return force;
    }

  private:
    std::shared_ptr<PyObject> force_;
};

}  // namespace

contact::Law law_of(const py::object& force) {
    contact::FunctionLaw law;
    law.function = std::make_shared<const contact::ForceFunction>(PythonForce(force));
    return law;
}

Work with_python(const Work& work) {
    if (is_python_ending())
        throw std::runtime_error("a contact law of Python cannot be computed while Python ends");
    return [&work](const std::function<bool()>& stop) {
        // The state that Python keeps of a thread is made here, once, and not in each call.
        const WithLock with_lock;
        const WithoutLock without_lock;
        work(stop);
    };
}

}  // namespace stoss::python
