#include <stoss/io/schema.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <variant>

namespace stoss::io {
namespace {

using Kind = ValueDescription::Kind;
using Keys = std::vector<KeyDescription>;

Value mapping_schema(const Keys& keys);

Value constant(std::string text) {
    return Value::object().set("const", std::move(text));
}

bool has_keys_of_its_own(const ValueDescription& value) {
    return value.kind == Kind::choice &&
           std::any_of(value.choices.begin(), value.choices.end(),
                       [](const Choice& c) { return !c.keys.empty(); });
}

// Every key that may stand in one mapping: its own and those of its alternatives.
void add_flat_keys(const Keys& keys, std::set<std::string>& flat) {
    for (const KeyDescription& key : keys) {
        flat.insert(key.key);
        for (const Choice& choice : key.value.choices) add_flat_keys(choice.keys, flat);
    }
}

Value bound(double limit, bool is_integer) {
    return is_integer ? Value(static_cast<std::int64_t>(limit)) : Value(limit);
}

Value plain_number_schema(const ValueDescription& value) {
    const bool is_integer = value.kind == Kind::integer;
    Value schema = Value::object().set("type", is_integer ? "integer" : "number");
    const core::Range& range = value.range;
    if (std::isfinite(range.low)) {
        schema.set(range.low_open ? "exclusiveMinimum" : "minimum", bound(range.low, is_integer));
    }
    if (std::isfinite(range.high)) {
        schema.set(range.high_open ? "exclusiveMaximum" : "maximum", bound(range.high, is_integer));
    }
    return schema;
}

// "12.7 mm", "1e-3", "5 %", "inf". A temperature may be negative in degrees Celsius.
std::string quantity_pattern(const ValueDescription& value) {
    const bool may_be_negative = value.range.low < 0.0 || value.unit == "K";
    const std::string sign = may_be_negative ? "[-+]?" : "\\+?";
    std::string number = R"(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?)";
    if (std::isinf(value.range.high) && !value.range.high_open) number = "(" + number + "|\\.?inf)";
    std::string unit = "( *%)?";
    if (value.may_be_length) unit = "( *(%|[a-zA-Z].*))?";
    if (!value.unit.empty()) unit = accepts_unit(value.unit) ? "( *([^-+0-9.,_ ]|1/|\\().*)?" : "";
    return "^ *" + sign + number + unit + " *$";
}

Value choice_schema(const ValueDescription& value) {
    Value names = Value::array();
    for (const Choice& choice : value.choices) {
        Value name = constant(choice.name);
        if (!choice.meaning.empty()) name.set("description", choice.meaning);
        names.append(std::move(name));
    }
    if (!value.other_word.empty()) names.append(constant(value.other_word));
    return Value::object().set("oneOf", std::move(names));
}

Value value_schema(const ValueDescription& value) {
    Value admitted = Value::array();
    switch (value.kind) {
        case Kind::number: {
            Value text =
                Value::object().set("type", "string").set("pattern", quantity_pattern(value));
            admitted.append(plain_number_schema(value)).append(std::move(text));
            break;
        }
        case Kind::integer:
            admitted.append(plain_number_schema(value));
            break;
        case Kind::boolean:
            admitted.append(Value::object().set("type", "boolean"));
            break;
        case Kind::text:
            // The reader takes any scalar as text; `title: 2024` is one.
            admitted.append(Value::object().set(
                "type", Value::array().append("string").append("number").append("boolean")));
            break;
        case Kind::choice:
            return choice_schema(value);
        case Kind::mapping:
            admitted.append(mapping_schema(value.keys).set("additionalProperties", false));
            for (const std::string& name : value.names) admitted.append(constant(name));
            break;
        case Kind::sequence:
            admitted.append(Value::object()
                                .set("type", "array")
                                .set("items", value_schema(value.items.front())));
            break;
    }
    if (!value.other_word.empty()) admitted.append(constant(value.other_word));
    if (admitted.items()->size() == 1) return admitted.items()->front();
    return Value::object().set("anyOf", std::move(admitted));
}

// A default as the editor may insert it: quantities with their unit, as text.
Value default_value(const Node& node, const ValueDescription& value) {
    if (node.kind == Node::Kind::sequence) {
        Value items = Value::array();
        for (const Node& item : node.items) items.append(default_value(item, value.items.front()));
        return items;
    }
    if (node.kind == Node::Kind::mapping) {
        Value members = Value::object();
        for (const Node::Entry& entry : node.entries) {
            const auto key =
                std::find_if(value.keys.begin(), value.keys.end(),
                             [&](const KeyDescription& k) { return k.key == entry.key; });
            members.set(entry.key, key == value.keys.end()
                                       ? Value(entry.value.scalar)
                                       : default_value(entry.value, key->value));
        }
        return members;
    }
    if (value.kind == Kind::boolean && node.scalar != value.other_word)
        return node.scalar == "true";
    if (value.kind == Kind::integer || (value.kind == Kind::number && value.unit.empty())) {
        const auto number = parse_quantity(node.scalar, "");
        const double* const parsed = std::get_if<double>(&number);
        if (parsed != nullptr && std::isfinite(*parsed))
            return bound(*parsed, value.kind == Kind::integer);
    }
    return node.scalar;
}

Value key_schema(const KeyDescription& key) {
    Value schema = value_schema(key.value);
    const std::string unit = key.value.unit.empty() ? "" : " [" + key.value.unit + "]";
    schema.set("description", key.meaning + unit);
    if (key.default_value) schema.set("default", default_value(*key.default_value, key.value));
    return schema;
}

// "If `key` names this alternative": also where the key is absent and the alternative is its
// default.
Value names_alternative(const KeyDescription& key, const std::string& name) {
    Value condition =
        Value::object().set("properties", Value::object().set(key.key, constant(name)));
    const bool is_default = key.default_value && key.default_value->scalar == name;
    if (!is_default) condition.set("required", Value::array().append(key.key));
    return condition;
}

// One `if`/`then` an alternative: its own keys as they are, the other alternatives' keys not at
// all.
void add_alternatives(const KeyDescription& key, const std::set<std::string>& own,
                      Value& conditions) {
    std::set<std::string> all;
    for (const Choice& choice : key.value.choices) add_flat_keys(choice.keys, all);
    std::vector<Choice> choices = key.value.choices;
    if (!key.value.other_word.empty()) choices.push_back({key.value.other_word, "", {}});
    for (const Choice& choice : choices) {
        std::set<std::string> of_choice;
        add_flat_keys(choice.keys, of_choice);
        Value then = mapping_schema(choice.keys);
        Value properties = *then.find("properties");
        for (const std::string& other : all) {
            if (!of_choice.contains(other) && !own.contains(other)) properties.set(other, false);
        }
        then.set("properties", std::move(properties));
        conditions.append(Value::object()
                              .set("if", names_alternative(key, choice.name))
                              .set("then", std::move(then)));
    }
}

// Without `additionalProperties`: an alternative's keys are only a part of their mapping.
Value mapping_schema(const Keys& keys) {
    Value properties = Value::object();
    Value required = Value::array();
    Value conditions = Value::array();
    std::set<std::string> own;
    for (const KeyDescription& key : keys) own.insert(key.key);
    for (const KeyDescription& key : keys) {
        properties.set(key.key, key_schema(key));
        if (key.is_required) required.append(key.key);
        if (has_keys_of_its_own(key.value)) add_alternatives(key, own, conditions);
    }
    std::set<std::string> flat;
    add_flat_keys(keys, flat);
    for (const std::string& key : flat) {
        if (!own.contains(key)) properties.set(key, true);
    }
    Value schema = Value::object().set("type", "object").set("properties", std::move(properties));
    if (!required.items()->empty()) schema.set("required", std::move(required));
    if (!conditions.items()->empty()) schema.set("allOf", std::move(conditions));
    return schema;
}

}  // namespace

Value json_schema(const std::vector<KeyDescription>& keys, std::string_view title) {
    Value schema = Value::object();
    schema.set("$schema", "http://json-schema.org/draft-07/schema#").set("title", title);
    const Value mapping = mapping_schema(keys);
    for (const Value::Member& member : *mapping.members()) schema.set(member.key, member.value);
    return schema.set("additionalProperties", false);
}

std::vector<KeyDescription> case_keys(std::vector<KeyDescription> header,
                                      std::vector<Choice> problems) {
    std::erase_if(header, [](const KeyDescription& key) { return key.key == "problem"; });
    KeyDescription problem;
    problem.key = "problem";
    problem.meaning = "what is computed";
    problem.is_required = true;
    problem.value.kind = Kind::choice;
    problem.value.choices = std::move(problems);
    header.insert(header.begin(), std::move(problem));
    return header;
}

}  // namespace stoss::io
