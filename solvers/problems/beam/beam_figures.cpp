#include <solvers/problems/beam/beam_figures.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <postproc/experiment/experiment_figures.hpp>
#include <postproc/report/beam_map.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/layout.hpp>
#include <solvers/problems/beam/beam_impact.hpp>
#include <solvers/problems/beam/gradient_figures.hpp>
#include <solvers/problems/beam/uncertainty_figures.hpp>
#include <stoss/core/arrays.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::postproc {

namespace {

constexpr const char* location_label =
    "contact location {/:Italic ξ}_{c} = {/:Italic x}_{c}/{/:Italic l}";
constexpr double visible_difference = 5e-3;  // of a fraction, at the height of a panel
constexpr std::size_t most_energy_panels = 4;
constexpr std::size_t most_legend_entries = 7;  // more lines are coloured by their value
constexpr double brightest_line = 0.9;  // of the scale: its light end is too pale for a line
constexpr std::size_t many_locations = 150;
constexpr double after_separation = 1.08;  // a collision is drawn up to so many τ_f

LineStyle thin_dashes() {
    return {"#000000", "(3,3)", 0.8};
}

/// What the gaps are, if there are any.
std::string gaps(const Map& map) {
    std::size_t count = 0;
    std::size_t without = 0;
    for (const MapSeries& series : map.series) {
        for (const double e : series.numbers.column("cor_kinematic")) {
            ++count;
            if (!std::isfinite(e)) ++without;
        }
    }
    if (without == 0) return {};
    return fmt::format(" {} of {} collisions gave no result and leave gaps.", without, count);
}

Extent extent_of(const Map& map, std::string_view column) {
    Extent extent;
    for (const MapSeries& series : map.series) extent.include(series.numbers.column(column));
    return extent;
}

/// The whole beam, or the part of it that was looked at.
Axis location_axis(const Map& map) {
    if (!map.is_over_places()) {
        return key_axis(plain(words_of_swept_key(map.abscissa)),
                        map.series.front().numbers.column(map.abscissa));
    }
    Extent extent = extent_of(map, map.abscissa);
    const std::string label =
        map.unit.empty() ? location_label : "contact location {/:Italic x}_{c} (" + map.unit + ")";
    if (!(extent.high > extent.low)) {  // a single location: room on both sides
        extent.low -= 0.05 * map.length;
        extent.high += 0.05 * map.length;
    }
    const bool half = extent.high - extent.low > 0.5 * map.length;
    if (half && extent.low >= 0.0 && extent.high <= map.length * (1.0 + 1e-9)) {
        if (map.unit.empty()) return {label, 0.0, 1.0, 0.2};
        extent.low = 0.0;
        extent.high = map.length;
    }
    return tight_axis(label, extent, 6);
}

std::string place_words(const Map& map) {
    if (!map.is_over_places()) return words_of_swept_key(map.abscissa);
    if (map.unit.empty()) return "the place of contact";
    return fmt::format("the place of contact x_{{c}} on the beam of {:.5g} {}", map.length,
                       map.unit);
}

/// 0 to 1, beyond it if the numbers are, and nearer if they fill less than a quarter of it.
Axis fraction_axis(const std::string& label, const Extent& extent) {
    const bool wide = extent.none() || extent.high - extent.low > 0.25;
    const bool within = extent.none() || (extent.low >= 0.0 && extent.high <= 1.0);
    if (wide && within) return {label, 0.0, 1.0, 0.2};
    return nice_axis(label, extent, 5);
}

/// A map of many locations is jagged: a finer line keeps its dashes and its neighbours visible.
LineStyle refined(LineStyle style, const Numbers& numbers) {
    if (numbers.column("xi").size() > many_locations) style.width *= 0.7;
    return style;
}

/// Places with one name: the nodes of a mode, or the centre of percussion.
struct Marks {
    std::string name;
    LineStyle style;
    std::vector<double> places;
};

constexpr std::size_t mark_colors = 9;  // so many modes are dotted, those after them dashed

/// The colours of the first modes are those of their energies. Further modes have the colours in
/// turn, each time with other dashes. Dark grey: the centre of percussion, which is no mode.
LineStyle mark_style(const std::string& mode) {
    static constexpr std::array<const char*, mark_colors> colors{"#E69F00", "#009E73", "#D55E00",
                                                                 "#CC79A7", "#56B4E9", "#8F7B00",
                                                                 "#0072B2", "#707070", "#000000"};
    static constexpr std::array dashes{"(2,3)", "(6,3)", "(8,3,2,3)"};
    std::size_t number = 0;
    std::from_chars(mode.data(), mode.data() + mode.size(), number);
    if (number == 0) return {"#404040", dashes[0], 1.4};
    const std::size_t index = number - 1;
    return {colors[index % colors.size()], dashes[index / colors.size() % dashes.size()], 1.4};
}

/// All marks that lie on the part that was looked at.
std::vector<Marks> marks_of(const Run& run, const Map& map, const Axis& x) {
    std::vector<Marks> all;
    const io::Value* const marks = run.summary.find("marks");
    if (!marks || !marks->members()) return all;
    for (const auto& [key, value] : *marks->members()) {
        const double place = map.length * number_at(*marks, key);
        if (!(place > x.low && place < x.high)) continue;
        const auto end = key.find("_node");  // "mode_1_node_2"
        const std::string mode = end == key.npos ? "" : key.substr(5, end - 5);
        const std::string name = mode.empty() ? "centre of percussion" : "node of mode " + mode;
        if (all.empty() || all.back().name != name) all.push_back({name, mark_style(mode), {}});
        all.back().places.push_back(place);
    }
    return all;
}

/// The range of the swept values, if there are too many for a legend and all are numbers.
std::optional<Extent> many_values(const Map& map) {
    Extent extent;
    for (const MapSeries& series : map.series) {
        const auto number = io::cell_number(series.label);
        if (!number) return {};
        extent.include(*number);
    }
    if (map.series.size() <= most_legend_entries || !(extent.high > extent.low)) return {};
    return extent;
}

/// The styles of the lines of a map: each its own or, of many swept values, coloured by the value.
std::vector<LineStyle> line_styles(const Map& map) {
    const std::optional<Extent> values = many_values(map);
    std::vector<LineStyle> styles;
    for (const MapSeries& series : map.series) {
        styles.push_back(line_style(styles.size()));
        if (values) {
            const double value = *io::cell_number(series.label);
            const double fraction = (value - values->low) / (values->high - values->low);
            styles.back() = {scale_color(brightest_line * fraction), "solid", 1.2};
        }
        styles.back() = refined(styles.back(), series.numbers);
    }
    return styles;
}

std::vector<Curve> curves_of(const Map& map, std::string_view column) {
    std::vector<Curve> curves;
    const std::vector<LineStyle> styles = line_styles(map);
    for (const MapSeries& series : map.series) {
        curves.push_back({plain(series.words), styles[curves.size()],
                          series.numbers.column(map.abscissa), series.numbers.column(column)});
    }
    return curves;
}

/// The meaning of the lines of a map: a legend or, for many swept values, a scale of colours.
void add_legend(const Map& map, Panel& panel) {
    if (map.sweep.empty()) return;
    const std::optional<Extent> values = many_values(map);
    if (!values) {
        panel.legend_title = plain(map.sweep_words) + ":";
        return;
    }
    constexpr double room = 115.0;  // beside the scale [px]
    const DrawnKey drawn = drawn_key(map.sweep);
    const auto [key, unit] = core::split_unit(drawn.name);
    const Magnitude magnitude =
        takes_prefix(unit) ? si_prefix(*values, unit) : Magnitude{drawn.factor, ""};
    const std::string& swept = magnitude.words.empty() ? drawn.name : key;
    panel.name = plain(words_of_swept_key(swept) + magnitude.words);
    if (text_width(panel.name) > room) panel.name = plain(words_of_key(swept) + magnitude.words);
    const Extent ends = scaled(*values, magnitude.factor);
    panel.curve_scale = Axis{"", ends.low, ends.high, ends.high - ends.low};
    panel.curve_scale_end = brightest_line;
    for (Curve& curve : panel.curves) curve.in_legend = false;
}

double largest_difference(const Map& map, std::string_view a, std::string_view b) {
    double largest = 0.0;
    for (const MapSeries& series : map.series) {
        const auto& x = series.numbers.column(a);
        const auto& y = series.numbers.column(b);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double difference = std::abs(x[i] - y[i]);
            if (difference > largest) largest = difference;
        }
    }
    return largest;
}

