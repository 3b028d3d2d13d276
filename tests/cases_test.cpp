/// The case files that come with Stoss: the bad ones are refused in the words beside them, the good
/// ones are valid and say where their expectations come from.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <command.hpp>
#include <source_folder.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>

namespace stoss::tests {
namespace {

namespace fs = std::filesystem;

const fs::path cases = fs::path(STOSS_SOURCE_DIR) / "cases";

/// Files below cases/FOLDER that end so, in alphabetical order.
std::vector<fs::path> files(const std::string& folder, const std::string& extension) {
    std::vector<fs::path> found;
    if (!fs::exists(cases / folder)) return found;
    for (const auto& entry : fs::directory_iterator(cases / folder)) {
        if (entry.path().extension() == extension) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<fs::path> good_cases() {
    std::vector<fs::path> found;
    for (const char* folder : {"published", "tutorial", "validation"}) {
        for (fs::path& file : files(folder, ".yaml")) found.push_back(std::move(file));
    }
    return found;
}

TEST(BadCases, AreAtLeastForty) {
    EXPECT_GE(files("errors", ".yaml").size(), 40u);
}

TEST(BadCases, AreRefusedInTheExpectedWords) {
    for (const fs::path& file : files("errors", ".yaml")) {
        SCOPED_TRACE(file.filename().string());
        const Ended ended =
            stoss_command({"check", file.filename().string()}, {.directory = cases / "errors"});
        EXPECT_EQ(ended.code, 2);
        EXPECT_EQ(ended.out, "");
        EXPECT_EQ(ended.err, io::read_text(fs::path(file).replace_extension(".expected")));
    }
}

TEST(BadCases, AreHeldByVerifyFromAnotherFolder) {
    const Ended ended =
        stoss_command({"verify", "cases/errors"}, {.directory = cases.parent_path()});
    EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
}

TEST(BadCases, AreRefusedByRunAsByCheck) {
    for (const fs::path& file : files("errors", ".yaml")) {
        SCOPED_TRACE(file.filename().string());
        const TemporaryDirectory scratch;
        const Ended ended =
            stoss_command({"run", file.filename().string(), "-o", scratch.file("r")},
                          {.directory = cases / "errors"});
        EXPECT_EQ(ended.code, 2);
        EXPECT_EQ(ended.err, io::read_text(fs::path(file).replace_extension(".expected")));
        EXPECT_FALSE(fs::exists(scratch.file("r"))) << "a refused case leaves no run directory";
    }
}

TEST(BadCases, SayInTheirFirstLineWhatIsWrong) {
    for (const fs::path& file : files("errors", ".yaml")) {
        EXPECT_TRUE(io::read_text(file).starts_with("# ")) << file;
    }
}

TEST(BadCases, EveryMessageHasItsCase) {
    for (const fs::path& file : files("errors", ".expected")) {
        EXPECT_TRUE(fs::exists(fs::path(file).replace_extension(".yaml"))) << file;
    }
}

TEST(GoodCases, AreValid) {
    ASSERT_FALSE(good_cases().empty());
    for (const fs::path& file : good_cases()) {
        const Ended ended = stoss_command({"check", file.string()});
        EXPECT_EQ(ended.code, 0) << ended.err;
        EXPECT_TRUE(ended.out.starts_with(file.string() + ": ok\n")) << ended.out;
        if (file.stem() == "bar_drop_rigid") continue;
        EXPECT_EQ(ended.err, "");
    }
}

TEST(GoodCases, ABeamAMillionTimesStifferThanSteelIsAcceptedWithAWarning) {
    const std::string file = (cases / "tutorial" / "bar_drop_rigid.yaml").string();
    const Ended ended = stoss_command({"check", file});
    EXPECT_EQ(ended.code, 0);
    EXPECT_TRUE(ended.err.starts_with("warning: " + file + ": beam.material.youngs_modulus: "))
        << ended.err;
}

TEST(GoodCases, EndWithExpectationsThatHaveASource) {
    for (const fs::path& file : good_cases()) {
        SCOPED_TRACE(file.string());
        const io::Document document = io::read_yaml(file.string());
        ASSERT_EQ(document.root.entries.back().key, "expect");
        const io::Node& expectations = document.root.entries.back().value;
        EXPECT_FALSE(expectations.items.empty());
        for (const io::Node& expectation : expectations.items) {
            const io::Node* const source = expectation.find("source");
            ASSERT_NE(source, nullptr) << "line " << expectation.mark.line;
            EXPECT_FALSE(source->scalar.empty()) << "line " << expectation.mark.line;
        }
    }
}

TEST(GoodCases, BeginWithTwoLinesOfTheory) {
    for (const fs::path& file : good_cases()) {
        const std::string text = io::read_text(file);
        EXPECT_TRUE(text.starts_with("# ")) << file;
        EXPECT_EQ(text.find("\n# "), text.find('\n')) << file;
    }
}

}  // namespace
}  // namespace stoss::tests
