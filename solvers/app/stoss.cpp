/// The command `stoss`. Only what is typed and printed is here; the work is done elsewhere.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <solvers/app/catalogue.hpp>
#include <solvers/app/experiments.hpp>
#include <solvers/app/one_line.hpp>
#include <solvers/app/run.hpp>
#include <solvers/app/verify.hpp>
#include <solvers/distributed/ranks.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/provenance.hpp>

namespace {

using namespace stoss;

/// Exit codes, as README lists them.
enum Exit : int {
    done = 0,
    expectation_failed = 1,
    bad_input = 2,
    numerical_failure = 3,
    interrupted = 130
};

/// Everything that can stand on the command line.
struct Arguments {
    solvers::RunRequest request;
    solvers::EncoderRequest encoder;
    solvers::CompareRequest compare;
    std::vector<std::string> paths;
    std::string name;
    std::string markdown;
    std::vector<std::string> keys;
    bool as_json = false;
    bool with_pdf = false;
    int threads = 0;
};

/// Words on standard error. That they cannot be written there must not change how the run ends.
void print_message(const std::string& words) {
    std::fputs(words.c_str(), stderr);
}

using Action = std::function<int(const Arguments&)>;

/// The last words on results that were written, and the exit code.
int close(const Arguments& arguments, const solvers::RunReport& report) {
    if (!arguments.request.quiet) fmt::print("{}", solvers::closing_words(report));
    if (report.outcome.ending == solvers::Ending::numerical_failure) return numerical_failure;
    return solvers::all_passed(report.verdicts) ? done : expectation_failed;
}

int run(const Arguments& arguments) {
    if (solvers::has_nothing_to_resume(arguments.request)) {
        print_message(
            fmt::format("warning: {}: there is no interrupted run to resume; the run starts from "
                        "the beginning\n",
                        solvers::run_directory_of(arguments.request)));
    }
    const solvers::RunReport report = solvers::run(arguments.request);
    for (const std::string& warning : report.outcome.warnings) {
        print_message(fmt::format("warning: {}\n", warning));
    }
    if (report.is_shard && !core::interrupted()) {
        if (arguments.request.quiet) return done;
        fmt::print("part {}: {} of {} {} are kept in {}; `stoss merge` puts the parts together\n",
                   arguments.request.shard, report.outcome.items_done, report.outcome.item_count,
                   report.outcome.items, report.directory);
        return done;
    }
    if (report.outcome.ending == solvers::Ending::interrupted) {
        print_message(
            fmt::format("interrupted: {} of {} {} are done and kept in {}; add --resume to go on\n",
                        report.outcome.items_done, report.outcome.item_count, report.outcome.items,
                        report.directory));
        return interrupted;
    }
    return close(arguments, report);
}

int merge(const Arguments& arguments) {
    const solvers::RunReport report = solvers::merge(arguments.request, arguments.paths);
    for (const std::string& warning : report.outcome.warnings) {
        print_message(fmt::format("warning: {}\n", warning));
    }
    return close(arguments, report);
}

int check(const Arguments& arguments) {
    int code = done;
    for (const std::string& file : arguments.paths) {
        try {
            const solvers::CheckReport report = solvers::check_case(file);
            fmt::print("{}: ok\n{}", file, report.words);
            for (const std::string& warning : report.warnings) {
                print_message(fmt::format("warning: {}: {}\n", file, warning));
            }
        } catch (const core::InputError& error) {
            print_message(fmt::format("{}\n", error.what()));
            code = bad_input;
        } catch (const std::runtime_error& error) {
            print_message(fmt::format("error: {}\n", error.what()));
            code = bad_input;
        }
    }
    return code;
}

int verify(const Arguments& arguments) {
    std::vector<solvers::Verified> all;
    std::size_t passed = 0;
    for (const std::string& file : solvers::find_cases(arguments.paths)) {
        const bool named = std::find(arguments.paths.begin(), arguments.paths.end(), file) !=
                           arguments.paths.end();
        all.push_back(solvers::verify(file, arguments.threads, named));
        if (core::interrupted()) return interrupted;
        passed += all.back().passed();
        fmt::print("{}", solvers::to_text(all.back()));
        std::fflush(stdout);
    }
    if (!arguments.markdown.empty()) io::write_text(arguments.markdown, solvers::to_markdown(all));
    fmt::print("{} of {} cases show what they expect\n", passed, all.size());
    return passed == all.size() ? done : expectation_failed;
}

int report(const Arguments& arguments) {
    solvers::write_report(arguments.name, arguments.with_pdf);
    fmt::print("report: {}\n", (std::filesystem::path(arguments.name) / "report.html").string());
    return done;
}

int end(const solvers::Done& ended, bool quiet) {
    for (const std::string& warning : ended.warnings)
        print_message(fmt::format("warning: {}\n", warning));
    if (!quiet) fmt::print("{}", ended.words);
    return ended.passed ? done : expectation_failed;
}

int encoder(const Arguments& arguments) {
    return end(solvers::encoder(arguments.encoder), arguments.encoder.quiet);
}

int compare(const Arguments& arguments) {
    solvers::CompareRequest request = arguments.compare;
    request.runs = arguments.paths;
    request.experiment = request.runs.back();
    request.runs.pop_back();
    return end(solvers::compare(request), false);
}

/// A run of the case with another table of measurements.
int fit(const Arguments& arguments) {
    Arguments changed = arguments;
    solvers::RunRequest& request = changed.request;
    const std::string table = std::filesystem::absolute(arguments.paths.front()).string();
    request.settings.push_back(fmt::format("experiment={}", table));
    if (request.directory.empty()) {
        const std::string name = std::filesystem::path(arguments.paths.front()).stem().string();
        request.directory = (std::filesystem::path("runs") / (name + "_fit")).string();
    }
    return run(changed);
}

int print(const std::string& text) {
    fmt::print("{}", text);
    return done;
}

constexpr const char* changes_a_key = "change a key of the case; may be repeated";

/// How a case is computed. `words`: the help of --set.
void declare_settings(CLI::App& command, solvers::RunRequest& request, const char* words) {
    command.add_option("--set", request.settings, words)
        ->type_name("KEY.PATH=VALUE")
        ->allow_extra_args(false);
    command.add_option("--threads", request.threads, "number of threads (default: all cores)")
        ->check(CLI::Range(1, 4096));
}

void declare_force_and_quiet(CLI::App& command, solvers::RunRequest& request) {
    command.add_flag("--force", request.force,
                     "replace the results, or an interrupted run, of a different case");
    command.add_flag("--quiet", request.quiet, "no progress, no closing lines");
}

/// What `run` and `converge` share.
void declare_run_options(CLI::App& command, solvers::RunRequest& request,
                         const std::string& directory) {
    command.add_option("case", request.case_file, "the case file (YAML)")->required();
    command.add_option("-o,--output", request.directory,
                       fmt::format("run directory (default: {})", directory));
    declare_settings(command, request, changes_a_key);
    command.add_flag("--resume", request.resume, "go on with an interrupted run");
    declare_force_and_quiet(command, request);
}

void declare_run(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("run", "solve a case; results, figures and report go into a directory");
    declare_run_options(*command, arguments.request, "runs/<case>");
    command
        ->add_option("--shard", arguments.request.shard,
                     "only part k of N of a map, sweep or study")
        ->type_name("k/N");
    command->callback([&action] { action = run; });
}

/// A run that studies the case.
void declare_converge(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(
        "converge",
        "how well a case of a struck beam knows e: study of modes, elements and time steps");
    declare_run_options(*command, arguments.request, "runs/<case>_convergence");
    command->callback([&arguments, &action] {
        arguments.request.converge = true;
        action = run;
    });
}

void declare_merge(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(
        "merge", "put together the parts of a case that `run --shard` left, as one run of all");
    solvers::RunRequest& request = arguments.request;
    command->add_option("case", request.case_file, "the case file (YAML) of all parts")->required();
    command->add_option("directories", arguments.paths, "run directories of the parts")
        ->required()
        ->expected(1, 1'000'000);
    command->add_option("-o,--output", request.directory, "run directory (default: runs/<case>)");
    declare_settings(*command, request, "as it was for the parts; may be repeated");
    declare_force_and_quiet(*command, request);
    command->callback([&action] { action = merge; });
}

void declare_check_and_verify(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const check_command = app.add_subcommand(
        "check", "validate cases and say what was understood, without running them");
    check_command->add_option("case", arguments.paths, "case files")->required();
    check_command->callback([&action] { action = check; });

    CLI::App* const verify_command =
        app.add_subcommand("verify", "run cases and hold them against their `expect:`");
    verify_command->add_option("path", arguments.paths, "case files, or folders of them")
        ->required();
    verify_command->add_option("--markdown", arguments.markdown,
                               "also write the tables to this file");
    verify_command
        ->add_option("--threads", arguments.threads, "number of threads (default: all cores)")
        ->check(CLI::Range(1, 4096));
    verify_command->callback([&action] { action = verify; });
}

void declare_catalogue(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const list = app.add_subcommand("list", "list laws, problems, schemes or materials");
    list->add_option("what", arguments.name, "laws, problems, schemes or materials")
        ->required()
        ->check(CLI::IsMember({"laws", "problems", "schemes", "materials"}));
    list->callback([&action] {
        action = [](const Arguments& given) { return print(solvers::list(given.name)); };
    });

    CLI::App* const describe =
        app.add_subcommand("describe", "the keys of a problem, law, scheme or of encoder.yaml");
    describe->add_option("name", arguments.name, "a name that `stoss list` gives")->required();
    describe->callback([&action] {
        action = [](const Arguments& given) { return print(solvers::describe(given.name)); };
    });

    CLI::App* const schema = app.add_subcommand("schema", "JSON Schema of case files, for editors");
    schema->callback(
        [&action] { action = [](const Arguments&) { return print(solvers::schema()); }; });
}

/// `stoss cor` and `stoss calibrate`: the keys of a problem as `--key value`.
void declare_line(CLI::App& app, const std::string& name, const std::string& problem,
                  const std::string& meaning, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(name, meaning);
    command->allow_extras();
    command->add_flag("--json", arguments.as_json, "results as JSON");
    command->footer(fmt::format("Any key of `stoss describe {}` as --key value", problem));
    command->callback([=, &arguments, &action] {
        arguments.keys = command->remaining();
        action = [name, problem](const Arguments& given) {
            return print(solvers::solve_line("stoss " + name, problem, given.keys, given.as_json));
        };
    });
}

void declare_report(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("report", "draw the figures and write report.html of a run again");
    command->add_option("directory", arguments.name, "run directory")->required();
    command->add_flag("--pdf", arguments.with_pdf, "write each figure as PDF, too");
    command->callback([&action] { action = report; });
}

void declare_encoder(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(
        "encoder", "measure the impact in an encoder trace, or in a folder of them");
    solvers::EncoderRequest& request = arguments.encoder;
    command->add_option("input", request.input, "a trace (CSV), or a folder with manifest.csv")
        ->required();
    command->add_option("-o,--output", request.directory,
                        "directory of the results (default: runs/<input>_encoder)");
    // Each option is a key of encoder.yaml; messages about a value name that key.
    const auto key = [&](const char* name, const char* key, const char* type, const char* meaning) {
        command
            ->add_option_function<std::string>(
                name,
                [&request, key](const std::string& value) {
                    request.options.push_back(fmt::format("{}={}", key, value));
                },
                meaning)
            ->type_name(type);
    };
    const auto flag = [&](const char* name, const char* key, const char* meaning) {
        command->add_flag_callback(
            name, [&request, key] { request.options.push_back(fmt::format("{}=true", key)); },
            meaning);
    };
    key("--pulses", "pulses_per_revolution", "N", "pulses of one channel in one revolution");
    flag("--quadrature", "quadrature", "four counts a pulse");
    key("--rate", "sampling_rate", "HZ", "sampling rate of a trace without a column of time");
    key("--counter-range", "counter_range", "N", "counts after which the counter begins anew");
    key("--window", "window", "S", "longest motion fitted on either side (default: 0.25 s)");
    key("--from", "from", "S", "what is earlier does not count");
    key("--to", "to", "S", "what is later does not count");
    flag("--skip-bad", "skip_bad", "leave out rows and traces that cannot be used");
    command->add_option("--threads", request.threads, "number of threads (default: all cores)")
        ->check(CLI::Range(1, 4096));
    command->add_flag("--quiet", request.quiet, "no progress, no closing lines");
    command->callback([&action] { action = encoder; });
}

void declare_compare(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("compare", "hold computed restitution against measured");
    solvers::CompareRequest& request = arguments.compare;
    command
        ->add_option("files", arguments.paths,
                     "run directories, then the table of measurements (CSV)")
        ->required()
        ->expected(2, 1000);
    command->add_option("-o,--output", request.directory,
                        "directory of the results (default: runs/<experiment>_comparison)");
    command->add_option("--max-rmse", request.max_rmse, "exit with 1 if an RMSE is larger")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--skip-bad", request.skip_bad, "leave out rows that cannot be used");
    command->callback([&action] { action = compare; });
}

void declare_fit(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("fit", "find keys of a case from measured restitution");
    solvers::RunRequest& request = arguments.request;
    command->add_option("case", request.case_file, "a case with problem: beam_fit")->required();
    command->add_option("experiment", arguments.paths, "table of measurements (CSV)")
        ->required()
        ->expected(1);
    command->add_option("-o,--output", request.directory,
                        "directory of the results (default: runs/<experiment>_fit)");
    declare_settings(*command, request, changes_a_key);
    declare_force_and_quiet(*command, request);
    command->callback([&action] { action = fit; });
}

/// What is wrong with a first word that is no command; empty if that is not the matter.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
    if (!app.get_subcommands().empty() || argc < 2 || argv[1][0] == '-') return {};
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    const auto nearest = core::nearest_word(argv[1], known);
    return fmt::format("error: {}: is not a command of stoss; write {}\n{}", argv[1],
                       core::listed(known),
                       nearest ? "    hint: did you mean `" + *nearest + "`?\n" : "");
}