/// Adds e_P or e_E where it differs visibly from e_N; the caption says how far they agree.
void add_other_restitution(const Map& map, Figure& figure, std::string_view column,
                           const std::string& symbol, const std::string& definition) {
    const double difference = largest_difference(map, "cor_kinematic", column);
    if (difference < visible_difference) {
        figure.caption += fmt::format(" {} agrees with e_{{N}} to {:.1g} and is not drawn apart.",
                                      definition, difference);
        return;
    }
    std::string title = "{/:Italic e}_{" + symbol + "}";
    for (const MapSeries& series : map.series) {
        figure.drawing.panels[0].curves.push_back({std::exchange(title, ""), thin_dashes(),
                                                   series.numbers.column(map.abscissa),
                                                   series.numbers.column(column)});
    }
    figure.caption += fmt::format(" {}, thin dashes, differs from e_{{N}} by up to {:.2g}.",
                                  definition, difference);
}

/// The band of what further modes would change of e_N, and a cross at each place where that is more
/// than the case tolerates.
void add_truncation(const Map& map, double tolerance, Figure& figure) {
    if (!map.has_truncation()) return;
    Panel& panel = figure.drawing.panels[0];
    std::set<double> open;  // places: several curves may have a cross at one
    for (const MapSeries& series : map.series) {
        const bool is_first = open.empty();
        const auto& at = series.numbers.column(map.abscissa);
        const auto& cor = series.numbers.column("cor_kinematic");
        const auto& change = series.numbers.column("cor_truncation");
        Fill band{"#BBBBBB", at, cor, cor};
        Curve crosses{"", {"#D55E00", "solid", 1.0}, {}, {}, Drawn::points, cross};
        for (std::size_t i = 0; i < at.size(); ++i) {
            if (!std::isfinite(change[i])) continue;
            band.low[i] -= change[i];
            band.high[i] += change[i];
            if (!(change[i] > tolerance)) continue;
            open.insert(at[i]);
            crosses.x.push_back(at[i]);
            crosses.y.push_back(cor[i]);
        }
        panel.fills.push_back(std::move(band));
        if (crosses.x.empty()) continue;
        if (is_first) crosses.title = "not predictable";
        panel.curves.push_back(std::move(crosses));
    }
    figure.caption += " The grey band is the estimated change of e_{N} by further modes.";
    if (open.empty()) return;
    figure.caption += fmt::format(
        " At {}, that is more than mesh.tolerance = {}: e_{{N}} is not predictable there.",
        open.size() == 1 ? "one place, with a cross"
                         : fmt::format("{} places, with crosses", open.size()),
        core::to_text(tolerance));
}

