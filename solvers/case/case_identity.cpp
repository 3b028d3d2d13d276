#include <solvers/case/case_identity.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/column_mapping.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::solvers {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_value = 40;  // that a message shows

/// Without the keys that change no number.
io::Node numbers_of(io::Node root) {
    std::erase_if(root.entries, [](const io::Node::Entry& entry) {
        return entry.key == "title" || entry.key == "on_request" || entry.key == "not_shown" ||
               entry.key == "expect" || entry.key == "plot";
    });
    return root;
}

std::string joined(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + '.' + key;
}

/// A key whose values differ; "" where it is missing.
struct Difference {
    std::string key, there, here;
};

void add_differences(const io::Node& there, const io::Node& here, const std::string& path,
                     std::vector<Difference>& found) {
    using Kind = io::Node::Kind;
    if (io::same_tree(there, here)) return;
    if (there.kind == Kind::mapping && here.kind == Kind::mapping) {
        for (const auto& [key, mark, value] : there.entries) {
            const std::string its_path = joined(path, key);
            if (const io::Node* const other = here.find(key)) {
                add_differences(value, *other, its_path, found);
            } else {
                found.push_back({its_path, io::to_yaml_line(value), ""});
            }
        }
        for (const auto& [key, mark, value] : here.entries) {
            if (there.find(key) == nullptr)
                found.push_back({joined(path, key), "", io::to_yaml_line(value)});
        }
        return;
    }
    const bool item_by_item = there.kind == Kind::sequence && here.kind == Kind::sequence &&
                              there.items.size() == here.items.size();
    if (!item_by_item) {
        found.push_back({path, io::to_yaml_line(there), io::to_yaml_line(here)});
        return;
    }
    for (std::size_t i = 0; i < here.items.size(); ++i) {
        add_differences(there.items[i], here.items[i], fmt::format("{}[{}]", path, i), found);
    }
}

/// The digest of a file, if there is one.
void add_input(const fs::path& file, const std::string& path, io::Value& inputs) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return;
    inputs.set(path, fmt::format("{:016x}", io::digest(io::read_text(file.string()))));
}

/// Digests of the files that a case names and of the mappings of their columns, each by the path of
/// its key.
void add_inputs(const io::Node& node, const fs::path& folder, const std::string& path,
                io::Value& inputs) {
    for (const io::Node::Entry& entry : node.entries) {
        add_inputs(entry.value, folder, joined(path, entry.key), inputs);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        add_inputs(node.items[i], folder, fmt::format("{}[{}]", path, i), inputs);
    }
    if (node.scalar.empty()) return;
    const std::string file = (folder / node.scalar).string();
    const std::string mapping = io::mapping_file_of(file);
    add_input(file, path, inputs);
    add_input(mapping, path + " (" + fs::path(mapping).filename().string() + ")", inputs);
}

/// Inputs as a tree, so that they are compared as a case is.
io::Node tree_of(const io::Value& inputs) {
    io::Node tree;
    tree.kind = io::Node::Kind::mapping;
    for (const auto& [path, digest] : *inputs.members()) {
        const std::string* const text = digest.text();
        tree.entries.push_back(
            {path, {}, io::Node::text("a file of digest " + (text ? *text : std::string()))});
    }
    return tree;
}

std::string words_of(const std::vector<Difference>& found) {
    const auto& [key, there, here] = found.front();
    const auto value = [](const std::string& text) { return text.empty() ? "missing" : text; };
    const bool is_short = there.size() <= longest_value && here.size() <= longest_value;
    std::string words =
        is_short ? fmt::format("{} is {} there and {} here", key, value(there), value(here))
                 : key + " is another";
    if (found.size() == 2) words += fmt::format(", and {} differs, too", found[1].key);
    if (found.size() > 2) words += fmt::format(", and {} more keys differ", found.size() - 1);
    return words;
}

[[noreturn]] void refuse(const io::RunDirectory& directory, std::string rule) {
    throw core::InputError({{directory.path(),
                             0,
                             0,
                             {"", "", std::move(rule),
                              "name another directory with -o, or replace what is there with "
                              "--force"}}});
}

/// What a finished run left in its directory.
struct Finished {
    io::Node decided;  ///< case.yaml
    io::Node asked;    ///< the same, with the keys that the case left to the run as they were
    io::Value inputs = io::Value::object();
    std::string command = "run";
};

Finished read_finished(const io::RunDirectory& directory) {
    Finished run;
    run.decided = run.asked = numbers_of(io::read_yaml(directory.file(io::case_name)).root);
    const io::Value facts = directory.provenance();
    const io::Value* const left_open = facts.find("left_open");
    if (left_open != nullptr && left_open->members() != nullptr) {
        for (const auto& [key, value] : *left_open->members()) {
            if (const std::string* const text = value.text())
                run.asked.set(key, io::parse_yaml_value(*text, io::provenance_name));
        }
    }
    const io::Value* const command = facts.find("command");
    if (command != nullptr && command->text() != nullptr) run.command = *command->text();
    const io::Value* const inputs = facts.find("inputs");
    if (inputs != nullptr && inputs->members() != nullptr) run.inputs = *inputs;
    return run;
}

}  // namespace

CaseIdentity::CaseIdentity(const io::Document& document, io::Node resolved, std::string command)
    : asked_(numbers_of(std::move(resolved))), command_(std::move(command)) {
    add_inputs(numbers_of(document.root), fs::path(document.file).parent_path(), "", inputs_);
}

std::string CaseIdentity::text() const {
    return io::to_yaml(asked_) + io::to_json(inputs_) + command_;
}

void CaseIdentity::add_to(io::Value& provenance, io::Node decided) const {
    provenance.set("command", command_);
    if (!inputs_.members()->empty()) provenance.set("inputs", inputs_);
    std::vector<Difference> chosen;
    add_differences(numbers_of(std::move(decided)), asked_, "", chosen);
    io::Value left_open = io::Value::object();
    for (const Difference& each : chosen) left_open.set(each.key, each.here);
    if (!chosen.empty()) provenance.set("left_open", std::move(left_open));
}

void CaseIdentity::refuse_others(const io::RunDirectory& directory) const {
    const auto kept = io::checkpointed_case(directory.file(io::checkpoint_name));
    if (kept && *kept != io::digest(text())) {
        refuse(directory, "holds an interrupted run of another case");
    }
    if (!directory.has(io::case_name)) {
        if (directory.has(io::summary_name))
            refuse(directory, "holds the results of another command");
        return;
    }
    Finished there;
    try {
        there = read_finished(directory);
    } catch (const std::runtime_error& error) {
        refuse(directory,
               fmt::format("holds results whose case cannot be read ({})", error.what()));
    }
    if (there.command != command_) refuse(directory, "holds the results of another command");
    std::vector<Difference> found;
    add_differences(tree_of(there.inputs), tree_of(inputs_), "", found);
    if (found.empty() && io::same_tree(there.decided, asked_)) return;
    add_differences(there.asked, asked_, "", found);
    if (!found.empty()) refuse(directory, "holds the results of another case: " + words_of(found));
}

}  // namespace stoss::solvers
