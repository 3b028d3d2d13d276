#pragma once
/// The parts of the module `stoss._stoss`.

#include <pybind11/pybind11.h>

namespace stoss::python {

void add_cases(pybind11::module_& module);   ///< run, load, describe
void add_beams(pybind11::module_& module);   ///< collisions of a beam
void add_points(pybind11::module_& module);  ///< restitution and calibration of a point mass
void add_rigid_contacts(pybind11::module_& module);  ///< rigid contacts with friction, modes

}  // namespace stoss::python