Figure restitution(const Run& run, const Map& map) {
    Figure figure;
    figure.name = "cor";
    figure.caption =
        "Coefficient of restitution e_{N} = −V_{rel}(τ_{f})/V_{rel}(0) against " +
        place_words(map) +
        ". V_{rel} is the approach velocity of the contact points carried by the rigid-body "
        "modes alone; τ_{f} is the last separation.";
    Extent extent = extent_of(map, "cor_kinematic");
    Panel panel;
    panel.height = 180.0;
    panel.curves = curves_of(map, "cor_kinematic");
    add_legend(map, panel);
    figure.drawing.panels.push_back(std::move(panel));
    add_other_restitution(map, figure, "cor_kinetic", "P",
                          "The kinetic coefficient e_{P} (impulse of restitution over impulse of "
                          "compression)");
    if (figure.drawing.panels[0].curves.size() > map.series.size()) {
        extent.include(extent_of(map, "cor_kinetic").low);
        extent.include(extent_of(map, "cor_kinetic").high);
    }
    figure.drawing.x = location_axis(map);
    figure.drawing.panels[0].y =
        fraction_axis("coefficient of restitution {/:Italic e}_{N}", extent);
    add_truncation(map, number_at(run.summary, "cor_tolerance"), figure);
    figure.caption += gaps(map);
    return figure;
}

struct EnergyLine {
    const char* column;
    const char* title;
    LineStyle style;
    bool only_if_present;  ///< left out where it is zero everywhere
};

const std::array<EnergyLine, 9>& energy_lines() {
    static const std::array<EnergyLine, 9> lines{{
        {"energy_rigid", "rigid", {"#000000", "solid", 1.6}, false},
        {"energy_vibration", "vibration", {"#0072B2", "solid", 1.6}, false},
        {"energy_mode_1", "mode 1", {"#E69F00", "(9,4)", 1.3}, true},
        {"energy_mode_2", "mode 2", {"#009E73", "(9,3,3,3)", 1.3}, true},
        {"energy_mode_3", "mode 3", {"#D55E00", "(4,3)", 1.3}, true},
        {"energy_mode_4", "mode 4", {"#CC79A7", "(2,2)", 1.3}, true},
        {"energy_structural_loss", "damping loss", {"#56B4E9", "(12,3,3,3,3,3)", 1.6}, true},
        {"energy_contact_loss", "contact loss", {"#707070", "(9,3,2,3)", 1.6}, true},
        {"energy_load_work", "work of loads", {"#8F7B00", "(2,2,9,2)", 1.6}, true},
    }};
    return lines;
}

