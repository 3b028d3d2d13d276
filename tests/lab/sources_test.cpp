/// The standard library of the laboratory's compiler is older than that of the command. Its engine
/// is compiled only where the laboratory changes; this test reads the sources that it shares with
/// the command at every change.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <source_files.hpp>

namespace {

using stoss::tests::source_files;
using stoss::tests::source_text;

std::vector<std::string> all_matches(const std::string& text, const std::regex& expression) {
    return {std::sregex_token_iterator(text.begin(), text.end(), expression, 1),
            std::sregex_token_iterator()};
}

/// The names of a list of `lab/engine/sources.cmake`.
std::vector<std::string> list_of_lab(const std::string& name) {
    const auto lists = all_matches(source_text("lab/engine/sources.cmake"),
                                   std::regex("set\\(" + name + " ([^)]*)\\)"));
    std::istringstream words(lists.at(0));
    return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

/// The sources that the engine shares with the command, without the headers they include.
std::vector<std::string> compiled_sources() {
    std::vector<std::string> sources{"solvers/problems/beam/beam_case.cpp"};
    const auto add = [&](const std::string& folder, const std::string& names) {
        for (const auto& name : list_of_lab(names)) sources.push_back(folder + name + ".cpp");
    };
    add("models/", "lab_models");
    add("solvers/case/", "lab_case");
    add("lib/stoss/io/", "lab_io");
    std::set<std::string> unused;
    for (const auto& name : list_of_lab("lab_without_impact")) {
        unused.insert("lib/stoss/impact/" + name + ".cpp");
    }
    // The laws are included by a header that is written by the build.
    const std::regex of_a_library(
        R"(lib/stoss/((core|fem|modal|contact|time|rigid|impact)/.*\.cpp|contact/laws/.*))");
    for (const auto& path : source_files()) {
        if (std::regex_match(path, of_a_library) && !unused.contains(path)) sources.push_back(path);
    }
    return sources;
}

/// These sources and all headers of Stoss that they include, directly or not.
std::set<std::string> read_by_the_compiler() {
    static const std::regex include(
        R"(#include [<"]((?:stoss|models|postproc|solvers)/[^>"]+)[>"])");
    std::vector<std::string> open = compiled_sources();
    std::set<std::string> read;
    while (!open.empty()) {
        const std::string path = open.back();
        open.pop_back();
        if (path == "lib/stoss/contact/laws.hpp" || !read.insert(path).second) continue;
        for (const std::string& header : all_matches(source_text(path), include)) {
            open.push_back(header.starts_with("stoss/") ? "lib/" + header : header);
        }
    }
    return read;
}

TEST(LabSources, UseOnlyAlgorithmsOnRangesThatTheirCompilerHas) {
    const std::string portability = source_text("lab/engine/portability.hpp");
    const auto names =
        all_matches(portability, std::regex(R"(\n(?:bool|auto|void) (\w+)\(Range&&)"));
    const std::set<std::string> available(names.begin(), names.end());
    ASSERT_TRUE(available.contains("any_of"));
    const auto sources = read_by_the_compiler();
    ASSERT_TRUE(sources.contains("lib/stoss/impact/collide.hpp"));
    for (const std::string& path : sources) {
        const std::string text = source_text(path);
        ASSERT_FALSE(text.empty()) << path;
        for (const auto& name : all_matches(text, std::regex(R"(std::(?:ranges|views)::(\w+))"))) {
            EXPECT_TRUE(available.contains(name))
                << path << ": std::ranges::" << name << " is not in lab/engine/portability.hpp";
        }
    }
}

}  // namespace
