#include <stoss/io/csv.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/file.hpp>

namespace stoss::io {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// A cell as written in the file.
struct Cell {
    std::string text;
    bool is_quoted = false;
    int column = 1;  ///< where it begins in its row

    bool is_missing() const { return text.empty() && !is_quoted; }
};

struct Row {
    int line = 1;  ///< where it begins
    std::vector<Cell> cells;

    bool is_blank() const {
        if (cells.size() != 1 || cells.front().is_quoted) return false;
        return cells.front().text.find_first_not_of(" \t") == std::string::npos;
    }
};

[[noreturn]] void refuse(const std::string& file, int line, core::Violation violation,
                         int column = 1) {
    core::Diagnostic diagnostic;
    diagnostic.file = file;
    diagnostic.line = line;
    diagnostic.column = line > 0 ? column : 0;
    diagnostic.violation = std::move(violation);
    throw core::InputError({diagnostic});
}

std::string wrong_length(std::size_t cells, std::size_t columns) {
    return "the row has " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") +
           ", but there are " + std::to_string(columns) + " columns";
}

// --- numbers -------------------------------------------------------------------------------------

std::string_view blanks_cut(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// True if a number that no double holds is too small, not too large.
bool is_too_small(std::string_view number) {
    const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
    const std::size_t point = std::min(number.find('.'), mark);
    const std::size_t first = number.find_first_of("123456789");
    std::string_view exponent = number.substr(mark);
    exponent.remove_prefix(std::min(exponent.find_first_of("-0123456789"), exponent.size()));
    std::int64_t power = 0;
    const char* const end = exponent.data() + exponent.size();
    if (std::from_chars(exponent.data(), end, power).ec == std::errc::result_out_of_range)
        return exponent.starts_with('-');
    return power < static_cast<std::int64_t>(first) - static_cast<std::int64_t>(point);
}

/// The number that a text holds; 0 if it is too small for T, infinite if it is too large.
template <class T>
std::optional<T> parse(std::string_view text) {
    std::string_view part = blanks_cut(text);
    // std::from_chars knows no plus sign.
    if (part.starts_with('+') && !part.starts_with("+-")) part.remove_prefix(1);
    T number{};
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (end != part.data() + part.size()) return std::nullopt;
    if constexpr (std::is_floating_point_v<T>) {
        if (error == std::errc::result_out_of_range) {
            const T magnitude = is_too_small(part) ? 0 : std::numeric_limits<T>::infinity();
            return part.starts_with('-') ? -magnitude : magnitude;
        }
    }
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// True of digits that no double holds; not of "inf".
bool is_too_large(std::string_view text, double number) {
    return std::isinf(number) && text.find_first_of("0123456789") != text.npos;
}

std::string number_text(std::int64_t number) {
    return std::to_string(number);
}

std::string number_text(double number) {
    return std::isnan(number) ? "nan" : core::to_real_text(number);
}

// --- writing -------------------------------------------------------------------------------------

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"') result += '"';
        result += letter;
    }
    return result + '"';
}

std::string cell_text(const std::string& text) {
    const bool must_be = text.empty() || text.starts_with('#') ||
                         text.find_first_of(",\"\r\n") != text.npos || text != blanks_cut(text);
    // A byte order mark or a number would be taken for what it looks like.
    const bool looks_otherwise = text.starts_with(byte_order_mark) || parse<double>(text);
    return must_be || looks_otherwise ? quoted(text) : text;
}

std::string cell_text(double number) {
    return number_text(number);
}
std::string cell_text(std::int64_t number) {
    return number_text(number);
}

// --- reading -------------------------------------------------------------------------------------

/// Cuts a text into rows of cells.
class Reader {
  public:
    Reader(std::string_view text, const std::string& file, char separator = ',')
        : text_(text), file_(file), separator_(1, separator), cell_ends_({separator, '\n'}) {
        if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    }

    /// The next row that is neither blank nor a comment; nothing at the end.
    std::optional<Row> next() {
        while (at_ < text_.size()) {
            if (text_[at_] == '#') {
                read_comment();
                continue;
            }
            Row row = read_row();
            if (!row.is_blank()) return row;
        }
        return std::nullopt;
    }

    /// The comments passed so far.
    const std::vector<std::string>& comments() const { return comments_; }

  private:
    void read_comment() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view comment = text_.substr(at_ + 1, end - at_ - 1);
        // The CR of a CRLF belongs to the line end, and blanks may surround it.
        comment = comment.substr(0, comment.find_last_not_of(" \t\r") + 1);
        comments_.emplace_back(blanks_cut(comment));
        at_ = std::min(end + 1, text_.size());
        ++line_;
    }

