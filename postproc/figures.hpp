#pragma once
/// The figures of a run, drawn from the files that it wrote.

#include <string>
#include <vector>

namespace stoss::postproc {

/// One figure of a run directory.
struct Figure {
    std::string file;     ///< relative to the run directory, e.g. `figures/cor.svg`
    std::string caption;  ///< what is seen and how it is defined; `_{...}` is a subscript
};

struct Figures {
    std::vector<Figure> files;
    std::vector<std::string> warnings;  ///< gnuplot's, if it had any; normally empty
};

/// Draws the figures of a finished run into `run_dir`/figures, as SVG and, `with_pdf`, as PDF too:
/// cor, energy and impulse_duration for a `beam_impact_map`, collision for a `beam_impact`.
/// The same run gives the same bytes of SVG; a PDF holds its date.
/// Errors: core::FileError if the directory is no complete run (it names what is missing), if
/// gnuplot is not there or if a figure cannot be written; core::InputError if a file of the run is
/// damaged; core::NumericalError with gnuplot's words if it fails.
Figures make_figures(const std::string& run_dir, bool with_pdf = false);

}  // namespace stoss::postproc
