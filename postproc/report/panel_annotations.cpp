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
        "set object rectangle from {}, graph 0 to {}, graph 1 behind fc rgb '#EAF1F7' "
        "fs solid noborder",
        number_on(placed.x, scale.value(std::max(middle - half, 0.0))),
        number_on(placed.x, scale.value(std::min(middle + half, placed.width))));
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
            "set arrow from {}, graph {:.4f} to {}, graph {:.4f} nohead back lc rgb "
            "'#B0B0B0' dt solid lw 0.6",
            number_on(placed.x, scale.value(begin)), (begin - foot) / height,
            number_on(placed.x, scale.value(end)), (end - foot) / height);
    }
}

/// The text is right of the line, or left of it where there is no room.
void mark(Script& script, const Marker& marker, const PlacedPanel& placed, double line_top) {
    const std::string x = number_on(placed.x, marker.x);
    script.line(
        "set arrow from {0}, graph 0 to {0}, graph {1:.4f} nohead front "
        "lc rgb '#404040' dt (2,4) lw 1",
        x, line_top);
    if (marker.label.empty()) return;
    const double room = placed.width - Scale(placed.x, placed.width).px(marker.x);
    const bool right = room > text_width(marker.label) + 6.0;
    script.line("set label {} at {}, graph {:.4f} {} offset character {},0 front",
                quoted(marker.label), x, 1.0 - 9.0 / placed.panel.height, right ? "left" : "right",
                right ? "0.5" : "-0.5");
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
            note.y ? number_on(panel.y, *note.y) : fmt::format("graph {:.4f}", note_height);
        script.line("set label {} at {}, {} center front font ',{:g}'", quoted(note.text),
                    number_on(placed.x, note.x), height, tick_font_size);
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
void write_colours(Script& script, const PlacedPanel& placed, const PlacedScale& scale) {
    constexpr double thickness = 7.0;
    const double middle = placed.top + 0.5 * name_row;
    const double left = scale.left, right = scale.right, bar = right - left;
    constexpr int steps = 30;
    constexpr double overlap = 0.5;  // [px], so that no seam is seen
    for (int i = 0; i < steps; ++i) {
        script.line(
            "set object rectangle from screen {:.6f}, screen {:.6f} to screen {:.6f}, screen "
            "{:.6f} front fc rgb '{}' fs solid noborder",
            placed.screen_x(left + bar * i / steps), placed.screen_y(middle - 0.5 * thickness),
            placed.screen_x(std::min(left + bar * (i + 1) / steps + overlap, right)),
            placed.screen_y(middle + 0.5 * thickness),
            scale_color(scale.color_end * (i + 0.5) / steps));
    }
    script.line("set label '{}' at screen {:.6f}, screen {:.6f} right font ',{:g}'", scale.low,
                placed.screen_x(left - beside_scale), placed.screen_y(middle), tick_font_size);
    script.line("set label '{}' at screen {:.6f}, screen {:.6f} left font ',{:g}'", scale.high,
                placed.screen_x(right + beside_scale), placed.screen_y(middle), tick_font_size);
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
    write_lines(script, placed.name, placed, placed.left,
                placed.top + placed.name_height() - 0.5 * name_row);
    if (panel.tiles.is_shown()) write_palette(script, panel.tiles.scale);
    if (placed.scale) write_colours(script, placed, *placed.scale);
}

}  // namespace stoss::postproc
