#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what, const std::string& reason) {
    throw core::FileError(fmt::format("{}: {}: {}", path, what, reason));
}

void make_directories(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) fail(path.string(), "cannot be created", error.message());
    // A file of that name, or a link to one, is no error of create_directories.
    if (!fs::is_directory(path, error)) fail(path.string(), "cannot be created", "it is a file");
}

bool is_temporary(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with('.') && name.ends_with(temporary_ending);
}

// Null if it is not there, or no run wrote it.
Value provenance_in(const fs::path& directory) {
    const std::string file = (directory / provenance_name).string();
    try {
        Value facts = parse_json(read_text(file), file);
        if (facts.find("version") != nullptr && facts.find("commit") != nullptr) return facts;
    } catch (const core::FileError&) {
    } catch (const core::InputError&) {
    }
    return {};
}

bool is_run_directory(const fs::path& directory) {
    return !provenance_in(directory).is_null() ||
           checkpointed_case((directory / checkpoint_name).string()).has_value();
}

// A folder with files of somebody else stays as it is.
void refuse_foreign(const std::string& path) {
    std::error_code error;
    fs::directory_iterator file(path, error);
    while (!error && file != fs::directory_iterator() && is_temporary(*file)) file.increment(error);
    if (error) fail(path, "cannot be read", error.message());
    if (file == fs::directory_iterator() || is_run_directory(path)) return;
    throw core::InputError({{path,
                             0,
                             0,
                             {"", "", "is not empty and is not the directory of a run",
                              "give a new or an empty directory with -o"}}});
}

// Looks no deeper than the folders of a run: the directory may be one that holds much else.
// What cannot be seen or removed now does no harm.
void remove_temporary_files(const fs::path& directory) {
    std::error_code ignored;
    fs::recursive_directory_iterator file(directory, ignored);
    for (; file != fs::recursive_directory_iterator(); file.increment(ignored)) {
        if (file.depth() > 0) file.disable_recursion_pending();
        if (is_temporary(*file)) fs::remove(*file, ignored);
    }
}

// Returns the descriptor that holds the lock.
int lock(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) fail(path, "cannot be opened", std::strerror(errno));
    // Network file systems may have no locks (ENOLCK, EOPNOTSUPP...): then there is none.
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(descriptor);
        fail(path, "cannot be written", "another run is writing there");
    }
    return descriptor;
}

}  // namespace

RunDirectory::RunDirectory(std::string path) : path_(std::move(path)) {
    make_directories(path_);
    if (::access(path_.c_str(), W_OK | X_OK) != 0) {
        fail(path_, "cannot be written", std::strerror(errno));
    }
    refuse_foreign(path_);
    lock_ = lock(path_);
    remove_temporary_files(path_);
}

RunDirectory::~RunDirectory() {
    ::close(lock_);
}

std::string RunDirectory::file(std::string_view name) const {
    return (fs::path(path_) / name).string();
}

bool RunDirectory::has(std::string_view name) const {
    std::error_code ignored;
    return fs::exists(file(name), ignored);
}

Value RunDirectory::provenance() const {
    return provenance_in(path_);
}

void RunDirectory::write(std::string_view name, std::string_view content) const {
    const std::string target = file(name);
    make_directories(fs::path(target).parent_path());
    write_text(target, content);
}

void RunDirectory::remove(std::string_view name) const {
    std::error_code error;
    fs::remove(file(name), error);
    if (error) fail(file(name), "cannot be removed", error.message());
}

}  // namespace stoss::io
