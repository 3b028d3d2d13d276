#pragma once
/// Other programs, run to their end.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace stoss::io {

/// A program and how it runs. Its standard input is empty. Its words go to files, so that it can
/// never block.
struct Program {
    std::vector<std::string> words;  ///< path of the program, or its name on PATH; its arguments
    std::string out;                 ///< file of its standard output
    std::string err{};               ///< file of its standard error; empty: that of its output
    std::string directory{};         ///< where it runs; empty: where Stoss runs
    std::vector<std::string> variables{};  ///< "NAME=value": what differs from our environment
    std::optional<std::chrono::seconds>
        longest{};  ///< then it is killed; none: it may take any time
};

/// How a program ended.
struct ProgramEnd {
    int code = 0;              ///< its exit code; 127: there is no such program, as shells say
    int signal = 0;            ///< that ended it; 0: none
    bool took_longer = false;  ///< it was killed after the longest time
};

/// Runs the program. A file that grows beyond the limit of the system (SIGXFSZ) ends it, even if we
/// ignore that signal. It is killed if the StopScope of this thread says so.
/// Errors: core::FileError if it cannot be started or is lost; core::Stopped.
/// Precondition: the folders of its files are there.
ProgramEnd run(const Program& program);

}  // namespace stoss::io
