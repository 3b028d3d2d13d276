#include <solvers/problems/beam/beam_fit_figures.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <postproc/experiment/experiment_figures.hpp>
#include <postproc/report/html.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::postproc {

namespace {

constexpr const char* band_color = "#BFE1F5";
const LineStyle bound_style{"#56B4E9", "solid", 0.9};

/// Half length of error bars; none if no error is known.
std::vector<double> bars(std::vector<double> errors, double factor) {
    if (std::ranges::none_of(errors, [](double error) { return error > 0.0; })) return {};
    for (double& error : errors) error *= factor;
    return errors;
}

/// The extent of points with their bars, and some room, so that no symbol lies on the frame.
Extent roomy_extent(const std::vector<double>& values, const std::vector<double>& errors) {
    Extent extent;
    extent.include(values);
    for (std::size_t i = 0; i < errors.size(); ++i) {
        if (!std::isfinite(errors[i])) continue;
        extent.include(values[i] - errors[i]);
        extent.include(values[i] + errors[i]);
    }
    const double room = 0.06 * (extent.high - extent.low);
    extent.low -= room;
    extent.high += room;
    return extent;
}

Panel fit_panel(const Experiment& experiment, const Numbers& curve) {
    const std::vector<double>& xi = curve.column("xi");
    Panel panel;
    panel.height = 180.0;
    panel.fills = {{band_color, xi, curve.column("cor_low_95"), curve.column("cor_high_95")}};
    panel.curves = {{"95 % band", bound_style, xi, curve.column("cor_low_95")},
                    {"", bound_style, xi, curve.column("cor_high_95")},
                    {"fitted", {"#0072B2", "solid", 1.2}, xi, curve.column("cor_kinematic")},
                    measured_curve(experiment)};
    Extent extent;
    for (const Curve& each : panel.curves) extent.include(each.y);
    include_bars(extent, experiment);
    panel.y = cor_axis(extent);
    return panel;
}

/// The axis of the differences: it holds the points, and the band around zero unless that is far
/// wider than the points, of which nothing would be seen then.
Axis difference_axis(std::string label, const Extent& points, const Extent& band) {
    constexpr double most = 2.0;  // times what the points need
    const double room = most * std::max(std::abs(points.low), std::abs(points.high));
    Extent extent = points;
    extent.include(0.0);
    if (!band.none()) {
        extent.include(std::max(band.low, -room));
        extent.include(std::min(band.high, room));
    }
    return nice_axis(std::move(label), extent, 6);
}

/// Fitted less measured with the standard errors of the means, and the band around zero. `is_cut`
/// becomes true if the band goes on beyond the panel.
Panel difference_panel(const Numbers& points, const Numbers& curve, bool& is_cut) {
    Extent size;
    size.include(points.column("difference"));
    const Magnitude magnitude = power_of_ten(size);
    std::vector<double> difference = points.column("difference");
    for (double& each : difference) each *= magnitude.factor;
    Curve circles{
        "", {"#000000", "solid", 0.8}, points.column("xi"), difference, Drawn::points, open_circle};
    circles.error = bars(points.column("cor_measured_standard_error"), magnitude.factor);
    Fill band{band_color, curve.column("xi"), {}, {}};
    Extent of_band;
    for (std::size_t i = 0; i < band.x.size(); ++i) {
        const double fitted = curve.column("cor_kinematic")[i];
        band.low.push_back(magnitude.factor * (curve.column("cor_low_95")[i] - fitted));
        band.high.push_back(magnitude.factor * (curve.column("cor_high_95")[i] - fitted));
    }
    of_band.include(band.low);
    of_band.include(band.high);
    Panel panel;
    panel.height = 100.0;
    panel.y = difference_axis("difference" + magnitude.words,
                              roomy_extent(difference, circles.error), of_band);
    const double roundoff = 1e-6 * panel.y.step;  // an axis may end at the edge of the band
    is_cut = of_band.low < panel.y.low - roundoff || of_band.high > panel.y.high + roundoff;
    for (std::vector<double>* const side : {&band.low, &band.high}) {
        for (double& value : *side) value = std::clamp(value, panel.y.low, panel.y.high);
    }
    panel.fills.push_back(std::move(band));
    panel.curves.push_back(std::move(circles));
    return panel;
}

Figure fit_figure(const Experiment& experiment, const Numbers& points, const Numbers& curve) {
    Figure figure;
    figure.name = "fit";
    figure.caption =
        measured_caption(experiment) +
        " Line: computed with the fitted keys, with the 95 % confidence band that their "
        "covariance makes. Below: fitted less measured, with the standard error of the mean where "
        "it is known, and the same band around zero.";
    Extent place;
    place.include(points.column("xi"));
    figure.drawing.x = place_axis(Abscissa::xi, place);
    bool is_cut = false;
    figure.drawing.panels = {fit_panel(experiment, curve), difference_panel(points, curve, is_cut)};
    if (is_cut) figure.caption += " The band is cut where it leaves the lower panel.";
    return figure;
}

Figure measured_against_fitted(const Experiment& experiment, const Numbers& points) {
    Figure figure;
    figure.name = "measured_against_fitted";
    figure.caption = fmt::format(
        "{} restitution against the fitted one. Bars: standard errors, of the mean where it is "
        "known and of the fitted value. On the line both are equal.",
        experiment.is_synthetic ? "Synthetic" : "Measured");
    Curve circles{"",
                  {"#000000", "solid", 0.8},
                  points.column("cor_fitted"),
                  points.column("cor_measured"),
                  Drawn::points,
                  open_circle};
    circles.error = bars(points.column("cor_measured_standard_error"), 1.0);
    circles.x_error = bars(points.column("cor_fitted_standard_error"), 1.0);
    Extent extent = roomy_extent(circles.y, circles.error);
    const Extent fitted = roomy_extent(circles.x, circles.x_error);
    extent.include(fitted.low);
    extent.include(fitted.high);
    figure.drawing.x = tight_axis("fitted {/:Italic e}", extent, 5);
    Panel panel;
    panel.height = 220.0;
    panel.y = figure.drawing.x;
    panel.y.label = experiment.is_synthetic ? "synthetic {/:Italic e}" : "measured {/:Italic e}";
    Curve equal{"", {"#0072B2", "solid", 1.0}, {}, {}};
    constexpr int pieces = 64;  // the points of a line of few would be marked
    for (int i = 0; i <= pieces; ++i) {
        equal.x.push_back(std::lerp(extent.low, extent.high, double(i) / pieces));
    }
    equal.y = equal.x;
    panel.curves = {std::move(equal), std::move(circles)};
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

std::string paragraph(const std::string& text) {
    return "<p>" + html_text(text) + "</p>\n";
}

/// So many digits that a value shows the first two of its error.
int digits_of(double value, double error) {
    if (!(error > 0.0) || !std::isfinite(error) || value == 0.0) return 4;
    const double order = std::floor(core::log10(std::abs(value))) - std::floor(core::log10(error));
    return static_cast<int>(std::clamp(order + 2.0, 2.0, 12.0));
}

/// The result as a reader of a paper wants it, a sentence for each key.
std::string in_a_sentence(const Run& run) {
    const io::Table table = read_table(run, "parameters.csv");
    std::string sentences;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const double value = table.numbers("value")[i];
        if (std::isnan(table.numbers("low_95")[i])) {
            sentences += fmt::format(
                "<p>{} ended at its bound, {} {}. It counts as fixed there and has no "
                "interval.</p>\n",
                html_text(table.texts("key")[i]), html_number(value),
                html_text(table.texts("unit")[i]));
            continue;
        }
        const int digits = digits_of(value, table.numbers("standard_error")[i]);
        const auto number = [&](const char* column) {
            return html_number(table.numbers(column)[i], digits);
        };
        sentences += fmt::format(
            "<p>From the restitution at {:.0f} positions, {} = {} {}, with a 95 % interval from {} "
            "to "
            "{} {}.</p>\n",
            number_at(run.summary, "places"), html_text(table.texts("key")[i]), number("value"),
            html_text(table.texts("unit")[i]), number("low_95"), number("high_95"),
            html_text(table.texts("unit")[i]));
    }
    return sentences;
}

/// The parameters with columns in words.
std::string fitted_keys(const Run& run) {
    const io::Table table = read_table(run, "parameters.csv");
    std::vector<HtmlRow> rows;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        HtmlRow row{html_text(table.texts("key")[i]), html_text(table.texts("unit")[i])};
        for (const char* column : {"value", "standard_error", "low_95", "high_95", "from", "to"}) {
            row.push_back(html_number(table.numbers(column)[i]));
        }
        rows.push_back(std::move(row));
    }
    return html_table({"key", "unit", "value", "standard error", "95 % interval from",
                       "95 % interval to", "searched from", "searched to"},
                      rows, 2);
}

