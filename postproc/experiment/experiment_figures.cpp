#include <postproc/experiment/experiment_figures.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/html.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>

namespace stoss::postproc {

namespace {

constexpr const char* black = "#000000";

/// The name of an axis of places; `unit` of lengths.
std::string place_label(Abscissa abscissa, const std::string& unit) {
    switch (abscissa) {
        case Abscissa::xi:
            return "contact location {/:Italic ξ}_{c} = {/:Italic x}_{c}/{/:Italic l}";
        case Abscissa::x:
            return "contact location {/:Italic x}_{c}" + unit;
        case Abscissa::approach_speed:
            return "approach speed (m/s)";
        case Abscissa::angular_velocity:
            return "angular velocity |Ω| (rad/s)";
    }
    return {};
}

/// Lengths as the figures of maps have them, in mm rather than in m; other places in SI.
Magnitude place_magnitude(const Experiment& experiment) {
    if (experiment.abscissa != Abscissa::x) return {};
    Extent extent;
    for (const MeasuredPoint& point : experiment.points) extent.include(point.place);
    return si_prefix(extent, "m");
}

Experiment scaled(Experiment experiment, double factor) {
    for (MeasuredPoint& point : experiment.points) point.place *= factor;
    return experiment;
}

const char* measured_words(bool is_synthetic) {
    return is_synthetic ? "synthetic data" : "measured";
}

Panel difference_panel(const Experiment& experiment, const std::vector<ComparedCurve>& curves) {
    Panel panel;
    panel.height = 80.0;
    Extent extent;
    extent.include(0.0);
    for (std::size_t k = 0; k < curves.size(); ++k) {
        Curve curve{"", line_style(k), {}, {}};
        curve.style.width *= 0.7;
        for (std::size_t i = 0; i < experiment.points.size(); ++i) {
            curve.x.push_back(experiment.points[i].place);
            curve.y.push_back(curves[k].at_points[i] - experiment.points[i].cor);
        }
        extent.include(curve.y);
        panel.curves.push_back(std::move(curve));
    }
    panel.y = nice_axis("difference", extent, 4);
    return panel;
}

/// Quantities that a report shows with their standard error: "0.4950 ± 0.0004".
HtmlRow measured_row(const Run& run, const std::string& name, const char* value, const char* error,
                     const std::string& unit) {
    const double size = number_at(run.summary, error);
    const std::string number = html_number(number_at(run.summary, value));
    return {name, std::isfinite(size) ? number + " ± " + html_number(size, 2) : number, unit};
}

}  // namespace

std::string place_words(const Experiment& experiment, double place) {
    const Magnitude magnitude = place_magnitude(experiment);
    const std::string number = fmt::format("{:.4g}", magnitude.factor * place);
    switch (experiment.abscissa) {
        case Abscissa::xi:
            return "xi = " + number;
        case Abscissa::x:
            return fmt::format("x = {} {}", number, unit_of(magnitude));
        case Abscissa::approach_speed:
            return number + " m/s";
        case Abscissa::angular_velocity:
            return number + " rad/s";
    }
    return {};
}

Axis place_axis(Abscissa abscissa, Extent extent, const std::string& unit) {
    const std::string label = place_label(abscissa, unit);
    if (abscissa == Abscissa::xi && extent.high - extent.low > 0.5) {
        return {label, 0.0, 1.0, 0.2};
    }
    if (!(extent.high > extent.low)) {
        const double room = extent.high != 0.0 ? 0.1 * std::abs(extent.high) : 1.0;
        extent.low -= room;
        extent.high += room;
    } else {
        const double room = 0.04 * (extent.high - extent.low);
        extent.low -= room;
        extent.high += room;
    }
    return tight_axis(label, extent, 6);
}

Curve measured_curve(const Experiment& experiment) {
    Curve curve{measured_words(experiment.is_synthetic), {black, "solid", 1.0}, {}, {}};
    curve.drawn = Drawn::points;
    curve.symbol = open_circle;
    for (const MeasuredPoint& point : experiment.points) {
        curve.x.push_back(point.place);
        curve.y.push_back(point.cor);
        curve.error.push_back(point.error_of_one().value_or(io::no_number));
    }
    if (std::ranges::none_of(curve.error, [](double error) { return error > 0.0; })) {
        curve.error.clear();
    }
    return curve;
}

std::string measured_caption(const Experiment& experiment) {
    const bool bars = std::ranges::any_of(experiment.points, [](const MeasuredPoint& point) {
        return point.error_of_one().value_or(0.0) > 0.0;
    });
    return fmt::format(
        "Circles: {}, the mean at each place{}.",
        experiment.is_synthetic ? "synthetic data, computed and not measured" : "measured",
        bars ? "; bars: standard deviation of one measurement" : "");
}

void include_bars(Extent& extent, const Experiment& experiment) {
    for (const MeasuredPoint& point : experiment.points) {
        const double half = std::max(point.error_of_one().value_or(0.0), 0.0);
        extent.include(point.cor - half);
        extent.include(point.cor + half);
    }
}

bool is_synthetic(const Run& run) {
    const io::Value* const value = run.summary.find("synthetic");
    return value != nullptr && value->flag().value_or(false);
}

std::string synthetic_badge(bool shown) {
    return shown ? "<span class=\"badge bad\">synthetic: computed, not measured</span>" : "";
}

std::string input_table(const Run& run, std::initializer_list<const char*> keys) {
    std::vector<HtmlRow> rows;
    for (const char* key : keys) {
        if (run.summary.find(key) == nullptr) continue;
        rows.push_back({html_text(words_of_key(key)), html_value_at(run.summary, key)});
    }
    return html_table({"what", "value"}, rows, 2);
}

// ---- Comparison

Figure comparison_figure(const Experiment& experiment, const std::vector<ComparedCurve>& curves) {
    const Magnitude magnitude = place_magnitude(experiment);
    const Experiment shown = scaled(experiment, magnitude.factor);
    Figure figure;
    figure.name = "comparison";
    figure.caption =
        measured_caption(experiment) +
        " Lines: computed. Below: computed less measured, interpolated between computed "
        "places.";
    Panel panel;
    panel.height = 180.0;
    Extent cor, place;
    for (const ComparedCurve& curve : curves) {
        panel.curves.push_back(
            {plain(curve.label), line_style(panel.curves.size()), curve.place, curve.cor});
        for (double& x : panel.curves.back().x) x *= magnitude.factor;
        if (curve.place.size() > 150) panel.curves.back().style.width *= 0.7;
        cor.include(curve.cor);
        place.include(panel.curves.back().x);
    }
    panel.curves.push_back(measured_curve(shown));
    place.include(panel.curves.back().x);
    include_bars(cor, experiment);
    panel.y = cor_axis(cor);
    figure.drawing.x = place_axis(experiment.abscissa, place, magnitude.words);
    figure.drawing.panels.push_back(std::move(panel));
    figure.drawing.panels.push_back(difference_panel(shown, curves));
    return figure;
}

namespace {

/// A row of the table of agreements: what the number is, and the number of a curve.
struct AgreementRow {
    const char* name;
    std::function<std::string(const Agreement&)> number;
};

std::vector<AgreementRow> agreement_rows(const Experiment& experiment) {
    const auto share = [](std::optional<double> Agreement::*member) {
        return [member](const Agreement& found) {
            const std::optional<double> value = found.*member;
            return value ? html_number(100.0 * *value, 3) + " %" : std::string("–");
        };
    };
    const auto number = [](std::optional<double> Agreement::*member, int digits) {
        return [member, digits](const Agreement& found) {
            return html_number((found.*member).value_or(io::no_number), digits);
        };
    };
    const auto largest = [&experiment](const Agreement& found) {
        return fmt::format(
            "{} <i class=\"key\">at {}</i>", html_number(found.largest.value_or(io::no_number), 3),
            html_text(place_words(experiment, found.place_of_largest.value_or(io::no_number))));
    };
    return {{"points", [](const Agreement& found) { return fmt::format("{}", found.points); }},
            {"bias", number(&Agreement::bias, 3)},
            {"RMSE", number(&Agreement::rmse, 3)},
            {"RMSE / range", share(&Agreement::rmse_normalised)},
            {"largest difference", largest},
            {"within 1 SD", share(&Agreement::share_within_1)},
            {"within 2 SD", share(&Agreement::share_within_2)},
            {"rank correlation", number(&Agreement::rank_correlation, 3)},
            {"χ² per point", number(&Agreement::chi_square_reduced, 3)},
            {"χ² of the means", number(&Agreement::chi_square_of_means, 3)},
            {"probability", number(&Agreement::probability_of_means, 2)}};
}

}  // namespace

std::string agreement_table(const Experiment& experiment,
                            const std::vector<ComparedCurve>& curves) {
    constexpr std::size_t most_columns = 4;  // further curves have a table of their own
    std::string html;
    for (std::size_t first = 0; first < curves.size(); first += most_columns) {
        const std::size_t end = std::min(first + most_columns, curves.size());
        HtmlRow header{""};
        for (std::size_t k = first; k < end; ++k) header.push_back(html_text(curves[k].label));
        std::vector<HtmlRow> rows;
        for (const AgreementRow& row : agreement_rows(experiment)) {
            rows.push_back({row.name});
            for (std::size_t k = first; k < end; ++k)
                rows.back().push_back(row.number(curves[k].agreement));
        }
        html += html_table(header, rows, 1);
    }
    std::string note =
        "Differences are computed less measured. SD: standard deviation of one measurement. "
        "Probability: of means that differ so much from the curve if it is true; below 0.05 the "
        "scatter does not explain the differences.";
    if (!curves.empty() && curves.front().agreement.left_out > 0) {
        note += " Measured places where nothing was computed are left out.";
    }
    if (experiment.is_synthetic) note += " The data are synthetic: computed, not measured.";
    return html + "<p class=\"note\">" + html_text(note) + "</p>\n";
}

bool has_experiment(const Run& run) {
    return std::filesystem::exists(run.file("experiment.csv"));
}

namespace {

/// The curves that a comparison wrote, as `compare` gave them.
std::vector<ComparedCurve> written_curves(const Run& run, const Experiment& experiment) {
    const Numbers points = read_numbers(run, "comparison.csv");
    const Numbers lines = read_numbers(run, "curves.csv");
    const auto& number = lines.column("curve");
    std::vector<ComparedCurve> curves;
    for (const io::Value& each : items_at(run.summary, "comparisons")) {
        ComparedCurve curve;
        curve.label = text_at(each, "label");
        const auto index = static_cast<double>(curves.size() + 1);
        for (std::size_t i = 0; i < number.size(); ++i) {
            if (number[i] != index) continue;
            curve.place.push_back(lines.column(column_name(experiment.abscissa))[i]);
            curve.cor.push_back(lines.column("cor_computed")[i]);
        }
        curve.at_points = points.column(fmt::format("cor_computed_{}", curves.size() + 1));
        curve.agreement = agreement(experiment.points, curve.at_points);
        curves.push_back(std::move(curve));
    }
    return curves;
}

}  // namespace

std::vector<Figure> comparison_figures(const Run& run) {
    const Experiment experiment = read_experiment(run.required_file("comparison.csv"), false);
    return {comparison_figure(experiment, written_curves(run, experiment))};
}

ReportParts comparison_report(const Run& run) {
    const Experiment experiment = read_experiment(run.required_file("comparison.csv"), false);
    ReportParts parts;
    parts.badges = synthetic_badge(experiment.is_synthetic);
    parts.results = agreement_table(experiment, written_curves(run, experiment));
    std::vector<HtmlRow> rows;
    for (const io::Value& each : items_at(run.summary, "comparisons")) {
        rows.push_back({fmt::format("curve {}", rows.size() + 1), html_value_at(each, "label"),
                        html_value_at(each, "run")});
    }
    rows.push_back({"experiment", measured_words(experiment.is_synthetic),
                    html_value_at(run.summary, "experiment")});
    parts.what_was_run = html_table({"", "what", "file or directory"}, rows, 3);
    return parts;
}

// ---- Encoder

std::vector<Figure> encoder_trace_figures(const Run& run) {
    const Numbers trace = read_numbers(run, "trace.csv");
    const auto& time = trace.column("time_s");
    const auto& angle = trace.column("angle_rad");
    const auto& fit = trace.column("fit_rad");
    Figure figure;
    figure.name = "encoder";
    figure.caption = fmt::format(
        "{} trace of the encoder. Top: angle and the two fitted motions, bent by friction; dotted: "
        "the instant of impact. Bottom: angle less fit; after the impact the beam vibrates.",
        is_synthetic(run) ? "Synthetic" : "Recorded");
    Extent instants;
    instants.include(time);
    figure.drawing.x = tight_axis("time {/:Italic t} (s)", instants, 6);
    std::vector<double> residual;
    for (std::size_t i = 0; i < angle.size(); ++i) residual.push_back(1e3 * (angle[i] - fit[i]));
    const Marker impact{number_at(run.summary, "impact_s"), ""};
    const auto add = [&](const std::string& label, double height, std::vector<Curve> curves) {
        Panel panel;
        panel.height = height;
        panel.curves = std::move(curves);
        panel.markers.push_back(impact);
        Extent extent;
        for (const Curve& curve : panel.curves) extent.include(curve.y);
        panel.y = nice_axis(label, extent, 5);
        figure.drawing.panels.push_back(std::move(panel));
    };
    const char* const words = is_synthetic(run) ? "synthetic trace" : "trace";
    add("angle (rad)", 150.0,
        {{words, {"#56B4E9", "solid", 2.4}, time, angle},
         {"fit", {black, "solid", 1.0}, time, fit}});
    add("residual (mrad)", 90.0, {{"", {"#0072B2", "solid", 0.7}, time, residual}});
    return {figure};
}

ReportParts encoder_trace_report(const Run& run) {
    ReportParts parts;
    parts.badges = synthetic_badge(is_synthetic(run));
    parts.results = html_table(
        {"quantity", "value ± standard error", "unit"},
        {measured_row(run, "coefficient of restitution", "cor", "cor_standard_error", ""),
         measured_row(run, "instant of impact", "impact_s", "impact_standard_error_s", "s"),
         measured_row(run, "angular velocity before", "omega_before_rad_per_s",
                      "omega_before_standard_error_rad_per_s", "rad/s"),
         measured_row(run, "angular velocity after", "omega_after_rad_per_s",
                      "omega_after_standard_error_rad_per_s", "rad/s"),
         measured_row(run, "deceleration before", "deceleration_before_rad_per_s2", "", "rad/s²"),
         measured_row(run, "deceleration after", "deceleration_after_rad_per_s2", "", "rad/s²")},
        1);
    parts.what_was_run =
        input_table(run, {"trace", "pulses_per_revolution", "quadrature", "resolution_rad",
                          "window_s", "samples", "rows_left_out"});
    return parts;
}

std::vector<Figure> encoder_figures(const Run& run) {
    // Means that no coefficient can be, such as -0.4, are in the table and not in the figure.
    const Experiment read = read_experiment(run.required_file("experiment.csv"), true);
    const Magnitude magnitude = place_magnitude(read);
    const Experiment experiment = scaled(read, magnitude.factor);
    Figure figure;
    figure.name = "experiment";
    figure.caption = measured_caption(experiment) + " From encoder traces.";
    Panel panel;
    panel.height = 180.0;
    panel.curves.push_back(measured_curve(experiment));
    Extent cor, place;
    include_bars(cor, experiment);
    place.include(panel.curves.back().x);
    panel.y = cor_axis(cor);
    figure.drawing.x = place_axis(experiment.abscissa, place, magnitude.words);
    figure.drawing.panels.push_back(std::move(panel));
    return {figure};
}

ReportParts encoder_report(const Run& run) {
    ReportParts parts;
    parts.badges = synthetic_badge(is_synthetic(run));
    for (const io::Value& each : items_at(run.summary, "left_out")) {
        parts.warnings += "<li>left out: " + html_value(each) + "</li>\n";
    }
    parts.results = input_table(
        run, {"traces", "locations", "cor_min", "cor_max", "cor_standard_error_median"});
    parts.sections.push_back({"Means at each place", file_table(run, "experiment.csv", 200)});
    parts.what_was_run = input_table(run, {"manifest", "pulses_per_revolution", "quadrature",
                                           "resolution_rad", "window_s", "rows_left_out"});
    return parts;
}

}  // namespace stoss::postproc
