#pragma once
/// The figures of a run, drawn from the files that it wrote.

#include <optional>
#include <string>
#include <vector>

#include <postproc/report/drawing.hpp>
#include <postproc/report/figure.hpp>
#include <postproc/report/run_data.hpp>
#include <stoss/io/json.hpp>

namespace stoss::postproc {

/// One figure of a run directory.
struct DrawnFigure {
    std::string file;     ///< relative to the run directory, e.g. `figures/cor.svg`
    std::string caption;  ///< what is seen and how it is defined; `_{...}` is a subscript
    std::string wide;     ///< SVG as wide as a page; empty for one to scale
    std::string narrow;   ///< SVG for one column of a journal, a phone
    io::Value data;       ///< its numbers (`figure_data`), and the places of its panels
};

/// How the files of figures are drawn. SVG is written always.
struct FigureOptions {
    bool pdf = false;
    bool png = false;                      ///< at 300 dots an inch
    double width = figure_width;           ///< [px]
    std::optional<bool> scaled_axes = {};  ///< if not given, as the case says
};

struct DrawnFigures {
    std::vector<DrawnFigure> files;
    std::vector<std::string> warnings;  ///< gnuplot's, if it had any; normally empty
};

/// Draws the figures of a finished run into `run`/figures, and writes beside them their numbers,
/// figures.json, and a script that draws them by matplotlib, plot.py.
/// The same run gives the same bytes of SVG; a PDF holds its date.
/// Errors: core::FileError if the run is not complete (it names what is missing), if gnuplot is not
/// there or if a figure cannot be written; core::InputError if a file of the run is damaged;
/// core::NumericalError with gnuplot's words if it fails.
DrawnFigures make_figures(const Run& run, const Report& report, const FigureOptions& options = {});

/// The figures in a run directory, in all formats, as its figures.json lists them: "figures/e.svg".
/// None if it has no such list.
std::vector<std::string> files_of_figures(const std::string& run_dir);

}  // namespace stoss::postproc
