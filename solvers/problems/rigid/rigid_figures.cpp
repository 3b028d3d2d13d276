#include <solvers/problems/rigid/rigid_figures.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <postproc/report/labels.hpp>
#include <postproc/report/layout.hpp>
#include <postproc/report/report_parts.hpp>

#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double degree = 180.0 / std::numbers::pi;
constexpr double least_height = 120.0, most_height = 330.0;  // of the section [px]

const LineStyle edge_style{"#0072B2", "solid", 1.6};
const LineStyle contour_style{"#A0A0A0", "solid", 0.8};
const LineStyle zero_style{"#000000", "solid", 1.0};
const LineStyle solution_style{"#D55E00", "solid", 1.4};

/// The solutions that are drawn: one of maximum dissipation, any number of Coulomb's. The impulse
/// with restitution is not in the plane of maximum compression.
struct Solutions {
    std::vector<double> t, o, objective;
    std::vector<std::string> branch;

    explicit Solutions(const Run& run) {
        const io::Table table = read_table(run, "solutions.csv");
        t = table.numbers("impulse_t_N_s");
        o = table.numbers("impulse_o_N_s");
        objective = table.numbers("dissipated_energy_J");
        for (double& value : objective) value = -value;
        branch = table.texts("branch");
        if (table.texts("solution").back() != "with_restitution") return;
        for (std::vector<double>* each : {&t, &o, &objective}) each->pop_back();
        branch.pop_back();
    }

    double largest() const {
        double largest = 0.0;
        for (std::size_t i = 0; i < t.size(); ++i)
            largest = std::max(largest, core::hypot(t[i], o[i]));
        return largest;
    }
};

/// The first solution as a cross, the others as circles, at (x, y).
void add_solutions(Panel& panel, const std::vector<double>& x, const std::vector<double>& y) {
    Curve best{"maximum dissipation", solution_style, {x.front()},
               {y.front()},           Drawn::points,  cross};
    Curve coulomb{"Coulomb",     solution_style, {x.begin() + 1, x.end()}, {y.begin() + 1, y.end()},
                  Drawn::points, open_circle};
    panel.curves.push_back(std::move(best));
    if (!coulomb.x.empty()) panel.curves.push_back(std::move(coulomb));
}

/// The same scale along both axes: the height of the panel follows, within limits beyond which one
/// range is widened.
void equalise(Extent& x, Extent& y, Panel& panel) {
    const auto widen = [](Extent& extent, double length) {
        const double middle = 0.5 * (extent.low + extent.high);
        extent.low = middle - 0.5 * length;
        extent.high = middle + 0.5 * length;
    };
    const auto length = [](const Extent& extent) { return extent.high - extent.low; };
    if (usual_panel_width * length(y) > most_height * length(x)) {
        widen(x, usual_panel_width * length(y) / most_height);
    } else if (usual_panel_width * length(y) < least_height * length(x)) {
        widen(y, least_height * length(x) / usual_panel_width);
    }
    panel.height = usual_panel_width * length(y) / length(x);
}

/// A little room around.
Extent with_margin(Extent extent) {
    const double margin = 0.05 * (extent.high - extent.low);
    extent.low -= margin;
    extent.high += margin;
    return extent;
}

/// Room around a single point, of which the two would have no scale: as much as its distance from
/// 0.
void widen_point(Extent& x, Extent& y) {
    if (x.low != x.high || y.low != y.high) return;
    const double size = core::hypot(x.low, y.low), room = size > 0.0 ? size : 1.0;
    x.low -= room;
    x.high += room;
    y.low -= room;
    y.high += room;
}

void add_contours(Panel& panel, const Run& run) {
    const Numbers contours = read_numbers(run, "contours.csv");
    const auto& number = contours.column("contour");
    const auto& level = contours.column("objective_J");
    const auto& t = contours.column("impulse_t_N_s");
    const auto& o = contours.column("impulse_o_N_s");
    Curve lines{"contour lines of the objective", contour_style, {}, {}};
    Curve zero{"objective 0", zero_style, {}, {}};
    for (std::size_t i = 0; i < t.size(); ++i) {
        Curve& curve = level[i] == 0.0 ? zero : lines;
        if (i > 0 && number[i] != number[i - 1]) {
            curve.x.push_back(nan);
            curve.y.push_back(nan);
        }
        curve.x.push_back(t[i]);
        curve.y.push_back(o[i]);
    }
    panel.curves.push_back(std::move(lines));
    panel.curves.push_back(std::move(zero));
}

