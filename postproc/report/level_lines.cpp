#include <postproc/report/level_lines.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

namespace stoss::postproc {

namespace {

/// The side of a cell that leaves the point (i, j) of the grid.
struct Side {
    std::size_t i, j;
    bool along_x;

    bool operator==(const Side&) const = default;
    bool operator<(const Side& other) const {
        return std::tie(i, j, along_x) < std::tie(other.i, other.j, other.along_x);
    }
};

/// The sides that a line passes, each with those that it passes next: one or two.
using Links = std::map<Side, std::vector<Side>>;

void link(Links& links, const Side& a, const Side& b) {
    links[a].push_back(b);
    links[b].push_back(a);
}

/// Adds the pieces of the lines in the cell from (i, j) to (i + 1, j + 1).
void add_cell(Links& links, const Grid& grid, double level, std::size_t i, std::size_t j) {
    const std::array corners{grid.at(i, j), grid.at(i + 1, j), grid.at(i + 1, j + 1),
                             grid.at(i, j + 1)};
    // Side k is between the corners k and k + 1.
    const std::array sides{Side{i, j, true}, Side{i + 1, j, false}, Side{i, j + 1, true},
                           Side{i, j, false}};
    double mean = 0.0;
    for (const double corner : corners) {
        if (!std::isfinite(corner)) return;
        mean += 0.25 * corner;
    }
    std::vector<std::size_t> passed;
    for (std::size_t k = 0; k < 4; ++k) {
        if ((corners[k] > level) != (corners[(k + 1) % 4] > level)) passed.push_back(k);
    }
    if (passed.size() == 2) link(links, sides[passed[0]], sides[passed[1]]);
    if (passed.size() < 4) return;
    // A saddle: the two corners that are not on the side of the mean are cut off.
    const std::size_t next = (corners[0] > level) == (mean > level) ? 1 : 3;
    link(links, sides[0], sides[next]);
    link(links, sides[2], sides[4 - next]);
}

/// Adds the point at which a line passes a side.
void add_point(LevelLines& lines, const Grid& grid, double level, const Side& side) {
    const std::size_t i = side.along_x ? side.i + 1 : side.i,
                      j = side.along_x ? side.j : side.j + 1;
    const double a = grid.at(side.i, side.j) - level, b = grid.at(i, j) - level;
    const double part = a / (a - b);
    lines.x.push_back(std::lerp(grid.x[side.i], grid.x[i], part));
    lines.y.push_back(std::lerp(grid.y[side.j], grid.y[j], part));
}

/// Adds the line from `begin` on, and takes its links away.
void add_line(LevelLines& lines, Links& links, const Grid& grid, double level, const Side& begin) {
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    if (!lines.x.empty()) {
        lines.x.push_back(gap);
        lines.y.push_back(gap);
    }
    Side side = begin;
    add_point(lines, grid, level, side);
    while (!links[side].empty()) {
        const Side next = links[side].back();
        links[side].pop_back();
        std::erase(links[next], side);
        side = next;
        add_point(lines, grid, level, side);
    }
}

}  // namespace

LevelLines level_lines(const Grid& grid, double level) {
    Links links;
    for (std::size_t i = 0; i + 1 < grid.x.size(); ++i) {
        for (std::size_t j = 0; j + 1 < grid.y.size(); ++j) add_cell(links, grid, level, i, j);
    }
    LevelLines lines;
    std::vector<Side> begins;
    for (const auto& [side, next] : links) begins.push_back(side);
    // First the lines with two ends; what remains is closed.
    for (const std::size_t ends : {std::size_t{1}, std::size_t{2}}) {
        for (const Side& begin : begins) {
            if (links[begin].size() == ends) add_line(lines, links, grid, level, begin);
        }
    }
    return lines;
}

}  // namespace stoss::postproc
