#include <solvers/case/sweep.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <solvers/case/key_range.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/units.hpp>

namespace stoss::solvers {

namespace {

/// The description of a key by its path; nullptr if there is none or if it is not
/// a single value.
const io::KeyDescription* find_key(const std::vector<io::KeyDescription>& keys,
                                   std::string_view path) {
    const std::size_t end = path.find_first_of(".[");
    const std::string_view name = path.substr(0, end);
    for (const io::KeyDescription& key : keys) {
        const io::ValueDescription* value = &key.value;
        if (key.key == name || (key.other_name == name && !name.empty())) {
            std::string_view rest = end == path.npos ? "" : path.substr(end);
            if (rest.starts_with('[') && !value->items.empty() && rest.find(']') != rest.npos) {
                rest.remove_prefix(rest.find(']') + 1);
                value = &value->items.front();
            }
            if (rest.starts_with('.')) return find_key(value->keys, rest.substr(1));
            const bool single = rest.empty() &&
                                value->kind != io::ValueDescription::Kind::mapping &&
                                value->kind != io::ValueDescription::Kind::sequence;
            return single ? &key : nullptr;
        }
        // Keys of the alternatives of a choice are beside it.
        for (const io::Choice& choice : value->choices) {
            if (const io::KeyDescription* found = find_key(choice.keys, path)) return found;
        }
    }
    return nullptr;
}

/// Paths of all keys that have a single value, as `find_key` knows them.
std::vector<std::string> single_keys_below(const std::vector<io::KeyDescription>& keys,
                                           const std::string& prefix) {
    std::vector<std::string> paths;
    const auto append = [&](const std::vector<io::KeyDescription>& inner, const std::string& path) {
        const auto more = single_keys_below(inner, path);
        paths.insert(paths.end(), more.begin(), more.end());
    };
    for (const io::KeyDescription& key : keys) {
        const std::string path = prefix + key.key;
        for (const io::Choice& choice : key.value.choices) append(choice.keys, prefix);
        if (key.value.kind == io::ValueDescription::Kind::mapping) {
            append(key.value.keys, path + ".");
        } else if (key.value.kind == io::ValueDescription::Kind::sequence) {
            append(key.value.items.front().keys, path + "[0].");
        } else {
            paths.push_back(path);
        }
    }
    return paths;
}

/// Adds what is wrong with the case once it takes the swept value number `index`. `own` is what is
/// wrong with it without the sweep: that is reported once, at its place.
void add_problems(const io::Document& document, const Sweep& sweep, std::size_t index,
                  const std::vector<core::Violation>& own,
                  const std::vector<core::Violation>& violations, io::Problems& problems) {
    const core::Diagnostic place =
        document.locate({fmt::format("sweep.values[{}]", index), "", "", ""});
    for (core::Violation violation : violations) {
        if (std::find(own.begin(), own.end(), violation) == own.end()) {
            if (violation.key != sweep.key) {
                violation.rule += fmt::format(" (with {}: {})", sweep.key, sweep.values[index]);
            }
            problems.push_back({document.file, place.line, place.column, std::move(violation)});
        } else if (std::none_of(problems.begin(), problems.end(), [&](const auto& problem) {
                       return problem.violation == violation;
                   })) {
            problems.push_back(document.locate(std::move(violation)));
        }
    }
}

}  // namespace

std::vector<std::string> single_keys(const std::vector<io::KeyDescription>& keys) {
    return single_keys_below(keys, "");
}

std::string unit_of_key(const std::string& path, const std::vector<io::KeyDescription>& keys) {
    const io::KeyDescription* const key = find_key(keys, path);
    return key ? key->value.unit : "";
}

namespace {
constexpr std::string_view other_name_of = "is another name of";
}

bool is_other_name(const core::Violation& violation) {
    return violation.rule.starts_with(other_name_of);
}

std::vector<core::Violation> check_sweep(const Sweep& sweep,
                                         const std::vector<io::KeyDescription>& keys,
                                         std::string_view problem, std::string_view example) {
    std::vector<core::Violation> violations;
    if (sweep.values.empty()) {
        violations.push_back({"sweep.values", "[]", "must hold at least one value", ""});
    }
    const io::KeyDescription* const key = find_key(keys, sweep.key);
    if (key != nullptr && !key->other_name.empty() && sweep.key.ends_with(key->other_name)) {
        // The case that a run writes has the own names alone: a sweep of the other would be a
        // second value of the key there.
        violations.push_back(
            {"sweep.key", sweep.key,
             fmt::format("{} `{}`, which a sweep must name", other_name_of, key->key),
             fmt::format("write `{}`, here and where the case gives it", key->key)});
    }
    if (key == nullptr) {
        const auto nearest = core::nearest_word(sweep.key, single_keys(keys));
        violations.push_back(
            {"sweep.key", sweep.key, "is not a key with a single value",
             nearest ? "did you mean `" + *nearest + "`?"
                     : fmt::format("give the path of a key as `stoss describe {}` lists them, for "
                                   "example {}",
                                   problem, example)});
    }
    return violations;
}

void read_branches(
    const io::Document& document, const Sweep& sweep, const std::vector<core::Violation>& own,
    const std::function<std::vector<core::Violation>(const io::Document&, std::size_t)>& read) {
    io::Problems problems;
    // No branch reads the values of the others: the time would grow as their number squared.
    io::Document branch = document;
    io::Node* const given = branch.root.find("sweep");
    io::Node* const values = given ? given->find("values") : nullptr;
    if (values && values->items.size() > 1) values->items.resize(1);
    for (std::size_t i = 0; i < sweep.values.size(); ++i) {
        core::throw_if_stopped();
        std::vector<core::Violation> violations;
        try {
            io::Document changed = branch;
            changed.root.set(sweep.key, io::Node::text(sweep.values[i]));
            violations = read(changed, i);
        } catch (const core::InputError& error) {
            violations = core::violations_of(error);
        }
        add_problems(document, sweep, i, own, violations, problems);
    }
    io::throw_if_any(document, std::move(problems));
}

void add_sweep_column(io::Table& table, const Sweep& sweep,
                      const std::vector<io::KeyDescription>& keys, std::size_t rows_per_value) {
    const io::ValueDescription& value = find_key(keys, sweep.key)->value;
    const bool is_number = value.kind == io::ValueDescription::Kind::number ||
                           value.kind == io::ValueDescription::Kind::integer;
    std::vector<double> numbers;
    std::vector<std::string> words;
    for (const std::string& written : sweep.values) {
        const auto parsed = io::parse_quantity(written, value.unit);
        const double number =
            std::holds_alternative<double>(parsed) ? std::get<double>(parsed) : io::no_number;
        numbers.insert(numbers.end(), rows_per_value, number);
        words.insert(words.end(), rows_per_value, written);
    }
    if (is_number) {
        table.add(column_of(sweep.key, value.unit), std::move(numbers));
    } else {
        table.add(sweep.key, std::move(words));
    }
}

}  // namespace stoss::solvers
