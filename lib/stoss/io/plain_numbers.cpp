#include <stoss/io/plain_numbers.hpp>

#include <cmath>
#include <variant>

#include <stoss/io/stiffness_unit.hpp>

namespace stoss::io {

namespace {

using Kind = ValueDescription::Kind;

void add_mapping(const Node& mapping, const std::vector<KeyDescription>& keys,
                 const std::string& path, std::vector<PlainNumber>& numbers);

void add_value(const Node& node, const ValueDescription& value, const std::string& path,
               std::vector<PlainNumber>& numbers) {
    switch (value.kind) {
        case Kind::number:
            return add_plain_number(node, value.unit, path, numbers);
        case Kind::mapping:
            return add_mapping(node, value.keys, path + ".", numbers);
        case Kind::sequence:
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                add_value(node.items[i], value.items.front(), path + "[" + std::to_string(i) + "]",
                          numbers);
            }
            return;
        default:
            return;
    }
}

/// The name by which a mapping has a key: its own one or its other one.
const std::string& name_in(const Node& mapping, const KeyDescription& key) {
    const bool has_other = !key.other_name.empty() && mapping.find(key.other_name);
    return has_other ? key.other_name : key.key;
}

/// Keys of the chosen alternative are in the same mapping.
void add_alternative(const Node& mapping, const KeyDescription& key, const std::string& path,
                     std::vector<PlainNumber>& numbers) {
    const Node* const given = mapping.find(name_in(mapping, key));
    const Node* const name = given ? given : key.default_value ? &*key.default_value : nullptr;
    for (const Choice& choice : key.value.choices) {
        if (name && name->scalar == choice.name) add_mapping(mapping, choice.keys, path, numbers);
    }
}

void add_mapping(const Node& mapping, const std::vector<KeyDescription>& keys,
                 const std::string& path, std::vector<PlainNumber>& numbers) {
    for (const KeyDescription& key : keys) {
        const std::string& name = name_in(mapping, key);
        if (const Node* const node = mapping.find(name)) {
            add_value(*node, key.value, path + name, numbers);
        }
        if (key.value.kind == Kind::choice) add_alternative(mapping, key, path, numbers);
    }
}

}  // namespace

void add_plain_number(const Node& value, std::string_view si_unit, const std::string& path,
                      std::vector<PlainNumber>& numbers) {
    if (value.kind != Node::Kind::scalar || value.scalar.ends_with('%')) return;
    const auto parsed = parse_quantity(value.scalar, "");
    const double* const number = std::get_if<double>(&parsed);
    if (number == nullptr || *number == 0.0 || !std::isfinite(*number)) return;
    if (takes_units(si_unit)) numbers.push_back({path, *number, std::string(si_unit)});
}

std::vector<PlainNumber> plain_numbers(const Node& mapping,
                                       const std::vector<KeyDescription>& keys) {
    std::vector<PlainNumber> numbers;
    add_mapping(mapping, keys, "", numbers);
    return numbers;
}

}  // namespace stoss::io
