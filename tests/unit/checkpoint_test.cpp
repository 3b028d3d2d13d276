#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <latch>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <child_process.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using stoss::core::InputError;
using stoss::io::Checkpoint;
using stoss::io::read_text;
using stoss::io::write_text;
using stoss::tests::TemporaryDirectory;

std::string refusal(const std::string& file, std::string_view resolved_case) {
    try {
        Checkpoint(file, resolved_case, true);
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().front().file, file);
        EXPECT_NE(error.diagnostics().front().violation.suggestion.find("--resume"),
                  std::string::npos);
        return error.diagnostics().front().violation.rule;
    }
    return {};
}

TEST(Digest, FollowsItsPublishedValues) {
    // Test vectors of Fowler, Noll and Vo for FNV-1a with 64 bits.
    EXPECT_EQ(stoss::io::digest(""), 0xcbf29ce484222325u);
    EXPECT_EQ(stoss::io::digest("a"), 0xaf63dc4c8601ec8cu);
    EXPECT_EQ(stoss::io::digest("foobar"), 0x85944171f73967e8u);
}

TEST(Digest, OfPiecesIsThatOfTheWhole) {
    EXPECT_EQ(stoss::io::digest("bar", stoss::io::digest("foo")), stoss::io::digest("foobar"));
}

TEST(Checkpoint, WithoutAFileIsWhatAFileWouldHold) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint in_file(file, "case", false), in_memory("case");
    for (Checkpoint* each : {&in_file, &in_memory}) {
        each->add(3, {0.1, -0.0});
        each->add(1, {std::numeric_limits<double>::quiet_NaN()});
    }
    in_file.save();
    EXPECT_EQ(in_memory.text(), read_text(file));
    Checkpoint other("case");
    other.take_text(in_memory.text(), "a part");
    EXPECT_EQ(other.row(3), (std::vector<double>{0.1, -0.0}));
    EXPECT_TRUE(std::isnan(other.row(1).at(0)));
    Checkpoint of_another_case("another case");
    EXPECT_THROW(of_another_case.take_text(in_memory.text(), "a part"), InputError);
}

TEST(Checkpoint, NumbersComeBackBitByBit) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    std::mt19937_64 random(3);
    std::vector<std::vector<double>> rows = {{0.1, -0.0, 5e-324, std::numeric_limits<double>::max(),
                                              std::numeric_limits<double>::infinity(),
                                              -std::numeric_limits<double>::infinity()}};
    while (rows.size() < 200) {
        std::vector<double> row;
        for (int i = 0; i < 6; ++i) row.push_back(std::bit_cast<double>(random()));
        rows.push_back(row);
    }
    Checkpoint first(file, "case", false);
    for (std::size_t i = 0; i < rows.size(); ++i) first.add(3 * i, rows[i]);
    first.save();
    const Checkpoint second(file, "case", true);
    EXPECT_EQ(second.restored(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<double> row = second.row(3 * i);
        ASSERT_EQ(row.size(), rows[i].size());
        for (std::size_t j = 0; j < row.size(); ++j) {
            if (std::isnan(rows[i][j])) {
                EXPECT_TRUE(std::isnan(row[j]));
            } else {
                EXPECT_EQ(std::bit_cast<std::uint64_t>(row[j]),
                          std::bit_cast<std::uint64_t>(rows[i][j]));
            }
        }
    }
    EXPECT_TRUE(second.row(1).empty());
}

TEST(Checkpoint, ResumedRunKeepsTheEarlierRowsWhenItSaves) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint first(file, "case", false);
    first.add(4, {1.5});
    first.save();
    Checkpoint second(file, "case", true);
    second.add(2, {2.5});
    second.save();
    const Checkpoint third(file, "case", true);
    EXPECT_EQ(third.restored(), 2u);
    EXPECT_EQ(third.row(4), std::vector<double>{1.5});
    EXPECT_EQ(third.row(2), std::vector<double>{2.5});
}

TEST(Checkpoint, WithoutResumeOrFileThereAreNoRows) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    EXPECT_EQ(Checkpoint(file, "case", true).restored(), 0u);
    Checkpoint first(file, "case", false);
    first.add(0, {1.0});
    first.save();
    EXPECT_EQ(Checkpoint(file, "case", false).restored(), 0u);
}

TEST(Checkpoint, ChangedCaseIsRefused) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint first(file, "radius: 6.35 mm", false);
    first.add(0, {1.0});
    first.save();
    EXPECT_EQ(refusal(file, "radius: 6.36 mm"), "the case changed since this was written");
    EXPECT_EQ(refusal(file, "radius: 6.35 mm"), "");
}

