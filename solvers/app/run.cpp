#include <solvers/app/run.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <postproc/report/figures.hpp>
#include <solvers/app/results.hpp>
#include <solvers/app/settings.hpp>
#include <solvers/case/case_identity.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/profile_table.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/beam/converge.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/provenance.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::solvers {

namespace {

std::string default_directory(const std::string& case_file) {
    std::filesystem::path name = std::filesystem::path(case_file).stem();
    if (name.extension() == ".stoss") name = name.stem();  // map.stoss.yaml
    return (std::filesystem::path("runs") / name).string();
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

/// The facts come first: they make the directory that of a run.
void write_results(const io::RunDirectory& directory, const RunReport& report, io::Value facts,
                   const io::Node& decided, const io::Value& summary) {
    const io::Value tables = names_of(report.outcome.tables);
    const io::Value files = names_of(report.outcome.files);
    const std::vector<std::string> old = old_results(directory, tables, files);
    facts.set("tables", tables).set("files", files);
    directory.write(io::provenance_name, io::to_json(facts));
    directory.write(io::case_name, io::to_yaml(decided));
    for (const auto& [name, table] : report.outcome.tables)
        directory.write(name, io::to_csv(table));
    for (const auto& [name, content] : report.outcome.files) directory.write(name, content);
    for (const std::string& name : old) directory.remove(name);
    directory.write(io::summary_name, io::to_json(summary));
}

/// The problems whose items can be shared out.
std::string shared_problems() {
    std::vector<std::string> names;
    for (const Problem& each : problems())
        if (each.has_shards) names.emplace_back(each.name);
    return core::listed(names, "and");
}

/// Errors: core::InputError if the problem has no items that could be shared out.
void refuse_unshared(const Problem& problem, const std::string& file) {
    if (problem.has_shards) return;
    throw core::InputError({{file,
                             0,
                             0,
                             {"problem", std::string(problem.name), "cannot be divided into parts",
                              "these problems can: " + shared_problems()}}});
}

/// A line for each number, the values below each other.
std::string headlines(const Outcome& outcome) {
    std::vector<std::pair<std::string, std::string>> lines;
    for (const std::string_view key : outcome.headlines) {
        const io::Value* const value = outcome.summary.find(key);
        if (!value) continue;
        lines.emplace_back(key,
                           scalar_words(*value, [](double n) { return fmt::format("{:.6g}", n); }));
    }
    lines.insert(lines.end(), outcome.closing_lines.begin(), outcome.closing_lines.end());
    std::size_t width = 20;
    for (const auto& [name, words] : lines) width = std::max(width, name.size());
    std::string text;
    for (const auto& [name, words] : lines)
        text += fmt::format("  {:<{}} {}\n", name, width, words);
    return text;
}

/// A number as a person reads it; none as a dash.
std::string number_text(double value) {
    return std::isnan(value) ? "-" : fmt::format("{:.5g}", value + 0.0);  // no "-0"
}

/// A column name broken at its underscores into lines as wide as the longest word or `width`.
std::vector<std::string> wrapped(const std::string& name, std::size_t width) {
    std::vector<std::string> words{""};
    for (const char c : name) {
        words.back() += c == '_' ? ' ' : c;
        if (c == '_') words.emplace_back();
    }
    for (const std::string& word : words) width = std::max(width, word.size());
    std::vector<std::string> lines{""};
    for (const std::string& word : words) {
        if (lines.back().size() + word.size() > width) lines.emplace_back();
        lines.back() += word;
    }
    for (std::string& line : lines) {
        if (line.ends_with(' ')) line.pop_back();
    }
    return lines;
}

/// A table with its columns aligned: texts to the left, numbers to the right, names above.
std::string aligned(const io::Table& table) {
    std::vector<std::vector<std::string>> heads;
    std::vector<std::vector<std::string>> columns;
    std::size_t head_lines = 0;
    for (const io::Column& column : table.columns) {
        const bool words = std::holds_alternative<std::vector<std::string>>(column.values);
        columns.emplace_back();
        if (words) columns.back() = table.texts(column.name);
        if (!words) {
            for (const double value : table.numbers(column.name)) {
                columns.back().push_back(number_text(value));
            }
        }
        std::size_t width = 0;
        for (const std::string& cell : columns.back()) width = std::max(width, cell.size());
        heads.push_back(wrapped(column.name, width));
        head_lines = std::max(head_lines, heads.back().size());
    }
    std::vector<std::string> lines(head_lines + table.rows(), " ");
    for (std::size_t c = 0; c < columns.size(); ++c) {
        std::vector<std::string> cells(head_lines - heads[c].size());
        cells.insert(cells.end(), heads[c].begin(), heads[c].end());
        cells.insert(cells.end(), columns[c].begin(), columns[c].end());
        std::size_t width = 0;
        for (const std::string& cell : cells) width = std::max(width, cell.size());
        const bool words =
            std::holds_alternative<std::vector<std::string>>(table.columns[c].values);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            lines[i] += words ? fmt::format(" {:<{}}", cells[i], width)
                              : fmt::format(" {:>{}}", cells[i], width);
        }
    }
    for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string printed_table(const Outcome& outcome) {
    for (const auto& [name, table] : outcome.tables) {
        if (name == outcome.printed_table) return aligned(table);
    }
    return {};
}

}  // namespace

io::Document read_case_file(const std::string& file, const std::vector<std::string>& settings,
                            std::vector<std::string>* notes) {
    io::Document document = io::read_yaml(file);
    const std::vector<std::string> changes = apply_settings(document, settings);
    if (notes != nullptr) *notes = changes;
    under_settings(file, settings, [&] { complete_case(document, !settings.empty()); });
    return document;
}

void complete_case(io::Document& document, bool is_changed) {
    read_profile_tables(document);
    if (!is_changed) return;
    std::erase_if(document.root.entries, [](const auto& entry) { return entry.key == "expect"; });
}

std::unique_ptr<ReadCase> given_case(const io::Document& document) {
    auto given = problem_of(document).read(document);
    refuse(document, check_expectations(given->resolved()));
    return given;
}

CaseRun::CaseRun(io::Document document, bool converge)
    : document_(std::move(document)),
      converge_(converge),
      given_(given_case(document_)),
      identity_(document_, given_->resolved(), converge ? "converge" : "run") {
    if (converge) check_convergence(document_, given_->resolved());
}

void CaseRun::check_shared() const {
    refuse_unshared(problem_of(document_), document_.file);
    if (!converge_) return;
    throw core::InputError(
        {{document_.file, 0, 0, {"", "", "a convergence study cannot be divided into parts", ""}}});
}

void CaseRun::solve(const RunOptions& options) {
    threads_ = options.threads;
    is_resumed_ = options.checkpoint != nullptr && options.checkpoint->restored() > 0;
    try {
        report_.outcome = converge_ ? study_convergence(document_, given_->resolved(), options)
                                    : given_->solve(options);
    } catch (const core::NumericalError& error) {
        throw core::NumericalError(document_.file + ": " + error.what());
    }
}

void CaseRun::conclude(const std::vector<std::string>& notes) {
    const InputEcho echo = given_->echo();
    Outcome& outcome = report_.outcome;
    if (!echo.figures.empty()) outcome.summary.set("key_figures", to_value(echo.figures));
    std::vector<std::string> doubts = notes;
    for (const core::Violation& doubt : echo.doubts) doubts.push_back(to_warning(doubt));
    outcome.warnings.insert(outcome.warnings.begin(), doubts.begin(), doubts.end());
    report_.verdicts = hold_against(outcome);
    wall_time_ = std::chrono::steady_clock::now() - start_;
    cpu_time_ = static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
}

io::Value CaseRun::summary() const {
    return whole_summary(report_, wall_time_.count());
}

io::Node CaseRun::decided() const {
    io::Node decided = given_->resolved();
    for (const auto& [key, value] : report_.outcome.chosen) {
        decided.set(key, io::Node::text(std::to_string(value)));
    }
    return decided;
}

void CaseRun::write(const io::RunDirectory& directory) const {
    io::Value facts = io::provenance(report_.outcome.seed, threads_);
    const io::Node case_as_run = decided();
    identity_.add_to(facts, case_as_run);
    facts.set("wall_time_s", wall_time_.count()).set("cpu_time_s", cpu_time_);
    const Outcome& outcome = report_.outcome;
    if (!outcome.items.empty() && !is_resumed_) {
        const auto done = static_cast<double>(outcome.items_done);
        facts.set(fmt::format("{}_per_s", outcome.items), done / wall_time_.count());
    }
    write_results(directory, report_, std::move(facts), case_as_run, summary());
}

CheckReport check_case(const std::string& file) {
    const io::Document document = read_case_file(file, {});
    const Problem& problem = problem_of(document);
    const InputEcho echo = given_case(document)->echo();
    CheckReport report;
    for (const models::KeyFigure& figure : echo.figures) {
        report.words += fmt::format("    {:<32} {}\n", figure.quantity, models::to_text(figure));
    }
    for (const io::PlainNumber& number : numbers_read_as_si(document, problem.describe().keys)) {
        report.words += fmt::format("    read as SI: {} = {}\n", number.key,
                                    core::with_unit(number.value, number.unit));
    }
    for (const core::Violation& doubt : echo.doubts) {
        report.warnings.push_back(to_warning(doubt));
    }
    return report;
}

RunReport solve_case(const io::Document& document, int threads, bool quiet) {
    RunReport report;
    const RunOptions options{threads, quiet, core::interrupted, nullptr};
    report.outcome = given_case(document)->solve(options);
    if (report.outcome.ending != Ending::interrupted) {
        report.verdicts = hold_against(report.outcome);
    }
    return report;
}

namespace {

/// The problem must have items that can be shared out if it `is_shared`, and be one for many
/// processes if there are.
void check_sharing(const RunRequest& request, const io::Document& document, bool is_shared) {
    const Problem& problem = problem_of(document);
    if (request.ranks > 1 && !problem.has_ranks) {
        throw core::InputError(
            {{request.case_file,
              0,
              0,
              {"problem", std::string(problem.name),
               fmt::format("is computed in one process; mpirun started {}", request.ranks),
               problem.has_shards ? "start it without mpirun; --shard k/N spreads it over machines"
                                  : "start it without mpirun"}}});
    }
    if (is_shared) refuse_unshared(problem, request.case_file);
}

/// The settings that were typed, and that of the table of measurements.
std::vector<std::string> all_settings(const RunRequest& request) {
    std::vector<std::string> settings = request.settings;
    if (request.experiment.empty()) return settings;
    settings.push_back("experiment='");
    for (const char sign : request.experiment)
        settings.back() += sign == '\'' ? "''" : std::string(1, sign);
    settings.back() += '\'';
    return settings;
}

/// A case on its way to a run directory.
struct Work {
    const RunRequest& request;
    std::vector<std::string> notes;  // on keys that `--set` left out
    CaseRun run;
    io::RunDirectory directory;  // once all is known that could refuse the case
    bool has_report = true;