/// True if the column reaches what can be seen anywhere.
bool is_present(const Numbers& numbers, const char* column) {
    const auto& values = numbers.column(column);
    return std::any_of(values.begin(), values.end(),
                       [](double value) { return std::abs(value) > 1e-3; });
}

Panel energy_panel(const Numbers& numbers, const std::string& x, const std::string& label,
                   const std::vector<EnergyLine>& lines) {
    Panel panel;
    Extent extent;
    extent.include(0.0);
    extent.include(1.0);
    for (const EnergyLine& line : lines) {
        panel.curves.push_back(
            {line.title, line.style, numbers.column(x), numbers.column(line.column)});
        extent.include(numbers.column(line.column));
    }
    panel.y = tight_axis(label, extent, 5);
    return panel;
}

Figure energy(const Map& map) {
    Figure figure;
    figure.name = "energy";
    figure.caption =
        "Distribution of the energy at the last separation, as fractions of the initial energy: "
        "kinetic energy of the rigid-body modes, energy of all vibration modes and of the first "
        "four of them, losses by damping of the structure and in the contact. A fraction below "
        "0.001 everywhere is not drawn.";
    std::vector<EnergyLine> lines;
    for (const EnergyLine& line : energy_lines()) {
        const bool anywhere = std::any_of(
            map.series.begin(), map.series.end(),
            [&](const MapSeries& series) { return is_present(series.numbers, line.column); });
        if (anywhere || !line.only_if_present) lines.push_back(line);
    }
    const auto chosen = core::spread_indices(most_energy_panels, map.series.size());
    for (const std::size_t i : chosen) {
        const MapSeries& series = map.series[i];
        Panel panel = energy_panel(series.numbers, map.abscissa, "energy fraction", lines);
        for (Curve& curve : panel.curves) curve.style = refined(curve.style, series.numbers);
        panel.height = chosen.size() == 1 ? 170.0 : 110.0;
        if (!figure.drawing.panels.empty()) {
            for (Curve& curve : panel.curves) curve.title.clear();  // one legend for all
        }
        if (!map.sweep.empty()) {
            panel.name = plain(map.sweep_words + ": " + series.words);
        }
        figure.drawing.panels.push_back(std::move(panel));
    }
    if (chosen.size() < map.series.size()) {
        figure.caption +=
            fmt::format(" {} of the {} swept values are drawn.", chosen.size(), map.series.size());
    }
    figure.drawing.x = location_axis(map);
    figure.caption += gaps(map);
    return figure;
}

