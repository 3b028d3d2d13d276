#include <postproc/report/layout.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <stoss/core/elementary.hpp>

namespace stoss::postproc {

namespace {

constexpr double least_left_margin = 47.0;
constexpr double panel_gap = 11.0;
constexpr double top_margin = 7.0;
constexpr double top_scale_height = 31.0;
constexpr double legend_space = 8.0;  // between two entries
constexpr double wide_font = 1.15;    // a browser without Helvetica takes a font as wide as this

/// The code point of the letter of UTF-8 that begins at text[i], and its length in bytes.
struct Letter {
    char32_t code;
    std::size_t bytes;
};

Letter letter_at(std::string_view text, std::size_t i) {
    const auto first = static_cast<unsigned char>(text[i]);
    std::size_t bytes = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    bytes = std::min(bytes, text.size() - i);
    char32_t code = bytes == 1 ? first : first & (0x7Fu >> bytes);
    for (std::size_t k = 1; k < bytes; ++k)
        code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    return {code, bytes};
}

/// Width of a letter of a sans-serif font, as a fraction of its size.
double letter_width(char32_t letter) {
    static constexpr std::u32string_view narrow = U" ,.:;'!|()[]/fijlrtI-";
    static constexpr std::u32string_view wide = U"mwMW%@";
    // Letters of East Asia, and pictures: Unicode's East Asian width "wide" in blocks.
    static constexpr std::array<std::pair<char32_t, char32_t>, 7> full{{{0x1100, 0x115F},
                                                                        {0x2E80, 0xA4CF},
                                                                        {0xAC00, 0xD7A3},
                                                                        {0xF900, 0xFAFF},
                                                                        {0xFE30, 0xFE6F},
                                                                        {0xFF01, 0xFF60},
                                                                        {0x1F300, 0x3FFFD}}};
    const auto is_in = [&](char32_t first, char32_t last) {
        return letter >= first && letter <= last;
    };
    if (is_in(0x300, 0x36F)) return 0.0;  // accents over the letter before
    if (narrow.find(letter) != narrow.npos) return 0.31;
    if (wide.find(letter) != wide.npos) return 0.85;
    if (std::ranges::any_of(full, [&](auto block) { return is_in(block.first, block.second); }))
        return 1.0;
    constexpr char32_t long_dash = 0x2014, ellipsis = 0x2026, minus = 0x2212;
    if (letter == long_dash || letter == ellipsis) return 1.0;
    if (letter == minus) return 0.584;
    // Capitals: Latin, Latin with accents, Greek, Cyrillic.
    const bool is_capital =
        is_in('A', 'Z') || is_in(0xC0, 0xDE) || is_in(0x391, 0x3A9) || is_in(0x400, 0x42F);
    return is_capital ? 0.69 : 0.56;
}

/// Width of a text in the size of tick labels.
double tick_text_width(const std::string& text) {
    return text_width(text) * tick_font_size / font_size;
}

/// A number as gnuplot writes it, with "−" for "-".
std::string as_drawn(const std::string& number) {
    std::string text;
    for (const char c : number) text += c == '-' ? std::string("−") : std::string(1, c);
    return text;
}

/// Width of the longest tick label.
double tick_width(const Axis& axis) {
    double widest = 0.0;
    const auto include = [&](const std::string& label) {
        widest = std::max(widest, tick_text_width(as_drawn(label)));
    };
    if (axis.logarithmic) {
        for (const double end : {axis.low, axis.high})
            include(fmt::format("10{:.0f}", core::log10(end)));
        return widest;
    }
    const long last = std::lround(std::floor(axis.high / axis.step + 1e-6));
    for (long k = std::lround(std::ceil(axis.low / axis.step - 1e-6)); k <= last; ++k) {
        const double tick = static_cast<double>(k) * axis.step;
        include(fmt::format("{:.{}g}", tick, tick_digits(axis)));
    }
    return widest;
}

/// A word without markup as far as `width` [px] allows, with "…" for the rest of it.
std::string shortened(const std::string& word, double width) {
    if (text_width(word) <= width || word.find('{') != std::string::npos) return word;
    std::string part;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool begins = (static_cast<unsigned char>(word[i]) & 0xC0) != 0x80;  // UTF-8
        const bool escaped = i > 0 && word[i - 1] == '\\';
        if (begins && !escaped && text_width(part + "m…") > width) break;
        part += word[i];
    }
    return part + "…";
}

bool has_point(const Curve& curve, const Axis& x, const Axis& y) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (has_place(curve.x[i], x) && has_place(curve.y[i], y)) return true;
    }
    return false;
}