    Row read_row() {
        Row row;
        row.line = line_;
        const std::size_t begin = at_;
        do {
            const bool is_quoted = at_ < text_.size() && text_[at_] == '"';
            const int column = static_cast<int>(at_ - begin) + 1;
            row.cells.push_back(is_quoted ? quoted_cell() : plain_cell());
            row.cells.back().column = column;
        } while (take(separator_));
        if (!take("\r\n") && !take("\n")) take("\r");
        ++line_;
        return row;
    }

    Cell plain_cell() {
        const std::size_t end = std::min(text_.find_first_of(cell_ends_, at_), text_.size());
        std::string_view cell = text_.substr(at_, end - at_);
        // The CR of a CRLF belongs to the line end.
        const bool ends_line = end == text_.size() || text_[end] == '\n';
        if (ends_line && cell.ends_with('\r')) cell.remove_suffix(1);
        at_ += cell.size();
        if (cell.find('\r') != cell.npos) {
            refuse(file_, line_,
                   {"", "", "the lines of the file end in CR alone",
                    "save it with LF or CRLF at the end of each line"});
        }
        if (cell.find('"') != cell.npos) {
            refuse(file_, line_,
                   {"", std::string(cell), "a quotation mark must be at the beginning of a cell",
                    "enclose the cell in \"...\" and write \"\" for the mark itself"});
        }
        return {std::string(cell), false};
    }

    Cell quoted_cell() {
        const int first_line = line_;
        Cell cell{{}, true};
        ++at_;
        while (!ends_quotation()) {
            if (at_ >= text_.size()) {
                refuse(file_, first_line,
                       {"", "", "the quotation that begins here is never closed", ""});
            }
            if (text_[at_] == '\n') ++line_;
            cell.text += text_[at_++];
        }
        const std::string_view rest = text_.substr(at_);
        if (!rest.empty() && !rest.starts_with(separator_) && rest[0] != '\n' &&
            !rest.starts_with("\r\n")) {
            refuse(
                file_, line_,
                {"", quoted(cell.text),
                 std::string(separator_name()) + " or the end of the line must follow a quotation",
                 ""});
        }
        return cell;
    }

    const char* separator_name() const {
        return separator_ == ";" ? "a semicolon" : separator_ == "\t" ? "a tab" : "a comma";
    }

    // Passes a closing mark; of two marks the first one, so that the second is taken as text.
    bool ends_quotation() {
        if (at_ >= text_.size() || text_[at_] != '"') return false;
        ++at_;
        return at_ >= text_.size() || text_[at_] != '"';
    }

    bool take(std::string_view mark) {
        if (!text_.substr(at_).starts_with(mark)) return false;
        at_ += mark.size();
        return true;
    }

    std::string_view text_;
    const std::string& file_;
    std::string separator_, cell_ends_;
    std::vector<std::string> comments_;
    std::size_t at_ = 0;
    int line_ = 1;
};

/// One column of a table.
struct Cells {
    const std::string& file;
    const std::string& name;
    const std::vector<int>& lines;  // of the rows
    std::vector<Cell> cells;
};

void refuse_too_large(const Cells& column, const std::vector<double>& numbers) {
    const auto& cells = column.cells;
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (!is_too_large(cells[row].text, numbers[row])) continue;
        refuse(column.file, column.lines[row],
               {column.name, std::string(blanks_cut(cells[row].text)),
                "is beyond the range of double precision (1.8e308)", "check the exponent"},
               cells[row].column);
    }
}

