#include "readers.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <variant>

#include <modes_of_file.hpp>
#include <postproc/experiment/encoder.hpp>
#include <postproc/experiment/experiment.hpp>
#include <postproc/experiment/trace.hpp>
#include <solvers/case/profile_table.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>
#include <stoss/io/units.hpp>
#include <temporary_directory.hpp>

namespace stoss::tests {
namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

/// Calls `read`. True if it took the input, false if it refused it in words; anything else it
/// throws ends the program.
template <class Read>
bool takes(Read read) {
    try {
        read();
        return true;
    } catch (const core::InputError& error) {
        require(!error.diagnostics().empty(), "a refusal says what is wrong");
        for (const core::Diagnostic& diagnostic : error.diagnostics())
            require(!diagnostic.violation.rule.empty(), "a refusal names the rule");
    } catch (const core::FileError&) {  // a file that the input names
    }
    return false;
}

/// Reads what Stoss wrote itself: that is never refused.
template <class Read>
void takes_back(Read read) {
    require(takes(read), "what was written is not refused");
}

io::Document as_document(const io::Node& root) {
    io::Document document;
    takes_back([&] { document = io::parse_yaml(io::to_yaml(root), "written.yaml"); });
    return document;
}

void resolve_and_check(const io::Document& document) {
    const solvers::Problem& problem = solvers::problem_of(document);
    const bool is_admissible = takes([&] { problem.read(document); });
    const io::Node resolved = problem.read(document)->resolved();
    const io::Document again = as_document(resolved);
    takes_back([&] {
        require(io::same_tree(problem.read(again)->resolved(), resolved),
                "a resolved case resolves to itself");
    });
    require(takes([&] { problem.read(again); }) == is_admissible,
            "a resolved case is as admissible as the case");
}

void read_csv_twice(std::string_view bytes) {
    takes([&] {
        const std::string written = io::to_csv(io::parse_csv(bytes, "read.csv"));
        takes_back([&] {
            require(io::to_csv(io::parse_csv(written, "written.csv")) == written,
                    "a table reads back as the same table");
        });
    });
    takes([&] { io::parse_cells(bytes, "read.csv"); });
}

void read_json_twice(std::string_view bytes) {
    takes([&] {
        const io::Value value = io::parse_json(bytes, "read.json");
        takes_back([&] {
            require(io::parse_json(io::to_json(value), "written.json") == value,
                    "a JSON value reads back as the same value");
        });
    });
}

void read_quantity_twice(std::string_view bytes) {
    for (const char* const unit : {"m", "rad/s", "N s/m^2", ""}) {
        const auto quantity = io::parse_quantity(bytes, unit);
        const double* const value = std::get_if<double>(&quantity);
        if (!value || std::isnan(*value)) continue;
        const auto again = io::parse_quantity(core::to_text(*value), unit);
        require(std::get<double>(again) == *value, "a quantity reads back as the same double");
    }
}

void write(const std::string& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

void read_modes_twice(const std::string& file, const std::string& copy) {
    const solvers::NamedModes modes = tests::read_modes(file, std::nullopt);
    require(modes.shapes.allFinite(), "a mode shape is made of numbers");
    write(copy, io::to_csv(solvers::mode_table(modes)));
    takes_back([&] {
        const solvers::NamedModes again = tests::read_modes(copy, static_cast<int>(modes.rigid));
        require(again.points == modes.points && again.rigid == modes.rigid &&
                    again.shapes == modes.shapes && again.damping == modes.damping,
                "a table of modes reads back as the same modes");
    });
}

/// A beam that is as the table beside the case says.
void read_profile(const std::string& directory) {
    io::Document document = io::parse_yaml(R"(problem: modal_analysis
beam:
  length: 1 m
  section: {table: body.csv}
  material: {youngs_modulus: 70 GPa, poisson_ratio: 0.3, density: 2700 kg/m^3}
mesh: {elements: 4, modes: 4}
)",
                                           directory + "/case.yaml");
    solvers::read_profile_tables(document);
    resolve_and_check(document);
}

}  // namespace

void read_case(std::string_view bytes) {
    takes([&] {
        const io::Document document = io::parse_yaml(bytes, "case.yaml");
        require(io::same_tree(as_document(document.root).root, document.root),
                "a tree reads back as the same tree");
        resolve_and_check(document);
    });
}

void read_table(std::string_view bytes) {
    read_csv_twice(bytes);
    read_json_twice(bytes);
    read_quantity_twice(bytes);
}

void read_body(std::string_view bytes) {
    static const TemporaryDirectory directory;
    write(directory.file("body.csv"), bytes);
    takes([&] { read_modes_twice(directory.file("body.csv"), directory.file("copy.csv")); });
    takes([&] { tests::read_modes(directory.file("body.csv"), 3); });
    takes([&] { read_profile(directory.path()); });
}

/// The text before the first NUL is the YAML file beside the table.
void read_measurement(std::string_view bytes) {
    static const TemporaryDirectory directory;
    const std::string table = directory.file("measured.csv");
    const std::string columns = directory.file("measured.columns.yaml");
    const std::string encoder = directory.file("encoder.yaml");
    const std::size_t end = bytes.find('\0');
    if (end == std::string_view::npos) {
        std::filesystem::remove(columns);
        std::filesystem::remove(encoder);
    } else {
        write(columns, bytes.substr(0, end));
        write(encoder, bytes.substr(0, end));
        bytes.remove_prefix(end + 1);
    }
    write(table, bytes);
    takes([&] { postproc::read_experiment(table, false); });
    takes([&] { postproc::read_experiment(table, true); });
    takes([&] {
        const postproc::EncoderSettings settings = postproc::read_encoder_settings(table, {});
        const postproc::Trace trace = postproc::read_trace(table, settings);
        const postproc::RestitutionMeasurement measurement =
            postproc::measured_restitution(trace, settings);
        require(std::isfinite(measurement.cor.value), "a measured restitution is a number");
    });
}

}  // namespace stoss::tests
