#pragma once
/// Progress of long work: a bar with rate and remaining time on a terminal, plain lines elsewhere.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace stoss::core {

/// Thread-safe. Prints to standard error; silent when `quiet` or when the work takes under a second.
class Progress {
  public:
    Progress(std::string what, std::size_t total, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `count` more units are done.
    void advance(std::size_t count = 1);

  private:
    void print(std::size_t done, bool last);

    std::string what_;
    std::size_t total_;
    bool quiet_;
    bool terminal_;
    std::atomic<std::size_t> done_{0};
    std::chrono::steady_clock::time_point start_;
    std::atomic<long long> next_print_ns_;
    std::mutex print_mutex_;
    bool printed_ = false;
};

}  // namespace stoss::core
