#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/detail/unit_algebra.hpp>
#include <stoss/io/stiffness_unit.hpp>
#include <stoss/io/units.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace stoss::io {
namespace {

// The database keeps its state in globals: one caller at a time.
std::mutex& unit_mutex() {
    static std::mutex mutex;
    return mutex;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Letters, and every byte of a non-ASCII character (the micro and degree signs, superscripts).
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' ||
           static_cast<unsigned char>(c) >= 0x80;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Everyday spellings that UDUNITS does not know.
std::string_view in_udunits_words(std::string_view name) {
    constexpr std::array<std::array<std::string_view, 2>, 3> spellings{
        {{"deg", "degree"}, {"rev", "turn"}, {"hz", "Hz"}}};
    for (const auto& [ours, theirs] : spellings) {
        if (name == ours) return theirs;
    }
    return name;
}

// UDUNITS reads more than units: "5 mm" and "m 5" scale, "m^1.5" is 5 m, "K @ 20" shifts. A case
// that says so is a slip of the pen, so only names, products, quotients and whole exponents pass.
std::optional<std::string> unit_words(std::string_view text) {
    std::string words;
    std::size_t i = text.starts_with("1/") ? 1 : 0;
    words += text.substr(0, i);
    while (i < text.size()) {
        const char c = text[i];
        if (is_letter(c)) {
            std::size_t end = i;
            while (end < text.size() && is_letter(text[end])) ++end;
            words += in_udunits_words(text.substr(i, end - i));
            i = end;
            continue;
        }
        const char before = i > 0 ? text[i - 1] : ' ';
        const char after = i + 1 < text.size() ? text[i + 1] : ' ';
        const bool exponent_follows = is_digit(after) || after == '-' || after == '+';
        const bool allowed =
            c == ' ' || c == '/' || c == '(' || c == ')' || (c == '*') ||
            (c == '.' && !is_digit(after)) || (c == '^' && exponent_follows) ||
            ((c == '-' || c == '+') && is_digit(after) && (is_letter(before) || before == '^')) ||
            (is_digit(c) && (is_letter(before) || is_digit(before) || before == '^' ||
                             before == '-' || before == '+' || text.substr(0, i).ends_with("**")));
        if (!allowed) return std::nullopt;
        words += c;
        ++i;
    }
    return words;
}

// Null if the text is no unit. The caller holds the lock.
Unit parse_unit(std::string_view text) {
    const std::optional<std::string> words = unit_words(text);
    if (!words) return nullptr;
    return unit_of(*words);
}

// ---- Angles. To the database the radian is the number 1, so it takes 10 Hz for 10 rad/s. It is
// not.

bool has_word(std::string_view text, auto&& is_word) {
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_letter(text[end])) ++end;
        if (end > i && is_word(text.substr(i, end - i))) return true;
        i = end + 1;
    }
    return false;
}

bool is_angle_without_prefix(std::string_view word) {
    constexpr std::array<std::string_view, 27> angles{
        "rad",    "radian",     "deg",        "degree",
        "arcdeg", "arc_degree", "\u00b0",     "angular_degree",  //
        "arcmin", "arcminute",  "arc_minute", "angular_minute",  //
        "arcsec", "arcsecond",  "arc_second", "angular_second",
        "grad",   "grade",  //
        "turn",   "rev",        "revolution", "rotation",
        "circle", "cycle",      "rpm",        "rps",
        "cps"};
    const bool is_plural = word.ends_with('s');
    return std::ranges::find(angles, word) != angles.end() ||
           (is_plural &&
            std::ranges::find(angles, word.substr(0, word.size() - 1)) != angles.end());
}

bool is_angle(std::string_view word) {
    constexpr std::array<std::string_view, 18> prefixes{
        "nano", "micro", "milli", "centi", "deci", "deca", "hecto", "kilo", "mega",
        "giga", "n",     "u",     "m",     "c",    "d",    "h",     "k",    "M"};
    if (is_angle_without_prefix(word)) return true;
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
        return word.starts_with(prefix) && is_angle_without_prefix(word.substr(prefix.size()));
    });
}

bool counts_angle(std::string_view unit) {
    return has_word(unit, is_angle);
}