    Work(const RunRequest& asked, const std::string& folder, bool is_shared)
        : request(asked), run(accepted(asked, is_shared, notes)), directory(folder) {
        if (!request.force) run.identity().refuse_others(directory);
    }

    /// The case file, if its problem can be shared out as is asked for.
    static CaseRun accepted(const RunRequest& asked, bool is_shared,
                            std::vector<std::string>& notes) {
        io::Document document = read_case_file(asked.case_file, all_settings(asked), &notes);
        return under_settings(asked.case_file, asked.settings, [&] {
            check_sharing(asked, document, is_shared);
            return CaseRun(std::move(document), asked.converge);
        });
    }

    void solve(io::Checkpoint& checkpoint, const Shard& shard) {
        run.solve(
            {request.threads, request.quiet, core::interrupted, &checkpoint, shard, request.ranks});
    }

    RunReport report(bool is_shard) const {
        RunReport report = run.report();
        report.directory = directory.path();
        report.is_shard = is_shard;
        report.has_report = has_report;
        if (!is_shard && report.outcome.ending != Ending::interrupted)
            report.summary = run.summary();
        return report;
    }

    /// Errors: core::InputError if a problem that can be shared out has one item only in this case.
    void refuse_single() const {
        const Outcome& outcome = run.report().outcome;
        if (outcome.item_count > 0 || outcome.ending == Ending::interrupted) return;
        throw core::InputError(
            {{request.case_file,
              0,
              0,
              {"problem", outcome.header.problem,
               "cannot be divided into parts in this case, which has nothing to share",
               "a case of " + shared_problems() +
                   " can if it has many items, as by `over`, `sweep` or `locations`"}}});
    }

