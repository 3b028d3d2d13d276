#pragma once
/// What a run directory holds, as figures and report need it. Only files are read.

#include <string>
#include <string_view>
#include <vector>

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

    std::string file(std::string_view name) const;

    /// The path of a file that every complete run has.
    /// Errors: core::FileError that says what is missing.
    std::string required_file(std::string_view name) const;

    bool is_map() const { return problem == "beam_impact_map"; }
};

/// One line of a map: the locations of one swept value, by ascending xi.
struct MapSeries {
    std::string label;  ///< the swept value as written; empty if nothing is swept
    Numbers numbers;
    std::vector<std::string> statuses;
};

struct Map {
    std::string sweep;  ///< the swept key, with its unit as suffix; empty if nothing is swept
    std::vector<MapSeries> series;
};

/// Reads summary.json.
/// Errors: core::FileError that says what is missing if `directory` is not the directory of a run,
/// or of a run whose problem postproc does not know.
Run read_run(const std::string& directory);

/// Reads map.csv. Errors: core::FileError if it is missing or has no rows; core::InputError
/// with file and place if a column is missing or a cell is no number.
Map read_map(const Run& run);

/// Reads a table of numbers. Errors: core::FileError if it is missing; core::InputError with file
/// and place if a cell is no number.
Numbers read_numbers(const Run& run, std::string_view name);

/// A number of a JSON object; NaN if there is none.
double number_at(const io::Value& object, std::string_view key);

}  // namespace stoss::postproc