/// What the probability of the residuals says.
std::string probability_words(const Run& run) {
    const double probability = number_at(run.summary, "probability");
    if (!std::isfinite(probability)) {
        return "No probability is given: the points do not count by their standard errors.";
    }
    return fmt::format(
        "Probability of differences as large as these or larger, if the fitted model is true: "
        "{:.2g} (chi-square {:.4g}, {:.0f} degrees of freedom). {}",
        probability, number_at(run.summary, "chi_square"),
        number_at(run.summary, "degrees_of_freedom"),
        probability < 0.05 ? "It is below 0.05: the scatter of the measurements does not explain "
                             "the differences. The model lacks something, or the standard errors "
                             "are too small."
                           : "The scatter of the measurements explains the differences.");
}

/// How much each point counted, in words.
std::string how_points_counted(const Run& run, const Numbers& points) {
    std::string words = text_at(run.summary, "weights") == "standard_error"
                            ? "Each difference is divided by the standard error of its mean: a "
                              "point that is known twice as well counts four times as much. "
                            : "All points count alike, whatever their standard errors. ";
    const std::string loss = text_at(run.summary, "loss");
    if (loss == "huber") {
        words +=
            "Small differences count by their squares. Beyond 1.345 times the scatter the cost "
            "grows only in proportion (Huber), so that a point far from all others cannot pull "
            "the curve more than a point at this limit. Plain squares would let it pull in "
            "proportion to its distance. ";
    } else if (loss == "cauchy") {
        words +=
            "Small differences count by their squares. Beyond 2.385 times the scatter the cost "
            "grows only as a logarithm (Cauchy): a point far from all others is almost left out. ";
    } else {
        words +=
            "All differences count by their squares: a point far from all others pulls the curve "
            "in proportion to its distance. ";
    }
    const auto& weights = points.column("weight");
    const auto fewer = std::ranges::count_if(weights, [](double weight) { return weight < 1.0; });
    words += fmt::format("{} of {} points count less than in full", fewer, weights.size());
    if (fewer > 0)
        words += fmt::format(", the least with the weight {:.2g}", std::ranges::min(weights));
    return paragraph(words + ".");
}

