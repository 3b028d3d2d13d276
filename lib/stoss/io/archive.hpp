#pragma once
/// Several files as one: an archive in the ustar format (POSIX.1-2017, pax), which every `tar`
/// reads.

#include <string>
#include <utility>
#include <vector>

namespace stoss::io {

/// The archive that holds these files, by name and content. The same files give the same bytes: the
/// date of each is 1970.
/// Errors: core::FileError if a name has more than 100 bytes or a content more than 8 GB.
std::string tar_archive(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace stoss::io
