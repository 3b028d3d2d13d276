#pragma once
/// Figures and report parts of experiments: comparisons, encoder traces, virtual experiments.

#include <vector>

#include <postproc/comparison.hpp>
#include <postproc/presentation.hpp>
#include <postproc/run_data.hpp>

namespace stoss::postproc {

/// Computed curves with the measured points and their error bars, and the differences.
Plan comparison_plan(const Experiment& experiment, const std::vector<ComparedCurve>& curves);

/// The agreement of each curve as a table.
std::string agreement_table(const Experiment& experiment, const std::vector<ComparedCurve>& curves);

/// Whether a run was made at the places of an experiment (it then holds experiment.csv).
bool has_experiment(const Run& run);

std::vector<Plan> comparison_figures(const Run& run);
ReportParts comparison_report(const Run& run);

/// `fit`: measured points, the fitted curve with its confidence band, and the differences.
std::vector<Plan> beam_fit_figures(const Run& run);
ReportParts beam_fit_report(const Run& run);

std::vector<Plan> encoder_figures(const Run& run);
ReportParts encoder_report(const Run& run);

std::vector<Plan> encoder_trace_figures(const Run& run);
ReportParts encoder_trace_report(const Run& run);

std::vector<Plan> virtual_experiment_figures(const Run& run);
ReportParts virtual_experiment_report(const Run& run);

}  // namespace stoss::postproc
