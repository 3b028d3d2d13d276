#include <postproc/report/beam_map.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::postproc {

namespace {

constexpr std::string_view status_column = "status";

/// Rows of the table by label, in the order in which the labels appear.
std::vector<std::pair<std::string, std::vector<std::size_t>>> grouped(
    const std::vector<std::string>& labels) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& each) { return each.first == labels[row]; });
        if (group == groups.end()) group = groups.insert(groups.end(), {labels[row], {}});
        group->second.push_back(row);
    }
    return groups;
}

template <class T>
std::vector<T> picked(const std::vector<T>& values, const std::vector<std::size_t>& rows) {
    std::vector<T> result;
    for (const std::size_t row : rows) result.push_back(values[row]);
    return result;
}

/// The swept values as the case writes them, each with its unit; empty if the run does not say
/// them, or if one has no unit.
std::vector<core::NameAndUnit> written_values(const Run& run, const Map& map) {
    const std::string key = core::split_unit(map.sweep).name;
    std::vector<core::NameAndUnit> values;
    for (const io::Value& curve : items_at(run.summary, "curves")) {
        const std::string text = text_at(curve, key);
        const std::size_t blank = text.find(' ');
        if (blank == std::string::npos || !io::cell_number(text.substr(0, blank))) return {};
        values.push_back({text.substr(0, blank), text.substr(blank + 1)});
    }
    return values.size() == map.series.size() ? values : std::vector<core::NameAndUnit>{};
}

/// Words for the swept key and its values: in the unit of the case, where there is one.
void add_words(const Run& run, Map& map) {
    map.sweep_words = words_of_swept_key(map.sweep);
    for (MapSeries& series : map.series) series.words = with_minus(series.label);
    const std::vector<core::NameAndUnit> written = written_values(run, map);
    if (written.empty()) return;
    const std::string& unit = written.front().unit;
    const bool same = std::ranges::all_of(
        written, [&](const core::NameAndUnit& each) { return each.unit == unit; });
    map.sweep_words = words_of_swept_key(core::split_unit(map.sweep).name);
    if (same) map.sweep_words += " (" + unit + ")";
    for (std::size_t i = 0; i < written.size(); ++i) {
        map.series[i].words =
            with_minus(same ? written[i].name : written[i].name + " " + written[i].unit);
    }
}

}  // namespace

bool Map::has_restitution() const {
    return std::ranges::all_of(series, [](const MapSeries& one) {
        return std::ranges::any_of(one.numbers.column("cor_kinematic"),
                                   [](double cor) { return !std::isnan(cor); });
    });
}

bool Map::has_truncation() const {
    return std::ranges::all_of(series, [](const MapSeries& each) {
        return std::ranges::find(each.numbers.names, "cor_truncation") != each.numbers.names.end();
    });
}

Map read_map(const Run& run) {
    const io::Table table = read_table(run, "map.csv");
    if (table.rows() == 0) {
        throw core::FileError(table.file + ": it has no rows, so there is nothing to draw");
    }
    const std::vector<std::string> statuses = table.texts(status_column);
    const std::vector<double> xi = table.numbers("xi");
    Map map;
    if (table.columns.back().name != status_column) map.sweep = table.columns.back().name;
    const std::vector<std::string> labels = row_labels(table, map.sweep);
    for (auto& [label, rows] : grouped(labels)) {
        std::stable_sort(rows.begin(), rows.end(),
                         [&](std::size_t a, std::size_t b) { return xi[a] < xi[b]; });
        map.series.push_back({label, {table.file, {}, {}}, picked(statuses, rows)});
        Numbers& numbers = map.series.back().numbers;
        for (const io::Column& column : table.columns) {
            if (column.name == status_column) break;  // a swept key follows it
            numbers.names.push_back(column.name);
            numbers.columns.push_back(picked(table.numbers(column.name), rows));
        }
    }
    if (!map.sweep.empty()) add_words(run, map);
    return map;
}

Map over_lengths(Map map) {
    if (map.abscissa != "xi") return map;
    double length = 0.0;  // [m]
    for (const MapSeries& series : map.series) {
        const auto& names = series.numbers.names;
        if (std::ranges::find(names, "x_m") == names.end()) return map;
        const auto& xi = series.numbers.column("xi");
        const auto& x = series.numbers.column("x_m");
        for (std::size_t i = 0; i < xi.size(); ++i) {
            if (!(xi[i] > 0.0)) continue;
            if (length > 0.0 && std::abs(x[i] / xi[i] / length - 1.0) > 1e-9) return map;
            length = x[i] / xi[i];
        }
    }
    if (!(length > 0.0)) return map;
    Extent extent;
    extent.include(length);
    const Magnitude magnitude = si_prefix(extent, "m");
    map.abscissa = "x";
    map.length = magnitude.factor * length;
    map.unit = unit_of(magnitude);
    for (MapSeries& series : map.series) {
        std::vector<double> x = series.numbers.column("x_m");
        for (double& value : x) value *= magnitude.factor;
        series.numbers.names.emplace_back("x");
        series.numbers.columns.push_back(std::move(x));
    }
    return map;
}

Map over_sweep(const Map& map) {
    constexpr std::size_t fewest = 3;
    std::vector<std::pair<double, const MapSeries*>> order;
    for (const MapSeries& series : map.series) {
        const auto number = io::cell_number(series.label);
        if (!number || series.statuses.size() != 1) return map;
        order.emplace_back(*number, &series);
    }
    if (order.size() < fewest) return map;
    std::ranges::stable_sort(order, {}, [](const auto& each) { return each.first; });
    Map line;
    const DrawnKey drawn = drawn_key(map.sweep);
    line.abscissa = drawn.name;
    line.series.resize(1);
    MapSeries& all = line.series[0];
    all.numbers = order.front().second->numbers;
    all.numbers.names.push_back(drawn.name);
    for (auto& column : all.numbers.columns) column.clear();
    all.numbers.columns.emplace_back();
    for (const auto& [number, series] : order) {
        for (std::size_t i = 0; i < series->numbers.columns.size(); ++i)
            all.numbers.columns[i].push_back(series->numbers.columns[i][0]);
        all.numbers.columns.back().push_back(drawn.factor * number);
        all.statuses.push_back(series->statuses[0]);
    }
    return line;
}

}  // namespace stoss::postproc
