#pragma once
/// Compares the results of cases with what they expect: `stoss verify`.

#include <string>
#include <vector>

#include <solvers/case/expectation.hpp>

namespace stoss::solvers {

/// One case and its verdicts.
struct Verified {
    std::string file;
    std::string title;
    std::vector<Verdict> verdicts;
    std::string error;           ///< why the case could not be run; empty if it was
    bool refused = false;        ///< a bad case that was refused in the expected words
    bool left = false;           ///< a case that runs `on_request`, and was not asked for
    std::string not_shown = {};  ///< what agreement does not show, by the case itself

    bool passed() const;
};

/// All case files (*.yaml, *.yml) among `paths`, folders searched in depth, in alphabetical order.
/// Errors: core::FileError if a path does not exist or a folder holds no case.
std::vector<std::string> find_cases(const std::vector<std::string>& paths);

/// Runs one case. A case that expects nothing has not passed: it shows nothing. A case with a file
/// NAME.expected beside it is a bad one: it must be refused in just those words.
Verified verify(const std::string& file, int threads, bool named);

/// Table for a terminal: expected, computed, difference, tolerance, verdict.
std::string to_text(const Verified& verified);

/// The page docs/validation.md: every case with its table.
std::string to_markdown(const std::vector<Verified>& all);

}  // namespace stoss::solvers