/// The kind that all cells of a column have in common.
Column::Values typed(Cells column) {
    auto& cells = column.cells;
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;
    bool has_number = cells.empty();
    for (const Cell& cell : cells) {
        if (cell.is_missing()) {
            numbers.push_back(std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        const auto number = cell.is_quoted ? std::nullopt : parse<double>(cell.text);
        if (!number) break;
        has_number = true;
        numbers.push_back(*number);
        if (const auto integer = parse<std::int64_t>(cell.text)) integers.push_back(*integer);
    }
    if (!cells.empty() && integers.size() == cells.size()) return integers;
    if (has_number && numbers.size() == cells.size()) {
        refuse_too_large(column, numbers);
        return numbers;
    }
    std::vector<std::string> texts;
    for (Cell& cell : cells) texts.push_back(std::move(cell.text));
    return texts;
}

Row first_row(Reader& reader, const std::string& file) {
    if (auto row = reader.next()) return *std::move(row);
    refuse(file, 0, {"", "", "is empty; the first line must name the columns", ""});
}

std::vector<std::string> names_in(const Row& header, const std::string& file) {
    std::vector<std::string> names;
    std::unordered_set<std::string> known;  // a file of one long line has a million of them
    for (const Cell& cell : header.cells) {
        const std::string name = cell.is_quoted ? cell.text : std::string(blanks_cut(cell.text));
        if (name.empty()) {
            refuse(
                file, header.line,
                {"", "", "column " + std::to_string(names.size() + 1) + " must have a name", ""});
        }
        if (!known.insert(name).second) {
            refuse(file, header.line, {name, "", "the column is given twice", ""});
        }
        names.push_back(name);
    }
    return names;
}

/// The separator of the first line that is neither blank nor a comment: tab, semicolon or, if it
/// has neither, comma.
char separator_of(std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    const auto skip_to = [&](std::size_t at) { text.remove_prefix(std::min(at, text.size())); };
    skip_to(text.find_first_not_of("\r\n"));
    while (text.starts_with('#')) {
        skip_to(text.find('\n'));
        skip_to(text.find_first_not_of("\r\n"));
    }
    std::string unquoted;  // what is between quotation marks separates nothing
    bool is_quoted = false;
    for (const char c : text.substr(0, text.find('\n'))) {
        if (c == '"') is_quoted = !is_quoted;
        if (!is_quoted) unquoted += c;
    }
    for (const char separator : {'\t', ';'}) {
        if (unquoted.find(separator) != unquoted.npos) return separator;
    }
    return ',';
}

/// "-0,5" as "-0.5"; nothing if the cell is no number with one decimal comma.
std::optional<std::string> with_point(std::string_view cell) {
    const std::size_t comma = cell.find(',');
    if (comma == cell.npos) return std::nullopt;
    std::string text(cell);
    text[comma] = '.';
    return parse<double>(text) ? std::optional(std::move(text)) : std::nullopt;
}

bool all_numbers(const Row& row, char separator) {
    return std::ranges::all_of(row.cells, [&](const Cell& cell) {
        const bool is_number =
            parse<double>(cell.text) || (separator == ';' && with_point(cell.text));
        return is_number && !cell.is_quoted;
    });
}

bool has_point(const std::string& cell) {
    return cell.find('.') != cell.npos && parse<double>(cell);
}

/// Writes decimal commas as points where they can be nothing else: semicolons set the cells apart,
/// the header has no comma, and no number of the table has a point.
void read_decimal_commas(CellTable& table, char separator) {
    const auto has_comma = [](const std::string& name) { return name.find(',') != name.npos; };
    if (separator != ';' || std::ranges::any_of(table.names, has_comma)) return;
    for (const CellTable::Row& row : table.rows) {
        if (std::ranges::any_of(row.cells, has_point)) return;
    }
    for (CellTable::Row& row : table.rows) {
        for (std::string& cell : row.cells) {
            if (auto number = with_point(cell)) cell = *std::move(number);
        }
    }
}

CellTable::Row cells_of(Row row) {
    CellTable::Row cells{row.line, {}, {}, {}};
    for (Cell& cell : row.cells) {
        cells.cells.push_back(std::move(cell.text));
        cells.columns.push_back(cell.column);
        cells.is_quoted.push_back(cell.is_quoted);
    }
    return cells;
}

}  // namespace

std::size_t Column::size() const {
    return std::visit([](const auto& held) { return held.size(); }, values);
}

void Table::add(std::string name, Column::Values values) {
    if (name.empty() || find(name) != nullptr) {
        throw std::invalid_argument("the name of a column must be unique: \"" + name + "\"");
    }
    Column column{std::move(name), std::move(values)};
    if (!columns.empty() && column.size() != rows()) {
        throw std::invalid_argument("the column " + column.name + " has another length");
    }
    columns.push_back(std::move(column));
}

const Column* Table::find(std::string_view name) const {
    const auto there = std::ranges::find(columns, name, &Column::name);
    return there == columns.end() ? nullptr : &*there;
}

const Column& Table::column(std::string_view name) const {
    if (const Column* const found = find(name)) return *found;
    std::vector<std::string> names;
    for (const Column& column : columns) names.push_back(column.name);
    const auto nearest = core::nearest_word(name, names);
    refuse(file, 0,
           {std::string(name), "", "there is no such column",
            nearest ? "did you mean `" + *nearest + "`?"
                    : "the columns are " + core::listed(names, "and")});
}

std::vector<double> Table::numbers(std::string_view name) const {
    const Column& found = column(name);
    if (const auto* held = std::get_if<std::vector<double>>(&found.values)) return *held;
    if (const auto* held = std::get_if<std::vector<std::int64_t>>(&found.values)) {
        std::vector<double> result;
        for (const std::int64_t number : *held) result.push_back(static_cast<double>(number));
        return result;
    }
    std::vector<double> result;
    const auto& texts = std::get<std::vector<std::string>>(found.values);
    for (std::size_t row = 0; row < texts.size(); ++row) {
        const auto number =
            texts[row].empty() ? std::numeric_limits<double>::quiet_NaN() : cell_number(texts[row]);
        if (!number) {
            refuse(file, row < lines.size() ? lines[row] : 0,
                   {found.name, texts[row], "must be a number", ""});
        }
        result.push_back(*number);
    }
    return result;
}

std::vector<std::string> Table::texts(std::string_view name) const {
    return std::visit(
        []<class T>(const std::vector<T>& held) {
            if constexpr (std::is_same_v<T, std::string>) {
                return held;
            } else {
                std::vector<std::string> result;
                for (const T number : held) result.push_back(number_text(number));
                return result;
            }
        },
        column(name).values);
}

std::string to_csv(const Table& table) {
    std::string text;
    for (const std::string& comment : table.comments) text += "# " + comment + '\n';
    for (const Column& column : table.columns) {
        if (&column != &table.columns.front()) text += ',';
        text += cell_text(column.name);
    }
    text += '\n';
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (const Column& column : table.columns) {
            if (&column != &table.columns.front()) text += ',';
            text +=
                std::visit([row](const auto& held) { return cell_text(held[row]); }, column.values);
        }
        text += '\n';
    }
    return text;
}