bool counts_events(std::string_view unit) {
    return has_word(unit, [](std::string_view word) {
        return word.ends_with("Hz") || word.ends_with("hz") || word.ends_with("hertz");
    });
}

// ---- Units with roots, as N/m^1.5: UDUNITS has whole exponents only. In mechanics only lengths
// have others: they are taken apart, and what is left is a unit.

struct Exponent {
    double value;
    std::size_t characters;  // that it takes
};

// "1.5", "(3/2)", "-0.25" at the beginning of `text`; nullopt if none is there.
std::optional<Exponent> leading_exponent(std::string_view text) {
    const bool in_brackets = text.starts_with('(');
    const char* const end = text.data() + text.size();
    double value = 0.0;
    std::from_chars_result read = std::from_chars(text.data() + (in_brackets ? 1 : 0), end, value);
    if (read.ec != std::errc{}) return std::nullopt;
    if (in_brackets && read.ptr != end && *read.ptr == '/') {
        double divisor = 0.0;
        read = std::from_chars(read.ptr + 1, end, divisor);
        if (read.ec != std::errc{} || divisor == 0.0) return std::nullopt;
        value /= divisor;
    }
    const char* stop = read.ptr;
    if (in_brackets && (stop == end || *stop++ != ')')) return std::nullopt;
    if (!(std::abs(value) < 25.0)) return std::nullopt;
    return Exponent{value, static_cast<std::size_t>(stop - text.data())};
}

// A product of units: m^length, times `metres`, times the unit `rest`.
struct LengthAndRest {
    double length = 0.0;
    double metres = 1.0;
    std::string rest;
};

// L^exponent in m^exponent. The larger of the two units is the exact multiple.
double power_of_length(const Unit& length, const Unit& metre, double exponent) {
    const double metres = conversion_of(length, metre)(1.0);
    return metres < 1.0 ? core::pow(conversion_of(metre, length)(1.0), -exponent)
                        : core::pow(metres, exponent);
}

// nullopt if the text is no product of units. The caller holds the lock.
std::optional<LengthAndRest> lengths_apart(std::string_view text) {
    const Unit metre = unit_of("m");
    LengthAndRest product;
    bool divides = false;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '/') divides = true;
        if (c == ' ' || c == '*' || c == '/' || c == '.') {
            ++i;
            continue;
        }
        if (!is_letter(c)) return std::nullopt;
        std::size_t end = i;
        while (end < text.size() && is_letter(text[end])) ++end;
        const std::string name(in_udunits_words(text.substr(i, end - i)));
        double exponent = 1.0;
        if (end < text.size() && text[end] == '^') {
            const auto given = leading_exponent(text.substr(end + 1));
            if (!given) return std::nullopt;
            exponent = given->value;
            end += 1 + given->characters;
        }
        if (divides) exponent = -exponent;
        const Unit unit = unit_of(name);
        if (!unit) return std::nullopt;
        if (same_dimension(unit, metre)) {
            product.length += exponent;
            product.metres *= power_of_length(unit, metre, exponent);
        } else if (exponent == std::round(exponent)) {
            product.rest += " " + name + "^" + std::to_string(static_cast<int>(exponent));
        } else {
            return std::nullopt;
        }
        divides = false;
        i = end;
    }
    return product;
}

// A unit as m^length times `si`, and the factor to that.
struct RootedUnit {
    double length;
    double factor;
};

// nullopt if the text is none, as one with an angle or %. The caller holds the lock.
std::optional<RootedUnit> rooted_unit(std::string_view text, const std::string& si) {
    if (counts_angle(text) || counts_events(text) || text.find('%') != text.npos)
        return std::nullopt;
    const auto product = lengths_apart(text);
    if (!product) return std::nullopt;
    const Unit rest = product->rest.empty() ? unit_one() : unit_of(product->rest.substr(1));
    for (const int more : {0, -1, -2, 1, 2}) {  // kg/s^2 is N m^-1, Pa is N m^-2
        const Unit unit = more == 0 ? unit_of(si) : unit_of(si + " m^" + std::to_string(more));
        if (!rest || !unit || !same_dimension(rest, unit)) continue;
        return RootedUnit{product->length + more, product->metres * conversion_of(rest, unit)(1.0)};
    }
    return std::nullopt;
}

