#pragma once
/// Figures and report parts of experiments: comparisons and encoder traces; and what the figures
/// of every problem with measured points share.

#include <initializer_list>
#include <string>
#include <vector>

#include <postproc/experiment/comparison.hpp>
#include <postproc/report/drawing.hpp>
#include <postproc/report/figure.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// Computed curves with the measured points and their error bars, and the differences.
Figure comparison_figure(const Experiment& experiment, const std::vector<ComparedCurve>& curves);

/// The agreement of each curve as a table.
std::string agreement_table(const Experiment& experiment, const std::vector<ComparedCurve>& curves);

/// Whether a run was made at the places of an experiment (it then holds experiment.csv).
bool has_experiment(const Run& run);

/// A place [SI] of an experiment, in the unit that its figures have: "xi = 0.9", "x = 280 mm",
/// "1.2 m/s".
std::string place_words(const Experiment& experiment, double place);
/// Axis of the places of an experiment; `unit` of lengths, as ` (mm)`.
Axis place_axis(Abscissa abscissa, Extent extent, const std::string& unit = " (m)");
/// Circles with error bars.
Curve measured_curve(const Experiment& experiment);
/// What the circles of `measured_curve` are.
std::string measured_caption(const Experiment& experiment);
/// Extends `extent` by the ends of all error bars.
void include_bars(Extent& extent, const Experiment& experiment);

/// True if summary.json says that the data are computed.
bool is_synthetic(const Run& run);
/// The badge of synthetic data; empty if it is not `shown`.
std::string synthetic_badge(bool shown);
/// A table (HTML) of these keys of summary.json, without those that are not there.
std::string input_table(const Run& run, std::initializer_list<const char*> keys);

std::vector<Figure> comparison_figures(const Run& run);
ReportParts comparison_report(const Run& run);

std::vector<Figure> encoder_figures(const Run& run);
ReportParts encoder_report(const Run& run);

std::vector<Figure> encoder_trace_figures(const Run& run);
ReportParts encoder_trace_report(const Run& run);

}  // namespace stoss::postproc
