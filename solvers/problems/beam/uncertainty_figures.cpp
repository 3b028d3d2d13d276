#include <solvers/problems/beam/uncertainty_figures.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <postproc/report/html.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::postproc {

namespace {

constexpr const char* table_name = "uncertainty.csv";
constexpr const char* linear_table_name = "uncertainty_linear.csv";
constexpr const char* sampled_caption =
    "Effect of the uncertain keys on e_{{N}} along the beam. Top: mean and the band between its "
    "5 % and 95 % quantiles. Middle: first-order Sobol index, the share of the variance that each "
    "key makes alone. Bottom: total Sobol index, with its part in all interactions. Both are "
    "estimates from {} samples. An index outside 0 to 1, or a first-order index above the total "
    "one, shows their error: more samples make it smaller. Indices are missing where e_{{N}} "
    "hardly varies or where not every sample gives a collision.";
constexpr const char* both_caption =
    " Dashed: the band from the derivatives of one map at the means of the keys, as if e_{N} were "
    "linear in them.";
constexpr const char* linear_caption =
    "Effect of the uncertain keys on e_{N} along the beam, from the derivatives of one map at the "
    "means of the keys, as if e_{N} were linear in them. Top: mean, and the band between the 5 % "
    "and 95 % quantiles "
    "of a normal distribution. Bottom: the share of each key in the variance.";
constexpr double thin = 0.8;  // [px]: maps are jagged

const io::Value& uncertainty_of(const Run& run) {
    const io::Value* const found = run.summary.find("uncertainty");
    if (found == nullptr) {
        throw core::FileError(run.file(io::summary_name) + ": the key `uncertainty` is missing");
    }
    return *found;
}

/// Paths of the uncertain keys, in the order of the case.
std::vector<std::string> uncertain_keys(const Run& run) {
    std::vector<std::string> keys;
    for (const io::Value& each : items_at(uncertainty_of(run), "keys"))
        keys.push_back(text_at(each, "key"));
    return keys;
}

Curve thin_curve(std::string title, LineStyle style, const Numbers& table,
                 std::string_view column) {
    style.width = thin;
    return {std::move(title), style, table.column("xi"), table.column(column)};
}

/// Adds mean and band of the samples.
void add_sampled(const Numbers& table, Panel& panel) {
    panel.curves.insert(panel.curves.end(),
                        {thin_curve("5 % and 95 %", {"#56B4E9", "solid"}, table, "cor_quantile_05"),
                         thin_curve("", {"#56B4E9", "solid"}, table, "cor_quantile_95"),
                         thin_curve("mean", {"#000000", "solid"}, table, "cor_mean")});
}

/// Adds the band of a normal e with the linear mean and standard deviation.
void add_linear(const Numbers& table, Panel& panel) {
    constexpr double quantile = 1.6448536269514722;  // 95 % of a normal distribution
    const std::vector<double>& mean = table.column("cor_mean");
    const std::vector<double>& deviation = table.column("cor_standard_deviation");
    std::string title = "linear";
    for (const double side : {-quantile, quantile}) {
        Curve curve = thin_curve(std::exchange(title, ""), {"#D55E00", "(4,3)"}, table, "cor_mean");
        for (std::size_t i = 0; i < mean.size(); ++i) curve.y[i] = mean[i] + side * deviation[i];
        panel.curves.push_back(std::move(curve));
    }
    if (panel.curves.size() == 2)
        panel.curves.push_back(thin_curve("mean", {"#000000", "solid"}, table, "cor_mean"));
}

void finish_band(Panel& panel) {
    panel.height = 170.0;
    Extent extent;
    for (const Curve& curve : panel.curves) extent.include(curve.y);
    const bool is_wide = extent.high - extent.low > 0.25;
    panel.y = is_wide && extent.low >= 0.0 && extent.high <= 1.0
                  ? Axis{"{/:Italic e}_{N}", 0.0, 1.0, 0.2}
                  : nice_axis("{/:Italic e}_{N}", extent, 5);
}

/// The indices of one kind: from 0 to 1, and beyond where the error of the estimates leads there.
Panel index_panel(const Run& run, const Numbers& table, const std::string& kind,
                  const std::string& label, bool with_legend) {
    Panel panel;
    panel.height = 130.0;
    Extent extent;
    extent.include(0.0);
    extent.include(1.0);
    for (const std::string& key : uncertain_keys(run)) {
        panel.curves.push_back(thin_curve(with_legend ? plain(key) : "",
                                          line_style(panel.curves.size()), table,
                                          fmt::format("{}_{}", kind, key)));
        extent.include(panel.curves.back().y);
    }
    panel.y = nice_axis(label, extent, 6);
    return panel;
}

}  // namespace

