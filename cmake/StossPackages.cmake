# What Stoss is built on, and the package `stoss` that other projects find.

# stoss_find_package(NAME [arguments of find_package...]): finds it, or stops; notes how it was asked for
# and which version came, for whoever links the installed libraries and for `stoss --version`.
macro(stoss_find_package name)
  find_package(${name} ${ARGN} REQUIRED)
  set_property(GLOBAL APPEND PROPERTY STOSS_PACKAGES ${name})
  set_property(GLOBAL PROPERTY STOSS_PACKAGE_${name} ${name} ${ARGN})
  if(${name}_VERSION)
    set_property(GLOBAL APPEND PROPERTY STOSS_PACKAGE_VERSIONS "${name} ${${name}_VERSION}")
  endif()
endmacro()

# stoss_packages_of(OUTPUT TARGET...): the packages that somebody who links these targets must find too.
function(stoss_packages_of output)
  get_property(packages GLOBAL PROPERTY STOSS_PACKAGES)
  set(needed "")
  foreach(target IN LISTS ARGN)
    string(REGEX REPLACE "::.*" "" package "${target}")
    if(target MATCHES "^stoss::(.*)$")
      get_property(inherited GLOBAL PROPERTY STOSS_NEEDS_${CMAKE_MATCH_1})
      list(APPEND needed ${inherited})
    elseif(package IN_LIST packages)
      list(APPEND needed ${package})
    else()
      message(FATAL_ERROR "${target}: find its package with stoss_find_package, so that the installed package does too")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES needed)
  set(${output} "${needed}" PARENT_SCOPE)
endfunction()

# stoss_install_models(): the headers of `models` as <stoss/models/NAME.hpp> and <stoss/stoss.hpp>.
function(stoss_install_models)
  set(folder "${CMAKE_INSTALL_INCLUDEDIR}/stoss")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/" DESTINATION "${folder}/models" COMPONENT development
    FILES_MATCHING PATTERN "*.hpp" PATTERN "presets" EXCLUDE PATTERN "stoss.hpp" EXCLUDE)
  install(FILES "${PROJECT_SOURCE_DIR}/models/stoss.hpp" DESTINATION "${folder}" COMPONENT development)
  install(CODE "set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")" COMPONENT development)
  install(CODE [[
    file(GLOB headers "${folder}/models/*.hpp" "${folder}/stoss.hpp")
    foreach(header IN LISTS headers)
      file(READ "${header}" text)
      string(REPLACE "#include <models/" "#include <stoss/models/" text "${text}")
      file(WRITE "${header}" "${text}")
    endforeach()
  ]] COMPONENT development)
endfunction()

# stoss_memory_of_eigen(OUTPUT): definitions by which Eigen aligns and frees memory as the archives do, whatever the flags of
# the program that links them (-march=native, sanitizers). Without them its objects have another layout than those here.
function(stoss_memory_of_eigen output)
  include(CheckCXXSourceCompiles)
  get_target_property(CMAKE_REQUIRED_INCLUDES Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  set(CMAKE_REQUIRED_FLAGS "")
  if(STOSS_SANITIZE)
    set(CMAKE_REQUIRED_FLAGS "-fsanitize=${STOSS_SANITIZE}")
  endif()
  set(definitions "")
  foreach(definition MAX_ALIGN_BYTES=16 MAX_ALIGN_BYTES=32 MAX_ALIGN_BYTES=64 MALLOC_ALREADY_ALIGNED=0
      MALLOC_ALREADY_ALIGNED=1)
    string(REPLACE "=" " == " condition "EIGEN_${definition}")
    string(MAKE_C_IDENTIFIER "STOSS_${definition}" holds)
    check_cxx_source_compiles("#include <Eigen/Core>\nstatic_assert(${condition}, \"\");\nint main() {}" ${holds})
    if(${holds})
      list(APPEND definitions "EIGEN_${definition}")
    endif()
  endforeach()
  list(LENGTH definitions count)
  if(NOT count EQUAL 2)
    message(FATAL_ERROR "How Eigen ${Eigen3_VERSION} aligns memory with these flags is not known: ${definitions}")
  endif()
  set(${output} ${definitions} PARENT_SCOPE)
endfunction()

# stoss_install_libraries(FOLDER...): what `cmake --install` puts under the prefix besides the command, and
# the same package in the build tree. Each folder of lib/stoss, and `models`, is one component, stoss::FOLDER.
function(stoss_install_libraries)
  include(CMakePackageConfigHelpers)
  set_property(GLOBAL PROPERTY STOSS_COMPONENTS ${ARGN})
  set(cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/stoss")
  add_library(stoss_all INTERFACE)
  add_library(stoss::stoss ALIAS stoss_all)
  set_target_properties(stoss_all PROPERTIES EXPORT_NAME stoss)
  set(targets stoss_all)
  set(component_lines "")
  foreach(folder IN LISTS ARGN)
    target_link_libraries(stoss_all INTERFACE stoss_${folder})
    list(APPEND targets stoss_${folder})
    if(folder STREQUAL "models")
      stoss_install_models()
    else()
      install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/stoss/${folder}"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/stoss" COMPONENT development
        FILES_MATCHING PATTERN "*.hpp" PATTERN "detail" EXCLUDE)
    endif()
    get_property(needed GLOBAL PROPERTY STOSS_NEEDS_${folder})
    string(APPEND component_lines "set(stoss_needs_${folder} ${needed})\n")
    foreach(package IN LISTS needed)
      get_property(arguments GLOBAL PROPERTY STOSS_PACKAGE_${package})
      list(JOIN arguments " " arguments)
      list(APPEND package_lines "set(stoss_package_${package} ${arguments})")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES package_lines)
  list(JOIN package_lines "\n" package_lines)
  list(JOIN ARGN " " components)
  if(NOT EMSCRIPTEN)  # the laboratory is no package
    stoss_memory_of_eigen(memory_of_eigen)
  endif()

  install(TARGETS ${targets} EXPORT stossTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT stossTargets NAMESPACE stoss:: DESTINATION "${cmake_folder}" COMPONENT development)
  export(EXPORT stossTargets NAMESPACE stoss:: FILE "${PROJECT_BINARY_DIR}/stossTargets.cmake")

  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/stossConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/stossConfig.cmake" INSTALL_DESTINATION "${cmake_folder}"
    NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/stossConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  file(COPY "${PROJECT_SOURCE_DIR}/cmake/FindUDUNITS2.cmake" DESTINATION "${PROJECT_BINARY_DIR}")
  install(FILES "${PROJECT_BINARY_DIR}/stossConfig.cmake" "${PROJECT_BINARY_DIR}/stossConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindUDUNITS2.cmake"
    DESTINATION "${cmake_folder}" COMPONENT development)
endfunction()