/// The edge within `radius`: a gap where it is not there or is further out.
Curve edge_within(const Numbers& section, double radius) {
    Curve edge{"edge of the friction cone", edge_style, {}, {}};
    const auto& opening = section.column("opening_per_kg");
    edge.x = section.column("impulse_t_N_s");
    edge.y = section.column("impulse_o_N_s");
    for (std::size_t i = 0; i < edge.x.size(); ++i) {
        if (opening[i] >= 0.0 && core::hypot(edge.x[i], edge.y[i]) <= radius) continue;
        edge.x[i] = edge.y[i] = nan;
    }
    return edge;
}

Figure section_figure(const Run& run, const Numbers& section, const Solutions& solutions) {
    const double stick_t = number_at(run.summary, "sticking_t_N_s");
    const double stick_o = number_at(run.summary, "sticking_o_N_s");
    // The whole edge where it is not much longer than what lies on it.
    Curve edge = edge_within(section, 4.0 * solutions.largest());
    const bool is_whole =
        std::none_of(edge.x.begin(), edge.x.end(), [](double t) { return std::isnan(t); });
    if (!is_whole) edge = edge_within(section, 1.6 * solutions.largest());

    Figure figure;
    figure.name = "section";
    figure.caption =
        "The plane of maximum compression: contour lines of the objective x·A x/2 − x·b "
        "(black: 0; black cross: its free minimum, where the slip would stop), the edge of the "
        "friction "
        "cone, and the solutions.";
    Panel panel;
    add_contours(panel, run);
    panel.curves.push_back(edge);
    panel.curves.push_back({"", zero_style, {stick_t}, {stick_o}, Drawn::points, cross});
    add_solutions(panel, solutions.t, solutions.o);
    Extent t, o;
    t.include(edge.x);
    o.include(edge.y);
    t.include(solutions.t);
    o.include(solutions.o);
    if (core::hypot(stick_t, stick_o) <= 1.5 * solutions.largest()) {
        t.include(stick_t);
        o.include(stick_o);
    }
    widen_point(t, o);
    t = with_margin(t);
    o = with_margin(o);
    equalise(t, o, panel);
    figure.drawing.to_scale = true;
    figure.drawing.x = tight_axis("{/:Italic x}_{t} (N s)", t, 6);
    panel.y = tight_axis("{/:Italic x}_{o} (N s)", o, 6);
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

/// The objective of (theory/rigid_impact.md 11.4) over its direction; what lies behind the poles is
/// hatched.
Figure objective_figure(const Run& run, const Numbers& section, const Solutions& solutions) {
    Figure figure;
    figure.name = "objective";
    figure.caption =
        "The objective along the edge of the friction cone, against the direction of the "
        "tangential impulse. Hatched: directions in which the cone does not meet the plane; "
        "dotted: "
        "poles.";
    figure.drawing.x = {"direction (°)", -180.0, 180.0, 60.0};
    Panel panel;
    panel.height = 180.0;
    const auto& opening = section.column("opening_per_kg");
    std::vector<double> angle = section.column("angle_rad");
    for (double& value : angle) value *= degree;
    Curve line{"", edge_style, angle, section.column("objective_J")};
    std::vector<double> x, y;  // of the solutions on the edge; only those that slide are
    for (std::size_t i = 0; i < solutions.t.size(); ++i) {
        const bool on_edge = solutions.branch[i] == "slide";
        x.push_back(on_edge ? core::atan2(solutions.o[i], solutions.t[i]) * degree : nan);
        y.push_back(on_edge ? solutions.objective[i] : nan);
    }
    if (std::ranges::any_of(y, [](double value) { return std::isnan(value); }))
        figure.caption += " Solutions that do not slide are not on the edge, and not drawn.";
    Extent extent = extent_from_zero(y);
    for (std::size_t i = 0; i < angle.size(); ++i) {
        if (opening[i] > 0.0) extent.include(std::min(line.y[i], 0.0));
    }
    const double room = 1.5 * (extent.high - extent.low);
    for (std::size_t i = 0; i < angle.size(); ++i) {
        if (opening[i] > 0.0) extent.include(std::min(line.y[i], room));
        // Through a pole the curve jumps.
        if (i > 0 && (opening[i] > 0.0) != (opening[i - 1] > 0.0)) line.y[i] = nan;
    }
    for (std::size_t i = 0; i + 1 < angle.size(); ++i) {
        if (opening[i] > 0.0) continue;
        if (panel.bands.empty() || panel.bands.back().high != angle[i])
            panel.bands.push_back({angle[i], angle[i + 1], true});
        panel.bands.back().high = angle[i + 1];
    }
    for (const char* key : {"pole_1_rad", "pole_2_rad"}) {
        const double pole = number_at(run.summary, key);
        if (!std::isnan(pole)) panel.markers.push_back({pole * degree, ""});
    }
    panel.y = nice_axis("objective (J)", extent, 6);
    panel.curves.push_back(std::move(line));
    add_solutions(panel, x, y);
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

/// Where an impact along Routh's path, or one beside it, ends.
struct PathEnd {
    std::string name;
    double impulse, velocity, slip;
};

/// Smallest and largest of a number of the ends.
Extent extent_of(const std::vector<PathEnd>& ends, double PathEnd::*value) {
    Extent extent;
    for (const PathEnd& end : ends) extent.include(end.*value);
    return extent;
}

/// Ends on one spot under one name, since one symbol would hide the others. `slip`: of the path.
std::vector<PathEnd> joined(const std::vector<PathEnd>& ends, const Extent& slip) {
    constexpr double visible = 0.01;  // of the range
    const auto is_one = [](double a, double b, const Extent& range) {
        return std::abs(a - b) <= visible * (range.high - range.low);
    };
    const Extent impulse = extent_of(ends, &PathEnd::impulse);
    const Extent velocity = extent_of(ends, &PathEnd::velocity);
    std::vector<PathEnd> spots;
    for (const PathEnd& end : ends) {
        const auto same = std::ranges::find_if(spots, [&](const PathEnd& spot) {
            return is_one(spot.impulse, end.impulse, impulse) &&
                   is_one(spot.velocity, end.velocity, velocity) &&
                   is_one(spot.slip, end.slip, slip);
        });
        if (same == spots.end()) {
            spots.push_back(end);
        } else {
            same->name += ", " + end.name;
        }
    }
    return spots;
}

/// The ends on the path of the normal velocity, magnified.
Panel end_panel(const Figure& figure, const std::vector<PathEnd>& ends) {
    Panel panel = figure.drawing.panels.front();
    panel.name = "normal velocity, magnified";
    for (Curve& curve : panel.curves) curve.title.clear();
    panel.x = nice_axis(figure.drawing.x.label, extent_of(ends, &PathEnd::impulse), 4);
    panel.y = nice_axis(panel.y.label, extent_of(ends, &PathEnd::velocity), 4);
    return panel;
}

/// Normal velocity and slip against the normal impulse, and the ends on them.
Figure path_figure(const Run& run, const std::vector<PathEnd>& all_ends) {
    const Numbers path = read_numbers(run, "routh_path.csv");
    const std::vector<double>& p = path.column("impulse_n_N_s");
    const std::vector<PathEnd> ends =
        joined(all_ends, extent_from_zero(path.column("slip_m_per_s")));
    Figure figure;
    figure.name = "routh_path";
    figure.caption =
        "Normal velocity and slip along Routh's path, against the normal impulse. Symbols: what "
        "impacts end with; ends on one spot share a symbol.";
    Extent impulses = extent_from_zero(p);
    for (const PathEnd& end : ends) impulses.include(end.impulse);
    figure.drawing.x = tight_axis("normal impulse (N s)", impulses, 5);
    const auto add = [&](const char* column, const char* label, double PathEnd::*value) {
        Panel panel;
        panel.height = 150.0;
        const bool titled = figure.drawing.panels.empty();
        Extent extent = extent_from_zero(path.column(column));
        panel.curves.push_back({titled ? "Routh's path" : "", edge_style, p, path.column(column)});
        for (std::size_t i = 0; i < ends.size(); ++i) {
            extent.include(ends[i].*value);
            panel.curves.push_back({titled ? plain(ends[i].name) : "",
                                    line_style(i + 1),
                                    {ends[i].impulse},
                                    {ends[i].*value},
                                    Drawn::points,
                                    i});
        }
        panel.y = nice_axis(label, extent, 4);
        figure.drawing.panels.push_back(std::move(panel));
    };
    add("velocity_n_m_per_s", "normal velocity (m/s)", &PathEnd::velocity);
    add("slip_m_per_s", "slip (m/s)", &PathEnd::slip);
    if (ends.size() > 1) figure.drawing.panels.push_back(end_panel(figure, ends));
    return figure;
}

/// The points of the sweep with or without an impulse. A contact that could not be solved has none.
Curve rod_points(const Numbers& rod, bool impacts) {
    Curve points{impacts ? "impulse to sticking" : "no impulse", solution_style, {}, {}};
    points.drawn = Drawn::points;
    points.symbol = impacts ? 0 : open_circle;
    const auto& normal = rod.column("impulse_n_N_s");
    for (std::size_t i = 0; i < normal.size(); ++i) {
        if (std::isnan(normal[i]) || (normal[i] > 0.0) != impacts) continue;
        points.x.push_back(rod.column("angle_rad")[i] * degree);
        points.y.push_back(rod.column("mu")[i]);
    }
    return points;
}

/// A column of a table as one panel.
struct Measure {
    const char* column;
    std::string label;
    std::string_view unit;
};

/// Adds a panel with a curve for each run of equal labels.
void add_panel(Figure& figure, const io::Table& table, const Measure& measure,
               const std::vector<double>& places, const std::vector<std::string>& branch) {
    std::vector<double> values = table.numbers(measure.column);
    const Extent extent = extent_from_zero(values);
    const Magnitude magnitude = si_prefix(extent, measure.unit);
    for (double& value : values) value *= magnitude.factor;
    Panel panel;
    panel.y = nice_axis(measure.label + magnitude.words, scaled(extent, magnitude.factor), 4);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i == 0 || branch[i] != branch[i - 1]) {
            const std::size_t index = panel.curves.size();
            const bool titled = figure.drawing.panels.empty();
            panel.curves.push_back({titled ? plain(branch[i]) : "", line_style(index), {}, {}});
        }
        panel.curves.back().x.push_back(places[i]);
        panel.curves.back().y.push_back(values[i]);
    }
    figure.drawing.panels.push_back(std::move(panel));
}