// Exponents that are sums or quotients of those that are written.
bool is_same_exponent(double a, double b) {
    return std::abs(a - b) < 1e-9;
}

// A unit N/m^p with any p > 0. The caller holds the lock.
std::optional<RootedUnit> unit_of_stiffness(std::string_view text) {
    const auto unit = rooted_unit(text, "N");
    return unit && unit->length < 0.0 ? unit : std::nullopt;
}

// The factor from `given` to `si`, one of which has roots; nullopt if there is none. The caller
// holds the lock.
std::optional<double> factor_by_roots(std::string_view given, std::string_view si) {
    if (si == stiffness_unit) {
        const auto unit = unit_of_stiffness(given);
        return unit ? std::optional(unit->factor) : std::nullopt;
    }
    const auto wanted = lengths_apart(si);
    if (!wanted || wanted->rest.empty()) return std::nullopt;
    const auto unit = rooted_unit(given, wanted->rest.substr(1));
    if (!unit || !is_same_exponent(unit->length, wanted->length)) return std::nullopt;
    return unit->factor;
}

// True for a unit with roots that `factor_by_roots` converts to. The caller holds the lock.
bool has_roots(std::string_view si_unit) {
    if (si_unit == stiffness_unit) return true;
    if (si_unit.find('^') == si_unit.npos) return false;  // without loading the unit database
    const auto unit = lengths_apart(si_unit);
    return unit && !unit->rest.empty();
}

struct Dimension {
    std::string_view unit;
    std::string_view noun;
    std::string_view example;
};

// Where two nouns share a dimension the more common one in impact mechanics is first.
constexpr std::array dimensions{
    Dimension{"1", "a pure number", "0.5"},
    Dimension{"m", "a length", "12.7 mm"},
    Dimension{"s", "a time", "0.1 us"},
    Dimension{"kg", "a mass", "25 g"},
    Dimension{"K", "a temperature", "293 K"},
    Dimension{"m/s", "a speed", "250 mm/s"},
    Dimension{"m/s^2", "an acceleration", "9.81 m/s^2"},
    Dimension{"m^2", "an area", "126.7 mm^2"},
    Dimension{"m^3", "a volume", "8 cm^3"},
    Dimension{"m^4", "a second moment of area", "1277 mm^4"},
    Dimension{"1/s", "a frequency", "50 Hz"},
    Dimension{"N", "a force", "1.2 kN"},
    Dimension{"Pa", "a pressure or modulus", "68.3 GPa"},
    Dimension{"kg/m^3", "a density", "2.71 g/cm^3"},
    Dimension{"kg/m", "a mass per length", "0.343 kg/m"},
    Dimension{"N/m", "a stiffness", "1.5 kN/mm"},
    Dimension{"N s/m", "a damping", "12 N s/m"},
    Dimension{"N s/m^2", "a damping per length or viscosity", "1e6 N s/m^2"},
    Dimension{"N s", "an impulse", "15 mN s"},
    Dimension{"J", "an energy or moment", "0.2 J"},
    Dimension{"W", "a power", "10 W"},
    Dimension{"kg m^2", "a moment of inertia", "3 kg cm^2"},
    Dimension{"N m^2", "a bending stiffness", "87 N m^2"},
    Dimension{"s/m", "a slowness", "0.5 s/m"},
    Dimension{"1/m", "a wave number or curvature", "3 1/m"},
};
constexpr std::array angular_dimensions{
    Dimension{"rad", "an angle", "30 deg"},
    Dimension{"rad/s", "an angular speed", "-6 rad/s"},
    Dimension{"rad/s^2", "an angular acceleration", "5 rad/s^2"},
};

// The dimension whose unit is spelled just so; null if there is none. Most units of keys are: they
// are known without the unit database, so a program that reads plain numbers never loads it.
const Dimension* dimension_spelled(std::string_view si_unit) {
    if (si_unit == "1") return nullptr;
    for (const Dimension& dimension : dimensions) {
        if (dimension.unit == si_unit) return &dimension;
    }
    for (const Dimension& dimension : angular_dimensions) {
        if (dimension.unit == si_unit) return &dimension;
    }
    return nullptr;
}

using DimensionUnits = std::vector<std::pair<Unit, Dimension>>;

