#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <child_process.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/json.hpp>
#include <stoss/io/provenance.hpp>
#include <stoss/io/run_directory.hpp>
#include <temporary_directory.hpp>

namespace {

namespace fs = std::filesystem;
using stoss::core::FileError;
using stoss::io::read_text;
using stoss::io::RunDirectory;
using stoss::io::write_text;
using stoss::tests::TemporaryDirectory;

std::vector<std::string> names_in(const std::string& directory) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory)) {
        names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

/// What makes a directory that of a run.
void leave_a_run_in(const std::string& directory) {
    write_text(directory + "/provenance.json", to_json(stoss::io::provenance(0, 1)));
}

template <class Work>
std::string file_error(Work work) {
    try {
        work();
    } catch (const FileError& error) {
        return error.what();
    }
    return {};
}

// Any file may then grow to `bytes` only. For children: the limit cannot be raised again.
void limit_file_size(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(WholeFile, HoldsExactlyWhatWasWritten) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("a.bin");
    std::string content(3'000'000, '\0');
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * i % 251);
    for (const std::string& text : {content, std::string("shorter"), std::string()}) {
        write_text(file, text);
        EXPECT_TRUE(read_text(file) == text);
        EXPECT_EQ(names_in(directory.path()), std::vector<std::string>{"a.bin"});
    }
}

