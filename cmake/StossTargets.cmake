# How every target of Stoss is made: one CMake target a folder, the same flags everywhere.

# Flags of the whole project. No fast-math and no contraction: a run must give the same bytes on every machine.
add_library(stoss_flags INTERFACE)
target_compile_features(stoss_flags INTERFACE cxx_std_20)
target_compile_options(stoss_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -ffp-contract=off
  $<$<BOOL:${STOSS_WERROR}>:-Werror>
  # Counts of several threads and processes add up only if they are kept atomically.
  $<$<BOOL:${STOSS_COVERAGE}>:--coverage>
  $<$<BOOL:${STOSS_COVERAGE}>:-Og>
  $<$<BOOL:${STOSS_COVERAGE}>:-fprofile-update=atomic>)
target_link_options(stoss_flags INTERFACE $<$<BOOL:${STOSS_COVERAGE}>:--coverage>)
# Eigen multiplies and adds in one instruction, by itself, where this says that ARM64 has it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  target_compile_options(stoss_flags INTERFACE -U__ARM_FEATURE_FMA)
endif()
if(STOSS_SANITIZE)
  target_compile_options(stoss_flags INTERFACE
    -fsanitize=${STOSS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(stoss_flags INTERFACE -fsanitize=${STOSS_SANITIZE})
endif()
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Sanitized code that computes is optimised a little, or its tests take minutes; the rest is not, or
# the build does.
set(stoss_computes)
if(STOSS_SANITIZE)
  set(stoss_computes -O1)
endif()

# What orchestrates, draws and tests waits for what computes: optimised a little, it is built in two thirds of the time.
set(stoss_orchestrates)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT STOSS_SANITIZE)
  set(stoss_orchestrates -O1)
endif()

# What reads is instrumented for the fuzzers; what computes is not, or its tests take minutes.
set(stoss_reads core io models postproc solvers)

# stoss_precompile(TARGET [ALWAYS] [HEADERS...]): what most sources include is read once, where the preset asks for it.
# Not in release builds: a source that forgets an include must not compile there. ALWAYS: of tests and bindings, for
# which nobody else waits and which take most of a build.
function(stoss_precompile target)
  cmake_parse_arguments(ARG "ALWAYS" "" "" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(NOT (STOSS_PRECOMPILE OR ARG_ALWAYS) OR count LESS 5)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory>
    <numeric> <optional> <span> <string> <variant> <vector> <Eigen/Core> <Eigen/SparseCore> <fmt/format.h>
    ${ARG_UNPARSED_ARGUMENTS})
  # Without the time, which a compiler cache would take for a change.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# stoss_folder(NAME [SUBFOLDERS folders...] [INCLUDE_ROOT dirs...] [LINK targets...] [PRIVATE_LINK targets...])
# The library of the current folder: all .cpp files in it and in its SUBFOLDERS (the list follows the folders), or an
# interface library if it has headers only. Alias stoss::NAME.
function(stoss_folder name)
  cmake_parse_arguments(ARG "" "" "SUBFOLDERS;INCLUDE_ROOT;LINK;PRIVATE_LINK" ${ARGN})
  set(patterns "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  foreach(folder IN LISTS ARG_SUBFOLDERS)
    list(APPEND patterns "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "/stoss\\.cpp$")
  set(target stoss_${name})
  set(linked ${ARG_LINK})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    # Read from the target rather than linked, as flags are not to be exported.
    target_compile_options(${target} PRIVATE "$<TARGET_PROPERTY:stoss_flags,INTERFACE_COMPILE_OPTIONS>")
    if(STOSS_FUZZ AND name IN_LIST stoss_reads)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    foreach(private IN LISTS ARG_PRIVATE_LINK)
      # Whoever links an archive needs the libraries behind it, but not the headers it was made with.
      get_target_property(type ${private} TYPE)
      if(type STREQUAL "INTERFACE_LIBRARY")
        target_include_directories(${target} SYSTEM PRIVATE
          "$<TARGET_PROPERTY:${private},INTERFACE_INCLUDE_DIRECTORIES>")
        target_compile_definitions(${target} PRIVATE
          "$<TARGET_PROPERTY:${private},INTERFACE_COMPILE_DEFINITIONS>")
      else()
        target_link_libraries(${target} PRIVATE ${private})
        list(APPEND linked ${private})
      endif()
    endforeach()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(stoss::${name} ALIAS ${target})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${ARG_INCLUDE_ROOT}>")
  target_link_libraries(${target} ${scope} ${ARG_LINK})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  stoss_packages_of(needed ${linked})
  set_property(GLOBAL PROPERTY STOSS_NEEDS_${name} ${needed})
endfunction()
