#include <postproc/report/drawing.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace stoss::postproc {

namespace {

// The layout [px].
constexpr double least_left_margin = 47.0;
constexpr double right_margin = 11.0;
constexpr double bottom_margin = 33.0;  // also below a panel with its own horizontal axis
constexpr double panel_gap = 11.0;
constexpr double top_margin = 7.0;
constexpr double top_scale_height = 31.0;
constexpr double font_size = 10.5;
constexpr double tick_font_size = 9.5;
constexpr double legend_row = 14.0;
constexpr double name_row = 15.0;
constexpr double note_row = 16.0;       // at the upper edge of a panel with notes
constexpr double legend_sample = 22.0;  // the piece of line before a legend's text
constexpr double legend_space = 8.0;    // between two entries
constexpr double visible = 0.1;         // what a thinned line may deviate
constexpr double px_per_inch = 96.0;
constexpr double pdf_font_scale = 0.5625;  // of pdfcairo, so that text is as wide as in SVG
constexpr double pdf_line_width = 1.75;    // and a line of 1 px as wide
constexpr double pdf_dash_length = 1.1;    // and its dashes as long
constexpr std::size_t few_points = 40;     // up to so many are marked one by one

/// Width of a letter of a sans-serif font, as a fraction of its size.
double letter_width(char letter) {
    static const std::string narrow = " ,.:;'!|()[]/fijlrtI-";
    static const std::string wide = "mwMW%@";
    if (narrow.find(letter) != std::string::npos) return 0.31;
    if (wide.find(letter) != std::string::npos) return 0.85;
    return letter >= 'A' && letter <= 'Z' ? 0.69 : 0.56;
}

/// Rough width [px] of what is seen of a text: gnuplot does not tell how wide a text is.
double text_width(const std::string& text) {
    double width = 0.0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 9, "{/:Italic") == 0) i += 9;
        const char c = text[i];
        const bool markup = c == '{' || c == '}' || c == '\\' || c == '_';
        const bool rest_of_letter = (static_cast<unsigned char>(c) & 0xC0) == 0x80;  // UTF-8
        if (!markup && !rest_of_letter) width += letter_width(c);
    }
    return width * font_size;
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
    return result + "'";
}

/// Where a number stands on an axis of so many px, from its lower end.
class Scale {
  public:
    Scale(const Axis& axis, double length)
        : logarithmic_(axis.logarithmic),
          low_(place(axis.low)),
          factor_(length / (place(axis.high) - low_)) {}

    double px(double value) const { return (place(value) - low_) * factor_; }
    double value(double px) const {
        const double place = low_ + px / factor_;
        return logarithmic_ ? std::pow(10.0, place) : place;
    }

  private:
    double place(double value) const { return logarithmic_ ? std::log10(value) : value; }

    bool logarithmic_;
    double low_, factor_;
};

/// Width [px] of the longest tick label.
double tick_width(const Axis& axis) {
    double widest = 0.0;
    if (axis.logarithmic) {
        for (const double end : {axis.low, axis.high}) {
            widest = std::max(widest, text_width(fmt::format("10{:.0f}", std::log10(end))));
        }
        return widest * tick_font_size / font_size;
    }
    const long last = std::lround(std::floor(axis.high / axis.step + 1e-6));
    for (long k = std::lround(std::ceil(axis.low / axis.step - 1e-6)); k <= last; ++k) {
        const double tick = static_cast<double>(k) * axis.step;
        widest = std::max(widest, text_width(fmt::format("{:g}", tick)));
    }
    return widest * tick_font_size / font_size;
}

double nice_step(double span, int ticks) {
    const double raw = span / std::max(ticks, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw * (1.0 - 1e-9)) return factor * power;
    }
    return 10.0 * power;
}

