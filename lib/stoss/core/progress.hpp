#pragma once
/// Progress of long work: a bar with rate and remaining time on a terminal, plain lines elsewhere.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace stoss::core {

/// `collisions   45 %  450 of 1000  120/s  0:05 left`; with a bar if `bar`. Without a rate as long
/// as nothing is done.
std::string progress_text(std::string_view what, std::size_t done, std::size_t total,
                          double elapsed_s, bool bar);

/// The output of progress, and how often it is written.
struct ProgressOutput {
    int descriptor;
    bool is_terminal;                 ///< redraw one line with a bar
    std::chrono::milliseconds first;  ///< shorter work shows nothing
    std::chrono::milliseconds every;  ///< least time between two texts

    /// A terminal is redrawn ten times a second from the first second on; anything else gets a line
    /// every five seconds.
    static ProgressOutput standard_error();
};

/// While one lives, each `Progress` that is made in this thread also tells `listen` how far it is,
/// `quiet` or not. `listen(what, done, total)` is called from several threads, one at a time.
class ProgressListener {
  public:
    using Listen = std::function<void(std::string_view what, std::size_t done, std::size_t total)>;

    explicit ProgressListener(Listen listen);
    ~ProgressListener();  ///< the listener that was there before is back
    ProgressListener(const ProgressListener&) = delete;
    ProgressListener& operator=(const ProgressListener&) = delete;

  private:
    friend class Progress;
    Listen listen_;
    ProgressListener* before_;
};

/// Shows how far work is. Thread-safe. If anything was shown, the destructor shows the last state
/// and ends the line. That the output cannot be written is no error.
class Progress {
  public:
    /// `what` is counted: "collisions". `total` of them are to be done. Silent when `quiet`.
    Progress(std::string what, std::size_t total, bool quiet,
             ProgressOutput output = ProgressOutput::standard_error());
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `count` more units are done.
    void advance(std::size_t count = 1);

    /// Counts under another name from now on: what is known of the work meanwhile.
    void rename(std::string what);

  private:
    using Clock = std::chrono::steady_clock;

    void print(bool last);
    void tell();

    std::string what_;
    std::size_t total_;
    bool quiet_;
    ProgressListener* listener_;  ///< may be null
    ProgressOutput output_;
    Clock::time_point start_;
    std::atomic<std::size_t> done_{0};
    std::atomic<Clock::rep> next_print_;  ///< ticks since start_
    std::mutex print_mutex_;              ///< guards what_, the next one, output and listener
    std::size_t printed_width_ = 0;       ///< of the last text; 0 if there was none
};

}  // namespace stoss::core
