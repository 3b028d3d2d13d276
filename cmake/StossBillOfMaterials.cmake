# Writes stoss.cdx.json beside the build and installs it with the command: what Stoss is made of, with versions,
# licences and Debian packages, in the words of CycloneDX 1.4. A package without a licence here stops the
# configuration.

set(licence_of_Boost "BSL-1.0")
set(licence_of_CLI11 "BSD-3-Clause")
set(licence_of_Ceres "BSD-3-Clause")
set(licence_of_Eigen3 "MPL-2.0")
set(licence_of_LAMMPS "GPL-2.0-only")
set(licence_of_MPI "BSD-3-Clause")
set(licence_of_UDUNITS2 "UCAR")
set(licence_of_VTK "BSD-3-Clause")
set(licence_of_deal.II "LGPL-2.1-or-later")
set(licence_of_fmt "MIT")
set(licence_of_hwy "Apache-2.0")
set(licence_of_nlohmann_json "MIT")
set(licence_of_spectra "MPL-2.0")
set(licence_of_yaml-cpp "MIT")

set(debian_of_CLI11 libcli11-dev)
set(debian_of_Ceres libceres-dev)
set(debian_of_deal.II libdeal.ii-dev)
set(debian_of_LAMMPS liblammps-dev)
set(debian_of_MPI libopenmpi-dev)
set(debian_of_nlohmann_json nlohmann-json3-dev)
set(debian_of_spectra libspectra-dev)

# stoss_debian_version(OUTPUT PACKAGE): the version of an installed Debian package; empty on other systems.
find_program(STOSS_DPKG_QUERY dpkg-query)
mark_as_advanced(STOSS_DPKG_QUERY)
function(stoss_debian_version output package)
  set(lines "")
  if(STOSS_DPKG_QUERY)
    execute_process(COMMAND "${STOSS_DPKG_QUERY}" --show --showformat "\${Version}\\n" "${package}"
      OUTPUT_VARIABLE lines ERROR_QUIET)
  endif()
  string(REGEX REPLACE "\n.*" "" version "${lines}")  # of the first architecture
  set(${output} "${version}" PARENT_SCOPE)
endfunction()

# stoss_bill_row(OUTPUT TYPE NAME VERSION LICENCE PACKAGE): one component, as JSON. VERSION as CMake found it, or empty.
function(stoss_bill_row output type name version licence package)
  stoss_debian_version(debian "${package}")
  set(purl "pkg:deb/debian/${package}")
  if(debian)
    string(REPLACE "+" "%2B" encoded "${debian}")
    string(REPLACE ":" "%3A" encoded "${encoded}")
    string(APPEND purl "@${encoded}")
  endif()
  if(NOT version)
    set(version "${debian}")
  endif()
  if(version)
    set(version "\"version\": \"${version}\", ")
  endif()
  set(${output} "    {\"type\": \"${type}\", \"name\": \"${name}\", ${version}\"licenses\": [{\"license\": {\"id\": \"${licence}\"}}], \"purl\": \"${purl}\"}" PARENT_SCOPE)
endfunction()

# stoss_bill_component(OUTPUT NAME): one library, as JSON.
function(stoss_bill_component output name)
  if(NOT DEFINED licence_of_${name} OR NOT DEFINED debian_of_${name})
    message(FATAL_ERROR "cmake/StossBillOfMaterials.cmake: licence and Debian package of ${name}?")
  endif()
  get_property(versions GLOBAL PROPERTY STOSS_PACKAGE_VERSIONS)
  set(version "")
  foreach(entry IN LISTS versions)
    if(entry MATCHES "^${name} (.*)$")
      set(version "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  stoss_bill_row(row library "${name}" "${version}" "${licence_of_${name}}" "${debian_of_${name}}")
  set(${output} "${row}" PARENT_SCOPE)
endfunction()

get_property(packages GLOBAL PROPERTY STOSS_PACKAGES)
list(REMOVE_ITEM packages Threads)  # of the C library
set(components "")
foreach(package IN LISTS packages)
  stoss_bill_component(component ${package})
  list(APPEND components "${component}")
endforeach()
stoss_bill_row(gnuplot application gnuplot "" gnuplot gnuplot-nox)
list(APPEND components "${gnuplot}")
list(JOIN components ",\n" components)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/stoss.cdx.json" @ONLY CONTENT [[
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.4",
  "version": 1,
  "metadata": {
    "component": {"type": "application", "name": "stoss", "version": "@PROJECT_VERSION@", "licenses": [{"license": {"id": "BSD-3-Clause"}}]}
  },
  "components": [
@components@
  ]
}
]])
install(FILES "${PROJECT_BINARY_DIR}/stoss.cdx.json" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)