TEST(Checkpoint, OtherVersionOfTheProgramIsRefused) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint(file, "case", false).save();
    std::string text = read_text(file);
    const std::size_t version = text.find(',') + 1;
    write_text(file, text.substr(0, version) + "9." + text.substr(version));
    EXPECT_EQ(refusal(file, "case"), "this was written by another version of Stoss");
}

TEST(Checkpoint, FileCutAnywhereIsRefused) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint first(file, "case", false);
    for (std::size_t i = 0; i < 12; ++i) first.add(i, {1.25, 3.5});
    first.save();
    const std::string whole = read_text(file);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        write_text(file, whole.substr(0, length));
        EXPECT_NE(refusal(file, "case"), "") << length;
    }
    write_text(file, whole);
    EXPECT_EQ(refusal(file, "case"), "");
}

TEST(Checkpoint, ForeignContentIsRefused) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint(file, "case", false).save();
    const std::string head = read_text(file).substr(0, read_text(file).find('\n') + 1);
    for (const auto& [rows, count] : std::vector<std::pair<std::string, int>>{{"0,x\n", 1},
                                                                              {"x,1\n", 1},
                                                                              {"0\n", 1},
                                                                              {"0,\n", 1},
                                                                              {"-1,2\n", 1},
                                                                              {"0,1\n0,1\n", 2},
                                                                              {"0,1\n", 2}}) {
        const auto digest = stoss::io::digest(rows);
        write_text(file, fmt::format("{}{}end,{},{:016x}", head, rows, count, digest));
        EXPECT_EQ(refusal(file, "case"), "is damaged") << rows;
    }
    for (const char* rest : {"0,1\nend,1\n", ""}) {
        write_text(file, head + rest);
        EXPECT_EQ(refusal(file, "case"), "is damaged") << rest;
    }
    write_text(file, "xi,x_m\n0.1,0.2\n");
    EXPECT_EQ(refusal(file, "case"), "is not a checkpoint of Stoss");
}

/// `text` with `old_part`, which is there once, replaced.
std::string changed(std::string text, std::string_view old_part, std::string_view new_part) {
    return text.replace(text.find(old_part), old_part.size(), new_part);
}

TEST(Checkpoint, AnyChangeOfARowIsRefused) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint first(file, "case", false);
    first.add(4, {0.25, 1.5});
    first.add(7, {0.5, 1.75});
    first.replace_state({3.5, 2.5});
    first.save();
    const std::string whole = read_text(file);
    const std::vector<std::pair<std::string, std::string>> damages = {
        {"1.5\n", "1.4\n"},                                        // a digit
        {"1.5\n", "-1.5\n"},                                       // a sign
        {"1.5\n", "nan\n"},                                        // no number
        {"1.5\n", "1.50\n"},                                       // the same number in other words
        {"0.25,1.5\n", "1.5,0.25\n"},                              // two cells
        {"0.25,1.5\n", "0.25\n"},                                  // a cell less
        {"4,0.25", "5,0.25"},                                      // another item
        {"4,0.25,1.5\n7,0.5", "7,0.25,1.5\n4,0.5"},                // two items
        {"4,0.25,1.5\n", "4,0.25,1.5\n4,0.25,1.5\n"},              // a row twice
        {"4,0.25,1.5\n7,0.5,1.75\n", "7,0.5,1.75\n4,0.25,1.5\n"},  // two rows
        {"3.5,2.5\n", "3.5,2.6\n"},                                // the state
    };
    for (const auto& [old_part, new_part] : damages) {
        write_text(file, changed(whole, old_part, new_part));
        EXPECT_EQ(refusal(file, "case"), "is damaged") << new_part;
    }
    const std::size_t rows = whole.find('\n') + 1;
    for (std::size_t i = rows; i < whole.size(); ++i) {
        std::string text = whole;
        text[i] = text[i] == '1' ? '2' : '1';
        write_text(file, text);
        EXPECT_EQ(refusal(file, "case"), "is damaged") << i;
    }
    write_text(file, whole);
    EXPECT_EQ(refusal(file, "case"), "");
}

TEST(Checkpoint, ARowWithoutTheDigestOfTheFileIsRefused) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint(file, "case", false).save();
    const std::string head = read_text(file).substr(0, read_text(file).find('\n') + 1);
    write_text(file, head + "0,1\nend,1");
    EXPECT_EQ(refusal(file, "case"), "is damaged");
    write_text(file, head + fmt::format("0,1\nend,1,{:016x}", stoss::io::digest("0,1\n")));
    EXPECT_EQ(refusal(file, "case"), "");
}

