#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <postproc/report/gnuplot.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::postproc {
namespace {

/// Sets an environment variable for one test.
class Environment {
  public:
    Environment(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        ::setenv(name, value, 1);
    }
    ~Environment() {
        if (old_.empty()) {
            ::unsetenv(name_);
        } else {
            ::setenv(name_, old_.c_str(), 1);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* name_;
    std::string old_;
};

std::string message_of(const std::string& program, const std::string& script) {
    try {
        Gnuplot(program).plot(script);
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

TEST(Gnuplot, IsFoundAndIsAProgram) {
    EXPECT_TRUE(std::filesystem::exists(find_gnuplot()));
}

TEST(Gnuplot, IsLookedForInPathIfItHasMoved) {
    EXPECT_EQ(std::filesystem::path(find_gnuplot("/nowhere/gnuplot")).filename(), "gnuplot");
}

TEST(Gnuplot, MissingProgramSaysWhatToInstall) {
    const Environment environment("PATH", "/nowhere:/proc");
    try {
        find_gnuplot("/nowhere/gnuplot");
        FAIL() << "a program was found";
    } catch (const core::FileError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("gnuplot-nox"), std::string::npos) << message;
        EXPECT_NE(message.find("tables of the run are complete"), std::string::npos) << message;
    }
}

TEST(Gnuplot, ReturnsTheDrawingWithoutWarnings) {
    const GnuplotOutput output = Gnuplot().plot("set terminal svg\nplot [0:1] x\n");
    EXPECT_NE(output.drawing.find("<svg"), std::string::npos);
    EXPECT_EQ(output.warnings, "");
}

TEST(Gnuplot, DrawsTheSameInALocaleThatKnowsNoOtherSignsThanAscii) {
    const std::string script =
        "set terminal svg\nset encoding utf8\nset title \"\u03be = 0.5, 30\u00b0\"\nplot x\n";
    const GnuplotOutput usual = Gnuplot().plot(script);
    const Environment environment("LC_ALL", "C");
    const GnuplotOutput plain = Gnuplot().plot(script);
    EXPECT_EQ(plain.warnings, "");
    EXPECT_EQ(plain.drawing, usual.drawing);
}

TEST(Gnuplot, RefusedScriptIsToldInGnuplotsWords) {
    EXPECT_THROW(Gnuplot().plot("plot nonsense(x)\n"), core::NumericalError);
    const std::string message = message_of(find_gnuplot(), "set terminal svg\nplot nonsense(x)\n");
    EXPECT_NE(message.find("gnuplot refused the plot"), std::string::npos) << message;
    EXPECT_NE(message.find("undefined function: nonsense"), std::string::npos) << message;
}

/// A signal to all processes of a run, as that of Ctrl-C, reaches gnuplot too.
TEST(Gnuplot, EndedByTheSignalThatStopsTheRunIsNoFailure) {
    const tests::TemporaryDirectory folder;
    const std::string program = folder.file("gnuplot"), ended = folder.file("ended");
    io::write_text(program, "#!/bin/sh\n: >'" + ended + "'\nkill -TERM $$\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    EXPECT_THROW(Gnuplot(program).plot("plot x\n"), core::NumericalError);
    std::filesystem::remove(ended);
    const core::StopScope::Stop stop = [&] { return std::filesystem::exists(ended); };
    const core::StopScope scope(&stop);
    EXPECT_THROW(Gnuplot(program).plot("plot x\n"), core::Stopped);
}

TEST(Gnuplot, DrawingThatCannotBeReadIsAFileError) {
    const tests::TemporaryDirectory folder;
    const std::string program = folder.file("gnuplot");
    io::write_text(program, "#!/bin/sh\nrm \"$(dirname \"$2\")/plot.svg\"\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    EXPECT_THROW(Gnuplot(program).plot("plot x\n"), core::FileError);
}

TEST(Gnuplot, EmptyDrawingIsAnError) {
    EXPECT_THROW(Gnuplot().plot("x = 1\n"), core::NumericalError);
}

TEST(Gnuplot, ProgramThatIsNotThereIsAFileError) {
    EXPECT_THROW(Gnuplot("/nowhere/gnuplot").plot("plot x\n"), core::FileError);
    EXPECT_NE(message_of("/nowhere/gnuplot", "plot x\n").find("/nowhere/gnuplot"),
              std::string::npos);
}

TEST(Gnuplot, ProgramThatFailsWithoutAWordIsStillTold) {
    EXPECT_NE(message_of("/bin/false", "").find("gave no reason"), std::string::npos);
}

TEST(Gnuplot, DrawingThatFillsTheDiskIsAnError) {
    EXPECT_THROW(Gnuplot().plot("set terminal svg\nset output '/dev/full'\nplot x\n"),
                 core::NumericalError);
}

TEST(Gnuplot, TemporaryDirectoryThatCannotBeUsedIsAFileError) {
    const Environment environment("TMPDIR", "/proc");
    EXPECT_THROW(Gnuplot().plot("set terminal svg\nplot x\n"), core::FileError);
    const std::string message = message_of(find_gnuplot(), "set terminal svg\nplot x\n");
    EXPECT_TRUE(message.starts_with("/proc: cannot make a temporary directory for gnuplot there: "))
        << message;
    EXPECT_NE(message.find("the tables of the run are complete"), std::string::npos) << message;
    EXPECT_TRUE(message.ends_with("TMPDIR names it: name another directory")) << message;
}

TEST(Gnuplot, DrawingBeyondTheLimitOfFileSizesIsAFileError) {
    const tests::TemporaryDirectory folder;
    const std::string program = folder.file("gnuplot");
    io::write_text(program, "#!/bin/sh\nkill -XFSZ $$\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    EXPECT_THROW(Gnuplot(program).plot("plot x\n"), core::FileError);
    EXPECT_TRUE(
        message_of(program, "").starts_with("gnuplot cannot write a figure: File too large"));
}

TEST(Gnuplot, LeavesNoTemporaryFiles) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "stoss_gnuplot_scratch";
    std::filesystem::create_directories(folder);
    const Environment environment("TMPDIR", folder.c_str());
    Gnuplot().plot("set terminal svg\nplot x\n");
    EXPECT_THROW(Gnuplot().plot("plot nonsense(x)\n"), core::NumericalError);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stoss::postproc
