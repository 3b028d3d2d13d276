// Cases of all problems: run, load, describe.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <solvers/app/catalogue.hpp>
#include <solvers/app/experiments.hpp>
#include <solvers/app/run.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/run_directory.hpp>
#include <stoss/io/units.hpp>

#include "background.hpp"
#include "convert.hpp"
#include "module.hpp"

namespace stoss::python {

namespace {

using namespace pybind11::literals;

/// A table that Python only reads.
py::object to_python(const std::shared_ptr<const io::Table>& table) {
    return py::cast(std::const_pointer_cast<io::Table>(table));
}

/// A case that was run, and can still be written.
class Run : public std::enable_shared_from_this<Run> {
  public:
    Run(io::Document document, bool converge) : run_(std::move(document), converge) {}

    /// All of it; parts that were taken are not computed again.
    void solve(int threads, const py::object& progress) {
        in_background(
            [&](const std::function<bool()>& stop) {
                run_.solve(options(threads, stop));
                if (!stop()) run_.conclude();
            },
            progress);
    }

    /// Part `number` of `count` of the work, as a text for `take`.
    py::bytes part(std::size_t number, std::size_t count, int threads) {
        run_.check_shared();
        parts_.emplace(run_.identity().text());
        in_background(
            [&](const std::function<bool()>& stop) {
                auto with_part = options(threads, stop);
                with_part.shard = {number, count};
                run_.solve(with_part);
            },
            py::none());
        return parts_->text();
    }

    void take(const std::string& part) {
        if (!parts_) parts_.emplace(run_.identity().text());
        parts_->take_text(part, "a part of the work",
                          {"take the parts of this case", "compute this part again"});
    }

    /// The case, as it goes to another process: its file and its keys.
    py::tuple document() const {
        return py::make_tuple(run_.document().file, python::to_python(run_.document().root));
    }

    void check_shared() const { run_.check_shared(); }

    /// Refused before anything is computed if the directory holds results of another case.
    void check(const std::string& directory) const {
        if (std::filesystem::exists(directory))
            run_.identity().refuse_others(io::RunDirectory(directory));
    }

    void write(const std::string& directory, bool force) const {
        in_background([&](const std::function<bool()>&) {
            {
                const io::RunDirectory folder(directory);
                if (!force) run_.identity().refuse_others(folder);
                run_.write(folder);
            }
            solvers::write_report(directory);
        });
    }

    /// They share the memory of the run.
    py::dict tables() const {
        py::dict tables;
        for (const auto& [name, table] : run_.report().outcome.tables) {
            tables[py::str(name)] =
                to_python(std::shared_ptr<const io::Table>(shared_from_this(), &table));
        }
        return tables;
    }
    py::object summary() const { return python::to_python(run_.summary()); }
    py::object decided() const { return python::to_python(run_.decided()); }
    py::dict files() const {
        py::dict files;
        for (const auto& [name, content] : run_.report().outcome.files)
            files[py::str(name)] = py::bytes(content);
        return files;
    }

  private:
    solvers::RunOptions options(int threads, const std::function<bool()>& stop) {
        solvers::RunOptions options;
        options.threads = threads;
        options.quiet = true;
        options.stop = stop;
        if (parts_) options.checkpoint = &*parts_;
        return options;
    }

