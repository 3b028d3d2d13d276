#pragma once
/// What a command that is no problem writes: tables, summary, figures and report.

#include <string>
#include <utility>
#include <vector>

#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::solvers {

inline constexpr int summary_version = 1;  ///< of the keys of summary.json

/// A value of a summary for the terminal: a text, a number, `true` or `false`; anything else is a
/// dash.
std::string scalar_words(const io::Value& value, std::string (*number_words)(double));

/// Tables and summary of one command.
struct Results {
    std::string problem;  ///< as the registry names the report of the command
    std::string title;
    io::Value summary;
    std::vector<std::pair<std::string, io::Table>> tables;

    /// Writes everything, then figures and report.
    /// Errors: core::FileError; core::InputError if the directory holds a run of a case.
    void write(const std::string& directory, int threads) const;

    /// The same into a directory that `begin` was called for.
    void write(const io::RunDirectory& directory) const;
};

/// Names of tables or files, for provenance.json.
io::Value names_of(const auto& named) {
    io::Value names = io::Value::array();
    for (const auto& [name, content] : named) names.append(name);
    return names;
}

/// What was written to a directory before and is not in `tables` or `files`: tables, traces, files
/// for ParaView, figures. A report, `stoss encoder` or ParaView would show them.
std::vector<std::string> old_results(const io::RunDirectory& directory, const io::Value& tables,
                                     const io::Value& files);

/// Refuses a directory with a run of a case, and writes where and how the results will be made.
/// Errors: as `Results::write`.
void begin(const io::RunDirectory& directory, int threads);

/// Where results and report are, for the terminal.
std::string places_of(const std::string& directory);

}  // namespace stoss::solvers
