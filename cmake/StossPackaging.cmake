# `cpack` makes Debian packages: stoss (the command), libstoss-dev (the libraries) and, with STOSS_PYTHON, python3-stoss.

if(STOSS_BUILD_COMMAND)
  install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright COMPONENT command)
  install(FILES README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)
  install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)
  install(DIRECTORY cases/tutorial cases/published
    DESTINATION "${CMAKE_INSTALL_DOCDIR}/cases" COMPONENT command)
endif()
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/libstoss-dev" RENAME copyright
  COMPONENT development EXCLUDE_FROM_ALL)  # Debian wants one in each package
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/libstoss-dev" COMPONENT development)

add_custom_target(uninstall
  COMMAND "${CMAKE_COMMAND}" "-DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt"
    -P "${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake"
  COMMENT "Removing what was installed" VERBATIM)

# Which package brings what the libraries need.
set(debian_of_Boost libboost-dev)
set(debian_of_Eigen3 libeigen3-dev)
set(debian_of_Threads libc6-dev)
set(debian_of_UDUNITS2 libudunits2-dev)
set(debian_of_VTK libvtk9-dev)
set(debian_of_fmt libfmt-dev)
set(debian_of_hwy libhwy-dev)
set(debian_of_yaml-cpp libyaml-cpp-dev)

# stoss_debian_packages(OUTPUT FOLDER...): of what these folders of lib/stoss need.
function(stoss_debian_packages output)
  set(names "")
  foreach(folder IN LISTS ARGN)
    get_property(needed GLOBAL PROPERTY STOSS_NEEDS_${folder})
    foreach(package IN LISTS needed)
      if(NOT DEFINED debian_of_${package})
        message(FATAL_ERROR "cmake/StossPackaging.cmake: which Debian package brings ${package}?")
      endif()
      list(APPEND names ${debian_of_${package}})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  set(${output} "${names}" PARENT_SCOPE)
endfunction()

# VTK is by far the largest and only files need it: recommended, so that it can be left out.
get_property(folders GLOBAL PROPERTY STOSS_COMPONENTS)
stoss_debian_packages(for_files ${folders})
list(REMOVE_ITEM folders io)
stoss_debian_packages(for_computing ${folders})
list(REMOVE_ITEM for_files ${for_computing})
list(JOIN for_computing ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
list(JOIN for_files ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Stoss developers")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL development)
if(STOSS_BUILD_COMMAND)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()
if(STOSS_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/python3-stoss" RENAME copyright
    COMPONENT python EXCLUDE_FROM_ALL)
  # The module is built for one version of Python.
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-stoss)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-pandas, python3-matplotlib, gnuplot-nox | gnuplot")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python package stoss: the same core, with arrays and objects.")
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME stoss)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "gnuplot-nox | gnuplot")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "The command stoss turns cases (YAML with units) into tables, figures and a report.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libstoss-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Libraries and headers for C++ programs that compute collisions themselves; CMake: find_package(stoss).")
include(CPack)