/// A count is no slope. Few values are points; of many, each holds half way to its neighbours.
Curve counts_of(Curve curve) {
    constexpr std::size_t few = 40;
    const std::size_t n = curve.x.size();
    if (n <= few) {
        curve.drawn = Drawn::points;
        return curve;
    }
    Curve stairs{curve.title, curve.style, {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
        const double left = i > 0 ? 0.5 * (curve.x[i - 1] + curve.x[i]) : curve.x[i];
        const double right = i + 1 < n ? 0.5 * (curve.x[i] + curve.x[i + 1]) : curve.x[i];
        stairs.x.insert(stairs.x.end(), {left, right});
        stairs.y.insert(stairs.y.end(), {curve.y[i], curve.y[i]});
    }
    return stairs;
}

/// How fast the striker comes back, if it is free.
std::vector<Figure> rebound(const Map& map) {
    const auto has = [](const MapSeries& series) {
        const auto& names = series.numbers.names;
        return std::find(names.begin(), names.end(), "rebound_speed_m_per_s") != names.end();
    };
    if (!std::all_of(map.series.begin(), map.series.end(), has)) return {};
    const Extent extent = extent_of(map, "rebound_speed_m_per_s");
    if (extent.none() || (extent.low == 0.0 && extent.high == 0.0)) return {};
    Figure figure;
    figure.name = "rebound";
    figure.caption =
        "Speed at which the striker leaves, against the direction from which it came, against " +
        place_words(map) + "." + gaps(map);
    Panel panel;
    panel.height = 140.0;
    panel.curves = curves_of(map, "rebound_speed_m_per_s");
    add_legend(map, panel);
    panel.y = nice_axis("rebound (m/s)", extent, 5);
    figure.drawing.panels.push_back(std::move(panel));
    figure.drawing.x = location_axis(map);
    return {figure};
}

Figure impulse_duration(const Map& map, bool is_scaled) {
    Figure figure;
    figure.name = "impulse_duration";
    figure.caption =
        "Impulse, duration and number of sub-impacts against " + place_words(map) + ". " +
        (is_scaled
             ? "Impulse: ∫ P dτ with the contact force P in units of EI/l². Duration: τ_{f} = "
               "t_{f}/T from first contact to the last separation, T = l²√(μ/EI)."
             : "Impulse: ∫ P dt of the contact force P. Duration: t_{f} from first contact "
               "to the last separation.") +
        " A sub-impact is an interval of positive contact force.";
    const auto add = [&](std::string_view column, const std::string& label, std::string_view unit,
                         double height) {
        Panel panel;
        panel.height = height;
        const Extent extent = extent_of(map, column);
        const Magnitude magnitude = unit.empty() ? power_of_ten(extent) : si_prefix(extent, unit);
        panel.curves = curves_of(map, column);
        for (Curve& curve : panel.curves) {
            if (!figure.drawing.panels.empty()) curve.title.clear();
            for (double& y : curve.y) y *= magnitude.factor;
        }
        panel.y = nice_axis(label + magnitude.words, scaled(extent, magnitude.factor), 4);
        figure.drawing.panels.push_back(std::move(panel));
    };
    if (is_scaled) {
        add("impulse_nondimensional", "impulse ∫ {/:Italic P} d{/:Italic τ}", "", 95.0);
        add("tau_separation", "duration {/:Italic τ}_{f}", "", 95.0);
    } else {
        add("impulse_N_s", "impulse", "N s", 95.0);
        add("separation_s", "duration {/:Italic t}_{f}", "s", 95.0);
    }
    add_legend(map, figure.drawing.panels[0]);
    add("sub_impacts", "sub-impacts", "", 75.0);
    Panel& counts = figure.drawing.panels.back();
    Extent extent = extent_of(map, "sub_impacts");
    extent.include(0.0);
    if (!(extent.high > 0.0)) extent.high = 1.0;
    counts.y = {"sub-impacts", 0.0, extent.high + 0.5, std::max(1.0, std::ceil(extent.high / 4))};
    for (Curve& curve : counts.curves) curve = counts_of(std::move(curve));
    figure.drawing.x = location_axis(map);
    figure.caption += gaps(map);
    return figure;
}

/// A panel of one quantity of the history, in a unit that suits its size.
Panel history_panel(const std::vector<double>& time, std::vector<double> values,
                    const std::string& label, std::string_view unit, std::size_t style) {
    Extent extent;
    extent.include(values);
    const Magnitude magnitude = unit.empty() ? power_of_ten(extent) : si_prefix(extent, unit);
    Panel panel;
    panel.height = 84.0;
    for (double& value : values) value *= magnitude.factor;
    panel.curves.push_back({"", {line_style(style).color, "solid", 1.4}, time, std::move(values)});
    panel.y = nice_axis(label + magnitude.words, scaled(extent, magnitude.factor), 4);
    return panel;
}

/// The axis of time of a collision: in seconds with a prefix, or in T. The other scale is at the
/// top.
struct TimeAxis {
    bool is_scaled;
    double factor = 1.0;         ///< of the columns of seconds or of tau
    std::vector<double> values;  ///< one a row of the history
    Axis axis;
    TopScale top;

    std::string letter() const { return is_scaled ? "{/:Italic τ}" : "{/:Italic t}"; }
};

/// Time in seconds over tau, by the last row that has both; NaN if none has.
double seconds_in_tau(const Numbers& history) {
    const auto& time = history.column("time_s");
    const auto& tau = history.column("tau");
    for (std::size_t i = tau.size(); i-- > 0;) {
        if (tau[i] > 0.0 && std::isfinite(time[i])) return time[i] / tau[i];
    }
    return std::numeric_limits<double>::quiet_NaN();
}

TimeAxis time_axis(const Numbers& history, bool is_scaled) {
    static constexpr const char* scaled_label = "time {/:Italic τ} = {/:Italic t}/{/:Italic T}";
    const double unit = seconds_in_tau(history);
    Extent seconds, tau;
    seconds.include(history.column("time_s"));
    tau.include(history.column("tau"));
    const Magnitude magnitude = si_prefix(seconds, "s");
    const Axis in_seconds =
        tight_axis("time {/:Italic t}" + magnitude.words, scaled(seconds, magnitude.factor), 6);
    const Axis in_tau = tight_axis(scaled_label, tau, 6);
    TimeAxis time{is_scaled,
                  is_scaled ? 1.0 : magnitude.factor,
                  history.column(is_scaled ? "tau" : "time_s"),
                  is_scaled ? in_tau : in_seconds,
                  {}};
    for (double& value : time.values) value *= time.factor;
    if (!std::isfinite(unit)) return time;
    const double tau_to_seconds = magnitude.factor * unit;
    if (is_scaled) {
        time.top = {in_seconds, tau_to_seconds};
    } else {
        time.top = {in_tau, 1.0 / tau_to_seconds};
    }
    return time;
}

std::vector<Marker> instants(const io::Value& summary, const TimeAxis& time) {
    std::vector<Marker> markers;
    const auto add = [&](const char* seconds, const char* tau, const char* index) {
        const double value = time.factor * number_at(summary, time.is_scaled ? tau : seconds);
        if (std::isfinite(value)) markers.push_back({value, time.letter() + index});
    };
    add("compression_end_s", "tau_compression_end", "_{c}");
    add("separation_s", "tau_separation", "_{f}");
    return markers;
}

std::vector<Band> contacts(const Numbers& sub_impacts, const TimeAxis& time) {
    const auto& starts = sub_impacts.column(time.is_scaled ? "tau_start" : "start_s");
    const auto& ends = sub_impacts.column(time.is_scaled ? "tau_end" : "end_s");
    std::vector<Band> bands;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        bands.push_back({time.factor * starts[i], time.factor * ends[i]});
    }
    return bands;
}

