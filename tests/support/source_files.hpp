#pragma once
/// The sources of Stoss as texts, for tests that read them.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <source_folder.hpp>

namespace stoss::tests {

/// The sources below the four folders of code, relative to the root.
inline std::vector<std::string> source_files() {
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

inline std::string source_text(const std::string& path) {
    std::ifstream in(std::filesystem::path(STOSS_SOURCE_DIR) / path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace stoss::tests
