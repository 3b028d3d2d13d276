#include <postproc/report/gnuplot.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/io/file.hpp>

extern char** environ;

namespace stoss::postproc {

namespace {

namespace fs = std::filesystem;

bool is_program(const std::string& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

/// A directory of our own below the system's temporary directory; gone at the end of the scope.
class ScratchDirectory {
  public:
    ScratchDirectory() {
        std::error_code error;
        std::string pattern = (fs::temp_directory_path(error) / "stoss-plot-XXXXXX").string();
        if (error || ::mkdtemp(pattern.data()) == nullptr) {
            throw core::FileError(fmt::format("cannot make a temporary directory for gnuplot: {}",
                                              error ? error.message() : std::strerror(errno)));
        }
        path_ = pattern;
    }
    ~ScratchDirectory() {
        std::error_code ignored;  // a left-over temporary file must not hide the real outcome
        fs::remove_all(path_, ignored);
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    std::string file(const char* name) const { return (path_ / name).string(); }

  private:
    fs::path path_;
};

void write_file(const std::string& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) {
        throw core::FileError(
            fmt::format("cannot write the plot script {}: {}", file, std::strerror(errno)));
    }
}

/// This process's environment, but for its locale: one in which gnuplot knows the signs of its
/// scripts and writes numbers with a point, whatever the user's is.
std::vector<std::string> environment_of_gnuplot() {
    std::vector<std::string> variables{"LC_ALL=C.UTF-8"};
    for (char** variable = environ; *variable; ++variable) {
        if (!std::string_view(*variable).starts_with("LC_ALL=")) variables.emplace_back(*variable);
    }
    return variables;
}

/// The status of a child that has ended. It is ended itself if the StopScope of this thread says
/// so: a drawing of a million points takes seconds.
int wait_for(pid_t child, const std::string& program) {
    const bool may_be_stopped = core::StopScope::current() != nullptr;
    int status = 0;
    for (;;) {
        const pid_t ended = ::waitpid(child, &status, may_be_stopped ? WNOHANG : 0);
        if (ended == child) return status;
        if (ended < 0 && errno != EINTR) {
            throw core::FileError(
                fmt::format("lost the process of {}: {}", program, std::strerror(errno)));
        }
        if (ended != 0) continue;
        try {
            core::throw_if_stopped();
        } catch (const core::Stopped&) {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            throw;
        }
        ::usleep(2000);
    }
}

/// Starts `program -d script` (-d: no start-up file of the user) with its output in two files.
/// Returns the wait status. Files, not pipes: nothing can block however much gnuplot writes.
int run(const std::string& program, const std::string& script, const std::string& out,
        const std::string& err) {
    std::string first = program;
    std::string flag = "-d";
    std::string file = script;
    char* arguments[] = {first.data(), flag.data(), file.data(), nullptr};
    std::vector<std::string> variables = environment_of_gnuplot();
    std::vector<char*> environment;
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    const int mode = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), mode, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), mode, 0600);
    pid_t child = 0;
    const int failure =
        posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        throw core::FileError(fmt::format("cannot start {}: {}", program, std::strerror(failure)));
    }
    const int status = wait_for(child, program);
    // POSIX: a program that cannot be started ends with 127 where the parent is not told
    // (emulators).
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        throw core::FileError(
            fmt::format("cannot start {}: it is not there or no program", program));
    }
    return status;
}

/// gnuplot's message without the blank lines and the echo of the script around it.
std::string plain_words(const std::string& message) {
    std::istringstream stream(message);
    std::string words;
    for (std::string line; std::getline(stream, line);) {
        const auto begin = line.find_first_not_of(" \t^");
        if (begin == std::string::npos) continue;
        words += (words.empty() ? "" : "\n    ") + line.substr(begin);
    }
    return words.empty() ? "it gave no reason" : words;
}

}  // namespace

std::string find_gnuplot() {
    return find_gnuplot(STOSS_GNUPLOT);
}

std::string find_gnuplot(const std::string& preferred) {
    if (is_program(preferred)) return preferred;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string candidate = folder + "/gnuplot";
        if (!folder.empty() && is_program(candidate)) return candidate;
    }
    throw core::FileError(
        "gnuplot is not installed, so no figures can be drawn; the tables of the run are complete. "
        "Install it (Debian: apt install gnuplot-nox) and run `stoss report` on the run directory");
}

GnuplotOutput Gnuplot::plot(const std::string& script) const {
    const ScratchDirectory scratch;
    const std::string input = scratch.file("plot.gp");
    const std::string out = scratch.file("plot.svg");
    const std::string err = scratch.file("messages");
    write_file(input, script);
    const int status = run(program_, input, out, err);
    GnuplotOutput output{io::read_text(out), io::read_text(err)};
    if (WIFSIGNALED(status)) {
        core::throw_if_stopped();  // Ctrl-C ends gnuplot, too
        throw core::NumericalError(fmt::format("gnuplot was ended by signal {}", WTERMSIG(status)));
    }
    if (WEXITSTATUS(status) != 0) {
        throw core::NumericalError("gnuplot refused the plot: " + plain_words(output.warnings));
    }
    if (output.drawing.empty()) {
        throw core::NumericalError("gnuplot drew nothing: " + plain_words(output.warnings));
    }
    return output;
}

}  // namespace stoss::postproc