/// Ascending places as near to the wanted ones as a distance of `spacing` between them allows
/// (least squares), all between `low` and `high` if there is room.
std::vector<double> moved_apart(const std::vector<double>& wanted, double spacing, double low,
                                double high) {
    // Less i spacings the places only have to be ascending: neighbours that are not share a mean.
    struct Block {
        double sum;
        std::size_t count;
        double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        blocks.push_back({wanted[i] - spacing * static_cast<double>(i), 1});
        while (blocks.size() > 1 && blocks.end()[-2].mean() > blocks.back().mean()) {
            blocks.end()[-2].sum += blocks.back().sum;
            blocks.end()[-2].count += blocks.back().count;
            blocks.pop_back();
        }
    }
    const double last = std::max(low, high - spacing * static_cast<double>(wanted.size() - 1));
    std::vector<double> places;
    for (const Block& block : blocks) {
        for (std::size_t i = 0; i < block.count; ++i) {
            places.push_back(std::clamp(block.mean(), low, last) +
                             spacing * static_cast<double>(places.size()));
        }
    }
    return places;
}

/// "(1)" "(2)" ... over the sub-impacts, moved apart where they would overlap. Where they crowd so
/// much that a number would be seen beside its sub-impact, some have none.
std::vector<Note> numbers_over(const std::vector<Band>& bands, const Axis& x) {
    const double spacing = 0.058 * (x.high - x.low), farthest = 0.6 * spacing;
    const auto room = static_cast<std::size_t>((x.high - x.low) / spacing);
    const std::size_t stride = bands.size() / std::max<std::size_t>(room, 1) + 1;
    std::vector<std::size_t> shown;
    std::vector<double> wanted, places;
    for (std::size_t i = 0; i < bands.size(); i += stride) {
        shown.push_back(i);
        wanted.push_back(0.5 * (bands[i].low + bands[i].high));
    }
    while (!shown.empty()) {
        places = moved_apart(wanted, spacing, x.low + 0.5 * spacing, x.high - 0.5 * spacing);
        std::size_t worst = 0;
        const auto shift = [&](std::size_t i) { return std::abs(places[i] - wanted[i]); };
        for (std::size_t i = 1; i < shown.size(); ++i) {
            if (shift(i) > shift(worst)) worst = i;
        }
        if (shift(worst) <= farthest) break;
        shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(worst));
        wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(worst));
    }
    std::vector<Note> notes;
    for (std::size_t i = 0; i < shown.size(); ++i)
        notes.push_back({places[i], fmt::format("({})", shown[i] + 1)});
    return notes;
}

Panel force_panel(const TimeAxis& time, const Numbers& history, const std::vector<Band>& bands) {
    Panel panel =
        history_panel(time.values, history.column("force_N"), "force {/:Italic P}", "N", 1);
    panel.notes = numbers_over(bands, time.axis);
    panel.y.high += 0.22 * (panel.y.high - panel.y.low);  // room for the numbers
    return panel;
}

Panel history_energies(const Numbers& history, const std::string& time) {
    std::vector<EnergyLine> lines;
    for (const EnergyLine& line : energy_lines()) {
        if (std::string_view(line.column).starts_with("energy_mode")) continue;
        if (!line.only_if_present || is_present(history, line.column)) lines.push_back(line);
    }
    if (is_present(history, "energy_contact")) {
        lines.push_back({"energy_contact", "contact", {"#D55E00", "(4,3)", 1.3}, true});
    }
    Panel panel = energy_panel(history, time, "energy fraction", lines);
    panel.height = 100.0;
    return panel;
}