// Parsed once: every refusal goes through them. The caller holds the lock.
const DimensionUnits& units_of_dimensions() {
    static const DimensionUnits units = [] {
        DimensionUnits parsed;
        for (const Dimension& dimension : dimensions) {
            parsed.emplace_back(dimension.unit == "1" ? unit_one() : parse_unit(dimension.unit),
                                dimension);
        }
        return parsed;
    }();
    return units;
}

std::optional<Dimension> dimension_of(std::string_view text, const Unit& unit) {
    if (counts_angle(text)) {
        for (const Dimension& angular : angular_dimensions) {
            if (same_dimension(unit, parse_unit(angular.unit))) return angular;
        }
    }
    for (const auto& [known, dimension] : units_of_dimensions()) {
        if (same_dimension(unit, known)) return dimension;
    }
    return std::nullopt;
}

// The caller holds the lock.
QuantityWords words_of(std::string_view si_unit) {
    if (si_unit.empty()) return {"a pure number", "0.5"};
    if (const Dimension* const dimension = dimension_spelled(si_unit)) {
        return {std::string(dimension->noun), std::string(dimension->example)};
    }
    const Unit unit = parse_unit(si_unit);
    if (!unit && !has_roots(si_unit)) return {"a plain number in " + std::string(si_unit), "1e6"};
    if (const auto dimension = unit ? dimension_of(si_unit, unit) : std::nullopt) {
        return {std::string(dimension->noun), std::string(dimension->example)};
    }
    const bool is_stiffness = si_unit == stiffness_unit;
    return {"a number in " + std::string(si_unit),
            is_stiffness ? "1e9 N/m^1.5" : "1 " + std::string(si_unit)};
}

std::string for_example(const QuantityWords& words) {
    return "write it for example as \"" + words.example + "\"";
}

struct Number {
    double value;
    std::string_view digits;  // as written, with exponent; empty for inf and nan
    std::string_view rest;    // what follows: the unit
};

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

std::optional<Number> special_number(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.starts_with('.')) text.remove_prefix(1);
    std::size_t end = 0;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string word = lower(text.substr(0, end));
    const double infinite = std::numeric_limits<double>::infinity();
    if (word == "inf" || word == "infinity") {
        return Number{negative ? -infinite : infinite, {}, trimmed(text.substr(end))};
    }
    if (word == "nan") {
        return Number{std::numeric_limits<double>::quiet_NaN(), {}, trimmed(text.substr(end))};
    }
    return std::nullopt;
}

QuantityError beyond_doubles() {
    return {"is outside the range of double precision (1e-307 to 1e308)", "check the exponent"};
}

// `text` starts with a digit, a sign or a point.
std::variant<Number, QuantityError> leading_number(std::string_view text) {
    if (const auto special = special_number(text)) return *special;
    const std::string_view unsigned_plus = text.starts_with('+') ? text.substr(1) : text;
    double value = 0.0;
    const char* const begin = unsigned_plus.data();
    const char* const end = begin + unsigned_plus.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error == std::errc::result_out_of_range) return beyond_doubles();
    if (error != std::errc{} || text.starts_with("+-")) {
        return QuantityError{"is not a number", ""};
    }
    const auto length = static_cast<std::size_t>(stop - begin);
    return Number{value, unsigned_plus.substr(0, length), trimmed(unsigned_plus.substr(length))};
}

// The number times 10^shift, rounded once: "12.7" and -3 give the double nearest to 0.0127.
std::optional<double> scaled_by_power_of_ten(const Number& number, int shift) {
    if (number.value == 0.0) return number.value;  // its exponent may be any
    const std::string_view digits = number.digits;
    const std::size_t mark = digits.find_first_of("eE");
    std::string_view exponent_text =
        mark == std::string_view::npos ? std::string_view{} : digits.substr(mark + 1);
    if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
    int exponent = 0;
    std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
    const std::string text =
        std::string(digits.substr(0, mark)) + "e" + std::to_string(exponent + shift);
    double value = 0.0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc{}) return std::nullopt;
    return value;
}

// The power of ten that `convert` multiplies by, if it does just that.
std::optional<int> decimal_shift(const Conversion& convert) {
    const double factor = convert(1.0);
    if (convert(0.0) != 0.0 || !(factor > 0.0)) return std::nullopt;
    const double shift = std::round(core::log10(factor));
    const double relative_error = std::abs(factor / core::pow(10.0, shift) - 1.0);
    if (!(relative_error < 1e-12)) return std::nullopt;
    return static_cast<int>(shift);
}

