#include <postproc/experiment/columns.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <stoss/core/text.hpp>
#include <stoss/io/units.hpp>

namespace stoss::postproc {

namespace {

constexpr std::size_t most_problems = 12;  // listed one by one

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return result;
}

/// "Std. dev." -> "std_dev": lower case, one `_` for what separates words.
std::string normal_name(std::string_view text) {
    std::string name;
    for (const char letter : lower_case(text)) {
        if (letter == ' ' || letter == '.' || letter == '-' || letter == '_' || letter == '\t') {
            if (!name.empty() && name.back() != '_') name += '_';
        } else {
            name += letter;
        }
    }
    while (name.ends_with('_')) name.pop_back();
    return name;
}

/// A header apart: "x [mm]" is "x" in "mm".
struct Header {
    std::string name;
    std::optional<std::string> unit;
};

Header split_header(const std::string& text) {
    for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}}) {
        const std::size_t begin = text.rfind(open);
        if (begin == std::string::npos || begin == 0 || !text.ends_with(close)) continue;
        return {normal_name(text.substr(0, begin)),
                text.substr(begin + 1, text.size() - begin - 2)};
    }
    return {normal_name(text), {}};
}

/// Counts of an encoder are no unit of UDUNITS-2.
bool is_count(std::string_view unit) {
    static constexpr std::array words{"count", "counts", "pulse", "pulses", "tick", "ticks"};
    return std::ranges::find(words, unit) != words.end();
}

/// One `unit` in `si`; nothing if it is another dimension or no unit at all.
std::optional<double> factor_of(const std::string& unit, std::string_view si) {
    if (si == "count") return is_count(unit) ? std::optional(1.0) : std::nullopt;
    if (unit.empty() || unit == "-" || unit == "1") {
        return si.empty() ? std::optional(1.0) : std::nullopt;
    }
    const auto parsed = io::parse_quantity("1 " + unit, si);
    const double* const factor = std::get_if<double>(&parsed);
    return factor != nullptr ? std::optional(*factor) : std::nullopt;
}

bool knows(const ColumnUnit& unit, std::string_view name) {
    return std::ranges::find(unit.names, name) != unit.names.end();
}

bool knows(const ColumnKind& kind, std::string_view name) {
    return std::ranges::any_of(kind.units, [&](const auto& unit) { return knows(unit, name); });
}

std::string units_in_words(const ColumnKind& kind) {
    std::vector<std::string> words;
    for (const ColumnUnit& unit : kind.units) {
        words.push_back(unit.si.empty() ? "a pure number" : std::string(unit.si));
    }
    return core::listed(words);
}

[[noreturn]] void refuse(const io::CellTable& table, core::Violation violation) {
    throw core::InputError({{table.file, table.header_line, 1, std::move(violation)}});
}

/// A unit that is none as it is written, such as `S` of a time, is tried in lower case.
std::optional<ColumnPlace> in_unit(const ColumnKind& kind, std::size_t index,
                                   const std::string& unit) {
    for (const std::string& written : {unit, lower_case(unit)}) {
        for (const ColumnUnit& candidate : kind.units) {
            if (const auto factor = factor_of(written, candidate.si))
                return ColumnPlace{index, candidate.si, *factor, true};
        }
    }
    return std::nullopt;
}

/// "x_mm", "speed_m_per_s": the unit is what follows one of the `_`.
std::optional<ColumnPlace> by_suffix(const ColumnKind& kind, std::size_t index,
                                     const std::string& text) {
    for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at + 1)) {
        if (!knows(kind, normal_name(text.substr(0, at)))) continue;
        std::string unit = text.substr(at + 1);
        if (const std::size_t per = unit.find("_per_"); per != std::string::npos) {
            unit = fmt::format("{}/{}", unit.substr(0, per), unit.substr(per + 5));
        }
        std::replace(unit.begin(), unit.end(), '_', ' ');
        if (const auto place = in_unit(kind, index, unit)) return place;
    }
    return std::nullopt;
}

std::optional<ColumnPlace> by_header(const io::CellTable& table, const ColumnKind& kind,
                                     std::size_t index) {
    const std::string& text = table.names[index];
    const Header header = split_header(text);
    if (header.unit) {
        if (!knows(kind, header.name)) return std::nullopt;
        if (const auto place = in_unit(kind, index, *header.unit)) return place;
        if (knows(kind, normal_name(header.name + "_" + *header.unit))) {  // "CoR (mean)"
            return ColumnPlace{index, kind.units.front().si, 1.0};
        }
        refuse(table,
               {text, "",
                fmt::format("the unit of `{}` must be one of {}", kind.key, units_in_words(kind)),
                fmt::format("for example `{}`", kind.example)});
    }
    for (const ColumnUnit& unit : kind.units) {
        if (knows(unit, header.name)) return ColumnPlace{index, unit.si, 1.0};
    }
    return by_suffix(kind, index, text);
}

ColumnPlace mapped(const io::CellTable& table, const ColumnKind& kind,
                   const ColumnMapping& mapping) {
    const auto name = std::ranges::find(table.names, mapping.column);
    if (name == table.names.end()) {
        refuse(table, {mapping.column, "", "there is no such column",
                       "the columns are " + core::listed(table.names, "and")});
    }
    const auto index = static_cast<std::size_t>(name - table.names.begin());
    std::optional<std::string> unit = mapping.unit;
    if (!unit) unit = split_header(mapping.column).unit;
    if (!unit) {
        return by_header(table, kind, index)
            .value_or(ColumnPlace{index, kind.units.front().si, 1.0});
    }
    if (const auto place = in_unit(kind, index, *unit)) return *place;
    refuse(table,
           {mapping.column, *unit,
            fmt::format("the unit of `{}` must be one of {}", kind.key, units_in_words(kind)), ""});
}

}  // namespace

