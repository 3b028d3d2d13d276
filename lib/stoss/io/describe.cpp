#include <stoss/io/describe.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace stoss::io {
namespace {

using Kind = ValueDescription::Kind;
constexpr std::size_t columns = 5;
using Row = std::array<std::string, columns>;

bool is_number(const ValueDescription& value) {
    return value.kind == Kind::number || value.kind == Kind::integer;
}

std::string kind_words(const ValueDescription& value) {
    std::string words;
    switch (value.kind) {
        case Kind::number:
            words = value.unit.empty() ? "number" : value.unit;
            if (value.may_be_length) words += " or m";
            break;
        case Kind::integer:
            words = "whole number";
            break;
        case Kind::boolean:
            words = "true or false";
            break;
        case Kind::text:
            words = "text";
            break;
        case Kind::choice:
            words = "choice";
            break;
        case Kind::mapping:
            words = value.names.empty() ? "mapping" : "mapping or name";
            break;
        case Kind::sequence:
            words = value.items.front().kind == Kind::mapping
                        ? "list of mappings"
                        : "list of " + kind_words(value.items.front());
            break;
    }
    return value.other_word.empty() ? words : words + " or " + value.other_word;
}

std::string range_column(const ValueDescription& value) {
    if (value.kind == Kind::sequence) return range_column(value.items.front());
    if (!is_number(value)) return "";
    const bool is_bounded = std::isfinite(value.range.low) || std::isfinite(value.range.high);
    return is_bounded ? range_words(value.range, "") : "";
}

std::string default_column(const KeyDescription& key) {
    if (key.is_required) return "required";
    return key.default_value ? to_yaml_line(*key.default_value) : "";
}

void add_rows(const std::vector<KeyDescription>& keys, std::size_t indent, std::vector<Row>& rows);

void add_choices(const std::string& key, const ValueDescription& value, std::size_t indent,
                 std::vector<Row>& rows) {
    for (const Choice& choice : value.choices) {
        rows.push_back(
            {std::string(indent, ' ') + key + ": " + choice.name, "", "", "", choice.meaning});
        add_rows(choice.keys, indent + 2, rows);
    }
}

void add_rows(const std::vector<KeyDescription>& keys, std::size_t indent, std::vector<Row>& rows) {
    for (const KeyDescription& key : keys) {
        rows.push_back({std::string(indent, ' ') + key.key, kind_words(key.value),
                        range_column(key.value), default_column(key), key.meaning});
        const ValueDescription& value =
            key.value.kind == Kind::sequence ? key.value.items.front() : key.value;
        add_choices(key.key, value, indent + 2, rows);
        add_rows(value.keys, indent + 2, rows);
    }
}

}  // namespace

std::string_view to_string(Kind kind) {
    constexpr std::array<std::string_view, 7> names{"number", "integer", "boolean", "text",
                                                    "choice", "mapping", "sequence"};
    return names[static_cast<std::size_t>(kind)];
}

std::string to_table(const std::vector<KeyDescription>& keys) {
    std::vector<Row> rows{{"key", "kind or unit", "range", "default", "meaning"}};
    add_rows(keys, 0, rows);
    std::array<std::size_t, columns> widths{};
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string table;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < columns; ++i) {
            line += row[i];
            if (i + 1 < columns) line.append(widths[i] - row[i].size() + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        table += line + '\n';
    }
    return table;
}

}  // namespace stoss::io
