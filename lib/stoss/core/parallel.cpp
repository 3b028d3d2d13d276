#include <stoss/core/parallel.hpp>

#include <atomic>
#include <stdexcept>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace stoss::core {
namespace {

void run(std::size_t count, const std::function<void(std::size_t)>& work,
         const std::function<bool()>& stop) {
    tbb::task_group_context context;
    std::atomic<bool> stopped{false};
    const auto run_items = [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
            if (stopped) return;
            if (stop && stop()) {
                stopped = true;
                context.cancel_group_execution();
                return;
            }
            work(i);
        }
    };
    // One item a task: items may differ much in cost, and each is far longer than a task.
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), run_items,
                      tbb::simple_partitioner(), context);
}

}  // namespace

int thread_count(int threads) {
    return threads == 0 ? tbb::info::default_concurrency() : threads;
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& stop) {
    if (threads < 0) throw std::invalid_argument("the number of threads must not be negative");
    if (threads == 0) {
        run(count, work, stop);
        return;
    }
    // The control lets there be more threads than cores, the arena keeps other threads out.
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    arena.execute([&] { run(count, work, stop); });
}

struct Workers::Threads {
    tbb::global_control control;
    tbb::task_arena arena;
};

Workers::Workers(int threads) {
    if (threads < 0) throw std::invalid_argument("the number of threads must not be negative");
    const int count = thread_count(threads);
    if (count < 2) return;
    // The control lets there be more threads than cores, the arena keeps other threads out.
    threads_.reset(new Threads{tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                                   static_cast<std::size_t>(count)),
                               tbb::task_arena(count)});
}
Workers::~Workers() = default;
Workers::Workers(Workers&&) noexcept = default;
Workers& Workers::operator=(Workers&&) noexcept = default;

void Workers::for_each(std::size_t count, const std::function<void(std::size_t)>& work) {
    if (!threads_ || count < 2) {
        for (std::size_t i = 0; i < count; ++i) work(i);
        return;
    }
    threads_->arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, std::cref(work)); });
}

}  // namespace stoss::core
