#include <postproc/report/panel_script.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>

namespace stoss::postproc {

namespace {

/// The ticks of an axis for gnuplot: their distance, or a list. The time that gnuplot takes for a
/// logarithmic axis grows with the ratio of two ticks: minutes for ten decades.
std::string ticks_of(const Axis& axis) {
    constexpr double widest_ratio = 1e6;
    if (!(axis.logarithmic && axis.step > widest_ratio)) return fmt::format("{:.9g}", axis.step);
    std::vector<std::string> ticks;
    for (double tick = axis.low; tick > 0.0 && tick <= axis.high * (1.0 + 1e-9); tick *= axis.step)
        ticks.push_back(fmt::format("{:.9g}", tick));
    return fmt::format("({})", fmt::join(ticks, ", "));
}

/// Range, ticks and their labels of one axis; `offset` moves the labels.
void write_axis(Script& script, char name, const Axis& axis, const char* offset, bool labelled) {
    script.line("{} logscale {}", axis.logarithmic ? "set" : "unset", name);
    const int digits = 9 + shared_digits(axis);
    script.line("set {}range [{:.{}g}:{:.{}g}]", name, axis.low, digits, axis.high, digits);
    script.line("set {}tics {} offset {}", name, ticks_of(axis), offset);
    // Between labels that are further apart than a decade, small ticks would be a black bar.
    script.line("{}", axis.logarithmic && axis.step == 10.0 ? fmt::format("set m{}tics 10", name)
                                                            : fmt::format("unset m{}tics", name));
    const bool has_decades = axis.logarithmic && axis.step >= 10.0;
    const std::string format = has_decades ? "10^{%L}" : fmt::format("%.{}g", tick_digits(axis));
    script.line("set format {} '{}'", name, labelled ? format : "");
}

}  // namespace

void write_lines(Script& script, const std::vector<std::string>& lines, const PlacedPanel& placed,
                 double x, double y) {
    for (const std::string& line : lines) {
        script.line("set label {} at screen {:.6f}, screen {:.6f} left", quoted(line),
                    placed.screen_x(x), placed.screen_y(y));
        y -= legend_row;
    }
}

std::string number_on(const Axis& axis, double value) {
    return fmt::format("{:.{}g}", value, 7 + shared_digits(axis));
}

void write_axes(Script& script, const PlacedPanel& placed) {
    const Panel& panel = placed.panel;
    const Axis& x = placed.x;
    write_axis(script, 'x', x, "0,0.3", placed.is_labelled);
    write_axis(script, 'y', panel.y, "0.5,0", true);
    // The labels of all panels are aligned, whatever the width of the tick labels.
    script.line("set label {} at screen {:.6f}, screen {:.6f} center rotate by 90",
                quoted(panel.y.label), placed.screen_x(8.0),
                placed.screen_y(0.5 * (placed.bottom + placed.top)));
    if (placed.is_labelled) {
        script.line("set label {} at graph 0.5, screen {:.6f} center", quoted(x.label),
                    placed.screen_y(placed.bottom - bottom_margin + 7.5));
    }
    if (!placed.top_scale) {
        script.line("unset x2tics");
        return;
    }
    const TopScale& top = *placed.top_scale;
    const int digits = 9 + shared_digits(x);
    script.line("set x2range [{:.{}g}:{:.{}g}]", top.factor * x.low, digits, top.factor * x.high,
                digits);
    script.line("set x2tics {:.9g} offset 0,-0.4", top.axis.step);
    script.line("set label {} at graph 0.5, screen {:.6f} center", quoted(top.axis.label),
                placed.screen_y(placed.top + 24.0));
}

void write_legend(Script& script, const PlacedPanel& placed) {
    const Legend& legend = placed.legend;
    if (legend.cells.empty()) return;
    const double top = placed.top + placed.name_height() + legend.height - 2.0;
    write_lines(script, legend.title, placed, placed.left, top);
    for (const Legend::Cell& cell : legend.cells) {
        const Curve& curve = placed.panel.curves[cell.curve];
        const double x = placed.left + cell.x;
        const double y = placed.screen_y(top - cell.y);
        if (curve.drawn != Drawn::points) {
            script.line(
                "set arrow from screen {:.6f}, screen {:.6f} to screen {:.6f}, screen {:.6f} "
                "nohead {}",
                placed.screen_x(x), y, placed.screen_x(x + legend_sample - 5.0), y,
                line_words(curve.style));
        }
        if (curve.drawn != Drawn::line) {
            script.line("set label '' at screen {:.6f}, screen {:.6f} point {}",
                        placed.screen_x(x + 0.5 * (legend_sample - 5.0)), y, point_words(curve));
        }
        write_lines(script, cell.lines, placed, x + legend_sample, top - cell.y);
    }
}

}  // namespace stoss::postproc
