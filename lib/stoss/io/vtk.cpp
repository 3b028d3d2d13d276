#include <stoss/io/vtk.hpp>

#include <array>
#include <filesystem>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataWriter.h>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>

namespace stoss::io {
namespace {

vtkNew<vtkDoubleArray> array_of(const std::string& name, int components,
                                const std::vector<double>& values) {
    vtkNew<vtkDoubleArray> array;
    array->SetName(name.c_str());
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(static_cast<vtkIdType>(values.size()) / components);
    std::copy(values.begin(), values.end(), array->GetPointer(0));
    return array;
}

/// Polyline and Surface have the same points and arrays.
template <class Shape>
void check_arrays(const Shape& shape) {
    for (const PointArray& array : shape.point_arrays) {
        if (array.components != 1 && array.components != 3) {
            throw std::invalid_argument(array.name + " must have 1 or 3 components");
        }
        const auto components = static_cast<std::size_t>(array.components);
        if (array.values.size() != shape.points.size() * components) {
            throw std::invalid_argument(array.name + " must have its components at every point");
        }
    }
}

/// `what`: words for a list of indices.
void check_indices(const std::vector<std::vector<std::size_t>>& lists, std::size_t points,
                   const char* what) {
    for (const auto& list : lists) {
        for (const std::size_t index : list) {
            if (index >= points)
                throw std::invalid_argument(fmt::format("{} must be one of the points", what));
        }
    }
}

void check(const Polyline& line) {
    if (line.points.size() < 2) throw std::invalid_argument("a line must have two points");
    check_arrays(line);
    check_indices(line.lines, line.points.size(), "a point of a line");
}

void check(const Surface& surface) {
    if (surface.points.empty()) throw std::invalid_argument("a surface must have a point");
    check_arrays(surface);
    check_indices(surface.polygons, surface.points.size(), "a corner of a polygon");
}

/// Points and arrays, no cells.
template <class Shape>
vtkNew<vtkPolyData> points_of(const Shape& shape) {
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (const auto& point : shape.points) points->InsertNextPoint(point.data());
    vtkNew<vtkPolyData> data;
    data->SetPoints(points);
    for (const PointArray& array : shape.point_arrays) {
        data->GetPointData()->AddArray(array_of(array.name, array.components, array.values));
    }
    return data;
}

/// One cell through the points of these numbers.
template <class Indices>
void add_cell(vtkCellArray& cells, const Indices& indices) {
    cells.InsertNextCell(static_cast<int>(indices.size()));
    for (const std::size_t index : indices) {
        cells.InsertCellPoint(static_cast<vtkIdType>(index));
    }
}

vtkNew<vtkPolyData> poly_data_of(const Polyline& line) {
    vtkNew<vtkPolyData> data = points_of(line);
    vtkNew<vtkCellArray> cells;
    for (const auto& each : line.lines) add_cell(*cells, each);
    if (line.lines.empty()) {
        std::vector<std::size_t> all(line.points.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        add_cell(*cells, all);
    }
    data->SetLines(cells);
    for (const FieldValue& field : line.field_values) {
        data->GetFieldData()->AddArray(array_of(field.name, 1, {field.value}));
    }
    return data;
}

vtkNew<vtkPolyData> poly_data_of(const Surface& surface) {
    vtkNew<vtkPolyData> data = points_of(surface);
    vtkNew<vtkCellArray> cells;
    if (surface.polygons.empty()) {
        for (std::size_t i = 0; i < surface.points.size(); ++i) add_cell(*cells, std::array{i});
        data->SetVerts(cells);
    } else {
        for (const auto& polygon : surface.polygons) add_cell(*cells, polygon);
        data->SetPolys(cells);
    }
    return data;
}

std::string written(vtkPolyData* data) {
    vtkNew<vtkXMLPolyDataWriter> writer;
    writer->SetInputData(data);
    writer->WriteToOutputStringOn();
    // Base64 without compression: exact, and the same bytes whatever version of zlib there is.
    writer->SetDataModeToBinary();
    writer->SetCompressorTypeToNone();
    const int done = writer->Write();
    if (done != 1 || writer->GetErrorCode() != vtkErrorCode::NoError) {
        throw core::FileError(
            fmt::format("VTK cannot write a shape: {}",
                        vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode())));
    }
    return writer->GetOutputString();
}

}  // namespace

std::string to_vtp(const Polyline& line) {
    check(line);
    return written(poly_data_of(line));
}

std::string to_vtp(const Surface& surface) {
    check(surface);
    return written(poly_data_of(surface));
}

std::string to_pvd(const std::vector<std::pair<double, std::string>>& frames) {
    std::string text =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"0.1\">\n"
        "  <Collection>\n";
    for (const auto& [time, file] : frames) {
        text += fmt::format("    <DataSet timestep=\"{}\" file=\"{}\"/>\n", time,
                            core::escape_markup(file));
    }
    return text + "  </Collection>\n</VTKFile>\n";
}

void add_series(std::vector<std::pair<std::string, std::string>>& files, std::string_view name,
                const std::vector<Frame>& frames) {
    const std::filesystem::path path(name);
    std::vector<std::pair<double, std::string>> collection;
    for (const Frame& frame : frames) {
        const std::string file =
            fmt::format("{}_{:04}.vtp", path.filename().string(), collection.size());
        files.emplace_back((path.parent_path() / file).string(), to_vtp(frame.line));
        collection.emplace_back(frame.time, file);
    }
    files.emplace_back(std::string(name) + ".pvd", to_pvd(collection));
}

}  // namespace stoss::io
