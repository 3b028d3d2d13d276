#include <solvers/case/refusal.hpp>

#include <filesystem>
#include <utility>

#include <stoss/io/bind.hpp>

namespace stoss::solvers {

void refuse(const io::Document& document, const std::vector<core::Violation>& violations) {
    io::Problems problems;
    for (const core::Violation& violation : violations) {
        problems.push_back(document.locate(violation));
    }
    io::throw_if_any(document, std::move(problems));
}

std::string path_in_case(const io::Document& document, const std::string& name) {
    return (std::filesystem::path(document.file).parent_path() / name).string();
}

std::vector<core::Violation> check_file(const io::Document& document, std::string key,
                                        const std::string& name) {
    if (std::filesystem::exists(path_in_case(document, name))) return {};
    return {{std::move(key), name, "there is no such file", "the path is relative to the case"}};
}

}  // namespace stoss::solvers
