#pragma once
/// Values of JSON and trees of YAML, one as the other.

#include <string>
#include <vector>

#include <stoss/io/bind.hpp>
#include <stoss/io/json.hpp>

namespace stoss::lab {

using io::Node;
using io::Value;

/// On one line.
inline std::string text_of(const Value& value) {
    std::string text = io::to_json(value, 0);
    text.pop_back();
    return text;
}

inline Node to_node(const Value& value) {
    if (value.is_null()) return {};
    Node node;
    if (const auto* const items = value.items()) {
        node.kind = Node::Kind::sequence;
        for (const Value& item : *items) node.items.push_back(to_node(item));
    } else if (const auto* const members = value.members()) {
        node.kind = Node::Kind::mapping;
        for (const auto& [key, held] : *members) node.entries.push_back({key, {}, to_node(held)});
    } else {
        node = Node::text(value.text() != nullptr ? *value.text() : text_of(value));
    }
    return node;
}

inline Value to_value(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return {};
        case Node::Kind::scalar:
            return node.scalar;
        case Node::Kind::sequence: {
            Value items = Value::array();
            for (const Node& item : node.items) items.append(to_value(item));
            return items;
        }
        case Node::Kind::mapping:
            break;
    }
    Value mapping = Value::object();
    for (const auto& entry : node.entries) mapping.set(entry.key, to_value(entry.value));
    return mapping;
}

template <class Items, class Of>
Value list_of(const Items& items, Of of) {
    Value list = Value::array();
    for (const auto& item : items) list.append(of(item));
    return list;
}

inline Value numbers(const std::vector<double>& values) {
    return list_of(values, [](double each) { return Value(each); });
}

}  // namespace stoss::lab
