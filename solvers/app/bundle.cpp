#include <solvers/app/bundle.hpp>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <postproc/report/run_data.hpp>
#include <stoss/io/archive.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::solvers {

namespace {

namespace fs = std::filesystem;

/// Names of files of a run below a node of its case, each once.
void add_named_files(const io::Node& node, const fs::path& folder,
                     std::vector<std::string>& names) {
    for (const io::Node::Entry& entry : node.entries) add_named_files(entry.value, folder, names);
    for (const io::Node& item : node.items) add_named_files(item, folder, names);
    const fs::path name(node.scalar);
    std::error_code ignored;
    if (node.scalar.empty() || name.filename() != name) return;  // case.yaml names no other folder
    if (!fs::is_regular_file(folder / name, ignored)) return;
    for (const std::string& known : names) {
        if (known == node.scalar) return;
    }
    names.push_back(node.scalar);
}

}  // namespace

std::string write_bundle(const std::string& directory) {
    const postproc::Run run = postproc::read_run(directory);
    std::vector<std::string> names;
    for (const std::string_view name : {io::case_name, io::provenance_name}) {
        run.required_file(name);
        names.emplace_back(name);
    }
    names.emplace_back(io::summary_name);
    const fs::path folder = fs::weakly_canonical(directory);
    add_named_files(io::read_yaml(run.file(io::case_name)).root, folder, names);
    std::vector<std::pair<std::string, std::string>> files;
    for (const std::string& name : names) {
        files.emplace_back((folder.filename() / name).string(), io::read_text(run.file(name)));
    }
    const std::string path = folder.string() + ".tar";
    io::write_text(path, io::tar_archive(files));
    return path;
}

}  // namespace stoss::solvers
