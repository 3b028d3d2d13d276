#pragma once
/// `stoss new`: a commented case to start from.

#include <string>
#include <utility>
#include <vector>

namespace stoss::solvers {

/// A case, and the files that it names.
struct StartingCase {
    std::string text;                                        ///< YAML with comments
    std::vector<std::pair<std::string, std::string>> files;  ///< name and content
};

/// A small case of a problem: every key that it must have, each with its meaning behind it, and the
/// names of the keys that it may have. `stoss check` accepts it.
/// Errors: core::InputError if there is no such problem.
StartingCase starting_case(const std::string& problem);

/// Writes the case as `file` (empty: <problem>.stoss.yaml), and beside it the files that it names.
/// Returns what to do next. Errors: as `starting_case`; core::InputError if a file is there, unless
/// `force`; core::FileError.
std::string write_starting_case(const std::string& problem, const std::string& file, bool force);

}  // namespace stoss::solvers
