# Writes <stoss/io/build_info.hpp>: what made this program. The commit is asked for at every build, but the
# header changes only if its content does, so that at most one source is compiled again.
if(CMAKE_SCRIPT_MODE_FILE)
  # In an archive of the sources git has written the commit into this file; in a clone it has not.
  file(STRINGS "${SOURCE_DIR}/cmake/commit.txt" commit LIMIT_COUNT 1)
  if(commit MATCHES "^[0-9a-f]+$")
    string(SUBSTRING "${commit}" 0 12 commit)
  else()
    set(commit "")
    find_program(git git)
    if(git)
      # No locks: a build must not get in the way of a commit that is being made.
      execute_process(
        COMMAND "${git}" --no-optional-locks describe --always --dirty=-modified --abbrev=12 --exclude=*
        WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
  endif()
  string(STRIP "${COMPILER_FLAGS}" COMPILER_FLAGS)
  string(REGEX REPLACE " +" " " COMPILER_FLAGS "${COMPILER_FLAGS}")
  file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#pragma once
/// Written by cmake/StossBuildInfo.cmake. Do not edit.

namespace stoss::io::build_info {

inline constexpr const char* version = "@VERSION@";
inline constexpr const char* commit = "@commit@";
inline constexpr const char* build_type = "@BUILD_TYPE@";
inline constexpr const char* compiler = "@COMPILER@";
inline constexpr const char* compiler_flags = R"(@COMPILER_FLAGS@)";
inline constexpr const char* libraries = "@LIBRARIES@";

}  // namespace stoss::io::build_info
]])
  return()
endif()

# stoss_add_build_info(TARGET): TARGET may include <stoss/io/build_info.hpp>.
function(stoss_add_build_info target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  set(options "$<FILTER:$<TARGET_PROPERTY:stoss_flags,INTERFACE_COMPILE_OPTIONS>,EXCLUDE,^-W>")
  get_property(versions GLOBAL PROPERTY STOSS_PACKAGE_VERSIONS)
  list(JOIN versions ", " libraries)
  set(folder "${PROJECT_BINARY_DIR}/generated")
  set(header "${folder}/stoss/io/build_info.hpp")
  add_custom_target(${target}_build_info
    COMMAND "${CMAKE_COMMAND}"
      "-DOUTPUT=${header}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DVERSION=${PROJECT_VERSION}"
      "-DBUILD_TYPE=$<CONFIG>" "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
      "-DCOMPILER_FLAGS=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} $<JOIN:${options}, >"
      "-DLIBRARIES=${libraries}"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    BYPRODUCTS "${header}"
    COMMENT "" VERBATIM)
  add_dependencies(${target} ${target}_build_info)
  target_include_directories(${target} PRIVATE "$<BUILD_INTERFACE:${folder}>")
endfunction()
