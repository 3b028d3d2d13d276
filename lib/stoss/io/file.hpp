#pragma once
/// Whole files, read and written at once.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace stoss::io {

/// The bytes of a file. At most 1 GiB, so that an endless device is an error.
/// Errors: core::FileError with the system's reason.
std::string read_text(const std::string& file);
/// The same of the first `most` bytes alone.
std::string read_beginning(const std::string& file, std::size_t most);

/// End of the name of a temporary file; a dot is its beginning.
inline constexpr std::string_view temporary_ending = ".stoss-tmp";

/// Replaces `file` by `content`: afterwards the file has either all of it, or what it had
/// before. The content goes to a hidden temporary file in the same directory, reaches the disk, and
/// is renamed. A file that is there keeps its permissions; through a symbolic link its target is
/// replaced. A program that is killed leaves at most that temporary file, which the next
/// RunDirectory there removes.
/// Errors: core::FileError with the system's reason (no space, no permission, not a regular
/// file...); the temporary file is then gone.
void write_text(const std::string& file, std::string_view content);
/// The same with a content in pieces, one after the other.
void write_text(const std::string& file, std::initializer_list<std::string_view> pieces);

}  // namespace stoss::io
