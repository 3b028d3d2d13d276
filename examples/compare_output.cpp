// compare_output PROGRAM EXPECTED: runs a program and holds what it prints against a file, word by
// word. A word NUMBER~TOLERANCE of the file is a number that may differ by so much; all others must
// be the same.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
    std::istringstream in(line);
    Words words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

bool agrees(const std::string& expected, const std::string& printed) {
    const std::size_t mark = expected.find('~');
    if (mark == std::string::npos) return expected == printed;
    const double tolerance = std::strtod(expected.c_str() + mark + 1, nullptr);
    char* end = nullptr;
    const double value = std::strtod(printed.c_str(), &end);
    if (end == printed.c_str()) return false;
    return std::abs(value - std::strtod(expected.c_str(), nullptr)) <= tolerance;
}

bool agrees(const Words& expected, const Words& printed) {
    if (expected.size() != printed.size()) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!agrees(expected[i], printed[i])) return false;
    }
    return true;
}

std::vector<std::string> lines_of(std::istream& in) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// What the program prints; `status` is how it ends.
std::vector<std::string> output_of(const std::string& program, int& status) {
    std::string text;
    std::FILE* const pipe = popen(('"' + program + '"').c_str(), "r");
    if (pipe == nullptr) return {};
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    status = pclose(pipe);
    std::istringstream in(text);
    return lines_of(in);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::fputs("compare_output PROGRAM EXPECTED\n", stderr);
        return 2;
    }
    int status = 1;
    const std::vector<std::string> printed = output_of(arguments[1], status);
    std::ifstream file(arguments[2]);
    const std::vector<std::string> expected = lines_of(file);
    bool is_same = status == 0 && !expected.empty() && expected.size() == printed.size();
    for (std::size_t i = 0; i < printed.size(); ++i) {
        const bool is_line_same =
            i < expected.size() && agrees(words_of(expected[i]), words_of(printed[i]));
        std::printf("%s\n", printed[i].c_str());
        if (is_line_same) continue;
        is_same = false;
        std::printf("    expected: %s\n", i < expected.size() ? expected[i].c_str() : "nothing");
    }
    if (status != 0) std::printf("the program ended with status %d\n", status);
    return is_same ? 0 : 1;
}