    /// Results, figures and report of a run that came to its end. The checkpoint goes last: a run
    /// that is stopped while its report is drawn need not be computed again.
    void finish(io::Checkpoint& checkpoint) {
        run.conclude(notes);
        run.write(directory);
        const core::StopScope::Stop stop = core::interrupted;
        const core::StopScope scope(&stop);
        try {
            write_report(directory.path());
        } catch (const core::Stopped&) {
            has_report = false;
            return;
        }
        checkpoint.remove();
    }
};

Shard shard_asked_for(const RunRequest& request) {
    return request.shard.empty() ? Shard{} : shard_of(request.shard);
}

std::string directory_of(const RunRequest& request, const Shard& shard) {
    if (!request.directory.empty()) return request.directory;
    const std::string whole =
        default_directory(request.case_file) + (request.converge ? "_convergence" : "");
    return shard.is_whole() ? whole : fmt::format("{}_{}_of_{}", whole, shard.number, shard.count);
}

constexpr io::Checkpoint::Advice advice_of_merge{
    "give merge the same case and the same --set as the parts", "compute this part again"};

[[noreturn]] void refuse(const std::string& place, std::string rule, std::string hint) {
    throw core::InputError({{place, 0, 0, {"", "", std::move(rule), std::move(hint)}}});
}

/// The results that `run --shard` keeps in a directory.
std::string part_in(const std::string& directory) {
    const std::filesystem::path part = std::filesystem::path(directory) / io::checkpoint_name;
    std::error_code ignored;
    if (!std::filesystem::exists(directory, ignored))
        refuse(directory, "there is no such directory", "");
    if (!std::filesystem::exists(part, ignored)) {
        refuse(directory, fmt::format("holds no part: there is no {} in it", io::checkpoint_name),
               "a finished run is not a part; `stoss run CASE.yaml --shard k/N` writes one; a part "
               "that was killed in its first 5 s keeps nothing");
    }
    return part.string();
}

}  // namespace

std::string run_directory_of(const RunRequest& request) {
    return directory_of(request, shard_asked_for(request));
}

bool has_nothing_to_resume(const RunRequest& request) {
    const std::filesystem::path directory(run_directory_of(request));
    std::error_code ignored;
    return request.resume && !std::filesystem::exists(directory / io::checkpoint_name, ignored);
}

RunReport run(const RunRequest& request) {
    const Shard shard = shard_asked_for(request);
    const bool is_shard = !request.shard.empty();
    Work work(request, directory_of(request, shard), is_shard);
    io::Checkpoint checkpoint(work.directory.file(io::checkpoint_name), work.run.identity().text(),
                              request.resume);
    work.solve(checkpoint, shard);
    if (is_shard) work.refuse_single();
    if (is_shard || work.run.report().outcome.ending == Ending::interrupted) {
        checkpoint.save();
    } else {
        work.finish(checkpoint);
    }
    return work.report(is_shard);
}

RunReport merge(const RunRequest& request, const std::vector<std::string>& shards) {
    std::error_code ignored;
    if (std::filesystem::is_directory(request.case_file, ignored))
        refuse(request.case_file, "is a directory, and the case file comes first",
               "write `stoss merge CASE.yaml DIRECTORY ...`");
    const std::string directory = directory_of(request, {});
    std::vector<std::string> parts;
    for (const std::string& shard : shards) parts.push_back(part_in(shard));
    Work work(request, directory, true);
    for (const std::string& shard : shards) {
        if (std::filesystem::equivalent(shard, directory, ignored))
            refuse(directory, "is one of the parts, which the merge would replace",
                   "give a directory of its own with -o");
    }
    io::Checkpoint checkpoint(work.directory.file(io::checkpoint_name), work.run.identity().text(),
                              false);
    for (const std::string& part : parts) checkpoint.take(part, advice_of_merge);
    work.solve(checkpoint, {0, 1});
    work.refuse_single();
    const Outcome& outcome = work.run.report().outcome;
    if (outcome.ending == Ending::interrupted) {
        if (core::interrupted()) throw core::Stopped();
        refuse(request.case_file,
               fmt::format("{} of {} {} are in these directories; give all parts",
                           outcome.items_done, outcome.item_count, outcome.items),
               "a part that was stopped goes on with `stoss run CASE.yaml --shard k/N --resume`");
    }
    work.finish(checkpoint);
    return work.report(false);
}

std::string closing_words(const RunReport& report) {
    std::string text = headlines(report.outcome) + printed_table(report.outcome);
    std::size_t passed = 0;
    for (const Verdict& verdict : report.verdicts) {
        passed += verdict.passed;
        if (verdict.passed) continue;
        text += fmt::format("  not as expected: {}: {} instead of {} +- {}\n", subject(verdict),
                            core::to_text(verdict.computed.value_or(io::no_number)),
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
