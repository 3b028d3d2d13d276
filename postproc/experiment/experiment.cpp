#include <postproc/experiment/experiment.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/column_mapping.hpp>
#include <stoss/io/document.hpp>

namespace stoss::postproc {

namespace {

constexpr double roundoff = 1e-9;  // of a length that is converted to metres
// Beyond this a number is no coefficient of restitution, however noisy: perhaps a percentage.
constexpr double largest_cor = 1.5, smallest_cor = -0.1;
constexpr double largest_deviation = 1.0;  // likewise
constexpr double same_speed = 0.1;         // relative difference that hardly changes restitution
constexpr double most_repeats = 1e9;
constexpr double same_error = 0.1;  // relative difference of standard errors by rounding

const ColumnKind speed_kind{
    "speed",
    "approach_speed [m/s]",
    {{"m/s",
      {"speed", "approach_speed", "velocity", "v", "v_0", "v0", "v_rel", "impact_speed",
       "impact_velocity"}},
     {"rad/s",
      {"omega", "omega_0", "omega0", "omega_before", "angular_velocity", "angular_speed"}}}};

const ColumnKind cor_kind{
    "cor",
    "cor",
    {{"",
      {"cor", "e", "eps", "epsilon", "restitution", "coefficient_of_restitution", "cor_mean",
       "mean_cor", "cor_kinematic", "e_n", "e_mean"}}}};

const ColumnKind deviation_kind{
    "standard_deviation",
    "cor_standard_deviation",
    {{"",
      {"sd", "std", "sigma", "stdev", "std_dev", "standard_deviation", "cor_sd", "cor_std",
       "cor_sigma", "cor_stdev", "cor_std_dev", "cor_standard_deviation", "e_sd", "e_std",
       "e_sigma", "sigma_cor", "sigma_e", "sd_cor", "std_cor"}}}};

const ColumnKind error_kind{
    "standard_error",
    "cor_standard_error",
    {{"",
      {"se", "sem", "stderr", "std_err", "std_error", "standard_error", "standard_error_of_mean",
       "cor_se", "cor_sem", "cor_stderr", "cor_std_error", "cor_standard_error", "e_se", "e_sem",
       "e_standard_error"}}}};

const ColumnKind systematic_kind{
    "systematic_error",
    "cor_systematic_error",
    {{"",
      {"systematic", "systematic_error", "cor_systematic", "cor_systematic_error",
       "systematic_standard_error", "e_systematic_error"}}}};

const ColumnKind repeats_kind{
    "repeats",
    "repeats",
    {{"",
      {"n", "repeats", "trials", "count", "number", "repetitions", "number_of_repeats",
       "number_of_trials", "n_repeats", "n_trials"}}}};

/// One row of the table: the mean of `repeats` measurements.
using Row = MeasuredPoint;

/// The columns of a table that are in use.
struct Columns {
    ColumnPlace place, cor;
    std::optional<ColumnPlace> deviation, systematic, error, repeats;
    Abscissa abscissa;
};

Abscissa abscissa_of(std::string_view si) {
    if (si == "m") return Abscissa::x;
    if (si == "m/s") return Abscissa::approach_speed;
    if (si == "rad/s") return Abscissa::angular_velocity;
    return Abscissa::xi;
}

Columns find_columns(const io::CellTable& table, const ExperimentMapping& mapping) {
    const std::string mapping_file = io::mapping_file_of(table.file);
    const auto find = [&](const ColumnKind& kind, const std::optional<ColumnMapping>& given) {
        return find_column(table, kind, given, mapping_file);
    };
    // Of two columns that fit, the place is meant unless the mapping names the speed
    // (`refuse_other_speeds`).
    std::optional<ColumnPlace> place;
    if (!mapping.speed) place = find(location_kind(), mapping.location);
    if (!place) place = find(speed_kind, mapping.speed);
    if (!place) refuse_missing_column(table, location_kind(), mapping_file);
    const auto cor = find(cor_kind, mapping.cor);
    if (!cor) refuse_missing_column(table, cor_kind, mapping_file);
    Columns columns{*place,
                    *cor,
                    find(deviation_kind, mapping.standard_deviation),
                    find(systematic_kind, mapping.systematic_error),
                    find(error_kind, mapping.standard_error),
                    find(repeats_kind, mapping.repeats),
                    abscissa_of(place->si)};
    // Scatter is written in the unit of what scatters.
    for (std::optional<ColumnPlace>* scatter :
         {&columns.deviation, &columns.systematic, &columns.error})
        if (*scatter && !(*scatter)->has_unit) (*scatter)->factor = cor->factor;
    return columns;
}

/// Rows of one place count as repeats, but at another speed another restitution is right.
void refuse_other_speeds(const io::CellTable& table, const ColumnPlace& place,
                         const std::string& mapping_file) {
    for (const std::size_t column : columns_named(table, speed_kind)) {
        std::map<double, double> speeds;  // the first at each place
        for (const io::CellTable::Row& row : table.rows) {
            if (row.cells.size() != table.names.size()) continue;
            const auto location = io::cell_number(row.cells[place.index]);
            const auto cell = io::cell_number(row.cells[column]);
            if (!location || !cell || std::isnan(*location) || std::isnan(*cell)) continue;
            const double speed = std::abs(*cell);
            const double first = speeds.emplace(*location, speed).first->second;
            if (std::abs(speed - first) <= same_speed * std::max(speed, first)) continue;
            throw core::InputError(
                {{table.file,
                  row.line,
                  1,
                  {table.names[column], row.cells[column],
                   fmt::format("is another speed than {} in an earlier row of the same place",
                               core::to_text(first)),
                   fmt::format("give each speed a table of its own; or, to average over them, "
                               "write `location: {{column: {}}}` into {}",
                               table.names[place.index], mapping_file)}}});
        }
    }
}

/// Reads one row at a time; keeps what is wrong.
class RowReader {
  public:
    RowReader(const io::CellTable& table, const Columns& columns)
        : table_(table), columns_(columns) {}

