#pragma once
/// The real command `stoss` as a child process.

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <child_process.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::tests {

/// How the command ended and what it said.
struct Ended {
    int code = 0;  ///< 128 + signal if a signal ended it
    std::string out, err;
};

/// Under what conditions the command runs.
struct Conditions {
    std::string directory = ".";          ///< working directory
    std::string scratch{};                ///< TMPDIR; empty: one that is removed afterwards
    std::string out{}, err{};             ///< where its words go; empty: into `Ended`
    rlim_t largest_file = RLIM_INFINITY;  ///< bytes; beyond, a write fails as on a full disk
    bool obeys_permissions = false;       ///< even root may not write where the mode forbids it
};

/// A command that may still run. Its words go to files, so that it can never block.
class Running {
  public:
    Running(const std::vector<std::string>& arguments, const Conditions& conditions)
        : child_(start_child([&] { return become_command(arguments, conditions); })) {}
    ~Running() {
        if (child_ <= 0) return;
        signal(SIGKILL);
        wait_for(child_);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    void signal(int number) const { kill(child_, number); }
    pid_t id() const { return child_; }

    Ended wait() {
        const int code = wait_for(child_);
        child_ = 0;
        return {code, words_in("out"), words_in("err")};
    }

  private:
    static void redirect(int stream, const std::string& file) {
        dup2(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), stream);
    }
    std::string words_in(const char* name) const {
        const std::string file = scratch_.file(name);
        return std::filesystem::exists(file) ? io::read_text(file) : std::string{};
    }

    /// Only returns if the command cannot be started.
    int become_command(const std::vector<std::string>& arguments, const Conditions& conditions) {
        redirect(STDOUT_FILENO, conditions.out.empty() ? scratch_.file("out") : conditions.out);
        redirect(STDERR_FILENO, conditions.err.empty() ? scratch_.file("err") : conditions.err);
        if (chdir(conditions.directory.c_str()) != 0) return 98;
        // A killed run cannot clean up; what it leaves goes with our own folder.
        setenv("TMPDIR",
               (conditions.scratch.empty() ? scratch_.path() : conditions.scratch).c_str(), 1);
        if (conditions.largest_file != RLIM_INFINITY) {
            const rlimit limit{conditions.largest_file, conditions.largest_file};
            setrlimit(RLIMIT_FSIZE, &limit);
            std::signal(SIGXFSZ, SIG_DFL);
        }
        // Not by another user: the folders above the build need not be open to everybody.
        if (conditions.obeys_permissions && getuid() == 0 &&
            prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0) {
            return 98;
        }
        std::vector<std::string> words{STOSS_COMMAND};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        execv(pointers.front(), pointers.data());
        return 98;
    }

    TemporaryDirectory scratch_;
    pid_t child_ = 0;
};

/// Runs the command to its end.
inline Ended stoss_command(const std::vector<std::string>& arguments,
                           const Conditions& conditions = {}) {
    return Running(arguments, conditions).wait();
}

}  // namespace stoss::tests