Table parse_csv(std::string_view text, const std::string& file) {
    Reader reader(text, file);
    const std::vector<std::string> names = names_in(first_row(reader, file), file);
    std::vector<std::vector<Cell>> columns(names.size());
    Table table;
    table.file = file;
    table.comments = reader.comments();
    while (auto row = reader.next()) {
        if (row->cells.size() != names.size()) {
            refuse(file, row->line, {"", "", wrong_length(row->cells.size(), names.size()), ""});
        }
        table.lines.push_back(row->line);
        for (std::size_t i = 0; i < names.size(); ++i) {
            columns[i].push_back(std::move(row->cells[i]));
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        table.columns.push_back(
            {names[i], typed({file, names[i], table.lines, std::move(columns[i])})});
    return table;
}

Table read_csv(const std::string& file) {
    return parse_csv(read_text(file), file);
}

std::optional<double> cell_number(std::string_view cell) {
    const auto number = parse<double>(cell);
    return number && is_too_large(cell, *number) ? std::nullopt : number;
}

CellTable parse_cells(std::string_view text, const std::string& file) {
    const char separator = separator_of(text);
    Reader reader(text, file, separator);
    CellTable table;
    table.file = file;
    Row first = first_row(reader, file);
    table.header_line = first.line;
    if (all_numbers(first, separator) && !reader.comments().empty() &&
        !reader.comments().back().empty()) {  // as numpy.savetxt writes a header
        // There is none if what is commented out is a comment, too.
        std::optional<Row> header = Reader(reader.comments().back() + "\n", file, separator).next();
        if (header && header->cells.size() == first.cells.size() &&
            !all_numbers(*header, separator)) {
            header->line = first.line - 1;
            table.rows.push_back(cells_of(std::exchange(first, *std::move(header))));
            table.header_line = first.line;
        }
    }
    table.names = names_in(first, file);
    while (auto row = reader.next()) table.rows.push_back(cells_of(*std::move(row)));
    table.comments = reader.comments();
    read_decimal_commas(table, separator);
    return table;
}

CellTable read_cells(const std::string& file) {
    return parse_cells(read_text(file), file);
}

std::optional<core::Diagnostic> check_length(const CellTable& table, const CellTable::Row& row) {
    const std::size_t cells = row.cells.size(), columns = table.names.size();
    if (cells == columns) return std::nullopt;
    return core::Diagnostic{table.file, row.line, 1, {"", "", wrong_length(cells, columns), ""}};
}

std::vector<core::Diagnostic> check_row_lengths(const CellTable& table) {
    std::vector<core::Diagnostic> problems;
    for (const CellTable::Row& row : table.rows) {
        if (auto problem = check_length(table, row)) problems.push_back(*std::move(problem));
    }
    return problems;
}

Column::Values values_of(const CellTable& table, std::size_t column) {
    std::vector<int> lines;
    std::vector<Cell> cells;
    for (const CellTable::Row& row : table.rows) {
        lines.push_back(row.line);
        cells.push_back({row.cells[column], row.is_quoted[column], row.columns[column]});
    }
    return typed({table.file, table.names[column], lines, std::move(cells)});
}

}  // namespace stoss::io
