/// Every command of docs/errata.md prints the number of the paper and the right one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <source_folder.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::tests {
namespace {

namespace fs = std::filesystem;

/// One heading of the page with the text below it.
struct Entry {
    std::string title, text;

    bool is_numbered() const {
        return std::isdigit(static_cast<unsigned char>(title.front())) != 0;
    }
};

std::vector<Entry> entries() {
    const std::string page = io::read_text(STOSS_SOURCE_DIR "/docs/errata.md");
    const std::string mark = "\n### ";
    std::vector<Entry> found;
    for (std::size_t begin = page.find(mark); begin != std::string::npos;) {
        const std::size_t title = begin + mark.size(), end = page.find(mark, title);
        const std::size_t line = page.find('\n', title);
        found.push_back({page.substr(title, line - title), page.substr(line, end - line)});
        begin = end;
    }
    return found;
}

std::vector<std::string> commands(const std::string& text) {
    static const std::regex block("```sh\n([^`]*)```");
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), block), end; match != end; ++match) {
        found.push_back((*match)[1]);
    }
    return found;
}

/// Runs the lines of a shell in a folder that has the cases, with `stoss` in the PATH.
std::string output_of(const std::string& lines) {
    const TemporaryDirectory folder;
    fs::create_directory_symlink(STOSS_SOURCE_DIR "/cases", folder.file("cases"));
    std::ofstream(folder.file("lines")) << lines;
    const std::string command =
        fmt::format("cd '{}' && PATH='{}':\"$PATH\" sh -e ./lines >out 2>err", folder.path(),
                    fs::path(STOSS_COMMAND).parent_path().string());
    EXPECT_EQ(std::system(command.c_str()), 0) << lines << io::read_text(folder.file("err"));
    return io::read_text(folder.file("out"));
}

const std::string number = R"([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)";

/// True if a number of the text, rounded to the digits of `stated`, is that number. A whole number
/// must be there exactly.
bool holds(const std::string& text, const std::string& stated) {
    static const std::regex any(number);
    const std::size_t point = stated.find('.'), power = stated.find('e');
    double room = 1e-12;
    if (point != std::string::npos || power != std::string::npos) {
        const std::size_t end = std::min(power, stated.size());
        const double decimals = point < end ? static_cast<double>(end - point - 1) : 0.0;
        const double exponent = power < stated.size() ? std::stod(stated.substr(power + 1)) : 0.0;
        room = 0.5001 * std::pow(10.0, exponent - decimals);
    }
    const double wanted = std::stod(stated);
    for (std::sregex_iterator match(text.begin(), text.end(), any), end; match != end; ++match) {
        if (std::abs(std::strtod(match->str().c_str(), nullptr) - wanted) <= room) return true;
    }
    return false;
}

TEST(ErrataPage, NumbersItsEntries) {
    int last = 0;
    for (const Entry& entry : entries()) {
        if (entry.is_numbered()) {
            EXPECT_EQ(std::stoi(entry.title), ++last) << entry.title;
        }
    }
    EXPECT_GE(last, 16);
}

class Erratum : public testing::TestWithParam<Entry> {};

TEST_P(Erratum, CommandPrintsBothNumbers) {
    std::string out;
    for (const std::string& lines : commands(GetParam().text)) out += output_of(lines);
    if (!GetParam().is_numbered()) return;
    const std::regex both("\nPrinted: (" + number + ")[^\n]*?\\. Right: (" + number + ")[^\n]*\n");
    std::smatch stated;
    ASSERT_TRUE(std::regex_search(GetParam().text, stated, both)) << "no `Printed: ... Right: ...`";
    EXPECT_TRUE(holds(out, stated[1])) << "printed " << stated[1] << " is not in\n" << out;
    EXPECT_TRUE(holds(out, stated[2])) << "right " << stated[2] << " is not in\n" << out;
}

INSTANTIATE_TEST_SUITE_P(Page, Erratum, testing::ValuesIn(entries()),
                         [](const testing::TestParamInfo<Entry>& info) {
                             std::string name;
                             for (const char c : info.param.title) {
                                 const auto letter = static_cast<unsigned char>(c);
                                 if (std::isalnum(letter)) name += c;
                                 if (c == ' ' || c == '.') name += '_';
                             }
                             return name;
                         });

}  // namespace
}  // namespace stoss::tests
