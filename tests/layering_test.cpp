/// Which folder may include which. This test compares every #include with the table below.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <source_files.hpp>

namespace {

using stoss::tests::source_files;
using stoss::tests::source_text;

using Names = std::set<std::string>;

const Names library_folders{"core",     "fem",    "modal",  "contact",    "time", "rigid",
                            "granular", "impact", "motion", "statistics", "io"};

Names all_of(Names first, const Names& further) {
    first.insert(further.begin(), further.end());
    return first;
}

/// A folder of sources -> the folders that it may include beside itself. The name of a folder is
/// its path, without `lib/stoss/`. All that a folder may include is above it.
const std::vector<std::pair<std::string, Names>>& table_of_folders() {
    static const std::string report = "postproc/report", experiment = "postproc/experiment";
    static const Names below_cases = all_of(library_folders, {"models", report, experiment});
    static const Names below_problems = all_of(below_cases, {"solvers/case"});
    static const Names all_problems{"solvers/problems/beam",   "solvers/problems/granular",
                                    "solvers/problems/modal",  "solvers/problems/motion",
                                    "solvers/problems/point",  "solvers/problems/rigid",
                                    "solvers/problems/schemes"};
    static const std::vector<std::pair<std::string, Names>> table{
        {"core", {}},
        {"fem", {"core"}},
        {"modal", {"core"}},
        {"contact", {"core"}},
        {"time", {"core"}},
        {"rigid", {"core"}},
        {"statistics", {"core"}},
        {"granular", {"core", "contact", "rigid"}},
        {"impact", {"core", "modal", "contact", "time", "rigid"}},
        {"motion", {"core", "modal", "contact", "time"}},
        {"io", {"core"}},
        {"models",
         {"core", "fem", "modal", "contact", "time", "rigid", "granular", "impact", "motion"}},
        {report, {"core", "io"}},
        {experiment, {"core", "io", report}},
        {"solvers/case", all_of(library_folders, {"models", report})},
        {"solvers/distributed", {"core", "granular"}},
        {"solvers/problems/beam", below_problems},
        {"solvers/problems/granular", all_of(below_problems, {"solvers/distributed"})},
        {"solvers/problems/modal", below_problems},
        {"solvers/problems/motion", below_problems},
        {"solvers/problems/point", below_problems},
        {"solvers/problems/rigid", below_problems},
        {"solvers/problems/schemes", below_problems},
        {"solvers/registry", all_of(below_problems, all_problems)},
        {"solvers/app", all_of(below_problems, {"solvers/distributed", "solvers/registry",
                                                "solvers/problems/beam"})},
    };
    return table;
}

/// The folders that a folder may include; nullptr if it is not in the table.
const Names* allowed_in(const std::string& folder) {
    for (const auto& [name, others] : table_of_folders()) {
        if (name == folder) return &others;
    }
    return nullptr;
}

/// A third-party library, which only a few files may include.
struct ThirdParty {
    std::string header;  ///< regular expression of its headers
    Names files;         ///< the files that may include them
};

const std::vector<ThirdParty>& third_parties() {
    static const std::vector<ThirdParty> table{
        {"Spectra/.*", {"lib/stoss/modal/modal_basis.cpp"}},
        {"yaml-cpp/.*", {"lib/stoss/io/yaml.cpp"}},
        {"vtk.*", {"lib/stoss/io/vtk.cpp"}},
        {"nlohmann/.*", {"lib/stoss/io/json.cpp"}},
        {"udunits.*", {"lib/stoss/io/udunits.cpp"}},
        // No library, but a build may be without threads.
        {"thread|stop_token|future|barrier|latch|semaphore",
         {"lib/stoss/core/parallel.cpp", "solvers/distributed/ranks.cpp"}},
        // System calls of POSIX: what a system without them must replace.
        {"(unistd|fcntl|spawn|sys/[a-z]+)\\.h",
         {"lib/stoss/core/progress.cpp", "lib/stoss/io/file.cpp", "lib/stoss/io/process.cpp",
          "lib/stoss/io/provenance.cpp", "lib/stoss/io/run_directory.cpp",
          "postproc/report/gnuplot.cpp", "solvers/app/stoss.cpp", "solvers/case/memory.cpp"}},
        {"CLI/.*", {"solvers/app/stoss.cpp"}},
        {"deal\\.II/.*", {"models/imported_mesh.cpp"}},
        {"(lammps/|mpi\\.h).*", {"solvers/distributed/lammps.hpp"}},
        {"ceres/.*", {"solvers/problems/beam/least_squares.cpp"}},
        {"hwy/.*",
         {"lib/stoss/core/detail/each_target.hpp", "lib/stoss/rigid/batch.cpp",
          "lib/stoss/modal/adjoint_kernels.cpp", "lib/stoss/modal/modal_kernels.cpp",
          "lib/stoss/impact/detail/step_lanes.cpp"}},
    };
    return table;
}

/// Folder of the table that holds a source or header, the innermost one; empty if there is none.
std::string folder_of(const std::string& path) {
    std::string folder = std::filesystem::path(path).parent_path().generic_string();
    for (const std::string prefix : {"lib/", "stoss/"}) {
        if (folder.starts_with(prefix)) folder.erase(0, prefix.size());
    }
    while (!folder.empty() && !allowed_in(folder)) {
        folder = std::filesystem::path(folder).parent_path().generic_string();
    }
    return folder;
}

/// True of headers of Stoss, in a folder of the table or not.
bool is_own(const std::string& header) {
    static const std::regex own("(stoss|models|postproc|solvers)/.*");
    return std::regex_match(header, own);
}

/// The headers named by the #include lines of a source text.
std::vector<std::string> includes_of(const std::string& text) {
    static const std::regex line(R"(^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"])",
                                 std::regex::ECMAScript | std::regex::multiline);
    std::vector<std::string> headers;
    for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
        headers.push_back((*it)[1].str());
    }
    return headers;
}

