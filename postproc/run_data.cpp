#include <postproc/run_data.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/units.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>

namespace stoss::postproc {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> problems = {"beam_impact", "beam_impact_map"};
constexpr std::string_view status_column = "status";

std::string text_at(const io::Value& object, const char* key) {
    const io::Value* value = object.find(key);
    return value != nullptr && value->text() != nullptr ? *value->text() : std::string();
}

io::Table read_table(const Run& run, std::string_view name) {
    return io::read_csv(run.required_file(name));
}

/// The swept values as short as possible: -6, not -6.0.
std::vector<std::string> labels_of(const io::Table& table, const std::string& sweep) {
    const io::Column& column = table.column(sweep);
    const auto* numbers = std::get_if<std::vector<double>>(&column.values);
    if (numbers == nullptr) return table.texts(sweep);
    std::vector<std::string> labels;
    for (const double number : *numbers) labels.push_back(core::to_text(number));
    return labels;
}

/// Rows of the table by label, in the order in which the labels appear.
std::vector<std::pair<std::string, std::vector<std::size_t>>> grouped(
    const std::vector<std::string>& labels) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& each) { return each.first == labels[row]; });
        if (group == groups.end()) group = groups.insert(groups.end(), {labels[row], {}});
        group->second.push_back(row);
    }
    return groups;
}

template <class T>
std::vector<T> picked(const std::vector<T>& values, const std::vector<std::size_t>& rows) {
    std::vector<T> result;
    for (const std::size_t row : rows) result.push_back(values[row]);
    return result;
}

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
    if (!fs::is_directory(directory)) {
        throw core::FileError(directory + ": there is no such directory");
    }
    Run run;
    run.directory = directory;
    const std::string file = run.file("summary.json");
    if (!fs::exists(file)) {
        throw core::FileError(directory +
                              ": this is not the directory of a run, summary.json is missing");
    }
    run.summary = io::parse_json(io::read_text(file), file);
    run.problem = text_at(run.summary, "problem");
    run.title = text_at(run.summary, "title");
    if (run.title.empty()) run.title = run.problem;
    if (std::find(problems.begin(), problems.end(), run.problem) == problems.end()) {
        throw core::FileError(
            run.problem.empty()
                ? file + ": the key `problem` is missing, so this is not the summary of a run"
                : fmt::format("{}: there are no figures for the problem `{}`", file, run.problem));
    }
    return run;
}

Map read_map(const Run& run) {
    const io::Table table = read_table(run, "map.csv");
    if (table.rows() == 0) {
        throw core::FileError(table.file + ": it has no rows, so there is nothing to draw");
    }
    const std::vector<std::string> statuses = table.texts(status_column);
    const std::vector<double> xi = table.numbers("xi");
    Map map;
    if (table.columns.back().name != status_column) map.sweep = table.columns.back().name;
    const std::vector<std::string> labels =
        map.sweep.empty() ? std::vector<std::string>(table.rows()) : labels_of(table, map.sweep);
    for (auto& [label, rows] : grouped(labels)) {
        std::stable_sort(rows.begin(), rows.end(),
                         [&](std::size_t a, std::size_t b) { return xi[a] < xi[b]; });
        map.series.push_back({label, {table.file, {}, {}}, picked(statuses, rows)});
        Numbers& numbers = map.series.back().numbers;
        for (const io::Column& column : table.columns) {
            if (column.name == status_column) break;  // a swept key stands behind it
            numbers.names.push_back(column.name);
            numbers.columns.push_back(picked(table.numbers(column.name), rows));
        }
    }
    return map;
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
