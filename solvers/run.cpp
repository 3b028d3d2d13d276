#include <solvers/run.hpp>

#include <chrono>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <postproc/report.hpp>
#include <solvers/problem.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/units.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/provenance.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::solvers {

namespace {

constexpr const char* checkpoint_name = "map.partial.csv";
constexpr int summary_version = 1;  // of the keys of summary.json

void set_key(io::Document& document, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw core::InputError(
            {{"", 0, 0, {"--set", setting, "must be written key.path=value", ""}}});
    }
    document.root.set(setting.substr(0, equals),
                      io::parse_yaml_value(setting.substr(equals + 1), "--set " + setting));
}

std::string default_directory(const std::string& case_file) {
    return (std::filesystem::path("runs") / std::filesystem::path(case_file).stem()).string();
}

/// summary.json: what was run and how it went, then the problem's own numbers.
io::Value whole_summary(const RunReport& report, double wall_time) {
    io::Value summary = io::Value::object();
    summary.set("schema_version", summary_version);
    summary.set("problem", report.outcome.header.problem);
    summary.set("title", report.outcome.header.title);
    for (const auto& [key, value] : *report.outcome.summary.members()) summary.set(key, value);
    io::Value warnings = io::Value::array();
    for (const std::string& warning : report.outcome.warnings) warnings.append(warning);
    summary.set("warnings", std::move(warnings));
    summary.set("expectations", to_value(report.verdicts));
    summary.set("wall_time_s", wall_time);
    return summary;
}

void write_results(const io::RunDirectory& directory, const RunReport& report,
                   const std::string& resolved_case, const RunRequest& request, double wall_time) {
    directory.write("case.yaml", resolved_case);
    directory.write("provenance.json", io::to_json(io::provenance(0, request.threads)));
    for (const auto& [name, table] : report.outcome.tables)
        directory.write(name, io::to_csv(table));
    for (const auto& [name, content] : report.outcome.files) directory.write(name, content);
    directory.write("summary.json", io::to_json(whole_summary(report, wall_time)));
}

std::string headline(const Outcome& outcome) {
    std::string text;
    for (const char* key : {"status", "cor_kinematic", "cor_kinetic", "cor_energetic",
                            "sub_impacts", "tau_separation", "collisions", "cor_difference_max",
                            "energy_residual", "energy_residual_max"}) {
        const io::Value* const value = outcome.summary.find(key);
        if (!value) continue;
        const std::string words =
            value->text() ? *value->text() : fmt::format("{:.6g}", *value->number());
        text += fmt::format("  {:<20} {}\n", key, words);
    }
    return text;
}

}  // namespace

io::Document read_case_file(const std::string& file, const std::vector<std::string>& settings) {
    io::Document document = io::read_yaml(file);
    for (const std::string& setting : settings) set_key(document, setting);
    if (!settings.empty()) {
        std::erase_if(document.root.entries,
                      [](const auto& entry) { return entry.key == "expect"; });
    }
    return document;
}

RunReport solve_case(const io::Document& document, int threads, bool quiet) {
    const Problem& problem = problem_of(document);
    RunReport report;
    const RunOptions options{threads, quiet, core::interrupted, nullptr};
    report.outcome = problem.solve(document, options);
    if (report.outcome.ending != Ending::interrupted) {
        report.verdicts = hold_against(report.outcome);
    }
    return report;
}

RunReport run(const RunRequest& request) {
    const auto start = std::chrono::steady_clock::now();
    const io::Document document = read_case_file(request.case_file, request.settings);
    const Problem& problem = problem_of(document);
    const std::string resolved_case = io::to_yaml(problem.resolve(document));

    RunReport report;
    report.directory =
        request.directory.empty() ? default_directory(request.case_file) : request.directory;
    const io::RunDirectory directory(report.directory);
    io::Checkpoint checkpoint(directory.file(checkpoint_name), resolved_case, request.resume);
    try {
        report.outcome = problem.solve(
            document, {request.threads, request.quiet, core::interrupted, &checkpoint});
    } catch (const core::NumericalError& error) {
        throw core::NumericalError(request.case_file + ": " + error.what());
    }
    if (report.outcome.ending == Ending::interrupted) {
        checkpoint.save();
        return report;
    }
    report.verdicts = hold_against(report.outcome);
    const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - start;
    write_results(directory, report, resolved_case, request, wall_time.count());
    checkpoint.remove();
    postproc::write_report(report.directory);
    return report;
}

std::string closing_words(const RunReport& report) {
    std::string text = headline(report.outcome);
    std::size_t passed = 0;
    for (const Verdict& verdict : report.verdicts) {
        passed += verdict.passed;
        if (verdict.passed) continue;
        text += fmt::format("  not as expected: {}: {} instead of {} +- {}\n",
                            subject(verdict.expectation), core::to_text(verdict.computed),
                            core::to_text(verdict.expectation.value),
                            core::to_text(verdict.expectation.tolerance));
    }
    if (!report.verdicts.empty()) {
        text += fmt::format("  {} of {} expectations hold\n", passed, report.verdicts.size());
    }
    const std::filesystem::path directory(report.directory);
    text += fmt::format("results: {}\n", directory.string());
    text += fmt::format("figures: {}\n", (directory / "figures").string());
    text += fmt::format("report:  {}\n", (directory / "report.html").string());
    return text;
}

}  // namespace stoss::solvers
