#include <stoss/io/archive.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include <fmt/format.h>
#include <stoss/core/error.hpp>

namespace stoss::io {

namespace {

constexpr std::size_t block = 512;  // [bytes]
constexpr std::size_t longest_name = 100;
constexpr std::uint64_t largest_size = 077777777777;  // eleven octal digits

/// Fields at their offsets, numbers in octal digits; the sum of all bytes counts its own field as
/// blanks.
std::string header(const std::string& name, std::size_t size) {
    std::string bytes(block, '\0');
    const auto put = [&](std::ptrdiff_t at, std::string_view text) {
        std::ranges::copy(text, bytes.begin() + at);
    };
    put(0, name);
    put(100, "0000644");                     // mode
    put(108, "0000000");                     // owner
    put(116, "0000000");                     // group
    put(124, fmt::format("{:011o}", size));  // size
    put(136, "00000000000");                 // date
    put(148, "        ");                    // sum
    put(156, "0");                           // an ordinary file
    put(257, "ustar");
    put(263, "00");
    const auto sum = std::accumulate(bytes.begin(), bytes.end(), 0U, [](unsigned total, char byte) {
        return total + static_cast<unsigned char>(byte);
    });
    put(148, std::string_view(fmt::format("{:06o}", sum)));
    bytes[154] = '\0';
    return bytes;
}

}  // namespace

std::string tar_archive(const std::vector<std::pair<std::string, std::string>>& files) {
    std::string archive;
    for (const auto& [name, content] : files) {
        if (name.size() > longest_name) {
            throw core::FileError(fmt::format(
                "{}: the name is too long for an archive, at most {} bytes", name, longest_name));
        }
        if (content.size() > largest_size) {
            throw core::FileError(name + ": the file is too large for an archive, at most 8 GB");
        }
        archive += header(name, content.size());
        archive += content;
        archive.resize((archive.size() + block - 1) / block * block, '\0');
    }
    archive.resize(archive.size() + 2 * block, '\0');  // its end
    return archive;
}

}  // namespace stoss::io
