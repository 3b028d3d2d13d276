#include "background.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include <stoss/core/interrupt.hpp>
#include <stoss/core/progress.hpp>

#include "lock.hpp"

namespace stoss::python {

namespace {

constexpr std::chrono::milliseconds pause{20};

constexpr int deepest = 50;  // nested works; each has a thread
thread_local int depth = 0;  // of the work of this thread

std::atomic<int> exits{0};    // of the interpreter; each one gives up the works that run then
std::atomic<int> running{0};  // threads of works
std::atomic<std::thread::id> ending_thread;

/// The thread of the work, and what the caller knows of it.
class Background {
  public:
    explicit Background(const Work& work)
        : thread_([this, &work, inner = depth + 1] {
              depth = inner;
              run(work);
              --running;
          }) {
        ++running;
    }
    ~Background() {
        stopped_ = true;
        const WithoutLock others_may_run;
        thread_.join();
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// True once the work is over; waits for it no longer than the pause.
    bool wait() {
        const WithoutLock others_may_run;
        const bool is_over = is_over_soon();
        if (is_given_up()) sleep_for_ever();
        return is_over;
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
        PyObject* const result = in_python([&] {
            return PyObject_CallFunction(progress.ptr(), "snn", what.c_str(),
                                         static_cast<Py_ssize_t>(done),
                                         static_cast<Py_ssize_t>(total));
        });
        if (result == nullptr) throw py::error_already_set();
        Py_DECREF(result);
    }

    std::exception_ptr failure() const { return failure_; }

  private:
    bool is_given_up() const { return begun_ != exits; }

    bool is_over_soon() {
        std::unique_lock lock(mutex_);
        return ended_signal_.wait_for(lock, pause, [this] { return ended_; });
    }

    void run(const Work& work) {
        const core::ProgressListener listener(
            [this](std::string_view what, std::size_t done, std::size_t total) {
                const std::scoped_lock lock(mutex_);
                what_ = what;
                done_ = done;
                total_ = total;
                has_news_ = true;
            });
        const std::function<bool()> stop = [this] { return stopped_ || is_given_up(); };
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

    const int begun_ = exits;
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;  // guards the next ones
    std::condition_variable ended_signal_;
    bool ended_ = false, has_news_ = false;
    std::string what_;
    std::size_t done_ = 0, total_ = 0;
    std::exception_ptr failure_;
    std::thread thread_;  // last: it uses all others
};

/// Works of daemon threads must not compute on while the process ends: they use what it destroys.
/// A work whose law of Python does not return is not waited for any longer.
void give_up_works() {
    constexpr int most_pauses = 50;
    ending_thread = std::this_thread::get_id();
    ++exits;
    const WithoutLock works_may_end;
    for (int i = 0; i < most_pauses && running > 0; ++i) std::this_thread::sleep_for(pause);
}

}  // namespace

bool is_python_ending() {
#if PY_VERSION_HEX >= 0x030d0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

bool is_left_behind() {
    return is_python_ending() && std::this_thread::get_id() != ending_thread.load();
}

void sleep_for_ever() {
    if (depth > 0) --running;  // the thread of a work, which waits for an inner one
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

void end_works_at_exit() {
    py::module_::import("atexit").attr("register")(py::cpp_function(&give_up_works));
}

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
