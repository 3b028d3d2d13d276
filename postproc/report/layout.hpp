#pragma once
/// Where the parts of a figure are drawn. Lengths are in px; heights count from the bottom of the
/// figure.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <postproc/report/drawing.hpp>

namespace stoss::postproc {

inline constexpr double right_margin = 11.0;
inline constexpr double bottom_margin = 33.0;  ///< also below a panel with its own horizontal axis
inline constexpr double font_size = 10.5;
inline constexpr double tick_font_size = 9.5;
inline constexpr double name_row = 15.0;       ///< above a panel with a name
inline constexpr double legend_sample = 22.0;  ///< the piece of line before a legend's text
inline constexpr double legend_row = 14.0;
inline constexpr double beside_scale = 4.0;  ///< between a scale of colours and its numbers

/// Width [px] of a text without its markup. It is an estimate: gnuplot does not report widths.
double text_width(const std::string& text);

/// Leading digits that all numbers of an axis have in common: 3 from 0.5 to 0.5004; 0 if the axis
/// is logarithmic. A number on the axis needs so many digits more.
int shared_digits(const Axis& axis);

/// Digits of the labels of its ticks, at least the 6 of `%g`.
int tick_digits(const Axis& axis);

/// True of a number that can be drawn on the axis, inside of its range or not.
bool has_place(double value, const Axis& axis);

/// Converts numbers on an axis of that length [px] to distances from its lower end, and back.
class Scale {
  public:
    Scale(const Axis& axis, double length);

    double px(double value) const;
    double value(double px) const;

  private:
    double place(double value) const;

    bool logarithmic_;
    double low_, factor_;
};

/// A text in lines that are no wider than `width` [px] by estimate, broken at blanks outside of
/// markup. A single word that is wider is cut, with "…" at its end.
std::vector<std::string> wrapped(const std::string& text, double width);

/// The scale of colours of a panel, right in the row of its name: a bar between two numbers.
struct PlacedScale {
    std::string low, high;  ///< what the ends are
    double color_end;       ///< the fraction of the colours at the upper end
    double left, right;     ///< of the bar, from the left edge of the figure [px]
    double begin;           ///< of the lower number, likewise
};

/// Positions of the entries of a legend, relative to its upper left corner. What is drawn nowhere
/// in the figure has no entry.
struct Legend {
    struct Cell {
        std::size_t curve;  ///< its index in the panel
        double x;
        double y;                        ///< of the first line, downwards
        std::vector<std::string> lines;  ///< of its text
    };
    std::vector<std::string> title;  ///< lines of it
    std::vector<Cell> cells;         ///< of curves with a title; empty: no legend
    double height = 0.0;

    bool has(std::size_t curve) const;
};

/// A panel and its place in the figure. Refers to the drawing.
struct PlacedPanel {
    const Panel& panel;
    const Axis& x;              ///< its horizontal axis: its own or that of the drawing
    const TopScale* top_scale;  ///< that of the figure, above the first panel; else null
    bool is_labelled;           ///< its horizontal axis is not that of the panel below it
    double left;                ///< margin
    double width;
    double bottom, top;
    double figure_width, figure_height;
    std::vector<std::string> name;  ///< lines of it; none without a name
    std::optional<PlacedScale> scale;
    Legend legend;

    double name_height() const;  ///< of the lines of the name

    /// The same lengths as fractions of the figure, as gnuplot's `screen` has them.
    double screen_x(double px) const { return px / figure_width; }
    double screen_y(double px) const { return px / figure_height; }
};

/// Places of all panels of a drawing. Refers to the drawing.
struct Layout {
    explicit Layout(const Drawing& drawing);

    double left_margin;
    double width, height;  ///< of the figure
    std::vector<PlacedPanel> panels;
};

}  // namespace stoss::postproc
