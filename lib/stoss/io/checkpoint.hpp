#pragma once
/// What long work has done so far, kept in a file, so that an interrupted run can go on.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stoss::io {

/// The digest of no text.
inline constexpr std::uint64_t empty_digest = 0xcbf29ce484222325u;

/// A hash that is the same on every machine (FNV-1a, 64 bits; Fowler, Noll and Vo 1991).
/// `before`: the digest of a text before this one; the result is that of both in one.
std::uint64_t digest(std::string_view text, std::uint64_t before = empty_digest);

/// The digest of the resolved case that a checkpoint belongs to; none if the file is no checkpoint.
std::optional<std::uint64_t> checkpointed_case(const std::string& file);

/// Rows of numbers by index, saved every few seconds. Numbers come back bit by bit, NaN as
/// NaN. The file belongs to one case and one version of Stoss.
///
///     Checkpoint checkpoint(directory.file("partial.csv"), resolved_case, resume);
///     for every i: if (checkpoint.row(i).empty()) checkpoint.add(i, compute(i));
///     interrupted ? checkpoint.save() : checkpoint.remove();
class Checkpoint {
  public:
    /// With `resume` the file's rows are read; no file means no rows. Without, it is overwritten by
    /// the first save. `save_interval` lies between two saves by `add`.
    /// Errors: with `resume`, core::InputError if the file belongs to another case or another
    /// version of Stoss, or is no whole checkpoint, unchanged; core::FileError if it cannot be
    /// read.
    Checkpoint(std::string file, std::string_view resolved_case, bool resume,
               std::chrono::milliseconds save_interval = std::chrono::seconds(5));

    /// One that no file holds: it is never saved, `text` is what there is.
    explicit Checkpoint(std::string_view resolved_case);

    /// What the file would hold.
    std::string text();

    /// What messages advise about a file whose rows cannot be taken.
    struct Advice {
        const char* other_case;  ///< it belongs to another case
        const char* other;       ///< every other reason
    };
    static constexpr Advice start_again{"run without --resume to start again",
                                        "run without --resume to start again"};

    /// Reads the rows of another file of the same case and version, too.
    /// Errors: as with `resume`, and core::FileError if there is no such file; core::InputError if
    /// it holds another content of a row that is there.
    void take(const std::string& file, const Advice& advice = start_again);

    /// The same of a text; `name` is what messages call it.
    void take_text(std::string_view text, const std::string& name,
                   const Advice& advice = start_again);

    /// The row `index` as read from the file; empty if it is not there.
    std::vector<double> row(std::size_t index) const;

    /// Number of rows read from the file, the state among them.
    std::size_t restored() const { return restored_.size(); }

    /// Keeps a finished row (one number or more), and saves if the last save is long enough ago.
    /// Every row is added once. May be called from several threads; one of them saves while the
    /// others go on. Errors: core::FileError if saving fails.
    void add(std::size_t index, const std::vector<double>& row);

    /// The state of work that is one long thing, as read from the file; empty if it is not there.
    std::vector<double> state() const;

    /// True if the last save is long enough ago for `replace_state` to save.
    bool is_due() const;

    /// Keeps a state (one number or more) in place of the one before, and saves as `add` does.
    /// Errors: core::FileError if saving fails.
    void replace_state(const std::vector<double>& state);

    /// Writes all rows and the state to the file, whole or not at all.
    /// Errors: core::FileError.
    void save();

    /// Removes the file: the work is complete. Errors: core::FileError.
    void remove();

  private:
    using Clock = std::chrono::steady_clock;

    /// The last line of the file: number and digest of the lines between it and the first one.
    std::string end_line() const;

    /// Adds a row to the text of all.
    void append(std::size_t index, const std::vector<double>& row);

    std::string file_;  ///< empty: none
    std::string head_;  ///< first line of the file: which case, which Stoss
    std::chrono::milliseconds save_interval_;
    std::map<std::size_t, std::vector<double>> restored_;
    mutable std::mutex rows_mutex_;  ///< guards the next five
    std::string rows_;               ///< the rows as written in the file
    std::size_t row_count_ = 0;
    std::uint64_t rows_digest_ = empty_digest;  ///< of `rows_`, so that a save need not read them
    std::string state_;                         ///< the state as written in the file
    Clock::time_point next_save_;
    std::mutex file_mutex_;  ///< held while the file is written
};

}  // namespace stoss::io
