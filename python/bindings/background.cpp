#include "background.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include <stoss/core/interrupt.hpp>
#include <stoss/core/progress.hpp>

namespace stoss::python {

namespace {

constexpr std::chrono::milliseconds pause{20};

constexpr int deepest = 50;  // nested works; each has a thread
thread_local int depth = 0;  // of the work of this thread

/// The thread of the work, and what the caller knows of it.
class Background {
  public:
    explicit Background(const Work& work)
        : thread_([this, &work, inner = depth + 1] {
              depth = inner;
              run(work);
          }) {}
    ~Background() {
        stopped_ = true;
        const py::gil_scoped_release others_may_run;
        thread_.join();
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// True once the work is over; waits for it no longer than the pause.
    bool wait() {
        const py::gil_scoped_release others_may_run;
        std::unique_lock lock(mutex_);
        return ended_signal_.wait_for(lock, pause, [this] { return ended_; });
    }

    void show(const py::object& progress) {
        std::string what;
        std::size_t done = 0, total = 0;
        {
            const std::scoped_lock lock(mutex_);
            if (!has_news_) return;
            has_news_ = false;
            what = what_;
            done = done_;
            total = total_;
        }
        progress(what, done, total);
    }

    std::exception_ptr failure() const { return failure_; }

  private:
    void run(const Work& work) {
        const core::ProgressListener listener(
            [this](std::string_view what, std::size_t done, std::size_t total) {
                const std::scoped_lock lock(mutex_);
                what_ = what;
                done_ = done;
                total_ = total;
                has_news_ = true;
            });
        const std::function<bool()> stop = [this] { return stopped_.load(); };
        const core::StopScope scope(&stop);
        try {
            work(stop);
        } catch (...) {
            failure_ = std::current_exception();
        }
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        ended_signal_.notify_one();
    }

    std::atomic<bool> stopped_{false};
    std::mutex mutex_;  // guards the next ones
    std::condition_variable ended_signal_;
    bool ended_ = false, has_news_ = false;
    std::string what_;
    std::size_t done_ = 0, total_ = 0;
    std::exception_ptr failure_;
    std::thread thread_;  // last: it uses all others
};

}  // namespace

void in_background(const Work& work, const py::object& progress) {
    if (depth == deepest) {
        PyErr_SetString(PyExc_RecursionError,
                        "a function of Python that is called by a computation of Stoss starts "
                        "another one, without end");
        throw py::error_already_set();
    }
    std::exception_ptr failure;
    {
        Background background(work);
        while (!background.wait()) {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            if (!progress.is_none()) background.show(progress);
        }
        if (!progress.is_none()) background.show(progress);
        failure = background.failure();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace stoss::python
