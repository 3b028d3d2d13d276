// The database of units where there is no UDUNITS: the units of the documentation and their
// everyday relatives, with decimal prefixes. Numbers are converted to the same bits as by UDUNITS,
// whose inch is 2.54 times a hundredth: tests/lab/units_test.cpp.
#include "unit_table.hpp"

#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include <stoss/core/elementary.hpp>
#include <stoss/io/detail/unit_algebra.hpp>

namespace stoss::io {
namespace {

using lab::TableUnit;

struct Measure {
    double factor = 1.0;
    int metre = 0, kilogram = 0, second = 0, kelvin = 0;

    bool same_dimension(const Measure& other) const {
        return metre == other.metre && kilogram == other.kilogram && second == other.second &&
               kelvin == other.kelvin;
    }
    void multiply(const Measure& by, int exponent) {
        factor *= core::pow(by.factor, exponent);
        metre += exponent * by.metre;
        kilogram += exponent * by.kilogram;
        second += exponent * by.second;
        kelvin += exponent * by.kelvin;
    }
};

struct Prefix {
    std::string_view name;
    double factor;
};
constexpr Prefix prefixes[] = {{"T", 1e12},      {"G", 1e9},  {"M", 1e6},   {"k", 1e3},
                               {"d", 1e-1},      {"c", 1e-2}, {"m", 1e-3},  {"u", 1e-6},
                               {"\u00b5", 1e-6}, {"n", 1e-9}, {"p", 1e-12}, {"\u03bc", 1e-6}};

Measure measure_of(const TableUnit& unit, double prefix) {
    return {unit.factor * prefix, unit.metre, unit.kilogram, unit.second, unit.kelvin};
}

std::optional<Measure> named(std::string_view name) {
    for (const TableUnit& unit : lab::table_units()) {
        if (unit.name == name) return measure_of(unit, 1.0);
    }
    for (const Prefix& prefix : prefixes) {
        if (!name.starts_with(prefix.name)) continue;
        for (const TableUnit& unit : lab::table_units()) {
            if (unit.takes_prefixes && unit.name == name.substr(prefix.name.size())) {
                return measure_of(unit, prefix.factor);
            }
        }
    }
    return std::nullopt;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_sign(char c) {
    return c == '-' || c == '+';
}

// Products, quotients, whole exponents and brackets.
class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    std::optional<Measure> whole() {
        auto measure = product();
        skip_blanks();
        return rest_.empty() ? measure : std::nullopt;
    }

  private:
    void skip_blanks() {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    }

    std::optional<Measure> product() {
        Measure all;
        for (int sign = 1;; sign = 1) {
            skip_blanks();
            if (rest_.starts_with('1') && rest_.substr(1).starts_with('/')) {
                rest_.remove_prefix(1);
            } else {
                const auto one = factor();
                if (!one) return std::nullopt;
                all.multiply(*one, sign_);
            }
            skip_blanks();
            if (rest_.empty() || rest_.front() == ')') break;
            if (rest_.front() == '/') sign = -1;
            if (rest_.front() == '/' || rest_.front() == '.' || rest_.front() == '*') {
                rest_.remove_prefix(1);
            }
            sign_ = sign;
        }
        sign_ = 1;
        return all;
    }

    std::optional<Measure> factor() {
        std::optional<Measure> base;
        if (rest_.starts_with('(')) {
            rest_.remove_prefix(1);
            const int outside = sign_;
            sign_ = 1;
            base = product();
            sign_ = outside;
            if (!base || !rest_.starts_with(')')) return std::nullopt;
            rest_.remove_prefix(1);
        } else {
            std::size_t end = 0;
            while (end < rest_.size() && !is_digit(rest_[end]) && !is_sign(rest_[end]) &&
                   std::string_view(" ./*^()").find(rest_[end]) == std::string_view::npos)
                ++end;
            base = named(rest_.substr(0, end));
            rest_.remove_prefix(end);
        }
        if (!base) return std::nullopt;
        const auto power = exponent();
        if (!power) return std::nullopt;
        Measure raised;
        raised.multiply(*base, *power);
        return raised;
    }

    std::optional<int> exponent() {
        const bool has_mark = rest_.starts_with('^') || rest_.starts_with("**");
        if (has_mark) rest_.remove_prefix(rest_.front() == '^' ? 1 : 2);
        if (rest_.empty() || (!is_digit(rest_.front()) && !is_sign(rest_.front()))) {
            return has_mark ? std::nullopt : std::optional(1);
        }
        const bool is_negative = rest_.front() == '-';
        if (is_sign(rest_.front())) rest_.remove_prefix(1);
        int power = 0;
        std::size_t digits = 0;
        for (; digits < rest_.size() && digits < 2 && is_digit(rest_[digits]); ++digits)
            power = 10 * power + (rest_[digits] - '0');
        if (digits == 0) return std::nullopt;
        rest_.remove_prefix(digits);
        return is_negative ? -power : power;
    }

    std::string_view rest_;
    int sign_ = 1;  // of the exponent of the next factor
};

const Measure& inside(const Unit& unit) {
    return *static_cast<const Measure*>(unit.get());
}

}  // namespace

Unit unit_of(const std::string& words) {
    const auto measure = Reader(words).whole();
    return measure ? std::make_shared<const Measure>(*measure) : nullptr;
}

Unit unit_one() {
    return std::make_shared<const Measure>();
}

bool same_dimension(const Unit& a, const Unit& b) {
    return inside(a).same_dimension(inside(b));
}

Conversion conversion_of(const Unit& from, const Unit& to) {
    const double factor = inside(from).factor / inside(to).factor;
    return [factor](double value) { return value * factor; };
}

}  // namespace stoss::io