/// What is wrong with the includes of one file, a sentence each. `path` is relative to the root.
std::vector<std::string> violations(const std::string& path, const std::string& text) {
    std::vector<std::string> found;
    const std::string folder = folder_of(path);
    if (folder.empty()) return {path + ": is in no folder of the table"};
    for (const std::string& header : includes_of(text)) {
        const std::string other = folder_of(header);
        if (other.empty() && is_own(header)) {
            found.push_back(path + ": " + header + " is in no folder of the table");
        } else if (!other.empty() && other != folder && !allowed_in(folder)->contains(other)) {
            found.push_back(path + ": " + folder + " may not include " + other + " (" + header +
                            ")");
        }
        for (const ThirdParty& library : third_parties()) {
            if (!library.files.contains(path) &&
                std::regex_match(header, std::regex(library.header))) {
                found.push_back(path + ": only " + *library.files.begin() + " may include " +
                                header);
            }
        }
        if (header.starts_with('.')) found.push_back(path + ": relative include " + header);
    }
    return found;
}

TEST(Layering, EveryIncludeKeepsToTheTable) {
    for (const std::string& path : source_files()) {
        for (const std::string& sentence : violations(path, source_text(path))) {
            ADD_FAILURE() << sentence;
        }
    }
}

/// Headers that an installed header includes and that are not installed: those of a folder
/// `detail`, and texts that are not headers (cmake/StossPackages.cmake).
std::vector<std::string> not_installed_in(const std::string& path, const std::string& text) {
    const auto is_installed = [](const std::string& name) {
        return name.ends_with(".hpp") && name.find("/detail/") == std::string::npos;
    };
    std::vector<std::string> found;
    if (!path.starts_with("lib/") || !is_installed(path)) return found;
    for (const std::string& header : includes_of(text)) {
        if (is_own(header) && !is_installed(header)) found.push_back(header);
    }
    return found;
}

TEST(Layering, InstalledHeadersIncludeInstalledHeadersAlone) {
    for (const std::string& path : source_files()) {
        for (const std::string& header : not_installed_in(path, source_text(path))) {
            ADD_FAILURE() << path << ": " << header << " is not installed";
        }
    }
}

