#include <solvers/app/one_line.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <solvers/app/results.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/stiffness_unit.hpp>

namespace stoss::solvers {

namespace {

/// Last part of a dotted path.
std::string_view leaf(std::string_view path) {
    return path.substr(path.rfind('.') + 1);
}

[[noreturn]] void refuse_argument(const std::string& command, const std::string& argument,
                                  std::string rule, std::string hint = {}) {
    throw core::InputError({{command, 0, 0, {argument, "", std::move(rule), std::move(hint)}}});
}

bool ends_with_path(std::string_view path, std::string_view name) {
    return path.size() > name.size() && path.ends_with(name) &&
           path[path.size() - name.size() - 1] == '.';
}

/// The path that a key of the command line means: its whole path, or its last parts.
std::string path_of(const std::string& command, const std::string& name,
                    const std::vector<std::string>& paths) {
    if (std::find(paths.begin(), paths.end(), name) != paths.end()) return name;
    // A mapping that may be given by the name of a preset, such as a material.
    const auto is_inside = [&](const std::string& path) { return path.starts_with(name + "."); };
    if (std::any_of(paths.begin(), paths.end(), is_inside)) return name;
    std::vector<std::string> meant, leaves;
    for (const std::string& path : paths) {
        const bool is_meant = ends_with_path(path, name);
        if (is_meant && std::find(meant.begin(), meant.end(), path) == meant.end())
            meant.push_back(path);
        leaves.emplace_back(leaf(path));
    }
    if (meant.size() == 1) return meant.front();
    if (!meant.empty())
        refuse_argument(command, "--" + name, "may mean " + core::listed(meant),
                        "write one of them");
    const auto nearest = core::nearest_word(name, leaves);
    refuse_argument(command, "--" + name, "is not a key of this problem",
                    nearest ? "did you mean `--" + *nearest + "`?" : "`stoss describe` lists them");
}

/// Paths of all keys that take a list.
std::vector<std::string> list_keys(const std::vector<io::KeyDescription>& keys,
                                   const std::string& prefix = "") {
    using Kind = io::ValueDescription::Kind;
    std::vector<std::string> paths;
    const auto append = [&](const std::vector<io::KeyDescription>& inner, const std::string& path) {
        const auto more = list_keys(inner, path);
        paths.insert(paths.end(), more.begin(), more.end());
    };
    for (const io::KeyDescription& key : keys) {
        const std::string path = prefix + key.key;
        for (const io::Choice& choice : key.value.choices) append(choice.keys, prefix);
        if (key.value.kind == Kind::mapping) append(key.value.keys, path + ".");
        if (key.value.kind == Kind::sequence) paths.push_back(path);
    }
    return paths;
}

/// One `--key value` or `--key=value` of the command line.
struct Argument {
    std::string name, value;
};

std::vector<Argument> arguments_of(const std::string& command,
                                   const std::vector<std::string>& words) {
    std::vector<Argument> all;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string name = words[i];
        if (!name.starts_with("--"))
            refuse_argument(command, name, "wants a key before it, as in --mass 1");
        name.erase(0, 2);
        const std::size_t equals = name.find('=');
        if (equals != name.npos) {
            all.push_back({name.substr(0, equals), name.substr(equals + 1)});
        } else if (i + 1 < words.size()) {
            all.push_back({name, words[++i]});
        } else {
            refuse_argument(command, "--" + name, "wants a value after it");
        }
    }
    return all;
}

/// "0.3,0.5": the values between the commas.
io::Node list_of(const std::string& values) {
    io::Node list;
    list.kind = io::Node::Kind::sequence;
    for (std::size_t begin = 0; begin <= values.size();) {
        const std::size_t comma = std::min(values.find(',', begin), values.size());
        list.items.push_back(io::Node::text(values.substr(begin, comma - begin)));
        begin = comma + 1;
    }
    return list;
}

/// A list or a mapping as in a case file: [0, 1e-5], {youngs_modulus: 5 MPa}.
bool is_bracketed(const std::string& value) {
    return value.starts_with('[') || value.starts_with('{');
}

/// `sweep:` over the key of that path.
void add_sweep(const std::string& command, io::Document& document, const std::string& path,
               const Argument& argument) {
    if (const io::Node* const other = document.root.find("sweep"))
        refuse_argument(command, "--" + argument.name, "is a second key with several values",
                        "`" + other->find("key")->scalar + "` has some already");
    io::Node values = list_of(argument.value);
    document.root.set(path, values.items.front());
    document.root.set("sweep.key", io::Node::text(path));
    document.root.set("sweep.values", std::move(values));
}

io::Document document_of(const std::string& command, const Problem& problem,
                         const std::vector<std::string>& words) {
    io::Document document;
    document.file = command;
    document.root.kind = io::Node::Kind::mapping;
    document.root.set("problem", io::Node::text(std::string(problem.name)));
    const auto keys = problem.describe().keys;
    const auto lists = list_keys(keys);
    auto paths = single_keys(keys);
    paths.insert(paths.end(), lists.begin(), lists.end());
    std::set<std::string> given;
    for (const Argument& argument : arguments_of(command, words)) {
        const std::string& value = argument.value;
        const std::string path = path_of(command, argument.name, paths);
        if (!given.insert(path).second)
            refuse_argument(command, "--" + argument.name, "is given twice", "keep one of the two");
        if (is_bracketed(value))
            document.root.set(path, io::parse_yaml_value(value, command + " --" + argument.name));
        else if (std::find(lists.begin(), lists.end(), path) != lists.end())
            document.root.set(path, list_of(value));
        else if (value.find(',') != std::string::npos)
            add_sweep(command, document, path, argument);
        else
            document.root.set(path, io::Node::text(value));
    }
    return document;
}

/// N/m^1.5 in place of N/m^n.
std::string with_exponent(const std::string& unit, std::optional<double> exponent) {
    if (unit != io::stiffness_unit || !exponent) return unit;
    return *exponent == 1.0 ? "N/m" : "N/m^" + core::to_text(*exponent);
}

/// A line for each scalar: name, value, unit.
std::string lines_of(const io::Value& summary, std::optional<double> exponent) {
    std::string text;
    for (const auto& [key, value] : *summary.members()) {
        if (value.items() || value.members() || key == "place") continue;
        auto [name, unit] = core::split_unit(key);
        unit = with_exponent(unit, exponent);
        text += fmt::format("{:<18} {}{}{}\n", name, scalar_words(value, core::to_text),
                            unit.empty() ? "" : " ", unit);
    }
    return text;
}

std::string cell(const io::Column& column, std::size_t row) {
    if (const auto* const numbers = std::get_if<std::vector<double>>(&column.values))
        return std::isnan((*numbers)[row]) ? "-" : fmt::format("{:.6g}", (*numbers)[row]);
    if (const auto* const numbers = std::get_if<std::vector<std::int64_t>>(&column.values))
        return fmt::format("{}", (*numbers)[row]);
    return std::get<std::vector<std::string>>(column.values)[row];
}

/// A table as wide as its cells, units in the second line.
std::string lines_of(const io::Table& table, std::optional<double> exponent) {
    std::vector<std::vector<std::string>> lines(table.rows() + 2);
    for (const io::Column& column : table.columns) {
        const auto [name, unit] = core::split_unit(column.name);
        lines[0].push_back(name);
        lines[1].push_back(unit.empty() ? "-" : with_exponent(unit, exponent));
        for (std::size_t row = 0; row < table.rows(); ++row)
            lines[row + 2].push_back(cell(column, row));
    }
    std::string text;
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            std::size_t width = 0;
            for (const auto& each : lines) width = std::max(width, each[i].size());
            text += fmt::format("{:>{}}{}", line[i], width, i + 1 < line.size() ? "  " : "\n");
        }
    }
    return text;
}

