#include <stoss/io/bind.hpp>

#include <charconv>
#include <cmath>
#include <tuple>

namespace stoss::io {

std::vector<Preset> read_presets(std::string_view text) {
    std::vector<Preset> presets;
    Document document = parse_yaml(text, "presets");
    for (Node::Entry& entry : document.root.entries) {
        presets.push_back({entry.key, std::move(entry.value)});
    }
    return presets;
}

namespace detail {
namespace {

constexpr std::size_t longest_quoted_value = 60;

std::string shown(const Node& node) {
    if (node.kind != Node::Kind::scalar) return {};
    if (node.scalar.size() <= longest_quoted_value) return node.scalar;
    return node.scalar.substr(0, longest_quoted_value) + "...";
}

std::string kind_words(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return "nothing";
        case Node::Kind::scalar:
            return "a single value";
        case Node::Kind::sequence:
            return "a sequence";
        case Node::Kind::mapping:
            return "a mapping";
    }
    return {};
}

bool wants_scalar(const Source& source, const std::string& wants) {
    if (source.node.kind == Node::Kind::scalar) return true;
    source.refuse_kind(wants);
    return false;
}

// Adds the problem and returns false if the range excludes `value`.
bool in_range(const Source& source, double value, const Wanted& wanted) {
    const auto found = core::check_number(source.path, value, wanted.range, wanted.unit);
    if (found.empty()) return true;
    source.refuse((std::isnan(value) ? "is not a number; " : "") + found.front().rule);
    return false;
}

std::string ticked(const std::string& word) {
    return "`" + word + "`";
}

}  // namespace

Source Source::value_of(const Node::Entry& entry) const {
    const bool on_one_line = entry.value.kind == Node::Kind::scalar;
    return {entry.value, path.empty() ? entry.key : path + '.' + entry.key,
            on_one_line ? entry.value.mark : entry.mark, problems};
}

Source Source::item(std::size_t index) const {
    return {node.items[index], path + '[' + std::to_string(index) + ']', node.items[index].mark,
            problems};
}

void Source::refuse(std::string rule, std::string suggestion) const {
    problems.push_back({{},
                        place.line,
                        place.column,
                        {path, shown(node), std::move(rule), std::move(suggestion)}});
}

void Source::refuse_missing(std::string_view key, const std::string& wants,
                            std::string_view meaning) const {
    std::string full = path.empty() ? std::string(key) : path + '.' + std::string(key);
    std::string hint = "add `" + std::string(key) + "` (" + std::string(meaning) + "): " + wants;
    problems.push_back(
        {{}, place.line, place.column, {std::move(full), {}, "is missing", std::move(hint)}});
}

void Source::refuse_kind(const std::string& wants, std::string suggestion) const {
    refuse("wants " + wants + ", got " + kind_words(node), std::move(suggestion));
}

void Source::refuse_name(const std::vector<std::string>& names) const {
    const auto near = core::nearest_word(node.scalar, names);
    std::string hint;
    if (near) hint = "did you mean `" + *near + "`?";
    refuse("is not known here; write " + core::listed(names), std::move(hint));
}

std::optional<Node> find_preset(const Source& source, std::string_view presets) {
    std::vector<std::string> names;
    for (Preset& preset : read_presets(presets)) {
        if (preset.name == source.node.scalar) return std::move(preset.value);
        names.push_back(std::move(preset.name));
    }
    source.refuse_name(names);
    return std::nullopt;
}

void Source::offer(std::string_view word) const {
    std::string& hint = problems.back().violation.suggestion;
    hint += (hint.empty() ? "" : "; ") + ticked(std::string(word)) + " is accepted as well";
}

const Node::Entry* Source::entry(std::string_view key) const {
    for (const Node::Entry& candidate : node.entries) {
        if (candidate.key == key) return &candidate;
    }
    return nullptr;
}

const Node::Entry* Source::entry(std::string_view key, std::string_view other_name) const {
    const Node::Entry* const found = entry(key);
    const Node::Entry* const other = other_name.empty() ? nullptr : entry(other_name);
    if (found != nullptr && other != nullptr) {
        value_of(*other).refuse(
            "is another name of " + ticked(std::string(key)) + ", which is given as well",
            "keep one of the two");
    }
    return other != nullptr ? other : found;
}

void refuse_unknown_keys(const Source& mapping, const KnownKeys& known) {
    for (const Node::Entry& entry : mapping.node.entries) {
        if (std::find(known.keys.begin(), known.keys.end(), entry.key) != known.keys.end())
            continue;
        std::string hint;
        for (const KnownKeys::Elsewhere& other : known.elsewhere) {
            if (other.key != entry.key) continue;
            if (!hint.empty()) hint += "; ";
            hint += other.hint;
        }
        if (hint.empty()) {
            if (const auto near = core::nearest_word(entry.key, known.keys)) {
                hint = "did you mean " + ticked(*near) + "?";
            } else {
                hint = "the keys here are " + core::listed(known.keys, "and");
            }
        }
        const std::string path = mapping.path.empty() ? entry.key : mapping.path + '.' + entry.key;
        mapping.problems.push_back({{},
                                    entry.mark.line,
                                    entry.mark.column,
                                    {path, {}, "is not a key here", std::move(hint)}});
    }
}

std::optional<double> read_number(const Source& source, const Wanted& wanted) {
    if (source.node.kind != Node::Kind::scalar) {
        const QuantityWords words = quantity_words(wanted.unit);
        source.refuse_kind(words.noun, "write it for example as \"" + words.example + '"');
        return std::nullopt;
    }
    const auto parsed = parse_quantity(source.node.scalar, wanted.unit);
    if (const auto* error = std::get_if<QuantityError>(&parsed)) {
        source.refuse(error->rule, error->suggestion);
        return std::nullopt;
    }
    const double value = std::get<double>(parsed);
    if (!in_range(source, value, wanted)) return std::nullopt;
    return value;
}

std::optional<core::Place> read_place(const Source& source, const Wanted& wanted) {
    constexpr const char* hint =
        "a pure number is a fraction of the length; write a distance for example as \"12.7 mm\"";
    if (source.node.kind != Node::Kind::scalar) {
        source.refuse_kind("a pure number or a length", hint);
        return std::nullopt;
    }
    const auto share = parse_quantity(source.node.scalar, "");
    if (const double* const value = std::get_if<double>(&share)) {
        if (wanted.range.contains(*value)) return core::Place{*value, false};
        source.refuse("must be " + range_words(wanted.range, ""), hint);
        return std::nullopt;
    }
    const auto distance = parse_quantity(source.node.scalar, "m");
    if (const auto* const error = std::get_if<QuantityError>(&distance)) {
        const bool says_what_is_wanted = error->rule.find("wants") != std::string::npos;
        source.refuse(error->rule + (says_what_is_wanted ? ", or a pure number" : ""),
                      error->suggestion);
        return std::nullopt;
    }
    const core::Place place{std::get<double>(distance), true};
    if (!in_range(source, place.value, {"m", core::non_negative})) return std::nullopt;
    return place;
}

std::optional<long long> read_integer(const Source& source, const Wanted& wanted, long long least,
                                      long long greatest) {
    if (!wants_scalar(source, "a whole number")) return std::nullopt;
    constexpr const char* too_large = "is too large in magnitude";
    const std::string& text = source.node.scalar;
    long long value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::result_out_of_range && stop == end) {
        source.refuse(too_large);
        return std::nullopt;
    }
    if (error != std::errc{} || stop != end) {
        // Not plain digits; "1e6" and "80.0" are whole numbers all the same.
        const auto parsed = parse_quantity(text, wanted.unit);
        const double* const number = std::get_if<double>(&parsed);
        if (number == nullptr || !std::isfinite(*number) || *number != std::trunc(*number)) {
            source.refuse("is not a whole number");
            return std::nullopt;
        }
        if (std::abs(*number) > 0x1p53) {
            source.refuse(too_large);
            return std::nullopt;
        }
        value = static_cast<long long>(*number);
    }
    if (!in_range(source, static_cast<double>(value), wanted)) return std::nullopt;
    if (value < least || value > greatest) {
        source.refuse("must be between " + std::to_string(least) + " and " +
                      std::to_string(greatest));
        return std::nullopt;
    }
    return value;
}

