#include <postproc/report/run_data.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::postproc {

namespace {

namespace fs = std::filesystem;

}  // namespace

const std::vector<double>& Numbers::column(std::string_view name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw core::FileError(fmt::format("{}: the column {} is missing", file, name));
    }
    return columns[static_cast<std::size_t>(found - names.begin())];
}

std::string Run::file(std::string_view name) const {
    return (fs::path(directory) / name).string();
}

std::string Run::required_file(std::string_view name) const {
    if (!fs::exists(file(name))) {
        throw core::FileError(fmt::format(
            "{}: the run is not complete, {} is missing; run the case again", directory, name));
    }
    return file(name);
}

Run read_run(const std::string& directory) {
    if (fs::is_regular_file(directory)) {
        const std::string parent = fs::path(directory).parent_path().string();
        throw core::FileError(fmt::format("{}: is a file; give the directory of the run, {}",
                                          directory, parent.empty() ? "." : parent));
    }
    if (!fs::is_directory(directory)) {
        throw core::FileError(directory + ": there is no such directory");
    }
    Run run;
    run.directory = directory;
    const std::string file = run.file(io::summary_name);
    if (!fs::exists(file)) {
        throw core::FileError(directory +
                              ": this is not the directory of a run, summary.json is missing");
    }
    run.summary = io::parse_json(io::read_text(file), file);
    run.problem = text_at(run.summary, "problem");
    run.title = text_at(run.summary, "title");
    if (run.title.empty()) run.title = run.problem;
    if (run.problem.empty()) {
        throw core::FileError(
            file + ": the key `problem` is missing, so this is not the summary of a run");
    }
    return run;
}

bool has_scaled_axes(const Run& run) {
    if (run.scaled_axes) return *run.scaled_axes;
    if (!fs::exists(run.file(io::case_name))) return false;
    const io::Document document = io::read_yaml(run.file(io::case_name));
    const io::Node* const plot = document.root.find("plot");
    const io::Node* const axes = plot != nullptr ? plot->find("axes") : nullptr;
    return axes != nullptr && axes->scalar == "scaled";
}

io::Table read_table(const Run& run, std::string_view name) {
    return io::read_csv(run.required_file(name));
}

Numbers read_numbers(const Run& run, std::string_view name) {
    const io::Table table = read_table(run, name);
    Numbers numbers{table.file, {}, {}};
    for (const io::Column& column : table.columns) {
        numbers.names.push_back(column.name);
        numbers.columns.push_back(table.numbers(column.name));
    }
    return numbers;
}

double number_at(const io::Value& object, std::string_view key) {
    const io::Value* value = object.find(key);
    const auto number = value != nullptr ? value->number() : std::nullopt;
    return number.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace stoss::postproc
