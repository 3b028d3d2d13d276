#include <solvers/app/conformance.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <models/conformance.hpp>
#include <postproc/experiment/columns.hpp>
#include <solvers/app/program_inputs.hpp>
#include <solvers/app/results.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/process.hpp>

namespace stoss::solvers {

namespace {

using models::ConformanceParameters;
using models::ConformanceQuestion;
using Questions = std::vector<ConformanceQuestion>;
using Answers = std::map<std::size_t, double>;  // e by the number of the question

constexpr const char* command_name = "stoss conformance";
constexpr std::chrono::minutes longest{10};  // of one program; each takes seconds
constexpr const char* own_title = "Stoss";

[[noreturn]] void refuse(std::string key, std::string value, std::string rule, std::string hint) {
    throw core::InputError(
        {{command_name,
          0,
          0,
          {std::move(key), std::move(value), std::move(rule), std::move(hint)}}});
}

const AskedProgram* find_asked(std::string_view name) {
    for (const AskedProgram& each : asked_programs())
        if (each.name == name) return &each;
    return nullptr;
}

void check(const ConformanceRequest& request) {
    if (!request.answers.empty()) {
        if (request.programs.size() != 1)
            refuse("--answers", request.answers, "are those of one program", "give one --program");
        if (request.programs.front() == own_title)
            refuse("--program", own_title, "is Stoss itself, which answers too",
                   "give the answers another name");
        return;
    }
    std::vector<std::string> names;
    for (const AskedProgram& each : asked_programs()) names.emplace_back(each.name);
    for (const std::string& name : request.programs) {
        if (find_asked(name) != nullptr) continue;
        const auto nearest = core::nearest_word(name, names);
        refuse("--program", name, "must be " + core::listed(names),
               nearest ? "did you mean `" + *nearest + "`?"
                       : "for another program give its answers with --answers FILE");
    }
}

/// The questions that the program can be asked, with its parameters.
std::vector<PutQuestion> put_to(const AskedProgram& program, const Questions& questions) {
    const models::OtherProgram& calibrated = models::program_of(program.parameters);
    std::vector<PutQuestion> put;
    for (const ConformanceQuestion& each : questions) {
        if (each.parameters == ConformanceParameters::own) {
            put.push_back({each, {}});
            continue;
        }
        if (auto parameters = models::calibrated_parameters(each, calibrated, program.target))
            put.push_back({each, std::move(*parameters)});
    }
    return put;
}

std::string log_of(const AskedProgram& program) {
    return fmt::format("{}.log", program.name);
}

/// Runs the program in the directory; its words go to NAME.log there.
void run_program(const AskedProgram& program, const io::RunDirectory& directory) {
    std::istringstream command{std::string(program.command)};
    io::Program asked{.words = {std::istream_iterator<std::string>(command), {}},
                      .out = directory.file(log_of(program)),
                      .directory = directory.path(),
                      .longest = longest};
    const io::ProgramEnd end = io::run(asked);
    if (end.code == 127)
        refuse("--program", std::string(program.name), "is not installed",
               fmt::format("apt install {}", program.package));
    const auto fail = [&](const std::string& how) {
        throw core::NumericalError(
            fmt::format("{} {}; its output: {}", program.title, how, asked.out));
    };
    if (end.took_longer) fail(fmt::format("is not done after {} minutes", longest.count()));
    if (end.signal != 0) fail(fmt::format("was ended by signal {}", end.signal));
    if (end.code != 0) fail(fmt::format("failed with code {}", end.code));
}

/// The lines "answer NUMBER GAP VELOCITY" of a program.
Answers read_answers(const std::string& words, const Questions& questions) {
    Answers answers;
    std::istringstream lines(words);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        std::string first;
        std::size_t number = 0;
        double gap = 0.0, velocity = 0.0;
        if (!(cells >> first >> number >> gap >> velocity) || first != "answer") continue;
        if (number == 0 || number > questions.size()) continue;
        answers[number] = models::restitution_seen(questions[number - 1], gap, velocity);
    }
    return answers;
}

Answers ask(const AskedProgram& program, const Questions& questions,
            const io::RunDirectory& directory) {
    const std::vector<PutQuestion> put = put_to(program, questions);
    directory.write(program.input, program.script(put));
    run_program(program, directory);
    const std::string log = directory.file(log_of(program));
    Answers answers = read_answers(io::read_text(log), questions);
    if (answers.size() == put.size()) return answers;
    throw core::NumericalError(fmt::format("{} answered {} of {} questions; its output: {}",
                                           program.title, answers.size(), put.size(), log));
}

/// The column of that name in a table of answers.
postproc::ColumnPlace answer_column(const io::CellTable& table, std::string_view name) {
    const postproc::ColumnKind kind{name, name, {{"", {name}}}};
    const auto found = postproc::find_column(table, kind, {}, "");
    if (!found) postproc::refuse_missing_column(table, kind, "");
    return *found;
}

/// The answers of any program: columns `question` and `cor`. Refuses all rows that are wrong at
/// once.
Answers answers_of_table(const std::string& file, const Questions& questions) {
    const io::CellTable table = io::read_cells(file);
    const auto question = answer_column(table, "question"), answer = answer_column(table, "cor");
    Answers answers;
    std::vector<core::Diagnostic> problems;
    for (const io::CellTable::Row& row : table.rows) {
        const auto refuse_cell = [&](const postproc::ColumnPlace& place, std::string rule) {
            problems.push_back(
                {file,
                 row.line,
                 row.columns[place.index],
                 {table.names[place.index], row.cells[place.index], std::move(rule), ""}});
        };
        const auto number = postproc::read_cell(table, row, question, problems);
        if (row.cells.size() != table.names.size()) continue;  // it was said of the row
        const auto cor = postproc::read_cell(table, row, answer, problems);
        if (cor && !(*cor >= 0.0)) refuse_cell(answer, "must be 0 or more");
        if (!number) continue;
        if (!(*number >= 1.0 && *number <= static_cast<double>(questions.size())) ||
            *number != std::floor(*number)) {
            refuse_cell(question,
                        fmt::format("must be a whole number from 1 to {}", questions.size()));
        } else if (!answers.emplace(static_cast<std::size_t>(*number), cor.value_or(0.0)).second) {
            refuse_cell(question, "has two answers");
        }
    }
    if (!problems.empty()) throw core::InputError(std::move(problems));
    if (answers.empty()) refuse("--answers", file, "has no answer", "");
    return answers;
}

/// Warns of answers by which the ball gains energy, as where they are per cent.
std::vector<std::string> doubts(const Answers& answers) {
    const auto gains = [](const auto& answer) { return answer.second > 1.0; };
    const auto count = std::ranges::count_if(answers, gains);
    if (count == 0) return {};
    const auto first = std::ranges::find_if(answers, gains);
    return {
        fmt::format("{} of {} answers are above 1: the ball would gain energy; the first is {} "
                    "of question {}",
                    count, answers.size(), core::to_text(first->second), first->first)};
}

/// The questions with all that another program needs to answer them.
io::Table question_table(const Questions& questions) {
    io::Table table;
    const auto column = [&](const char* name, auto value) {
        std::vector<double> values;
        for (const ConformanceQuestion& each : questions) values.push_back(value(each));
        table.add(name, std::move(values));
    };
    std::vector<std::int64_t> numbers;
    std::vector<std::string> parameters;
    for (const ConformanceQuestion& each : questions) {
        numbers.push_back(static_cast<std::int64_t>(each.number));
        parameters.emplace_back(core::name_of(each.parameters));
    }
    table.add("question", std::move(numbers));
    table.add("parameters", std::move(parameters));
    column("cor_asked", [](const auto& q) { return q.cor; });
    column("speed_m_per_s", [](const auto& q) { return q.speed; });
    column("radius_m", [](const auto& q) { return q.radius; });
    column("gravity_m_per_s2", [](const auto& q) { return q.gravity; });
    column("density_kg_per_m3", [](const auto&) { return models::ConformanceBall::density; });
    column("youngs_modulus_Pa",
           [](const auto&) { return models::ConformanceBall::youngs_modulus; });
    column("poisson_ratio", [](const auto&) { return models::ConformanceBall::poisson_ratio; });
    return table;
}

struct Answered {
    std::string title;
    Answers answers;
};

std::vector<Answered> ask_all(const ConformanceRequest& request, const Questions& questions,
                              const io::RunDirectory& directory) {
    std::vector<Answered> all;
    for (const std::string& name : request.programs) {
        const AskedProgram& program = *find_asked(name);
        if (!request.quiet) fmt::print(stderr, "asking {} ...\n", program.title);
        all.push_back({std::string(program.title), ask(program, questions, directory)});
    }
    return all;
}

io::Table answer_table(const Questions& questions, const std::vector<Answered>& all) {
    io::Table table;
    std::vector<std::string> programs, parameters;
    std::vector<std::int64_t> numbers;
    std::vector<double> asked, speed, radius, gravity, given, difference;
    for (const Answered& each : all) {
        for (const auto& [number, cor] : each.answers) {
            const ConformanceQuestion& question = questions[number - 1];
            programs.push_back(each.title);
            numbers.push_back(static_cast<std::int64_t>(number));
            parameters.emplace_back(core::name_of(question.parameters));
            asked.push_back(question.cor);
            speed.push_back(question.speed);
            radius.push_back(question.radius);
            gravity.push_back(question.gravity);
            given.push_back(cor);
            difference.push_back(cor - question.cor);
        }
    }
    table.add("program", std::move(programs));
    table.add("question", std::move(numbers));
    table.add("parameters", std::move(parameters));
    table.add("cor_asked", std::move(asked));
    table.add("speed_m_per_s", std::move(speed));
    table.add("radius_m", std::move(radius));
    table.add("gravity_m_per_s2", std::move(gravity));
    table.add("cor_given", std::move(given));
    table.add("difference", std::move(difference));
    return table;
}

/// Of the answers to one kind of question.
struct Spread {
    double low = core::infinity, high = -core::infinity;
    double error = 0.0;  ///< largest |e given - e asked|
    std::size_t count = 0;