/// Never empty and never of zero width.
Extent drawable(Extent extent) {
    if (extent.none()) {
        extent.low = 0.0;
        extent.high = 1.0;
    }
    const double size = std::max(std::abs(extent.low), std::abs(extent.high));
    if (extent.high - extent.low <= 1e-3 * size || size == 0.0) {
        const double least = size > 0.0 ? 0.05 * size : 1.0;
        const double middle = extent.low + 0.5 * (extent.high - extent.low);
        extent.low = middle - 0.5 * least;
        extent.high = middle + 0.5 * least;
    }
    return extent;
}

/// Heights of one panel from the bottom of the figure.
struct Frame {
    double bottom;
    double top;
};

struct LegendCell {
    double x;
    double y;
};

/// Where the entries of a legend stand, relative to its upper left corner.
struct Legend {
    std::vector<LegendCell> cells;
    double height = 0.0;
};

Legend legend_of(const Panel& panel, double panel_width) {
    Legend legend;
    std::vector<double> widths;
    for (const Curve& curve : panel.curves) {
        if (!curve.title.empty()) {
            widths.push_back(legend_sample + text_width(curve.title) + legend_space);
        }
    }
    if (widths.empty()) return legend;

    const double title =
        panel.legend_title.empty() ? 0.0 : text_width(panel.legend_title) + legend_space;
    double total = title;
    for (const double width : widths) total += width;
    if (total - legend_space <= panel_width) {  // one line
        double x = title;
        for (const double width : widths) {
            legend.cells.push_back({x, 0.0});
            x += width;
        }
        legend.height = legend_row;
        return legend;
    }
    const double widest = *std::max_element(widths.begin(), widths.end());
    const auto columns = std::max<std::size_t>(
        1,
        std::min(widths.size(), static_cast<std::size_t>((panel_width + legend_space) / widest)));
    const double first_row = title > 0.0 ? legend_row : 0.0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::size_t row = i / columns;
        legend.cells.push_back(
            {static_cast<double>(i % columns) * panel_width / static_cast<double>(columns),
             first_row + static_cast<double>(row) * legend_row});
    }
    legend.height = legend.cells.back().y + legend_row;
    return legend;
}

/// Writes one script; keeps the numbers of its datablocks.
class ScriptWriter {
  public:
    ScriptWriter(const Drawing& drawing, Format format) : drawing_(drawing), format_(format) {
        for (const Panel& panel : drawing.panels) {
            left_margin_ = std::max(left_margin_, 20.0 + tick_width(panel.y));
        }
        panel_width_ = figure_width - left_margin_ - right_margin;
        height_ = bottom_margin + top_margin + (drawing.top.is_shown() ? top_scale_height : 0.0);
        for (const Panel& panel : drawing.panels) height_ += panel.height + above(panel);
        for (std::size_t i = 0; i + 1 < drawing.panels.size(); ++i) height_ += below(i);
    }

    std::string write() {
        header();
        double top = height_ - top_margin - (drawing_.top.is_shown() ? top_scale_height : 0.0);
        for (std::size_t i = 0; i < drawing_.panels.size(); ++i) {
            const Panel& panel = drawing_.panels[i];
            const double upper = top - above(panel);
            const Frame frame{upper - panel.height, upper};
            this->panel(panel, frame, i == 0, is_labelled(i));
            top = frame.bottom - below(i);
        }
        script_ += "unset multiplot\n";
        return std::move(script_);
    }

