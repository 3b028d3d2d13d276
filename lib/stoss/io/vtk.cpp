#include <stoss/io/vtk.hpp>

#include <filesystem>
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

void check(const Polyline& line) {
    if (line.points.size() < 2) throw std::invalid_argument("a line must have two points");
    for (const PointArray& array : line.point_arrays) {
        if (array.components != 1 && array.components != 3) {
            throw std::invalid_argument(array.name + " must have 1 or 3 components");
        }
        const auto components = static_cast<std::size_t>(array.components);
        if (array.values.size() != line.points.size() * components) {
            throw std::invalid_argument(array.name + " must have its components at every point");
        }
    }
}

vtkNew<vtkPolyData> poly_data_of(const Polyline& line) {
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    vtkNew<vtkCellArray> cells;
    cells->InsertNextCell(static_cast<int>(line.points.size()));
    for (const auto& point : line.points) {
        cells->InsertCellPoint(points->InsertNextPoint(point.data()));
    }
    vtkNew<vtkPolyData> data;
    data->SetPoints(points);
    data->SetLines(cells);
    for (const PointArray& array : line.point_arrays) {
        data->GetPointData()->AddArray(array_of(array.name, array.components, array.values));
    }
    for (const FieldValue& field : line.field_values) {
        data->GetFieldData()->AddArray(array_of(field.name, 1, {field.value}));
    }
    return data;
}

}  // namespace

std::string to_vtp(const Polyline& line) {
    check(line);
    vtkNew<vtkXMLPolyDataWriter> writer;
    writer->SetInputData(poly_data_of(line));
    writer->WriteToOutputStringOn();
    // Base64 without compression: exact, and the same bytes whatever version of zlib there is.
    writer->SetDataModeToBinary();
    writer->SetCompressorTypeToNone();
    const int written = writer->Write();
    if (written != 1 || writer->GetErrorCode() != vtkErrorCode::NoError) {
        throw core::FileError(
            fmt::format("VTK cannot write a line: {}",
                        vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode())));
    }
    return writer->GetOutputString();
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