/// Where each search began and ended: "start: internal damping (Pa s)".
std::string searches(const Run& run) {
    const Numbers starts = read_numbers(run, "starts.csv");
    HtmlRow header;
    for (const std::string& name : starts.names) {
        const std::size_t end_of_word = name.find('_');
        const std::string word = name.substr(0, end_of_word);
        const bool is_key = word == "start" || word == "end";
        header.push_back(html_text(is_key ? word + ": " + words_of_key(name.substr(end_of_word + 1))
                                          : words_of_key(name)));
    }
    std::vector<HtmlRow> rows(starts.columns.empty() ? 0 : starts.columns.front().size());
    for (const auto& column : starts.columns) {
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(html_number(column[i]));
    }
    return html_table(header, rows, 0);
}

}  // namespace

std::vector<Figure> beam_fit_figures(const Run& run) {
    Experiment experiment = read_experiment(run.required_file("experiment.csv"), false);
    const Numbers points = read_numbers(run, "points.csv"), curve = read_numbers(run, "curve.csv");
    experiment.abscissa = Abscissa::xi;
    for (std::size_t i = 0; i < experiment.points.size(); ++i) {
        experiment.points[i].place = points.column("xi")[i];
    }
    return {fit_figure(experiment, points, curve), measured_against_fitted(experiment, points)};
}

ReportParts beam_fit_report(const Run& run) {
    ReportParts parts;
    parts.badges = synthetic_badge(is_synthetic(run));
    parts.results = in_a_sentence(run) + fitted_keys(run) + paragraph(probability_words(run));
    parts.sections.push_back(
        {"How much each point counted", how_points_counted(run, read_numbers(run, "points.csv"))});
    parts.sections.push_back({"Where the searches began and ended", searches(run)});
    parts.sections.push_back({"Points", file_table(run, "points.csv", 200)});
    return parts;
}

}  // namespace stoss::postproc
