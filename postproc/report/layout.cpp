#include <postproc/report/layout.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <stoss/core/elementary.hpp>

namespace stoss::postproc {

namespace {

constexpr double least_left_margin = 47.0;
constexpr double panel_gap = 11.0;
constexpr double top_margin = 7.0;
constexpr double top_scale_height = 31.0;
constexpr double legend_row = 14.0;
constexpr double legend_space = 8.0;  // between two entries
constexpr double wide_font = 1.15;    // a browser without Helvetica takes a font as wide as this

/// Width of a letter of a sans-serif font, as a fraction of its size.
double letter_width(char letter) {
    static const std::string narrow = " ,.:;'!|()[]/fijlrtI-";
    static const std::string wide = "mwMW%@";
    if (narrow.find(letter) != std::string::npos) return 0.31;
    if (wide.find(letter) != std::string::npos) return 0.85;
    return letter >= 'A' && letter <= 'Z' ? 0.69 : 0.56;
}

/// Width of the longest tick label.
double tick_width(const Axis& axis) {
    double widest = 0.0;
    if (axis.logarithmic) {
        for (const double end : {axis.low, axis.high}) {
            widest = std::max(widest, text_width(fmt::format("10{:.0f}", core::log10(end))));
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

Legend legend_of(const Panel& panel, double panel_width) {
    Legend legend;
    std::vector<double> widths;
    for (const Curve& curve : panel.curves) {
        if (curve.is_in_legend()) {
            widths.push_back(legend_sample + wide_font * text_width(curve.title) + legend_space);
        }
    }
    if (widths.empty()) return legend;

    const double title = panel.legend_title.empty()
                             ? 0.0
                             : wide_font * text_width(panel.legend_title) + legend_space;
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

/// Height above a panel for its name and its legend.
double height_above(const Panel& panel, const Legend& legend) {
    const double name = panel.name.empty() ? 0.0 : name_row;
    return name + (legend.height > 0.0 ? legend.height + 4.0 : 0.0);
}

/// True if the horizontal axis of panel i is not that of the panel below it.
bool is_labelled(const std::vector<Panel>& panels, std::size_t i) {
    return i + 1 == panels.size() || panels[i].x || panels[i + 1].x;
}

}  // namespace

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

Scale::Scale(const Axis& axis, double length)
    : logarithmic_(axis.logarithmic),
      low_(place(axis.low)),
      factor_(length / (place(axis.high) - low_)) {}

double Scale::px(double value) const {
    return (place(value) - low_) * factor_;
}

double Scale::value(double px) const {
    const double place = low_ + px / factor_;
    return logarithmic_ ? core::pow(10.0, place) : place;
}

double Scale::place(double value) const {
    return logarithmic_ ? core::log10(value) : value;
}

Layout::Layout(const Drawing& drawing) : left_margin(least_left_margin), width(drawing.width) {
    const std::vector<Panel>& all = drawing.panels;
    for (const Panel& panel : all) {
        left_margin = std::max(left_margin, 20.0 + tick_width(panel.y));
    }
    const double panel_width = width - left_margin - right_margin;
    const double above_all = top_margin + (drawing.top.is_shown() ? top_scale_height : 0.0);
    const auto below = [&](std::size_t i) {
        return is_labelled(all, i) ? bottom_margin : panel_gap;
    };
    std::vector<Legend> legends;
    height = bottom_margin + above_all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        legends.push_back(legend_of(all[i], panel_width));
        height += all[i].height + height_above(all[i], legends[i]);
        if (i + 1 < all.size()) height += below(i);
    }
    double upper = height - above_all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Panel& panel = all[i];
        const double top = upper - height_above(panel, legends[i]);
        const double bottom = top - panel.height;
        panels.push_back({panel, panel.x ? *panel.x : drawing.x,
                          i == 0 && drawing.top.is_shown() ? &drawing.top : nullptr,
                          is_labelled(all, i), left_margin, panel_width, bottom, top, width, height,
                          std::move(legends[i])});
        upper = bottom - below(i);
    }
}

}  // namespace stoss::postproc