/// What a terminal shows of an outcome.
std::string words_of(const Outcome& outcome) {
    const auto is_map = [](const auto& each) { return each.first == "map.csv"; };
    const auto map = std::ranges::find_if(outcome.tables, is_map);
    const bool is_table = map != outcome.tables.end() && map->second.rows() > 1;
    std::string text = is_table ? lines_of(map->second, outcome.exponent)
                                : lines_of(outcome.summary, outcome.exponent);
    const io::Value* const separation = outcome.summary.find("separation");
    if (is_table && separation != nullptr)
        text += fmt::format("\nseparation {}\n", *separation->text());
    for (const auto& [name, content] : outcome.files) text += "\n" + content;
    return text;
}

/// True if a comma of one number seems to be its decimal point.
bool is_decimal_comma(const std::string& value) {
    const std::size_t comma = value.find(',');
    if (is_bracketed(value) || value.find('.') != value.npos) return false;
    if (comma == value.npos || value.find(',', comma + 1) != value.npos) return false;
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    return comma > 0 && comma + 1 < value.size() && is_digit(value[comma - 1]) &&
           is_digit(value[comma + 1]);
}

/// Messages of a case file, in words for the command line: how to give the law, and what a comma
/// does.
[[noreturn]] void refuse_line(const core::InputError& error, const std::string& command,
                              const std::vector<std::string>& words) {
    std::vector<core::Diagnostic> diagnostics = error.diagnostics();
    const std::vector<Argument> arguments = arguments_of(command, words);
    const bool names_law = std::ranges::any_of(
        arguments, [](const Argument& each) { return leaf(each.name) == "law"; });
    for (core::Diagnostic& each : diagnostics) {
        core::Violation& violation = each.violation;
        const bool is_law = violation.key == "contact" || violation.key == "contact.law";
        if (is_law && !names_law)
            violation.suggestion = "give --law NAME; `stoss list laws` shows the names";
        const std::string key = violation.key.substr(0, violation.key.find('['));
        for (const Argument& argument : arguments) {
            const bool is_its = key == argument.name || ends_with_path(key, argument.name);
            if (!is_its || !is_decimal_comma(argument.value)) continue;
            std::string with_point = argument.value;
            with_point[with_point.find(',')] = '.';
            violation.suggestion =
                fmt::format("a comma separates several values; write {}", with_point);
        }
    }
    throw core::InputError(std::move(diagnostics));
}

std::unique_ptr<ReadCase> read_line(const Problem& problem, const std::string& command,
                                    const std::vector<std::string>& words) {
    try {
        return problem.read(document_of(command, problem, words));
    } catch (const core::InputError& error) {
        refuse_line(error, command, words);
    }
}

}  // namespace

LineResult solve_line(const std::string& command, const std::string& problem,
                      const std::vector<std::string>& arguments, bool as_json) {
    const auto all = problems();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Problem& each) { return each.name == problem; });
    const std::unique_ptr<ReadCase> read = read_line(*found, command, arguments);
    RunOptions options;
    options.quiet = true;
    options.stop = core::interrupted;
    const core::StopScope scope(&options.stop);  // nothing is printed of a stopped line
    const Outcome outcome = read->solve(options);
    if (outcome.ending == Ending::interrupted) throw core::Stopped();
    if (outcome.ending == Ending::numerical_failure)
        throw core::NumericalError(command + ": " + core::listed(outcome.warnings, "and"));
    return {as_json ? io::to_json(outcome.summary) : words_of(outcome), outcome.warnings};
}

}  // namespace stoss::solvers
