/// What the pages show is what the tests run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <source_folder.hpp>

namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
    std::ifstream in(fs::path(STOSS_SOURCE_DIR) / path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Files of these kinds (".md") below a folder of the sources, sorted, as paths from the root.
std::vector<std::string> files_below(const char* folder, const std::set<std::string>& kinds) {
    std::vector<std::string> files;
    const fs::path root(STOSS_SOURCE_DIR);
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
        if (entry.is_regular_file() && kinds.count(entry.path().extension().string()) > 0)
            files.push_back(fs::relative(entry.path(), root).string());
    std::sort(files.begin(), files.end());
    return files;
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
    EXPECT_EQ(programs.front(), text_of("tests/external/first_program/first_program.cpp"));
}

TEST(LibraryPage, FirstProgramHasAtMostFifteenLines) {
    const std::string program = text_of("tests/external/first_program/first_program.cpp");
    EXPECT_LE(std::count(program.begin(), program.end(), '\n'), 15);
}

TEST(LibraryPage, ShowsTheProjectThatTheTestsBuild) {
    const std::vector<std::string> projects = blocks(text_of("docs/library.md"), "cmake");
    ASSERT_FALSE(projects.empty());
    EXPECT_EQ(projects.front(), text_of("tests/external/first_program/CMakeLists.txt"));
}

/// Paths of sources in back quotes, such as `models/section.hpp`; not those of files to be written.
std::vector<std::string> sources_named_in(const std::string& page) {
    static const std::regex path("`((?:lib|models|postproc|solvers)/[a-z_/]+\\.[a-z]+)`");
    std::vector<std::string> found;
    for (std::sregex_iterator it(page.begin(), page.end(), path), end; it != end; ++it) {
        if ((*it)[1].str().find("/my_") == std::string::npos) found.push_back((*it)[1].str());
    }
    return found;
}

TEST(ArchitecturePage, NamesOnlySourcesThatExist) {
    for (const char* page : {"docs/architecture.md", "CONTRIBUTING.md"}) {
        const std::vector<std::string> sources = sources_named_in(text_of(page));
        EXPECT_GT(sources.size(), 5U) << page;
        for (const std::string& source : sources) {
            EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(STOSS_SOURCE_DIR) / source))
                << page << ": " << source;
        }
    }
}

/// Equation number -> page of docs/theory that holds it, as "collision".
std::map<std::string, std::string> equations() {
    static const std::regex tag(R"(\\tag\{(\d+\.\d+)\})");
    std::map<std::string, std::string> pages;
    for (const auto& file : files_below("docs/theory", {".md"})) {
        const std::string page = text_of(file);
        for (std::sregex_iterator match(page.begin(), page.end(), tag), end; match != end; ++match)
            EXPECT_TRUE(pages.emplace((*match)[1], fs::path(file).stem().string()).second)
                << (*match)[1] << " stands twice";
    }
    return pages;
}

/// A page without its fenced blocks and without code inside a line.
std::string prose_of(const std::string& page) {
    std::istringstream in(page);
    std::string prose;
    bool is_fenced = false;
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find_first_not_of(' ');
        if (first != std::string::npos && line.compare(first, 3, "```") == 0) {
            is_fenced = !is_fenced;
            continue;
        }
        if (is_fenced) continue;
        bool is_code = false;
        for (const char c : line) {
            if (c == '`') is_code = !is_code;
            if (!is_code && c != '`') prose += c;
        }
        prose += '\n';
    }
    return prose;
}

/// The anchor of a heading, as GitHub makes it.
std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const char c : heading) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) || c == '_' || c == '-')
            anchor += static_cast<char>(std::tolower(letter));
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

std::set<std::string> anchors_of(const std::string& page) {
    std::set<std::string> anchors;
    std::istringstream in(page);
    for (std::string line; std::getline(in, line);) {
        const std::size_t text = line.find_first_not_of('#');
        if (text > 0 && text < line.size() && line[text] == ' ')
            anchors.insert(anchor_of(line.substr(text + 1)));
    }
    return anchors;
}

/// What is wrong with one link of a page; empty if it resolves.
std::string fault_of_link(const std::string& page, const std::string& target) {
    if (target.find("://") != std::string::npos || target.compare(0, 7, "mailto:") == 0) return "";
    const std::size_t hash = target.find('#');
    const std::string path = target.substr(0, hash);
    const std::string file =
        path.empty() ? page : (fs::path(page).parent_path() / path).lexically_normal().string();
    if (!fs::exists(fs::path(STOSS_SOURCE_DIR) / file)) return page + ": no file " + target;
    if (hash == std::string::npos || fs::path(file).extension() != ".md") return "";
    if (anchors_of(text_of(file)).count(target.substr(hash + 1)) > 0) return "";
    return page + ": no heading " + target;
}

