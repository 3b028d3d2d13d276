#include <solvers/app/settings.hpp>

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <solvers/app/catalogue.hpp>
#include <solvers/app/key_guide.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/shortened.hpp>

namespace stoss::solvers {

namespace {

using Keys = std::vector<io::KeyDescription>;

constexpr std::size_t longest_setting = 100;  // in a message

/// What messages call a setting.
std::string name_of(const std::string& setting) {
    return "--set " + core::shortened(setting, longest_setting);
}

std::string path_of(const std::string& setting) {
    return setting.substr(0, setting.find('='));
}

/// True if `inner` is the key at `path`, or a part of it.
bool is_within(const std::string& inner, const std::string& path) {
    if (!inner.starts_with(path)) return false;
    return inner.size() == path.size() || inner[path.size()] == '.' || inner[path.size()] == '[';
}

/// True if a setting is of the key at `path`, or of a part of it.
bool is_of(const std::string& setting, const std::string& path) {
    return is_within(path_of(setting), path);
}

[[noreturn]] void refuse_setting(const std::string& setting, std::string rule,
                                 std::string suggestion) {
    throw core::InputError({{"",
                             0,
                             0,
                             {"--set", core::shortened(setting, longest_setting), std::move(rule),
                              std::move(suggestion)}}});
}

void set_key(io::Document& document, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
        refuse_setting(setting, "must be written key.path=value", "");
    if (is_of(setting, "expect")) {
        refuse_setting(setting,
                       "cannot be set: what a case expects is not compared with results of "
                       "changed keys",
                       "write it into the case");
    }
    document.root.set(path_of(setting),
                      io::parse_yaml_value(setting.substr(equals + 1), name_of(setting)));
}

/// A mapping of the case, and the keys that it may have.
struct Mapping {
    io::Node* node;
    Keys keys;
};

/// The mapping that holds the key at a path; no node if there is none.
Mapping mapping_around(io::Document& document, Keys keys, std::string_view path) {
    Mapping found{&document.root, std::move(keys)};
    for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
        const io::KeyDescription* const key = key_named(found.keys, path.substr(0, dot));
        found.node = found.node->find(path.substr(0, dot));
        if (key == nullptr || found.node == nullptr) return {nullptr, {}};
        found.keys = Keys(key->value.keys);
        path.remove_prefix(dot + 1);
    }
    return found;
}

/// Keys of the alternatives, and of the choices among these.
void add_keys(const Keys& keys, std::set<std::string>& names) {
    for (const io::KeyDescription& key : keys) {
        names.insert(key.key);
        for (const io::Choice& choice : key.value.choices) add_keys(choice.keys, names);
    }
}

/// The keys that only other alternatives than `chosen` have.
std::set<std::string> keys_of_others(const io::KeyDescription& key, const std::string& chosen,
                                     const Keys& beside) {
    std::set<std::string> others, own;
    for (const io::KeyDescription& each : beside) own.insert(each.key);
    for (const io::Choice& choice : key.value.choices)
        add_keys(choice.keys, choice.name == chosen ? own : others);
    for (const std::string& name : own) others.erase(name);
    return others;
}

/// Leaves out what belongs to the alternative that a setting replaced.
void leave_out_others(io::Document& document, const Keys& keys, const std::string& setting,
                      const std::vector<std::string>& settings, std::vector<std::string>& notes) {
    const std::string path = path_of(setting);
    const std::size_t dot = path.rfind('.');
    const std::string before = dot == path.npos ? "" : path.substr(0, dot + 1);
    const std::string name = path.substr(before.size());
    const Mapping mapping = mapping_around(document, keys, path);
    const io::KeyDescription* const key = key_named(mapping.keys, name);
    if (mapping.node == nullptr || key == nullptr || key->value.choices.empty()) return;
    const io::Node* const chosen = mapping.node->find(name);
    if (chosen == nullptr) return;
    const auto others = keys_of_others(*key, chosen->scalar, mapping.keys);
    std::erase_if(mapping.node->entries, [&](const io::Node::Entry& entry) {
        const std::string full = before + entry.key;
        const bool is_set = std::ranges::any_of(
            settings, [&](const std::string& each) { return is_of(each, full); });
        if (!others.contains(entry.key) || is_set) return false;
        notes.push_back(fmt::format("{}: {} is left out, it belongs to another {}",
                                    name_of(setting), full, name));
        return true;
    });
}

}  // namespace

std::vector<std::string> apply_settings(io::Document& document,
                                        const std::vector<std::string>& settings) {
    std::vector<std::string> notes;
    for (const std::string& setting : settings) set_key(document, setting);
    const io::Node* const problem = document.root.find("problem");
    if (settings.empty() || problem == nullptr) return notes;
    const Keys keys = description_of(std::string(problem_of(document).name)).keys;
    for (const std::string& setting : settings)
        leave_out_others(document, keys, setting, settings, notes);
    return notes;
}

core::InputError named_by_settings(const core::InputError& error, const std::string& file,
                                   const std::vector<std::string>& settings) {
    std::vector<core::Diagnostic> named = error.diagnostics();
    for (core::Diagnostic& each : named) {
        if (each.file != file) continue;
        for (const std::string& setting : settings) {
            if (!is_within(each.violation.key, path_of(setting))) continue;
            each.file = name_of(setting);
            each.line = 0;
        }
    }
    return core::InputError(std::move(named));
}

}  // namespace stoss::solvers
