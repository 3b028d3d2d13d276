#include <stoss/core/interrupt.hpp>
#include <stoss/core/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>

#ifdef STOSS_WITH_THREADS
#include <chrono>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sched.h>
#endif
#endif

namespace stoss::core {
namespace {

using Work = std::function<void(std::size_t)>;

// This thread works on an item of a loop on several threads: its own loops are serial, else there
// would be more threads than were asked for.
thread_local bool is_in_loop = false;

void refuse_negative(int threads) {
    if (threads < 0) throw std::invalid_argument("the number of threads must not be negative");
}

}  // namespace

#ifdef STOSS_WITH_THREADS
namespace {

// A thread without work stays awake so long: the short loops of a time step follow each other
// within microseconds, and to wake a sleeping thread takes some fifty.
constexpr std::chrono::microseconds patience{50};

void wait_while(const std::atomic<std::uint32_t>& number, std::uint32_t value) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (number == value) {
        if (std::chrono::steady_clock::now() > end) {
            number.wait(value);
        } else {
            std::this_thread::yield();
        }
    }
}

int cores() {
#ifdef __linux__
    cpu_set_t allowed;  // a container or a batch system may allow fewer than the machine has
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

/// The caller of a loop and the threads of the pool share its items. Each begins with a contiguous
/// share of its own, the same one in each loop over as many items, so that the data stay in the
/// cache of its core. Then it helps with the other shares. The caller waits only for threads that
/// have begun: one that wakes up late finds the loop closed.
class Workers::Pool {
  public:
    explicit Pool(int threads) : shares_(static_cast<std::size_t>(threads)) {
        threads_.reserve(shares_.size());
        try {
            for (std::size_t own = 1; own < shares_.size(); ++own) {
                threads_.emplace_back([this, own] { serve(own); });
            }
        } catch (const std::system_error&) {
            // The system gives no more threads. Those that there are do all the shares.
        }
    }
    ~Pool() {
        ended_ = true;
        ++loop_;
        loop_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// False if this thread, or another one, is in a loop: nothing was done.
    bool run(std::size_t count, const Work& work) {
        if (is_in_loop) return false;
        const std::unique_lock only_caller(callers_, std::try_to_lock);
        if (!only_caller) return false;
        share_out(count);
        work_ = &work;
        stop_ = StopScope::current();
        ++loop_;
        loop_.notify_all();
        is_in_loop = true;
        work_off(0);
        is_in_loop = false;
        ++loop_;
        for (std::uint32_t busy = busy_; busy != 0; busy = busy_) wait_while(busy_, busy);
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        return true;
    }

  private:
    struct alignas(64) Share {  // a cache line each
        std::atomic<std::size_t> next{0};
        std::size_t end = 0;
    };

    void share_out(std::size_t count) {
        const std::size_t part = count / shares_.size(), rest = count % shares_.size();
        std::size_t begin = 0;
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            shares_[i].next = begin;
            begin += part + (i < rest ? 1 : 0);
            shares_[i].end = begin;
        }
        // Small pieces keep the threads equally busy until the last items.
        chunk_ = std::max<std::size_t>(1, part / 16);
    }

    void serve(std::size_t own) {
        is_in_loop = true;
        for (std::uint32_t loop = 0; !ended_;) {
            wait_while(loop_, loop);
            loop = loop_;
            if (loop % 2 == 0) continue;
            // As long as this thread is busy, the caller does not leave the loop.
            ++busy_;
            if (loop_ == loop && !ended_) work_off(own);
            if (--busy_ == 0) busy_.notify_one();
        }
    }

    void work_off(std::size_t own) {
        const StopScope scope(stop_);
        try {
            for (std::size_t i = 0; i < shares_.size(); ++i) {
                work_off(shares_[(own + i) % shares_.size()]);
            }
        } catch (...) {
            const std::scoped_lock lock(failure_mutex_);
            failure_ = std::current_exception();
        }
    }

    void work_off(Share& share) const {
        std::size_t begin = share.next.fetch_add(chunk_);
        while (begin < share.end) {
            const std::size_t end = std::min(begin + chunk_, share.end);
            for (std::size_t i = begin; i < end; ++i) (*work_)(i);
            begin = share.next.fetch_add(chunk_);
        }
    }

    std::vector<Share> shares_;  // of the caller, then of each thread
    std::size_t chunk_ = 1;      // items that a thread takes at a time
    const Work* work_ = nullptr;
    const StopScope::Stop* stop_ = nullptr;  // of the caller
    std::atomic<std::uint32_t> loop_{0};     // odd while a loop is open
    std::atomic<std::uint32_t> busy_{0};     // threads that may touch the shares
    std::atomic<bool> ended_{false};
    std::mutex callers_;
    std::mutex failure_mutex_;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

int thread_count(int threads) {
    return threads == 0 ? cores() : threads;
}

Workers::Workers(int threads) {
    refuse_negative(threads);
    if (const int count = thread_count(threads); count > 1) pool_ = std::make_unique<Pool>(count);
}

#else

class Workers::Pool {  // never made
  public:
    bool run(std::size_t, const Work&) { return false; }
};

int thread_count(int) {
    return 1;
}

Workers::Workers(int threads) {
    refuse_negative(threads);
}

#endif

Workers::~Workers() = default;
Workers::Workers(Workers&&) noexcept = default;
Workers& Workers::operator=(Workers&&) noexcept = default;

void Workers::for_each(std::size_t count, const Work& work) {
    if (count > 1 && pool_ && pool_->run(count, work)) return;
    for (std::size_t i = 0; i < count; ++i) work(i);
}

namespace {

/// A loop whose items start in ascending order. All items below one that fails have started, so
/// the lowest item that fails does not depend on the number of threads.
class OrderedLoop {
  public:
    OrderedLoop(std::size_t count, const Work& work, const std::function<bool()>& stop)
        : count_(count), work_(work), stop_(stop) {}

    void work_off() {
        while (!ended_) {
            const std::size_t item = next_++;
            if (item >= count_) return;
            try {
                if (stop_ && stop_()) {
                    ended_ = true;
                } else {
                    throw_if_stopped();
                    work_(item);
                }
            } catch (...) {
                ended_ = true;
                const std::scoped_lock lock(mutex_);
                if (item >= failed_) continue;
                failed_ = item;
                failure_ = std::current_exception();
            }
        }
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    std::size_t count_;
    const Work& work_;
    const std::function<bool()>& stop_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> ended_{false};
    std::mutex mutex_;
    std::size_t failed_ = std::numeric_limits<std::size_t>::max();
    std::exception_ptr failure_;
};

}  // namespace

void parallel_for(std::size_t count, int threads, const Work& work,
                  const std::function<bool()>& stop) {
    refuse_negative(threads);
    OrderedLoop loop(count, work, stop);
    const auto most = static_cast<std::size_t>(is_in_loop ? 1 : thread_count(threads));
    if (const std::size_t used = std::min(most, count); used > 1) {
        Workers(static_cast<int>(used)).for_each(used, [&](std::size_t) { loop.work_off(); });
    } else {
        loop.work_off();
    }
    loop.rethrow();
}

}  // namespace stoss::core
