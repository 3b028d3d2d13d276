#include <stoss/io/schema.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <variant>

#include <stoss/io/stiffness_unit.hpp>

namespace stoss::io {
namespace {

using Kind = ValueDescription::Kind;
using Keys = std::vector<KeyDescription>;

Value mapping_schema(const Keys& keys, const std::set<std::string>& around = {});

Value constant(std::string text) {
    return Value::object().set("const", std::move(text));
}

bool has_keys_of_its_own(const ValueDescription& value) {
    return value.kind == Kind::choice &&
           std::any_of(value.choices.begin(), value.choices.end(),
                       [](const Choice& c) { return !c.keys.empty(); });
}

// Every key that is accepted in one mapping: its own and those of its alternatives.
void add_flat_keys(const Keys& keys, std::set<std::string>& flat) {
    for (const KeyDescription& key : keys) {
        flat.insert(key.key);
        if (!key.other_name.empty()) flat.insert(key.other_name);
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

// Units that people write, alone and composed; each is a right or a wrong one for a key.
constexpr std::string_view prefixed_units[] = {"m", "g", "s", "N", "Pa", "J", "W", "Hz", "rad"};
constexpr std::string_view prefixes[] = {"n", "u", "µ", "m", "c", "k", "M", "G", "T"};
constexpr std::string_view plain_units[] = {
    "in",      "ft",      "inch",    "foot",  "feet",     "yd",       "min",     "h",     "deg",
    "degree",  "degrees", "°",       "lb",    "lbf",      "oz",       "psi",     "ksi",   "bar",
    "atm",     "K",       "degC",    "t",     "rpm",      "meter",    "second",  "gram",  "newton",
    "pascal",  "meters",  "seconds", "grams", "newtons",  "m/s",      "mm/s",    "cm/s",  "km/h",
    "m/s^2",   "mm/s^2",  "rad/s",   "deg/s", "rad/s^2",  "1/s",      "s^-1",    "1/m",   "N/m",
    "kN/m",    "N/mm",    "MN/m",    "N s/m", "kg/s",     "N m",      "N m/rad", "N m s", "kg m^2",
    "g cm^2",  "kg/m^3",  "g/cm^3",  "Pa s",  "m^2",      "m^3",      "mm^2",    "m^4",   "kg/m",
    "N/m^1.5", "N/m^2",   "1/kg",    "kg^-1", "kg m^2/s", "N m s/rad"};

std::vector<std::string> candidate_units() {
    std::vector<std::string> units(std::begin(plain_units), std::end(plain_units));
    for (const std::string_view unit : prefixed_units) {
        units.emplace_back(unit);
        for (const std::string_view prefix : prefixes)
            units.push_back(std::string(prefix) + std::string(unit));
    }
    return units;
}

std::string escaped(std::string_view unit) {
    std::string pattern;
    for (const char letter : unit) {
        if (letter == '^' || letter == '.') pattern += '\\';
        pattern += letter;
    }
    return pattern;
}

// The unit behind a number: one of those known to suit, else a composed one that is not known not
// to suit, else a long word.
std::string unit_pattern(const std::string& unit) {
    static std::mutex mutex;
    static std::map<std::string, std::string> known;
    const std::scoped_lock lock(mutex);
    if (const auto found = known.find(unit); found != known.end()) return found->second;
    std::string right, wrong;
    for (const std::string& candidate : candidate_units()) {
        const bool suits = std::holds_alternative<double>(parse_quantity("1 " + candidate, unit));
        const bool is_simple = candidate.find_first_of("/^ ") == candidate.npos;
        if (suits && is_simple) right += escaped(candidate) + "|";
        if (!suits && (!is_simple || candidate.size() >= 4)) wrong += "|" + escaped(candidate);
    }
    const std::string composed = "[^-+0-9.,_ ][^ ]*[/^*.0-9][^ ]*|1/.*|\\(.*|[^-+0-9.,_ ]+ [^ ].*";
    std::string pattern = "( *(?!(" + (wrong.empty() ? "" : wrong.substr(1)) + ") *$)(" + right +
                          composed + "|[a-zA-Z_]{5,}))?";
    return known.emplace(unit, std::move(pattern)).first->second;
}

// "12.7 mm", "1e-3", "5 %", "inf". A temperature may be negative in degrees Celsius.
std::string quantity_pattern(const ValueDescription& value) {
    const bool may_be_negative = value.range.low < 0.0 || value.unit == "K";
    const bool is_positive = !may_be_negative && (value.range.low > 0.0 || value.range.low_open);
    const std::string sign = may_be_negative ? "[-+]?" : "\\+?";
    std::string number = R"(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?0*[12]?[0-9]{1,2})?)";
    if (is_positive) number = "(?=[0-9.]*[1-9])" + number;
    if (std::isinf(value.range.high) && !value.range.high_open) number = "(" + number + "|\\.?inf)";
    std::string unit = "( *%)?";
    if (value.may_be_length) unit = "( *%)?|" + sign + number + unit_pattern("m");
    if (!value.unit.empty()) unit = takes_units(value.unit) ? unit_pattern(value.unit) : "";
    return "^ *(" + sign + number + unit + ") *$";
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

// "One of the two names of the key is given."
Value one_name_of(const KeyDescription& key) {
    const auto needs = [](const std::string& name) {
        return Value::object().set("required", Value::array().append(name));
    };
    return Value::object().set("anyOf",
                               Value::array().append(needs(key.key)).append(needs(key.other_name)));
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
// all. `flat`: all keys of the mapping.
void add_alternatives(const KeyDescription& key, const std::set<std::string>& flat,
                      Value& conditions) {
    std::set<std::string> all;
    for (const Choice& choice : key.value.choices) add_flat_keys(choice.keys, all);
    std::vector<Choice> choices = key.value.choices;
    if (!key.value.other_word.empty()) choices.push_back({key.value.other_word, "", {}});
    for (const Choice& choice : choices) {
        std::set<std::string> allowed;
        add_flat_keys(choice.keys, allowed);
        for (const std::string& other : flat) {
            if (!all.contains(other)) allowed.insert(other);
        }
        Value then = mapping_schema(choice.keys, allowed);
        Value properties = *then.find("properties");
        for (const std::string& other : allowed) {
            if (properties.find(other) == nullptr) properties.set(other, true);
        }
        then.set("properties", std::move(properties)).set("additionalProperties", false);
        conditions.append(Value::object()
                              .set("if", names_alternative(key, choice.name))
                              .set("then", std::move(then)));
    }
}

// Without `additionalProperties`: an alternative's keys are only a part of their mapping. `around`:
// the keys that are accepted beside these.
Value mapping_schema(const Keys& keys, const std::set<std::string>& around) {
    Value properties = Value::object();
    Value required = Value::array();
    Value conditions = Value::array();
    std::set<std::string> flat, all = around;
    add_flat_keys(keys, flat);
    all.insert(flat.begin(), flat.end());
    for (const KeyDescription& key : keys) {
        properties.set(key.key, key_schema(key));
        if (!key.other_name.empty()) properties.set(key.other_name, key_schema(key));
        if (key.is_required && key.other_name.empty()) required.append(key.key);
        if (key.is_required && !key.other_name.empty()) conditions.append(one_name_of(key));
        if (has_keys_of_its_own(key.value)) add_alternatives(key, all, conditions);
    }
    for (const std::string& key : flat) {
        if (properties.find(key) == nullptr) properties.set(key, true);
    }
    Value schema = Value::object().set("type", "object").set("properties", std::move(properties));
    if (!required.items()->empty()) schema.set("required", std::move(required));
    if (!conditions.items()->empty()) schema.set("allOf", std::move(conditions));
    return schema;
}

// Moves repeated parts of a schema to `$defs`.
class Shared {
  public:
    explicit Shared(const Value& schema) { count(schema); }

    /// The schema with references, and `$defs` to be added to the root.
    Value shared(const Value& schema) {
        if (schema.members() == nullptr) return in_list(schema);
        const Value bare = without_words(schema);
        const std::string text = to_json(bare, 0);
        if (text.size() < least_size || counts_[text] < 2) return with_shared_parts(schema);
        const auto [name, is_new] = names_.emplace(text, "d" + std::to_string(names_.size()));
        if (is_new) {
            Value shared = with_shared_parts(bare);
            definitions_.set(name->second, std::move(shared));
        }
        Value reference = Value::object().set("$ref", "#/$defs/" + name->second);
        for (const char* const word : words) {
            if (const Value* const value = schema.find(word)) reference.set(word, *value);
        }
        return reference;
    }
    const Value& definitions() const { return definitions_; }

    Value with_shared_parts(const Value& schema) {
        Value result = Value::object();
        for (const Value::Member& member : *schema.members()) {
            if (member.key == "properties") {
                Value properties = Value::object();
                for (const Value::Member& each : *member.value.members())
                    properties.set(each.key, shared(each.value));
                result.set(member.key, std::move(properties));
            } else {
                result.set(member.key,
                           holds_schema(member.key) ? shared(member.value) : member.value);
            }
        }
        return result;
    }

  private:
    static constexpr std::size_t least_size = 60;
    static constexpr const char* words[] = {"description", "default"};

    static bool holds_schema(std::string_view key) {
        return key == "items" || key == "anyOf" || key == "oneOf" || key == "allOf" ||
               key == "if" || key == "then";
    }
    static Value without_words(const Value& schema) {
        Value bare = Value::object();
        for (const Value::Member& member : *schema.members()) {
            if (member.key != words[0] && member.key != words[1])
                bare.set(member.key, member.value);
        }
        return bare;
    }
    Value in_list(const Value& schemas) {
        if (schemas.items() == nullptr) return schemas;
        Value result = Value::array();
        for (const Value& each : *schemas.items()) result.append(shared(each));
        return result;
    }
    void count(const Value& schema) {
        if (const auto* const items = schema.items()) {
            for (const Value& each : *items) count(each);
        }
        if (schema.members() == nullptr) return;
        const std::string text = to_json(without_words(schema), 0);
        if (++counts_[text] > 1) return;  // its parts are counted
        for (const Value::Member& member : *schema.members()) {
            if (holds_schema(member.key)) count(member.value);
            if (member.key != "properties") continue;
            for (const Value::Member& each : *member.value.members()) count(each.value);
        }
    }

    std::map<std::string, int> counts_;
    std::map<std::string, std::string> names_;
    Value definitions_ = Value::object();
};

}  // namespace

Value json_schema(const std::vector<KeyDescription>& keys, std::string_view title) {
    Value schema = Value::object();
    schema.set("$schema", "https://json-schema.org/draft/2020-12/schema").set("title", title);
    const Value mapping = mapping_schema(keys);
    Shared parts(mapping);
    const Value shared = parts.with_shared_parts(mapping);
    for (const Value::Member& member : *shared.members()) schema.set(member.key, member.value);
    schema.set("additionalProperties", false);
    if (!parts.definitions().members()->empty()) schema.set("$defs", parts.definitions());
    return schema;
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