    void include(double cor, double asked) {
        low = std::min(low, cor);
        high = std::max(high, cor);
        error = std::max(error, std::abs(cor - asked));
        ++count;
    }
    std::string words() const {
        if (count == 0) return "–";
        if (high - low < 2e-3) return fmt::format("{:.4f}", 0.5 * (low + high));
        return fmt::format("{:.3f} to {:.3f}", low, high);
    }
};

Spread spread_of(const Questions& questions, const Answered& program, auto counts) {
    Spread spread;
    for (const auto& [number, cor] : program.answers) {
        const ConformanceQuestion& question = questions[number - 1];
        if (counts(question)) spread.include(cor, question.cor);
    }
    return spread;
}

std::string header(const std::string& first, const std::vector<Answered>& all) {
    std::string names = "| " + first + " |", rule = "|---|";
    for (const Answered& each : all) {
        names += fmt::format(" {} |", each.title);
        rule += "---|";
    }
    return names + "\n" + rule + "\n";
}

/// e given for each e asked, with the own coefficient of the programs.
std::string own_markdown(const Questions& questions, const std::vector<Answered>& all,
                         bool with_gravity) {
    std::string text = header("e asked", all);
    std::vector<double> asked;
    for (const ConformanceQuestion& each : questions)
        if (std::find(asked.begin(), asked.end(), each.cor) == asked.end())
            asked.push_back(each.cor);
    for (const double cor : asked) {
        text += fmt::format("| {} |", core::to_text(cor));
        for (const Answered& each : all) {
            const Spread spread = spread_of(questions, each, [&](const auto& question) {
                return question.parameters == ConformanceParameters::own && question.cor == cor &&
                       (question.gravity > 0.0) == with_gravity;
            });
            text += fmt::format(" {} |", spread.words());
        }
        text += "\n";
    }
    return text;
}

std::string error_markdown(const Questions& questions, const std::vector<Answered>& all) {
    std::string text = header("largest \\|e given - e asked\\|", all);
    for (const auto parameters : {ConformanceParameters::own, ConformanceParameters::calibrated}) {
        for (const bool with_gravity : {false, true}) {
            text += fmt::format("| {}, {} gravity |", core::name_of(parameters),
                                with_gravity ? "with" : "without");
            const auto is_meant = [&](const ConformanceQuestion& question) {
                return question.parameters == parameters &&
                       (question.gravity > 0.0) == with_gravity;
            };
            const auto asked = std::ranges::count_if(questions, is_meant);
            for (const Answered& each : all) {
                const Spread spread = spread_of(questions, each, is_meant);
                text += spread.count == 0 ? " – |"
                                          : fmt::format(" {:.1e} ({} of {}) |", spread.error,
                                                        spread.count, asked);
            }
            text += "\n";
        }
    }
    return text;
}

std::string markdown(const Questions& questions, const std::vector<Answered>& all) {
    return "e given with the own coefficient of each program, without gravity:\n\n" +
           own_markdown(questions, all, false) + "\nThe same with gravity (9.81 m/s^2):\n\n" +
           own_markdown(questions, all, true) +
           "\nLargest error, and how many questions were answered:\n\n" +
           error_markdown(questions, all);
}

void add_errors(io::Value& summary, const Questions& questions, const Answered& program) {
    io::Value entry = io::Value::object();
    entry.set("program", program.title).set("answers", program.answers.size());
    for (const auto parameters : {ConformanceParameters::own, ConformanceParameters::calibrated}) {
        const Spread spread = spread_of(questions, program, [&](const auto& question) {
            return question.parameters == parameters;
        });
        if (spread.count > 0)
            entry.set(fmt::format("cor_error_max_{}", core::name_of(parameters)), spread.error);
    }
    summary.append(std::move(entry));
}

}  // namespace