/// True of a run of many contacts.
bool is_map(const Run& run) {
    return run.summary.find("contacts_that_stick") != nullptr;
}

ReportParts contact_map_report(const Run& run) {
    static constexpr std::array<Quantity, 3> quantities = {{
        {"contacts", "", "", "contacts"},
        {"that stick", "", "", "contacts_that_stick"},
        {"with several Coulomb solutions", "", "", "contacts_with_several_coulomb_solutions"},
    }};
    ReportParts parts;
    const bool failed = number_at(run.summary, "contacts_failed") > 0.0;
    parts.badges = status_badge(failed ? "failed" : "complete");
    parts.results = quantity_table(run, quantities, "No contact was solved.");
    parts.sections.push_back({"Contacts", file_table(run, "map.csv")});
    return parts;
}

/// The numbers of `map.csv` with restitution under the names of those of maximum dissipation.
io::Table with_restitution(const io::Table& table) {
    const std::vector<double> v_t = table.numbers("velocity_t_with_restitution_m_per_s");
    const std::vector<double> v_o = table.numbers("velocity_o_with_restitution_m_per_s");
    std::vector<double> slip;
    for (std::size_t i = 0; i < v_t.size(); ++i) slip.push_back(core::hypot(v_t[i], v_o[i]));
    io::Table named;
    named.add("impulse_n_N_s", table.numbers("impulse_n_with_restitution_N_s"));
    named.add("slip_m_per_s", std::move(slip));
    named.add("dissipated_energy_J", table.numbers("dissipated_energy_with_restitution_J"));
    return named;
}

