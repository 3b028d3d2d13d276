#include <solvers/problems/point/impact_figures.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/labels.hpp>
#include <postproc/report/level_lines.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int flight_points = 40;  // of a parabola
constexpr std::size_t most_flights = 60;

/// The curves of a run: its map.csv split by the swept value.
struct Family {
    std::string place;        // column of the horizontal axis
    std::string place_words;  // of that axis
    double place_factor;      // from the unit of the table to that of the axis
    std::string sweep;        // column of the swept key; empty if nothing is swept
    struct Member {
        std::string label;
        Numbers numbers;
    };
    std::vector<Member> members;
};

Family read_family(const Run& run) {
    const io::Table table = read_table(run, "map.csv");
    const std::string place = text_at(run.summary, "place");
    const DrawnKey drawn = drawn_key(place);
    Family family{place, words_of_key(drawn.name), drawn.factor, text_at(run.summary, "sweep"), {}};
    const auto labels = row_labels(table, family.sweep);
    for (const io::Column& column : table.columns) {
        if (std::holds_alternative<std::vector<std::string>>(column.values)) continue;
        const auto values = table.numbers(column.name);
        std::size_t member = 0;
        for (std::size_t row = 0; row < values.size(); ++row) {
            if (row > 0 && labels[row] != labels[row - 1]) ++member;
            if (member == family.members.size()) {
                family.members.push_back({labels[row], {table.file, {}, {}}});
            }
            Numbers& numbers = family.members[member].numbers;
            if (numbers.names.empty() || numbers.names.back() != column.name) {
                numbers.names.push_back(column.name);
                numbers.columns.emplace_back();
            }
            const bool is_place = column.name == family.place;
            numbers.columns.back().push_back(values[row] * (is_place ? family.place_factor : 1.0));
        }
    }
    return family;
}

std::string legend_title(const Family& family) {
    return family.sweep.empty() ? "" : plain(words_of_key(family.sweep)) + ":";
}

std::string title_of(const Family::Member& member) {
    return plain(with_minus(member.label));
}

// ---- One impact

Panel path_panel(const Numbers& path, const char* column, const std::string& label,
                 const char* unit, std::size_t style) {
    const std::vector<double>& values = path.column(column);
    Extent extent;
    extent.include(values);
    const Magnitude magnitude = si_prefix(extent, unit);
    std::vector<double> scaled_values = values;
    for (double& value : scaled_values) value *= magnitude.factor;
    Panel panel;
    panel.height = 90.0;
    panel.y = nice_axis(label + magnitude.words, scaled(extent, magnitude.factor), 4);
    panel.curves.push_back({"", line_style(style), path.column("time_s"), scaled_values});
    return panel;
}

/// A time axis for tables that begin with time.
Magnitude time_axis(const Numbers& path, Figure& figure) {
    Extent extent;
    extent.include(path.column("time_s"));
    const Magnitude time = si_prefix(extent, "s");
    figure.drawing.x = tight_axis("time {/:Italic t}" + time.words, scaled(extent, time.factor), 6);
    return time;
}

void scale_time(Figure& figure, const Magnitude& time) {
    for (Panel& panel : figure.drawing.panels)
        for (Curve& curve : panel.curves)
            for (double& t : curve.x) t *= time.factor;
}

Figure single_impact(const Numbers& path) {
    Figure figure;
    figure.name = "impact";
    figure.caption =
        "One impact, from first contact until the contact force vanishes or the body comes to rest "
        "in contact: overlap x, its rate v = dx/dt, contact force F.";
    const Magnitude time = time_axis(path, figure);
    figure.drawing.panels = {path_panel(path, "overlap_m", "overlap {/:Italic x}", "m", 0),
                             path_panel(path, "rate_m_per_s", "rate {/:Italic v}", "m/s", 1),
                             path_panel(path, "force_N", "force {/:Italic F}", "N", 2)};
    scale_time(figure, time);
    return figure;
}

