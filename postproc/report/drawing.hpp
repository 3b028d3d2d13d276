#pragma once
/// A figure as data: stacked panels on one horizontal axis, or each on its own, and its gnuplot
/// script.
///
/// One style for all figures: 90 mm (340 px) wide, so that text and lines are legible in one column
/// of a journal, or as wide as a page on a screen (`widened`); the colours of Okabe and Ito (2008),
/// which colour-blind readers tell apart, each with its own dashes. Lengths are in px of 1/96 inch.
///
/// Texts may hold gnuplot's enhanced markup (`e_{N}`, `{/:Italic x}`); text from a file goes
/// through `plain()` first.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stoss::postproc {

inline constexpr double figure_width = 340.0;        ///< [px]
inline constexpr double page_figure_width = 720.0;   ///< of a figure as wide as a page [px]
inline constexpr double least_figure_width = 200.0;  ///< below it axes and words have no room [px]
inline constexpr double largest_figure_width = 96.0 / 0.0254;  ///< 1 m [px]

/// Text that gnuplot's enhanced markup leaves as it is. Control characters become blanks.
std::string plain(const std::string& text);

/// An axis: its words, its range and the distance of its ticks; on a logarithmic axis, the ratio
/// of two ticks. What is not positive has no place on a logarithmic axis and leaves a gap.
struct Axis {
    std::string label;
    double low = 0.0;
    double high = 1.0;
    double step = 0.2;
    bool logarithmic = false;
};

/// Smallest and largest finite value; `none()` if there is no finite value.
struct Extent {
    double low;
    double high;
    Extent();
    void include(double value);
    void include(const std::vector<double>& values);
    void include_positive(const std::vector<double>& values);  ///< those above 0, for `log_axis`
    bool none() const { return !(low <= high); }
};

/// The extent of 0 and all values.
Extent extent_from_zero(const std::vector<double>& values);

/// A range with ticks at 1, 2 or 5 times a power of ten that holds `extent`, for about `ticks`
/// ticks. A range that comes near zero begins there. A span below a thousandth of the values is
/// widened to a twentieth of them: noise of the last digits is not drawn as a signal.
Axis nice_axis(std::string label, Extent extent, int ticks);

/// The range of `extent` itself, unless it may be rounding; ticks as in `nice_axis`.
Axis tight_axis(std::string label, Extent extent, int ticks);

/// A logarithmic axis of whole decades that holds `extent`, which must be positive.
Axis log_axis(std::string label, Extent extent);

/// How a line looks.
struct LineStyle {
    std::string color;   ///< "#rrggbb"
    std::string dashes;  ///< gnuplot's dash type
    double width = 1.4;  ///< [px]
};

/// The style of the curve of that index; all of the first 28 differ.
LineStyle line_style(std::size_t index);

/// The colour of a fraction from 0 to 1 of a scale, dark to light: viridis (van der Walt and Smith
/// 2015), even steps for every eye, and in grey. "#rrggbb"
std::string scale_color(double fraction);

/// What is drawn of a curve.
enum class Drawn {
    line,    ///< a line; points are marked where there are few, one between two gaps always
    points,  ///< a symbol at every point, no line
    both     ///< a line, and a symbol at every point
};

/// One curve. A NaN in x or y leaves a gap.
struct Curve {
    std::string title;  ///< legend; empty: none
    LineStyle style;
    std::vector<double> x;
    std::vector<double> y;
    Drawn drawn = Drawn::line;
    std::size_t symbol = 0;            ///< of the points: 0 to 7 differ
    std::vector<double> error = {};    ///< half length of the error bar of each y; empty: none
    std::vector<double> x_error = {};  ///< the same of each x
    bool in_legend = true;             ///< else its title is for readers of the numbers only

    bool is_in_legend() const { return in_legend && !title.empty(); }
};

/// A shaded interval of the horizontal axis over the full height of a panel.
struct Band {
    double low;
    double high;
    bool hatched = false;  ///< with slanted lines instead
};

/// The area between two curves over the same x. A NaN in x leaves a gap.
struct Fill {
    std::string color;  ///< "#rrggbb"
    std::vector<double> x;
    std::vector<double> low;
    std::vector<double> high;
};

/// Equal rectangles coloured by a value, dark to light; their scale is above the panel.
struct Tiles {
    std::vector<double> x;  ///< centres
    std::vector<double> y;
    std::vector<double> value;
    double width = 0.0;   ///< of each, > 0
    double height = 0.0;  ///< of each, > 0
    Axis scale;           ///< of the values; its label is not shown

    bool is_shown() const { return !x.empty(); }
};

/// A vertical dotted line with a text beside its upper end (empty: none).
struct Marker {
    double x;
    std::string label;
};

/// A text centred at x, at the height y or, without one, near the upper edge of the panel.
struct Note {
    double x;
    std::string text;
    std::optional<double> y = {};
};

struct Panel {
    Axis y;
    std::optional<Axis> x = {};  ///< its own horizontal axis; else that of the drawing
    double height = 120.0;       ///< [px]
    std::string legend_title;    ///< before the legend above the panel
    std::string name;            ///< above the panel: which of several small multiples it is
    std::vector<Curve> curves;
    std::vector<Band> bands;
    std::vector<Marker> markers;
    std::vector<Note> notes;
    std::vector<Fill> fills = {};
    Tiles tiles = {};  ///< needs a `name`, beside which the scale is
    /// Of curves that are coloured by a value (`scale_color`), in place of a legend; its label is
    /// not shown. Needs a `name`, beside which it is.
    std::optional<Axis> curve_scale = {};
    double curve_scale_end = 1.0;  ///< the fraction of the colours at its upper end
};

/// A second scale of the horizontal axis, at the top of the figure: `factor` times x.
struct TopScale {
    Axis axis;  ///< its range is ignored
    double factor = 0.0;
    bool is_shown() const { return factor > 0.0; }
};

struct Drawing {
    Axis x;
    TopScale top;
    std::vector<Panel> panels;    ///< from top to bottom
    double width = figure_width;  ///< [px]
    bool to_scale = false;        ///< lengths look alike on both axes
};

/// The same drawing in another width. Its panels become higher by the square root of what they
/// become wider by; by as much if it is `to_scale`.
Drawing widened(Drawing drawing, double width = page_figure_width);

/// Symbols that a figure may ask for by name; all others are as good as each other.
inline constexpr std::size_t open_circle = 5, cross = 7;

/// Width [px] of the panels of a figure whose vertical tick labels have at most two digits.
inline constexpr double usual_panel_width = 282.0;

/// What a figure is written as.
enum class Format { svg, pdf, png };

/// The gnuplot script that writes `drawing` to standard output. It carries its data; curves are
/// thinned to what can be seen (0.1 px).
std::string gnuplot_script(const Drawing& drawing, Format format = Format::svg);

/// The points of a polyline that matter: every point left out lies within `tolerance` of the line
/// that is left (Douglas and Peucker 1973). x and y have equal length, are finite and share a unit.
/// Returns the indices kept, ascending, the first and the last among them.
std::vector<std::size_t> thinned(const std::vector<double>& x, const std::vector<double>& y,
                                 double tolerance);

}  // namespace stoss::postproc
