# Builds for browsers by Emscripten: the header-only packages of this machine without the rest of /usr/include, whose
# system headers are not those of WebAssembly.

set(headers "${PROJECT_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${headers}")
foreach(folder boost fmt hwy nlohmann Spectra)
  file(CREATE_LINK "/usr/include/${folder}" "${headers}/${folder}" SYMBOLIC)
endforeach()
# Eigen has no vectors for WebAssembly: it takes those of SSE2 (-msse2 of the preset), which Emscripten's xmmintrin.h and
# emmintrin.h map to those of WebAssembly. Eigen asks for this older header as well and takes nothing from it. With the version
# of GCC that clang claims (4.2), or one from 6.0 on, Eigen writes assembler of x86: the preset claims 5.13.
file(CONFIGURE OUTPUT "${headers}/mmintrin.h" CONTENT "#pragma once\n")  # untouched if it is there

# stoss_header_package(NAME TARGET FOLDERS...): an imported target for the headers in these folders.
function(stoss_header_package name target)
  foreach(folder IN LISTS ARGN)
    if(NOT EXISTS "${folder}")
      message(FATAL_ERROR "${name}: ${folder} is missing (packages.txt)")
    endif()
  endforeach()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${ARGN})
  set_property(GLOBAL APPEND PROPERTY STOSS_PACKAGES ${name})
  set_property(GLOBAL PROPERTY STOSS_PACKAGE_${name} ${name})
endfunction()

stoss_header_package(Eigen3 Eigen3::Eigen /usr/include/eigen3)
stoss_header_package(spectra Spectra::Spectra /usr/include/eigen3 "${headers}")
stoss_header_package(Boost Boost::headers "${headers}")
stoss_header_package(fmt fmt::fmt "${headers}")
stoss_header_package(hwy hwy::hwy "${headers}")
stoss_header_package(nlohmann_json nlohmann_json::nlohmann_json "${headers}")
target_compile_definitions(Boost::headers INTERFACE BOOST_DISABLE_THREADS)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
# Highway 1.0.3 has no doubles for the vectors of WebAssembly: its portable target.
target_compile_definitions(hwy::hwy INTERFACE HWY_COMPILE_ONLY_EMU128)
