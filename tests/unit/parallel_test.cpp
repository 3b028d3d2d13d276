#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <child_process.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/parallel.hpp>

namespace {

using stoss::core::interrupted;
using stoss::core::InterruptGuard;
using stoss::core::parallel_for;

TEST(Workers, DoEveryItemOfEveryLoopExactlyOnce) {
    for (const int threads : {0, 1, 2, 7}) {
        stoss::core::Workers workers(threads);
        for (const std::size_t count : {0u, 1u, 2u, 1000u, 3u}) {
            std::vector<std::atomic<int>> calls(count);
            workers.for_each(count, [&](std::size_t i) { ++calls[i]; });
            EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& c) { return c == 1; }));
        }
    }
}

TEST(Workers, RefuseANegativeNumberOfThreads) {
    EXPECT_THROW(stoss::core::Workers(-1), std::invalid_argument);
}

TEST(ParallelFor, DoesEveryItemExactlyOnce) {
    for (const int threads : {0, 1, 2, 7}) {
        for (const std::size_t count : {0u, 1u, 1000u}) {
            std::vector<std::atomic<int>> calls(count);
            parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; }, {});
            EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& c) { return c == 1; }));
        }
    }
}

TEST(ParallelFor, RunsOnNoMoreThreadsThanAsked) {
    for (const int threads : {1, 2, 4}) {
        std::mutex mutex;
        std::set<std::thread::id> ids;
        std::atomic<int> running{0}, most{0};
        const auto work = [&](std::size_t) {
            const int now = ++running;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
            }
            {
                const std::scoped_lock lock(mutex);
                ids.insert(std::this_thread::get_id());
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            --running;
        };
        parallel_for(200, threads, work, {});
        EXPECT_LE(most, threads);
        EXPECT_LE(ids.size(), threads == 1 ? 1u : 200u);
        EXPECT_GE(most, std::min(threads, 2));
    }
}

TEST(ParallelFor, ResultsDoNotDependOnTheNumberOfThreads) {
    const auto results = [](int threads) {
        std::vector<double> values(500);
        const auto work = [&](std::size_t i) { values[i] = 1.0 / (1.0 + static_cast<double>(i)); };
        parallel_for(values.size(), threads, work, {});
        return values;
    };
    EXPECT_EQ(results(1), results(3));
}

TEST(ParallelFor, FirstExceptionIsRethrownAndEndsTheRest) {
    for (const int threads : {0, 1, 3}) {
        std::atomic<int> calls{0};
        const auto work = [&](std::size_t) {
            ++calls;
            throw std::runtime_error("no convergence");
        };
        EXPECT_THROW(parallel_for(100000, threads, work, {}), std::runtime_error);
        EXPECT_LT(calls, 100);
    }
    const auto stop = []() -> bool { throw std::runtime_error("stop failed"); };
    EXPECT_THROW(parallel_for(
                     10, 2, [](std::size_t) {}, stop),
                 std::runtime_error);
}

TEST(ParallelFor, NoItemStartsOnceStopIsTrue) {
    for (const int threads : {0, 1, 3}) {
        std::atomic<int> calls{0};
        std::atomic<bool> stop{false};
        const auto work = [&](std::size_t) {
            EXPECT_FALSE(stop && calls > 60);  // those under way may end
            if (++calls == 50) stop = true;
        };
        parallel_for(100000, threads, work, [&] { return stop.load(); });
        EXPECT_GE(calls, 50);
        EXPECT_LE(calls, 60);
    }
    parallel_for(
        10, 2, [](std::size_t) { FAIL(); }, [] { return true; });
}

TEST(ParallelFor, NegativeNumberOfThreadsIsRefused) {
    EXPECT_THROW(parallel_for(1, -1, [](std::size_t) {}, {}), std::invalid_argument);
}

TEST(Interrupt, FirstSignalIsNotedAndTheSecondKills) {
    for (const auto& [first, second] :
         {std::pair{SIGINT, SIGINT}, {SIGTERM, SIGTERM}, {SIGTERM, SIGINT}}) {
        EXPECT_EQ(stoss::tests::run_in_child([first = first, second = second] {
                      const InterruptGuard guard;
                      if (interrupted()) return 1;
                      std::raise(first);
                      if (!interrupted()) return 2;
                      std::raise(second);
                      return 3;
                  }),
                  128 + second);
    }
}

TEST(Interrupt, GuardRestoresWhatWasThere) {
    EXPECT_EQ(stoss::tests::run_in_child([] {
                  { const InterruptGuard guard; }
                  std::raise(SIGINT);
                  return 0;
              }),
              128 + SIGINT);
}

TEST(Interrupt, NewGuardForgetsAnOldSignal) {
    EXPECT_EQ(stoss::tests::run_in_child([] {
                  {
                      const InterruptGuard guard;
                      std::raise(SIGINT);
                  }
                  const InterruptGuard guard;
                  return interrupted() ? 1 : 0;
              }),
              0);
}

TEST(Interrupt, IgnoredSignalStaysIgnored) {
    EXPECT_EQ(stoss::tests::run_in_child([] {
                  std::signal(SIGINT, SIG_IGN);
                  const InterruptGuard guard;
                  std::raise(SIGINT);
                  return interrupted() ? 1 : 0;
              }),
              0);
}

TEST(Interrupt, EndsParallelWork) {
    EXPECT_EQ(stoss::tests::run_in_child([] {
                  const InterruptGuard guard;
                  std::atomic<int> calls{0};
                  const auto work = [&](std::size_t) {
                      if (++calls == 20) kill(getpid(), SIGTERM);
                  };
                  parallel_for(10'000'000, 1, work, interrupted);
                  return calls >= 20 && calls < 1'000'000 ? 0 : 1;
              }),
              0);
}

}  // namespace
