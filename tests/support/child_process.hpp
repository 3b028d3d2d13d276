#pragma once
/// Parts of a test that may end, or must not change, the process that tests.

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <functional>
#include <string>

namespace stoss::tests {

/// Forks and runs `work` in the child, which ends with its return value; 99 if it throws.
inline pid_t start_child(const std::function<int()>& work) {
    const pid_t child = fork();
    if (child != 0) return child;
    std::signal(SIGINT, SIG_DFL);  // a shell has what it starts in the background ignore it
    int code = 99;
    try {
        code = work();
    } catch (...) {
    }
    _exit(code);
}

/// Exit code of a child; 128 + signal if a signal ended it, as a shell says.
inline int wait_for(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

inline int run_in_child(const std::function<int()>& work) {
    return wait_for(start_child(work));
}

/// What `work` throws in a child that has no privileges; empty if it throws nothing.
inline std::string error_without_privileges(const std::function<void()>& work) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = start_child([&] {
        constexpr uid_t nobody = 65534;
        if (getuid() == 0 && setuid(nobody) != 0) return 1;
        try {
            work();
        } catch (const std::exception& error) {
            const std::string words = error.what();
            return write(ends[1], words.data(), words.size()) < 0 ? 1 : 0;
        }
        return 0;
    });
    close(ends[1]);
    std::string words;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
        words.append(buffer, static_cast<std::size_t>(count));
    }
    close(ends[0]);
    return wait_for(child) == 0 ? words : "the child failed";
}

}  // namespace stoss::tests
