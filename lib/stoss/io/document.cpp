#include <stoss/io/document.hpp>

#include <charconv>
#include <cstddef>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <stoss/core/shortened.hpp>

namespace stoss::io {
namespace {

constexpr std::size_t longest_word = 60;  // bytes of a key or value in a message

// One step of a path: the name of a key or the index of an item.
using Step = std::variant<std::string_view, std::size_t>;

// Splits `beam.supports[0].x`; nullopt if that is no path.
std::optional<std::vector<Step>> path_steps(std::string_view path) {
    std::vector<Step> steps;
    std::size_t i = 0;
    bool key_follows = true;
    while (i < path.size() || key_follows) {
        if (key_follows) {
            const std::size_t end = std::min(path.find_first_of(".[", i), path.size());
            if (end == i) return std::nullopt;
            steps.emplace_back(path.substr(i, end - i));
            i = end;
            key_follows = false;
        } else if (path[i] == '.') {
            ++i;
            key_follows = true;
        } else if (path[i] == '[') {
            std::size_t index = 0;
            const char* const end = path.data() + path.size();
            const auto [stop, error] = std::from_chars(path.data() + i + 1, end, index);
            if (error != std::errc{} || stop == end || *stop != ']') return std::nullopt;
            steps.emplace_back(index);
            i = static_cast<std::size_t>(stop - path.data()) + 1;
        } else {
            return std::nullopt;
        }
    }
    return steps;
}

[[noreturn]] void refuse_path(std::string_view path, std::string rule, std::string suggestion) {
    throw core::InputError({core::Diagnostic{
        {}, 0, 0, {std::string(path), {}, std::move(rule), std::move(suggestion)}}});
}

Node& mapping_value(Node& node, std::string_view key, std::string_view path) {
    if (node.kind == Node::Kind::null) node.kind = Node::Kind::mapping;
    if (node.kind != Node::Kind::mapping) {
        const bool is_sequence = node.kind == Node::Kind::sequence;
        const std::string found =
            is_sequence
                ? "a sequence"
                : fmt::format("the single value `{}`", core::shortened(node.scalar, longest_word));
        refuse_path(path,
                    fmt::format("cannot be set: the value before `{}` is {}",
                                core::shortened(key, longest_word), found),
                    is_sequence ? "name an item by its index, as in `supports[0]`" : "");
    }
    if (Node* const found = node.find(key)) return *found;
    node.entries.push_back({std::string(key), {}, {}});
    return node.entries.back().value;
}

Node& sequence_item(Node& node, std::size_t index, std::string_view path) {
    if (node.kind != Node::Kind::sequence) {
        refuse_path(
            path,
            "cannot be set: there is no sequence to take item [" + std::to_string(index) + "] of",
            "set the whole sequence instead");
    }
    if (index >= node.items.size()) {
        refuse_path(path,
                    "cannot be set: item [" + std::to_string(index) +
                        "] does not exist, there are " + std::to_string(node.items.size()) +
                        " (counted from 0)",
                    "set the whole sequence instead");
    }
    return node.items[index];
}

}  // namespace

const Node* Node::find(std::string_view key) const {
    for (const Entry& entry : entries) {
        if (entry.key == key) return &entry.value;
    }
    return nullptr;
}

Node* Node::find(std::string_view key) {
    return const_cast<Node*>(std::as_const(*this).find(key));
}

void Node::set(std::string_view path, Node value) {
    const auto steps = path_steps(path);
    if (!steps) {
        refuse_path(path, "is not the path of a key",
                    "write the keys with points between them, as in `beam.length`");
    }
    Node* node = this;
    for (const Step& step : *steps) {
        if (const auto* key = std::get_if<std::string_view>(&step)) {
            node = &mapping_value(*node, *key, path);
        } else {
            node = &sequence_item(*node, std::get<std::size_t>(step), path);
        }
    }
    *node = std::move(value);
}

Node Node::text(std::string scalar) {
    Node node;
    node.kind = Kind::scalar;
    node.scalar = std::move(scalar);
    return node;
}

bool same_tree(const Node& a, const Node& b) {
    if (a.kind != b.kind || a.scalar != b.scalar || a.items.size() != b.items.size() ||
        a.entries.size() != b.entries.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.items.size(); ++i) {
        if (!same_tree(a.items[i], b.items[i])) return false;
    }
    for (std::size_t i = 0; i < a.entries.size(); ++i) {
        if (a.entries[i].key != b.entries[i].key) return false;
        if (!same_tree(a.entries[i].value, b.entries[i].value)) return false;
    }
    return true;
}

core::Diagnostic Document::locate(core::Violation violation) const {
    Mark place = root.mark;
    const Node* node = &root;
    for (const Step& step : path_steps(violation.key).value_or(std::vector<Step>{})) {
        const Node* next = nullptr;
        if (const auto* key = std::get_if<std::string_view>(&step)) {
            for (const Node::Entry& entry : node->entries) {
                if (entry.key != *key) continue;
                // A value on its own line is easier found by its key.
                place = entry.value.kind == Node::Kind::scalar ? entry.value.mark : entry.mark;
                next = &entry.value;
            }
        } else if (std::get<std::size_t>(step) < node->items.size()) {
            next = &node->items[std::get<std::size_t>(step)];
            place = next->mark;
        }
        if (next == nullptr) break;
        node = next;
    }
    return {file, place.line, place.column, std::move(violation)};
}

}  // namespace stoss::io
