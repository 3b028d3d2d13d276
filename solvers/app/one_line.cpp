#include <solvers/app/one_line.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <postproc/report/labels.hpp>
#include <solvers/case/sweep.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/text.hpp>

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

/// The path that a key of the command line means.
std::string path_of(const std::string& command, const std::string& name,
                    const std::vector<std::string>& paths) {
    if (std::find(paths.begin(), paths.end(), name) != paths.end()) return name;
    std::vector<std::string> meant, leaves;
    for (const std::string& path : paths) {
        if (leaf(path) == name && std::find(meant.begin(), meant.end(), path) == meant.end())
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

io::Document document_of(const std::string& command, const Problem& problem,
                         const std::vector<std::string>& arguments) {
    io::Document document;
    document.file = command;
    document.root.kind = io::Node::Kind::mapping;
    document.root.set("problem", io::Node::text(std::string(problem.name)));
    const auto keys = problem.describe().keys;
    const auto paths = single_keys(keys);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string name = arguments[i];
        if (!name.starts_with("--"))
            refuse_argument(command, name, "wants a key before it, as in --mass 1");
        name.erase(0, 2);
        const std::size_t equals = name.find('=');
        std::string value;
        if (equals != name.npos) {
            value = name.substr(equals + 1);
            name.erase(equals);
        } else if (i + 1 < arguments.size()) {
            value = arguments[++i];
        } else {
            refuse_argument(command, "--" + name, "wants a value after it");
        }
        const bool is_list = std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
            return key.key == name && key.value.kind == io::ValueDescription::Kind::sequence;
        });
        io::Node node = io::Node::text(value);
        if (is_list) {
            io::Node list;
            list.kind = io::Node::Kind::sequence;
            list.items.push_back(std::move(node));
            node = std::move(list);
        }
        document.root.set(is_list ? name : path_of(command, name, paths), std::move(node));
    }
    return document;
}

/// A line for each scalar: name, value, unit.
std::string lines_of(const io::Value& summary) {
    std::string text;
    for (const auto& [key, value] : *summary.members()) {
        if (value.items() || value.members() || key == "place") continue;
        const auto [name, unit] = postproc::split_unit(key);
        const std::string words = value.text() ? *value.text() : core::to_text(*value.number());
        text += fmt::format("{:<18} {}{}{}\n", name, words, unit.empty() ? "" : " ", unit);
    }
    return text;
}

}  // namespace

std::string solve_line(const std::string& command, const std::string& problem,
                       const std::vector<std::string>& arguments, bool as_json) {
    const auto all = problems();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Problem& each) { return each.name == problem; });
    const io::Document document = document_of(command, *found, arguments);
    RunOptions options;
    options.quiet = true;
    const Outcome outcome = found->read(document)->solve(options);
    if (outcome.ending == Ending::numerical_failure)
        throw core::NumericalError(command + ": " + core::listed(outcome.warnings, "and"));
    return as_json ? io::to_json(outcome.summary) : lines_of(outcome.summary);
}

}  // namespace stoss::solvers
