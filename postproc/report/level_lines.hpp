#pragma once
/// Lines on which a number on a grid has one value.

#include <cstddef>
#include <vector>

namespace stoss::postproc {

/// Numbers on a rectangular grid; NaN where there is none.
struct Grid {
    std::vector<double> x, y;     ///< of the columns and rows of the grid
    std::vector<double> numbers;  ///< x.size() * y.size(), the y of one x in a row

    double at(std::size_t i, std::size_t j) const { return numbers[i * y.size() + j]; }
};

/// Points of all lines, with a NaN in x and y between two of them. A closed line ends where it
/// begins.
struct LevelLines {
    std::vector<double> x, y;
};

/// All lines on which the numbers pass `level`, linear between neighbours of the grid (marching
/// squares, Lorensen and Cline 1987 in the plane). A line ends at the border of the grid and where
/// a number is missing. In a saddle, the mean of the cell decides which corners are joined.
LevelLines level_lines(const Grid& grid, double level);

}  // namespace stoss::postproc
