#pragma once
/// When two runs are of the same case, so that one may replace the results of the other.

#include <string>

#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::solvers {

/// What decides the numbers of a run: the resolved case without `title`, `on_request`, `not_shown`
/// and `expect`, the content of the files that the case names, and the command.
class CaseIdentity {
  public:
    /// `resolved` is the case with all defaults written out; `command` what is done with it.
    /// Errors: core::FileError if a file that the case names cannot be read.
    CaseIdentity(const io::Document& document, io::Node resolved, std::string command);

    /// Two runs are of the same case if this text is the same.
    std::string text() const;

    /// Adds to provenance.json what case.yaml cannot hold: `command`, `inputs`, the digests of the
    /// files, and `left_open`, the keys that the case left to the run. `decided` is the case with
    /// these keys as the run chose them.
    void add_to(io::Value& provenance, io::Node decided) const;

    /// Errors: core::InputError with the difference if the directory holds the results of another
    /// case or command, or an interrupted run of another case.
    void refuse_others(const io::RunDirectory& directory) const;

  private:
    io::Node asked_;
    std::string command_;
    io::Value inputs_ = io::Value::object();  ///< path of the key: digest of the file
};

}  // namespace stoss::solvers