Figure hysteresis(const Numbers& path) {
    Figure figure;
    figure.name = "hysteresis";
    figure.caption =
        "Contact force F against overlap x. The area of the loop is what the law loses.";
    Extent overlap;
    overlap.include(path.column("overlap_m"));
    overlap.include(0.0);
    const Magnitude unit = si_prefix(overlap, "m");
    std::vector<double> x = path.column("overlap_m");
    for (double& value : x) value *= unit.factor;
    figure.drawing.x =
        tight_axis("overlap {/:Italic x}" + unit.words, scaled(overlap, unit.factor), 6);
    Panel panel = path_panel(path, "force_N", "force {/:Italic F}", "N", 2);
    panel.height = 180.0;
    panel.curves.front().x = std::move(x);
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

// ---- Over one key

Figure cor_over_one_key(const Family& family) {
    Figure figure;
    figure.name = "cor";
    figure.caption =
        "Coefficient of restitution e = (rebound speed)/(approach speed). e = 0: the body sticks.";
    Panel panel;
    panel.height = 180.0;
    panel.legend_title = legend_title(family);
    Extent extent;
    for (const Family::Member& member : family.members) {
        extent.include(member.numbers.column("cor"));
        panel.curves.push_back({title_of(member), line_style(panel.curves.size()),
                                member.numbers.column(family.place), member.numbers.column("cor")});
    }
    panel.y = cor_axis(extent);
    figure.drawing.x =
        key_axis(plain(family.place_words), family.members.front().numbers.column(family.place));
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

// ---- Over two keys

/// e over the slow key, x, and the fast one, y.
Grid grid_of(const Numbers& numbers, const std::string& slow, const std::string& fast) {
    const auto& first = numbers.column(slow);
    const auto& second = numbers.column(fast);
    const auto row_end = std::find_if(first.begin(), first.end(),
                                      [&](double value) { return value != first.front(); });
    const auto width = static_cast<std::size_t>(row_end - first.begin());
    Grid grid{
        {}, {second.begin(), second.begin() + (row_end - first.begin())}, numbers.column("cor")};
    for (std::size_t i = 0; i < first.size(); i += width) grid.x.push_back(first[i]);
    return grid;
}

/// False of a line that only cuts off a corner of the grid: it would be a dot there.
bool is_to_be_seen(const Grid& grid, const Curve& line) {
    const auto points = std::ranges::count_if(line.y, [](double y) { return std::isfinite(y); });
    return points >= std::min<std::ptrdiff_t>(3, std::ssize(grid.x));
}

/// The axis of a key. Values far from 1 get another unit, unless the axis is logarithmic.
Axis axis_of_key(const std::string& key, const std::string& words, std::vector<double>& values) {
    Extent extent;
    extent.include(values);
    const Magnitude power = power_of_ten(extent);
    if (is_logarithmic(values) || power.words.empty()) return key_axis(plain(words), values);
    const auto [name, unit] = core::split_unit(key);
    const bool has_prefix = takes_prefix(unit);  // an angle is in degrees here
    const Magnitude magnitude = has_prefix ? si_prefix(extent, unit) : power;
    for (double& value : values) value *= magnitude.factor;
    return key_axis(plain(has_prefix ? words_of_key(name) : words) + magnitude.words, values);
}

Figure cor_over_two_keys(const Family& family, const std::string& slow) {
    Figure figure;
    figure.name = "cor_map";
    figure.caption =
        "Lines of equal coefficient of restitution e; along the line 0.0 the body begins to stick.";
    for (const Family::Member& member : family.members) {
        Grid grid = grid_of(member.numbers, slow, family.place);
        Panel panel;
        panel.height = 200.0;
        panel.name = title_of(member);
        panel.legend_title = "{/:Italic e}:";
        panel.y = axis_of_key(family.place, family.place_words, grid.y);
        figure.drawing.x = axis_of_key(slow, words_of_key(slow), grid.x);
        for (int tenth = 0; tenth < 10; ++tenth) {
            const double level = 0.1 * tenth;
            LevelLines lines = level_lines(grid, level);
            Curve curve{fmt::format("{:.1f}", level), line_style(static_cast<std::size_t>(tenth)),
                        std::move(lines.x), std::move(lines.y)};
            if (is_to_be_seen(grid, curve)) panel.curves.push_back(std::move(curve));
        }
        figure.drawing.panels.push_back(std::move(panel));
    }
    return figure;
}

// ---- Bead

Figure bead_cor(const Family& family) {
    Figure figure = cor_over_one_key(family);
    figure.caption =
        "Coefficient of restitution of the bead against its damping γ: exact (colours) and to "
        "second order in γ, with integrals by quadrature (thin dashes).";
    std::string title = "second order";
    for (const Family::Member& member : family.members) {
        figure.drawing.panels.front().curves.push_back({std::exchange(title, ""),
                                                        {"#000000", "(3,3)", 0.8},
                                                        member.numbers.column("gamma"),
                                                        member.numbers.column("cor_second_order")});
    }
    figure.drawing.x.label = "damping {/:Italic γ}";
    return figure;
}

Figure bead_error(const Family& family) {
    Figure figure;
    figure.name = "error";
    figure.caption =
        "Size of the error of each approximation of e: first order, second order with integrals by "
        "quadrature and by Beta functions, Taylor's at no damping and no load, large load.";
    constexpr std::array<std::pair<const char*, const char*>, 5> approximations{
        {{"error_first_order", "first order"},
         {"error_second_order", "second order"},
         {"error_second_order_by_beta", "by Beta functions"},
         {"error_taylor", "Taylor"},
         {"error_large_load", "large load"}}};
    Extent extent, gamma;
    for (const Family::Member& member : family.members) {
        Panel panel;
        panel.height = 120.0;
        panel.name =
            family.sweep.empty() ? "" : plain(words_of_key(family.sweep)) + " " + title_of(member);
        gamma.include(member.numbers.column("gamma"));
        for (const auto& [column, title] : approximations) {
            std::vector<double> error = member.numbers.column(column);
            for (double& value : error) value = std::abs(value) > 1e-12 ? std::abs(value) : nan;
            extent.include_positive(error);
            panel.curves.push_back({&member == &family.members.front() ? title : "",
                                    line_style(panel.curves.size()), member.numbers.column("gamma"),
                                    std::move(error)});
        }
        figure.drawing.panels.push_back(std::move(panel));
    }
    if (extent.none()) extent = Extent{}, extent.include(1e-12), extent.include(1.0);
    for (Panel& panel : figure.drawing.panels)
        panel.y = log_axis("|error of {/:Italic e}|", extent);
    figure.drawing.x =
        key_axis("damping {/:Italic γ}", family.members.front().numbers.column("gamma"));
    if (!figure.drawing.x.logarithmic)
        figure.drawing.x = tight_axis("damping {/:Italic γ}", gamma, 6);
    return figure;
}

// ---- Calibration

Figure calibration(const Family& family) {
    Figure figure;
    figure.name = "calibration";
    figure.caption =
        "Restitution that the law gives against restitution asked for: calibrated, and by the "
        "published rules for its damping.";
    figure.drawing.x = {"{/:Italic e} asked for", 0.0, 1.0, 0.2};
    for (const Family::Member& member : family.members) {
        Panel panel;
        panel.height = 180.0;
        panel.name = title_of(member);
        Extent given = extent_from_zero({1.0});
        for (const std::string& column : member.numbers.names) {
            if (!column.starts_with("cor_given")) continue;
            const auto& values = member.numbers.column(column);
            if (std::all_of(values.begin(), values.end(), [](double e) { return std::isnan(e); }))
                continue;
            given.include(values);
            const std::string rule =
                column == "cor_given" ? "calibrated" : words_of_key(column.substr(13));
            panel.curves.push_back({plain(rule), line_style(panel.curves.size()),
                                    member.numbers.column("cor_wanted"), values, Drawn::both,
                                    panel.curves.size() % 7});
        }
        panel.y = nice_axis("{/:Italic e} given", given, 5);
        figure.drawing.panels.push_back(std::move(panel));
    }
    return figure;
}

// ---- Bouncing ball

/// Adds a parabola from `begin` on, with its apex at that time [s] and height [m].
void add_parabola(Curve& height, double begin, double duration, double apex_time, double apex,
                  double gravity) {
    for (int i = 0; i <= flight_points; ++i) {
        const double time = begin + duration * i / flight_points;
        height.x.push_back(time);
        height.y.push_back(apex - 0.5 * gravity * (time - apex_time) * (time - apex_time));
    }
}

Figure bounces(const Run& run) {
    const Numbers numbers = read_numbers(run, "map.csv");
    const auto& start = numbers.column("time_s");
    const auto& duration = numbers.column("duration_s");
    const auto& flight = numbers.column("flight_s");
    const auto& apex = numbers.column("apex_m");
    Figure figure;
    figure.name = "bounces";
    figure.caption =
        "Height of the ball against time, and the coefficient of restitution of each impact "
        "against its approach speed.";
    Curve height{"", line_style(0), {}, {}};
    const double drop = number_at(run.summary, "drop_height_m");
    const double fall = number_at(run.summary, "fall_s");
    const double gravity = 2.0 * drop / (fall * fall);
    add_parabola(height, 0.0, fall, 0.0, drop, gravity);
    const auto rest = std::ranges::find_if(flight, [](double time) { return !(time > 0.0); });
    const auto flights_of_run = static_cast<std::size_t>(rest - flight.begin());
    if (flights_of_run > most_flights) {
        figure.caption +=
            fmt::format(" The first {} of {} flights are drawn.", most_flights, flights_of_run);
    }
    for (std::size_t bounce = 0; bounce < std::min(flights_of_run, most_flights); ++bounce) {
        const double begin = start[bounce] + duration[bounce];
        // Both ends have one height, up to an overlap: the apex is in the middle.
        add_parabola(height, begin, flight[bounce], begin + 0.5 * flight[bounce], apex[bounce],
                     gravity);
    }
    Extent time, up;
    time.include(height.x);
    up.include(height.y);
    const Magnitude unit = si_prefix(up, "m");
    for (double& y : height.y) y *= unit.factor;
    figure.drawing.x = tight_axis("time (s)", time, 6);
    Panel flights;
    flights.height = 120.0;
    flights.y = nice_axis("height" + unit.words, scaled(up, unit.factor), 4);
    flights.curves.push_back(std::move(height));
    figure.drawing.panels.push_back(std::move(flights));

    Panel cor;
    cor.height = 120.0;
    Extent extent;
    extent.include(numbers.column("cor"));
    cor.y = cor_axis(extent);
    Extent speeds;
    speeds.include_positive(numbers.column("speed_m_per_s"));
    cor.x = speeds.high > 10.0 * speeds.low ? log_axis("approach speed (m/s)", speeds)
                                            : nice_axis("approach speed (m/s)", speeds, 5);
    cor.curves.push_back(
        {"", line_style(1), numbers.column("speed_m_per_s"), numbers.column("cor"), Drawn::points});
    figure.drawing.panels.push_back(std::move(cor));
    return figure;
}

// ---- Sphere

/// A column, one curve a member of the family, in a unit with a suitable prefix; `reference`, if
/// there is one, is a column in thin dashes.
Panel member_panel(const Family& family, const std::string& label, const char* unit,
                   const char* column, const char* reference = nullptr) {
    Extent extent;
    extent.include(0.0);
    for (const Family::Member& member : family.members) {
        extent.include(member.numbers.column(column));
        if (reference) extent.include(member.numbers.column(reference));
    }
    const Magnitude magnitude = si_prefix(extent, unit);
    const auto curve = [&](const Family::Member& member, const char* name, std::string title,
                           const LineStyle& style) {
        std::vector<double> values = member.numbers.column(name);
        for (double& value : values) value *= magnitude.factor;
        return Curve{std::move(title), style, member.numbers.column(family.place), values};
    };
    Panel panel;
    panel.y = nice_axis(label + magnitude.words, scaled(extent, magnitude.factor), 4);
    for (const Family::Member& member : family.members)
        panel.curves.push_back(
            curve(member, column, title_of(member), line_style(panel.curves.size())));
    std::string title = "rigid";
    if (!reference) return panel;
    for (const Family::Member& member : family.members)
        panel.curves.push_back(
            curve(member, reference, std::exchange(title, ""), {"#000000", "(3,3)", 0.8}));
    return panel;
}

Figure sphere_rebound(const Family& family) {
    Figure figure;
    figure.name = "rebound";
    figure.caption =
        "After the impact: slip of the contact points, beside that of rigid spheres of the same "
        "normal restitution (thin dashes); angular velocity of the sphere; normal restitution; "
        "energy that friction has taken.";
    figure.drawing.panels = {
        member_panel(family, "slip", "m/s", "slip_m_per_s", "slip_of_rigid_spheres_m_per_s"),
        member_panel(family, "{/:Italic ω}", "rad/s", "angular_velocity_rad_per_s"),
        member_panel(family, "loss by friction", "J", "friction_loss_J")};
    figure.drawing.panels.front().legend_title = legend_title(family);
    for (std::size_t i = 1; i < figure.drawing.panels.size(); ++i)
        for (Curve& curve : figure.drawing.panels[i].curves) curve.title.clear();
    Panel cor;
    Extent extent;
    for (const Family::Member& member : family.members) {
        extent.include(member.numbers.column("cor"));
        cor.curves.push_back({"", line_style(cor.curves.size()),
                              member.numbers.column(family.place), member.numbers.column("cor")});
    }
    cor.y = cor_axis(extent);
    cor.y.label = "{/:Italic e}";
    figure.drawing.panels.insert(figure.drawing.panels.begin() + 2, std::move(cor));
    figure.drawing.x =
        key_axis(plain(family.place_words), family.members.front().numbers.column(family.place));
    return figure;
}

std::string words_of_quantity(const std::string& column) {
    return column == "cor_tangential" ? "tangential restitution" : words_of_key(column);
}

/// Ours as a curve, the measurements of others as points: a panel for each column they are about.
Figure sphere_comparison(const Run& run, const Family& family) {
    const io::Table table = read_table(run, "comparison.csv");
    const auto labels = table.texts("label"), quantities = table.texts("quantity");
    std::vector<double> places = table.numbers(family.place);
    for (double& place : places) place *= family.place_factor;
    const auto& measured = table.numbers("measured");
    std::vector<std::string> names, panels;  // in the order of the case
    const auto note = [](std::vector<std::string>& known, const std::string& name) {
        if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    };
    for (std::size_t row = 0; row < labels.size(); ++row) {
        note(names, labels[row]);
        note(panels, quantities[row]);
    }
    Figure figure;
    figure.name = "comparison";
    figure.caption =
        "Computed values (curve), and measured or published ones (points); the numbers are in "
        "comparison.csv.";
    const Numbers& ours = family.members.front().numbers;
    for (const std::string& quantity : panels) {
        Panel panel;
        Extent extent;
        extent.include(ours.column(quantity));
        const bool is_first = figure.drawing.panels.empty();
        panel.curves.push_back({is_first ? "computed" : "", line_style(0),
                                ours.column(family.place), ours.column(quantity)});
        for (std::size_t i = 0; i < names.size(); ++i) {
            Curve points{
                is_first ? plain(names[i]) : "", line_style(i + 1), {}, {}, Drawn::points, i};
            for (std::size_t row = 0; row < labels.size(); ++row) {
                if (labels[row] != names[i] || quantities[row] != quantity) continue;
                points.x.push_back(places[row]);
                points.y.push_back(measured[row]);
            }
            extent.include(points.y);
            panel.curves.push_back(std::move(points));
        }
        panel.y = nice_axis(plain(words_of_quantity(quantity)), extent, 5);
        panel.height = 150.0;
        figure.drawing.panels.push_back(std::move(panel));
    }
    figure.drawing.x = key_axis(plain(family.place_words), ours.column(family.place));
    return figure;
}

/// The limits ±mu (F + adhesion) of friction in the panel of the tangential force [N]. They may be
/// far above the force: the axis stays that of the force, and cuts them.
void add_bounds(double mu, double adhesion, const Numbers& path, Panel& panel) {
    Extent force;
    force.include(path.column("tangential_force_N"));
    const double factor = si_prefix(force, "N").factor;
    for (const double bound : {mu, -mu}) {
        std::vector<double> limit = path.column("normal_force_N");
        for (double& value : limit) value = bound * factor * std::max(0.0, value + adhesion);
        panel.curves.push_back(
            {"", {"#000000", "(3,3)", 0.8}, path.column("time_s"), std::move(limit)});
    }
}

Figure sphere_contact(const Run& run, const Numbers& path) {
    const double adhesion = std::fmax(number_at(run.summary, "friction_adhesion_N"), 0.0);
    Figure figure;
    figure.name = "impact";
    figure.caption = fmt::format(
        "Overlap x, normal force F, tangential force and its bounds ±μ{} as far as they lie on the "
        "axis (thin dashes), slip of the contact points.",
        adhesion > 0.0 ? fmt::format("(F + {:.3g} N), with adhesion,", adhesion) : "F");
    const Magnitude time = time_axis(path, figure);
    figure.drawing.panels = {path_panel(path, "overlap_m", "overlap {/:Italic x}", "m", 0),
                             path_panel(path, "normal_force_N", "force {/:Italic F}", "N", 2),
                             path_panel(path, "tangential_force_N", "tangential", "N", 0),
                             path_panel(path, "slip_m_per_s", "slip", "m/s", 1)};
    add_bounds(number_at(run.summary, "mu"), adhesion, path, figure.drawing.panels[2]);
    scale_time(figure, time);
    return figure;
}

Figure sphere_energies(const Numbers& path) {
    Figure figure;
    figure.name = "energies";
    figure.caption =
        "Energies: kinetic, stored in the contact, lost by the normal law, lost by friction. Their "
        "sum is constant up to the error of the time steps.";
    const Magnitude time = time_axis(path, figure);
    constexpr std::array<std::pair<const char*, const char*>, 4> shares{
        {{"energy_kinetic_J", "kinetic"},
         {"energy_stored_J", "stored"},
         {"normal_loss_J", "normal loss"},
         {"friction_loss_J", "friction"}}};
    Extent extent;
    extent.include(0.0);
    for (const auto& [column, title] : shares) extent.include(path.column(column));
    const Magnitude unit = si_prefix(extent, "J");
    Panel panel;
    panel.height = 180.0;
    panel.y = nice_axis("energy" + unit.words, scaled(extent, unit.factor), 5);
    for (const auto& [column, title] : shares) {
        std::vector<double> values = path.column(column);
        for (double& value : values) value *= unit.factor;
        panel.curves.push_back(
            {title, line_style(panel.curves.size()), path.column("time_s"), std::move(values)});
    }
    figure.drawing.panels.push_back(std::move(panel));
    scale_time(figure, time);
    return figure;
}

constexpr std::array<Quantity, 14> sphere_quantities{
    {{"coefficient of restitution", "e", "cor", ""},
     {"the same of the law alone", "e", "cor_of_law", ""},
     {"slip before", "", "slip_before_m_per_s", ""},
     {"slip after", "", "slip_m_per_s", ""},
     {"angular velocity after", "ω", "angular_velocity_rad_per_s", ""},
     {"duration of the contact force", "t", "duration_s", ""},
     {"largest normal force", "F_{max}", "peak_force_N", ""},
     {"largest overlap", "x_{max}", "peak_overlap_m", ""},
     {"energy lost by the normal law", "", "normal_loss_J", ""},
     {"energy lost by friction", "", "friction_loss_J", ""},
     {"impacts", "", "impacts", ""},
     {"largest difference from the restitution of the law", "", "cor_error_max", ""},
     {"largest residual of the energies", "", "energy_residual_max", ""},
     {"largest residual of momentum", "", "momentum_residual_max", ""}}};

constexpr std::array<Quantity, 8> impact_quantities{
    {{"coefficient of restitution", "e", "cor", ""},
     {"duration of the contact force", "t", "duration_s", ""},
     {"largest force", "F_{max}", "peak_force_N", ""},
     {"largest overlap", "x_{max}", "peak_overlap_m", ""},
     {"overlap at the end", "x_{end}", "end_overlap_m", ""},
     {"energy lost", "E", "energy_lost_J", ""},
     {"total load at which the body sticks", "F_{c}", "critical_load_N", ""},
     {"impacts", "", "impacts", ""}}};

ReportParts parts_with(const Run& run, const char* file) {
    ReportParts parts;
    const std::string status = text_at(run.summary, "status");
    if (!status.empty()) parts.badges = status_badge(status);
    parts.results = quantity_table(run, impact_quantities, "");
    parts.sections.push_back({"Table", file_table(run, file)});
    return parts;
}

}  // namespace

std::vector<Figure> restitution_figures(const Run& run) {
    if (run.summary.find("status") != nullptr) {
        const Numbers path = read_numbers(run, "path.csv");
        return {single_impact(path), hysteresis(path)};
    }
    const Family family = read_family(run);
    if (family.place.empty()) return {};
    const std::string slow = text_at(run.summary, "second_place");
    if (slow.empty()) return {cor_over_one_key(family)};
    return {cor_over_two_keys(family, slow)};
}

ReportParts restitution_report(const Run& run) {
    return parts_with(run, run.summary.find("status") != nullptr ? "path.csv" : "map.csv");
}

std::vector<Figure> bead_figures(const Run& run) {
    const Family family = read_family(run);
    return {bead_cor(family), bead_error(family)};
}

ReportParts bead_report(const Run& run) {
    return parts_with(run, "map.csv");
}

std::vector<Figure> calibrate_figures(const Run& run) {
    return {calibration(read_family(run))};
}

ReportParts calibrate_report(const Run& run) {
    return parts_with(run, "map.csv");
}

std::vector<Figure> bouncing_ball_figures(const Run& run) {
    return {bounces(run)};
}

ReportParts bouncing_ball_report(const Run& run) {
    return parts_with(run, "map.csv");
}

std::vector<Figure> sphere_impact_figures(const Run& run) {
    if (run.summary.find("status") != nullptr) {
        const Numbers path = read_numbers(run, "path.csv");
        return {sphere_contact(run, path), sphere_energies(path)};
    }
    const Family family = read_family(run);
    if (family.place.empty()) return {};
    std::vector<Figure> figures{sphere_rebound(family)};
    if (run.summary.find("measurements") != nullptr)
        figures.push_back(sphere_comparison(run, family));
    return figures;
}

ReportParts sphere_impact_report(const Run& run) {
    ReportParts parts =
        parts_with(run, run.summary.find("status") != nullptr ? "path.csv" : "map.csv");
    parts.results = quantity_table(run, sphere_quantities, "");
    return parts;
}

}  // namespace stoss::postproc