bool has_uncertainty(const Run& run) {
    return run.summary.find("uncertainty") != nullptr;
}

Figure uncertainty_figure(const Run& run) {
    const bool is_linear = uncertainty_of(run).find("linear") != nullptr;
    const bool is_sampled = uncertainty_of(run).find("samples") != nullptr;
    const Numbers table = read_numbers(run, is_sampled ? table_name : linear_table_name);
    Figure figure;
    figure.name = "uncertainty";
    figure.caption = is_sampled
                         ? fmt::format(sampled_caption, number_at(uncertainty_of(run), "samples"))
                         : linear_caption;
    if (is_sampled && is_linear) figure.caption += both_caption;
    Extent extent;
    extent.include(table.column("xi"));
    const char* const label = "contact location {/:Italic ξ}_{c} = {/:Italic x}_{c}/{/:Italic l}";
    if (!(extent.high > extent.low)) {  // a single location: room on both sides
        extent.low -= 0.05;
        extent.high += 0.05;
    }
    figure.drawing.x =
        extent.high - extent.low > 0.5 ? Axis{label, 0.0, 1.0, 0.2} : tight_axis(label, extent, 6);
    Panel band;
    if (is_sampled) add_sampled(table, band);
    if (is_linear) add_linear(read_numbers(run, linear_table_name), band);
    finish_band(band);
    figure.drawing.panels = {std::move(band)};
    if (is_sampled) {
        figure.drawing.panels.push_back(
            index_panel(run, table, "first_order", "first-order Sobol index", true));
        figure.drawing.panels.push_back(
            index_panel(run, table, "total", "total Sobol index", false));
    } else {
        figure.drawing.panels.push_back(
            index_panel(run, table, "share", "share of the variance", true));
    }
    return figure;
}

std::string uncertainty_section(const Run& run) {
    const io::Value& uncertainty = uncertainty_of(run);
    const io::Value* const linear = uncertainty.find("linear");
    const bool is_sampled = uncertainty.find("samples") != nullptr;
    const auto of_key = [&](const std::string& name, const std::string& key) {
        const io::Value* const all = uncertainty.find(name);
        return all == nullptr ? std::string("–") : html_value_at(*all, key);
    };
    std::vector<HtmlRow> rows;
    for (const io::Value& each : items_at(uncertainty, "keys")) {
        const std::string key = text_at(each, "key");
        rows.push_back({html_text(key), html_value_at(each, "quantile_05"),
                        html_value_at(each, "quantile_95"), html_value_at(each, "unit")});
        HtmlRow& row = rows.back();
        for (const std::string kind : {"first_order", "total"}) {
            if (!is_sampled) continue;
            row.insert(row.end(), {of_key(kind, key), of_key(kind + "_standard_error", key)});
        }
        if (linear)
            row.push_back(linear->find("share") ? html_value_at(*linear->find("share"), key) : "–");
    }
    HtmlRow header{"key", "5 %", "95 %", "unit"};
    for (const char* kind : {"first-order", "total"}) {
        if (!is_sampled) continue;
        header.insert(header.end(), {fmt::format("{} Sobol index", kind), "standard error"});
    }
    if (linear) header.emplace_back("linear share");
    std::string html = html_table(header, rows, 1);
    if (is_sampled)
        html +=
            "<p class=\"note\">Sobol indices of the whole map: those of each place, weighted with "
            "the variance there. The standard errors take the samples as independent; they are "
            "spread more "
            "evenly, so that the true errors are smaller.</p>\n";
    std::vector<HtmlRow> facts;
    for (const char* key : {"samples", "seed", "collisions", "cor_standard_deviation_mean",
                            "cor_standard_deviation_max", "xi_of_max"}) {
        if (uncertainty.find(key) == nullptr) continue;
        facts.push_back({html_text(words_of_key(key)), html_value_at(uncertainty, key)});
    }
    const auto add_linear = [&](const char* key) {
        if (linear && linear->find(key))
            facts.push_back(
                {html_text("linear " + words_of_key(key)), html_value_at(*linear, key)});
    };
    for (const char* key : {"cor_standard_deviation_mean", "cor_standard_deviation_max",
                            "xi_of_max", "places_apart", "largest_difference"})
        add_linear(key);
    return html + html_table({"what", "value"}, facts, 1);
}

}  // namespace stoss::postproc
