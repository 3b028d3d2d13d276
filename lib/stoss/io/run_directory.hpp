#pragma once
/// The directory that a run writes to.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/io/json.hpp>

namespace stoss::io {

/// What a run leaves in its directory before anything else: a directory with one of them is a run
/// directory.
inline constexpr const char* provenance_name = "provenance.json";
inline constexpr const char* checkpoint_name = "partial.csv";

/// The resolved case in a run directory.
inline constexpr const char* case_name = "case.yaml";
/// The results in short, of a run that came to its end.
inline constexpr const char* summary_name = "summary.json";

/// The files of the tables that a run wrote, as its provenance lists them; nothing if it has no
/// such list. What is no file below the directory is left out.
std::optional<std::vector<std::string>> tables_of(const Value& provenance);
/// The same of its other files, as those for ParaView.
std::optional<std::vector<std::string>> files_of(const Value& provenance);

/// A directory that one run at a time writes whole files to.
class RunDirectory {
  public:
    /// Creates the directory with its parents, takes it for this run, and removes the temporary
    /// files that a killed run left there or in its folders.
    /// Errors: core::FileError if it cannot be created or written, or if another run holds it;
    /// core::InputError if it is not empty and no run wrote there before.
    explicit RunDirectory(std::string path);
    ~RunDirectory();
    RunDirectory(const RunDirectory&) = delete;
    RunDirectory& operator=(const RunDirectory&) = delete;

    const std::string& path() const { return path_; }

    /// The path of a file in the directory; `name` may contain folders (`figures/map.svg`).
    std::string file(std::string_view name) const;
    bool has(std::string_view name) const;

    /// What the run that finished there wrote of itself; null if there is none.
    Value provenance() const;

    /// Writes a file as `write_text` does, and creates its folders.
    /// Errors: core::FileError.
    void write(std::string_view name, std::string_view content) const;

    /// Removes a file; it need not be there.
    /// Errors: core::FileError.
    void remove(std::string_view name) const;

  private:
    std::string path_;
    int lock_ =
        -1;  ///< descriptor of the directory; the lock ends with the process, however it ends
};

}  // namespace stoss::io
