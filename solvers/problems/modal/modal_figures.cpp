#include <solvers/problems/modal/modal_figures.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>

namespace stoss::postproc {

namespace {

constexpr std::size_t most_shapes = 6;

std::vector<Marker> places_of(const Run& run) {
    std::vector<Marker> markers;
    const double pivot = number_at(run.summary, "xi_pivot");
    const double percussion = number_at(run.summary, "xi_centre_of_percussion");
    if (std::isfinite(pivot)) markers.push_back({pivot, "pivot"});
    if (percussion >= 0.0 && percussion <= 1.0) markers.push_back({percussion, "percussion"});
    return markers;
}

Figure shapes(const Run& run) {
    const Numbers table = read_numbers(run, "shapes.csv");
    const Numbers modes = read_numbers(run, "modes.csv");
    Figure figure;
    figure.name = "shapes";
    figure.drawing.x = {"place {/:Italic ξ} = {/:Italic x}/{/:Italic l}", 0.0, 1.0, 0.2};
    const std::size_t count = std::min(most_shapes, table.names.size() - 1);
    for (std::size_t j = 0; j < count; ++j) {
        Panel panel;
        panel.y = {"", -1.0, 1.0, 1.0};
        panel.height = 52.0;
        panel.name = fmt::format("mode {}: {:.5g} Hz", j + 1, modes.column("frequency_Hz")[j]);
        panel.curves.push_back({"", line_style(0), table.column("xi"), table.columns[j + 1]});
        const auto& xi = table.column("xi");
        panel.curves.push_back(
            {"", {"#000000", "(1,2)", 0.7}, xi, std::vector<double>(xi.size(), 0.0)});
        panel.markers = places_of(run);
        if (j != std::min<std::size_t>(1, count - 1)) {  // the first is often a rising line
            for (Marker& marker : panel.markers) marker.label.clear();
        }
        figure.drawing.panels.push_back(std::move(panel));
    }
    figure.caption = fmt::format(
        "Shapes of the first {} modes, scaled to 1; a blow at a node does not excite the mode.",
        count);
    if (!places_of(run).empty()) {
        figure.caption +=
            " Dotted: the pivot and its centre of percussion, where a blow on the rigid beam "
            "leaves the pivot at rest.";
    }
    return figure;
}

Figure damping(const Numbers& modes) {
    const auto& frequency = modes.column("frequency_Hz");
    const auto& ratio = modes.column("damping_ratio");
    Figure figure;
    figure.name = "damping";
    figure.caption = "Damping ratio of the vibration modes against their frequency.";
    Curve curve{"", line_style(0), {}, {}, Drawn::both};
    for (std::size_t j = 0; j < frequency.size(); ++j) {
        if (!(ratio[j] > 0.0)) continue;
        curve.x.push_back(frequency[j]);
        curve.y.push_back(ratio[j]);
    }
    Extent x, y;
    x.include(curve.x);
    y.include(curve.y);
    figure.drawing.x = log_axis("frequency (Hz)", x);
    Panel panel;
    panel.y = log_axis("damping ratio {/:Italic ζ}", y);
    panel.height = 180.0;
    panel.curves.push_back(std::move(curve));
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

/// One column of a history over time in milliseconds.
Panel over_time(const Numbers& history, const std::vector<double>& time, std::string_view column,
                const std::string& label, std::string_view unit, std::size_t style) {
    std::vector<double> values = history.column(column);
    Extent extent;
    extent.include(values);
    const Magnitude size = si_prefix(extent, unit);
    for (double& value : values) value *= size.factor;
    Panel panel;
    panel.y = nice_axis(label + size.words, scaled(extent, size.factor), 4);
    panel.height = 130.0;
    panel.curves.push_back({"", line_style(style), time, std::move(values)});
    return panel;
}

Figure one_collision(const Run& run) {
    const Numbers history = read_numbers(run, "history.csv");
    std::vector<double> time = history.column("time_s");
    for (double& t : time) t *= 1e3;
    Extent extent;
    extent.include(time);
    Figure figure;
    figure.name = "collision";
    figure.caption =
        "Contact force, overlap (negative: gap) and closing velocity of the rigid motions over "
        "time.";
    figure.drawing.x = tight_axis("time {/:Italic t} (ms)", extent, 6);
    figure.drawing.panels = {
        over_time(history, time, "force_N", "force {/:Italic P}", "N", 0),
        over_time(history, time, "overlap_m", "overlap {/:Italic x}", "m", 1),
        over_time(history, time, "approach_velocity_m_per_s", "{/:Italic V}_{rel}", "m/s", 2)};
    return figure;
}

Figure restitution_at_points(const Run& run) {
    const io::Table table = read_table(run, "collisions.csv");
    const std::vector<double> number = table.numbers("collision");
    const std::vector<double> cor = table.numbers("cor_kinematic");
    Figure figure;
    figure.name = "cor";
    figure.caption =
        "Kinematic restitution at each struck point, numbered as in the table of collisions.";
    Extent y;
    y.include(cor);
    const double past = static_cast<double>(number.size()) + 1.0;
    figure.drawing.x = {"collision", 0.0, past, std::max(1.0, std::ceil(past / 12.0))};
    Panel panel;
    panel.y = nice_axis("restitution {/:Italic e}_{N}", y, 5);
    panel.height = 180.0;
    panel.curves.push_back({"", line_style(0), number, cor, Drawn::points});
    constexpr std::size_t most_names = 6;
    const std::vector<std::string> points = table.texts("point");
    const double beside = 0.07 * (panel.y.high - panel.y.low);
    for (std::size_t i = 0; points.size() <= most_names && i < points.size(); ++i) {
        const bool is_high = cor[i] > 0.5 * (panel.y.low + panel.y.high);
        if (std::isfinite(cor[i]))
            panel.notes.push_back(
                {number[i], plain(points[i]), is_high ? cor[i] - beside : cor[i] + beside});
    }
    figure.drawing.panels.push_back(std::move(panel));
    return figure;
}

}  // namespace

std::vector<Figure> modal_analysis_figures(const Run& run) {
    std::vector<Figure> figures{shapes(run)};
    const Numbers modes = read_numbers(run, "modes.csv");
    const auto& ratio = modes.column("damping_ratio");
    if (std::any_of(ratio.begin(), ratio.end(), [](double zeta) { return zeta > 0.0; })) {
        figures.push_back(damping(modes));
    }
    return figures;
}

ReportParts modal_analysis_report(const Run& run) {
    static constexpr std::array<Quantity, 5> quantities = {{
        {"mass", "m", "mass_kg", ""},
        {"centre of mass", "ξ", "", "xi_centre_of_mass"},
        {"moment of inertia about it", "I", "inertia_kg_m2", ""},
        {"pivot", "ξ_{p}", "", "xi_pivot"},
        {"centre of percussion", "ξ_{cp}", "", "xi_centre_of_percussion"},
    }};
    ReportParts parts;
    parts.badges = status_badge("complete");
    parts.results = quantity_table(run, quantities, "");
    parts.sections.push_back({"Modes", file_table(run, "modes.csv")});
    parts.sections.push_back({"Nodes", file_table(run, "nodes.csv")});
    return parts;
}

std::vector<Figure> mesh_modes_figures(const Run& run) {
    const io::Table table = read_table(run, "basis.csv");
    std::vector<double> number = table.numbers("mode");
    std::vector<double> frequency = table.numbers("frequency_Hz");
    if (!std::isfinite(frequency.back())) {  // residual flexibility, which is no mode
        number.pop_back();
        frequency.pop_back();
    }
    Extent x, y;
    x.include(number);
    y.include(frequency);
    Figure figure;
    figure.name = "frequencies";
    figure.caption = "Frequencies of the modes; those of the rigid ones are 0.";
    figure.drawing.x = nice_axis("mode", x, 8);
    Panel panel;
    panel.y = nice_axis("frequency (Hz)", y, 5);
    panel.height = 180.0;
    panel.curves.push_back({"", line_style(0), number, frequency, Drawn::points});
    figure.drawing.panels.push_back(std::move(panel));
    return {figure};
}

ReportParts mesh_modes_report(const Run& run) {
    ReportParts parts;
    parts.badges = status_badge("complete");
    parts.sections.push_back({"Modes", file_table(run, "basis.csv")});
    return parts;
}

std::vector<Figure> modal_impact_figures(const Run& run) {
    const bool is_one = number_at(run.summary, "collisions") == 1.0;
    return {is_one ? one_collision(run) : restitution_at_points(run)};
}

ReportParts modal_impact_report(const Run& run) {
    static constexpr std::array<Quantity, 7> quantities = {{
        {"restitution, kinematic", "e_{N}", "", "cor_kinematic"},
        {"change of e by further modes", "", "", "cor_truncation_max"},
        {"restitution, kinetic", "e_{P}", "", "cor_kinetic"},
        {"impulse", "J", "impulse_N_s", ""},
        {"largest force", "P", "peak_force_N", ""},
        {"last separation", "t_{f}", "separation_s", ""},
        {"largest energy residual", "", "", "energy_residual_max"},
    }};
    ReportParts parts;
    if (const std::string status = text_at(run.summary, "status"); !status.empty())
        parts.badges = status_badge(status);
    parts.results = quantity_table(run, quantities, "");
    parts.sections.push_back({"Collisions", file_table(run, "collisions.csv")});
    return parts;
}

}  // namespace stoss::postproc
