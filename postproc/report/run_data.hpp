#pragma once
/// What a run directory holds, as figures and report need it. Only files are read.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>

namespace stoss::postproc {

/// Numeric columns of a table by name, all of one length. A missing value is NaN.
struct Numbers {
    std::string file;
    std::vector<std::string> names;
    std::vector<std::vector<double>> columns;

    /// Errors: core::FileError that names the file and the column if there is none.
    const std::vector<double>& column(std::string_view name) const;
};

/// summary.json and what is true of every run.
struct Run {
    std::string directory;
    io::Value summary;
    std::string problem;
    std::string title;  ///< the problem's name if the case has none
    /// Axes in quantities without unit; if not given, as `plot: {axes: ...}` of the case says.
    std::optional<bool> scaled_axes = {};

    std::string file(std::string_view name) const;

    /// The path of a file that every complete run has.
    /// Errors: core::FileError that says what is missing.
    std::string required_file(std::string_view name) const;
};

/// Reads summary.json.
/// Errors: core::FileError that says what is missing if `directory` is not the directory of a run.
Run read_run(const std::string& directory);

/// True if the axes of figures are to be scaled: `Run::scaled_axes`, else the case's `plot.axes`.
/// Errors: core::InputError if case.yaml is damaged.
bool has_scaled_axes(const Run& run);

/// Reads a table. Errors: core::FileError if it is missing; core::InputError with file and place if
/// it is no table.
io::Table read_table(const Run& run, std::string_view name);

/// Reads a table of numbers. Errors: core::FileError if it is missing; core::InputError with file
/// and place if a cell is no number.
Numbers read_numbers(const Run& run, std::string_view name);

/// A number of a JSON object; NaN if there is none.
double number_at(const io::Value& object, std::string_view key);

}  // namespace stoss::postproc