TEST(Layering, EveryFolderOfTheTableHasFiles) {
    Names seen;
    for (const std::string& path : source_files()) seen.insert(folder_of(path));
    for (const auto& [folder, others] : table_of_folders()) {
        EXPECT_TRUE(seen.contains(folder)) << "no file in " << folder;
    }
}

/// The table has no cycle, so that no folder includes one that is built on it.
TEST(Layering, NoFolderIncludesUpward) {
    Names above;
    for (const auto& [folder, others] : table_of_folders()) {
        for (const std::string& other : others) {
            EXPECT_TRUE(above.contains(other)) << folder << " may include " << other;
        }
        EXPECT_TRUE(above.insert(folder).second) << folder << " is in the table twice";
    }
}

TEST(Layering, NoProblemIncludesAnother) {
    const std::string problems = "solvers/problems/";
    for (const auto& [folder, others] : table_of_folders()) {
        if (!folder.starts_with(problems)) continue;
        for (const std::string& other : others) EXPECT_FALSE(other.starts_with(problems)) << folder;
    }
}

TEST(Layering, EveryListedFileIncludesItsThirdPartyLibrary) {
    for (const ThirdParty& library : third_parties()) {
        for (const std::string& file : library.files) {
            bool used = false;
            for (const std::string& header : includes_of(source_text(file))) {
                used = used || std::regex_match(header, std::regex(library.header));
            }
            EXPECT_TRUE(used) << file << " includes no " << library.header;
        }
    }
}

/// Calls of functions whose bits depend on the machine (core/elementary.hpp).
std::vector<std::string> machine_functions_in(const std::string& text) {
    static const std::regex call(
        R"(std::(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log(2|10|1p)?|pow|cbrt|hypot|polar|erfc?|[lt]gamma)\()");
    return {std::sregex_token_iterator(text.begin(), text.end(), call),
            std::sregex_token_iterator()};
}

TEST(Layering, ElementaryFunctionsAreThoseWithTheSameBitsOnEveryMachine) {
    for (const std::string& path : source_files()) {
        if (path.ends_with("core/elementary.cpp")) continue;
        for (const std::string& call : machine_functions_in(source_text(path)))
            ADD_FAILURE() << path << ": " << call << "...) instead of that of stoss::core";
    }
}

/// Types that differ between machines, and functions that read numbers as the language of the user
/// writes them.
std::vector<std::string> unportable_words_in(const std::string& text) {
    static const std::regex word(
        R"(\b(long double|__float128|__int128|strto(d|f|ld)|sto(d|f|ld)|atof|setlocale)\b)");
    return {std::sregex_token_iterator(text.begin(), text.end(), word),
            std::sregex_token_iterator()};
}

TEST(Layering, NumbersAreTheSameOnEverySystem) {
    for (const std::string& path : source_files()) {
        for (const std::string& word : unportable_words_in(source_text(path)))
            ADD_FAILURE() << path << ": " << word << " differs between systems";
    }
}

TEST(LayeringChecker, FindsWordsThatDifferBetweenSystems) {
    EXPECT_EQ(unportable_words_in("long double x = std::stod(text);").size(), 2u);
    EXPECT_TRUE(unportable_words_in("double x = long_double + my_stod;").empty());
}

TEST(LayeringChecker, FindsFunctionsOfTheMachine) {
    EXPECT_EQ(machine_functions_in("std::pow(x, 2) + std::acos(y) + std::sqrt(z)").size(), 2u);
    EXPECT_EQ(machine_functions_in("std::erf(x) + std::erfc(y)").size(), 2u);
    EXPECT_TRUE(machine_functions_in("core::pow(x, 2) + std::abs(y)").empty());
}

