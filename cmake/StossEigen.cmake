# On ARM64 Eigen's product of matrices multiplies and adds in one instruction, and takes six rows at a time. On x86-64
# it takes two instructions and four rows. The last digits of products and of factors differ. Two headers of Eigen decide
# this, and no option of Eigen changes it. So the build for ARM64 has a copy of Eigen's headers, in which these two do as
# on x86-64.

# Copies one header of Eigen with a change: stoss_change_header(FROM TO HEADER EXPRESSION REPLACEMENT)
function(stoss_change_header from to header expression replacement)
  file(READ "${from}/${header}" text)
  string(REGEX REPLACE "${expression}" "${replacement}" changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "${from}/${header} has no \"${expression}\": with this version of Eigen (${Eigen3_VERSION}) the "
      "last digits on ARM64 would differ from those on x86-64. Eigen 3.4 is known to work.")
  endif()
  # A header that is written again is compiled again.
  if(EXISTS "${to}/${header}")
    file(READ "${to}/${header}" text)
  endif()
  if(NOT changed STREQUAL text)
    file(WRITE "${to}/${header}" "${changed}")
  endif()
endfunction()

# Eigen3::Eigen with the copy in place of the headers of the system.
function(stoss_use_eigen_as_on_x86)
  get_target_property(system Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  set(copy "${PROJECT_BINARY_DIR}/generated/eigen")
  set(packets Eigen/src/Core/arch/NEON/PacketMath.h)
  set(products Eigen/src/Core/arch/NEON/GeneralBlockPanelKernel.h)
  file(COPY "${system}/" DESTINATION "${copy}" PATTERN "${packets}" EXCLUDE PATTERN "${products}" EXCLUDE)
  stoss_change_header("${system}" "${copy}" ${packets} "#define EIGEN_HAS_SINGLE_INSTRUCTION_MADD" "")
  stoss_change_header("${system}" "${copy}" ${products}
    "vfmaq_(n|laneq)_f64\\(c, a, (b[^)]*)\\)" "vaddq_f64(c, vmulq_\\1_f64(a, \\2))")
  set_target_properties(Eigen3::Eigen PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${copy}")
endfunction()
