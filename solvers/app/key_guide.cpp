#include <solvers/app/key_guide.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/stiffness_unit.hpp>
#include <stoss/io/units.hpp>

namespace stoss::solvers {

namespace {

using Kind = io::ValueDescription::Kind;
using Keys = std::vector<io::KeyDescription>;

constexpr std::size_t widest_key = 26;
constexpr std::size_t most_names = 8;  // that a line lists

/// "a, b and c"; of long lists the first ones.
std::string few(std::vector<std::string> names, std::string_view joint) {
    if (names.size() <= most_names) return core::listed(names, joint);
    names.resize(most_names);
    return fmt::format("{}, ...", fmt::join(names, ", "));
}

std::string number_words(const io::ValueDescription& value) {
    const io::QuantityWords words = io::quantity_words(value.unit);
    std::string text = value.kind == Kind::integer ? "a whole number" : words.noun;
    const bool is_bounded = std::isfinite(value.range.low) || std::isfinite(value.range.high);
    if (is_bounded) text += ' ' + core::range_words(value.range, value.unit);
    if (value.kind == Kind::number && io::takes_units(value.unit))
        text += fmt::format(", such as \"{}\"", words.example);
    if (value.may_be_length) text += ", or a length";
    return text;
}

std::string mapping_words(const io::ValueDescription& value) {
    std::vector<std::string> names;
    for (const io::KeyDescription& key : value.keys) names.push_back(key.key);
    std::string text = "a mapping with " + few(names, "and");
    if (!value.names.empty()) text += ", or a name: " + few(value.names, "or");
    return text;
}

std::string choice_words(const io::ValueDescription& value) {
    std::vector<std::string> names;
    for (const io::Choice& choice : value.choices) names.push_back(choice.name);
    return few(names, "or");
}

/// The value, or an item of the list that it is.
const io::ValueDescription& item_of(const io::ValueDescription& value) {
    return value.kind == Kind::sequence ? item_of(value.items.front()) : value;
}

bool has_alternatives(const io::KeyDescription& key) {
    return std::ranges::any_of(key.value.choices,
                               [](const io::Choice& each) { return !each.keys.empty(); });
}

std::string need_words(const io::KeyDescription& key) {
    if (key.is_required) return "; required";
    if (!key.default_value) return {};
    const std::string text = io::to_yaml_line(*key.default_value);
    return text.empty() ? std::string() : "; default " + text;
}

std::string entry(const io::KeyDescription& key, std::size_t indent, std::size_t column,
                  std::size_t width) {
    const std::string blanks(indent, ' ');
    std::string head = blanks + key.key;
    head.append(column > head.size() ? column - head.size() : 1, ' ');
    std::string meaning = key.meaning;
    if (!key.other_name.empty()) meaning += fmt::format(" (or `{}`)", key.other_name);
    std::string value = value_words(key.value) + need_words(key);
    if (has_alternatives(key)) value += "; each has further keys";
    const std::string behind(column, ' ');
    return head + folded(meaning, column, width) + '\n' + behind + folded(value, column, width) +
           '\n';
}

/// Names of all keys that the mapping accepts.
void add_names(const Keys& keys, std::vector<std::string>& names) {
    for (const io::KeyDescription& key : keys) {
        names.push_back(key.key);
        for (const io::Choice& choice : item_of(key.value).choices) add_names(choice.keys, names);
    }
}

[[noreturn]] void refuse_step(const std::string& name, const Keys& keys, std::string_view step) {
    std::vector<std::string> names;
    add_names(keys, names);
    const auto nearest = core::nearest_word(step, names);
    std::string hint = names.empty() ? "there is nothing below it"
                                     : "the keys here are " + core::listed(names, "and");
    if (nearest) hint = "did you mean `" + *nearest + "`?";
    throw core::InputError({{"", 0, 0, {name, std::string(step), "is not a key here", hint}}});
}

std::string alternatives(const io::KeyDescription& key, std::size_t width) {
    std::string text;
    for (const io::Choice& choice : item_of(key.value).choices) {
        text += folded(fmt::format("{}: {}  {}", key.key, choice.name, choice.meaning), 4, width);
        text += '\n' + guide(choice.keys, 4, width);
    }
    return text;
}

}  // namespace

const io::KeyDescription* key_named(const Keys& keys, std::string_view name) {
    for (const io::KeyDescription& key : keys) {
        if (key.key == name || (!name.empty() && key.other_name == name)) return &key;
    }
    for (const io::KeyDescription& key : keys) {
        for (const io::Choice& choice : item_of(key.value).choices) {
            if (const io::KeyDescription* const found = key_named(choice.keys, name)) return found;
        }
    }
    return nullptr;
}

std::string value_words(const io::ValueDescription& value) {
    std::string words;
    switch (value.kind) {
        case Kind::number:
        case Kind::integer:
            words = number_words(value);
            break;
        case Kind::boolean:
            words = "true or false";
            break;
        case Kind::text:
            words = "a text";
            break;
        case Kind::choice:
            words = choice_words(value);
            break;
        case Kind::mapping:
            words = mapping_words(value);
            break;
        case Kind::sequence:
            words = "a list, each item " + value_words(value.items.front());
            break;
    }
    return value.other_word.empty() ? words : words + ", or " + value.other_word;
}

std::string folded(std::string_view text, std::size_t indent, std::size_t width) {
    const std::size_t room = std::max<std::size_t>(width > indent ? width - indent : 0, 24);
    std::string lines;
    while (text.size() > room) {
        std::size_t end = text.rfind(' ', room);
        if (end == text.npos || end == 0) end = text.find(' ', room);
        if (end == text.npos) break;
        lines += text.substr(0, end);
        lines += '\n' + std::string(indent, ' ');
        text.remove_prefix(end + 1);
    }
    return lines + std::string(text);
}

std::string guide(const Keys& keys, std::size_t indent, std::size_t width) {
    std::size_t longest = 0;
    for (const io::KeyDescription& key : keys) longest = std::max(longest, key.key.size());
    const std::size_t column = indent + std::min(longest, widest_key) + 2;
    std::string text;
    for (const io::KeyDescription& key : keys) text += entry(key, indent, column, width);
    return text;
}

std::string guide_at(const std::string& name, const Keys& keys, std::string_view path,
                     std::size_t width) {
    Keys level = keys;
    io::KeyDescription found;
    for (std::string_view rest = path; !rest.empty();) {
        const std::size_t dot = std::min(rest.find('.'), rest.size());
        const std::string_view step = rest.substr(0, std::min(rest.find('['), dot));
        const io::KeyDescription* const key = key_named(level, step);
        const auto& choices = item_of(found.value).choices;
        const auto choice = std::ranges::find(choices, step, &io::Choice::name);
        if (key != nullptr) {
            found = *key;
            level = item_of(found.value).keys;
            for (const io::Choice& each : item_of(found.value).choices)
                level.insert(level.end(), each.keys.begin(), each.keys.end());
        } else if (choice != choices.end()) {
            level = choice->keys;
            found.value.choices = {io::Choice(*choice)};
        } else {
            refuse_step(name, level, step);
        }
        rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
    std::string text = folded(fmt::format("{} {}: {}", name, path, found.meaning), 4, width) + '\n';
    text += "    " + folded(value_words(found.value) + need_words(found), 4, width) + "\n\n";
    return text + guide(item_of(found.value).keys, 2, width) + alternatives(found, width);
}

}  // namespace stoss::solvers