  private:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        script_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
    }

    double above(const Panel& panel) const {
        const double height = legend_of(panel, panel_width_).height;
        const double name = panel.name.empty() ? 0.0 : name_row;
        return name + (height > 0.0 ? height + 4.0 : 0.0);
    }

    const Axis& x_of(const Panel& panel) const { return panel.x ? *panel.x : drawing_.x; }

    /// True if the horizontal axis of panel i is not that of the panel below it.
    bool is_labelled(std::size_t i) const {
        const auto& panels = drawing_.panels;
        return i + 1 == panels.size() || panels[i].x || panels[i + 1].x;
    }

    double below(std::size_t i) const { return is_labelled(i) ? bottom_margin : panel_gap; }

    double screen_x(double px) const { return px / figure_width; }
    double screen_y(double px) const { return px / height_; }

    void header() {
        line("set encoding utf8");
        line("set minussign");
        terminal();
        line("set multiplot");
        line("set border 15 lw 0.7 lc rgb '#404040'");
        line("set grid xtics ytics lt 1 lc rgb '#DDDDDD' lw 0.5");
        line("set tics front in scale 0.4 nomirror font ',{:g}'", tick_font_size);
        line("set format '%g'");
        line("set lmargin at screen {:.6f}", screen_x(left_margin_));
        line("set rmargin at screen {:.6f}", screen_x(figure_width - right_margin));
        line("unset key");
        // A line whose two ends lie on the border may have both a last digit outside of it.
        line("set clip two");
        line("set pointintervalbox 0");
    }

    void terminal() {
        if (format_ == Format::svg) {
            line(
                "set terminal svg size {:g},{:g} fixed enhanced font 'Arial,{:g}' butt solid "
                "background rgb 'white'",
                figure_width, height_, font_size);
            return;
        }
        // What pdfcairo calls 9 of a font or 1 of a line is another length than in SVG.
        line(
            "set terminal pdfcairo size {:.6f}in,{:.6f}in enhanced font 'Arial,{:g}' fontscale "
            "{:g} linewidth {:g} butt dashlength {:g} background rgb 'white'",
            figure_width / px_per_inch, height_ / px_per_inch, font_size, pdf_font_scale,
            pdf_line_width, pdf_dash_length);
    }

    void panel(const Panel& panel, const Frame& frame, bool first, bool labelled) {
        line("unset label\nunset arrow\nunset object");
        line("set tmargin at screen {:.6f}", screen_y(frame.top));
        line("set bmargin at screen {:.6f}", screen_y(frame.bottom));
        axes(panel, frame, first, labelled);
        legend(panel, frame);
        for (const Band& band : panel.bands) {
            band.hatched ? hatch(band, panel) : shade(band, x_of(panel));
        }
        if (!panel.y.logarithmic && panel.y.low < 0.0 && panel.y.high > 0.0) {
            line(
                "set arrow from graph 0, first 0 to graph 1, first 0 nohead back lc rgb '#808080' "
                "dt solid lw 0.6");
        }
        const bool has_note_row =
            std::any_of(panel.notes.begin(), panel.notes.end(), [](auto& note) { return !note.y; });
        const double line_top = has_note_row ? 1.0 - note_row / panel.height : 1.0;
        for (const Marker& marker : panel.markers) mark(marker, panel, line_top);
        const double note_height = 1.0 - 0.5 * note_row / panel.height;
        for (const Note& note : panel.notes) {
            const std::string height =
                note.y ? fmt::format("{:.7g}", *note.y) : fmt::format("graph {:.4f}", note_height);
            line("set label {} at {:.7g}, {} center front font ',{:g}'", quoted(note.text), note.x,
                 height, tick_font_size);
        }
        if (!panel.name.empty()) {
            line("set label {} at graph 0, screen {:.6f} left", quoted(panel.name),
                 screen_y(frame.top + 0.5 * name_row));
        }
        if (panel.tiles.is_shown()) colours(panel.tiles, frame);
        curves(panel);
    }

    /// The scale of the colours, in the row of the panel's name, between its two ends in numbers.
    void colours(const Tiles& tiles, const Frame& frame) {
        constexpr double bar = 90.0, thickness = 7.0, beside = 30.0;
        const double middle = frame.top + 0.5 * name_row;
        const double right = figure_width - right_margin - beside, left = right - bar;
        // Viridis (van der Walt and Smith 2015): even steps for every eye, and in grey.
        line(
            "set palette defined (0 '#440154', 1 '#414487', 2 '#2A788E', 3 '#22A884', 4 '#7AD151', "
            "5 '#FDE725')");
        line("set cbrange [{:.9g}:{:.9g}]", tiles.scale.low, tiles.scale.high);
        line("unset cbtics");
        line(
            "set colorbox horizontal user origin screen {:.6f}, screen {:.6f} size screen {:.6f}, "
            "screen {:.6f} noborder",
            screen_x(left), screen_y(middle - 0.5 * thickness), screen_x(bar), screen_y(thickness));
        line("set label '{:g}' at screen {:.6f}, screen {:.6f} right font ',{:g}'", tiles.scale.low,
             screen_x(left - 4.0), screen_y(middle), tick_font_size);
        line("set label '{:g}' at screen {:.6f}, screen {:.6f} left font ',{:g}'", tiles.scale.high,
             screen_x(right + 4.0), screen_y(middle), tick_font_size);
    }

    std::string tile_block(const Tiles& tiles) {
        std::string text;
        for (std::size_t i = 0; i < tiles.x.size(); ++i) {
            if (!std::isfinite(tiles.value[i])) continue;
            text += fmt::format("{:.7g} {:.7g} {:.4g}\n", tiles.x[i], tiles.y[i], tiles.value[i]);
        }
        return datablock(text);
    }

    /// Range, ticks and their labels of one axis; `offset` moves the labels.
    void axis(char name, const Axis& axis, const char* offset, bool labelled) {
        line("{} logscale {}", axis.logarithmic ? "set" : "unset", name);
        line("set {}range [{:.9g}:{:.9g}]", name, axis.low, axis.high);
        line("set {}tics {:.9g} offset {}", name, axis.step, offset);
        // Between labels that are further apart than a decade, small ticks would be a black bar.
        line("{}", axis.logarithmic && axis.step == 10.0 ? fmt::format("set m{}tics 10", name)
                                                         : fmt::format("unset m{}tics", name));
        const bool has_decades = axis.logarithmic && axis.step >= 10.0;
        const char* const format = has_decades ? "10^{%L}" : "%g";
        line("set format {} '{}'", name, labelled ? format : "");
    }

    void axes(const Panel& panel, const Frame& frame, bool first, bool labelled) {
        const Axis& x = x_of(panel);
        axis('x', x, "0,0.3", labelled);
        axis('y', panel.y, "0.5,0", true);
        // Labels of all panels stand in one line, whatever the width of the tick labels.
        line("set label {} at screen {:.6f}, screen {:.6f} center rotate by 90",
             quoted(panel.y.label), screen_x(8.0), screen_y(0.5 * (frame.bottom + frame.top)));
        if (labelled) {
            line("set label {} at graph 0.5, screen {:.6f} center", quoted(x.label),
                 screen_y(frame.bottom - bottom_margin + 7.5));
        }
        const TopScale& top = drawing_.top;
        if (first && top.is_shown()) {
            line("set x2range [{:.9g}:{:.9g}]", top.factor * x.low, top.factor * x.high);
            line("set x2tics {:.9g} offset 0,-0.4", top.axis.step);
            line("set label {} at graph 0.5, screen {:.6f} center", quoted(top.axis.label),
                 screen_y(frame.top + 24.0));
        } else {
            line("unset x2tics");
        }
    }

    void legend(const Panel& panel, const Frame& frame) {
        const Legend legend = legend_of(panel, panel_width_);
        if (legend.cells.empty()) return;
        const double name = panel.name.empty() ? 0.0 : name_row;
        const double top = frame.top + name + legend.height - 2.0;
        if (!panel.legend_title.empty()) {
            line("set label {} at screen {:.6f}, screen {:.6f} left", quoted(panel.legend_title),
                 screen_x(left_margin_), screen_y(top));
        }
        std::size_t cell = 0;
        for (const Curve& curve : panel.curves) {
            if (curve.title.empty()) continue;
            const double x = left_margin_ + legend.cells[cell].x;
            const double y = screen_y(top - legend.cells[cell].y);
            ++cell;
            if (curve.drawn != Drawn::points) {
                line(
                    "set arrow from screen {:.6f}, screen {:.6f} to screen {:.6f}, screen {:.6f} "
                    "nohead {}",
                    screen_x(x), y, screen_x(x + legend_sample - 5.0), y, line_words(curve.style));
            }
            if (curve.drawn != Drawn::line) {
                line("set label '' at screen {:.6f}, screen {:.6f} point {}",
                     screen_x(x + 0.5 * (legend_sample - 5.0)), y, point_words(curve));
            }
            line("set label {} at screen {:.6f}, screen {:.6f} left", quoted(curve.title),
                 screen_x(x + legend_sample), y);
        }
    }

    static std::string line_words(const LineStyle& style) {
        return fmt::format("lc rgb '{}' dt {} lw {:g}", style.color, style.dashes, style.width);
    }

    static std::string point_words(const Curve& curve) {
        static constexpr std::array<int, 8> symbols = {7, 5, 9, 13, 11, 6, 4, 2};
        return fmt::format("pt {} ps {} lc rgb '{}'", symbols[curve.symbol % symbols.size()],
                           curve.drawn == Drawn::line ? 0.3 : 0.5, curve.style.color);
    }

    /// A band is never narrower than what can be seen.
    void shade(const Band& band, const Axis& x) {
        const Scale scale(x, panel_width_);
        const double low = scale.px(band.low), high = scale.px(band.high);
        const double middle = 0.5 * (low + high), half = 0.5 * std::max(high - low, 1.0);
        line(
            "set object rectangle from {:.7g}, graph 0 to {:.7g}, graph 1 behind fc rgb '#EAF1F7' "
            "fs solid noborder",
            scale.value(std::max(middle - half, 0.0)),
            scale.value(std::min(middle + half, panel_width_)));
    }

    /// Lines at 45 degrees, from the lower or left edge of the band to the upper or right one.
    void hatch(const Band& band, const Panel& panel) {
        constexpr double distance_px = 7.0;
        const Scale scale(x_of(panel), panel_width_);
        const double low = std::max(scale.px(band.low), 0.0);
        const double high = std::min(scale.px(band.high), panel_width_);
        // Neighbouring bands continue each other's lines.
        const double first = distance_px * std::ceil((low - panel.height) / distance_px);
        for (double foot = first; foot < high; foot += distance_px) {
            const double begin = std::max(foot, low), end = std::min(foot + panel.height, high);
            if (!(end > begin)) continue;
            line(
                "set arrow from {:.7g}, graph {:.4f} to {:.7g}, graph {:.4f} nohead back lc rgb "
                "'#B0B0B0' dt solid lw 0.6",
                scale.value(begin), (begin - foot) / panel.height, scale.value(end),
                (end - foot) / panel.height);
        }
    }

    /// The text stands right of the line, or left of it where there is no room.
    void mark(const Marker& marker, const Panel& panel, double line_top) {
        line(
            "set arrow from {0:.7g}, graph 0 to {0:.7g}, graph {1:.4f} nohead front "
            "lc rgb '#404040' dt (2,4) lw 1",
            marker.x, line_top);
        if (marker.label.empty()) return;
        const double room = panel_width_ - Scale(x_of(panel), panel_width_).px(marker.x);
        const bool right = room > text_width(marker.label) + 6.0;
        line("set label {} at {:.7g}, graph {:.4f} {} offset character {},0 front",
             quoted(marker.label), marker.x, 1.0 - 9.0 / panel.height, right ? "left" : "right",
             right ? "0.5" : "-0.5");
    }

    void curves(const Panel& panel) {
        std::string plots;
        if (const std::string tiles = tile_block(panel.tiles); !tiles.empty()) {
            plots += fmt::format(
                ", {} using 1:2:({:.7g}):({:.7g}):3 with boxxyerror notitle fs solid 1.0 noborder "
                "lc palette",
                tiles, 0.5 * panel.tiles.width, 0.5 * panel.tiles.height);
        }
        for (const Fill& fill : panel.fills) {
            const std::string area = fill_block(fill);
            if (area.empty()) continue;
            plots += fmt::format(", {} using 1:2:3 with filledcurves notitle fs solid fc rgb '{}'",
                                 area, fill.color);
        }
        for (const Curve& curve : panel.curves) {
            const std::string lines = line_block(curve, panel);
            const std::string points = point_block(curve, panel);
            if (!lines.empty()) {
                plots += fmt::format(", {} using 1:2 with lines notitle {}", lines,
                                     line_words(curve.style));
            }
            if (!points.empty() && !curve.error.empty()) {
                // As arrows with flat heads: gnuplot's own error bars wipe out what is below them.
                plots += fmt::format(
                    ", {} using 1:($2-$3):(0):(2*$3) with vectors notitle heads size screen "
                    "0.006,90 lw 0.8 lc rgb '{}'",
                    points, curve.style.color);
            }
            if (!points.empty()) {
                plots += fmt::format(", {} using 1:2 with points notitle {}", points,
                                     point_words(curve));
            }
        }
        // A panel without a number still shows its axes.
        line("plot {}", plots.empty() ? "1/0 notitle" : plots.substr(2));
    }

    /// The pieces between the gaps of a curve: first index and one past the last.
    static std::vector<std::pair<std::size_t, std::size_t>> pieces(const Curve& curve,
                                                                   const Panel& panel,
                                                                   const Axis& x_axis) {
        const auto has_place = [](double value, const Axis& axis) {
            return std::isfinite(value) && (!axis.logarithmic || value > 0.0);
        };
        std::vector<std::pair<std::size_t, std::size_t>> result;
        bool open = false;
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            const bool drawn = has_place(curve.x[i], x_axis) && has_place(curve.y[i], panel.y);
            if (drawn && !open) result.push_back({i, i});
            if (drawn) result.back().second = i + 1;
            open = drawn;
        }
        return result;
    }

    /// Writes the lines of a curve, thinned; the name of the block, or "" if it would be empty.
    std::string line_block(const Curve& curve, const Panel& panel) {
        if (curve.drawn == Drawn::points) return {};
        const Scale x_scale(x_of(panel), panel_width_), y_scale(panel.y, panel.height);
        std::string text;
        for (const auto& [first, last] : pieces(curve, panel, x_of(panel))) {
            if (last - first < 2) continue;
            std::vector<double> x, y;
            for (std::size_t i = first; i < last; ++i) {
                x.push_back(x_scale.px(curve.x[i]));
                y.push_back(y_scale.px(curve.y[i]));
            }
            for (const std::size_t i : thinned(x, y, visible)) {
                text += fmt::format("{:.7g} {:.7g}\n", curve.x[first + i], curve.y[first + i]);
            }
            text += "\n";
        }
        return datablock(text);
    }

    /// Writes the points of a curve that are marked.
    std::string point_block(const Curve& curve, const Panel& panel) {
        const bool mark_all = curve.drawn != Drawn::line || curve.x.size() <= few_points;
        std::string text;
        for (const auto& [first, last] : pieces(curve, panel, x_of(panel))) {
            if (!mark_all && last - first > 1) continue;
            for (std::size_t i = first; i < last; ++i) {
                text += fmt::format("{:.7g} {:.7g}", curve.x[i], curve.y[i]);
                if (!curve.error.empty()) text += fmt::format(" {:.7g}", curve.error[i]);
                text += "\n";
            }
        }
        return datablock(text);
    }

    std::string fill_block(const Fill& fill) {
        std::string text;
        for (std::size_t i = 0; i < fill.x.size(); ++i) {
            text += fmt::format("{:.7g} {:.7g} {:.7g}\n", fill.x[i], fill.low[i], fill.high[i]);
        }
        return datablock(text);
    }

    std::string datablock(const std::string& text) {
        if (text.empty()) return {};
        const std::string name = fmt::format("$d{}", blocks_++);
        line("{} << EOD\n{}EOD", name, text);
        return name;
    }

    const Drawing& drawing_;
    Format format_;
    double left_margin_ = least_left_margin;
    double panel_width_ = 0.0;
    double height_ = 0.0;
    int blocks_ = 0;
    std::string script_;
};

