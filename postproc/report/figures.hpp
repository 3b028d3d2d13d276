#pragma once
/// The figures of a run, drawn from the files that it wrote.

#include <string>
#include <vector>

#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// One figure of a run directory.
struct DrawnFigure {
    std::string file;     ///< relative to the run directory, e.g. `figures/cor.svg`
    std::string caption;  ///< what is seen and how it is defined; `_{...}` is a subscript
};

struct DrawnFigures {
    std::vector<DrawnFigure> files;
    std::vector<std::string> warnings;  ///< gnuplot's, if it had any; normally empty
};

/// Draws the figures of a finished run into `run`/figures, as SVG and, `with_pdf`, as PDF too.
/// The same run gives the same bytes of SVG; a PDF holds its date.
/// Errors: core::FileError if the run is not complete (it names what is missing), if gnuplot is not
/// there or if a figure cannot be written; core::InputError if a file of the run is damaged;
/// core::NumericalError with gnuplot's words if it fails.
DrawnFigures make_figures(const Run& run, const Report& report, bool with_pdf = false);

}  // namespace stoss::postproc
