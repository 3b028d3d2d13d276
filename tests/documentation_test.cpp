/// What the pages show is what the tests run.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

std::string text_of(const char* path) {
    std::ifstream in(std::filesystem::path(STOSS_SOURCE_DIR) / path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The fenced blocks of a page in one language, without the fences.
std::vector<std::string> blocks(const std::string& page, const std::string& language) {
    const std::string opening = "\n```" + language + "\n", closing = "\n```\n";
    std::vector<std::string> found;
    std::size_t end = 0;
    while (true) {
        const std::size_t begin = page.find(opening, end);
        if (begin == std::string::npos) return found;
        end = page.find(closing, begin + opening.size() - 1);
        if (end == std::string::npos) return found;
        found.push_back(page.substr(begin + opening.size(), end + 1 - begin - opening.size()));
    }
}

TEST(LibraryPage, ShowsTheProgramThatTheTestsBuildAndRun) {
    const std::vector<std::string> programs = blocks(text_of("docs/library.md"), "cpp");
    ASSERT_FALSE(programs.empty());
    EXPECT_EQ(programs.front(), text_of("tests/external/pinned_beam/pinned_beam.cpp"));
}

TEST(LibraryPage, ShowsTheProjectThatTheTestsBuild) {
    const std::vector<std::string> projects = blocks(text_of("docs/library.md"), "cmake");
    ASSERT_FALSE(projects.empty());
    EXPECT_EQ(projects.front(), text_of("tests/external/pinned_beam/CMakeLists.txt"));
}

}  // namespace
