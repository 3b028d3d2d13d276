#include <solvers/problems/modal/modal_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

using std::numbers::pi;

constexpr std::array<std::string_view, 5> own_columns{
    "mode", "frequency_Hz", "modal_damping_1_per_s", "damping_ratio", "modal_mass_kg"};

bool is_own(const std::string& name) {
    return std::find(own_columns.begin(), own_columns.end(), name) != own_columns.end();
}

/// The cells of a table of modes as numbers, with everything that is wrong with them.
class ModeReader {
  public:
    explicit ModeReader(const std::string& file) : table_(io::read_cells(file)) {
        if (!has("frequency_Hz"))
            refuse_header("frequency_Hz", "is missing; the table needs this column");
        if (has("damping_ratio") && has("modal_damping_1_per_s"))
            refuse_header("damping_ratio", "cannot be given together with modal_damping_1_per_s");
        if (std::all_of(table_.names.begin(), table_.names.end(), is_own))
            refuse_header("", "has no point: every further column must be a point with its name");
        std::ranges::move(io::check_row_lengths(table_), std::back_inserter(problems_));
        throw_if_any();
        take_residual_row();
        if (table_.rows.empty()) refuse_header("", "has no modes");
        throw_if_any();
    }

    bool has(std::string_view name) const { return index(name) < table_.names.size(); }
    const std::vector<std::string>& names() const { return table_.names; }
    std::size_t rows() const { return table_.rows.size(); }

    /// A column of finite numbers that `admits` accepts.
    template <class Admits>
    std::vector<double> numbers(std::size_t column, Admits&& admits, const char* rule) {
        std::vector<double> values;
        for (const io::CellTable::Row& row : table_.rows) {
            const double value = io::cell_number(row.cells[column]).value_or(io::no_number);
            if (std::isinf(value) && column == index("frequency_Hz")) {
                refuse(row, column, "must be a finite number",
                       "only the last row, the residual flexibility, may have `inf`");
            } else if (!std::isfinite(value)) {
                refuse(row, column, "must be a finite number", "");
            } else if (!admits(value)) {
                refuse(row, column, rule, "");
            }
            values.push_back(value);
        }
        return values;
    }
    template <class Admits>
    std::vector<double> numbers(std::string_view name, Admits&& admits, const char* rule) {
        return numbers(index(name), std::forward<Admits>(admits), rule);
    }

    /// Refuses a cell that is a number, but makes `result` overflow together with the cells beside
    /// it.
    void refuse_overflow(double cell, double result, std::size_t row, std::string_view name) {
        if (std::isfinite(cell) && std::isinf(result))
            refuse(table_.rows[row], index(name), "gives a number above 1e308", "");
    }

    /// R [m/N] of a point; nothing if the table has none.
    std::optional<double> residual_flexibility(std::size_t column) {
        if (!residual_) return {};
        const double value = io::cell_number(residual_->cells[column]).value_or(io::no_number);
        if (!std::isfinite(value)) {
            refuse(*residual_, column, "must be a finite number: residual flexibility in m/N",
                   "write 0 where it is not known");
        } else if (value < 0.0) {
            refuse(*residual_, column, "must be >= 0 m/N: residual flexibility",
                   "it is the static deflection under a unit force less the sum of phi^2/omega^2 "
                   "over the vibration modes of the table");
        }
        return value;
    }
    void check_residual_row(bool has_vibration_modes) {
        if (!residual_) return;
        if (!has_vibration_modes) {
            refuse(*residual_, index("frequency_Hz"),
                   "must not be given: a body without vibration modes is rigid and has no residual "
                   "flexibility",
                   "add the vibration modes, or leave this row out");
        }
        const auto check = [&](std::string_view name, double neutral) {
            if (!has(name)) return;
            const std::string& cell = residual_->cells[index(name)];
            if (cell.empty() || io::cell_number(cell) == neutral) return;
            refuse(
                *residual_, index(name),
                fmt::format("must be {} or empty: this row is the residual flexibility", neutral),
                "it acts like a spring without mass and damping");
        };
        check("modal_damping_1_per_s", 0.0);
        check("damping_ratio", 0.0);
        check("modal_mass_kg", 1.0);
    }

    void refuse_row(std::size_t row, std::string_view name, std::string rule, std::string hint) {
        refuse(table_.rows[row], index(name), std::move(rule), std::move(hint));
    }

    void throw_if_any() { io::throw_if_any({table_.file, {}}, std::exchange(problems_, {})); }

  private:
    void take_residual_row() {
        if (table_.rows.empty()) return;
        const io::CellTable::Row& last = table_.rows.back();
        if (io::cell_number(last.cells[index("frequency_Hz")]) != core::infinity) return;
        residual_ = last;
        table_.rows.pop_back();
    }
    std::size_t index(std::string_view name) const {
        return static_cast<std::size_t>(std::find(table_.names.begin(), table_.names.end(), name) -
                                        table_.names.begin());
    }
    void refuse_header(std::string name, std::string rule) {
        problems_.push_back({table_.file,
                             table_.header_line,
                             1,
                             {std::move(name), "", std::move(rule),
                              "docs/modal-basis.md has the "
                              "layout"}});
    }
    void refuse(const io::CellTable::Row& row, std::size_t column, std::string rule,
                std::string hint) {
        add(row, column,
            {table_.names[column], row.cells[column], std::move(rule), std::move(hint)});
    }
    void add(const io::CellTable::Row& row, std::size_t cell, core::Violation violation) {
        problems_.push_back({table_.file, row.line, row.columns[cell], std::move(violation)});
    }

