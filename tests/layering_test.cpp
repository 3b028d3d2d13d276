/// Who may know whom. The table below is the house; this test holds every #include against it.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

using Names = std::set<std::string>;

/// Layer -> the layers it may include beside itself.
const std::map<std::string, Names>& allowed_layers() {
    static const std::map<std::string, Names> table{
        {"core", {}},
        {"fem", {"core"}},
        {"modal", {"core"}},
        {"contact", {"core"}},
        {"time", {"core"}},
        {"rigid", {"core"}},
        {"granular", {"core", "contact", "rigid"}},
        {"impact", {"core", "modal", "contact", "time", "rigid"}},
        {"io", {"core", "impact"}},
        {"models", {"core", "fem", "modal", "contact", "time", "rigid", "granular", "impact"}},
        {"postproc", {"core", "io"}},
        {"solvers",
         {"core", "fem", "modal", "contact", "time", "rigid", "granular", "impact", "io", "models",
          "postproc"}},
    };
    return table;
}

/// A third-party library stays in one file, or in one a layer.
struct Guest {
    std::string header;  ///< regular expression of its headers
    Names homes;         ///< the only files that may include them
};

const std::vector<Guest>& guests() {
    static const std::vector<Guest> table{
        {"Spectra/.*", {"lib/stoss/modal/modal_basis.cpp"}},
        {"yaml-cpp/.*", {"lib/stoss/io/yaml.cpp"}},
        {"vtk.*", {"lib/stoss/io/vtk.cpp"}},
        {"nlohmann/.*", {"lib/stoss/io/json.cpp"}},
        {"udunits.*", {"lib/stoss/core/units.cpp"}},
        {"(oneapi/)?tbb/.*", {"lib/stoss/core/parallel.cpp"}},
        {"CLI/.*", {"solvers/stoss.cpp"}},
        {"deal\\.II/.*", {"models/imported_mesh.cpp"}},
        {"(lammps/|mpi\\.h).*", {"solvers/distributed/lammps.hpp"}},
        {"ceres/.*", {"solvers/least_squares.cpp"}},
        {"hwy/.*",
         {"lib/stoss/rigid/batch.cpp", "lib/stoss/modal/modal_kernels.cpp",
          "lib/stoss/impact/step_lanes.cpp"}},
    };
    return table;
}

/// Layer of `lib/stoss/NAME/...` or `NAME/...`; empty if the path is in no layer.
std::string layer_of(const std::string& path) {
    static const std::regex inside("(?:lib/)?(?:stoss/)?([a-z_]+)/.*");
    std::smatch match;
    if (!std::regex_match(path, match, inside)) return {};
    return allowed_layers().contains(match[1].str()) ? match[1].str() : std::string{};
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
    const std::string layer = layer_of(path);
    if (layer.empty()) return {path + ": is in no layer of the table"};
    for (const std::string& header : includes_of(text)) {
        const std::string other = layer_of(header);
        if (!other.empty() && other != layer && !allowed_layers().at(layer).contains(other)) {
            found.push_back(path + ": " + layer + " may not include " + other + " (" + header +
                            ")");
        }
        for (const Guest& guest : guests()) {
            if (!guest.homes.contains(path) && std::regex_match(header, std::regex(guest.header))) {
                found.push_back(path + ": only " + *guest.homes.begin() + " may include " + header);
            }
        }
        if (header.starts_with('.')) found.push_back(path + ": relative include " + header);
    }
    return found;
}

/// The sources below the four folders of code, relative to the root.
std::vector<std::string> sources() {
    const std::filesystem::path root = STOSS_SOURCE_DIR;
    std::vector<std::string> files;
    for (const char* folder : {"lib/stoss", "models", "solvers", "postproc"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const auto extension = entry.path().extension();
            if (extension != ".hpp" && extension != ".cpp" && extension != ".inl") continue;
            files.push_back(entry.path().lexically_relative(root).generic_string());
        }
    }
    return files;
}

std::string text_of(const std::string& path) {
    std::ifstream in(std::filesystem::path(STOSS_SOURCE_DIR) / path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(Layering, EveryIncludeKeepsToTheTable) {
    for (const std::string& path : sources()) {
        for (const std::string& sentence : violations(path, text_of(path))) {
            ADD_FAILURE() << sentence;
        }
    }
}

TEST(Layering, EveryLayerOfTheTableHasFiles) {
    Names seen;
    for (const std::string& path : sources()) seen.insert(layer_of(path));
    for (const auto& [layer, others] : allowed_layers()) {
        EXPECT_TRUE(seen.contains(layer)) << "no file in " << layer;
    }
}

TEST(Layering, EveryGuestIsAtHome) {
    for (const Guest& guest : guests()) {
        for (const std::string& home : guest.homes) {
            bool used = false;
            for (const std::string& header : includes_of(text_of(home))) {
                used = used || std::regex_match(header, std::regex(guest.header));
            }
            EXPECT_TRUE(used) << home << " includes no " << guest.header;
        }
    }
}

TEST(LayeringChecker, FindsALayerThatKnowsTooMuch) {
    EXPECT_EQ(violations("lib/stoss/fem/mesh.hpp", "#include <stoss/modal/basis.hpp>\n").size(),
              1u);
    EXPECT_EQ(violations("lib/stoss/core/text.cpp", "#include <stoss/io/yaml.hpp>\n").size(), 1u);
    EXPECT_EQ(violations("models/beam.cpp", "// why\n  #  include \"solvers/map.hpp\"\n").size(),
              1u);
    EXPECT_EQ(violations("models/beam.cpp", "#include <stoss/io/document.hpp>\n").size(), 1u);
    EXPECT_EQ(violations("postproc/figures.cpp", "#include <stoss/impact/collide.hpp>\n").size(),
              1u);
}

TEST(LayeringChecker, FindsAGuestOutsideItsHome) {
    EXPECT_EQ(violations("solvers/map.cpp", "#include <tbb/parallel_for.h>\n").size(), 1u);
    EXPECT_EQ(violations("lib/stoss/io/csv.cpp", "#include <vtkPolyData.h>\n").size(), 1u);
    EXPECT_EQ(violations("lib/stoss/io/yaml.hpp", "#include <yaml-cpp/yaml.h>\n").size(), 1u);
    EXPECT_EQ(violations("solvers/distributed/ranks.cpp", "#include <lammps/fix.h>\n").size(), 1u);
    EXPECT_EQ(violations("lib/stoss/granular/assembly.cpp", "#include <mpi.h>\n").size(), 1u);
}

TEST(LayeringChecker, FindsAFileInNoLayer) {
    EXPECT_EQ(violations("lib/stoss/util/misc.hpp", "#include <cmath>\n").size(), 1u);
}

TEST(LayeringChecker, FindsAnIncludeThatDependsOnTheFolder) {
    EXPECT_EQ(violations("models/beam.cpp", "#include \"../lib/x.hpp\"\n").size(), 1u);
}

TEST(LayeringChecker, LetsGoodIncludesPass) {
    EXPECT_TRUE(violations("lib/stoss/impact/collide.hpp",
                           "#include <stoss/modal/modal_body.hpp>\n#include <cmath>\n")
                    .empty());
    EXPECT_TRUE(violations("lib/stoss/io/yaml.cpp", "#include <yaml-cpp/yaml.h>\n").empty());
    EXPECT_TRUE(violations("models/beam.cpp", "// #include <stoss/io/yaml.hpp>\n").empty());
}

}  // namespace
