#include <postproc/report/figure_data.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/labels.hpp>
#include <postproc/report/layout.hpp>

namespace stoss::postproc {

namespace {

constexpr int usual_digits = 6;
constexpr std::size_t many_points = 2000;
constexpr double visible = 0.1;  // largest deviation of a thinned line [px]

/// So many digits; null for what is no number.
io::Value rounded(double number, int digits = usual_digits) {
    if (!std::isfinite(number)) return {};
    const std::string text = fmt::format("{:.{}g}", number, digits);
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

io::Value list_of(const std::vector<double>& numbers, int digits = usual_digits) {
    io::Value list = io::Value::array();
    for (const double number : numbers) list.append(rounded(number, digits));
    return list;
}

/// Digits of the numbers of an axis.
int digits_on(const Axis& axis) {
    return usual_digits + shared_digits(axis);
}

/// The columns of a figure; equal ones, such as the x of several curves, are kept once.
class Columns {
  public:
    /// The index of the column.
    io::Value add(const std::vector<double>& numbers, int digits = usual_digits) {
        io::Value column = list_of(numbers, digits);
        const auto [at, is_new] = known_.try_emplace(io::to_json(column, 0), known_.size());
        if (is_new) columns_.append(std::move(column));
        return at->second;
    }

    io::Value values() { return std::move(columns_); }

  private:
    std::map<std::string, std::size_t> known_;
    io::Value columns_ = io::Value::array();
};

io::Value axis_data(const Axis& axis) {
    return io::Value::object()
        .set("label", unmarked(axis.label))
        .set("low", rounded(axis.low, digits_on(axis)))
        .set("high", rounded(axis.high, digits_on(axis)))
        .set("logarithmic", axis.logarithmic);
}

/// The colours of a scale of curves, evenly spaced from its lower to its upper end.
io::Value scale_colors(double end) {
    constexpr int last = 9;
    io::Value colors = io::Value::array();
    for (int i = 0; i <= last; ++i) colors.append(scale_color(end * i / last));
    return colors;
}

/// A long line without the points that cannot be seen; all gaps stay.
Curve without_invisible(const Curve& curve, const PlacedPanel& placed) {
    if (curve.drawn != Drawn::line || curve.x.size() <= many_points) return curve;
    const Scale x_scale(placed.x, placed.width), y_scale(placed.panel.y, placed.panel.height);
    Curve thin = curve;
    thin.x.clear();
    thin.y.clear();
    std::vector<double> x, y;
    std::size_t first = 0;
    const auto end_piece = [&] {
        for (const std::size_t i : thinned(x, y, visible)) {
            thin.x.push_back(curve.x[first + i]);
            thin.y.push_back(curve.y[first + i]);
        }
        x.clear();
        y.clear();
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        const double px = x_scale.px(curve.x[i]), py = y_scale.px(curve.y[i]);
        if (std::isfinite(px) && std::isfinite(py)) {
            if (x.empty()) first = i;
            x.push_back(px);
            y.push_back(py);
            continue;
        }
        end_piece();
        thin.x.push_back(curve.x[i]);
        thin.y.push_back(curve.y[i]);
    }
    end_piece();
    return thin;
}

io::Value curve_data(std::size_t index, const PlacedPanel& placed, Columns& columns) {
    const Curve curve = without_invisible(placed.panel.curves[index], placed);
    static constexpr const char* drawn[] = {"line", "points", "both"};
    io::Value data = io::Value::object()
                         .set("title", unmarked(curve.title))
                         .set("color", curve.style.color)
                         .set("dashes", curve.style.dashes)
                         .set("width", curve.style.width)
                         .set("drawn", drawn[static_cast<std::size_t>(curve.drawn)])
                         .set("symbol", curve.symbol)
                         .set("in_legend", placed.legend.has(index))
                         .set("x", columns.add(curve.x, digits_on(placed.x)))
                         .set("y", columns.add(curve.y, digits_on(placed.panel.y)));
    if (!curve.error.empty()) data.set("error", columns.add(curve.error));
    if (!curve.x_error.empty()) data.set("x_error", columns.add(curve.x_error));
    return data;
}

/// Bands, markers and notes.
void add_annotations(const PlacedPanel& placed, io::Value& data) {
    const Panel& panel = placed.panel;
    const int x_digits = digits_on(placed.x);
    io::Value bands = io::Value::array(), markers = io::Value::array(), notes = io::Value::array();
    for (const Band& band : panel.bands) {
        bands.append(io::Value::object()
                         .set("low", rounded(band.low, x_digits))
                         .set("high", rounded(band.high, x_digits))
                         .set("hatched", band.hatched));
    }
    for (const Marker& marker : panel.markers) {
        markers.append(io::Value::object()
                           .set("x", rounded(marker.x, x_digits))
                           .set("label", unmarked(marker.label)));
    }
    for (const Note& note : panel.notes) {
        notes.append(io::Value::object()
                         .set("x", rounded(note.x, x_digits))
                         .set("text", unmarked(note.text))
                         .set("y", note.y ? rounded(*note.y, digits_on(panel.y)) : io::Value()));
    }
    data.set("bands", std::move(bands));
    data.set("markers", std::move(markers));
    data.set("notes", std::move(notes));
}

io::Value panel_data(const PlacedPanel& placed, Columns& columns) {
    const Panel& panel = placed.panel;
    const int x_digits = digits_on(placed.x), y_digits = digits_on(panel.y);
    io::Value data = io::Value::object()
                         .set("name", unmarked(panel.name))
                         .set("legend_title", unmarked(panel.legend_title))
                         .set("height", rounded(panel.height))
                         .set("own_x", panel.x.has_value())
                         .set("x", axis_data(placed.x))
                         .set("y", axis_data(panel.y));
    io::Value curves = io::Value::array(), fills = io::Value::array();
    for (std::size_t i = 0; i < panel.curves.size(); ++i)
        curves.append(curve_data(i, placed, columns));
    for (const Fill& fill : panel.fills) {
        fills.append(io::Value::object()
                         .set("color", fill.color)
                         .set("x", columns.add(fill.x, x_digits))
                         .set("low", columns.add(fill.low, y_digits))
                         .set("high", columns.add(fill.high, y_digits)));
    }
    data.set("curves", std::move(curves));
    data.set("fills", std::move(fills));
    add_annotations(placed, data);
    if (panel.curve_scale) {
        data.set("curve_scale",
                 axis_data(*panel.curve_scale).set("colors", scale_colors(panel.curve_scale_end)));
    }
    if (!panel.tiles.is_shown()) return data;
    return data.set("tiles", io::Value::object()
                                 .set("x", columns.add(panel.tiles.x, x_digits))
                                 .set("y", columns.add(panel.tiles.y, y_digits))
                                 .set("value", columns.add(panel.tiles.value))
                                 .set("width", rounded(panel.tiles.width))
                                 .set("height", rounded(panel.tiles.height))
                                 .set("scale", axis_data(panel.tiles.scale)));
}

}  // namespace

io::Value figure_data(const std::string& name, const std::string& caption, const Drawing& drawing) {
    const Layout layout(drawing);
    Columns columns;
    io::Value panels = io::Value::array();
    for (const PlacedPanel& placed : layout.panels) panels.append(panel_data(placed, columns));
    return io::Value::object()
        .set("name", name)
        .set("caption", spoken(caption))
        .set("panels", std::move(panels))
        .set("columns", columns.values());
}

io::Value histories_data(const std::vector<PointHistory>& histories) {
    constexpr int digits = 4;
    io::Value all = io::Value::array();
    for (const PointHistory& history : histories) {
        all.append(io::Value::object()
                       .set("curve", history.curve)
                       .set("x", rounded(history.x))
                       .set("time", list_of(history.time, digits))
                       .set("force", list_of(history.force, digits))
                       .set("gap", list_of(history.gap, digits)));
    }
    return all;
}

io::Value panel_places(const Drawing& drawing) {
    const Layout layout(drawing);
    io::Value places = io::Value::array();
    for (const PlacedPanel& placed : layout.panels) {
        places.append(list_of(
            {placed.left, layout.height - placed.top, placed.width, placed.top - placed.bottom}));
    }
    return places;
}

std::string figures_json(io::Value::Array figures) {
    const std::string text = io::to_json(io::Value::object().set("figures", std::move(figures)), 0);
    std::string safe;
    for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return safe;
}

}  // namespace stoss::postproc
