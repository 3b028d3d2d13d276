# stoss_write_laws(OUTPUT [INSTALLED] FOLDER|HEADER...): <stoss/contact/laws.hpp>, which includes every law of the
# folders, and single ones, and joins them in one variant. A law is one header whose struct is named as the file
# (hunt_crossley.hpp: HuntCrossley). INSTALLED: as it stands where all laws lie in one folder.
function(stoss_write_laws output)
  cmake_parse_arguments(ARG "INSTALLED" "" "" ${ARGN})
  set(includes "")
  set(names "")
  foreach(folder IN LISTS ARG_UNPARSED_ARGUMENTS)
    if(folder MATCHES "\\.hpp$")
      set(headers "${folder}")
      get_filename_component(folder "${folder}" DIRECTORY)
    else()
      file(GLOB headers CONFIGURE_DEPENDS "${folder}/*.hpp")
    endif()
    if(NOT headers)
      message(FATAL_ERROR "No contact law (*.hpp) in ${folder}")
    endif()
    # The first law is the one that a case has by default.
    if("${folder}/hertz.hpp" IN_LIST headers)
      list(REMOVE_ITEM headers "${folder}/hertz.hpp")
      list(PREPEND headers "${folder}/hertz.hpp")
    endif()
    foreach(header IN LISTS headers)
      get_filename_component(stem "${header}" NAME_WE)
      string(REPLACE "_" ";" words "${stem}")
      set(struct "")
      foreach(word IN LISTS words)
        string(SUBSTRING "${word}" 0 1 first)
        string(SUBSTRING "${word}" 1 -1 rest)
        string(TOUPPER "${first}" first)
        string(APPEND struct "${first}${rest}")
      endforeach()
      if(struct IN_LIST names)
        message(FATAL_ERROR "${header}: there is already a contact law of this name")
      endif()
      if(ARG_INSTALLED OR folder MATCHES "lib/stoss/contact/laws$")
        list(APPEND includes "#include <stoss/contact/laws/${stem}.hpp>")
      else()
        list(APPEND includes "#include \"${header}\"")
      endif()
      list(APPEND names "${struct}")
    endforeach()
  endforeach()
  list(JOIN includes "\n" include_lines)
  list(JOIN names ", " law_list)
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT [[
#pragma once
/// Written by cmake/StossLaws.cmake from the folders of contact laws. Do not edit.

#include <variant>

@include_lines@

namespace stoss::contact {

/// Any contact law. Visited once a run, so that each law gets its own inlined loop.
using Law = std::variant<@law_list@>;

template <ContactLaw... Laws>
constexpr bool all_are_contact_laws(const std::variant<Laws...>*) { return true; }
static_assert(all_are_contact_laws(static_cast<const Law*>(nullptr)));

}  // namespace stoss::contact
]])
endfunction()