namespace stoss::lab {

std::span<const TableUnit> table_units() {
    using std::numbers::pi;
    static constexpr TableUnit units[] = {
        {"m", 1.0, 1, 0, 0, 0, true},
        {"metre", 1.0, 1, 0, 0, 0, false},
        {"meter", 1.0, 1, 0, 0, 0, false},
        {"in", 2.54 * 0.01, 1, 0, 0, 0, false},
        {"inch", 2.54 * 0.01, 1, 0, 0, 0, false},
        {"ft", 0.3048, 1, 0, 0, 0, false},
        {"g", 1e-3, 0, 1, 0, 0, true},
        {"t", 1e3, 0, 1, 0, 0, false},
        {"lb", 0.45359237, 0, 1, 0, 0, false},
        {"s", 1.0, 0, 0, 1, 0, true},
        {"second", 1.0, 0, 0, 1, 0, false},
        {"min", 60.0, 0, 0, 1, 0, false},
        {"h", 3600.0, 0, 0, 1, 0, false},
        {"hour", 3600.0, 0, 0, 1, 0, false},
        {"K", 1.0, 0, 0, 0, 1, true},
        {"N", 1.0, 1, 1, -2, 0, true},
        {"Pa", 1.0, -1, 1, -2, 0, true},
        {"bar", 1e5, -1, 1, -2, 0, true},
        {"J", 1.0, 2, 1, -2, 0, true},
        {"W", 1.0, 2, 1, -3, 0, true},
        {"Hz", 1.0, 0, 0, -1, 0, true},
        {"rad", 1.0, 0, 0, 0, 0, true},
        {"radian", 1.0, 0, 0, 0, 0, false},
        {"degree", pi / 180.0, 0, 0, 0, 0, false},
        {"\u00b0", pi / 180.0, 0, 0, 0, 0, false},
        {"turn", 2.0 * pi, 0, 0, 0, 0, false},
        {"%", 1e-2, 0, 0, 0, 0, false},
        {"l", 1e-3, 3, 0, 0, 0, true},
    };
    return units;
}

}  // namespace stoss::lab
