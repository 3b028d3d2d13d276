#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/run_directory.hpp>
#include <stoss/io/system_error.hpp>

namespace stoss::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what, const char* reason) {
    throw core::FileError(fmt::format("{}: {}: {}", path, what, reason));
}
[[noreturn]] void fail(const std::string& path, const char* what, int reason) {
    throw SystemError(path, what, reason);
}

void make_directories(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) fail(path.string(), "cannot be created", error.value());
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
    if (error) fail(path, "cannot be read", error.value());
    if (file == fs::directory_iterator() || is_run_directory(path)) return;
    throw core::InputError({{path,
                             0,
                             0,
                             {"", "", "is not empty and is not the directory of a run",
                              "give a new or an empty directory with -o"}}});
}

// Returns the descriptor that holds the lock; -1 and the reason in errno, EWOULDBLOCK if another
// run holds it.
int try_lock(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    // Network file systems may have no locks (ENOLCK, EOPNOTSUPP...): then there is none.
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return descriptor;
    ::close(descriptor);
    errno = EWOULDBLOCK;
    return -1;
}

int lock(const std::string& path) {
    const int descriptor = try_lock(path);
    if (descriptor >= 0) return descriptor;
    if (errno == EWOULDBLOCK) fail(path, "cannot be written", "another run is writing there");
    fail(path, "cannot be opened", errno);
}

// What cannot be seen or removed now does no harm.
void remove_temporary_files(const fs::path& directory) {
    std::error_code ignored;
    fs::directory_iterator file(directory, ignored);
    for (; file != fs::directory_iterator(); file.increment(ignored))
        if (is_temporary(*file)) fs::remove(*file, ignored);
}

// Looks no deeper than the folders of a run: the directory may be one that holds much else. It may
// hold directories of other runs: a folder that a live run has locked stays as it is.
void remove_temporary_files_in_folders(const fs::path& directory) {
    std::error_code ignored;
    fs::directory_iterator folder(directory, ignored);
    for (; folder != fs::directory_iterator(); folder.increment(ignored)) {
        if (folder->symlink_status(ignored).type() != fs::file_type::directory) continue;
        const int held = try_lock(folder->path().string());
        if (held < 0) continue;
        remove_temporary_files(*folder);
        ::close(held);
    }
}

// True of a file in the directory or in one of its folders.
bool is_below(const std::string& name) {
    const fs::path path = fs::path(name).lexically_normal();
    return !path.empty() && path.is_relative() && *path.begin() != "..";
}

std::optional<std::vector<std::string>> listed(const Value& provenance, const char* key) {
    const Value* const files = provenance.find(key);
    if (files == nullptr || files->items() == nullptr) return std::nullopt;
    std::vector<std::string> names;
    for (const Value& file : *files->items()) {
        const std::string* const name = file.text();
        if (name && is_below(*name)) names.push_back(*name);
    }
    return names;
}

}  // namespace

std::optional<std::vector<std::string>> tables_of(const Value& provenance) {
    return listed(provenance, "tables");
}

std::optional<std::vector<std::string>> files_of(const Value& provenance) {
    return listed(provenance, "files");
}

RunDirectory::RunDirectory(std::string path) : path_(std::move(path)) {
    make_directories(path_);
    if (::access(path_.c_str(), W_OK | X_OK) != 0) {
        fail(path_, "cannot be written", errno);
    }
    refuse_foreign(path_);
    lock_ = lock(path_);
    remove_temporary_files(path_);
    remove_temporary_files_in_folders(path_);
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
    if (error) fail(file(name), "cannot be removed", error.value());
}

}  // namespace stoss::io
