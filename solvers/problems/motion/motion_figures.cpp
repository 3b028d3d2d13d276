#include <solvers/problems/motion/motion_figures.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

namespace {

/// The names between `begin` and `end` in the columns of a table.
std::vector<std::string> names_between(const io::Table& table, std::string_view begin,
                                       std::string_view end) {
    std::vector<std::string> names;
    for (const io::Column& column : table.columns) {
        const std::string& name = column.name;
        if (name.starts_with(begin) && name.ends_with(end))
            names.push_back(name.substr(begin.size(), name.size() - begin.size() - end.size()));
    }
    return names;
}

std::vector<double> times(std::vector<double> values, double factor) {
    for (double& value : values) value *= factor;
    return values;
}

Magnitude magnitude_of(const std::vector<double>& values, std::string_view unit) {
    Extent extent;
    extent.include(values);
    return si_prefix(extent, unit);
}

/// A horizontal axis of time for all figures of a motion.
struct TimeAxis {
    Magnitude unit;
    std::vector<double> time;
    Axis axis;

    explicit TimeAxis(const io::Table& history)
        : unit(magnitude_of(history.numbers("time_s"), "s")),
          time(times(history.numbers("time_s"), unit.factor)) {
        Extent extent;
        extent.include(time);
        axis = tight_axis("time {/:Italic t}" + unit.words, extent, 6);
    }
};

/// One quantity of a contact over time, 0 included.
Panel panel_over_time(const std::string& contact, const std::vector<double>& values,
                      const char* title, std::string_view unit, std::size_t style,
                      const TimeAxis& time) {
    const Magnitude magnitude = magnitude_of(values, unit);
    const std::vector<double> drawn = times(values, magnitude.factor);
    Extent extent;
    extent.include(drawn);
    extent.include(0.0);
    Panel panel;
    panel.height = 90.0;
    panel.name = plain(contact);
    panel.y = nice_axis(title + magnitude.words, extent, 4);
    panel.curves.push_back({"", line_style(style), time.time, drawn});
    return panel;
}

Figure gaps(const io::Table& history, const TimeAxis& time) {
    Figure figure;
    figure.name = "motion";
    figure.caption = "Gap of each contact; below 0 the surfaces overlap by that much.";
    figure.drawing.x = time.axis;
    std::size_t style = 0;
    for (const std::string& name : names_between(history, "gap_", "_m")) {
        figure.drawing.panels.push_back(
            panel_over_time(name, history.numbers("gap_" + name + "_m"), "gap", "m", style, time));
        ++style;
    }
    return figure;
}

/// The tangential force of each contact that has friction, and the slip rate below it.
Figure friction(const io::Table& history, const TimeAxis& time) {
    Figure figure;
    figure.name = "friction";
    figure.caption =
        "Tangential force on the first body of each contact with friction, and the velocity at "
        "which its surface slips on the other one.";
    figure.drawing.x = time.axis;
    std::size_t style = 0;
    for (const std::string& name : names_between(history, "tangential_force_", "_N")) {
        const auto add = [&](const std::string& column, const char* title, const char* unit) {
            figure.drawing.panels.push_back(
                panel_over_time(name, history.numbers(column), title, unit, style, time));
        };
        add("tangential_force_" + name + "_N", "tangential force", "N");
        add("slip_rate_" + name + "_m_per_s", "slip rate", "m/s");
        if (history.find("lateral_force_" + name + "_N")) {
            add("lateral_force_" + name + "_N", "lateral force", "N");
            add("lateral_slip_rate_" + name + "_m_per_s", "lateral slip rate", "m/s");
        }
        ++style;
    }
    return figure;
}

/// One row a contact, with a bar from the begin to the end of each impact.
Figure contact_bars(const io::Table& history, const io::Table& impacts, const TimeAxis& time) {
    Figure figure;
    figure.name = "contacts";
    figure.caption =
        "Times at which each contact acts: a bar reaches from the beginning to the end of an "
        "impact.";
    figure.drawing.x = time.axis;
    const std::vector<std::string> names = names_between(history, "gap_", "_m");
    const std::vector<std::string> contacts = impacts.texts("contact");
    const std::vector<double> begin = times(impacts.numbers("start_s"), time.unit.factor);
    const std::vector<double> end = times(impacts.numbers("end_s"), time.unit.factor);
    const double least = 0.003 * (time.axis.high - time.axis.low);  // what can still be seen
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    constexpr double half_height = 0.22;  // of a bar; the rows are at distance 1
    Panel panel;
    panel.height = 26.0 + 14.0 * static_cast<double>(names.size());
    panel.y = {"contact", 0.5, static_cast<double>(names.size()) + 0.5, 1.0};
    for (std::size_t row = 0; row < names.size(); ++row) {
        const LineStyle style{line_style(row).color, "solid", 6.0};
        const double middle = static_cast<double>(row) + 1.0;
        Fill bars{style.color, {}, {}, {}};
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            if (contacts[k] != names[row]) continue;
            bars.x.insert(bars.x.end(), {begin[k], std::max(end[k], begin[k] + least), gap});
        }
        if (bars.x.empty()) continue;
        bars.low.assign(bars.x.size(), middle - half_height);
        bars.high.assign(bars.x.size(), middle + half_height);
        panel.fills.push_back(std::move(bars));
        panel.curves.push_back({plain(names[row]), style, {}, {}});  // for the legend
    }
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

Figure energies(const io::Table& history, const TimeAxis& time) {
    static constexpr std::array<std::pair<const char*, const char*>, 4> parts{
        {{"energy_modes_J", "bodies"},
         {"energy_contacts_J", "contacts"},
         {"energy_lost_J", "lost"},
         {"work_J", "work of loads and drives"}}};
    Figure figure;
    figure.name = "energy";
    figure.caption =
        "Energies: in the bodies, stored in the contacts, lost; and the work of loads and drives. "
        "The sum bodies + contacts + lost - work is constant.";
    figure.drawing.x = time.axis;
    Extent extent;
    for (const auto& [column, title] : parts) extent.include(history.numbers(column));
    const Magnitude unit = si_prefix(extent, "J");
    Panel panel;
    panel.height = 160.0;
    panel.y = nice_axis("energy" + unit.words, scaled(extent, unit.factor), 5);
    for (const auto& [column, title] : parts)
        panel.curves.push_back({title, line_style(panel.curves.size()), time.time,
                                times(history.numbers(column), unit.factor)});
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

std::string label_of(const std::string& column, const Magnitude& unit) {
    if (unit.words.empty()) return plain(words_of_key(column));
    const std::string words = words_of_key(column);
    return plain(words.substr(0, words.rfind(" ("))) + unit.words;
}

/// The unit of a column of lengths, velocities or angles; others are drawn as they are.
Magnitude unit_of(const std::string& column, const std::vector<double>& values) {
    const std::string unit = core::split_unit(column).unit;
    if (unit == "m" || unit == "m/s") return magnitude_of(values, unit);
    if (unit == "rad") return {drawn_key(column).factor, " (deg)"};
    return {};
}

/// The points of all sections, one column over another.
Figure section_points(const io::Table& table, const std::string& across, const std::string& up,
                      const std::string& name, const std::string& caption) {
    const std::vector<double> x = table.numbers(across), y = table.numbers(up);
    const Magnitude x_unit = unit_of(across, x), y_unit = unit_of(up, y);
    Figure figure;
    figure.name = name;
    figure.caption = caption;
    Curve points{"", line_style(0), times(x, x_unit.factor), times(y, y_unit.factor),
                 Drawn::points};
    Extent width, height;
    width.include(points.x);
    height.include(points.y);
    figure.drawing.x = tight_axis(label_of(across, x_unit), width, 6);
    Panel panel;
    panel.height = 200.0;
    panel.y = nice_axis(label_of(up, y_unit), height, 5);
    panel.curves.push_back(std::move(points));
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

/// The sections of all values of the varied key, over this key.
Figure bifurcation(const io::Table& sections) {
    Figure figure = section_points(sections, sections.columns.front().name, "gap_m", "bifurcation",
                                   "Bifurcation diagram: the gap once a period, without the "
                                   "transient, over the varied key.");
    Drawing& drawing = figure.drawing;
    drawing.x = key_axis(drawing.x.label, drawing.panels.front().curves.front().x);
    return figure;
}

/// The largest Lyapunov exponent over the varied key.
Figure exponents(const io::Table& map) {
    const std::string across = map.columns.front().name;
    const std::vector<double> x = map.numbers(across), y = map.numbers("lyapunov_1_per_s");
    const Magnitude x_unit = unit_of(across, x);
    Figure figure;
    figure.name = "lyapunov";
    figure.caption =
        "Largest Lyapunov exponent: how fast neighbouring motions part. Above 0 the motion is "
        "chaotic.";
    Curve curve{"", line_style(0), times(x, x_unit.factor), y};
    Extent height;
    height.include(curve.y);
    height.include(0.0);
    figure.drawing.x = key_axis(label_of(across, x_unit), curve.x);
    Panel panel;
    panel.height = 120.0;
    panel.y = nice_axis("exponent (1/s)", height, 4);
    panel.curves.push_back(std::move(curve));
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

bool has(const Run& run, std::string_view name) {
    return std::filesystem::exists(run.file(name));
}

}  // namespace

std::vector<Figure> motion_figures(const Run& run) {
    if (has(run, "sections.csv")) {
        const io::Table sections = read_table(run, "sections.csv");
        if (has(run, "map.csv")) {
            std::vector<Figure> figures{bifurcation(sections)};
            if (const io::Table map = read_table(run, "map.csv"); map.find("lyapunov_1_per_s"))
                figures.push_back(exponents(map));
            return figures;
        }
        return {section_points(sections, "gap_m", "rate_m_per_s", "section",
                               "Poincare section: gap and its rate once a period, without the "
                               "transient.")};
    }
    const io::Table history = read_table(run, "history.csv");
    const TimeAxis time(history);
    std::vector<Figure> figures{gaps(history, time),
                                contact_bars(history, read_table(run, "impacts.csv"), time),
                                energies(history, time)};
    if (!names_between(history, "tangential_force_", "_N").empty())
        figures.push_back(friction(history, time));
    return figures;
}

ReportParts motion_report(const Run& run) {
    static constexpr std::array<Quantity, 8> quantities = {{
        {"impacts", "", "", "impacts"},
        {"time followed", "", "time_s", ""},
        {"periods after which the section repeats (0: it does not)", "", "periodicity", ""},
        {"impacts per period", "", "impacts_per_period", ""},
        {"largest Lyapunov exponent", "", "lyapunov_1_per_s", ""},
        {"lost in contacts", "", "contact_loss_J", ""},
        {"lost by friction", "", "friction_loss_J", ""},
        {"work of the drives", "", "drive_work_J", ""},
    }};
    ReportParts parts;
    if (const io::Value* status = run.summary.find("status"); status && status->text())
        parts.badges = status_badge(*status->text());
    parts.results = quantity_table(run, quantities, "The motion gave no numbers.");
    if (has(run, "impacts.csv"))
        parts.sections.push_back({"Impacts", file_table(run, "impacts.csv")});
    return parts;
}

}  // namespace stoss::postproc
