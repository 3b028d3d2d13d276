/// The command `stoss`. Only what is typed and printed is here; the work is done elsewhere.

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <solvers/app/bundle.hpp>
#include <solvers/app/catalogue.hpp>
#include <solvers/app/command_pages.hpp>
#include <solvers/app/conformance.hpp>
#include <solvers/app/contacts.hpp>
#include <solvers/app/experiments.hpp>
#include <solvers/app/one_line.hpp>
#include <solvers/app/run.hpp>
#include <solvers/app/starting_case.hpp>
#include <solvers/app/verify.hpp>
#include <solvers/distributed/ranks.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/json.hpp>
#include <stoss/io/provenance.hpp>
#include <stoss/io/units.hpp>

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

/// All arguments of the command line.
struct Arguments {
    solvers::RunRequest request;
    solvers::EncoderRequest encoder;
    solvers::CompareRequest compare;
    solvers::ConformanceRequest conformance;
    solvers::ContactsRequest contacts;
    std::vector<std::string> paths;
    std::string name;
    std::string path;
    std::string markdown;
    std::vector<std::string> keys;
    bool as_json = false;
    postproc::FigureOptions figures;
    std::string width;
    std::string axes;
    bool bundle = false;
    bool all = false;
    int threads = 0;
};

/// Words on standard error. That they cannot be written there must not change how the run ends.
void print_message(const std::string& words) {
    std::fputs(words.c_str(), stderr);
}

using Action = std::function<int(const Arguments&)>;

/// With it as its core::StopScope an action is left in the middle after a signal.
const core::StopScope::Stop signalled = core::interrupted;

