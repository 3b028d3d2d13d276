// A tree as the text of a case.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include <stoss/io/document.hpp>

namespace stoss::io {
namespace {

bool is_null_word(std::string_view text) {
    return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

bool is_alphanumeric(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           static_cast<unsigned char>(c) >= 0x80;
}

// Plain style only for words, numbers and units: nothing that YAML may give a meaning to.
bool is_plain(std::string_view text) {
    if (is_null_word(text) || text.back() == ' ') return false;
    const char first = text.front();
    const char second = text.size() > 1 ? text[1] : ' ';
    const bool begins_a_number = (first == '-' || first == '+' || first == '.') &&
                                 (is_alphanumeric(second) || second == '.');
    const bool begins_a_word =
        is_alphanumeric(first) || first == '_' || first == '(' || first == '/';
    if ((!begins_a_number && !begins_a_word) || text.starts_with("..")) return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return is_alphanumeric(c) ||
               std::string_view(" _-+./^%()*'").find(c) != std::string_view::npos;
    });
}

std::string scalar_text(std::string_view text) {
    if (is_plain(text)) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += {'\\', c};
        } else if (c == '\n') {
            quoted += "\\n";
        } else if (c == '\t') {
            quoted += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\x%02X", static_cast<unsigned>(c));
            quoted += escape.data();
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

bool fits_a_line(const Node& node) {
    return (node.kind != Node::Kind::mapping && node.kind != Node::Kind::sequence) ||
           (node.items.empty() && node.entries.empty());
}

void write_mapping(const Node& node, std::size_t indent, bool indent_first, std::string& out);

void write_sequence(const Node& node, std::size_t indent, std::string& out) {
    for (const Node& item : node.items) {
        out.append(indent, ' ').append("- ");
        if (item.kind == Node::Kind::mapping && !item.entries.empty()) {
            write_mapping(item, indent + 2, false, out);
        } else {
            out += to_yaml_line(item) + '\n';
        }
    }
}

void write_mapping(const Node& node, std::size_t indent, bool indent_first, std::string& out) {
    bool indents = indent_first;
    for (const Node::Entry& entry : node.entries) {
        if (indents) out.append(indent, ' ');
        indents = true;
        out += scalar_text(entry.key) + ':';
        const Node& value = entry.value;
        const bool of_plain_items =
            value.kind == Node::Kind::sequence &&
            std::all_of(value.items.begin(), value.items.end(), fits_a_line);
        if (value.kind == Node::Kind::mapping && !value.entries.empty()) {
            out += '\n';
            write_mapping(value, indent + 2, true, out);
        } else if (value.kind == Node::Kind::sequence && !of_plain_items) {
            out += '\n';
            write_sequence(value, indent + 2, out);
        } else {
            out += ' ' + to_yaml_line(value) + '\n';
        }
    }
}

}  // namespace

std::string to_yaml(const Node& root) {
    std::string text;
    write_mapping(root, 0, true, text);
    return text.empty() ? "{}\n" : text;
}

std::string to_yaml_line(const Node& value) {
    switch (value.kind) {
        case Node::Kind::null:
            return "~";
        case Node::Kind::scalar:
            return scalar_text(value.scalar);
        case Node::Kind::sequence: {
            std::string text = "[";
            for (const Node& item : value.items) {
                if (text.size() > 1) text += ", ";
                text += to_yaml_line(item);
            }
            return text + "]";
        }
        case Node::Kind::mapping:
            break;
    }
    std::string text = "{";
    for (const Node::Entry& entry : value.entries) {
        if (text.size() > 1) text += ", ";
        text += scalar_text(entry.key) + ": " + to_yaml_line(entry.value);
    }
    return text + "}";
}

}  // namespace stoss::io