// Why a number in `given` cannot become one in `si`; nullopt if it can. The caller holds the lock.
std::optional<QuantityError> unit_refusal(std::string_view given_text, const Unit& given,
                                          std::string_view si_unit, const Unit& si) {
    if (!si) {
        return QuantityError{"has a unit, but this key takes a number in " + std::string(si_unit),
                             has_roots(si_unit)
                                 ? "write such a unit, as N/mm^1.5 for N/m^(3/2), or leave it out"
                                 : "convert it by hand and leave the unit out"};
    }
    const auto refused = [&](const std::string& what, const std::string& remark = {}) {
        const QuantityWords wanted = words_of(si_unit);
        return QuantityError{what + "; this key wants " + wanted.noun + remark,
                             for_example(wanted)};
    };
    const std::string quoted = std::string("`").append(given_text).append("`");
    if (!given) return refused("has the unit " + quoted + ", which is not known");
    if (!same_dimension(given, si)) {
        const auto dimension = dimension_of(given_text, given);
        return refused(dimension ? "is " + std::string(dimension->noun) : "is in " + quoted,
                       " (" + std::string(si_unit) + ")");
    }
    if (counts_angle(si_unit) && counts_events(given_text)) {
        return refused("is a frequency", " (1 Hz is 2 pi rad/s)");
    }
    if (!counts_angle(si_unit) && counts_angle(given_text)) {
        return refused("is an angle or angular speed");
    }
    return std::nullopt;
}

std::variant<double, QuantityError> convert(const Number& number, std::string_view si_unit) {
    const std::scoped_lock lock(unit_mutex());
    const Unit si = parse_unit(si_unit);
    const Unit given = parse_unit(number.rest);
    Conversion conversion;
    if (const auto factor = si ? std::nullopt : factor_by_roots(number.rest, si_unit)) {
        conversion = [by = *factor](double value) { return value * by; };
    } else {
        if (auto refusal = unit_refusal(number.rest, given, si_unit, si))
            return *std::move(refusal);
        conversion = conversion_of(given, si);
    }
    if (!conversion) return QuantityError{"cannot be converted to " + std::string(si_unit), ""};
    if (number.digits.empty()) return number.value;
    if (const auto shift = decimal_shift(conversion)) {
        const auto value = scaled_by_power_of_ten(number, *shift);
        if (!value) return beyond_doubles();
        return *value;
    }
    const double value = conversion(number.value);
    const bool has_vanished = value == 0.0 && number.value != 0.0 && conversion(0.0) == 0.0;
    if (!std::isfinite(value) || has_vanished) return beyond_doubles();
    return value;
}

std::variant<double, QuantityError> convert_pure_number(const Number& number) {
    if (number.rest == "%") {
        if (number.digits.empty()) return number.value;
        const auto value = scaled_by_power_of_ten(number, -2);
        if (!value) return beyond_doubles();
        return *value;
    }
    return QuantityError{"has a unit, but this key takes a pure number",
                         "leave out `" + std::string(number.rest) + "`"};
}

QuantityWords locked_words_of(std::string_view si_unit) {
    const std::scoped_lock lock(unit_mutex());
    return words_of(si_unit);
}

QuantityError no_number(std::string_view si_unit) {
    const QuantityWords words = locked_words_of(si_unit);
    return {"is not a number; this key wants " + words.noun, for_example(words)};
}

// The text after the number cannot begin a unit: "1,5 mm", "1_000", "12 7 mm", "2*3".
QuantityError stray_text(std::string_view text, std::string_view rest, std::string_view si_unit) {
    if (rest.starts_with(',')) {
        std::string with_point(text);
        with_point[text.find(',')] = '.';
        return {"has a comma", "write the decimal point: \"" + with_point + "\""};
    }
    QuantityError error = no_number(si_unit);
    error.rule = "is not one number with a unit; `" + std::string(rest) + "` cannot be read";
    return error;
}