/// One curve a value of the sweep: impulse, slip and dissipated energy against the key of `over:`.
std::vector<Figure> contact_range_figures(const Run& run) {
    if (run.summary.find("place") == nullptr) return {};
    const std::string place = text_at(run.summary, "place");
    const io::Table table = read_table(run, "map.csv");
    const std::vector<std::string> branch = run.summary.find("sweep") != nullptr
                                                ? table.texts(text_at(run.summary, "sweep"))
                                                : std::vector<std::string>(table.rows());
    std::vector<double> places = table.numbers(place);
    const auto [name, unit] = core::split_unit(place);
    const bool is_angle = unit == "rad";
    if (is_angle) {
        for (double& angle : places) angle *= degree;
    }
    Figure figure;
    figure.name = "contacts";
    const bool rebounds = table.find("impulse_n_with_restitution_N_s") != nullptr;
    figure.caption = rebounds ? "Impact with restitution: normal impulse, slip after it, and "
                                "dissipated energy. Where the slip is zero the contact sticks."
                              : "Impact of maximum dissipation: normal impulse, slip after it, and "
                                "dissipated energy. Where the slip is zero the contact sticks.";
    const std::string words = is_angle ? words_of_key(name) + " (°)" : words_of_key(place);
    figure.drawing.x = key_axis(plain(words), places);
    const io::Table drawn = rebounds ? with_restitution(table) : table;
    add_panel(figure, drawn, {"impulse_n_N_s", "normal impulse", "N s"}, places, branch);
    add_panel(figure, drawn, {"slip_m_per_s", "slip", "m/s"}, places, branch);
    add_panel(figure, drawn, {"dissipated_energy_J", "dissipated energy", "J"}, places, branch);
    if (const std::string sweep = text_at(run.summary, "sweep"); !sweep.empty())
        figure.drawing.panels.front().legend_title = plain(words_of_swept_key(sweep)) + ":";
    return {figure};
}

}  // namespace

