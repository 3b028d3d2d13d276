#pragma once
/// Figures as data: what they show and where, for the scripts that read it.

#include <string>
#include <vector>

#include <postproc/report/drawing.hpp>
#include <postproc/report/figure.hpp>
#include <stoss/io/json.hpp>

namespace stoss::postproc {

/// The numbers of a drawing with its words, as an object of JSON: its columns of numbers and, a
/// panel, axes, curves, fills, bands, markers, notes and tiles. Columns are named by their index,
/// numbers have six digits, more on an axis of nearly equal numbers, and null is a gap. A line of
/// more than 2000 points is thinned to what can be seen. Words are without markup.
io::Value figure_data(const std::string& name, const std::string& caption, const Drawing& drawing);

/// The same of the histories of its points, with four digits [s, N, m].
io::Value histories_data(const std::vector<PointHistory>& histories);

/// Places of the panels of a drawing: left, top, width and height of each, from the upper left
/// corner of the figure [px].
io::Value panel_places(const Drawing& drawing);

/// Several figures as one text of JSON: {"figures": [...]}. It holds no `<`, so that it may be
/// in a page.
std::string figures_json(io::Value::Array figures);

}  // namespace stoss::postproc
