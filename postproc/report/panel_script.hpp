#pragma once
/// The parts of one panel as lines of a gnuplot script.

#include <string>
#include <vector>

#include <postproc/report/layout.hpp>
#include <postproc/report/script.hpp>

namespace stoss::postproc {

/// Lines of text below each other, the first with its middle at the height y; x, y in px.
void write_lines(Script& script, const std::vector<std::string>& lines, const PlacedPanel& panel,
                 double x, double y);

/// A number with so many digits that its place on the axis is exact to what can be seen.
std::string number_on(const Axis& axis, double value);

/// Ranges, ticks and labels of the axes.
void write_axes(Script& script, const PlacedPanel& panel);

/// The legend above the panel.
void write_legend(Script& script, const PlacedPanel& panel);

/// Name, bands, line of zero, markers, notes and the scale of the colours.
void write_annotations(Script& script, const PlacedPanel& panel);

/// Tiles, fills and curves: the data blocks and the command that plots them.
void write_curves(Script& script, const PlacedPanel& panel);

}  // namespace stoss::postproc
