#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/process.hpp>
#include <temporary_directory.hpp>

namespace stoss::io {
namespace {

using std::chrono::steady_clock;

class Process : public testing::Test {
  protected:
    /// A program of these lines of a shell.
    Program shell(const std::string& lines) const {
        return {{"sh", "-c", lines, "name", "an argument"}, folder_.file("out")};
    }
    std::string words() const { return read_text(folder_.file("out")); }

    tests::TemporaryDirectory folder_;
};

TEST_F(Process, ItsExitCodeAndItsWordsAreKnown) {
    const ProgramEnd end = run(shell("echo $1; echo wrong >&2; exit 3"));
    EXPECT_EQ(end.code, 3);
    EXPECT_EQ(end.signal, 0);
    EXPECT_FALSE(end.took_longer);
    EXPECT_EQ(words(), "an argument\nwrong\n");
}

TEST_F(Process, ErrorsMayGoToAFileOfTheirOwn) {
    Program program = shell("echo right; echo wrong >&2");
    program.err = folder_.file("err");
    EXPECT_EQ(run(program).code, 0);
    EXPECT_EQ(words(), "right\n");
    EXPECT_EQ(read_text(program.err), "wrong\n");
}

TEST_F(Process, RunsInItsDirectoryWithTheVariablesThatDiffer) {
    Program program = shell("pwd -P; echo $LC_ALL $HOME; cat");
    program.directory = folder_.path();
    program.variables = {"LC_ALL=C.UTF-8", "HOME=/here"};
    EXPECT_EQ(run(program).code, 0);
    EXPECT_EQ(words(), std::filesystem::canonical(folder_.path()).string() + "\nC.UTF-8 /here\n");
}

TEST_F(Process, AProgramThatIsNotThereEndsWith127) {
    EXPECT_EQ(run({{"no-such-program"}, folder_.file("out")}).code, 127);
}

TEST_F(Process, AFileThatIsNoProgramIsAFileError) {
    const std::string file = folder_.file("text");
    write_text(file, "no program");
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
    EXPECT_THROW(run({{file}, folder_.file("out")}), core::FileError);
}

TEST_F(Process, TheSignalThatEndsItIsKnown) {
    const ProgramEnd end = run(shell("kill -TERM $$"));
    EXPECT_EQ(end.signal, SIGTERM);
    EXPECT_EQ(end.code, 0);
}

TEST_F(Process, ItDoesNotIgnoreTheLimitOfFileSizesThatWeIgnore) {
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    const ProgramEnd end = run(shell("kill -XFSZ $$"));
    std::signal(SIGXFSZ, before);
    EXPECT_EQ(end.signal, SIGXFSZ);
}

TEST_F(Process, IsKilledAfterTheLongestTime) {
    Program program = shell("exec sleep 60");
    program.longest = std::chrono::seconds(0);
    const auto begin = steady_clock::now();
    EXPECT_TRUE(run(program).took_longer);
    EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(Process, IsKilledOnceTheWorkIsStopped) {
    const std::string started = folder_.file("started");
    const core::StopScope::Stop stop = [&] { return std::filesystem::exists(started); };
    const core::StopScope scope(&stop);
    const auto begin = steady_clock::now();
    EXPECT_THROW(run(shell(": >'" + started + "'; exec sleep 60")), core::Stopped);
    EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace stoss::io