// A sign of a word processor or a web page that looks like one of the keyboard.
std::optional<QuantityError> look_alike_in(std::string_view text) {
    struct LookAlike {
        std::string_view bytes, name, instead;
    };
    static constexpr std::array<LookAlike, 8> table{{
        {"\u00a0", "a no-break space (U+00A0)", "a blank"},
        {"\u2007", "a figure space (U+2007)", "a blank"},
        {"\u2009", "a thin space (U+2009)", "a blank"},
        {"\u202f", "a narrow no-break space (U+202F)", "a blank"},
        {"\u2212", "a minus sign (U+2212)", "the hyphen `-`"},
        {"\u2013", "a dash (U+2013)", "the hyphen `-`"},
        {"\u201c", "a curved quote (U+201C)", "the straight quote `\"`"},
        {"\u201d", "a curved quote (U+201D)", "the straight quote `\"`"},
    }};
    for (const LookAlike& sign : table) {
        if (text.find(sign.bytes) == std::string_view::npos) continue;
        return QuantityError{"holds " + std::string(sign.name),
                             "type " + std::string(sign.instead) + " in its place"};
    }
    return std::nullopt;
}

std::variant<double, QuantityError> parse_any_size(std::string_view text,
                                                   std::string_view si_unit) {
    text = trimmed(text);
    if (text.empty()) return no_number(si_unit);
    if (auto error = look_alike_in(text)) return *std::move(error);
    const auto leading = leading_number(text);
    if (const auto* error = std::get_if<QuantityError>(&leading)) {
        return error->suggestion.empty() ? no_number(si_unit) : *error;
    }
    const Number& number = std::get<Number>(leading);
    if (number.rest.empty() || number.rest == si_unit) return number.value;
    const bool may_be_unit = (is_letter(number.rest.front()) && number.rest.front() != '_') ||
                             number.rest.starts_with("1/") || number.rest.starts_with('(');
    if (!may_be_unit) return stray_text(text, number.rest, si_unit);
    return si_unit.empty() ? convert_pure_number(number) : convert(number, si_unit);
}

}  // namespace

std::variant<double, QuantityError> parse_quantity(std::string_view text,
                                                   std::string_view si_unit) {
    auto quantity = parse_any_size(text, si_unit);
    const double* const value = std::get_if<double>(&quantity);
    // A subnormal number has fewer digits than a double, so that formulas lose their precision.
    if (value != nullptr && std::fpclassify(*value) == FP_SUBNORMAL) return beyond_doubles();
    return quantity;
}

std::optional<QuantityError> check_stiffness_exponent(std::string_view text, double exponent) {
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    const auto leading = leading_number(text);
    const auto* const number = std::get_if<Number>(&leading);
    if (number == nullptr || number->rest.empty() || number->rest == stiffness_unit)
        return std::nullopt;
    const std::scoped_lock lock(unit_mutex());
    const auto unit = unit_of_stiffness(number->rest);
    if (!unit || is_same_exponent(unit->length, -exponent)) return std::nullopt;
    const auto power = [](double p) {
        return p == 1.0 ? std::string() : std::string("^").append(core::to_text(p));
    };
    return QuantityError{"is in N/m" + power(-unit->length) +
                             ", but the exponent n of this law is " + core::to_text(exponent),
                         "give the stiffness in N/m" + power(exponent) + ", as \"5 N/mm" +
                             power(exponent) + "\", or the exponent of its unit"};
}

std::variant<double, QuantityError> parse_quantity(std::string_view text, std::string_view si_unit,
                                                   std::optional<double> exponent) {
    if (si_unit == stiffness_unit && exponent) {
        if (auto error = check_stiffness_exponent(text, *exponent)) return *std::move(error);
    }
    return parse_quantity(text, si_unit);
}

bool accepts_unit(std::string_view si_unit) {
    if (si_unit.empty()) return false;
    if (dimension_spelled(si_unit) != nullptr) return true;
    const std::scoped_lock lock(unit_mutex());
    return parse_unit(si_unit) != nullptr;
}

bool takes_units(std::string_view si_unit) {
    if (si_unit == stiffness_unit || accepts_unit(si_unit)) return true;
    const std::scoped_lock lock(unit_mutex());
    return has_roots(si_unit);
}

QuantityWords quantity_words(std::string_view si_unit) {
    return locked_words_of(si_unit);
}

}  // namespace stoss::io
