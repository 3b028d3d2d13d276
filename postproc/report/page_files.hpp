#pragma once
/// Files of the folder `page` and the facts of CITATION.cff, as this program carries them.
/// cmake/StossPageFiles.cmake writes the source.

#include <string_view>

namespace stoss::postproc::page_files {

extern const std::string_view style;   ///< report.css
extern const std::string_view script;  ///< report.js: values under the pointer
extern const std::string_view plot;    ///< plot.py: the figures by matplotlib
extern const std::string_view citation_title;
extern const std::string_view citation_author;

}  // namespace stoss::postproc::page_files