/// The history up to shortly after the last separation: the bodies move freely apart for long, and
/// the gap would dwarf what happens in the contact.
Numbers read_history(const Run& run) {
    Numbers history = read_numbers(run, "history.csv");
    const double separation = number_at(run.summary, "tau_separation");
    if (!std::isfinite(separation)) return history;
    const std::vector<double> tau = history.column("tau");
    for (std::vector<double>& column : history.columns) {
        std::size_t row = 0;
        std::erase_if(column, [&](double) { return tau[row++] > after_separation * separation; });
    }
    return history;
}

Figure collision(const Run& run, Numbers history) {
    const Numbers sub_impacts = read_numbers(run, "sub_impacts.csv");
    const TimeAxis time = time_axis(history, has_scaled_axes(run));
    Figure figure;
    figure.name = "collision";
    figure.caption = fmt::format(
        "One collision, from first contact to shortly after the last separation. Top to bottom: "
        "gap g between the contact points "
        "(negative: overlap); approach velocity V_{{rel}} of the contact points carried by the "
        "rigid-body modes, zero at {0}_{{c}}, with {0}_{{f}} the last separation; contact "
        "force, the sub-impacts shaded and, where there is room, numbered; energies as fractions "
        "of the initial kinetic "
        "energy. τ = t/T, T = l²√(μ/EI).",
        time.is_scaled ? "τ" : "t");
    Drawing& drawing = figure.drawing;
    drawing.x = time.axis;
    drawing.top = time.top;
    const std::vector<Band> bands = contacts(sub_impacts, time);
    std::vector<double> gap = history.column("overlap_m");
    for (double& value : gap) value = -value;
    drawing.panels.push_back(
        history_panel(time.values, std::move(gap), "gap {/:Italic g}", "m", 0));
    drawing.panels.push_back(
        time.is_scaled
            ? history_panel(time.values, history.column("approach_velocity_nondimensional"),
                            "{/:Italic V}_{rel} ({/:Italic l}/{/:Italic T})", "", 2)
            : history_panel(time.values, history.column("approach_velocity_m_per_s"),
                            "{/:Italic V}_{rel}", "m/s", 2));
    drawing.panels.push_back(force_panel(time, history, bands));
    history.names.emplace_back("time");
    history.columns.push_back(time.values);
    drawing.panels.push_back(history_energies(history, "time"));
    for (Panel& panel : drawing.panels) {
        panel.bands = bands;
        panel.markers = instants(run.summary, time);
        if (&panel != &drawing.panels[1]) {
            for (Marker& marker : panel.markers) marker.label.clear();
        }
    }
    return figure;
}

/// A vertical line at each place. It ends beyond the panel, where no end is marked by a point.
Curve mark_lines(const Marks& marks, const Axis& y) {
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    const double beyond = y.high - y.low;
    Curve lines{"", marks.style, {}, {}};
    for (const double place : marks.places) {
        lines.x.insert(lines.x.end(), {place, place, gap});
        lines.y.insert(lines.y.end(), {y.low - beyond, y.high + beyond, gap});
    }
    return lines;
}

/// Vertical lines in all panels. Their names are in the legend: marks may lie so near each
/// other that no words have room between them.
void add_marks(Figure& figure, const Run& run, const Map& map) {
    const std::vector<Marks> all = marks_of(run, map, figure.drawing.x);
    if (all.empty()) return;
    for (Panel& panel : figure.drawing.panels) {
        const bool is_first = &panel == &figure.drawing.panels.front();
        for (const Marks& marks : all) {
            panel.curves.push_back(mark_lines(marks, panel.y));
            if (is_first) panel.curves.back().title = marks.name;
        }
    }
    figure.caption +=
        " Dotted: nodes of vibration modes, and the centre of percussion if a pivot is given.";
    const bool has_dashes = std::ranges::any_of(
        all, [](const Marks& marks) { return marks.style.dashes != mark_style("").dashes; });
    if (has_dashes)
        figure.caption += fmt::format(" Nodes of modes above {} are dashed.", mark_colors);
}

/// Without the samples that nobody sees in a small picture.
PointHistory thinned_history(const PointHistory& all) {
    constexpr double width = 300.0, height = 80.0, visible = 0.5;  // of a panel [px]
    const auto stretched = [](const std::vector<double>& values, double size) {
        Extent extent = extent_from_zero(values);
        if (!(extent.high > extent.low)) extent.high = extent.low + 1.0;
        std::vector<double> px;
        for (const double value : values) {
            px.push_back(size * (value - extent.low) / (extent.high - extent.low));
        }
        return px;
    };
    const std::vector<double> x = stretched(all.time, width);
    std::vector<std::size_t> kept = thinned(x, stretched(all.force, height), visible);
    std::ranges::copy(thinned(x, stretched(all.gap, height), visible), std::back_inserter(kept));
    std::ranges::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    PointHistory some{all.curve, all.x, {}, {}, {}};
    for (const std::size_t i : kept) {
        some.time.push_back(all.time[i]);
        some.force.push_back(all.force[i]);
        some.gap.push_back(all.gap[i]);
    }
    return some;
}