/// The last words on results that were written, and the exit code.
int close(const Arguments& arguments, const solvers::RunReport& report) {
    if (!report.has_report) {
        print_message(
            fmt::format("interrupted: the results are in {0}; `stoss report {0}` draws them\n",
                        report.directory));
        return interrupted;
    }
    if (arguments.as_json) {
        fmt::print("{}", io::to_json(report.summary));
    } else if (!arguments.request.quiet) {
        fmt::print("{}", solvers::closing_words(report));
    }
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
    const core::StopScope::Stop stop = core::interrupted;
    const core::StopScope scope(&stop);
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
        } catch (const core::Stopped&) {
            throw;
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

/// The width of figures in px of 1/96 inch, from a length with its unit.
double figure_width(const std::string& text) {
    constexpr double px_per_metre = 96.0 / 0.0254;
    const auto refuse = [&](const std::string& rule, const std::string& hint) {
        throw core::InputError({{"stoss report", 0, 0, {"--width", text, rule, hint}}});
    };
    const auto parsed = io::parse_quantity(text, "m");
    if (const auto* error = std::get_if<io::QuantityError>(&parsed)) {
        refuse(error->rule, error->suggestion);
    }
    const double width = std::get<double>(parsed) * px_per_metre;
    if (!(width >= postproc::least_figure_width && width <= postproc::largest_figure_width)) {
        refuse("must be from 53 mm to 1 m",
               "a column of a journal is \"90 mm\", a page \"180 mm\"");
    }
    return width;
}

int report(const Arguments& arguments) {
    postproc::FigureOptions figures = arguments.figures;
    if (!arguments.width.empty()) figures.width = figure_width(arguments.width);
    if (!arguments.axes.empty()) figures.scaled_axes = arguments.axes == "scaled";
    if (arguments.bundle) {
        fmt::print("bundle: {}\n", solvers::write_bundle(arguments.name));
        return done;
    }
    const core::StopScope scope(&signalled);
    solvers::write_report(arguments.name, figures);
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
    solvers::EncoderRequest request = arguments.encoder;
    request.stop = core::interrupted;
    const core::StopScope scope(&signalled);
    return end(solvers::encoder(request), request.quiet);
}

int compare(const Arguments& arguments) {
    solvers::CompareRequest request = arguments.compare;
    request.runs = arguments.paths;
    request.experiment = request.runs.back();
    request.runs.pop_back();
    request.stop = core::interrupted;
    const core::StopScope scope(&signalled);
    return end(solvers::compare(request), false);
}

int conformance(const Arguments& arguments) {
    const core::StopScope scope(&signalled);
    return end(solvers::conformance(arguments.conformance), false);
}

/// A run of the case with another table of measurements.
int fit(const Arguments& arguments) {
    const auto sets_problem = [](const std::string& each) { return each.starts_with("problem="); };
    if (std::ranges::none_of(arguments.request.settings, sets_problem))
        solvers::refuse_unless_fit(arguments.request.case_file);
    Arguments changed = arguments;
    solvers::RunRequest& request = changed.request;
    if (!std::filesystem::exists(arguments.paths.front()))
        throw core::InputError(
            {{arguments.paths.front(), 0, 0, {"", "", "there is no such file", ""}}});
    request.experiment = std::filesystem::absolute(arguments.paths.front()).string();
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

/// Letters in a line of the terminal; where there is none, as many as COLUMNS says, or 100.
std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char* const columns = std::getenv("COLUMNS");
    const long width = columns != nullptr ? std::strtol(columns, nullptr, 10) : 0;
    return width > 0 && width < 1000 ? static_cast<std::size_t>(width) : 100;
}

constexpr const char* changes_a_key = "change a key of the case; may be repeated";

/// Where the results go. An empty name, as of a shell variable that is not set, is none.
void declare_output(CLI::App& command, std::string& place, const std::string& words) {
    command.add_option("-o,--output", place, words)->check([](const std::string& name) {
        return std::string(name.empty() ? "the name is empty; give one, or leave the option out"
                                        : "");
    });
}

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

void declare_resume(CLI::App& command, solvers::RunRequest& request) {
    command.add_flag("--resume", request.resume, "go on with an interrupted run");
}

/// What `run` and `converge` share.
void declare_run_options(CLI::App& command, solvers::RunRequest& request,
                         const std::string& directory) {
    command.add_option("case", request.case_file, "the case file (YAML)")->required();
    declare_output(command, request.directory,
                   fmt::format("run directory (default: {})", directory));
    declare_settings(command, request, changes_a_key);
    declare_resume(command, request);
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
    command->add_flag("--json", arguments.as_json,
                      "print summary.json in place of the closing lines");
    command->callback([&action] { action = run; });
}

/// A run that studies the case.
void declare_converge(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(
        "converge",
        "convergence study of a struck beam: error of e by modes, elements and time steps");
    declare_run_options(*command, arguments.request, "runs/<case>_convergence");
    command->callback([&arguments, &action] {
        arguments.request.converge = true;
        action = run;
    });
}

void declare_merge(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(
        "merge", "join the parts of a case that `run --shard` wrote into one run");
    solvers::RunRequest& request = arguments.request;
    command->add_option("case", request.case_file, "the case file (YAML) of all parts")->required();
    command->add_option("directories", arguments.paths, "run directories of the parts")
        ->required()
        ->expected(1, 1'000'000);
    declare_output(*command, request.directory, "run directory (default: runs/<case>)");
    declare_settings(*command, request, "the same as for the parts; may be repeated");
    declare_force_and_quiet(*command, request);
    command->callback([&action] { action = merge; });
}

void declare_check_and_verify(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const check_command = app.add_subcommand(
        "check", "validate cases and show how they are understood, without running them");
    check_command->add_option("case", arguments.paths, "case files")->required();
    check_command->callback([&action] { action = check; });

    CLI::App* const verify_command =
        app.add_subcommand("verify", "run cases and compare their results with their `expect:`");
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

    CLI::App* const describe = app.add_subcommand(
        "describe", "show the keys of a problem, law, scheme or of encoder.yaml");
    describe->add_option("name", arguments.name, "a name that `stoss list` gives")->required();
    describe->add_option("path", arguments.path,
                         "a key, such as striker.shape, whose keys are shown");
    describe->add_flag("--all", arguments.all, "every key of every level, as one wide table");
    describe->callback([&action] {
        action = [](const Arguments& given) {
            return print(solvers::describe(given.name, given.path, {terminal_width(), given.all}));
        };
    });

    CLI::App* const schema = app.add_subcommand("schema", "JSON Schema of case files, for editors");
    schema->callback(
        [&action] { action = [](const Arguments&) { return print(solvers::schema()); }; });
}

void declare_new(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("new", "write a commented case of a problem as a start");
    command->add_option("problem", arguments.name, "a name that `stoss list problems` gives")
        ->required();
    command->add_option("file", arguments.path, "the case file (default: <problem>.stoss.yaml)");
    command->add_flag("--force", arguments.request.force, "replace an existing file");
    command->callback([&action] {
        action = [](const Arguments& given) {
            return print(solvers::write_starting_case(given.name, given.path, given.request.force));
        };
    });
}

void declare_contacts(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(
        "contacts", "solve the rigid contacts of a table (CSV), and write a table of the impulses");
    solvers::ContactsRequest& request = arguments.contacts;
    command
        ->add_option("table", request.table,
                     "table of contacts (CSV); `stoss describe rigid_contacts` names its columns")
        ->required();
    declare_output(*command, request.output, "table of the results (default: <table>_solved.csv)");
    command->add_option("--restitution", request.cor, "coefficient of restitution (default: none)")
        ->type_name("E");
    command->add_option("--hypothesis", request.hypothesis, "newton, poisson or stronge");
    command->add_option("--threads", request.threads, "number of threads (default: all cores)")
        ->check(CLI::Range(1, 4096));
    command->add_flag("--quiet", request.quiet, "no progress, no closing line");
    command->callback([&action] {
        action = [](const Arguments& given) {
            const std::string words = solvers::contacts(given.contacts);
            return given.contacts.quiet ? static_cast<int>(done) : print(words);
        };
    });
}

/// The names in the first column of `stoss list WHAT`.
std::vector<std::string> names_in_list(std::string_view what) {
    std::vector<std::string> names;
    for (std::string_view rest = what; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view name = rest.substr(0, std::min(rest.find(' '), end));
        if (!name.empty()) names.emplace_back(name);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
}

/// What the first argument of a command may be, if that is no file.
std::vector<std::string> words_of(const std::string& command) {
    if (command == "list") return {"laws", "problems", "schemes", "materials"};
    if (command == "completion") return solvers::completed_shells();
    if (command == "new") return names_in_list(solvers::list("problems"));
    std::vector<std::string> names;
    if (command != "describe") return names;
    for (const char* const what : {"problems", "laws", "schemes", "materials"}) {
        const auto more = names_in_list(solvers::list(what));
        names.insert(names.end(), more.begin(), more.end());
    }
    return names;
}

solvers::OptionPage page_of(const CLI::Option& option) {
    solvers::OptionPage page;
    for (const std::string& name : option.get_snames()) page.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) page.names.push_back("--" + name);
    if (page.names.empty()) {
        page.argument = option.get_name(true);
    } else if (option.get_items_expected_max() > 0) {
        page.argument = option.get_type_name();
    }
    page.meaning = option.get_description();
    return page;
}

std::vector<solvers::CommandPage> pages_of(const CLI::App& app) {
    std::vector<solvers::CommandPage> pages;
    for (const CLI::App* command : app.get_subcommands({})) {
        pages.push_back({command->get_name(), command->get_description(), {}, {}});
        pages.back().words = words_of(command->get_name());
        for (const CLI::Option* option : command->get_options())
            pages.back().options.push_back(page_of(*option));
    }
    return pages;
}

/// Manual page and completion, which know all commands.
void declare_pages(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const man = app.add_subcommand("man", "the manual page: stoss man | man -l -");
    man->callback([&app, &action] {
        action = [&app](const Arguments&) {
            return print(solvers::man_page(pages_of(app), io::version()));
        };
    });
    CLI::App* const shell =
        app.add_subcommand("completion", "a script that completes stoss in bash, zsh or fish");
    shell->add_option("shell", arguments.name, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember(solvers::completed_shells()));
    shell->callback([&app, &action] {
        action = [&app](const Arguments& given) {
            return print(solvers::completion(pages_of(app), given.name));
        };
    });
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
            const solvers::LineResult line =
                solvers::solve_line("stoss " + name, problem, given.keys, given.as_json);
            for (const std::string& warning : line.warnings)
                print_message(fmt::format("warning: {}\n", warning));
            return print(line.text);
        };
    });
}