    io::CellTable table_;                         // without the row of the residual flexibility
    std::optional<io::CellTable::Row> residual_;  // that row
    io::Problems problems_;
};

constexpr double lowest_frequency = 1e-150;  // [Hz]; its square is a number, too

constexpr auto any_number = [](double) { return true; };
constexpr auto not_negative = [](double x) { return x >= 0.0; };
constexpr auto above_zero = [](double x) { return x > 0.0; };

/// How many of the first modes are rigid.
std::size_t count_rigid(const std::vector<double>& frequency, std::optional<int> given) {
    if (given) return std::min(frequency.size(), static_cast<std::size_t>(*given));
    return static_cast<std::size_t>(std::find_if(frequency.begin(), frequency.end(), above_zero) -
                                    frequency.begin());
}

void check_order(ModeReader& reader, const std::vector<double>& frequency, std::size_t rigid) {
    for (std::size_t j = rigid; j < frequency.size(); ++j) {
        if (frequency[j] == 0.0) {
            reader.refuse_row(j, "frequency_Hz", "must be > 0 Hz: it is not one of the rigid modes",
                              "rigid modes come first; `rigid_modes` is their number");
        } else if (frequency[j] < lowest_frequency) {
            reader.refuse_row(j, "frequency_Hz",
                              "must be at least 1e-150 Hz, or that of a rigid mode", "");
        } else if (j > rigid && std::isfinite(frequency[j - 1]) &&
                   frequency[j] < frequency[j - 1]) {
            reader.refuse_row(
                j, "frequency_Hz",
                "is less than the frequency before: modes must be in the order of frequency", "");
        }
    }
}

/// The cells of damping.
void read_damping(ModeReader& reader, ModeCells& cells) {
    if (reader.has("modal_damping_1_per_s")) {
        cells.damping = reader.numbers("modal_damping_1_per_s", not_negative, "must be >= 0 1/s");
        for (std::size_t j = 1; j < cells.rigid; ++j) {
            if (cells.damping[j] != cells.damping[0]) {
                reader.refuse_row(j, "modal_damping_1_per_s",
                                  "differs from that of the first rigid mode",
                                  "rigid modes of one body share one damping");
            }
        }
    } else if (reader.has("damping_ratio")) {
        cells.damping = reader.numbers("damping_ratio", not_negative, "must be >= 0");
        cells.has_ratios = true;
    }
}

/// Refuses cells from which no finite number follows.
void check_sizes(ModeReader& reader, const ModeCells& cells, const NamedModes& modes) {
    for (std::size_t j = 0; j < cells.frequency.size(); ++j) {
        reader.refuse_overflow(cells.frequency[j], modes.eigenvalues[j], j, "frequency_Hz");
        if (cells.has_ratios)
            reader.refuse_overflow(cells.damping[j], modes.damping[j], j, "damping_ratio");
        for (std::size_t i = 0; i < cells.points.size(); ++i) {
            if (!cells.modal_mass.empty() && !(cells.modal_mass[j] > 0.0)) continue;  // refused
            const double shape =
                modes.shapes(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            reader.refuse_overflow(cells.shapes[i][j], shape, j, cells.points[i]);
        }
    }
}

}  // namespace

std::span<const std::string_view> own_mode_columns() {
    return own_columns;
}

std::optional<Eigen::Index> NamedModes::find(const std::string& point) const {
    const auto at = std::find(points.begin(), points.end(), point);
    return at == points.end() ? std::nullopt : std::optional<Eigen::Index>(at - points.begin());
}

modal::ModalBody NamedModes::at(Eigen::Index point) const {
    const Eigen::VectorXd phi = shapes.row(point);
    modal::ModalBody body{eigenvalues, damping, {phi.begin(), phi.end()}, rigid};
    if (!residual_flexibility.empty())
        body.residual_flexibility = residual_flexibility[static_cast<std::size_t>(point)];
    return body;
}

void NamedModes::add(const std::string& point, const modal::ModalBody& body) {
    points.push_back(point);
    eigenvalues = body.eigenvalues;
    damping = body.damping;
    rigid = body.rigid;
    const auto modes = static_cast<Eigen::Index>(body.modes());
    shapes.conservativeResize(shapes.rows() + 1, modes);
    shapes.bottomRows(1) = Eigen::Map<const Eigen::RowVectorXd>(body.phi.data(), modes);
    residual_flexibility.push_back(body.residual_flexibility);
}