/// Collisions of the case of a run; none if its case.yaml, of another version of Stoss, is refused.
std::vector<solvers::MapHistory> computed_again(const Run& run, std::size_t most) {
    try {
        return solvers::histories_of_map(io::read_yaml(run.file(io::case_name)), most);
    } catch (const core::InputError&) {
        return {};
    } catch (const core::FileError&) {
        return {};
    }
}

/// True if map.csv has the collision with the same peak force. If not, another version of Stoss, or
/// another file beside the case, gave another collision.
bool is_in_map(const Map& map, const solvers::MapHistory& again) {
    constexpr double same_place = 1e-9, same_force = 1e-6;  // of the beam, and of the force
    if (again.curve >= map.series.size()) return false;
    const Numbers& numbers = map.series[again.curve].numbers;
    const auto& xi = numbers.column("xi");
    const auto& force = numbers.column("peak_force_N");
    for (std::size_t i = 0; i < xi.size(); ++i) {
        if (std::abs(xi[i] - again.xi) <= same_place &&
            std::abs(force[i] - again.peak_force) <= same_force * force[i])
            return true;
    }
    return false;
}

/// Of evenly spaced places of the curves of a map, for a click. A collision without force, or that
/// is not that of the run, has none.
std::vector<PointHistory> point_histories(const Run& run, const Map& map) {
    constexpr std::size_t most = 42;
    constexpr double room = 1.15;  // the time drawn over that of the last contact
    std::vector<PointHistory> histories;
    for (const solvers::MapHistory& again : computed_again(run, most)) {
        if (!is_in_map(map, again)) continue;
        const auto& samples = again.history.samples();
        double last = 0.0;
        for (const impact::Sample& sample : samples) {
            if (sample.force > 0.0) last = sample.time;
        }
        if (!(last > 0.0)) continue;
        std::vector<double> time, force, gap;
        for (const impact::Sample& sample : samples) {
            if (sample.time > room * last) break;
            time.push_back(sample.time);
            force.push_back(sample.force);
            gap.push_back(-sample.overlap);
        }
        histories.push_back(
            thinned_history({again.curve, map.length * again.xi, time, force, gap}));
    }
    return histories;
}

/// A figure over xi as one over the places of the map, so that all figures of a report have one
/// axis.
Figure over_places_of(const Map& map, Figure figure) {
    if (map.abscissa != "x") return figure;
    for (Panel& panel : figure.drawing.panels) {
        for (Curve& curve : panel.curves) {
            for (double& x : curve.x) x *= map.length;
        }
    }
    figure.drawing.x = location_axis(map);
    return figure;
}

}  // namespace

std::vector<Figure> beam_impact_figures(const Run& run) {
    Numbers history = read_history(run);
    // A collision that diverges in its first step leaves nothing to draw.
    if (history.column("tau").empty()) return {};
    return {collision(run, std::move(history))};
}

std::vector<Figure> beam_impact_map_figures(const Run& run) {
    const bool is_scaled = has_scaled_axes(run);
    const Map read = over_sweep(read_map(run));
    const Map map = is_scaled ? read : over_lengths(read);
    std::vector<Figure> figures{restitution(run, map), impulse_duration(map, is_scaled),
                                energy(map)};
    for (Figure& figure : rebound(map)) figures.insert(figures.begin() + 1, std::move(figure));
    if (map.is_over_places()) {
        for (Figure& figure : figures) add_marks(figure, run, map);
        figures.front().histories = point_histories(run, map);
    }
    if (has_experiment(run) && map.has_restitution()) {
        const Experiment experiment = read_experiment(run.file("experiment.csv"), false);
        Figure figure = comparison_figure(experiment, compare(experiment, run));
        const bool is_over_xi = experiment.abscissa == Abscissa::xi;
        figures.push_back(is_over_xi ? over_places_of(map, std::move(figure)) : std::move(figure));
    }
    if (has_gradient(run)) figures.push_back(over_places_of(map, gradient_figure(run)));
    if (has_uncertainty(run)) figures.push_back(over_places_of(map, uncertainty_figure(run)));
    return figures;
}

}  // namespace stoss::postproc