TEST(Checkpoint, SavesByItselfOnlyAfterTheInterval) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint rare(file, "case", false, hours(1));
    rare.add(0, {1.0});
    EXPECT_FALSE(std::filesystem::exists(file));
    Checkpoint eager(file, "case", false, milliseconds(0));
    eager.add(0, {1.0});
    EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(Checkpoint, AStateTakesThePlaceOfTheOneBefore) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint first(file, "case", false);
    EXPECT_TRUE(first.state().empty());
    first.replace_state({1.0, 2.0});
    first.add(0, {7.0});
    first.replace_state({0.1, -0.0, 3.0});
    first.save();
    Checkpoint second(file, "case", true);
    EXPECT_EQ(second.state(), (std::vector<double>{0.1, -0.0, 3.0}));
    EXPECT_EQ(second.row(0), std::vector<double>{7.0});
    EXPECT_EQ(second.restored(), 2u);
    second.add(1, {8.0});
    second.save();  // the state stays
    Checkpoint third(file, "case", true);
    EXPECT_EQ(third.state().size(), 3u);
    third.replace_state({5.0});
    third.save();
    EXPECT_EQ(Checkpoint(file, "case", true).state(), std::vector<double>{5.0});
    EXPECT_EQ(Checkpoint(file, "case", true).restored(), 3u);
}

TEST(Checkpoint, AStateIsWholeWhileAnotherThreadReadsTheText) {
    const std::vector<double> state(1000, 0.1);
    Checkpoint checkpoint("case");
    checkpoint.replace_state(state);
    const std::string whole = checkpoint.text();
    std::atomic<bool> is_done = false;
    std::thread other([&] {
        for (int i = 0; i < 1000; ++i) checkpoint.replace_state(state);
        is_done = true;
    });
    std::size_t torn = 0;
    while (!is_done) torn += checkpoint.text() != whole;
    other.join();
    EXPECT_EQ(torn, 0u);
}

TEST(Checkpoint, IsDueAfterTheInterval) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    EXPECT_FALSE(Checkpoint(file, "case", false, hours(1)).is_due());
    Checkpoint hasty(file, "case", false, milliseconds(0));
    EXPECT_TRUE(hasty.is_due());
    hasty.replace_state({4.0});
    EXPECT_EQ(Checkpoint(file, "case", true).state(), std::vector<double>{4.0});
}

TEST(Checkpoint, IsGoneWhenTheWorkIsComplete) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint checkpoint(file, "case", false);
    checkpoint.save();
    checkpoint.remove();
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_NO_THROW(checkpoint.remove());
}

TEST(Checkpoint, TakesRowsFromManyThreads) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    Checkpoint checkpoint(file, "case", false, milliseconds(20));
    constexpr std::size_t count = 60'000;
    std::latch all_are_there(4);
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            all_are_there.arrive_and_wait();
            for (std::size_t i = thread; i < count; i += 4) {
                checkpoint.add(i, {static_cast<double>(i)});
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    checkpoint.save();
    const Checkpoint back(file, "case", true);
    ASSERT_EQ(back.restored(), count);
    for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(back.row(i), std::vector<double>{static_cast<double>(i)});
    }
}

TEST(Checkpoint, KilledRunGoesOnFromWholeRows) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    std::size_t restored = 0;
    // On a busy or emulated machine a round may add no row. Later rounds are longer.
    for (int round = 0; round < 15 || (restored <= 10 && round < 500); ++round) {
        const pid_t child = stoss::tests::start_child([&] {
            Checkpoint checkpoint(file, "case", true, milliseconds(0));
            for (std::size_t i = checkpoint.restored();; ++i) {
                checkpoint.add(i, std::vector<double>(50, 0.1 * static_cast<double>(i)));
            }
            return 0;
        });
        std::this_thread::sleep_for(milliseconds(20 + round));
        kill(child, SIGKILL);
        ASSERT_EQ(stoss::tests::wait_for(child), 128 + SIGKILL);
        const Checkpoint checkpoint(file, "case", true);
        ASSERT_GE(checkpoint.restored(), restored);
        restored = checkpoint.restored();
        for (std::size_t i = 0; i < restored; ++i) {
            ASSERT_EQ(checkpoint.row(i), std::vector<double>(50, 0.1 * static_cast<double>(i)));
        }
    }
    EXPECT_GT(restored, 10u);
}

TEST(Checkpoint, UnwritableFileIsAnError) {
    const TemporaryDirectory directory;
    Checkpoint checkpoint(directory.file("none/partial.csv"), "case", false, milliseconds(0));
    EXPECT_THROW(checkpoint.add(0, {1.0}), stoss::core::FileError);
    EXPECT_THROW(checkpoint.save(), stoss::core::FileError);
}

}  // namespace