std::vector<Figure> rigid_contact_figures(const Run& run) {
    if (is_map(run)) return contact_range_figures(run);
    if (!std::filesystem::exists(run.file("section.csv"))) return {};
    const Numbers section = read_numbers(run, "section.csv");
    const Solutions solutions(run);
    std::vector<Figure> figures{section_figure(run, section, solutions)};
    // Without approach the edge has two directions only.
    if (number_at(run.summary, "b_n_m_per_s") > 0.0)
        figures.push_back(objective_figure(run, section, solutions));
    if (std::filesystem::exists(run.file("routh_path.csv"))) {
        const io::Value* impact = run.summary.find("with_restitution");
        std::vector<PathEnd> ends;
        if (impact)
            ends.push_back({"end of the impact", number_at(*impact, "impulse_n_N_s"),
                            number_at(*impact, "velocity_n_m_per_s"),
                            core::hypot(number_at(*impact, "velocity_t_m_per_s"),
                                        number_at(*impact, "velocity_o_m_per_s"))});
        figures.push_back(path_figure(run, ends));
    }
    return figures;
}

ReportParts rigid_contact_report(const Run& run) {
    if (is_map(run)) return contact_map_report(run);
    static constexpr std::array<Quantity, 4> quantities = {{
        {"dissipated energy", "", "dissipated_energy_J", ""},
        {"closing velocity", "b_{n}", "b_n_m_per_s", ""},
        {"coefficient of friction", "μ", "", "mu"},
        {"eccentricity of the section", "", "", "eccentricity"},
    }};
    ReportParts parts;
    if (const std::string status = text_at(run.summary, "status"); !status.empty()) {
        parts.badges = status_badge(status == "solved" ? "complete" : status);
    }
    parts.results = quantity_table(run, quantities, "The contact was not solved.");
    parts.sections.push_back({"Solutions", file_table(run, "solutions.csv")});
    return parts;
}

namespace {

/// The note moved along the angles until no point of the rod is beneath it, if there is such a
/// place.
Note free_of_points(Note note, const Numbers& rod, const Panel& panel) {
    constexpr double right_angle = 90.0, symbol = 4.0;  // [°], half of it [px]
    const double degrees_per_px = right_angle / usual_panel_width;
    const double half_width = degrees_per_px * (0.5 * text_width(note.text) + symbol);
    const double half_height =
        (panel.y.high - panel.y.low) / panel.height * (0.5 * tick_font_size + symbol);
    const auto is_free = [&](double x) {
        if (x - half_width < 0.0 || x + half_width > right_angle) return false;
        for (std::size_t i = 0; i < rod.column("mu").size(); ++i) {
            if (std::abs(rod.column("angle_rad")[i] * degree - x) < half_width &&
                std::abs(rod.column("mu")[i] - *note.y) < half_height)
                return false;
        }
        return true;
    };
    for (double step = 0.0; step < right_angle; step += 1.0) {
        for (const double x : {note.x + step, note.x - step}) {
            if (!is_free(x)) continue;
            note.x = x;
            return note;
        }
    }
    return note;
}

}  // namespace