TEST(LayeringChecker, FindsAnIncludeThatIsNotInTheTable) {
    const auto count = [](const std::string& path, const std::string& header) {
        return violations(path, "#include <" + header + ">\n").size();
    };
    EXPECT_EQ(count("lib/stoss/fem/mesh.hpp", "stoss/modal/basis.hpp"), 1u);
    EXPECT_EQ(count("lib/stoss/core/text.cpp", "stoss/io/yaml.hpp"), 1u);
    EXPECT_EQ(count("lib/stoss/io/csv.cpp", "stoss/impact/collide.hpp"), 1u);
    EXPECT_EQ(count("models/beam.cpp", "stoss/io/document.hpp"), 1u);
    EXPECT_EQ(count("models/beam.cpp", "solvers/case/sweep.hpp"), 1u);
    EXPECT_EQ(count("postproc/report/figures.cpp", "stoss/impact/collide.hpp"), 1u);
    EXPECT_EQ(count("postproc/report/figures.cpp", "postproc/experiment/trace.hpp"), 1u);
    EXPECT_EQ(count("solvers/case/sweep.cpp", "solvers/problems/beam/beam_case.hpp"), 1u);
    EXPECT_EQ(count("solvers/problems/point/bead.cpp", "solvers/problems/beam/beam_case.hpp"), 1u);
    EXPECT_EQ(count("solvers/problems/point/bead.cpp", "solvers/registry/registry.hpp"), 1u);
    EXPECT_EQ(count("solvers/registry/registry.cpp", "solvers/app/run.hpp"), 1u);
    EXPECT_EQ(
        violations("models/beam.cpp", "// why\n  #  include \"solvers/case/sweep.hpp\"\n").size(),
        1u);
}

TEST(LayeringChecker, FindsAThirdPartyLibraryOutsideItsFiles) {
    EXPECT_EQ(violations("solvers/case/sweep.cpp", "#include <thread>\n").size(), 1u);
    EXPECT_EQ(violations("lib/stoss/io/csv.cpp", "#include <vtkPolyData.h>\n").size(), 1u);
    EXPECT_EQ(violations("lib/stoss/io/yaml.hpp", "#include <yaml-cpp/yaml.h>\n").size(), 1u);
    EXPECT_EQ(violations("solvers/distributed/ranks.cpp", "#include <lammps/fix.h>\n").size(), 1u);
    EXPECT_EQ(violations("lib/stoss/granular/assembly.cpp", "#include <mpi.h>\n").size(), 1u);
}

TEST(LayeringChecker, FindsAFileInNoFolder) {
    EXPECT_EQ(violations("lib/stoss/util/misc.hpp", "#include <cmath>\n").size(), 1u);
    EXPECT_EQ(violations("solvers/run.hpp", "#include <cmath>\n").size(), 1u);
    EXPECT_EQ(violations("solvers/problems/new/x.hpp", "#include <cmath>\n").size(), 1u);
    EXPECT_EQ(violations("models/beam.cpp", "#include <solvers/run.hpp>\n").size(), 1u);
}

TEST(LayeringChecker, FindsAnIncludeThatDependsOnTheFolder) {
    EXPECT_EQ(violations("models/beam.cpp", "#include \"../lib/x.hpp\"\n").size(), 1u);
}

TEST(LayeringChecker, FindsAHeaderThatIsNotInstalled) {
    const std::string text = "#include <cmath>\n#include <stoss/contact/detail/x.inl>\n";
    EXPECT_EQ(not_installed_in("lib/stoss/contact/power.hpp", text).size(), 1u);
    EXPECT_TRUE(not_installed_in("lib/stoss/contact/power.cpp", text).empty());
    EXPECT_TRUE(not_installed_in("lib/stoss/contact/detail/x.hpp", text).empty());
}

TEST(LayeringChecker, LetsGoodIncludesPass) {
    EXPECT_TRUE(violations("lib/stoss/impact/collide.hpp",
                           "#include <stoss/modal/modal_body.hpp>\n#include <cmath>\n")
                    .empty());
    EXPECT_TRUE(violations("lib/stoss/io/yaml.cpp", "#include <yaml-cpp/yaml.h>\n").empty());
    EXPECT_TRUE(violations("models/beam.cpp", "// #include <stoss/io/yaml.hpp>\n").empty());
}

}  // namespace
