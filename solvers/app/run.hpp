#pragma once
/// From a case file to a run directory.

#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include <solvers/case/case_identity.hpp>
#include <solvers/case/expectation.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::solvers {

/// What `stoss run` was asked for.
struct RunRequest {
    std::string case_file;
    std::string directory;              ///< empty: runs/<name of the case file>[_convergence]
    std::vector<std::string> settings;  ///< `key.path=value`, applied to the case in this order
    std::string experiment;             ///< table in place of that of the case; empty: that one
    int threads = 0;                    ///< 0: all cores
    bool resume = false;                ///< go on with an interrupted run in the same directory
    bool force = false;                 ///< replace the results of another case
    bool quiet = false;                 ///< no progress, no closing lines
    std::string shard;                  ///< "k/N": only that part; empty: all
    int ranks = 0;                      ///< processes that share the work; 0: this one alone
    bool converge = false;              ///< study the convergence of the case in its place
};

/// What came of it.
struct RunReport {
    Outcome outcome;
    std::vector<Verdict> verdicts;
    std::string directory;
    bool is_shard = false;   ///< a part was computed and is kept; there are no results yet
    bool has_report = true;  ///< false: the results are there, but drawing them was interrupted
    io::Value summary;       ///< as summary.json; empty before the end of the run
};

/// Reads and checks a case with its expectations; computes nothing.
/// Errors: core::InputError with everything that is wrong; core::FileError if a file that the case
/// names cannot be read.
std::unique_ptr<ReadCase> given_case(const io::Document& document);

/// A case that is solved in memory. Nothing is written but by `write`.
class CaseRun {
  public:
    /// Of the problem that the document names. `converge`: the convergence of the case is studied
    /// in its place. Errors: core::InputError with everything that is wrong; core::FileError if a
    /// file that the case names cannot be read.
    CaseRun(io::Document document, bool converge);

    /// Errors: core::InputError if the problem has no items that can be shared out.
    void check_shared() const;

    const CaseIdentity& identity() const { return identity_; }
    const io::Document& document() const { return document_; }
    const RunReport& report() const { return report_; }

    /// Fills `report().outcome`. Errors: core::NumericalError.
    void solve(const RunOptions& options);

    /// Adds what was understood of the case, and `notes` to the warnings; holds the outcome against
    /// its `expect:`.
    void conclude(const std::vector<std::string>& notes = {});

    /// summary.json of the concluded run.
    io::Value summary() const;
    /// The case with all defaults written out, and with what the run chose.
    io::Node decided() const;
    /// Writes all but figures and report.
    void write(const io::RunDirectory& directory) const;

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    io::Document document_;
    bool converge_;
    std::unique_ptr<ReadCase> given_;
    CaseIdentity identity_;
    int threads_ = 0;
    bool is_resumed_ = false;  ///< an earlier run or other parts did some of the work
    std::clock_t cpu_start_ = std::clock();
    std::chrono::duration<double> wall_time_{};
    double cpu_time_ = 0.0;  ///< [s], of all threads
    RunReport report_;
};

/// Puts the stations of `section.table` files into the document, as `read_case_file` does, and
/// leaves out its `expect:` if it `is_changed`.
void complete_case(io::Document& document, bool is_changed);

/// The case file with `settings` applied and tables of sections read. A changed case no longer
/// expects what the file does: with any setting its `expect:` is left out. `notes` gets what
/// apply_settings says, unless it is null. Errors: core::FileError, core::InputError.
io::Document read_case_file(const std::string& file, const std::vector<std::string>& settings,
                            std::vector<std::string>* notes = nullptr);

/// True if an interrupted run is to go on where there is none: it starts from the beginning.
bool has_nothing_to_resume(const RunRequest& request);

/// The directory that `run` writes to.
/// Errors: core::InputError if `shard` is none.
std::string run_directory_of(const RunRequest& request);

/// What `stoss check` says of a case.
struct CheckReport {
    std::string words;  ///< what was understood; one indented line each
    std::vector<std::string> warnings;
};

/// Validates a case; computes no more than its first frequencies.
/// Errors: core::InputError, core::FileError.
CheckReport check_case(const std::string& file);

/// Solves the case, or studies its convergence (converge.hpp), and writes the run directory; an
/// interrupted run, and a shard, leaves its checkpoint there. Results whose drawing is interrupted
/// stay without a report.
/// Errors: core::InputError, core::FileError, core::NumericalError; core::InputError if the
/// directory holds what no run wrote, or, without `force`, results or an interrupted run of another
/// case (case_identity.hpp).
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