std::optional<bool> read_bool(const Source& source) {
    if (!wants_scalar(source, "true or false")) return std::nullopt;
    const std::string& text = source.node.scalar;
    if (text == "true") return true;
    if (text == "false") return false;
    source.refuse("wants true or false");
    return std::nullopt;
}

std::optional<std::string> read_text(const Source& source) {
    if (!wants_scalar(source, "a text")) return std::nullopt;
    return source.node.scalar;
}

std::optional<std::size_t> read_name(const Source& source, const std::vector<std::string>& names) {
    if (!wants_scalar(source, "one of " + core::listed(names))) return std::nullopt;
    const auto found = std::find(names.begin(), names.end(), source.node.scalar);
    if (found == names.end()) {
        source.refuse_name(names);
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - names.begin());
}

bool is_word(const Node& node, std::string_view word) {
    return node.kind == Node::Kind::scalar && node.scalar == word;
}

bool wants_mapping(const Source& source, const std::string& wants) {
    if (source.node.kind == Node::Kind::mapping) return true;
    source.refuse_kind(wants, "write `key: value` lines below the key, or {key: value, ...}");
    return false;
}

bool wants_sequence(const Source& source, const std::string& of_what) {
    if (source.node.kind == Node::Kind::sequence) return true;
    source.refuse_kind("a sequence, each item " + of_what,
                       source.node.kind == Node::Kind::scalar
                           ? "for one item write [" + source.node.scalar + "]"
                           : "write a line for each item and begin it with `- `");
    return false;
}

Node number_node(double value, std::string_view unit) {
    return Node::text(accepts_unit(unit) ? core::with_unit(value, unit) : core::to_text(value));
}

}  // namespace detail

void throw_if_any(const Document& document, Problems problems) {
    if (problems.empty()) return;
    for (core::Diagnostic& problem : problems) problem.file = document.file;
    std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    throw core::InputError(std::move(problems));
}

}  // namespace stoss::io
