#include <solvers/problems/beam/convergence_figures.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/html.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::postproc {

namespace {

constexpr const char* table_name = "convergence.csv";

/// The rows of one refinement: what is refined, and how far e is from the reference.
struct Refinement {
    std::string name;    ///< modes, elements, tolerance or step
    std::string column;  ///< of what is refined
    double own = 0.0;    ///< of the case
    std::vector<double> x, median, quantile_90, largest;
    std::vector<bool> used_for_order;
};

std::vector<Refinement> read_refinements(const Run& run) {
    const io::Table table = read_table(run, table_name);
    const std::vector<std::string> names = table.texts("refined"), roles = table.texts("role");
    const std::vector<double> median = table.numbers("cor_change_median"),
                              quantile_90 = table.numbers("cor_change_quantile_90"),
                              largest = table.numbers("cor_change_max"),
                              used_for_order = table.numbers("used_for_order");
    std::vector<Refinement> refinements;
    for (std::size_t row = 0; row < names.size(); ++row) {
        if (refinements.empty() || refinements.back().name != names[row]) {
            refinements.push_back({});
            refinements.back().name = names[row];
            refinements.back().column = names[row] == "step" ? "step_s" : names[row];
        }
        Refinement& refinement = refinements.back();
        const double x = table.numbers(refinement.column)[row];
        if (roles[row] == "case") refinement.own = x;
        if (roles[row] == "reference") continue;  // e itself changes by nothing
        refinement.x.push_back(x);
        refinement.median.push_back(median[row]);
        refinement.quantile_90.push_back(quantile_90[row]);
        refinement.largest.push_back(largest[row]);
        refinement.used_for_order.push_back(used_for_order[row] > 0.0);
    }
    return refinements;
}

std::string axis_label(const std::string& name) {
    if (name == "modes") return "number of modes {/:Italic p}";
    if (name == "elements") return "number of elements {/:Italic n}";
    if (name == "step") return "time step {/:Italic h} (s)";
    return "tolerance of the time integration";
}

/// Decades, or a tick at each power of 2 where the values span less than two decades.
Axis refinement_axis(const Refinement& refinement) {
    Extent extent;
    extent.include_positive(refinement.x);
    if (extent.none() || extent.low < 1.0 || extent.high > 100.0 * extent.low)
        return log_axis(axis_label(refinement.name), extent);
    const double first = std::floor(core::log2(extent.low));
    const double last = std::max(std::ceil(core::log2(extent.high)), first + 1.0);
    return {axis_label(refinement.name), core::exp2(first), core::exp2(last), 2.0, true};
}

/// A line of the measured order below the medians that count for it, and its words.
void add_order(const Run& run, const Refinement& refinement, Panel& panel) {
    const double order = number_at(run.summary, "order_" + refinement.name);
    if (std::isnan(order)) return;
    const bool rises = refinement.name == "tolerance" || refinement.name == "step";
    const double exponent = rises ? order : -order;
    double x = 0.0, y = 0.0, count = 0.0;
    Extent fitted;
    for (std::size_t i = 0; i < refinement.x.size(); ++i) {
        if (!refinement.used_for_order[i]) continue;
        x += core::log(refinement.x[i]);
        y += core::log(refinement.median[i]);
        fitted.include(refinement.x[i]);
        ++count;
    }
    constexpr double below = 0.3;  // of the medians
    const auto on_line = [&](double at) {
        return below * core::exp(y / count + exponent * (core::log(at) - x / count));
    };
    panel.curves.push_back({fmt::format("order {:.1f}", order),
                            {"#000000", "(4,3)", 1.0},
                            {fitted.low, fitted.high},
                            {on_line(fitted.low), on_line(fitted.high)}});
}

Panel refinement_panel(const Run& run, const Refinement& refinement) {
    Panel panel;
    panel.height = 130.0;
    panel.x = refinement_axis(refinement);
    const auto add = [&](const char* title, std::size_t index, const std::vector<double>& y) {
        panel.curves.push_back({title, line_style(index), refinement.x, y, Drawn::both, index});
    };
    add("largest", 1, refinement.largest);
    add("90 %", 2, refinement.quantile_90);
    add("median", 0, refinement.median);
    add_order(run, refinement, panel);
    Extent extent;
    for (const Curve& curve : panel.curves) extent.include_positive(curve.y);
    panel.y = log_axis("|change of {/:Italic e}|", extent);
    if (refinement.own > 0.0) panel.markers.push_back({refinement.own, "case"});
    return panel;
}

/// Of which places median and quantile are, where they are not those of all places.
std::string sample_words(const Run& run) {
    const io::Table table = read_table(run, table_name);
    const double all = table.numbers("places").front();
    const double sample = table.numbers("places_in_quantiles").front();
    if (sample == all) return "";
    return fmt::format(
        " Median and 90 % quantile are those of the {} evenly spaced places; the largest change is "
        "that of all {}.",
        sample, all);
}

/// convergence.csv with as many digits as a change of e deserves.
std::string refinement_table(const Run& run) {
    const io::Table table = read_table(run, table_name);
    const bool has_steps = table.find("step_s") != nullptr;
    const std::vector<std::string> refined = table.texts("refined"), roles = table.texts("role");
    std::vector<HtmlRow> rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto number = [&](const char* column, int digits) {
            return html_number(table.numbers(column)[row], digits);
        };
        rows.push_back({html_text(refined[row]), html_text(roles[row]), number("modes", 6),
                        number("elements", 6), number(has_steps ? "step_s" : "tolerance", 3),
                        number("cor_change_median", 2), number("cor_change_quantile_90", 2),
                        number("cor_change_max", 2), number("xi_of_max", 4)});
    }
    return html_table({"refined", "", "modes", "elements", has_steps ? "step (s)" : "tolerance",
                       "median", "90 %", "largest", "at xi"},
                      rows, 2) +
           "<p class=\"note\">|change of e| from each row to the reference of its group." +
           sample_words(run) + "</p>\n";
}

