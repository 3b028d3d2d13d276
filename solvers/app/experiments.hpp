#pragma once
/// `stoss encoder`, `stoss compare` and `stoss fit`: from measurements to a directory with results,
/// figures and report.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stoss::solvers {

/// What `stoss encoder` was asked for.
struct EncoderRequest {
    std::string input;                 ///< a trace, or a folder of them with manifest.csv
    std::string directory;             ///< empty: runs/<name of the input>_encoder
    std::vector<std::string> options;  ///< `key=value` of postproc::EncoderSettings
    int threads = 0;                   ///< 0: all cores
    bool quiet = false;
    std::function<bool()> stop = {};  ///< asked before each trace; empty: never
};

/// What `stoss compare` was asked for.
struct CompareRequest {
    std::vector<std::string> runs;
    std::string experiment;
    std::string directory;           ///< empty: runs/<name of the experiment>_comparison
    std::optional<double> max_rmse;  ///< largest RMSE that a curve may have
    bool skip_bad = false;
    std::function<bool()> stop = {};  ///< asked before each run; empty: never
};

/// What a command did, for the terminal.
struct Done {
    std::string words;
    std::vector<std::string> warnings;
    bool passed = true;
};

/// Measures the impacts and writes the directory.
/// Errors: core::InputError, core::FileError; core::Stopped once `stop` answers true.
Done encoder(const EncoderRequest& request);

/// Compares and writes the directory. Not passed if a curve is farther than `max_rmse`.
/// Errors: as of `encoder`.
Done compare(const CompareRequest& request);

/// Refuses a case that `stoss fit` cannot fit: one of another problem than beam_fit. Says nothing
/// of a case without a problem. Errors: core::InputError with the place of the key; as of
/// io::read_yaml.
void refuse_unless_fit(const std::string& case_file);

}  // namespace stoss::solvers
