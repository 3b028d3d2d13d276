#include <algorithm>
#include <cmath>

#include <postproc/report/panel_script.hpp>

namespace stoss::postproc {

namespace {

constexpr double note_row = 16.0;  // at the upper edge of a panel with notes

/// A band is never narrower than what can be seen.
void shade(Script& script, const Band& band, const PlacedPanel& placed) {
    const Scale scale(placed.x, placed.width);
    const double low = scale.px(band.low), high = scale.px(band.high);
    const double middle = 0.5 * (low + high), half = 0.5 * std::max(high - low, 1.0);
    script.line(
        "set object rectangle from {:.7g}, graph 0 to {:.7g}, graph 1 behind fc rgb '#EAF1F7' "
        "fs solid noborder",
        scale.value(std::max(middle - half, 0.0)),
        scale.value(std::min(middle + half, placed.width)));
}

/// Lines at 45 degrees, from the lower or left edge of the band to the upper or right one.
void hatch(Script& script, const Band& band, const PlacedPanel& placed) {
    constexpr double distance_px = 7.0;
    const double height = placed.panel.height;
    const Scale scale(placed.x, placed.width);
    const double low = std::max(scale.px(band.low), 0.0);
    const double high = std::min(scale.px(band.high), placed.width);
    // Neighbouring bands continue each other's lines.
    const double first = distance_px * std::ceil((low - height) / distance_px);
    for (double foot = first; foot < high; foot += distance_px) {
        const double begin = std::max(foot, low), end = std::min(foot + height, high);
        if (!(end > begin)) continue;
        script.line(
            "set arrow from {:.7g}, graph {:.4f} to {:.7g}, graph {:.4f} nohead back lc rgb "
            "'#B0B0B0' dt solid lw 0.6",
            scale.value(begin), (begin - foot) / height, scale.value(end), (end - foot) / height);
    }
}

/// The text is right of the line, or left of it where there is no room.
void mark(Script& script, const Marker& marker, const PlacedPanel& placed, double line_top) {
    script.line(
        "set arrow from {0:.7g}, graph 0 to {0:.7g}, graph {1:.4f} nohead front "
        "lc rgb '#404040' dt (2,4) lw 1",
        marker.x, line_top);
    if (marker.label.empty()) return;
    const double room = placed.width - Scale(placed.x, placed.width).px(marker.x);
    const bool right = room > text_width(marker.label) + 6.0;
    script.line("set label {} at {:.7g}, graph {:.4f} {} offset character {},0 front",
                quoted(marker.label), marker.x, 1.0 - 9.0 / placed.panel.height,
                right ? "left" : "right", right ? "0.5" : "-0.5");
}

/// Markers and notes. With notes in a row of their own the lines of the markers end below it.
void write_markers(Script& script, const PlacedPanel& placed) {
    const Panel& panel = placed.panel;
    const bool has_note_row =
        std::any_of(panel.notes.begin(), panel.notes.end(), [](auto& note) { return !note.y; });
    const double line_top = has_note_row ? 1.0 - note_row / panel.height : 1.0;
    for (const Marker& marker : panel.markers) mark(script, marker, placed, line_top);
    const double note_height = 1.0 - 0.5 * note_row / panel.height;
    for (const Note& note : panel.notes) {
        const std::string height =
            note.y ? fmt::format("{:.7g}", *note.y) : fmt::format("graph {:.4f}", note_height);
        script.line("set label {} at {:.7g}, {} center front font ',{:g}'", quoted(note.text),
                    note.x, height, tick_font_size);
    }
}

/// What gnuplot needs to know to colour tiles.
void write_palette(Script& script, const Axis& scale) {
    std::string colors;
    for (int i = 0; i <= 5; ++i)
        colors += fmt::format("{}{} '{}'", i ? ", " : "", i, scale_color(0.2 * i));
    script.line("set palette defined ({})", colors);
    script.line("set cbrange [{:.9g}:{:.9g}]", scale.low, scale.high);
    script.line("unset colorbox");
}

/// The scale of the colours, in the row of the panel's name, between its two ends in numbers.
void write_colours(Script& script, const PlacedPanel& placed, const Axis& scale, double end) {
    constexpr double bar = 90.0, thickness = 7.0, beside = 30.0;
    const double middle = placed.top + 0.5 * name_row;
    const double right = placed.figure_width - right_margin - beside, left = right - bar;
    constexpr int steps = 30;
    constexpr double overlap = 0.5;  // [px], so that no seam is seen
    for (int i = 0; i < steps; ++i) {
        script.line(
            "set object rectangle from screen {:.6f}, screen {:.6f} to screen {:.6f}, screen "
            "{:.6f} front fc rgb '{}' fs solid noborder",
            placed.screen_x(left + bar * i / steps), placed.screen_y(middle - 0.5 * thickness),
            placed.screen_x(std::min(left + bar * (i + 1) / steps + overlap, right)),
            placed.screen_y(middle + 0.5 * thickness), scale_color(end * (i + 0.5) / steps));
    }
    script.line("set label '{:g}' at screen {:.6f}, screen {:.6f} right font ',{:g}'", scale.low,
                placed.screen_x(left - 4.0), placed.screen_y(middle), tick_font_size);
    script.line("set label '{:g}' at screen {:.6f}, screen {:.6f} left font ',{:g}'", scale.high,
                placed.screen_x(right + 4.0), placed.screen_y(middle), tick_font_size);
}

}  // namespace

void write_annotations(Script& script, const PlacedPanel& placed) {
    const Panel& panel = placed.panel;
    for (const Band& band : panel.bands) {
        band.hatched ? hatch(script, band, placed) : shade(script, band, placed);
    }
    if (!panel.y.logarithmic && panel.y.low < 0.0 && panel.y.high > 0.0) {
        script.line(
            "set arrow from graph 0, first 0 to graph 1, first 0 nohead back lc rgb '#808080' "
            "dt solid lw 0.6");
    }
    write_markers(script, placed);
    if (!panel.name.empty()) {
        script.line("set label {} at graph 0, screen {:.6f} left", quoted(panel.name),
                    placed.screen_y(placed.top + 0.5 * name_row));
    }
    if (panel.tiles.is_shown()) {
        write_palette(script, panel.tiles.scale);
        write_colours(script, placed, panel.tiles.scale, 1.0);
    }
    if (panel.curve_scale) {
        write_colours(script, placed, *panel.curve_scale, panel.curve_scale_end);
    }
}

}  // namespace stoss::postproc