std::string orders(const Run& run) {
    std::vector<HtmlRow> rows;
    for (const Refinement& refinement : read_refinements(run)) {
        const double order = number_at(run.summary, "order_" + refinement.name);
        rows.push_back({html_text(refinement.name), html_number(order, 2)});
    }
    return html_table({"refined", "measured order"}, rows, 1);
}

std::string paragraph(const io::Value& summary, std::string_view key) {
    std::string text = text_at(summary, key);
    if (text.empty()) return {};
    if (!text.ends_with('.')) text += '.';
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

}  // namespace

std::vector<Figure> convergence_figures(const Run& run) {
    Figure figure;
    figure.name = "convergence";
    figure.caption =
        "Change of e_{N} from each resolution to the finest of its panel, over the places of the "
        "study: median, 90 % quantile, largest." +
        sample_words(run) +
        " Only what the axis names is refined; modes are "
        "compared on the finest mesh, modes and elements with the finest time integration. The "
        "line "
        "below the medians has the measured order, by least squares of those that it spans.";
    for (const Refinement& refinement : read_refinements(run)) {
        const bool has_rungs =
            std::ranges::any_of(refinement.largest, [](double y) { return y > 0.0; });
        if (has_rungs) figure.drawing.panels.push_back(refinement_panel(run, refinement));
    }
    if (figure.drawing.panels.empty()) return {};
    return {figure};
}

ReportParts convergence_report(const Run& run) {
    ReportParts parts;
    std::string verdict;
    for (const char* key : {"verdict", "largest_part", "advice"}) {
        verdict += paragraph(run.summary, key) + " ";
    }
    parts.results = "<p>" + html_text(verdict) + "</p>\n" + refinement_table(run) + orders(run);
    parts.sections.push_back(
        {"For the methods section",
         "<p>" + html_text(paragraph(run.summary, "methods_sentence")) + "</p>\n"});
    parts.sections.push_back({"Places", file_table(run, "places.csv")});
    return parts;
}

}  // namespace stoss::postproc
