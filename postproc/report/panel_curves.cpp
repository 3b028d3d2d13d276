#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <postproc/report/panel_script.hpp>

namespace stoss::postproc {

namespace {

constexpr double visible = 0.1;         // largest deviation of a thinned line [px]
constexpr std::size_t few_points = 40;  // up to so many are marked one by one

/// The pieces between the gaps of a curve: first index and one past the last.
std::vector<std::pair<std::size_t, std::size_t>> pieces(const Curve& curve,
                                                        const PlacedPanel& placed) {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    bool open = false;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        const bool drawn = has_place(curve.x[i], placed.x) && has_place(curve.y[i], placed.panel.y);
        if (drawn && !open) result.push_back({i, i});
        if (drawn) result.back().second = i + 1;
        open = drawn;
    }
    return result;
}

/// The lines of a curve, thinned.
std::string line_data(const Curve& curve, const PlacedPanel& placed) {
    if (curve.drawn == Drawn::points) return {};
    const Scale x_scale(placed.x, placed.width), y_scale(placed.panel.y, placed.panel.height);
    std::string text;
    for (const auto& [first, last] : pieces(curve, placed)) {
        if (last - first < 2) continue;
        std::vector<double> x, y;
        for (std::size_t i = first; i < last; ++i) {
            x.push_back(x_scale.px(curve.x[i]));
            y.push_back(y_scale.px(curve.y[i]));
        }
        for (const std::size_t i : thinned(x, y, visible)) {
            text += fmt::format("{} {}\n", number_on(placed.x, curve.x[first + i]),
                                number_on(placed.panel.y, curve.y[first + i]));
        }
        text += "\n";
    }
    return text;
}

/// The points of a curve that are marked.
std::string point_data(const Curve& curve, const PlacedPanel& placed) {
    const bool mark_all = curve.drawn != Drawn::line || curve.x.size() <= few_points;
    std::string text;
    for (const auto& [first, last] : pieces(curve, placed)) {
        if (!mark_all && last - first > 1) continue;
        for (std::size_t i = first; i < last; ++i) {
            text += number_on(placed.x, curve.x[i]) + " " + number_on(placed.panel.y, curve.y[i]);
            for (const auto* error : {&curve.error, &curve.x_error}) {
                if (!error->empty()) text += fmt::format(" {:.7g}", (*error)[i]);
            }
            text += "\n";
        }
    }
    return text;
}

/// Writes the data of tiles and fills; returns what `plot` draws of them. A fill has a gap where x
/// is NaN.
std::string write_areas(Script& script, const PlacedPanel& placed) {
    const Panel& panel = placed.panel;
    const Tiles& tiles = panel.tiles;
    const auto point = [&](double x, double y) {
        return number_on(placed.x, x) + " " + number_on(panel.y, y);
    };
    std::string text;
    for (std::size_t i = 0; i < tiles.x.size(); ++i) {
        if (!std::isfinite(tiles.value[i])) continue;
        text += fmt::format("{} {:.4g}\n", point(tiles.x[i], tiles.y[i]), tiles.value[i]);
    }
    std::string plots;
    if (const std::string block = script.data_block(text); !block.empty()) {
        plots += fmt::format(
            ", {} using 1:2:({:.7g}):({:.7g}):3 with boxxyerror notitle fs solid 1.0 noborder "
            "lc palette",
            block, 0.5 * tiles.width, 0.5 * tiles.height);
    }
    for (const Fill& fill : panel.fills) {
        text.clear();
        for (std::size_t i = 0; i < fill.x.size(); ++i) {
            if (!std::isnan(fill.x[i]))
                text += point(fill.x[i], fill.low[i]) + " " + number_on(panel.y, fill.high[i]);
            text += "\n";
        }
        const std::string area = script.data_block(text);
        if (area.empty()) continue;
        plots += fmt::format(", {} using 1:2:3 with filledcurves notitle fs solid fc rgb '{}'",
                             area, fill.color);
    }
    return plots;
}

/// The same for the lines, error bars and points of a curve.
std::string write_curve(Script& script, const Curve& curve, const PlacedPanel& placed) {
    const std::string lines = script.data_block(line_data(curve, placed));
    const std::string points = script.data_block(point_data(curve, placed));
    std::string plots;
    if (!lines.empty()) {
        plots +=
            fmt::format(", {} using 1:2 with lines notitle {}", lines, line_words(curve.style));
    }
    // As arrows with flat heads: gnuplot's own error bars wipe out what is below them.
    const auto add_bars = [&](const std::string& columns) {
        plots += fmt::format(
            ", {} using {} with vectors notitle heads size screen 0.006,90 lw 0.8 lc rgb '{}'",
            points, columns, curve.style.color);
    };
    if (!points.empty() && !curve.error.empty()) add_bars("1:($2-$3):(0):(2*$3)");
    if (!points.empty() && !curve.x_error.empty()) {
        const int column = curve.error.empty() ? 3 : 4;
        add_bars(fmt::format("($1-${0}):2:(2*${0}):(0)", column));
    }
    if (!points.empty()) {
        plots += fmt::format(", {} using 1:2 with points notitle {}", points, point_words(curve));
    }
    return plots;
}

}  // namespace

void write_curves(Script& script, const PlacedPanel& placed) {
    std::string plots = write_areas(script, placed);
    for (const Curve& curve : placed.panel.curves) plots += write_curve(script, curve, placed);
    // A panel without a number still shows its axes.
    script.line("plot {}", plots.empty() ? "1/0 notitle" : plots.substr(2));
}

}  // namespace stoss::postproc
