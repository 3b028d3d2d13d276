#pragma once
/// The sections along a beam as a table of their own (CSV).

#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// Puts `stations` in the place of every `section.table` of the beams in a case.
///
/// One row a station: `x_m` or `xi`; the dimensions of the shape, each with its unit behind its
/// name, such as `radius_mm`; `shape` names the shapes, circles if it is left out. A cell that its
/// shape has no use for stays empty. The place may be in any unit of length, and the table runs
/// from 0 to the length of the beam.
/// Errors: core::FileError if the table cannot be read; core::InputError with file, line and column
/// of everything that is wrong with it.
void read_profile_tables(io::Document& document);

}  // namespace stoss::solvers