core::NumberKey ModeCells::number_at(std::string_view cell) {
    const std::size_t dot = cell.find("].");
    if (dot == cell.npos) return {};
    const auto row = core::index_of_item(cell.substr(0, dot + 1), "");
    const std::string_view column = cell.substr(dot + 2);
    if (!row || *row > frequency.size()) return {};
    const auto point = static_cast<std::size_t>(std::ranges::find(points, column) - points.begin());
    if (*row == frequency.size()) {
        if (point >= residual_flexibility.size()) return {};
        return {&residual_flexibility[point], "m/N", core::non_negative};
    }
    if (point < points.size()) return {&shapes[point][*row], "kg^-0.5", core::finite};
    if (column == "modal_mass_kg" && !modal_mass.empty())
        return {&modal_mass[*row], "kg", core::positive};
    const bool is_rigid = *row < rigid;
    if (column == "frequency_Hz" && !is_rigid) return {&frequency[*row], "Hz", core::non_negative};
    if (damping.empty() || (is_rigid && (has_ratios || rigid > 1))) return {};
    if (column == (has_ratios ? "damping_ratio" : "modal_damping_1_per_s"))
        return {&damping[*row], has_ratios ? "" : "1/s", core::non_negative};
    return {};
}

NamedModes modes_of(const ModeCells& cells) {
    NamedModes modes;
    modes.rigid = cells.rigid;
    modes.points = cells.points;
    modes.residual_flexibility = cells.residual_flexibility;
    const std::size_t count = cells.frequency.size();
    for (std::size_t j = 0; j < count; ++j) {
        const double omega = 2.0 * pi * cells.frequency[j];
        modes.eigenvalues.push_back(j < cells.rigid ? 0.0 : omega * omega);
    }
    modes.damping.assign(count, 0.0);
    if (!cells.has_ratios && !cells.damping.empty()) modes.damping = cells.damping;
    for (std::size_t j = cells.rigid; cells.has_ratios && j < count; ++j)
        modes.damping[j] = 2.0 * cells.damping[j] * 2.0 * pi * cells.frequency[j];
    modes.shapes.resize(static_cast<Eigen::Index>(cells.points.size()),
                        static_cast<Eigen::Index>(count));
    for (std::size_t i = 0; i < cells.points.size(); ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            const double mass = cells.modal_mass.empty() ? 1.0 : cells.modal_mass[j];
            modes.shapes(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                cells.shapes[i][j] / std::sqrt(mass);
        }
    }
    return modes;
}

ModeCells read_mode_cells(const std::string& file, std::optional<int> rigid_modes) {
    ModeReader reader(file);
    ModeCells cells;
    cells.frequency = reader.numbers("frequency_Hz", not_negative, "must be >= 0 Hz");
    cells.rigid = count_rigid(cells.frequency, rigid_modes);
    check_order(reader, cells.frequency, cells.rigid);
    read_damping(reader, cells);
    if (reader.has("modal_mass_kg"))
        cells.modal_mass = reader.numbers("modal_mass_kg", above_zero, "must be > 0 kg");
    reader.check_residual_row(cells.rigid < cells.frequency.size());
    for (std::size_t i = 0; i < reader.names().size(); ++i) {
        if (is_own(reader.names()[i])) continue;
        cells.points.push_back(reader.names()[i]);
        cells.shapes.push_back(reader.numbers(i, any_number, ""));
        if (const auto residual = reader.residual_flexibility(i))
            cells.residual_flexibility.push_back(*residual);
    }
    check_sizes(reader, cells, modes_of(cells));
    reader.throw_if_any();
    return cells;
}

io::Table mode_table(const NamedModes& modes) {
    std::vector<std::int64_t> number;
    std::vector<double> frequency, damping = modes.damping;
    for (const double eigenvalue : modes.eigenvalues) {
        number.push_back(static_cast<std::int64_t>(number.size()) + 1);
        frequency.push_back(std::sqrt(eigenvalue) / (2.0 * pi));
    }
    io::Table table;
    table.comments = {"modes of a body, mass-normalised: shapes at named points [1/sqrt(kg)]"};
    const bool has_residual =
        modes.rigid < modes.eigenvalues.size() &&
        std::ranges::any_of(modes.residual_flexibility, [](double r) { return r > 0.0; });
    if (has_residual) {
        table.comments.push_back(
            "last row, of frequency inf: residual flexibility at these points [m/N]");
        number.push_back(static_cast<std::int64_t>(number.size()) + 1);
        frequency.push_back(core::infinity);
        damping.push_back(0.0);
    }
    table.add("mode", std::move(number));
    table.add("frequency_Hz", std::move(frequency));
    table.add("modal_damping_1_per_s", std::move(damping));
    for (std::size_t i = 0; i < modes.points.size(); ++i) {
        const Eigen::VectorXd row = modes.shapes.row(static_cast<Eigen::Index>(i));
        std::vector<double> values(row.begin(), row.end());
        if (has_residual) values.push_back(modes.residual_flexibility[i]);
        table.add(modes.points[i], std::move(values));
    }
    return table;
}

}  // namespace stoss::solvers
