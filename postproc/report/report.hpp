#pragma once
/// The report of a run: one page that holds everything, without network. Its script shows the
/// numbers under the pointer; without scripts the page holds the same.

#include <postproc/report/figure.hpp>
#include <postproc/report/figures.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// Draws the figures of a finished run (see `make_figures`) and writes `run`/report.html: what
/// was run, results with units, figures, expectations, energy balance, warnings, provenance and the
/// resolved case. The numbers are those of the files of the run. Only the collisions that a click
/// on the curve of a map shows are computed again, from case.yaml. The same files give the same
/// bytes.
/// Errors: as `make_figures`. If gnuplot is not there or fails, the report is written without
/// figures before the error is thrown: no number is lost.
void write_report(const Run& run, const Report& report, const FigureOptions& options = {});

}  // namespace stoss::postproc