void declare_report(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("report", "draw the figures and write report.html of a run again");
    command->add_option("directory", arguments.name, "run directory")->required();
    command->add_flag("--pdf", arguments.figures.pdf, "write each figure as PDF, too");
    command->add_flag("--png", arguments.figures.png, "write each figure as PNG, too: 300 dpi");
    command->add_option("--width", arguments.width,
                        "width of the figure files (default: \"90 mm\")");
    command->add_flag("--bundle", arguments.bundle,
                      "instead write DIRECTORY.tar: the case, the files it names, summary.json and "
                      "provenance.json, to report a bug");
    command
        ->add_option("--axes", arguments.axes,
                     "axes of the figures of beams: physical or scaled (default: as in the case)")
        ->check(CLI::IsMember({"physical", "scaled"}));
    command->callback([&action] { action = report; });
}

void declare_encoder(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(
        "encoder", "measure the impact in an encoder trace, or in a folder of them");
    solvers::EncoderRequest& request = arguments.encoder;
    command->add_option("input", request.input, "a trace (CSV), or a folder with manifest.csv")
        ->required();
    declare_output(*command, request.directory,
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
    flag("--quadrature", "quadrature", "count both edges of both channels, four a pulse");
    key("--rate", "sampling_rate", "HZ", "sampling rate of a trace without a column of time");
    key("--counter-range", "counter_range", "N",
        "number of counts after which the counter restarts at 0");
    key("--window", "window", "S",
        "longest motion that is fitted before and after the impact (default: 0.25 s)");
    key("--from", "from", "S", "ignore samples before this time");
    key("--to", "to", "S", "ignore samples after this time");
    flag("--skip-bad", "skip_bad", "leave out rows and traces that cannot be used");
    command->add_option("--threads", request.threads, "number of threads (default: all cores)")
        ->check(CLI::Range(1, 4096));
    command->add_flag("--quiet", request.quiet, "no progress, no closing lines");
    command->callback([&action] { action = encoder; });
}

/// "0.02", "2 %": writes the number itself. What is wrong with it; empty if nothing is.
std::string read_non_negative(std::string& text) {
    const auto quantity = io::parse_quantity(text, "");
    const double* const number = std::get_if<double>(&quantity);
    if (number == nullptr || !std::isfinite(*number) || *number < 0.0)
        return text + " must be a number of 0 or more, such as 0.02";
    text = core::to_text(*number);
    return "";
}

void declare_compare(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("compare", "compare computed with measured restitution");
    solvers::CompareRequest& request = arguments.compare;
    command
        ->add_option("files", arguments.paths,
                     "run directories, then the table of measurements (CSV)")
        ->required()
        ->expected(2, 1000);
    declare_output(*command, request.directory,
                   "directory of the results (default: runs/<experiment>_comparison)");
    command->add_option("--max-rmse", request.max_rmse, "exit with 1 if an RMSE is larger")
        ->transform(CLI::Validator(read_non_negative, "NUMBER"));
    command->add_flag("--skip-bad", request.skip_bad, "leave out rows that cannot be used");
    command->callback([&action] { action = compare; });
}

void declare_conformance(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command = app.add_subcommand(
        "conformance", "compare the restitution of other programs with the requested one");
    solvers::ConformanceRequest& request = arguments.conformance;
    command
        ->add_option("--program", request.programs,
                     "lammps, liggghts, yade, set apart by commas; or any name with --answers")
        ->required()
        ->delimiter(',');
    command
        ->add_option("--answers", request.answers,
                     "answers of another program to questions.csv (CSV: question, cor)")
        ->type_name("FILE");
    declare_output(*command, request.directory,
                   "directory of the results (default: runs/conformance)");
    command->add_flag("--quiet", request.quiet, "no progress");
    command->callback([&action] { action = conformance; });
}

void declare_fit(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("fit", "identify keys of a case from measured restitution");
    solvers::RunRequest& request = arguments.request;
    command->add_option("case", request.case_file, "a case with problem: beam_fit")->required();
    command->add_option("experiment", arguments.paths, "table of measurements (CSV)")
        ->required()
        ->expected(1);
    declare_output(*command, request.directory,
                   "directory of the results (default: runs/<experiment>_fit)");
    declare_settings(*command, request, changes_a_key);
    declare_resume(*command, request);
    declare_force_and_quiet(*command, request);
    command->callback([&action] { action = fit; });
}

constexpr const char* first_steps =
    "Stoss: two bodies collide, what happens?\n\n"
    "  stoss list problems           what can be computed\n"
    "  stoss new beam_impact_map     write a commented case to start from\n"
    "  stoss check CASE.yaml         say what is understood of a case\n"
    "  stoss run CASE.yaml           compute it: tables, figures, report\n"
    "  stoss describe PROBLEM [KEY]  explain the keys of a case\n\n"
    "`stoss --help` lists all commands, `stoss COMMAND --help` the options of one.\n";

/// What is wrong with a first word that is no command; empty if that is not the matter.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
    if (!app.get_subcommands().empty() || argc < 2 || argv[1][0] == '-') return {};
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    const auto nearest = core::nearest_word(argv[1], known);
    if (nearest)
        return fmt::format("error: {}: is not a command of stoss\n    hint: did you mean `{}`?\n",
                           argv[1], *nearest);
    return fmt::format("error: {}: is not a command of stoss; write {}\n", argv[1],
                       core::listed(known));
}

