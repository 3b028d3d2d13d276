/// The command `stoss`. Only what is typed and printed is here; the work is in solvers/.

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
#include <postproc/report.hpp>
#include <solvers/catalogue.hpp>
#include <solvers/problem.hpp>
#include <solvers/run.hpp>
#include <solvers/verify.hpp>
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
    std::vector<std::string> paths;
    std::string name;
    std::string markdown;
    int threads = 0;
};

/// Words on standard error. That they cannot be written there must not change how the run ends.
void tell(const std::string& words) {
    std::fputs(words.c_str(), stderr);
}

using Action = std::function<int(const Arguments&)>;

int run(const Arguments& arguments) {
    const solvers::RunReport report = solvers::run(arguments.request);
    for (const std::string& warning : report.outcome.warnings) {
        tell(fmt::format("warning: {}\n", warning));
    }
    if (report.outcome.ending == solvers::Ending::interrupted) {
        tell(fmt::format(
            "interrupted: {} of {} collisions are done and kept in {}; add --resume to go on\n",
            report.outcome.rows_done, report.outcome.rows, report.directory));
        return interrupted;
    }
    if (!arguments.request.quiet) fmt::print("{}", solvers::closing_words(report));
    if (report.outcome.ending == solvers::Ending::numerical_failure) return numerical_failure;
    return solvers::all_passed(report.verdicts) ? done : expectation_failed;
}

int check(const Arguments& arguments) {
    int code = done;
    for (const std::string& file : arguments.paths) {
        try {
            const io::Document document = solvers::read_case_file(file, {});
            solvers::problem_of(document).check(document);
            fmt::print("{}: ok\n", file);
        } catch (const core::InputError& error) {
            tell(fmt::format("{}\n", error.what()));
            code = bad_input;
        } catch (const std::runtime_error& error) {
            tell(fmt::format("error: {}\n", error.what()));
            code = bad_input;
        }
    }
    return code;
}

int verify(const Arguments& arguments) {
    std::vector<solvers::Verified> all;
    std::size_t passed = 0;
    for (const std::string& file : solvers::find_cases(arguments.paths)) {
        all.push_back(solvers::verify(file, arguments.threads));
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
    postproc::write_report(arguments.name);
    fmt::print("report: {}\n", (std::filesystem::path(arguments.name) / "report.html").string());
    return done;
}

int print(const std::string& text) {
    fmt::print("{}", text);
    return done;
}

void declare_run(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("run", "solve a case; results, figures and report go into a directory");
    solvers::RunRequest& request = arguments.request;
    command->add_option("case", request.case_file, "the case file (YAML)")->required();
    command->add_option("-o,--output", request.directory, "run directory (default: runs/<case>)");
    command->add_option("--set", request.settings, "change a key of the case; may be repeated")
        ->type_name("KEY.PATH=VALUE")
        ->allow_extra_args(false);
    command->add_option("--threads", request.threads, "number of threads (default: all cores)")
        ->check(CLI::Range(1, 4096));
    command->add_flag("--resume", request.resume, "go on with an interrupted run");
    command->add_flag("--quiet", request.quiet, "no progress, no closing lines");
    command->callback([&action] { action = run; });
}

void declare_check_and_verify(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const check_command =
        app.add_subcommand("check", "validate cases without running them");
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
    CLI::App* const list = app.add_subcommand("list", "list laws, problems or schemes");
    list->add_option("what", arguments.name, "laws, problems or schemes")
        ->required()
        ->check(CLI::IsMember({"laws", "problems", "schemes"}));
    list->callback([&action] {
        action = [](const Arguments& given) { return print(solvers::list(given.name)); };
    });

    CLI::App* const describe =
        app.add_subcommand("describe", "the keys of a problem, law or scheme");
    describe->add_option("name", arguments.name, "a name that `stoss list` gives")->required();
    describe->callback([&action] {
        action = [](const Arguments& given) { return print(solvers::describe(given.name)); };
    });

    CLI::App* const schema = app.add_subcommand("schema", "JSON Schema of case files, for editors");
    schema->callback(
        [&action] { action = [](const Arguments&) { return print(solvers::schema()); }; });
}

void declare_report(CLI::App& app, Arguments& arguments, Action& action) {
    CLI::App* const command =
        app.add_subcommand("report", "draw the figures and write report.html of a run again");
    command->add_option("directory", arguments.name, "run directory")->required();
    command->callback([&action] { action = report; });
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
        tell(fmt::format("error: standard output cannot be written: {}\n", std::strerror(errno)));
        return bad_input;
    } catch (const core::InputError& error) {
        tell(fmt::format("{}\n", error.what()));
        return bad_input;
    } catch (const core::NumericalError& error) {
        tell(fmt::format("error: {}\n", error.what()));
        return numerical_failure;
    } catch (const std::exception& error) {
        tell(fmt::format("error: {}\n", error.what()));
        return bad_input;
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Stoss: two bodies collide, what happens?", "stoss");
    app.set_version_flag("--version", fmt::format("stoss {} ({})", io::version(), io::commit()));
    app.require_subcommand(1);
    Arguments arguments;
    Action action;
    declare_run(app, arguments, action);
    declare_check_and_verify(app, arguments, action);
    declare_catalogue(app, arguments, action);
    declare_report(app, arguments, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (const std::string words = unknown_command(app, argc, argv); !words.empty()) {
            tell(words);
            return bad_input;
        }
        return app.exit(error) == 0 ? done : bad_input;
    }
    return act(action, arguments);
}
