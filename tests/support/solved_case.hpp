#pragma once
/// A case that is given as text, and what its run gives.

#include <memory>
#include <stdexcept>
#include <string>

#include <solvers/registry/registry.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>

namespace stoss::tests {

/// The case, read but not solved. Throws core::InputError as its problem does.
inline std::unique_ptr<solvers::ReadCase> read_case(const std::string& text,
                                                    const std::string& file = "case.yaml") {
    const io::Document document = io::parse_yaml(text, file);
    return solvers::problem_of(document).read(document);
}

/// The outcome of its run, on one thread and without messages if nothing else is asked for.
inline solvers::Outcome solve(const std::string& text,
                              const solvers::RunOptions& options = {1, true},
                              const std::string& file = "case.yaml") {
    return read_case(text, file)->solve(options);
}

/// A number of the summary.
inline double number(const solvers::Outcome& outcome, const std::string& key) {
    return *outcome.summary.find(key)->number();
}

/// A table of the run. Throws std::out_of_range if there is none of that name.
inline const io::Table& table(const solvers::Outcome& outcome, const std::string& name) {
    for (const auto& [file, table] : outcome.tables)
        if (file == name) return table;
    throw std::out_of_range("there is no table " + name);
}

/// The first warning that has these words; empty if there is none.
inline std::string warning_with(const solvers::Outcome& outcome, const std::string& words) {
    for (const std::string& warning : outcome.warnings)
        if (warning.find(words) != std::string::npos) return warning;
    return {};
}

/// Everything that the run would write.
inline std::string bytes(const solvers::Outcome& outcome) {
    std::string all = io::to_json(outcome.summary);
    for (const auto& [name, table] : outcome.tables) all += name + io::to_csv(table);
    for (const auto& [name, content] : outcome.files) all += name + content;
    return all;
}

}  // namespace stoss::tests
