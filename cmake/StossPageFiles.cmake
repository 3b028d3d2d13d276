# stoss_add_page_files(TARGET): the style, the scripts and the citation of a report, as strings of TARGET.
function(stoss_add_page_files target)
  set(folder "${PROJECT_SOURCE_DIR}/postproc/report/page")
  set(citation "${PROJECT_SOURCE_DIR}/CITATION.cff")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${folder}/report.css" "${folder}/report.js" "${folder}/plot.py" "${citation}")
  file(READ "${folder}/report.css" style)
  file(READ "${folder}/report.js" script)
  file(READ "${folder}/plot.py" plot)
  file(READ "${citation}" facts)
  string(REGEX MATCH "\ntitle: \"([^\"]+)\"" found "${facts}")
  set(title "${CMAKE_MATCH_1}")
  string(REGEX MATCH "\n  - name: ([^\n]+)" found "${facts}")
  set(author "${CMAKE_MATCH_1}")
  if(NOT title OR NOT author)
    message(FATAL_ERROR "${citation}: a title in quotes and `  - name: ...` below authors are needed")
  endif()
  set(source "${PROJECT_BINARY_DIR}/generated/postproc/page_files.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
// Written by cmake/StossPageFiles.cmake. Do not edit.
#include <postproc/report/page_files.hpp>

namespace stoss::postproc::page_files {

const std::string_view style = R"page(@style@)page";
const std::string_view script = R"page(@script@)page";
const std::string_view plot = R"page(@plot@)page";
const std::string_view citation_title = "@title@";
const std::string_view citation_author = "@author@";

}  // namespace stoss::postproc::page_files
]])
  target_sources(${target} PRIVATE "${source}")
endfunction()
