#include <stoss/core/progress.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stoss::core {
namespace {

constexpr std::size_t bar_width = 24;

thread_local ProgressListener* listener_of_thread = nullptr;

std::string bar_text(std::size_t done, std::size_t total) {
    const std::size_t filled = done >= total ? bar_width : done * bar_width / total;
    std::string bar = '[' + std::string(filled, '=') + std::string(bar_width - filled, ' ') + ']';
    if (filled < bar_width) bar[filled + 1] = '>';
    return bar;
}

std::string rate_text(double per_second) {
    if (per_second >= 100.0) return fmt::format("{:.0f}/s", per_second);
    if (per_second >= 1.0) return fmt::format("{:.1f}/s", per_second);
    return fmt::format("{:.1f}/min", 60.0 * per_second);
}

std::string duration_text(double seconds) {
    // Longer times than a hundred days are not told apart; this one fits the integers below.
    if (!(seconds < 8.64e6)) return "more than 100 days";
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

// A line that is wider than the terminal cannot be redrawn. 0 means unknown.
std::size_t terminal_width(int descriptor) {
    winsize size{};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace

std::string progress_text(std::string_view what, std::size_t done, std::size_t total,
                          double elapsed_s, bool bar) {
    const std::size_t percent = done >= total ? 100 : 100 * done / total;
    std::string text(what);
    if (bar) text += ' ' + bar_text(done, total);
    text += fmt::format(" {:3} %  {} of {}", percent, done, total);
    if (done == 0 || !(elapsed_s > 0.0)) return text;
    const double rate = static_cast<double>(done) / elapsed_s;
    text += "  " + rate_text(rate);
    if (done >= total) return text + "  in " + duration_text(elapsed_s);
    return text + "  " + duration_text(static_cast<double>(total - done) / rate) + " left";
}

ProgressOutput ProgressOutput::standard_error() {
    using std::chrono::milliseconds;
    if (isatty(STDERR_FILENO)) return {STDERR_FILENO, true, milliseconds(1000), milliseconds(100)};
    return {STDERR_FILENO, false, milliseconds(5000), milliseconds(5000)};
}

ProgressListener::ProgressListener(Listen listen)
    : listen_(std::move(listen)), before_(listener_of_thread) {
    listener_of_thread = this;
}

ProgressListener::~ProgressListener() {
    listener_of_thread = before_;
}

Progress::Progress(std::string what, std::size_t total, bool quiet, ProgressOutput output)
    : what_(std::move(what)),
      total_(total),
      quiet_(quiet),
      listener_(listener_of_thread),
      output_(output),
      start_(Clock::now()),
      next_print_(Clock::duration(output.first).count()) {}

Progress::~Progress() {
    if (printed_width_ > 0) print(true);
}

void Progress::advance(std::size_t count) {
    done_ += count;
    if (listener_ != nullptr) tell();
    if (quiet_) return;
    const auto now = (Clock::now() - start_).count();
    auto next = next_print_.load();
    // The thread that moves the time of the next text on is the one that prints.
    if (now < next) return;
    if (next_print_.compare_exchange_strong(next, now + Clock::duration(output_.every).count())) {
        print(false);
    }
}

void Progress::rename(std::string what) {
    const std::scoped_lock lock(print_mutex_);
    what_ = std::move(what);
}

void Progress::tell() {
    const std::scoped_lock lock(print_mutex_);
    listener_->listen_(what_, done_, total_);
}

void Progress::print(bool last) {
    const std::scoped_lock lock(print_mutex_);
    const std::chrono::duration<double> elapsed = Clock::now() - start_;
    std::string text = progress_text(what_, done_, total_, elapsed.count(), output_.is_terminal);
    if (output_.is_terminal) {
        const std::size_t width = terminal_width(output_.descriptor);
        if (width > 1 && text.size() > width - 1) text.resize(width - 1);
        const std::size_t text_width = text.size();
        // Blanks, not an escape sequence, cover what is left of a longer text.
        if (printed_width_ > text_width) text.append(printed_width_ - text_width, ' ');
        printed_width_ = text_width;
        write_all(output_.descriptor, '\r' + text + (last ? "\n" : ""));
    } else {
        printed_width_ = text.size();
        write_all(output_.descriptor, text + '\n');
    }
}

}  // namespace stoss::core
