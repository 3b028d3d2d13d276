#pragma once
/// LAMMPS and MPI: the only file that includes their headers.

#include <fmt/format.h>

// LAMMPS's headers name this of fmt 8; fmt 9 has it no more. Nothing here calls it.
namespace fmt {
template <class... Arguments, class Format>
format_args make_args_checked(const Format&, const Arguments&...);
}  // namespace fmt

#include <mpi.h>

#define LAMMPS_LIB_MPI
#include <lammps/atom.h>
#include <lammps/comm.h>
#include <lammps/domain.h>
#include <lammps/fix.h>
#include <lammps/lammps.h>
#include <lammps/library.h>
#include <lammps/modify.h>
#include <lammps/neigh_list.h>
#include <lammps/neighbor.h>
#include <lammps/update.h>
