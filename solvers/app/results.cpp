#include <solvers/app/results.hpp>

#include <filesystem>

#include <fmt/format.h>
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

void begin(const io::RunDirectory& directory, int threads) {
    for (const char* name : {io::case_name, io::checkpoint_name}) {
        if (!directory.has(name)) continue;
        throw core::InputError(
            {{directory.path(),
              0,
              0,
              {"", "", "holds a run of a case", "name another directory with -o"}}});
    }
    directory.write(io::provenance_name, io::to_json(io::provenance(0, threads)));
}

void Results::write(const io::RunDirectory& directory) const {
    for (const auto& [name, table] : tables) directory.write(name, io::to_csv(table));
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