bool look_alike(const Curve& a, const Curve& b) {
    return a.style.color == b.style.color && a.style.dashes == b.style.dashes &&
           a.drawn == b.drawn && a.symbol == b.symbol;
}

/// True if the figure shows what a legend says of the curve: one legend may be that of all panels,
/// and an entry that of a fill.
bool is_drawn(const Drawing& drawing, const Curve& entry) {
    return std::ranges::any_of(drawing.panels, [&](const Panel& panel) {
        const Axis& x = panel.x ? *panel.x : drawing.x;
        return std::ranges::any_of(panel.curves,
                                   [&](const Curve& curve) {
                                       return look_alike(curve, entry) &&
                                              has_point(curve, x, panel.y);
                                   }) ||
               std::ranges::any_of(
                   panel.fills, [&](const Fill& fill) { return fill.color == entry.style.color; });
    });
}

/// The indices of the curves of a panel that are in its legend.
std::vector<std::size_t> legend_curves(const Drawing& drawing, const Panel& panel) {
    std::vector<std::size_t> entries;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        if (panel.curves[i].is_in_legend() && is_drawn(drawing, panel.curves[i]))
            entries.push_back(i);
    }
    return entries;
}

/// The legend in one line; nothing if the panel is too narrow for it.
std::optional<Legend> legend_in_a_line(const Panel& panel, const std::vector<std::size_t>& entries,
                                       double panel_width) {
    Legend legend;
    double x = 0.0;
    if (!panel.legend_title.empty()) {
        legend.title = {panel.legend_title};
        x = wide_font * text_width(panel.legend_title) + legend_space;
    }
    for (const std::size_t entry : entries) {
        const std::string& title = panel.curves[entry].title;
        legend.cells.push_back({entry, x, 0.0, {title}});
        x += legend_sample + wide_font * text_width(title) + legend_space;
    }
    legend.height = legend_row;
    if (x - legend_space > panel_width) return {};
    return legend;
}

/// The legend in rows of as many columns as there is room for; a text wider than the panel has
/// several lines.
Legend legend_in_rows(const Panel& panel, const std::vector<std::size_t>& entries,
                      double panel_width) {
    Legend legend;
    if (!panel.legend_title.empty())
        legend.title = wrapped(panel.legend_title, panel_width / wide_font);
    double widest = 0.0;
    for (const std::size_t entry : entries) {
        legend.cells.push_back(
            {entry, 0.0, 0.0,
             wrapped(panel.curves[entry].title, (panel_width - legend_sample) / wide_font)});
        for (const std::string& line : legend.cells.back().lines)
            widest = std::max(widest, legend_sample + wide_font * text_width(line) + legend_space);
    }
    const auto columns = std::clamp<std::size_t>(
        static_cast<std::size_t>((panel_width + legend_space) / widest), 1, legend.cells.size());
    double row_top = legend_row * static_cast<double>(legend.title.size()), row_bottom = row_top;
    for (std::size_t i = 0; i < legend.cells.size(); ++i) {
        if (i % columns == 0) row_top = row_bottom;
        Legend::Cell& cell = legend.cells[i];
        cell.x = static_cast<double>(i % columns) * panel_width / static_cast<double>(columns);
        cell.y = row_top;
        row_bottom =
            std::max(row_bottom, row_top + legend_row * static_cast<double>(cell.lines.size()));
    }
    legend.height = row_bottom;
    return legend;
}

Legend legend_of(const Drawing& drawing, const Panel& panel, double panel_width) {
    const std::vector<std::size_t> entries = legend_curves(drawing, panel);
    if (entries.empty()) return {};
    if (auto legend = legend_in_a_line(panel, entries, panel_width)) return *std::move(legend);
    return legend_in_rows(panel, entries, panel_width);
}

/// The scale of colours of a panel, if it has one; `figure_width` in px.
std::optional<PlacedScale> scale_of(const Panel& panel, double figure_width) {
    constexpr double bar = 90.0, least_room = 30.0;
    const bool of_tiles = panel.tiles.is_shown();
    if (!of_tiles && !panel.curve_scale) return {};
    const Axis& axis = of_tiles ? panel.tiles.scale : *panel.curve_scale;
    PlacedScale scale{fmt::format("{:g}", axis.low),
                      fmt::format("{:g}", axis.high),
                      of_tiles ? 1.0 : panel.curve_scale_end,
                      0.0,
                      0.0,
                      0.0};
    const auto room = [](const std::string& number) {
        return beside_scale + wide_font * tick_text_width(number);
    };
    scale.right = figure_width - right_margin - std::max(least_room, room(scale.high));
    scale.left = scale.right - bar;
    scale.begin = scale.left - room(scale.low);
    return scale;
}

