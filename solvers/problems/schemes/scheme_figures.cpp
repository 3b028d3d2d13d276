#include <solvers/problems/schemes/scheme_figures.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/error.hpp>

namespace stoss::postproc {

namespace {

constexpr const char* closed_form = "closed_form";
constexpr const char* overlap_label = "overlap {/:Italic x}";
constexpr const char* velocity_label = "velocity {/:Italic v} (m/s)";

/// The rows of one scheme in a table that has several for each.
struct SchemeRows {
    std::string scheme;
    Numbers numbers;
};

std::vector<SchemeRows> read_schemes(const Run& run, std::string_view file) {
    const io::Table table = read_table(run, file);
    const std::vector<std::string> schemes = table.texts("scheme");
    std::vector<SchemeRows> groups;
    std::vector<std::vector<double>> columns;
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
        columns.push_back(table.numbers(table.columns[c].name));
    }
    for (std::size_t row = 0; row < schemes.size(); ++row) {
        if (groups.empty() || groups.back().scheme != schemes[row]) {
            groups.push_back({schemes[row], {table.file, {}, {}}});
            for (std::size_t c = 1; c < table.columns.size(); ++c) {
                groups.back().numbers.names.push_back(table.columns[c].name);
            }
            groups.back().numbers.columns.resize(columns.size());
        }
        for (std::size_t c = 0; c < columns.size(); ++c) {
            groups.back().numbers.columns[c].push_back(columns[c][row]);
        }
    }
    return groups;
}

/// A name for the eye: "rk4 fine" for "rk4_fine".
std::string title_of(std::string scheme) {
    std::replace(scheme.begin(), scheme.end(), '_', ' ');
    return plain(scheme);
}

/// The curve of one scheme, or the closed form in black below all others.
Curve curve_of(const SchemeRows& rows, std::size_t index, std::vector<double> x,
               std::vector<double> y) {
    Curve curve{title_of(rows.scheme), line_style(index), std::move(x), std::move(y)};
    if (rows.scheme == closed_form) curve.style = {"#000000", "solid", 2.2};
    return curve;
}

/// Overlap or energy against velocity, which falls during the impact: time runs to the left.
Figure phase_figure(const std::vector<SchemeRows>& samples, std::string_view column,
                    const std::string& label, std::string_view unit, std::string name,
                    std::string caption) {
    Figure figure{std::move(name), std::move(caption), {}};
    Extent velocities, values;
    for (const SchemeRows& rows : samples) {
        velocities.include(rows.numbers.column("velocity_m_per_s"));
        values.include(rows.numbers.column(column));
    }
    const Magnitude magnitude = si_prefix(values, unit);
    Panel panel;
    panel.height = 200.0;
    std::size_t index = 0;
    for (const SchemeRows& rows : samples) {
        std::vector<double> y = rows.numbers.column(column);
        for (double& value : y) value *= magnitude.factor;
        Curve curve = curve_of(rows, index, rows.numbers.column("velocity_m_per_s"), std::move(y));
        index += rows.scheme != closed_form;
        panel.curves.push_back(std::move(curve));
    }
    panel.y = nice_axis(label + magnitude.words, scaled(values, magnitude.factor), 5);
    figure.drawing.x = tight_axis(velocity_label, velocities, 6);
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

Figure rebound_figure(const std::vector<SchemeRows>& rebounds) {
    Figure figure{
        "rebounds",
        "A sequence of rebounds, each beginning at x = 0 with the speed of the last. Top: "
        "rebound speed, the reference in black. Below: magnitude of the error of the rebound's "
        "energy against that of the reference sequence.",
        {}};
    Extent numbers, speeds, errors;
    Panel speed, error;
    speed.height = error.height = 130.0;
    for (const SchemeRows& rows : rebounds) {
        const std::vector<double>& x = rows.numbers.column("rebound");
        std::vector<double> v = rows.numbers.column("velocity_m_per_s");
        std::vector<double> e = rows.numbers.column("energy_error_percent");
        for (double& value : v) value = -value;
        for (double& value : e) value = std::abs(value);
        if (speed.curves.empty()) {
            std::vector<double> reference = rows.numbers.column("reference_velocity_m_per_s");
            for (double& value : reference) value = -value;
            speeds.include(reference);
            speed.curves.push_back(
                {"reference", {"#000000", "solid", 2.2}, x, std::move(reference)});
        }
        numbers.include(x);
        speeds.include(v);
        errors.include_positive(e);
        speed.curves.push_back(curve_of(rows, error.curves.size(), x, std::move(v)));
        error.curves.push_back(curve_of(rows, error.curves.size(), x, std::move(e)));
        error.curves.back().title.clear();  // one legend for both
    }
    speed.y = nice_axis("rebound speed (m/s)", speeds, 4);
    error.y = log_axis("|energy error| (%)", errors);
    figure.drawing.x = log_axis("rebound", numbers);
    figure.drawing.panels = {std::move(speed), std::move(error)};
    return figure;
}

/// One panel with a curve for each scheme, both axes logarithmic; the legend if it is the first.
Panel study_panel(const std::vector<SchemeRows>& steps, std::string_view x,
                  const std::string& x_label, std::string_view y, const std::string& y_label,
                  bool legend) {
    Panel panel;
    panel.height = 150.0;
    Extent x_extent, y_extent;
    for (const SchemeRows& rows : steps) {
        std::vector<double> values = rows.numbers.column(y);
        for (double& value : values) value = std::abs(value);
        x_extent.include_positive(rows.numbers.column(x));
        y_extent.include_positive(values);
        panel.curves.push_back(curve_of(rows, panel.curves.size(), rows.numbers.column(x), values));
        if (!legend) panel.curves.back().title.clear();
    }
    panel.x = log_axis(x_label, x_extent);
    panel.y = log_axis(y_label, y_extent);
    return panel;
}

Figure work_figure(const std::vector<SchemeRows>& steps) {
    Figure figure{
        "work_precision",
        "Work and accuracy. Top: error on the smooth part of the motion against the number of "
        "steps; the slope is the order of the scheme. Below: error of the output velocity of the "
        "whole impact against the evaluations of the contact law that it took, steps halved from "
        "point to point; release within a step and the onset of the force limit the slope.",
        {}};
    figure.drawing.panels = {
        study_panel(steps, "smooth_steps", "steps on the smooth part", "motion_error",
                    "relative error", true),
        study_panel(steps, "force_evaluations", "evaluations of the law in one impact",
                    "output_velocity_error", "relative error", false)};
    return figure;
}

Figure beam_figure(const std::vector<SchemeRows>& steps) {
    Figure figure{"work_precision",
                  "Work and accuracy on the beam. Top: error of the coefficient of restitution "
                  "e_{N} against that of the converged collision, over the steps that the "
                  "collision took. Below: residual of the energy balance at the last separation, "
                  "as a fraction of the initial energy, over the (mean) step.",
                  {}};
    figure.drawing.panels = {study_panel(steps, "steps", "steps of one collision", "cor_error",
                                         "error of {/:Italic e}_{N}", true),
                             study_panel(steps, "step_s", "step {/:Italic h} (s)",
                                         "energy_residual", "|energy residual|", false)};
    return figure;
}

bool is_of_beam(const Run& run) {
    return run.summary.find("cor_kinematic") != nullptr;
}

/// Nanoseconds depend on the machine; they are separate from the numbers that do not.
std::string timing(const Run& run) {
    return file_table(run, "timing.csv") +
           "<p class=\"note\">Measured while this case ran, on the machine below; corrections "
           "included.</p>\n";
}

}  // namespace

std::vector<Figure> scheme_comparison_figures(const Run& run) {
    if (is_of_beam(run)) return {beam_figure(read_schemes(run, "steps.csv"))};
    const std::vector<SchemeRows> samples = read_schemes(run, "samples.csv");
    if (samples.empty()) {
        throw core::FileError(run.file("samples.csv") +
                              ": it has no rows, so there is nothing to draw");
    }
    std::vector<Figure> figures = {
        phase_figure(samples, "overlap_m", overlap_label, "m", "phase",
                     "Phase portrait of the first impact: overlap against its rate v. An impact "
                     "enters at the right with v_{0} and leaves at the left."),
        phase_figure(samples, "energy_J", "energy {/:Italic H}", "J", "energy",
                     "Kinetic and stored energy H of the first impact against the rate v of the "
                     "overlap. A difference from the closed form is the error of the scheme.")};
    const std::vector<SchemeRows> rebounds = read_schemes(run, "rebounds.csv");
    if (number_at(run.summary, "rebounds") > 1.0 && !rebounds.empty()) {
        figures.push_back(rebound_figure(rebounds));
    }
    figures.push_back(work_figure(read_schemes(run, "steps.csv")));
    return figures;
}

ReportParts scheme_comparison_report(const Run& run) {
    ReportParts parts;
    parts.results = file_table(run, "schemes.csv");
    parts.sections.push_back({"Time per step", timing(run)});
    return parts;
}

}  // namespace stoss::postproc
