# stoss_pkg_config_version(OUTPUT LIBRARY NAME): the version in NAME.pc beside the library, for packages that bring no CMake
# file; empty if there is none. The file is read as it stands, so that the program pkg-config is not needed.
function(stoss_pkg_config_version output library name)
  get_filename_component(folder "${library}" DIRECTORY)
  set(${output} "" PARENT_SCOPE)
  set(file "${folder}/pkgconfig/${name}.pc")
  if(EXISTS "${file}")
    file(STRINGS "${file}" line REGEX "^Version:" LIMIT_COUNT 1)
    string(REGEX REPLACE "^Version: *" "" version "${line}")
    set(${output} "${version}" PARENT_SCOPE)
  endif()
endfunction()
