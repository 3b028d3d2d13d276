#include <solvers/problems/beam/beam_optimize_figures.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/html.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>

namespace stoss::postproc {

namespace {

const LineStyle before_style{"#999999", "solid", 1.0}, after_style{"#0072B2", "solid", 1.2};

bool is_vibration(const Run& run) {
    return text_at(run.summary, "goal") == "least_vibration";
}

Figure design_figure(const Run& run) {
    const Numbers curve = read_numbers(run, "curve.csv"), places = read_numbers(run, "places.csv");
    const bool vibration = is_vibration(run);
    Figure figure;
    figure.name = "design";
    figure.caption = fmt::format(
        "{} along the beam before, as the case has it, and after the search. Circles: the places "
        "at which the goal counts.",
        vibration ? "Energy in the vibrations over the initial energy" : "e_{N}");
    Panel panel;
    panel.height = 190.0;
    Extent extent, place;
    for (const char* const name : {"before", "after"}) {
        const LineStyle& style = panel.curves.empty() ? before_style : after_style;
        Curve line{name, style, curve.column("xi"), curve.column(name)};
        extent.include(line.y);
        place.include(line.x);
        Curve circles{"",         style, places.column("xi"), places.column(name), Drawn::points,
                      open_circle};
        panel.curves.push_back(std::move(line));
        panel.curves.push_back(std::move(circles));
    }
    panel.y = nice_axis(vibration ? "vibration energy" : "{/:Italic e}_{N}", extent, 5);
    figure.drawing.x =
        tight_axis("contact location {/:Italic ξ}_{c} = {/:Italic x}_{c}/{/:Italic l}", place, 6);
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

Figure path_figure(const Run& run) {
    const Numbers path = read_numbers(run, "path.csv");
    const auto& start = path.column("start");
    Figure figure;
    figure.name = "path";
    figure.caption =
        "Root mean square of the residuals, the distances from the goal at its places, over the "
        "steps of each search.";
    Panel panel;
    panel.height = 150.0;
    Extent extent, steps;
    extent.include(0.0);
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (i == 0 || start[i] != start[i - 1]) {
            panel.curves.push_back(
                {fmt::format("start {:.0f}", start[i]), line_style(panel.curves.size()), {}, {}});
        }
        panel.curves.back().x.push_back(path.column("step")[i]);
        panel.curves.back().y.push_back(path.column("rms")[i]);
    }
    for (const Curve& each : panel.curves) {
        extent.include(each.y);
        steps.include(each.x);
    }
    if (!(steps.high > steps.low)) steps.high = steps.low + 1.0;
    panel.y = nice_axis("rms residual", extent, 4);
    figure.drawing.x = tight_axis("step", steps, 6);
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

std::string design(const Run& run) {
    const io::Table table = read_table(run, "design.csv");
    std::vector<HtmlRow> rows;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        HtmlRow row{html_text(table.texts("key")[i]), html_text(table.texts("unit")[i])};
        for (const char* column : {"before", "after", "from", "to"})
            row.push_back(html_number(table.numbers(column)[i]));
        row.push_back(html_text(table.texts("at_bound")[i]));
        row.push_back(html_number(table.numbers("cost_gradient")[i], 3));
        rows.push_back(std::move(row));
    }
    return html_table({"key", "unit", "before", "after", "lower bound", "upper bound", "at bound",
                       "slope of the cost"},
                      rows, 2) +
           "<p class=\"note\">The cost is half the mean square of the residuals; its "
           "slope is per range of the key. At a bound it may point outwards.</p>\n";
}

/// Key figures of the case and of the design side by side.
std::string key_figures(const Run& run) {
    const auto& before = items_at(run.summary, "key_figures");
    std::vector<HtmlRow> rows;
    for (const io::Value& after : items_at(run.summary, "key_figures_of_design")) {
        const auto same = std::ranges::find_if(before, [&](const io::Value& each) {
            return text_at(each, "quantity") == text_at(after, "quantity");
        });
        rows.push_back({html_value_at(after, "quantity"),
                        same == before.end() ? std::string() : html_value_at(*same, "text"),
                        html_value_at(after, "text")});
    }
    if (rows.empty()) return {};
    return html_table({"quantity", "before", "after"}, rows, 1);
}

}  // namespace

std::vector<Figure> beam_optimize_figures(const Run& run) {
    return {design_figure(run), path_figure(run)};
}

ReportParts beam_optimize_report(const Run& run) {
    ReportParts parts;
    parts.results = design(run);
    parts.sections.push_back({"Key figures of the case and of the design", key_figures(run)});
    parts.sections.push_back(
        {"Where the searches began and ended", file_table(run, "starts.csv", 200)});
    return parts;
}

}  // namespace stoss::postproc
