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
using stoss::core::Stopped;
using stoss::core::StopScope;
using stoss::core::thread_count;
using stoss::core::throw_if_stopped;
using stoss::core::Workers;

using Calls = std::vector<std::atomic<int>>;

bool is_each_one(const Calls& calls) {
    return std::ranges::all_of(calls, [](const auto& count) { return count == 1; });
}

TEST(ThreadCount, IsAtLeastOne) {
    EXPECT_GE(thread_count(0), 1);
    EXPECT_EQ(thread_count(1), 1);
    EXPECT_GE(thread_count(5), 1);
}

TEST(StopScope, LeavesALoopInTheMiddleOfAnItemOnAnyThread) {
    for (const int threads : {1, 4}) {
        std::atomic<bool> stopped{false};
        const StopScope::Stop stop = [&] { return stopped.load(); };
        const StopScope scope(&stop);
        const auto endless = [&](std::size_t item) {
            for (long i = 0;; ++i) {
                if (item == 1 && i == 1000) stopped = true;
                throw_if_stopped();
            }
        };
        // The first item ends only because the second one, of another thread, asks for it. Without
        // another thread (a build without threads has none) the first one asks itself.
        const bool alone = thread_count(threads) == 1;
        EXPECT_THROW(parallel_for(static_cast<std::size_t>(threads), threads,
                                  [&](std::size_t i) { endless(alone ? 1 : i); }, {}),
                     Stopped);
    }
}

TEST(StopScope, HoldsInTheThreadsOfWorkersUntilItsEnd) {
    Workers workers(4);
    const StopScope::Stop stop = [] { return true; };
    const auto expect_in_each_item = [&](const StopScope::Stop* expected) {
        std::atomic<int> others{0};
        workers.for_each(1000, [&](std::size_t) {
            if (StopScope::current() != expected) ++others;
            std::this_thread::sleep_for(std::chrono::microseconds(10));  // each thread has items
        });
        EXPECT_EQ(others, 0);
    };
    {
        const StopScope scope(&stop);
        expect_in_each_item(&stop);
    }
    expect_in_each_item(nullptr);
}

TEST(StopScope, HoldsUntilItsEndAndThenTheOneBeforeIsBack) {
    const StopScope::Stop never = [] { return false; }, now = [] { return true; };
    EXPECT_NO_THROW(throw_if_stopped());
    {
        const StopScope outer(&never);
        {
            const StopScope inner(&now);
            EXPECT_THROW(throw_if_stopped(), Stopped);
        }
        EXPECT_NO_THROW(throw_if_stopped());
        EXPECT_EQ(StopScope::current(), &never);
    }
    EXPECT_EQ(StopScope::current(), nullptr);
}

TEST(Workers, DoEveryItemOfEveryLoopExactlyOnce) {
    for (const int threads : {0, 1, 2, 7, 40}) {
        Workers workers(threads);
        for (const std::size_t count : {0u, 1u, 2u, 1000u, 3u}) {
            Calls calls(count);
            workers.for_each(count, [&](std::size_t i) { ++calls[i]; });
            EXPECT_TRUE(is_each_one(calls)) << threads << " threads, " << count << " items";
        }
    }
}

TEST(Workers, RefuseANegativeNumberOfThreads) {
    EXPECT_THROW(Workers(-1), std::invalid_argument);
}

// Threads enter a loop while it ends, and begin to sleep while the next one is opened.
TEST(Workers, DoShortLoopsThatFollowAtOnceOrAfterAPause) {
    Workers workers(4);
    std::vector<long> sums(5);
    for (long loop = 0; loop < 20'000; ++loop) {
        workers.for_each(sums.size(), [&](std::size_t i) { sums[i] += loop; });
        if (loop % 400 == 0) std::this_thread::sleep_for(std::chrono::microseconds(loop / 40));
    }
    EXPECT_EQ(sums, std::vector<long>(5, 20'000L * 19'999 / 2));
}

TEST(Workers, WaitForALongItemOfAnotherThread) {
    Workers workers(3);
    for (std::size_t slow = 0; slow < 3; ++slow) {
        Calls calls(3);
        workers.for_each(3, [&](std::size_t i) {
            if (i == slow) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            ++calls[i];
        });
        EXPECT_TRUE(is_each_one(calls));
    }
}