    solvers::CaseRun run_;
    std::optional<io::Checkpoint> parts_;  // of work that is shared out
};

std::shared_ptr<Run> make_run(const std::string& kind, const py::object& given,
                              const std::vector<std::pair<std::string, py::object>>& changes,
                              bool converge, const std::string& file) {
    io::Document document;
    if (kind == "file") {
        document = io::read_yaml(py::cast<std::string>(given));
    } else if (kind == "text") {
        document = io::parse_yaml(text_of(given), "case");
    } else {
        document = {file, to_node(given)};
    }
    for (const auto& [path, value] : changes) document.root.set(path, to_node(value));
    solvers::complete_case(document, !changes.empty());
    std::shared_ptr<Run> run;
    in_background([&](const std::function<bool()>&) {
        run = std::make_shared<Run>(std::move(document), converge);
    });
    return run;
}

/// Names of the tables in a directory: those of the run that finished there, or, of another
/// command, all.
std::vector<std::string> tables_in(const std::filesystem::path& folder) {
    const std::string file = (folder / io::provenance_name).string();
    if (auto listed = io::tables_of(io::parse_json(io::read_text(file), file))) return *listed;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".csv") names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// What a run, or another command, wrote: summary, case (None of another command), tables.
py::tuple load(const std::string& directory) {
    const std::filesystem::path folder(directory);
    const std::string summary = (folder / "summary.json").string();
    const std::string resolved = (folder / io::case_name).string();
    py::dict tables;
    for (const std::string& name : tables_in(folder)) {
        tables[py::str(name)] =
            to_python(std::make_shared<const io::Table>(io::read_csv((folder / name).string())));
    }
    return py::make_tuple(python::to_python(io::parse_json(io::read_text(summary), summary)),
                          std::filesystem::exists(resolved)
                              ? python::to_python(io::read_yaml(resolved).root)
                              : py::none(),
                          tables);
}

/// Measures traces of an encoder; returns its warnings.
std::vector<std::string> encoder(const std::string& input, const std::string& directory,
                                 const std::vector<std::string>& options, int threads) {
    solvers::Done done;
    in_background(
        [&](const std::function<bool()>& stop) {
            done = solvers::encoder({input, directory, options, threads, true, stop});
        },
        py::none());
    return done.warnings;
}

/// Compares runs with measurements; returns its warnings.
std::vector<std::string> compare(const std::vector<std::string>& runs,
                                 const std::string& experiment, const std::string& directory,
                                 bool skip_bad) {
    solvers::Done done;
    in_background(
        [&](const std::function<bool()>& stop) {
            done = solvers::compare({runs, experiment, directory, {}, skip_bad, stop});
        },
        py::none());
    return done.warnings;
}

/// The table that `columns_of` and the comments came from.
std::shared_ptr<io::Table> table_of(const py::dict& columns, std::vector<std::string> comments) {
    auto table = std::make_shared<io::Table>();
    table->comments = std::move(comments);
    for (const auto& [name, array] : columns) {
        const char kind = py::cast<py::array>(array).dtype().kind();
        io::Column::Values values;
        if (kind == 'f') values = py::cast<std::vector<double>>(array);
        if (kind == 'i') values = py::cast<std::vector<std::int64_t>>(array);
        if (kind == 'U') values = py::cast<std::vector<std::string>>(array.attr("tolist")());
        table->add(py::cast<std::string>(name), std::move(values));
    }
    return table;
}

/// Texts with units as numbers in `unit`. `keys`: what messages call each.
std::vector<double> quantities(const std::vector<std::string>& keys,
                               const std::vector<std::string>& texts, const std::string& unit) {
    std::vector<double> numbers;
    std::vector<core::Violation> wrong;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto quantity = io::parse_quantity(texts[i], unit);
        if (const auto* const error = std::get_if<io::QuantityError>(&quantity))
            wrong.push_back({keys[i], texts[i], error->rule, error->suggestion});
        else
            numbers.push_back(std::get<double>(quantity));
    }
    core::throw_if_any(std::move(wrong));
    return numbers;
}

py::dict problem_keys() {
    py::dict problems;
    for (const solvers::Problem& problem : solvers::problems()) {
        py::dict each;
        each["meaning"] = std::string(problem.meaning);
        each["keys"] = python::to_python(problem.describe().keys);
        problems[py::str(std::string(problem.name))] = each;
    }
    return problems;
}

}  // namespace

void add_cases(py::module_& module) {
    py::class_<io::Table, std::shared_ptr<io::Table>>(module, "Table")
        .def(py::init(&table_of), "columns"_a, "comments"_a)
        .def("columns", [](const std::shared_ptr<io::Table>& table) { return columns_of(table); })
        .def("to_csv", [](const io::Table& table) { return io::to_csv(table); })
        // Of all protocols: py::pickle is for those from 2 on.
        .def("__reduce__", [](const std::shared_ptr<io::Table>& table) {
            return py::make_tuple(py::type::of<io::Table>(),
                                  py::make_tuple(columns_of(table), table->comments));
        });
    py::class_<Run, std::shared_ptr<Run>>(module, "Run")
        .def("solve", &Run::solve, "threads"_a, "progress"_a)
        .def("part", &Run::part, "number"_a, "count"_a, "threads"_a)
        .def("take", &Run::take, "part"_a)
        .def("document", &Run::document)
        .def("check_shared", &Run::check_shared)
        .def("check", &Run::check, "directory"_a)
        .def("write", &Run::write, "directory"_a, "force"_a)
        .def("tables", &Run::tables)
        .def("summary", &Run::summary)
        .def("files", &Run::files)
        .def("decided", &Run::decided)
        // It stays in its process: a result that is pickled has None in its place.
        .def("__reduce__",
             [](const Run&) { return py::make_tuple(py::type::of(py::none()), py::tuple()); });
    module.def("make_run", &make_run, "kind"_a, "case"_a, "changes"_a, "converge"_a,
               "file"_a = "case");
    module.def("load", &load, "directory"_a);
    module.def(
        "write_report",
        [](const std::string& directory) {
            in_background([&](const std::function<bool()>&) { solvers::write_report(directory); });
        },
        "directory"_a);
    module.def("encoder", &encoder, "input"_a, "directory"_a, "options"_a, "threads"_a);
    module.def("compare", &compare, "runs"_a, "experiment"_a, "directory"_a, "skip_bad"_a);
    module.def("problem_keys", &problem_keys);
    module.def(
        "describe",
        [](const std::string& name) { return solvers::describe(name, "", {.all = true}); },
        "name"_a);
    module.def("quantities", &quantities, "keys"_a, "texts"_a, "unit"_a);
    module.def(
        "split_unit",
        [](const std::string& key) {
            const core::NameAndUnit parts = core::split_unit(key);
            return py::make_tuple(parts.name, parts.unit);
        },
        "key"_a);
}

}  // namespace stoss::python
