#include <solvers/problems/beam/gradient_figures.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <postproc/report/beam_map.hpp>
#include <postproc/report/html.hpp>
#include <postproc/report/labels.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::postproc {

namespace {

constexpr const char* table_name = "gradient.csv";
constexpr std::string_view logarithmic = "log_";
constexpr double per_cent = 0.01;
constexpr double thin = 1.0;  // [px]: maps are jagged

/// Each key once, in the order of the table.
std::vector<std::string> keys_of(const io::Table& table) {
    std::vector<std::string> keys;
    for (const std::string& key : table.texts("key")) {
        if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
    return keys;
}

/// Names of the quantities that have logarithmic derivatives.
std::vector<std::string> quantities_of(const io::Table& table) {
    std::vector<std::string> names;
    for (const io::Column& column : table.columns) {
        if (column.name.starts_with(logarithmic))
            names.push_back(column.name.substr(logarithmic.size()));
    }
    return names;
}

/// The restitution if it was differentiated, else the first quantity that was.
std::string shown_quantity(const io::Table& table) {
    const std::vector<std::string> names = quantities_of(table);
    const bool has_cor = std::ranges::find(names, "cor_kinematic") != names.end();
    return has_cor ? "cor_kinematic" : names.front();
}

/// One key along the beam; of a swept map along the first curve, which has so many places.
Curve curve_of(const io::Table& table, const std::string& key, const std::string& quantity,
               std::size_t places) {
    std::vector<std::pair<double, double>> points;
    const std::vector<std::string> keys = table.texts("key");
    const std::vector<double> xi = table.numbers("xi");
    const bool is_cor = quantity.starts_with("cor_");
    const std::vector<double> slopes =
        table.numbers((is_cor ? "d_" : std::string(logarithmic)) + quantity);
    const std::vector<double> values = table.numbers("value");
    for (std::size_t i = 0; i < keys.size() && points.size() < places; ++i) {
        if (keys[i] != key) continue;
        points.emplace_back(xi[i], is_cor ? per_cent * values[i] * slopes[i] : slopes[i]);
    }
    std::ranges::stable_sort(points, {}, &std::pair<double, double>::first);
    Curve curve;
    for (const auto& [x, y] : points) {
        curve.x.push_back(x);
        curve.y.push_back(y);
    }
    return curve;
}

}  // namespace

bool has_gradient(const Run& run) {
    const auto* const members = run.summary.members();
    return members && std::ranges::any_of(*members, [](const auto& member) {
               return member.key.starts_with(logarithmic);
           });
}

Figure gradient_figure(const Run& run) {
    const io::Table table = read_table(run, table_name);
    const std::vector<std::string> keys = keys_of(table);
    const std::string quantity = shown_quantity(table);
    const bool is_cor = quantity.starts_with("cor_");
    const Map map = read_map(run);
    const std::size_t places_of_a_curve = map.series.front().statuses.size();
    Figure figure;
    figure.name = "gradient";
    figure.caption = fmt::format(
        "What matters where: the change of {} if a key grows by 1 %, to first order, along the "
        "beam. The curves are exact derivatives of the computed result{}. Where a sub-impact "
        "begins or vanishes the derivative changes by a jump and the result has a kink.",
        is_cor ? "e_{N}" : words_of_key(quantity), is_cor ? "" : ", in per cent of it");
    if (map.series.size() > 1) {
        figure.caption += fmt::format(" Drawn for {} = {}, the first of {} values.",
                                      map.sweep_words, map.series.front().words, map.series.size());
    }
    Panel panel;
    panel.height = 190.0;
    Extent extent, places;
    for (const std::string& key : keys) {
        Curve curve = curve_of(table, key, quantity, places_of_a_curve);
        LineStyle style = line_style(panel.curves.size());
        style.width = thin;
        curve.title = plain(key);
        curve.style = style;
        extent.include(curve.y);
        places.include(curve.x);
        panel.curves.push_back(std::move(curve));
    }
    panel.y =
        nice_axis(is_cor ? "change of {/:Italic e}_{N} for 1 %" : "per cent for 1 %", extent, 5);
    if (!(places.high > places.low)) {
        places.low -= 0.05;
        places.high += 0.05;
    }
    const char* const label = "contact location {/:Italic ξ}_{c} = {/:Italic x}_{c}/{/:Italic l}";
    figure.drawing.x =
        places.high - places.low > 0.5 ? Axis{label, 0.0, 1.0, 0.2} : tight_axis(label, places, 6);
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

std::string gradient_section(const Run& run) {
    const io::Table table = read_table(run, table_name);
    const std::vector<std::string> names = quantities_of(table), keys = table.texts("key");
    HtmlRow header{"1 % more of"};
    std::vector<HtmlRow> rows(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) rows[i].push_back(html_text(keys[i]));
    for (const std::string& name : names) {
        header.push_back(html_text(words_of_key(name)));
        const std::vector<double> slopes = table.numbers(std::string(logarithmic) + name);
        for (std::size_t i = 0; i < keys.size(); ++i) rows[i].push_back(html_number(slopes[i], 4));
    }
    return html_table(header, rows, 1) +
           "<p class=\"note\">Changes in per cent of the result, to first order: exact derivatives "
           "of the computed collision.</p>\n";
}

}  // namespace stoss::postproc