TEST(WholeFile, OldContentStaysWhenTheNewDoesNotFit) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("map.csv");
    write_text(file, "old");
    const int code = stoss::tests::run_in_child([&] {
        limit_file_size(100'000);
        const std::string error = file_error([&] { write_text(file, std::string(100'001, 'x')); });
        const bool told = error.starts_with(file + ": cannot be written: ");
        return told ? 7 : 1;
    });
    EXPECT_EQ(code, 7);
    EXPECT_EQ(read_text(file), "old");
    EXPECT_EQ(names_in(directory.path()), std::vector<std::string>{"map.csv"});
}

TEST(WholeFile, DeviceIsNotReplaced) {
    const std::string error = file_error([] { write_text("/dev/full", "x"); });
    EXPECT_EQ(error, "/dev/full: cannot be written: it is not a regular file");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(WholeFile, ReadingSaysWhichFileAndWhy) {
    const TemporaryDirectory directory;
    EXPECT_EQ(file_error([&] { read_text(directory.file("none")); }),
              directory.file("none") + ": cannot be read: No such file or directory");
    EXPECT_EQ(file_error([&] { read_text(directory.path()); }),
              directory.path() + ": cannot be read: Is a directory");
}

TEST(WholeFile, KilledWriterLeavesOldOrNewButNothingHalf) {
    const TemporaryDirectory temporary;
    const std::string path = temporary.file("run");
    constexpr std::size_t size = 400'000;
    const auto start = std::chrono::steady_clock::now();
    {
        const RunDirectory directory(path);
        for (const char* name : {"map.csv", "figures/map.svg"})
            directory.write(name, std::string(size, 'A'));
    }
    leave_a_run_in(path);
    const auto one_write = std::chrono::steady_clock::now() - start;
    int new_files = 0;
    for (int round = 0; round < 40; ++round) {
        const pid_t child = stoss::tests::start_child([&] {
            const RunDirectory directory(path);
            for (char letter = 'a';; letter = letter == 'z' ? 'a' : static_cast<char>(letter + 1)) {
                directory.write("map.csv", std::string(size, letter));
                directory.write("figures/map.svg", std::string(size, letter));
            }
            return 0;
        });
        std::this_thread::sleep_for(one_write * (10 + round) / 10);
        kill(child, SIGKILL);
        ASSERT_EQ(stoss::tests::wait_for(child), 128 + SIGKILL);
        for (const char* name : {"map.csv", "figures/map.svg"}) {
            const std::string content = read_text(path + '/' + name);
            ASSERT_EQ(content.size(), size);
            ASSERT_EQ(content, std::string(size, content.front()));
            if (content.front() != 'A') ++new_files;
        }
    }
    EXPECT_GT(new_files, 0);
    const RunDirectory next(path);
    EXPECT_EQ(names_in(path), (std::vector<std::string>{"figures", "map.csv", "provenance.json"}));
    EXPECT_EQ(names_in(path + "/figures"), std::vector<std::string>{"map.svg"});
}

TEST(RunDirectory, IsCreatedWithItsParentsAndFolders) {
    const TemporaryDirectory temporary;
    const RunDirectory directory(temporary.file("a/b/run"));
    directory.write("vtk/beam_0000.vtp", "x");
    EXPECT_EQ(read_text(temporary.file("a/b/run/vtk/beam_0000.vtp")), "x");
    EXPECT_TRUE(directory.has("vtk/beam_0000.vtp"));
    directory.remove("vtk/beam_0000.vtp");
    EXPECT_FALSE(directory.has("vtk/beam_0000.vtp"));
    EXPECT_NO_THROW(directory.remove("vtk/beam_0000.vtp"));
}

TEST(RunDirectory, KeepsWhatIsThere) {
    const TemporaryDirectory temporary;
    leave_a_run_in(temporary.path());
    std::ofstream(temporary.file("notes.txt")) << "mine";
    std::ofstream(temporary.file(".hidden.tmp")) << "mine";
    const RunDirectory directory(temporary.path());
    EXPECT_EQ(names_in(temporary.path()),
              (std::vector<std::string>{".hidden.tmp", "notes.txt", "provenance.json"}));
}

TEST(RunDirectory, IsNoFolderWithOtherFiles) {
    for (const char* name :
         {"notes.txt", ".hidden", "case.yaml", "provenance.json", "partial.csv"}) {
        const TemporaryDirectory temporary;
        std::ofstream(temporary.file(name)) << "mine,1\n";
        EXPECT_THROW(RunDirectory(temporary.path()), stoss::core::InputError) << name;
        EXPECT_EQ(names_in(temporary.path()), std::vector<std::string>{name});
        leave_a_run_in(temporary.path());
        EXPECT_NO_THROW(RunDirectory(temporary.path())) << name;
    }
}

TEST(RunDirectory, MayHoldWhatAKilledOrInterruptedRunLeft) {
    const TemporaryDirectory temporary;
    std::ofstream(temporary.file(".map.csv.17.0.stoss-tmp")) << "half";
    EXPECT_NO_THROW(RunDirectory(temporary.path()));
    EXPECT_TRUE(names_in(temporary.path()).empty());
    stoss::io::Checkpoint(temporary.file("partial.csv"), "case", false).save();
    EXPECT_NO_THROW(RunDirectory(temporary.path()));
    EXPECT_EQ(stoss::io::checkpointed_case(temporary.file("partial.csv")),
              stoss::io::digest("case"));
    EXPECT_FALSE(stoss::io::checkpointed_case(temporary.file("none.csv")));
}

TEST(RunDirectory, TemporaryFilesOfALiveRunInAFolderStay) {
    const TemporaryDirectory temporary;
    leave_a_run_in(temporary.path());
    const std::string name = ".map.csv.17.0.stoss-tmp";
    {
        const RunDirectory live(temporary.file("run"));
        std::ofstream(live.file(name)) << "half";
        EXPECT_NO_THROW(RunDirectory(temporary.path()));
        EXPECT_TRUE(live.has(name));
    }
    EXPECT_NO_THROW(RunDirectory(temporary.path()));
    EXPECT_TRUE(names_in(temporary.file("run")).empty());
}

TEST(RunDirectory, ItsTablesAreTheListedFilesBelowIt) {
    const auto tables_of = [](const char* text) {
        return stoss::io::tables_of(stoss::io::parse_json(text, "provenance.json"));
    };
    const std::vector<std::string> both{"map.csv", "traces/a.csv"};
    EXPECT_EQ(tables_of(R"({"tables": ["map.csv", "traces/a.csv"]})"), both);
    EXPECT_EQ(tables_of(R"({"tables": [1, "map.csv", null, ["b"], "../c", "/d", "e/../../f", "",
                                       "traces/a.csv"]})"),
              both);
    EXPECT_EQ(tables_of(R"({"tables": []})"), std::vector<std::string>{});
    const std::string files = R"({"tables": [], "files": ["vtk/beam.pvd", "../vtk/beam.pvd"]})";
    EXPECT_EQ(stoss::io::files_of(stoss::io::parse_json(files, "provenance.json")),
              std::vector<std::string>{"vtk/beam.pvd"});
    for (const char* text : {"{}", R"({"tables": "map.csv"})", "[1]", "3"})
        EXPECT_FALSE(tables_of(text)) << text;
}

TEST(RunDirectory, FileInItsPlaceIsAnError) {
    const TemporaryDirectory temporary;
    std::ofstream(temporary.file("run")) << "x";
    const std::string error = file_error([&] { RunDirectory directory(temporary.file("run")); });
    EXPECT_TRUE(error.starts_with(temporary.file("run") + ": cannot be created: ")) << error;
    EXPECT_FALSE(file_error([&] { RunDirectory directory(temporary.file("run/below")); }).empty());
    EXPECT_FALSE(file_error([] { RunDirectory directory(""); }).empty());
}

TEST(RunDirectory, FolderInTheWayOfAFileIsAnError) {
    const TemporaryDirectory temporary;
    const RunDirectory directory(temporary.path());
    directory.write("figures/a.svg", "x");
    EXPECT_FALSE(file_error([&] { directory.write("figures", "x"); }).empty());
    directory.write("plain", "x");
    EXPECT_FALSE(file_error([&] { directory.write("plain/a.svg", "x"); }).empty());
}

TEST(RunDirectory, MissingPermissionIsToldBeforeTheWork) {
    const TemporaryDirectory temporary;
    chmod(temporary.path().c_str(), 0555);
    EXPECT_EQ(
        stoss::tests::error_without_privileges([&] { RunDirectory run(temporary.file("run")); }),
        temporary.file("run") + ": cannot be created: Permission denied");
    EXPECT_EQ(stoss::tests::error_without_privileges([&] { RunDirectory run(temporary.path()); }),
              temporary.path() + ": cannot be written: Permission denied");
    chmod(temporary.path().c_str(), 0755);
}

TEST(RunDirectory, AFolderThatCannotBeReadIsTold) {
    const TemporaryDirectory temporary;
    chmod(temporary.path().c_str(), 0333);
    EXPECT_EQ(stoss::tests::error_without_privileges([&] { RunDirectory run(temporary.path()); }),
              temporary.path() + ": cannot be read: Permission denied");
    chmod(temporary.path().c_str(), 0755);
}

TEST(RunDirectory, SecondRunInTheSameDirectoryIsRefusedWhileTheFirstLives) {
    const TemporaryDirectory temporary;
    {
        const RunDirectory first(temporary.path());
        EXPECT_EQ(file_error([&] { RunDirectory second(temporary.path()); }),
                  temporary.path() + ": cannot be written: another run is writing there");
    }
    EXPECT_NO_THROW(RunDirectory(temporary.path()));
}

TEST(Provenance, NamesProgramMachineAndRun) {
    const stoss::io::Value facts = stoss::io::provenance(17, 4);
    for (const char* key : {"version", "commit", "build_type", "compiler", "compiler_flags", "host",
                            "operating_system", "processor", "date_utc", "libraries"}) {
        ASSERT_NE(facts.find(key), nullptr) << key;
        ASSERT_NE(facts.find(key)->text(), nullptr) << key;
        EXPECT_FALSE(facts.find(key)->text()->empty()) << key;
    }
    EXPECT_EQ(*facts.find("seed"), stoss::io::Value(17));
    EXPECT_EQ(*facts.find("threads"), stoss::io::Value(stoss::core::thread_count(4)));
    EXPECT_GE(stoss::io::provenance(17, 0).find("threads")->number(), 1.0);
    EXPECT_EQ(*facts.find("version")->text(), stoss::io::version());
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, length = 0;
    const int read =
        std::sscanf(facts.find("date_utc")->text()->c_str(), "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year,
                    &month, &day, &hour, &minute, &second, &length);
    EXPECT_EQ(read, 6);
    EXPECT_EQ(length, 20);
    EXPECT_GE(year, 2024);
}

}  // namespace
