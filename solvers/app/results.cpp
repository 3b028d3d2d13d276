#include <solvers/app/results.hpp>

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/figures.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/provenance.hpp>

namespace stoss::solvers {

std::string scalar_words(const io::Value& value, std::string (*number_words)(double)) {
    if (value.text() != nullptr) return *value.text();
    if (const auto number = value.number()) return number_words(*number);
    if (const auto flag = value.flag()) return *flag ? "true" : "false";
    return "-";
}

std::vector<std::string> old_results(const io::RunDirectory& directory, const io::Value& tables,
                                     const io::Value& files) {
    const io::Value before = directory.provenance();
    auto old = io::tables_of(before).value_or(std::vector<std::string>{});
    std::erase_if(old, [](const std::string& name) {
        const bool is_beside = std::filesystem::path(name).filename() == name;
        return !name.ends_with(".csv") || !(is_beside || name.starts_with("traces/"));
    });
    for (const std::string& name : io::files_of(before).value_or(std::vector<std::string>{}))
        if (name.starts_with("vtk/") || name.starts_with("traces/")) old.push_back(name);
    for (const io::Value* const written : {&tables, &files})
        for (const io::Value& name : *written->items()) std::erase(old, *name.text());
    for (std::string& name : postproc::files_of_figures(directory.path()))
        old.push_back(std::move(name));
    return old;
}

void begin(const io::RunDirectory& directory, int threads) {
    for (const char* name : {io::case_name, io::checkpoint_name}) {
        if (!directory.has(name)) continue;
        throw core::InputError(
            {{directory.path(),
              0,
              0,
              {"", "", "holds a run of a case", "name another directory with -o"}}});
    }
    io::Value facts = io::provenance(0, threads);
    // Of the command before: `Results::write` replaces them.
    const io::Value before = directory.provenance();
    if (const io::Value* const tables = before.find("tables")) facts.set("tables", *tables);
    directory.write(io::provenance_name, io::to_json(facts));
}

void Results::write(const io::RunDirectory& directory) const {
    const io::Value names = names_of(tables);
    const std::vector<std::string> old = old_results(directory, names, io::Value::array());
    io::Value facts = directory.provenance();
    directory.write(io::provenance_name, io::to_json(facts.set("tables", names)));
    for (const auto& [name, table] : tables) directory.write(name, io::to_csv(table));
    for (const std::string& name : old) directory.remove(name);
    io::Value all = io::Value::object();
    all.set("schema_version", summary_version);
    all.set("problem", problem).set("title", title);
    for (const auto& [key, value] : *summary.members()) all.set(key, value);
    directory.write(io::summary_name, io::to_json(all));
    write_report(directory.path());
}

void Results::write(const std::string& path, int threads) const {
    const io::RunDirectory directory(path);
    begin(directory, threads);
    write(directory);
}

std::string places_of(const std::string& directory) {
    return fmt::format("results: {}\nreport:  {}\n", directory,
                       (std::filesystem::path(directory) / "report.html").string());
}

}  // namespace stoss::solvers
