#pragma once
/// From a case file to a run directory.

#include <string>
#include <vector>

#include <solvers/expectation.hpp>
#include <solvers/outcome.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// What `stoss run` was asked for.
struct RunRequest {
    std::string case_file;
    std::string directory;              ///< empty: runs/<name of the case file>
    std::vector<std::string> settings;  ///< `key.path=value`, applied to the case in this order
    int threads = 0;                    ///< 0: all cores
    bool resume = false;                ///< go on with an interrupted run in the same directory
    bool quiet = false;                 ///< no progress, no closing lines
    std::string shard;                  ///< "k/N": only that part; empty: all
    int ranks = 0;                      ///< processes that share the work; 0: this one alone
};

/// What came of it.
struct RunReport {
    Outcome outcome;
    std::vector<Verdict> verdicts;
    std::string directory;
    bool is_shard = false;  ///< a part was computed and is kept; there are no results yet
};

/// The case file with `settings` applied and tables of sections read. A changed case no longer
/// expects what the file does: with any setting its `expect:` is left out. Errors: core::FileError,
/// core::InputError.
io::Document read_case_file(const std::string& file, const std::vector<std::string>& settings);

/// Solves the case and writes the run directory; an interrupted run, and a shard, leaves its
/// checkpoint there.
/// Errors: core::InputError, core::FileError, core::NumericalError.
RunReport run(const RunRequest& request);

/// Puts together the parts of a case that runs with `shard` left in `shards`, and writes the run
/// directory as one run of all would have.
/// Errors: as `run`; core::InputError, core::FileError if a directory holds no part of this case,
/// or parts are missing or contradict each other.
RunReport merge(const RunRequest& request, const std::vector<std::string>& shards);

/// Where the results are and what they say, for the end of `stoss run`.
std::string closing_words(const RunReport& report);

/// Solves a case in memory and holds it against its `expect:`; nothing is written.
RunReport solve_case(const io::Document& document, int threads, bool quiet);

}  // namespace stoss::solvers