std::vector<Figure> sliding_rod_figures(const Run& run) {
    const Numbers critical = read_numbers(run, "critical.csv");
    const io::Table table = read_table(run, "rod.csv");
    const Numbers rod{
        "rod.csv",
        {"angle_rad", "mu", "impulse_n_N_s"},
        {table.numbers("angle_rad"), table.numbers("mu"), table.numbers("impulse_n_N_s")}};
    Figure figure;
    figure.name = "critical_friction";
    figure.caption =
        "Critical friction μ_{*} against the angle between plane and rod (line). Above it (orange) "
        "the tip cannot slide on, though nothing approaches: an impulse stops it. Below it (blue) "
        "the tip slides on. Points: the contacts of this run, solved by maximum dissipation; "
        "filled with an impulse, open without.";
    if (const double failures = number_at(run.summary, "failures"); failures > 0.0)
        figure.caption += fmt::format(" Not drawn, since without a result: {:g}.", failures);
    figure.drawing.x = {"angle {/:Italic θ}_{0} (°)", 0.0, 90.0, 15.0};
    Curve line{"", edge_style, critical.column("angle_rad"), critical.column("critical_mu")};
    for (double& angle : line.x) angle *= degree;
    Panel panel;
    panel.height = 200.0;
    constexpr double least_top = 4.0, most_top = 8.0;
    Extent friction;
    friction.include(0.0);
    friction.include(least_top);
    for (const double mu : rod.column("mu")) friction.include(std::min(mu, most_top));
    panel.y = nice_axis("friction {/:Italic μ}", friction, 5);
    Fill above{"#F6E3D3", line.x, line.y, {}}, below{"#EAF1F7", line.x, {}, line.y};
    for (double& mu : above.low) mu = std::min(mu, panel.y.high);
    for (double& mu : below.high) mu = std::min(mu, panel.y.high);
    above.high.assign(line.x.size(), panel.y.high);
    below.low.assign(line.x.size(), 0.0);
    panel.fills = {std::move(below), std::move(above)};
    const double middle = number_at(run.summary, "least_critical_angle_rad") * degree;
    const double least = number_at(run.summary, "least_critical_mu");
    panel.notes = {{middle, "impact without approach", 0.93 * panel.y.high},
                   free_of_points({49.0, "the tip slides on", 0.5 * least}, rod, panel)};
    panel.curves = {std::move(line), rod_points(rod, true), rod_points(rod, false)};
    figure.drawing.panels.push_back(std::move(panel));
    return {figure};
}

ReportParts sliding_rod_report(const Run& run) {
    static constexpr std::array<Quantity, 4> quantities = {{
        {"contacts solved", "", "", "contacts"},
        {"with an impulse", "", "", "impacts"},
        {"least critical friction", "μ_{*}", "", "least_critical_mu"},
        {"its angle", "θ_{0}", "least_critical_angle_rad", ""},
    }};
    ReportParts parts;
    parts.badges = status_badge(number_at(run.summary, "failures") == 0.0 ? "complete" : "failed");
    parts.results = quantity_table(run, quantities, "No contact was solved.");
    parts.sections.push_back({"Contacts", file_table(run, "rod.csv")});
    return parts;
}

std::vector<Figure> rigid_impact_map_figures(const Run& run) {
    const io::Table table = read_table(run, "map.csv");
    const auto branch = table.texts("branch");
    std::vector<double> inclination = table.numbers("inclination_rad");
    Extent angles;
    for (double& angle : inclination) angle *= degree;
    angles.include(inclination);
    Figure figure;
    figure.name = "directions";
    figure.caption =
        "Impact of maximum dissipation against the angle between the velocity of approach and the "
        "normal: normal impulse, slip after it, and dissipated energy. Where the slip is zero the "
        "contact sticks.";
    figure.drawing.x = angles.high > 60.0 ? Axis{"inclination (°)", 0.0, 90.0, 15.0}
                                          : tight_axis("inclination (°)", angles, 6);
    add_panel(figure, table, {"impulse_n_N_s", "normal impulse", "N s"}, inclination, branch);
    add_panel(figure, table, {"slip_m_per_s", "slip", "m/s"}, inclination, branch);
    add_panel(figure, table, {"dissipated_J", "dissipated energy", "J"}, inclination, branch);
    return {figure};
}