TEST(Workers, RethrowAnExceptionAndGoOn) {
    for (const int threads : {1, 3}) {
        Workers workers(threads);
        for (std::size_t bad = 0; bad < 30; ++bad) {
            EXPECT_THROW(workers.for_each(30,
                                          [&](std::size_t i) {
                                              if (i == bad) throw std::runtime_error("no contact");
                                          }),
                         std::runtime_error);
            Calls calls(30);
            workers.for_each(30, [&](std::size_t i) { ++calls[i]; });
            EXPECT_TRUE(is_each_one(calls));
        }
    }
}

TEST(Workers, DoALoopInsideTheirOwnLoop) {
    Workers workers(3);
    Calls calls(100);
    workers.for_each(10, [&](std::size_t i) {
        workers.for_each(10, [&](std::size_t j) { ++calls[10 * i + j]; });
    });
    EXPECT_TRUE(is_each_one(calls));
}

TEST(Workers, ServeSeveralCallersAtOnce) {
    Workers workers(3);
    Calls calls(4 * 200);
    std::vector<std::thread> callers;
    for (std::size_t caller = 0; caller < 4; ++caller) {
        callers.emplace_back([&, caller] {
            for (std::size_t loop = 0; loop < 20; ++loop) {
                const std::size_t begin = 200 * caller + 10 * loop;
                workers.for_each(10, [&](std::size_t i) { ++calls[begin + i]; });
            }
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_TRUE(is_each_one(calls));
}

TEST(ParallelFor, DoesEveryItemExactlyOnce) {
    for (const int threads : {0, 1, 2, 7}) {
        for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
            Calls calls(count);
            parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; }, {});
            EXPECT_TRUE(is_each_one(calls)) << threads << " threads, " << count << " items";
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
        EXPECT_GE(most, std::min(thread_count(threads), 2));
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

TEST(ParallelFor, TheExceptionOfTheLowestItemIsRethrown) {
    for (const int threads : {1, 2, 5}) {
        for (int attempt = 0; attempt < 50; ++attempt) {
            const auto work = [&](std::size_t i) {
                if (i == 3) std::this_thread::sleep_for(std::chrono::microseconds(200));
                if (i >= 3) throw std::runtime_error("item " + std::to_string(i));
            };
            try {
                parallel_for(100, threads, work, {});
                FAIL() << "nothing was thrown";
            } catch (const std::runtime_error& error) {
                EXPECT_STREQ(error.what(), "item 3") << threads << " threads";
            }
        }
    }
}

TEST(ParallelFor, ALoopInsideALoopTakesNoMoreThreads) {
    std::atomic<int> running{0}, most{0};
    Calls calls(6 * 6);
    const auto inner = [&](std::size_t i) {
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++calls[i];
        --running;
    };
    const auto outer = [&](std::size_t i) {
        parallel_for(6, 4, [&](std::size_t j) { inner(6 * i + j); }, {});
    };
    parallel_for(6, 2, outer, {});
    EXPECT_TRUE(is_each_one(calls));
    EXPECT_LE(most, 2);
}

// The outer loop has one item, so its caller alone works on it.
TEST(ParallelFor, ALoopInsideASingleItemIsShared) {
    const int wanted = thread_count(2);
    std::atomic<int> begun{0};
    bool met = false;
    const auto inner = [&](std::size_t i) {
        ++begun;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (begun < wanted && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        if (i == 0) met = begun == wanted;
    };
    parallel_for(1, 2, [&](std::size_t) { parallel_for(2, 2, inner, {}); }, {});
    EXPECT_TRUE(met);
}

TEST(ParallelFor, SeveralCallersLoopAtOnce) {
    Calls calls(4 * 100);
    std::vector<std::thread> callers;
    for (std::size_t caller = 0; caller < 4; ++caller) {
        callers.emplace_back([&, caller] {
            parallel_for(100, 3, [&](std::size_t i) { ++calls[100 * caller + i]; }, {});
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_TRUE(is_each_one(calls));
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

TEST(Interrupt, IgnoredSignalStaysIgnoredAfterAnotherOne) {
    for (const auto& [ignored, other] : {std::pair{SIGINT, SIGTERM}, {SIGTERM, SIGINT}}) {
        EXPECT_EQ(stoss::tests::run_in_child([ignored = ignored, other = other] {
                      std::signal(ignored, SIG_IGN);
                      const InterruptGuard guard;
                      std::raise(other);
                      if (!interrupted()) return 1;
                      std::raise(ignored);
                      return 0;
                  }),
                  0);
    }
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
