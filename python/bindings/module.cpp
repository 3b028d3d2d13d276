#include "module.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/io/provenance.hpp>
#include <stoss/io/system_error.hpp>

#include "background.hpp"

namespace py = pybind11;

namespace {

/// Advice to users of the command, with the arguments of Python in place of its options.
std::string advice_in_python(std::string advice) {
    using Words = std::pair<std::string_view, std::string_view>;
    constexpr std::array options{Words{" with -o", ""}, Words{"--force", "force=True"},
                                 Words{"--skip-bad leaves", "skip_bad=True leaves"},
                                 Words{"--pulses 2000", "pulses_per_revolution=2000"},
                                 Words{"--rate 2000", "sampling_rate=2000"}};
    for (const auto& [option, argument] : options) {
        const std::size_t at = advice.find(option);
        if (at != std::string::npos) advice.replace(at, option.size(), argument);
    }
    return advice;
}

/// Raises stoss.InputError with everything that was found wrong.
void raise_input_error(std::vector<stoss::core::Diagnostic> found) {
    for (stoss::core::Diagnostic& each : found)
        each.violation.suggestion = advice_in_python(std::move(each.violation.suggestion));
    const stoss::core::InputError error(std::move(found));
    const py::module_ errors = py::module_::import("stoss._errors");
    py::list diagnostics;
    for (const stoss::core::Diagnostic& each : error.diagnostics()) {
        const stoss::core::Violation& violation = each.violation;
        diagnostics.append(errors.attr("Diagnostic")(each.file, each.line, each.column,
                                                     violation.key, violation.value, violation.rule,
                                                     violation.suggestion));
    }
    const py::object type = errors.attr("InputError");
    const py::object raised = type(error.what(), diagnostics);
    PyErr_SetObject(type.ptr(), raised.ptr());
}

/// Raises OSError, or FileNotFoundError and others by the reason, with errno and the name.
void raise_os_error(const stoss::io::SystemError& error) {
    const auto name =
        py::reinterpret_steal<py::object>(PyUnicode_DecodeFSDefault(error.file().c_str()));
    const py::object raised = py::handle(PyExc_OSError)(error.reason(), error.failure(), name);
    PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
}

}  // namespace

PYBIND11_MODULE(_stoss, module) {
    module.doc() = "The core of Stoss. Use the package `stoss`.";
    py::register_exception_translator([](std::exception_ptr thrown) {
        const auto raise = [](const char* name, const char* words) {
            const py::object type = py::module_::import("stoss._errors").attr(name);
            PyErr_SetString(type.ptr(), words);
        };
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const stoss::core::InputError& error) {
            raise_input_error(error.diagnostics());
        } catch (const stoss::core::NumericalError& error) {
            raise("NumericalError", error.what());
        } catch (const stoss::io::SystemError& error) {
            raise_os_error(error);
        } catch (const stoss::core::FileError& error) {
            PyErr_SetString(PyExc_OSError, error.what());
        }
    });
    module.def("version", &stoss::io::version);
    module.def("commit", &stoss::io::commit);
    stoss::python::end_works_at_exit();
    stoss::python::add_cases(module);
    stoss::python::add_beams(module);
    stoss::python::add_points(module);
    stoss::python::add_rigid_contacts(module);
}
