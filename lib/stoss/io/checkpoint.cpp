#include <stoss/io/checkpoint.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/provenance.hpp>
#include <stoss/io/system_error.hpp>

namespace stoss::io {
namespace {

constexpr std::string_view head_begin = "stoss checkpoint,";
constexpr std::size_t largest_head = 256;
constexpr std::size_t state_index = std::numeric_limits<std::size_t>::max();  // no row has it

[[noreturn]] void refuse(const std::string& file, std::string rule, std::string suggestion) {
    core::Diagnostic diagnostic;
    diagnostic.file = file;
    diagnostic.violation.rule = std::move(rule);
    diagnostic.violation.suggestion = std::move(suggestion);
    throw core::InputError({diagnostic});
}

/// `stoss checkpoint,VERSION,CASE`: a commit is a version too.
std::string head_of(std::string_view resolved_case) {
    return fmt::format("{}{} {},{:016x}", head_begin, version(), commit(), digest(resolved_case));
}

/// Adds `index,number,number...` to a text.
void append_row(std::string& text, std::size_t index, const std::vector<double>& row) {
    text += std::to_string(index);
    for (const double number : row) {
        char buffer[32];
        text += ',';
        text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr);
    }
    text += '\n';
}

/// The last line: how many rows are before it, and their digest.
std::string end_of(std::size_t row_count, std::uint64_t digest_of_rows) {
    return fmt::format("end,{},{:016x}", row_count, digest_of_rows);
}

std::string row_text(std::size_t index, const std::vector<double>& row) {
    std::string text;
    append_row(text, index, row);
    return text;
}

/// Cuts off the text before the next `mark`; nothing if there is none.
std::optional<std::string_view> cut(std::string_view& text, char mark) {
    const std::size_t end = text.find(mark);
    if (end == text.npos) return std::nullopt;
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end + 1);
    return part;
}

/// `base` is for whole numbers.
template <class T, class... Base>
std::optional<T> number(std::string_view text, Base... base) {
    T value{};
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, base...);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// `index,number,number...`
std::optional<std::pair<std::size_t, std::vector<double>>> parse_row(std::string_view line) {
    const auto head = cut(line, ',');
    const auto index = head ? number<std::size_t>(*head) : std::nullopt;
    if (!index) return std::nullopt;
    std::vector<double> row;
    while (const auto cell = cut(line, ',')) {
        const auto value = number<double>(*cell);
        if (!value) return std::nullopt;
        row.push_back(*value);
    }
    const auto last = number<double>(line);
    if (!last) return std::nullopt;
    row.push_back(*last);
    return std::pair{*index, row};
}

}  // namespace

std::uint64_t digest(std::string_view text, std::uint64_t before) {
    std::uint64_t hash = before;
    for (const char letter : text) {
        hash ^= static_cast<unsigned char>(letter);
        hash *= 0x100000001b3u;
    }
    return hash;
}

std::optional<std::uint64_t> checkpointed_case(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::string head(largest_head, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(std::min(head.size(), head.find('\n')));
    if (!head.starts_with(head_begin)) return std::nullopt;
    return number<std::uint64_t>(std::string_view(head).substr(head.rfind(',') + 1), 16);
}

Checkpoint::Checkpoint(std::string file, std::string_view resolved_case, bool resume,
                       std::chrono::milliseconds save_interval)
    : file_(std::move(file)),
      head_(head_of(resolved_case)),
      save_interval_(save_interval),
      next_save_(Clock::now() + save_interval) {
    if (resume && std::filesystem::exists(file_)) take(file_);
}

Checkpoint::Checkpoint(std::string_view resolved_case)
    : head_(head_of(resolved_case)), save_interval_{}, next_save_(Clock::time_point::max()) {}

void Checkpoint::take(const std::string& file, const Advice& advice) {
    take_text(read_text(file), file, advice);
}

void Checkpoint::take_text(std::string_view rest, const std::string& file, const Advice& advice) {
    const auto head = cut(rest, '\n');
    if (!head || !head->starts_with(head_begin))
        refuse(file, "is not a checkpoint of Stoss", advice.other);
    if (*head != head_) {
        if (head->substr(0, head->rfind(',')) == head_.substr(0, head_.rfind(',')))
            refuse(file, "the case changed since this was written", advice.other_case);
        refuse(file, "this was written by another version of Stoss", advice.other);
    }
    std::map<std::size_t, std::vector<double>> read;
    const std::string_view rows = rest.substr(0, rest.rfind('\n') + 1);
    while (const auto line = cut(rest, '\n')) {
        const auto row = parse_row(*line);
        if (!row || !read.insert(*row).second) break;
    }
    // The count shows that a file was cut, the digest shows every other change.
    if (rest != end_of(read.size(), digest(rows))) refuse(file, "is damaged", advice.other);
    for (const auto& [index, row] : read) {
        const auto [there, is_new] = restored_.insert({index, row});
        if (is_new && index == state_index) {
            append_row(state_, index, row);
        } else if (is_new) {
            append(index, row);
        } else if (row_text(index, row) != row_text(index, there->second)) {  // NaN is not NaN
            refuse(file,
                   fmt::format("holds a result of item {} that differs from the one read before",
                               index),
                   "compute this part again");
        }
    }
}

std::vector<double> Checkpoint::row(std::size_t index) const {
    const auto there = restored_.find(index);
    return there == restored_.end() ? std::vector<double>{} : there->second;
}

std::vector<double> Checkpoint::state() const {
    return row(state_index);
}

std::string Checkpoint::end_line() const {
    return end_of(row_count_ + (state_.empty() ? 0 : 1), digest(state_, rows_digest_));
}

void Checkpoint::append(std::size_t index, const std::vector<double>& row) {
    const std::size_t begin = rows_.size();
    append_row(rows_, index, row);
    rows_digest_ = digest(std::string_view(rows_).substr(begin), rows_digest_);
    ++row_count_;
}

bool Checkpoint::is_due() const {
    const std::scoped_lock lock(rows_mutex_);
    return Clock::now() >= next_save_;
}

void Checkpoint::add(std::size_t index, const std::vector<double>& row) {
    std::unique_lock file_lock(file_mutex_, std::defer_lock);
    std::string content;
    {
        const std::scoped_lock rows_lock(rows_mutex_);
        append(index, row);
        if (Clock::now() < next_save_ || !file_lock.try_lock()) return;
        next_save_ = Clock::now() + save_interval_;
        content = fmt::format("{}\n{}{}{}", head_, rows_, state_, end_line());
    }
    write_text(file_, content);
}

// A state is as large as all that moves: there is one copy of it.
void Checkpoint::replace_state(const std::vector<double>& state) {
    {
        const std::scoped_lock lock(rows_mutex_);
        state_.clear();
        state_.reserve(20 * state.size());  // about what its numbers take
        append_row(state_, state_index, state);
        if (Clock::now() < next_save_) return;
        next_save_ = Clock::now() + save_interval_;
    }
    save();
}

std::string Checkpoint::text() {
    const std::scoped_lock lock(rows_mutex_);
    return fmt::format("{}\n{}{}{}", head_, rows_, state_, end_line());
}

void Checkpoint::save() {
    const std::scoped_lock lock(file_mutex_, rows_mutex_);
    write_text(file_, {head_, "\n", rows_, state_, end_line()});
}

void Checkpoint::remove() {
    std::error_code error;
    std::filesystem::remove(file_, error);
    if (error) throw SystemError(file_, "cannot be removed", error.value());
}

}  // namespace stoss::io
