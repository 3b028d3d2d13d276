/// Files that are hard to read, those that a fuzzer found among them, and all cases that come with
/// Stoss, the bad ones too: every reader keeps its promises for them. A promise that is broken ends
/// the program.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <source_folder.hpp>
#include <stoss/io/file.hpp>
#include "readers.hpp"

namespace stoss::tests {
namespace {

namespace fs = std::filesystem;

/// Number of files below `folder` that were read.
int read_all(const fs::path& folder, void (*read)(std::string_view)) {
    int files = 0;
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(STOSS_SOURCE_DIR) / folder)) {
        if (!entry.is_regular_file()) continue;
        SCOPED_TRACE(entry.path().string());
        read(io::read_text(entry.path().string()));
        ++files;
    }
    return files;
}

TEST(HardInputs, OfCasesAreRefusedOrRead) {
    EXPECT_GT(read_all("tests/fuzz/hard/case", read_case), 0);
}

TEST(HardInputs, OfTablesAreRefusedOrRead) {
    EXPECT_GT(read_all("tests/fuzz/hard/table", read_table), 0);
}

TEST(HardInputs, OfBodiesAreRefusedOrRead) {
    EXPECT_GT(read_all("tests/fuzz/hard/body", read_body), 0);
}

TEST(HardInputs, OfMeasurementsAreRefusedOrRead) {
    EXPECT_GT(read_all("tests/fuzz/hard/measurement", read_measurement), 0);
}

TEST(Cases, GoodAndBadAreRefusedOrReadTwiceAlike) {
    EXPECT_GT(read_all("cases", read_case), 200);
}

}  // namespace
}  // namespace stoss::tests
