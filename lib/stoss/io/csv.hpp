#pragma once
/// Tables as comma-separated values (RFC 4180).

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <stoss/core/error.hpp>

namespace stoss::io {

/// Marks a missing number in a column or a summary; written as `nan`.
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// The number of a cell; none if the cell holds `no_number`.
inline std::optional<double> number_in(double cell) {
    return std::isnan(cell) ? std::nullopt : std::optional(cell);
}

/// One column: all values are of one kind.
struct Column {
    using Values =
        std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;

    std::string name;  ///< with the unit as suffix, e.g. `separation_s`
    Values values;     ///< one a row

    std::size_t size() const;
};

/// Columns of equal length.
struct Table {
    std::vector<Column> columns;
    std::vector<std::string> comments;  ///< lines before the header, each behind a `#`
    std::string file;                   ///< where it was read from; for messages
    std::vector<int> lines;             ///< line of each row in that file; empty if it was not read

    std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }

    /// Appends a column.
    /// Errors: std::invalid_argument if the name is empty or taken, or the length is another.
    void add(std::string name, Column::Values values);

    /// nullptr if there is no such column.
    const Column* find(std::string_view name) const;

    /// Errors: core::InputError with the file and the nearest name if there is no such column.
    const Column& column(std::string_view name) const;

    /// A column as numbers. Whole numbers become doubles, an empty cell becomes NaN.
    /// Errors: core::InputError as `column`; with file and line at the first cell that is no
    /// number.
    std::vector<double> numbers(std::string_view name) const;

    /// A column as texts; numbers as `to_csv` writes them.
    /// Errors: core::InputError as `column`.
    std::vector<std::string> texts(std::string_view name) const;
};

/// Writes the comments, a header line and one line a row, each ended by a newline.
///
/// Doubles are the shortest text that reads back as the same double, always with a point or an
/// exponent; `inf`, `-inf` and `nan` are written so. Texts are quoted where they must be, and where
/// they would read as a number or as nothing. So a table with rows reads back as the same table.
std::string to_csv(const Table& table);

/// Reads what `to_csv` writes, and what other programs write: line ends may be LF or CRLF, a byte
/// order mark and empty lines are skipped, blanks around numbers too. A line that begins with `#`
/// is a comment.
///
/// The cells decide the kind of a column: whole numbers that fit in 64 bits; numbers, where an
/// empty cell is NaN and one too small for a double 0; else texts. A quoted cell is a text. A
/// column without rows has no numbers in it. Errors: core::FileError if the file cannot be read;
/// core::InputError with file and line for a row of another length than the header, an open
/// quotation, text behind a quotation, a name that is empty or given twice, a number too large for
/// a double, or a file without header.
Table read_csv(const std::string& file);
Table parse_csv(std::string_view text, const std::string& file);

/// The number of a cell, as `read_csv` takes it; nothing if it is none or too large for a double.
std::optional<double> cell_number(std::string_view cell);

/// A table of another program before its cells are understood.
struct CellTable {
    struct Row {
        int line;  ///< in the file
        std::vector<std::string> cells;
        std::vector<int> columns;     ///< where each cell begins in its line, from 1
        std::vector<bool> is_quoted;  ///< of each cell
    };

    std::string file;
    std::vector<std::string> comments;  ///< lines that begin with `#`, without it
    std::vector<std::string> names;     ///< of the columns
    int header_line = 0;
    std::vector<Row> rows;  ///< may have another number of cells than there are names
};

/// Reads a table whose cells are set apart by commas, semicolons or tabs, whichever the header
/// holds. The header may follow a `#`, if no other line names the columns.
///
/// A number may have a decimal comma if semicolons set the cells apart, the header has no comma and
/// no number of the table has a point: its cell is then given with a point. Any other table keeps
/// such cells as they are, and they are no numbers.
/// Errors: core::FileError if the file cannot be read; core::InputError as `read_csv`, but for rows
/// of another length.
CellTable read_cells(const std::string& file);
CellTable parse_cells(std::string_view text, const std::string& file);

/// What is wrong with a row that has another number of cells than there are columns; nothing if it
/// has as many.
std::optional<core::Diagnostic> check_length(const CellTable& table, const CellTable::Row& row);

/// The same of all rows.
std::vector<core::Diagnostic> check_row_lengths(const CellTable& table);

/// The cells of a column, of the kind that `read_csv` decides. Each row has one.
/// Errors: core::InputError with file and line for a number too large for a double.
Column::Values values_of(const CellTable& table, std::size_t column);

}  // namespace stoss::io