TEST(Pages, EveryLinkResolves) {
    static const std::regex link(R"(\]\(([^)\s]+)\))");
    std::vector<std::string> pages = files_below("docs", {".md"});
    pages.insert(pages.end(), {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"});
    for (const auto& page : pages) {
        const std::string prose = prose_of(text_of(page));
        for (std::sregex_iterator match(prose.begin(), prose.end(), link), end; match != end;
             ++match)
            EXPECT_EQ(fault_of_link(page, (*match)[1]), "");
    }
}

/// The comments of a source as one line of text, without their marks.
std::string comments_of(const std::string& source, const std::string& mark) {
    std::istringstream in(source);
    std::string comments;
    for (std::string line; std::getline(in, line);) {
        std::size_t text = line.find(mark);
        if (text == std::string::npos) {
            comments += '\n';
            continue;
        }
        text = line.find_first_not_of("/#< ", text);
        if (text != std::string::npos) comments += line.substr(text) + ' ';
    }
    return comments;
}

/// Pages that a text names as theory/PAGE.md, and the faults of the numbers that follow each name.
std::set<std::string> named_pages(const std::string& file, const std::string& text,
                                  const std::map<std::string, std::string>& equations) {
    static const std::regex citation(R"(theory/(\w+)\.md((?:(?:,| |to|and|-)*\(?\d+\.\d+\)?)*))");
    static const std::regex number(R"(\d+\.\d+)");
    std::set<std::string> pages;
    for (std::sregex_iterator match(text.begin(), text.end(), citation), end; match != end;
         ++match) {
        const std::string page = (*match)[1], numbers = (*match)[2];
        pages.insert(page);
        EXPECT_TRUE(fs::exists(fs::path(STOSS_SOURCE_DIR) / "docs" / "theory" / (page + ".md")))
            << file << " cites theory/" << page << ".md";
        for (std::sregex_iterator n(numbers.begin(), numbers.end(), number); n != end; ++n) {
            const auto found = equations.find(n->str());
            EXPECT_TRUE(found != equations.end() && found->second == page)
                << file << ": (" << n->str() << ") is not on theory/" << page << ".md";
        }
    }
    return pages;
}

/// Numbers that a text cites as (6.9), (6.9, 6.10) or (6.9 to 6.10).
std::vector<std::string> cited_numbers(const std::string& text) {
    static const std::regex citation(
        R"((?:^|[^\w\-+*/^.=\[])\((\d{1,2}\.\d{1,2})(?=\)|, \d+\.\d| to \d+\.\d))");
    std::vector<std::string> numbers;
    for (std::sregex_iterator match(text.begin(), text.end(), citation), end; match != end; ++match)
        numbers.push_back((*match)[1]);
    return numbers;
}

TEST(TheoryPages, HoldEveryEquationThatASourceCites) {
    const auto pages = equations();
    std::vector<std::string> files;
    for (const char* folder : {"lib", "models", "examples", "postproc", "solvers", "tests", "cases",
                               "benchmarks", "python"})
        for (auto& file : files_below(folder, {".hpp", ".cpp", ".inl", ".yaml"}))
            files.push_back(std::move(file));
    for (const auto& file : files) {
        if (fs::path(file).filename() == "documentation_test.cpp") continue;
        const bool is_case = fs::path(file).extension() == ".yaml";
        const std::string comments = comments_of(text_of(file), is_case ? "#" : "//");
        const auto named = named_pages(file, comments, pages);
        for (const auto& number : cited_numbers(comments)) {
            const auto found = pages.find(number);
            ASSERT_TRUE(found != pages.end()) << file << ": no page holds (" << number << ")";
            EXPECT_TRUE(named.count(found->second) > 0)
                << file << " cites (" << number << ") and names no theory/" << found->second
                << ".md";
        }
    }
}

TEST(TheoryPages, HoldEveryEquationThatAPageCites) {
    static const std::regex linked(R"(\[\((\d+\.\d+)\)\]\((?:(?:\.\./)?theory/)?(\w+)\.md\))");
    const auto pages = equations();
    for (const auto& file : files_below("docs", {".md"})) {
        const std::string prose = prose_of(text_of(file));
        for (std::sregex_iterator match(prose.begin(), prose.end(), linked), end; match != end;
             ++match) {
            const auto found = pages.find((*match)[1]);
            EXPECT_TRUE(found != pages.end() && found->second == (*match)[2])
                << file << ": " << match->str();
        }
        if (fs::path(file).parent_path() != "docs/theory") continue;
        for (const auto& number : cited_numbers(prose)) {
            const auto found = pages.find(number);
            EXPECT_TRUE(found != pages.end() && found->second == fs::path(file).stem())
                << file << ": (" << number << ") is on another page and is no link";
        }
    }
}

}  // namespace
