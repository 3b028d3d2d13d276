#pragma once
/// What is done to gnuplot's SVG before it is a figure of a run.

#include <string>

namespace stoss::postproc {

/// The same drawing for the world: no trace of the gnuplot version, a name and a description for
/// screen readers, fonts that exist everywhere, no definition that is not used, and identifiers
/// that begin with `prefix`, so that one page can hold several drawings.
/// Errors: core::FileError if `svg` is not complete (gnuplot could not write all of it).
std::string tidy_svg(const std::string& svg, const std::string& prefix, const std::string& name,
                     const std::string& description);

/// The `<svg>` element alone, for use inside HTML.
std::string svg_element(const std::string& svg);

}  // namespace stoss::postproc