    std::optional<Row> read(const io::CellTable::Row& cells) {
        const std::size_t known = problems_.size();
        Row row;
        const auto place = read_cell(table_, cells, columns_.place, problems_);
        if (cells.cells.size() != table_.names.size()) return {};  // reported once
        const auto cor = read_cell(table_, cells, columns_.cor, problems_);
        if (place) row.place = check_place(cells, *place);
        if (cor)
            row.cor = check(cells, columns_.cor, *cor, core::closed(smallest_cor, largest_cor));
        if (columns_.repeats && !is_missing(cells, *columns_.repeats)) {
            const auto repeats = read_cell(table_, cells, *columns_.repeats, problems_);
            if (repeats) row.repeats = check_repeats(cells, *repeats);
        }
        row.deviation = read_scatter(cells, columns_.deviation);
        row.systematic = read_scatter(cells, columns_.systematic).value_or(0.0);
        if (const auto error = read_scatter(cells, columns_.error)) add_error(row, cells, *error);
        return problems_.size() > known ? std::nullopt : std::optional(row);
    }

    std::vector<core::Diagnostic>& problems() { return problems_; }

  private:
    static bool is_missing(const io::CellTable::Row& cells, const ColumnPlace& place) {
        const std::string& cell = cells.cells[place.index];
        return cell.empty() || std::isnan(io::cell_number(cell).value_or(0.0));
    }

    /// A standard deviation or error of the coefficient, if the row has one.
    std::optional<double> read_scatter(const io::CellTable::Row& cells,
                                       const std::optional<ColumnPlace>& place) {
        if (!place || is_missing(cells, *place)) return std::nullopt;
        const auto scatter = read_cell(table_, cells, *place, problems_);
        if (scatter) check(cells, *place, *scatter, core::closed(0.0, largest_deviation));
        return scatter;
    }

    /// True if two standard errors agree but for rounding and for n or n - 1 in the deviation.
    static bool is_same_error(double error, double expected, double repeats) {
        const double by_counting = repeats > 1.0 ? std::sqrt(repeats / (repeats - 1.0)) : 1.0;
        const double most = (1.0 + same_error) * by_counting;
        return error <= most * expected && expected <= most * error;
    }

    /// The standard error of the mean gives the deviation, or must agree with the one there is.
    void add_error(Row& row, const io::CellTable::Row& cells, double error) {
        if (!row.deviation && error < row.systematic) {
            refuse(cells, *columns_.error, "must be at least the systematic error",
                   "it is sqrt(sd^2/n + systematic^2)");
        } else if (!row.deviation) {
            row.deviation = scatter_of(error, row.systematic) * std::sqrt(row.repeats);
        } else if (const double expected = *row.standard_error();
                   !is_same_error(error, expected, row.repeats)) {
            refuse(cells, *columns_.error,
                   fmt::format("contradicts the standard deviation: sqrt(sd^2/n + systematic^2) "
                               "is {:.4g}",
                               expected),
                   "keep one of both columns; what repeats do not average out belongs in a "
                   "column `cor_systematic_error`");
        }
    }