/// The name of a panel in lines that end before its scale of colours, if it has one; `left` and
/// `right` of the panel in px.
std::vector<std::string> name_of(const Panel& panel, const std::optional<PlacedScale>& scale,
                                 double left, double right) {
    constexpr double least_width = 60.0;
    if (panel.name.empty()) return {};
    const double end = scale ? scale->begin - beside_scale : right;
    return wrapped(panel.name, std::max(end - left, least_width) / wide_font);
}

/// Height above a panel for its name and its legend.
double height_above(const PlacedPanel& placed) {
    const double legend = placed.legend.height;
    return placed.name_height() + (legend > 0.0 ? legend + 4.0 : 0.0);
}

/// True if the horizontal axis of panel i is not that of the panel below it.
bool is_labelled(const std::vector<Panel>& panels, std::size_t i) {
    return i + 1 == panels.size() || panels[i].x || panels[i + 1].x;
}

}  // namespace

double text_width(const std::string& text) {
    double width = 0.0;
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 9, "{/:Italic") == 0) i += 9;
        if (i == text.size()) break;
        const bool escaped = text[i] == '\\' && i + 1 < text.size();
        if (escaped) ++i;
        const auto [code, bytes] = letter_at(text, i);
        const bool markup = !escaped && (code == '{' || code == '}' || code == '_');
        if (!markup) width += letter_width(code);
        i += bytes;
    }
    return width * font_size;
}

int shared_digits(const Axis& axis) {
    constexpr double most = 9.0;
    const double size = std::max(std::abs(axis.low), std::abs(axis.high));
    const double span = axis.high - axis.low;
    if (axis.logarithmic || !(span > 0.0) || span >= size) return 0;
    return static_cast<int>(std::min(std::floor(core::log10(size / span)), most));
}

int tick_digits(const Axis& axis) {
    return std::max(6, shared_digits(axis) + 3);
}

bool has_place(double value, const Axis& axis) {
    return std::isfinite(value) && (!axis.logarithmic || value > 0.0);
}

bool Legend::has(std::size_t curve) const {
    return std::ranges::find(cells, curve, &Cell::curve) != cells.end();
}

double PlacedPanel::name_height() const {
    return name.empty() ? 0.0 : name_row + legend_row * static_cast<double>(name.size() - 1);
}

std::vector<std::string> wrapped(const std::string& text, double width) {
    std::vector<std::string> words{""};
    int depth = 0;  // of braces: a blank inside of them is part of a command
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escaped = i > 0 && text[i - 1] == '\\';
        if (!escaped && text[i] == '{') ++depth;
        if (!escaped && text[i] == '}') --depth;
        if (text[i] == ' ' && depth == 0) {
            words.emplace_back();
        } else {
            words.back() += text[i];
        }
    }
    std::vector<std::string> lines{""};
    for (const std::string& word : words) {
        const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (lines.back().empty() || text_width(longer) <= width) {
            lines.back() = longer;
        } else {
            lines.push_back(word);
        }
    }
    for (std::string& line : lines) line = shortened(line, width);
    return lines;
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
        left_margin = std::max(left_margin, 20.0 + wide_font * tick_width(panel.y));
    }
    const double panel_width = width - left_margin - right_margin;
    const double above_all = top_margin + (drawing.top.is_shown() ? top_scale_height : 0.0);
    const auto below = [&](std::size_t i) {
        return is_labelled(all, i) ? bottom_margin : panel_gap;
    };
    height = bottom_margin + above_all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Panel& panel = all[i];
        const auto scale = scale_of(panel, width);
        panels.push_back({panel, panel.x ? *panel.x : drawing.x,
                          i == 0 && drawing.top.is_shown() ? &drawing.top : nullptr,
                          is_labelled(all, i), left_margin, panel_width, 0.0, 0.0, width, 0.0,
                          name_of(panel, scale, left_margin, left_margin + panel_width), scale,
                          legend_of(drawing, panel, panel_width)});
        height += panel.height + height_above(panels[i]);
        if (i + 1 < all.size()) height += below(i);
    }
    double upper = height - above_all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        PlacedPanel& placed = panels[i];
        placed.figure_height = height;
        placed.top = upper - height_above(placed);
        placed.bottom = placed.top - placed.panel.height;
        upper = placed.bottom - below(i);
    }
}

}  // namespace stoss::postproc