ReportParts rigid_impact_map_report(const Run& run) {
    static constexpr std::array<Quantity, 3> quantities = {{
        {"impacts", "", "", "impacts"},
        {"that stick", "", "", "impacts_that_stick"},
        {"with several Coulomb solutions", "", "", "impacts_with_several_coulomb_solutions"},
    }};
    ReportParts parts;
    const bool failed = number_at(run.summary, "impacts_failed") > 0.0;
    parts.badges = status_badge(failed ? "failed" : "complete");
    parts.results = quantity_table(run, quantities, "No impact was solved.");
    parts.sections.push_back({"Impacts", file_table(run, "map.csv")});
    return parts;
}

std::vector<Figure> compliant_impact_figures(const Run& run) {
    const io::Table table = read_table(run, "convergence.csv");
    const std::vector<double> factor = table.numbers("stiffness_factor");
    Figure figure;
    figure.name = "convergence";
    figure.caption =
        "Distance of the impulse up to the end of approach from its limit for infinite stiffness, "
        "and from the rigid solutions, relative to each of these, against the stiffness.";
    Extent factors, distances;
    factors.include_positive(factor);
    Panel panel;
    panel.height = 200.0;
    for (const io::Column& column : table.columns) {
        constexpr std::string_view prefix = "distance_";
        if (!column.name.starts_with(prefix) || column.name == "distance_limit_after") continue;
        std::string name = column.name.substr(prefix.size());
        std::replace(name.begin(), name.end(), '_', ' ');
        if (name == "limit") name = "its own limit";
        const std::vector<double> far = table.numbers(column.name);
        distances.include_positive(far);
        const std::size_t index = panel.curves.size();
        panel.curves.push_back({plain(name), line_style(index), factor, far, Drawn::both, index});
    }
    figure.drawing.x = log_axis("stiffness (in units of that given)", factors);
    panel.y = log_axis("relative distance", distances);
    figure.drawing.panels.push_back(std::move(panel));
    return {figure};
}

ReportParts compliant_impact_report(const Run& run) {
    static constexpr std::array<Quantity, 2> quantities = {{
        {"distance of the limit from the nearest rigid solution", "", "", "nearest_distance"},
        {"order of the convergence in the stiffness", "", "", "order"},
    }};
    ReportParts parts;
    if (const std::string status = text_at(run.summary, "status"); !status.empty()) {
        parts.badges = status_badge(status);
    }
    parts.results = quantity_table(run, quantities, "The impact gave no numbers.");
    parts.sections.push_back({"Convergence", file_table(run, "convergence.csv")});
    return parts;
}

std::vector<Figure> impact_hypotheses_figures(const Run& run) {
    const io::Table table = read_table(run, "hypotheses.csv");
    const std::vector<std::string> names = table.texts("solution");
    const std::vector<double> p = table.numbers("impulse_n_N_s");
    const std::vector<double> v_n = table.numbers("velocity_n_m_per_s");
    const std::vector<double> v_t = table.numbers("velocity_t_m_per_s");
    const std::vector<double> v_o = table.numbers("velocity_o_m_per_s");
    std::vector<PathEnd> ends;
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string name = names[i];
        std::replace(name.begin(), name.end(), '_', ' ');
        ends.push_back({std::move(name), p[i], v_n[i], core::hypot(v_t[i], v_o[i])});
    }
    return {path_figure(run, ends)};
}

ReportParts impact_hypotheses_report(const Run& run) {
    static constexpr std::array<Quantity, 2> quantities = {{
        {"coefficient of restitution without friction", "e", "", "coefficient"},
        {"distance of the nearest from the limit, in units of the speed of approach", "", "",
         "nearest_distance"},
    }};
    ReportParts parts;
    if (const std::string status = text_at(run.summary, "status"); !status.empty()) {
        parts.badges = status_badge(status);
    }
    parts.results = quantity_table(run, quantities, "The impact gave no numbers.");
    parts.sections.push_back({"Hypotheses", file_table(run, "hypotheses.csv")});
    return parts;
}

}  // namespace stoss::postproc
