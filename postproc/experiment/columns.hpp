#pragma once
/// Which column of a measured table is what, and in which unit.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::postproc {

/// A unit that a column may have.
struct ColumnUnit {
    std::string_view si;  ///< in UDUNITS-2 words; "" for a pure number
    /// Names of columns whose numbers are in this unit if the header gives none, in lower case with
    /// `_` for blanks.
    std::vector<std::string_view> names;
};

/// One thing that a table may hold.
struct ColumnKind {
    std::string_view key;      ///< as in the YAML file beside the table, e.g. `location`
    std::string_view example;  ///< a header that is understood, e.g. `x [mm]`
    std::vector<ColumnUnit> units;
};

/// What the YAML file beside a table says of one column.
struct ColumnMapping {
    std::string column;
    core::OrNone<std::string> unit;

    static constexpr auto fields() {
        return std::tuple{
            core::field("column", &ColumnMapping::column, "name of the column in the table")
                .required(),
            core::field("unit", &ColumnMapping::unit,
                        "unit of the column; none: the one in the header")};
    }
};

/// A column that was found.
struct ColumnPlace {
    std::size_t index;
    std::string_view si;  ///< unit after multiplication with `factor`
    double factor;
    bool has_unit = false;  ///< false: neither header nor mapping gives one
};

/// The column of that kind; nothing if there is none.
///
/// A header is a name with a unit behind it: `x [mm]`, `x (mm)`, `x_mm`, `speed_m_per_s`; or a name
/// alone, whose unit the kind knows. Upper and lower case, blanks, dots and hyphens do not matter.
/// A `mapping` says it instead; its column has the unit of the header if it gives none.
/// `mapping_file`: the file that may hold a mapping, for hints; "" if there is no such file.
/// Errors: core::InputError with file and line if two columns fit, if a unit is not one of the
/// kind, or if the mapped column is not there.
std::optional<ColumnPlace> find_column(const io::CellTable& table, const ColumnKind& kind,
                                       const std::optional<ColumnMapping>& mapping,
                                       const std::string& mapping_file);

/// The columns with a name of that kind, whatever their units.
std::vector<std::size_t> columns_named(const io::CellTable& table, const ColumnKind& kind);

/// A place along a beam: xi, or x in any unit of length.
const ColumnKind& location_kind();

/// Throws core::InputError at the header: no column of that kind. `mapping_file` as above.
[[noreturn]] void refuse_missing_column(const io::CellTable& table, const ColumnKind& kind,
                                        const std::string& mapping_file);

/// Throws core::InputError if the first row cannot name columns: numbers alone, or text in UTF-16.
void refuse_without_header(const io::CellTable& table);

/// The number in a cell, in SI. A row of another length than the header, and a cell that is no
/// finite number, are added to `problems`, with their line.
std::optional<double> read_cell(const io::CellTable& table, const io::CellTable::Row& row,
                                const ColumnPlace& place, std::vector<core::Diagnostic>& problems);

/// What to throw for the rows that cannot be used: the first of them, how many more there are, and
/// how to leave them out.
core::InputError bad_rows(std::vector<core::Diagnostic> problems);

/// The comment that marks a table as synthetic.
inline constexpr std::string_view synthetic_comment = "synthetic: computed by Stoss, not measured";

/// True if a comment of the table says that its numbers are synthetic.
bool says_synthetic(std::span<const std::string> comments);

}  // namespace stoss::postproc