std::optional<ColumnPlace> find_column(const io::CellTable& table, const ColumnKind& kind,
                                       const std::optional<ColumnMapping>& mapping,
                                       const std::string& mapping_file) {
    if (mapping) return mapped(table, kind, *mapping);
    std::optional<ColumnPlace> found;
    for (std::size_t index = 0; index < table.names.size(); ++index) {
        const auto place = by_header(table, kind, index);
        if (!place) continue;
        if (found) {
            refuse(table,
                   {std::string(kind.key), "",
                    fmt::format("is not unique: the columns `{}` and `{}` both fit",
                                table.names[found->index], table.names[index]),
                    mapping_file.empty() ? "rename one of them"
                                         : fmt::format("say which one in {}: `{}: {{column: ...}}`",
                                                       mapping_file, kind.key)});
        }
        found = place;
    }
    return found;
}

std::vector<std::size_t> columns_named(const io::CellTable& table, const ColumnKind& kind) {
    std::vector<std::size_t> found;
    for (std::size_t index = 0; index < table.names.size(); ++index) {
        const std::string& text = table.names[index];
        if (knows(kind, split_header(text).name) || by_suffix(kind, index, text))
            found.push_back(index);
    }
    return found;
}

const ColumnKind& location_kind() {
    static const ColumnKind kind{
        "location",
        "x [mm]",
        {{"", {"xi", "xi_c", "location", "position", "place", "x/l", "impact_location"}},
         {"m", {"x", "x_c", "xc", "distance"}}}};
    return kind;
}

void refuse_missing_column(const io::CellTable& table, const ColumnKind& kind,
                           const std::string& mapping_file) {
    refuse_without_header(table);
    std::string hint = fmt::format("name the column `{}`", kind.example);
    if (!mapping_file.empty()) {
        hint += fmt::format(", or say which one it is in {}: `{}: {{column: ...}}`", mapping_file,
                            kind.key);
    }
    refuse(table,
           {std::string(kind.key), "",
            "is missing; the columns are " + core::listed(table.names, "and"), std::move(hint)});
}

void refuse_without_header(const io::CellTable& table) {
    const bool has_zeros = std::ranges::any_of(
        table.names, [](const std::string& name) { return name.find('\0') != std::string::npos; });
    if (has_zeros) refuse(table, {"", "", "the table is not in UTF-8", "save it as CSV in UTF-8"});
    const bool has_names = std::ranges::any_of(
        table.names, [](const std::string& name) { return !io::cell_number(name); });
    if (has_names) return;
    refuse(table, {"", "", "the first row holds numbers, but it must name the columns",
                   "put a row with the names of the columns above them"});
}

namespace {

/// "120,0,35" has one cell more than "120,0.35": a hint if this may be what went wrong.
std::string decimal_comma_hint(const io::CellTable& table, const io::CellTable::Row& row) {
    const auto is_digits = [](const std::string& cell) {
        return !cell.empty() && std::ranges::all_of(cell, [](char letter) {
            return std::isdigit(static_cast<unsigned char>(letter)) != 0;
        });
    };
    if (row.cells.size() <= table.names.size()) return "";
    for (std::size_t i = 1; i < row.cells.size(); ++i) {
        const std::string& whole = row.cells[i - 1];
        const bool is_whole = is_digits(whole.starts_with('-') ? whole.substr(1) : whole);
        if (is_whole && is_digits(row.cells[i]))
            return "a decimal comma? write a decimal point, or separate the cells by semicolons";
    }
    return "";
}

std::string cell_hint(const io::CellTable& table, const io::CellTable::Row& row,
                      const std::string& cell) {
    if (cell.find(',') != std::string::npos)
        return "write numbers with a decimal point; decimal commas are accepted if semicolons "
               "separate the cells, the header has no comma and no number has a point";
    const bool has_words = std::ranges::none_of(
        row.cells, [](const std::string& text) { return text.empty() || io::cell_number(text); });
    if (has_words && row.line == table.rows.front().line)
        return "if these are units, write them into the header, such as `t [s]`, and delete this "
               "row";
    return "";
}

}  // namespace

std::optional<double> read_cell(const io::CellTable& table, const io::CellTable::Row& row,
                                const ColumnPlace& place, std::vector<core::Diagnostic>& problems) {
    const std::string& name = table.names[place.index];
    if (auto wrong = io::check_length(table, row)) {
        wrong->violation.suggestion = decimal_comma_hint(table, row);
        problems.push_back(*std::move(wrong));
        return std::nullopt;
    }
    const std::string& cell = row.cells[place.index];
    // Beyond doubles in SI units, too.
    const double value = place.factor * io::cell_number(cell).value_or(io::no_number);
    if (std::isfinite(value)) return value;
    problems.push_back({table.file,
                        row.line,
                        1,
                        {name, cell, cell.empty() ? "the cell is empty" : "must be a finite number",
                         cell_hint(table, row, cell)}});
    return std::nullopt;
}

core::InputError bad_rows(std::vector<core::Diagnostic> problems) {
    const std::size_t all = problems.size();
    problems.resize(std::min(all, most_problems));
    std::string& hint = problems.back().violation.suggestion;
    if (!hint.empty()) hint += "; ";
    if (all > problems.size()) hint += fmt::format("{} more rows are bad; ", all - problems.size());
    hint += "--skip-bad leaves such rows out";
    return core::InputError(std::move(problems));
}

bool says_synthetic(std::span<const std::string> comments) {
    return std::ranges::any_of(comments, [](const std::string& comment) {
        return normal_name(comment).find("synthetic") != std::string::npos;
    });
}

}  // namespace stoss::postproc
