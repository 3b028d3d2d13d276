#include <stoss/io/process.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>

extern char** environ;

namespace stoss::io {

namespace {

using Clock = std::chrono::steady_clock;

/// Where the streams of a program go, and where it runs.
class Surroundings {
  public:
    explicit Surroundings(const Program& program) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        write_to(program.out, STDOUT_FILENO);
        if (program.err.empty()) {
            posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
        } else {
            write_to(program.err, STDERR_FILENO);
        }
        if (!program.directory.empty())
            posix_spawn_file_actions_addchdir_np(&actions_, program.directory.c_str());
    }
    ~Surroundings() { posix_spawn_file_actions_destroy(&actions_); }
    Surroundings(const Surroundings&) = delete;
    Surroundings& operator=(const Surroundings&) = delete;

    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    void write_to(const std::string& file, int stream) {
        constexpr int mode = O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&actions_, stream, file.c_str(), mode, 0666);
    }

    posix_spawn_file_actions_t actions_;
};

/// The action of a signal that the command ignores, and a program that it starts must not.
class Signals {
  public:
    Signals() {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGXFSZ);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setsigdefault(&attributes_, &set);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
    }
    ~Signals() { posix_spawnattr_destroy(&attributes_); }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

/// Our environment with `changed` in place of the variables of these names.
std::vector<std::string> environment_with(std::vector<std::string> changed) {
    const std::size_t own = changed.size();
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        const std::string_view name = text.substr(0, text.find('=') + 1);
        const auto is_this = [&](const std::string& each) { return each.starts_with(name); };
        const auto end = changed.begin() + static_cast<std::ptrdiff_t>(own);
        if (std::none_of(changed.begin(), end, is_this)) changed.emplace_back(text);
    }
    return changed;
}

/// What execve takes.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// A program that was started; it is killed if nobody waits for its end.
class Child {
  public:
    Child(pid_t id, const std::string& name) : id_(id), name_(name) {}
    ~Child() {
        if (has_ended_) return;
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// True if it has ended. Without `may_wait` the answer comes at once.
    bool has_ended(bool may_wait) {
        pid_t ended = 0;
        do ended = ::waitpid(id_, &status_, may_wait ? 0 : WNOHANG);
        while (ended < 0 && errno == EINTR);
        has_ended_ = ended != 0;
        if (ended >= 0) return has_ended_;
        throw core::FileError(
            fmt::format("lost the process of {}: {}", name_, std::strerror(errno)));
    }

    ProgramEnd end() const {
        if (WIFSIGNALED(status_)) return {0, WTERMSIG(status_)};
        return {WEXITSTATUS(status_)};
    }

  private:
    pid_t id_;
    const std::string& name_;
    int status_ = 0;
    bool has_ended_ = false;
};

/// The end of a child, which is looked for often enough to stop it soon.
ProgramEnd wait_for(Child& child, const Program& program) {
    const bool may_wait = core::StopScope::current() == nullptr && !program.longest;
    const Clock::time_point begin = Clock::now();
    while (!child.has_ended(may_wait)) {
        core::throw_if_stopped();
        if (program.longest && Clock::now() - begin > *program.longest) return {0, SIGKILL, true};
        ::usleep(2000);
    }
    core::throw_if_stopped();  // Ctrl-C ends the child, too
    return child.end();
}

}  // namespace

ProgramEnd run(const Program& program) {
    std::vector<std::string> words = program.words;
    std::vector<std::string> variables = environment_with(program.variables);
    const Surroundings surroundings(program);
    const Signals signals;
    pid_t id = 0;
    const int failure = posix_spawnp(&id, words.front().c_str(), surroundings.get(), signals.get(),
                                     pointers_to(words).data(), pointers_to(variables).data());
    if (failure == ENOENT) return {127};
    if (failure != 0) {
        throw core::FileError(
            fmt::format("cannot start {}: {}", words.front(), std::strerror(failure)));
    }
    Child child(id, words.front());
    return wait_for(child, program);
}

}  // namespace stoss::io
