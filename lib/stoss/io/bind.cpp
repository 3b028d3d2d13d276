#include <stoss/io/bind.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <stoss/core/shortened.hpp>
#include <stoss/io/stiffness_unit.hpp>

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
    return core::shortened(node.scalar, longest_quoted_value);
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

/// What people write for a key or name, and what Stoss calls it.
struct UsualWord {
    std::string_view word, own, hint;
};
constexpr std::array usual_words{
    UsualWord{"ball", "sphere", "write `sphere`"},
    UsualWord{"diameter", "radius", "write `radius`, half of the diameter"},
    UsualWord{"dampers", "dashpots", "write `dashpots`"},
    UsualWord{"values", "from",
              "`values` belongs to `sweep`; here `from`, `to` and `points` give the values"},
};

/// The hint for a usual word whose own word is among `names`; empty if there is none.
std::string hint_for_usual_word(const std::string& word, const std::vector<std::string>& names) {
    for (const UsualWord& each : usual_words) {
        if (each.word == word && std::ranges::find(names, each.own) != names.end())
            return std::string(each.hint);
    }
    return "";
}

/// `{height: 6,5 mm}` is read as `height: 6` and a key `5 mm`: the hint for such a key; else empty.
std::string decimal_comma_hint(const std::vector<Node::Entry>& entries, std::size_t index) {
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    const Node::Entry& entry = entries[index];
    if (index == 0 || entry.value.kind != Node::Kind::null || !is_digit(entry.key.front()))
        return "";
    const Node::Entry& before = entries[index - 1];
    std::string_view whole = before.value.scalar;
    if (whole.starts_with('-')) whole.remove_prefix(1);
    if (whole.empty() || !std::ranges::all_of(whole, is_digit)) return "";
    return fmt::format("a decimal comma? write {}: {}.{}", before.key, before.value.scalar,
                       entry.key);
}

/// Where a key belongs; empty if nowhere.
std::string hint_for_other_place(const std::string& key,
                                 const std::vector<KnownKeys::Elsewhere>& elsewhere) {
    using Relation = KnownKeys::Elsewhere::Relation;
    std::string hint;
    for (const Relation relation : {Relation::belongs_to, Relation::belongs_under}) {
        std::vector<std::string> places;
        for (const KnownKeys::Elsewhere& each : elsewhere)
            if (each.key == key && each.relation == relation) places.push_back(each.place);
        if (places.empty()) continue;
        if (!hint.empty()) hint += "; ";
        hint += ticked(key) +
                (relation == Relation::belongs_to ? " belongs to " : " belongs under ") +
                core::listed(places, "or");
    }
    return hint;
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
    std::string hint = "add `" + std::string(key) + "` (" + std::string(meaning) + ")";
    if (wants != "a text") hint += ": " + wants;  // the meaning says what to write
    problems.push_back(
        {{}, place.line, place.column, {std::move(full), {}, "is missing", std::move(hint)}});
}

void Source::refuse_kind(const std::string& wants, std::string suggestion) const {
    refuse("wants " + wants + ", got " + kind_words(node), std::move(suggestion));
}

void Source::refuse_name(const std::vector<std::string>& names) const {
    const auto near = core::nearest_word(node.scalar, names);
    std::string hint = hint_for_usual_word(node.scalar, names);
    if (hint.empty() && near) hint = "did you mean `" + *near + "`?";
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
    const std::vector<Node::Entry>& entries = mapping.node.entries;
    for (std::size_t index = 0; index < entries.size(); ++index) {
        const Node::Entry& entry = entries[index];
        if (std::find(known.keys.begin(), known.keys.end(), entry.key) != known.keys.end())
            continue;
        std::string hint = decimal_comma_hint(entries, index);
        if (hint.empty()) hint = hint_for_usual_word(entry.key, known.keys);
        if (hint.empty()) hint = hint_for_other_place(entry.key, known.elsewhere);
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

void refuse_other_exponent(const Source& mapping, std::string_view key, std::string_view unit,
                           double exponent) {
    const Node::Entry* const entry = unit == stiffness_unit ? mapping.entry(key) : nullptr;
    if (entry == nullptr) return;
    if (auto error = check_stiffness_exponent(entry->value.scalar, exponent))
        mapping.value_of(*entry).refuse(std::move(error->rule), std::move(error->suggestion));
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
    const std::string how = "write `key: value` lines below the key, or {key: value, ...}";
    source.refuse_kind(wants,
                       source.node.kind == Node::Kind::null ? "leave the key out, or " + how : how);
    return false;
}

bool wants_sequence(const Source& source, const std::string& of_what, std::size_t count) {
    if (source.node.kind == Node::Kind::sequence) return true;
    std::string hint = "write a line for each item and begin it with `- `";
    if (source.node.kind == Node::Kind::scalar) {
        std::string before;
        for (std::size_t i = 1; i < count; ++i) before += "0, ";
        hint =
            count > 1 ? fmt::format("write {} items, for example ", count) : "for one item write ";
        hint += '[' + before + source.node.scalar + ']';
    }
    source.refuse_kind("a sequence, each item " + of_what, std::move(hint));
    return false;
}

Node number_node(double value, std::string_view unit) {
    return Node::text(accepts_unit(unit) ? core::with_unit(value, unit) : core::to_text(value));
}

}  // namespace detail

namespace {

/// The length of the body in whose part the key at `path` lies, as written; empty if none is there.
std::string length_around(const Node& root, std::string_view path) {
    const Node* node = &root;
    std::string length;
    while (node != nullptr && node->kind == Node::Kind::mapping) {
        const Node* const own = node->find("length");
        if (own != nullptr) length = own->scalar;
        const std::size_t end = std::min(path.find('.'), path.size());
        node = node->find(path.substr(0, std::min(path.find('['), end)));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return length;
}

/// A distance where a fraction of the length is wanted: says which fraction it is.
void explain_fraction(const Document& document, core::Violation& violation) {
    if (!violation.key.ends_with(".xi")) return;
    const auto is_pure = parse_quantity(violation.value, "");
    const auto distance = parse_quantity(violation.value, "m");
    if (std::holds_alternative<double>(is_pure) || !std::holds_alternative<double>(distance))
        return;
    const bool has_length_key = violation.key == "location.xi";  // the place of a contact
    violation.suggestion = has_length_key ? fmt::format("write `x: {}`", violation.value)
                                          : "write the fraction x/l of the length";
    const std::string written = length_around(document.root, violation.key);
    const auto length = parse_quantity(written, "m");
    const double* const whole = std::get_if<double>(&length);
    if (whole == nullptr || !(*whole > 0.0)) return;
    violation.suggestion =
        fmt::format("write x/l, as {:.3g} for {} of {}", std::get<double>(distance) / *whole,
                    violation.value, written);
}

}  // namespace

void throw_if_any(const Document& document, Problems problems) {
    if (problems.empty()) return;
    for (core::Diagnostic& problem : problems) {
        problem.file = document.file;
        explain_fraction(document, problem.violation);
    }
    std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    throw core::InputError(std::move(problems));
}

}  // namespace stoss::io