Done conformance(const ConformanceRequest& request) {
    check(request);
    const Questions questions = models::conformance_questions();
    std::vector<Answered> all;
    std::vector<std::string> warnings;
    if (!request.answers.empty()) {
        all.push_back({request.programs.front(), answers_of_table(request.answers, questions)});
        warnings = doubts(all.back().answers);
    }
    const io::RunDirectory directory(request.directory.empty() ? "runs/conformance"
                                                               : request.directory);
    begin(directory, 1);
    const io::Table question_rows = question_table(questions);
    directory.write("questions.csv", io::to_csv(question_rows));
    if (request.answers.empty()) all = ask_all(request, questions, directory);
    Answered own{own_title, {}};
    for (const ConformanceQuestion& each : questions)
        own.answers[each.number] = models::own_answer(each);
    all.push_back(std::move(own));

    Results results{"conformance", "Restitution asked for and given", io::Value::object(), {}};
    io::Value programs = io::Value::array();
    for (const Answered& each : all) add_errors(programs, questions, each);
    results.summary.set("questions", questions.size());
    results.summary.set("steps_per_contact_time", conformance_steps);
    results.summary.set("programs", std::move(programs));
    results.tables.emplace_back("questions.csv", question_rows);
    results.tables.emplace_back("answers.csv", answer_table(questions, all));
    const std::string text = markdown(questions, all);
    directory.write("conformance.md", text);
    results.write(directory);
    return {text + places_of(directory.path()), std::move(warnings), true};
}

}  // namespace stoss::solvers
