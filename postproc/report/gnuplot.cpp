#include <postproc/report/gnuplot.hpp>

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/process.hpp>

namespace stoss::postproc {

namespace {

namespace fs = std::filesystem;

bool is_program(const std::string& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

/// How to get the figures after all.
constexpr const char* draw_later =
    "the tables of the run are complete, and `stoss report` on the run directory draws the figures";

/// A directory of our own in the one that TMPDIR names, or in /tmp; gone at the end of the scope.
class ScratchDirectory {
  public:
    ScratchDirectory() {
        const char* const named = std::getenv("TMPDIR");
        const bool is_named = named != nullptr && *named != '\0';
        const fs::path parent(is_named ? named : "/tmp");
        std::string pattern = (parent / "stoss-plot-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw core::FileError(
                fmt::format("{}: cannot make a temporary directory for gnuplot there: {}; {}. "
                            "{} another directory",
                            parent.string(), std::strerror(errno), draw_later,
                            is_named ? "TMPDIR names it: name" : "Let TMPDIR name"));
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
    io::write_text(input, script);
    // -d: no start-up file of the user. The locale is one in which gnuplot knows the signs of its
    // scripts and writes numbers with a point, whatever the user's is.
    const io::ProgramEnd end = io::run({{program_, "-d", input}, out, err, "", {"LC_ALL=C.UTF-8"}});
    if (end.code == 127) {
        throw core::FileError(
            fmt::format("cannot start {}: it is not there or no program", program_));
    }
    GnuplotOutput output{io::read_text(out), io::read_text(err)};
    if (end.signal == SIGXFSZ) {
        throw core::FileError(
            fmt::format("gnuplot cannot write a figure: {}; {}", std::strerror(EFBIG), draw_later));
    }
    if (end.signal != 0)
        throw core::NumericalError(fmt::format("gnuplot was ended by signal {}", end.signal));
    if (end.code != 0) {
        throw core::NumericalError("gnuplot refused the plot: " + plain_words(output.warnings));
    }
    if (output.drawing.empty()) {
        throw core::NumericalError("gnuplot drew nothing: " + plain_words(output.warnings));
    }
    return output;
}

}  // namespace stoss::postproc
