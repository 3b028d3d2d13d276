#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <stoss/core/progress.hpp>

namespace {

using std::chrono::milliseconds;
using stoss::core::Progress;
using stoss::core::progress_text;
using stoss::core::ProgressListener;
using stoss::core::ProgressOutput;

/// Takes what is written to a descriptor.
class Pipe {
  public:
    Pipe() {
        if (pipe2(ends_, O_NONBLOCK | O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    ~Pipe() {
        close(ends_[0]);
        close(ends_[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int descriptor() const { return ends_[1]; }
    std::string text() const {
        std::string all;
        char buffer[4096];
        for (ssize_t count = 0; (count = read(ends_[0], buffer, sizeof buffer)) > 0;) {
            all.append(buffer, static_cast<std::size_t>(count));
        }
        return all;
    }

  private:
    int ends_[2] = {};
};

TEST(ProgressText, SaysShareCountRateAndRemainingTime) {
    EXPECT_EQ(progress_text("collisions", 450, 1000, 4.5, false),
              "collisions  45 %  450 of 1000  100/s  0:06 left");
    EXPECT_EQ(progress_text("collisions", 1, 100, 60.0, false),
              "collisions   1 %  1 of 100  1.0/min  1:39:00 left");
    EXPECT_EQ(progress_text("collisions", 1000, 1000, 75.0, false),
              "collisions 100 %  1000 of 1000  13.3/s  in 1:15");
}

TEST(ProgressText, BarFillsWithTheWork) {
    EXPECT_EQ(progress_text("a", 0, 8, 1.0, true), "a [>                       ]   0 %  0 of 8");
    EXPECT_TRUE(
        progress_text("a", 4, 8, 1.0, true).starts_with("a [============>           ]  50 %"));
    EXPECT_TRUE(
        progress_text("a", 8, 8, 1.0, true).starts_with("a [========================] 100 %"));
}

TEST(ProgressText, HasNoRateBeforeAnythingIsDone) {
    EXPECT_EQ(progress_text("a", 0, 10, 5.0, false), "a   0 %  0 of 10");
    EXPECT_EQ(progress_text("a", 5, 10, 0.0, false), "a  50 %  5 of 10");
    EXPECT_EQ(progress_text("a", 0, 0, 5.0, false), "a 100 %  0 of 0");
}

TEST(ProgressText, EndlessWorkHasNoAbsurdTime) {
    EXPECT_TRUE(
        progress_text("a", 1, 1'000'000'000'000, 1e6, false).ends_with("more than 100 days left"));
}

TEST(Progress, ShortWorkShowsNothing) {
    const Pipe pipe;
    {
        Progress progress("a", 10, false,
                          {pipe.descriptor(), true, milliseconds(5000), milliseconds(0)});
        for (int i = 0; i < 10; ++i) progress.advance();
    }
    EXPECT_EQ(pipe.text(), "");
}

TEST(Progress, QuietShowsNothing) {
    const Pipe pipe;
    {
        Progress progress("a", 10, true,
                          {pipe.descriptor(), false, milliseconds(0), milliseconds(0)});
        for (int i = 0; i < 10; ++i) progress.advance();
    }
    EXPECT_EQ(pipe.text(), "");
}

TEST(Progress, FileGetsWholeLinesAndTheLastState) {
    const Pipe pipe;
    {
        Progress progress("a", 3, false,
                          {pipe.descriptor(), false, milliseconds(0), milliseconds(0)});
        progress.advance();
        progress.advance(2);
    }
    const std::string text = pipe.text();
    EXPECT_EQ(std::ranges::count(text, '\n'), 3);
    EXPECT_EQ(text.find('\r'), std::string::npos);
    EXPECT_NE(text.find("a  33 %  1 of 3"), std::string::npos);
    EXPECT_NE(text.rfind("a 100 %  3 of 3"), std::string::npos);
    EXPECT_EQ(text.back(), '\n');
}

TEST(Progress, TerminalGetsOneLineDrawnAgain) {
    const Pipe pipe;
    {
        Progress progress("a", 1000, false,
                          {pipe.descriptor(), true, milliseconds(0), milliseconds(0)});
        for (int i = 0; i < 20; ++i) progress.advance();
    }
    const std::string text = pipe.text();
    EXPECT_EQ(text.front(), '\r');
    EXPECT_EQ(std::ranges::count(text, '\r'), 21);
    EXPECT_EQ(std::ranges::count(text, '\n'), 1);
    EXPECT_EQ(text.back(), '\n');
}

TEST(Progress, ShorterTextCoversALongerOne) {
    const Pipe pipe;
    {
        // First "... left", then the shorter "in ...".
        Progress progress("a", 3, false,
                          {pipe.descriptor(), true, milliseconds(0), milliseconds(0)});
        std::this_thread::sleep_for(milliseconds(20));
        progress.advance();
        progress.advance(2);
    }
    const std::string text = pipe.text();
    const std::size_t second = text.find('\r', 1), third = text.find('\r', second + 1);
    ASSERT_NE(third, std::string::npos);
    EXPECT_EQ(third - second, second);
    EXPECT_EQ(text[third - 1], ' ');
}

TEST(Progress, TextsKeepTheirDistance) {
    const Pipe pipe;
    {
        Progress progress("a", 1'000'000, false,
                          {pipe.descriptor(), false, milliseconds(0), milliseconds(50)});
        const auto end = std::chrono::steady_clock::now() + milliseconds(220);
        while (std::chrono::steady_clock::now() < end) progress.advance();
    }
    const auto lines = std::ranges::count(pipe.text(), '\n');
    EXPECT_GE(lines, 2);
    EXPECT_LE(lines, 6);
}

TEST(Progress, CountsWhatManyThreadsDo) {
    const Pipe pipe;
    {
        Progress progress("a", 4000, false,
                          {pipe.descriptor(), false, milliseconds(0), milliseconds(20)});
        std::vector<std::thread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&] {
                for (int i = 0; i < 1000; ++i) progress.advance();
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
    const std::string text = pipe.text();
    const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
    EXPECT_TRUE(text.substr(last_line).starts_with("a 100 %  4000 of 4000")) << text;
}

TEST(Progress, StandardErrorIsATerminalOnlyIfItIsOne) {
    const int old = dup(STDERR_FILENO);
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal, 0);
    ASSERT_EQ(grantpt(terminal), 0);
    ASSERT_EQ(unlockpt(terminal), 0);
    const int line = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    ASSERT_GE(line, 0);
    dup2(line, STDERR_FILENO);
    const ProgressOutput on_terminal = ProgressOutput::standard_error();
    const Pipe pipe;
    dup2(pipe.descriptor(), STDERR_FILENO);
    const ProgressOutput elsewhere = ProgressOutput::standard_error();
    dup2(old, STDERR_FILENO);
    for (const int descriptor : {old, terminal, line}) close(descriptor);
    EXPECT_TRUE(on_terminal.is_terminal);
    EXPECT_GE(on_terminal.every, milliseconds(100));
    EXPECT_FALSE(elsewhere.is_terminal);
    EXPECT_GE(elsewhere.every, milliseconds(5000));
    EXPECT_GE(elsewhere.first, milliseconds(1000));
}

TEST(Progress, LostOutputIsNoError) {
    Progress progress("a", 3, false, {-1, true, milliseconds(0), milliseconds(0)});
    EXPECT_NO_THROW(progress.advance());
}

TEST(Progress, TellsTheListenerOfItsThreadEvenIfQuiet) {
    std::vector<std::size_t> done;
    std::string name;
    {
        const ProgressListener listener(
            [&](std::string_view what, std::size_t count, std::size_t total) {
                name = what;
                done.push_back(count);
                EXPECT_EQ(total, 5u);
            });
        Progress progress("a", 5, true);
        std::thread([&] { progress.advance(2); }).join();
        progress.advance(3);
        std::thread([] { Progress("b", 5, true).advance(); }).join();  // has no listener
    }
    Progress("c", 5, true).advance();
    EXPECT_EQ(name, "a");
    EXPECT_EQ(done, (std::vector<std::size_t>{2, 5}));
}

}  // namespace
