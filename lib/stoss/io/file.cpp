#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/system_error.hpp>

namespace stoss::io {
namespace {

constexpr std::size_t largest_text = std::size_t{1} << 30;

[[noreturn]] void fail(const std::string& file, const char* what, int reason) {
    throw SystemError(file, what, reason);
}

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

    /// Some file systems tell only here that the bytes did not fit.
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

/// A temporary file that is removed unless it got its final name.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& target)
        : target_(target),
          name_(temporary_name(target)),
          descriptor_(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
        if (!descriptor_.is_open()) fail(target_, "cannot be written", errno);
    }
    ~TemporaryFile() {
        if (!renamed_) ::unlink(name_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Some file systems have no permissions: that is no error.
    void set_permissions(::mode_t mode) { (void)!::fchmod(descriptor_.number(), mode & 07777); }

    void write(std::string_view content) {
        while (!content.empty()) {
            const ssize_t count = ::write(descriptor_.number(), content.data(), content.size());
            if (count >= 0) {
                content.remove_prefix(static_cast<std::size_t>(count));
            } else if (errno != EINTR) {
                fail(target_, "cannot be written", errno);
            }
        }
    }

    void put_in_place() {
        if (::fsync(descriptor_.number()) != 0 || !descriptor_.close() ||
            ::rename(name_.c_str(), target_.c_str()) != 0) {
            fail(target_, "cannot be written", errno);
        }
        renamed_ = true;
    }

  private:
    static std::string temporary_name(const std::string& target) {
        static std::atomic<unsigned long> counter{0};
        const std::filesystem::path path(target);
        const auto name = fmt::format(".{}.{}.{}{}", path.filename().string(), ::getpid(),
                                      counter++, temporary_ending);
        return (path.parent_path() / name).string();
    }

    std::string target_;
    std::string name_;
    Descriptor descriptor_;
    bool renamed_ = false;
};

}  // namespace

std::string read_text(const std::string& file) {
    std::string text = read_beginning(file, largest_text + 1);
    if (text.size() > largest_text) fail(file, "cannot be read", EFBIG);
    return text;
}

std::string read_beginning(const std::string& file, std::size_t most) {
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor.is_open()) fail(file, "cannot be read", errno);
    std::string text;
    char buffer[65536];
    while (text.size() < most) {
        const std::size_t wanted = std::min(sizeof buffer, most - text.size());
        const ssize_t count = ::read(descriptor.number(), buffer, wanted);
        if (count == 0) break;
        if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
        if (count < 0 && errno != EINTR) fail(file, "cannot be read", errno);
    }
    return text;
}

void write_text(const std::string& file, std::string_view content) {
    write_text(file, {content});
}

void write_text(const std::string& file, std::initializer_list<std::string_view> pieces) {
    struct stat status {};
    const bool is_there = ::stat(file.c_str(), &status) == 0;
    // Renaming would replace a device such as /dev/full, or a directory that happens to be empty.
    if (is_there && !S_ISREG(status.st_mode))
        throw core::FileError(file + ": cannot be written: it is not a regular file");
    std::error_code error;
    const bool is_link = is_there && std::filesystem::is_symlink(file, error);
    const auto target = is_link ? std::filesystem::canonical(file, error).string() : file;
    if (error) fail(file, "cannot be written", error.value());
    TemporaryFile temporary(target);
    if (is_there) temporary.set_permissions(status.st_mode);
    for (const std::string_view piece : pieces) temporary.write(piece);
    temporary.put_in_place();
}

}  // namespace stoss::io