    void refuse(const io::CellTable::Row& cells, const ColumnPlace& place, std::string rule,
                std::string hint = "") {
        problems_.push_back({table_.file,
                             cells.line,
                             1,
                             {table_.names[place.index], cells.cells[place.index], std::move(rule),
                              std::move(hint)}});
    }

    double check(const io::CellTable::Row& cells, const ColumnPlace& place, double value,
                 const core::Range& range) {
        if (!range.contains(value)) {
            const bool percent = !place.has_unit && value > range.high;
            refuse(cells, place, "must be " + io::range_words(range, place.si),
                   percent ? fmt::format("percentages need it in the header: `{} [%]`",
                                         table_.names[place.index])
                           : "");
        }
        return value;
    }

    double check_place(const io::CellTable::Row& cells, double value) {
        switch (columns_.abscissa) {
            case Abscissa::xi:
                if (!core::closed(0.0, 1.0).contains(value)) {
                    refuse(cells, columns_.place, "must be between 0 and 1: xi = x/l",
                           "lengths need a unit in the header: `x [mm]`");
                }
                return value;
            case Abscissa::x:
                return check(cells, columns_.place, value, core::non_negative);
            default:
                return std::abs(value);  // which way a body came does not matter
        }
    }

    double check_repeats(const io::CellTable::Row& cells, double value) {
        if (!(value >= 1.0) || value != std::floor(value)) {
            refuse(cells, *columns_.repeats, "must be a whole number >= 1");
        } else if (value > most_repeats) {
            refuse(cells, *columns_.repeats, "must be at most 1e9");
        }
        return value;
    }