/// Distance of (px, py) from the segment a-b.
double distance(double px, double py, double ax, double ay, double bx, double by) {
    const double dx = bx - ax;
    const double dy = by - ay;
    const double square = dx * dx + dy * dy;
    const double t =
        square > 0.0 ? std::clamp(((px - ax) * dx + (py - ay) * dy) / square, 0.0, 1.0) : 0.0;
    return std::hypot(px - ax - t * dx, py - ay - t * dy);
}

}  // namespace

std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            result += ' ';
            continue;
        }
        if (std::string("_^{}@&~\\").find(c) != std::string::npos) result += '\\';
        result += c;
    }
    return result;
}

Extent::Extent()
    : low(std::numeric_limits<double>::infinity()),
      high(-std::numeric_limits<double>::infinity()) {}

void Extent::include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
}

void Extent::include(const std::vector<double>& values) {
    for (const double value : values) include(value);
}

void Extent::include_positive(const std::vector<double>& values) {
    for (const double value : values) {
        if (value > 0.0) include(value);
    }
}

Axis nice_axis(std::string label, Extent extent, int ticks) {
    if (!extent.none() && extent.low > 0.0 && extent.low < 0.6 * extent.high) extent.low = 0.0;
    if (!extent.none() && extent.high < 0.0 && extent.high > 0.6 * extent.low) extent.high = 0.0;
    const Extent range = drawable(extent);
    const double step = nice_step(range.high - range.low, ticks);
    return {std::move(label), step * std::floor(range.low / step + 1e-6),
            step * std::ceil(range.high / step - 1e-6), step};
}