/// What is wrong with an option that the command does not have; empty if there is none.
std::string unknown_option(const CLI::App& app, const CLI::App& command) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
    for (const std::string& word : app.remaining(true)) {
        if (!word.starts_with("-")) continue;
        const std::string name = word.substr(0, word.find('='));
        const auto nearest = core::nearest_word(name, known);
        return fmt::format(
            "error: {0}: is not an option of stoss {1}\n    hint: {2}\n", name, command.get_name(),
            nearest ? fmt::format("did you mean `{}`?", *nearest)
                    : fmt::format("they are listed by `stoss {} --help`", command.get_name()));
    }
    return {};
}

/// What is wrong with the arguments of a command, and how to go on.
std::string wrong_arguments(const CLI::App& app, const CLI::ParseError& error) {
    if (app.get_subcommands().empty()) return fmt::format("error: {}\n", error.what());
    const CLI::App& command = *app.get_subcommands().front();
    std::string rule = error.what();
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
        if (std::string words = unknown_option(app, command); !words.empty()) return words;
        rule = fmt::format("there is no place for {}", core::listed(app.remaining(true), "and"));
    }
    for (const CLI::Option* option : command.get_options()) {
        if (rule == option->get_name() + " is required")
            rule =
                fmt::format("`{}` is missing: {}", option->get_name(), option->get_description());
    }
    return fmt::format(
        "error: stoss {0}: {1}\n    hint: `stoss {0} --help` shows what the command takes\n",
        command.get_name(), rule);
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
    } catch (const core::Stopped&) {
        print_message("interrupted\n");
        return interrupted;
    } catch (const std::bad_alloc&) {
        print_message(
            "error: there is not enough memory; what was saved is kept\n"
            "    hint: give the job more (`ulimit -v` shows its limit), or fewer threads\n");
        std::fflush(nullptr);
        std::_Exit(bad_input);  // threads of OpenBLAS that get no memory never end
    } catch (const std::exception& error) {
        print_message(fmt::format("error: {}\n", error.what()));
        return bad_input;
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a limit of file sizes (ulimit -f) then acts as a full disk
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
    declare_conformance(app, arguments, action);
    declare_new(app, arguments, action);
    declare_contacts(app, arguments, action);
    declare_pages(app, arguments, action);
    if (argc == 1) {
        print_message(first_steps);
        return bad_input;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (const std::string words = unknown_command(app, argc, argv); !words.empty()) {
            print_message(words);
            return bad_input;
        }
        if (error.get_exit_code() == 0) return app.exit(error);  // help or version
        print_message(wrong_arguments(app, error));
        return bad_input;
    }
    return act(action, arguments);
}
