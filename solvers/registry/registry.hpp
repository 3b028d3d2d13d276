#pragma once
/// The list of all problems, and how the runs of each are shown.

#include <span>
#include <string>

#include <postproc/report/figure.hpp>
#include <postproc/report/figures.hpp>
#include <postproc/report/run_data.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// All problems, in alphabetical order.
std::span<const Problem> problems();

/// The problem that the document's `problem:` names. Throws core::InputError if there is none.
const Problem& problem_of(const io::Document& document);

/// How the run of a problem, or of a command such as `stoss compare`, is shown.
/// Errors: core::FileError if there is no such problem or command.
const postproc::Report& report_of(const postproc::Run& run);

/// Draws the figures of a finished run and writes its report (postproc/report/report.hpp).
/// Errors: as postproc::read_run, `report_of` and postproc::write_report.
void write_report(const std::string& run_dir, const postproc::FigureOptions& options = {});

}  // namespace stoss::solvers