    const io::CellTable& table_;
    const Columns& columns_;
    std::vector<core::Diagnostic> problems_;
};

ExperimentMapping read_mapping(const std::string& table_file) {
    const std::string file = io::mapping_file_of(table_file);
    if (!std::filesystem::exists(file)) return {};
    const io::Document document = io::read_yaml(file);
    ExperimentMapping mapping = io::read<ExperimentMapping>(document);
    if (mapping.location && mapping.speed) {
        throw core::InputError({document.locate(
            {"speed", "", "cannot be given beside `location`",
             "keep the one against which the coefficient of restitution was measured"})});
    }
    return mapping;
}

/// Mean, standard deviation and number of the measurements behind some rows
/// (theory/experiments.md 14.7, 14.8).
MeasuredPoint merged(const std::vector<Row>& rows) {
    if (rows.size() == 1) return rows.front();
    MeasuredPoint point{rows.front().place, 0.0, std::nullopt, 0.0};
    for (const Row& row : rows) {
        point.repeats += row.repeats;
        point.cor += row.repeats * row.cor;
        point.systematic += row.repeats * row.systematic;
    }
    point.cor /= point.repeats;
    point.systematic /= point.repeats;
    double squares = 0.0;
    for (const Row& row : rows) {
        if (row.repeats > 1.0 && !row.deviation) return point;
        const double within =
            row.repeats > 1.0 ? (row.repeats - 1.0) * *row.deviation * *row.deviation : 0.0;
        squares += within + row.repeats * (row.cor - point.cor) * (row.cor - point.cor);
    }
    point.deviation = std::sqrt(squares / (point.repeats - 1.0));
    return point;
}

}  // namespace

std::string_view column_name(Abscissa abscissa) {
    switch (abscissa) {
        case Abscissa::xi:
            return "xi";
        case Abscissa::x:
            return "x_m";
        case Abscissa::approach_speed:
            return "approach_speed_m_per_s";
        case Abscissa::angular_velocity:
            return "angular_velocity_rad_per_s";
    }
    return {};
}

std::optional<double> MeasuredPoint::standard_error() const {
    if (!deviation) return std::nullopt;
    return core::hypot(*deviation / std::sqrt(repeats), systematic);
}

std::optional<double> MeasuredPoint::error_of_one() const {
    if (!deviation) return std::nullopt;
    return core::hypot(*deviation, systematic);
}

double scatter_of(double standard_error, double systematic) {
    return std::sqrt(std::max(0.0, (standard_error - systematic) * (standard_error + systematic)));
}

std::vector<MeasuredPoint> averaged(const std::vector<MeasuredPoint>& rows) {
    std::vector<Row> sorted = rows;
    std::ranges::stable_sort(sorted, {}, &Row::place);
    double farthest = 0.0;
    for (const Row& row : sorted) farthest = std::max(farthest, std::abs(row.place));
    std::vector<MeasuredPoint> points;
    std::vector<Row> same;
    for (const Row& row : sorted) {
        if (!same.empty() && row.place - same.front().place > roundoff * farthest) {
            points.push_back(merged(same));
            same.clear();
        }
        same.push_back(row);
    }
    if (!same.empty()) points.push_back(merged(same));
    return points;
}

Experiment read_experiment(const std::string& file, bool skip_bad) {
    const io::CellTable table = io::read_cells(file);
    const ExperimentMapping mapping = read_mapping(file);
    const Columns columns = find_columns(table, mapping);
    if (!mapping.location && !mapping.speed && columns.abscissa <= Abscissa::x)
        refuse_other_speeds(table, columns.place, io::mapping_file_of(file));
    Experiment experiment;
    experiment.file = file;
    experiment.abscissa = columns.abscissa;
    experiment.is_synthetic = mapping.synthetic || says_synthetic(table.comments);
    RowReader reader(table, columns);
    std::vector<Row> rows;
    for (const io::CellTable::Row& cells : table.rows) {
        if (const auto row = reader.read(cells)) rows.push_back(*row);
    }
    if (!reader.problems().empty() && !skip_bad) throw bad_rows(std::move(reader.problems()));
    if (rows.empty()) {
        throw core::InputError({{file, 0, 0, {"", "", "has no row that can be used", ""}}});
    }
    experiment.left_out = table.rows.size() - rows.size();
    experiment.points = averaged(rows);
    return experiment;
}

std::string unit_hint(const Experiment& experiment) {
    if (experiment.abscissa != Abscissa::x) return "";
    return fmt::format(
        "the measured places are x = {} m to {} m; a header without a unit is read in m, so write "
        "`x [mm]` if they are millimetres",
        core::to_text(experiment.points.front().place),
        core::to_text(experiment.points.back().place));
}

std::vector<double> locations_of(const Experiment& experiment, double length) {
    std::vector<double> locations;
    for (const MeasuredPoint& point : experiment.points) {
        const double xi = experiment.abscissa == Abscissa::x ? point.place / length : point.place;
        const bool on_beam = experiment.abscissa <= Abscissa::x && xi <= 1.0 + roundoff;
        if (!on_beam) {
            const bool is_length = experiment.abscissa == Abscissa::x;
            throw core::InputError(
                {{experiment.file,
                  0,
                  0,
                  {std::string(column_name(experiment.abscissa)), core::to_text(point.place),
                   is_length ? fmt::format("is not on a beam of {} m", core::to_text(length))
                             : "is a speed; the locations are wanted",
                   is_length ? unit_hint(experiment)
                             : "beam_fit and locations_from take measurements along the beam only: "
                               "name a column of places, such as `x [mm]`"}}});
        }
        locations.push_back(std::min(xi, 1.0));  // 700 mm of 0.7 m is the end of the beam
    }
    return locations;
}

std::vector<core::Place> places_of(const Experiment& experiment, double length) {
    const std::vector<double> xi = locations_of(experiment, length);
    const bool are_distances = experiment.abscissa == Abscissa::x;
    std::vector<core::Place> places;
    for (std::size_t i = 0; i < xi.size(); ++i) {
        const double distance = std::min(experiment.points[i].place, length);
        places.push_back({are_distances ? distance : xi[i], are_distances});
    }
    return places;
}

io::Table to_table(const Experiment& experiment) {
    std::vector<double> place, cor, deviation, systematic, error;
    std::vector<std::int64_t> repeats;
    for (const MeasuredPoint& point : experiment.points) {
        place.push_back(point.place);
        cor.push_back(point.cor);
        deviation.push_back(point.deviation.value_or(io::no_number));
        repeats.push_back(static_cast<std::int64_t>(point.repeats));
        systematic.push_back(point.systematic);
        error.push_back(point.standard_error().value_or(io::no_number));
    }
    io::Table table;
    if (experiment.is_synthetic) table.comments.push_back(std::string(synthetic_comment));
    table.add(std::string(column_name(experiment.abscissa)), std::move(place));
    table.add("cor", std::move(cor));
    table.add("cor_standard_deviation", std::move(deviation));
    table.add("repeats", std::move(repeats));
    table.add("cor_systematic_error", std::move(systematic));
    table.add("cor_standard_error", std::move(error));
    return table;
}

}  // namespace stoss::postproc
