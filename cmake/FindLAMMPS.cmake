# LAMMPS as a library: defines LAMMPS::lammps. Debian's own CMake files of liblammps-dev also want the program
# `lmp` of another package, which nothing here calls.
find_path(LAMMPS_INCLUDE_DIR lammps/library.h)
find_library(LAMMPS_LIBRARY lammps)
include(StossPkgConfig)
stoss_pkg_config_version(LAMMPS_VERSION "${LAMMPS_LIBRARY}" liblammps)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LAMMPS REQUIRED_VARS LAMMPS_LIBRARY LAMMPS_INCLUDE_DIR VERSION_VAR LAMMPS_VERSION)
if(LAMMPS_FOUND AND NOT TARGET LAMMPS::lammps)
  add_library(LAMMPS::lammps UNKNOWN IMPORTED)
  set_target_properties(LAMMPS::lammps PROPERTIES
    IMPORTED_LOCATION "${LAMMPS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LAMMPS_INCLUDE_DIR};${LAMMPS_INCLUDE_DIR}/lammps")
endif()
mark_as_advanced(LAMMPS_INCLUDE_DIR LAMMPS_LIBRARY)
