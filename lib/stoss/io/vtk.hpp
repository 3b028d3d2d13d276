#pragma once
/// Shapes for ParaView and VTK: a .vtp each; over time, one a frame and a .pvd that names them.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stoss::io {

/// A quantity given at every point.
struct PointArray {
    std::string name;            ///< with its unit, e.g. `displacement_m`
    int components = 1;          ///< 1 (number) or 3 (vector)
    std::vector<double> values;  ///< points x components, the components of a point together
};

/// One number for the whole shape, e.g. the contact force.
struct FieldValue {
    std::string name;
    double value = 0.0;
};

/// A line through points in space [m], or several, with what is known at the points.
struct Polyline {
    std::vector<std::array<double, 3>> points;
    std::vector<PointArray> point_arrays;
    std::vector<FieldValue> field_values;
    /// Each line by the index of its points; empty: one line through all points.
    std::vector<std::vector<std::size_t>> lines = {};
};

/// Points in space, the polygons between them (by the index of their corners), and what is known at
/// the points. Without polygons every point is a shape of its own.
struct Surface {
    std::vector<std::array<double, 3>> points;
    std::vector<std::vector<std::size_t>> polygons;
    std::vector<PointArray> point_arrays;
};

/// A shape at a time [s].
struct Frame {
    double time = 0.0;
    Polyline line;
};

/// VTK XML PolyData with all numbers as doubles, bit by bit.
/// Errors: std::invalid_argument if there are fewer than two points, an array has neither 1 nor 3
/// components or another size than its points ask for, or a line has an index that is no point;
/// core::FileError if VTK fails.
std::string to_vtp(const Polyline& line);

/// The same of a surface, or of points. Errors: std::invalid_argument if there is no point, an
/// array has neither 1 nor 3 components or another size than its points ask for, or a corner is no
/// point; core::FileError if VTK fails.
std::string to_vtp(const Surface& surface);

/// A ParaView collection. `frames`: time [s] and file, relative to the collection.
std::string to_pvd(const std::vector<std::pair<double, std::string>>& frames);

/// Appends a series to a list of files (name and content): `NAME.pvd` and `NAME_0000.vtp`,
/// `NAME_0001.vtp`... `name` may contain folders. Errors: as `to_vtp`.
void add_series(std::vector<std::pair<std::string, std::string>>& files, std::string_view name,
                const std::vector<Frame>& frames);

}  // namespace stoss::io