Axis tight_axis(std::string label, Extent extent, int ticks) {
    const Extent range = drawable(extent);
    return {std::move(label), range.low, range.high, nice_step(range.high - range.low, ticks)};
}

Axis log_axis(std::string label, Extent extent) {
    if (extent.none()) extent.low = extent.high = 1.0;
    const double first = std::floor(std::log10(extent.low) + 1e-9);
    const double last = std::max(std::ceil(std::log10(extent.high) - 1e-9), first + 1.0);
    const double stride = std::ceil((last - first) / 7.0);  // decades between two labels
    return {std::move(label), std::pow(10.0, first), std::pow(10.0, last), std::pow(10.0, stride),
            true};
}

LineStyle line_style(std::size_t index) {
    static constexpr std::array<const char*, 7> colors = {
        "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
    static constexpr std::array<const char*, 4> dashes = {"solid", "(9,5)", "(9,4,3,4)", "(3,4)"};
    const std::size_t cycle = index / colors.size();
    return {colors[index % colors.size()], dashes[(index + 2 * cycle) % dashes.size()],
            index == 0 ? 1.6 : 1.4};
}

std::vector<std::size_t> thinned(const std::vector<double>& x, const std::vector<double>& y,
                                 double tolerance) {
    if (x.empty()) return {};
    std::vector<bool> kept(x.size(), false);
    kept.front() = kept.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> pieces{{0, x.size() - 1}};
    while (!pieces.empty()) {
        const auto [first, last] = pieces.back();
        pieces.pop_back();
        double farthest = tolerance;
        std::size_t split = first;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double d = distance(x[i], y[i], x[first], y[first], x[last], y[last]);
            if (d > farthest) {
                farthest = d;
                split = i;
            }
        }
        if (split == first) continue;
        kept[split] = true;
        pieces.push_back({first, split});
        pieces.push_back({split, last});
    }
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (kept[i]) indices.push_back(i);
    }
    return indices;
}

std::string gnuplot_script(const Drawing& drawing, Format format) {
    return ScriptWriter(drawing, format).write();
}

}  // namespace stoss::postproc