/// Does what was asked for; turns errors into words and exit codes.
int act(const Action& action, const Arguments& arguments) {
    const core::InterruptGuard guard;
    try {
        const int code = action(arguments);
        if (std::fflush(stdout) == 0) return code;
        print_message(
            fmt::format("error: standard output cannot be written: {}\n", std::strerror(errno)));
        return bad_input;
    } catch (const core::InputError& error) {
        print_message(fmt::format("{}\n", error.what()));
        return bad_input;
    } catch (const core::NumericalError& error) {
        print_message(fmt::format("error: {}\n", error.what()));
        return numerical_failure;
    } catch (const std::exception& error) {
        print_message(fmt::format("error: {}\n", error.what()));
        return bad_input;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const solvers::Ranks ranks;
    if (const std::string words = ranks.refusal(); !words.empty()) {
        if (ranks.is_first()) print_message(fmt::format("error: {}\n", words));
        return bad_input;
    }
    if (!ranks.is_first()) {
        ranks.follow();
        return done;
    }
    CLI::App app("Stoss: two bodies collide, what happens?", "stoss");
    app.set_version_flag("--version", fmt::format("stoss {} ({})\nbuilt with {}", io::version(),
                                                  io::commit(), io::libraries()));
    app.require_subcommand(1);
    Arguments arguments;
    arguments.request.ranks = ranks.count();
    Action action;
    declare_run(app, arguments, action);
    declare_converge(app, arguments, action);
    declare_merge(app, arguments, action);
    declare_check_and_verify(app, arguments, action);
    declare_catalogue(app, arguments, action);
    declare_report(app, arguments, action);
    declare_line(app, "cor", "restitution", "restitution of one impact", arguments, action);
    declare_line(app, "calibrate", "calibrate", "damping from a wanted restitution", arguments,
                 action);
    declare_encoder(app, arguments, action);
    declare_compare(app, arguments, action);
    declare_fit(app, arguments, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (const std::string words = unknown_command(app, argc, argv); !words.empty()) {
            print_message(words);
            return bad_input;
        }
        return app.exit(error) == 0 ? done : bad_input;
    }
    return act(action, arguments);
}
