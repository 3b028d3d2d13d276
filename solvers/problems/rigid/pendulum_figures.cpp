#include <solvers/problems/rigid/pendulum_figures.hpp>

#include <array>
#include <filesystem>

#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>

namespace stoss::postproc {

namespace {

/// The rows of one impact.
std::vector<double> of_impact(const Numbers& contact, std::string_view column, double impact) {
    std::vector<double> values;
    const std::vector<double>& numbers = contact.column("impact");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] == impact) values.push_back(contact.column(column)[i]);
    }
    return values;
}

Panel panel_of(const std::vector<double>& x, const std::vector<double>& y, const std::string& label,
               std::size_t style) {
    Extent extent;
    extent.include(y);
    Panel panel;
    panel.y = nice_axis(label, extent, 4);
    panel.curves.push_back({"", line_style(style), x, y});
    return panel;
}

Figure motion(const Run& run) {
    const Numbers history = read_numbers(run, "history.csv");
    const Numbers impacts = read_numbers(run, "impacts.csv");
    const std::vector<double>& time = history.column("time_s");
    Figure figure;
    figure.name = "motion";
    figure.caption =
        "Angular velocities of both rods and the gap between the tip of rod 2 and the line of rod "
        "1. Dotted: impacts.";
    Extent extent;
    extent.include(time);
    figure.drawing.x = tight_axis("time {/:Italic t} (s)", extent, 6);
    std::vector<Marker> markers;
    for (const double start : impacts.column("start_s")) markers.push_back({start, ""});
    const auto add = [&](const char* column, const std::string& label, std::size_t style) {
        figure.drawing.panels.push_back(panel_of(time, history.column(column), label, style));
        figure.drawing.panels.back().markers = markers;
    };
    add("angular_velocity_1_rad_per_s", "rod 1 {/:Italic ω}_{1} (rad/s)", 0);
    add("angular_velocity_2_rad_per_s", "rod 2 {/:Italic ω}_{2} (rad/s)", 1);
    add("gap_m", "gap (m)", 2);
    return figure;
}

Figure first_contact(const Run& run) {
    const Numbers contact = read_numbers(run, "contact.csv");
    std::vector<double> overlap = of_impact(contact, "overlap_m", 1.0);
    std::vector<double> force = of_impact(contact, "force_N", 1.0);
    Extent widest, strongest;
    widest.include(overlap);
    strongest.include(force);
    const Magnitude length = si_prefix(widest, "m"), newtons = si_prefix(strongest, "N");
    for (double& x : overlap) x *= length.factor;
    for (double& f : force) f *= newtons.factor;
    Figure figure;
    figure.name = "contact";
    figure.caption =
        "Contact force against overlap in the first impact; the area inside is the energy lost.";
    figure.drawing.x =
        nice_axis("overlap {/:Italic x}" + length.words, scaled(widest, length.factor), 6);
    figure.drawing.panels.push_back(
        panel_of(overlap, force, "force {/:Italic F}" + newtons.words, 0));
    figure.drawing.panels.back().height = 180.0;
    return figure;
}

}  // namespace

std::vector<Figure> pendulum_pair_figures(const Run& run) {
    std::vector<Figure> figures{motion(run)};
    if (std::filesystem::exists(run.file("contact.csv"))) figures.push_back(first_contact(run));
    return figures;
}

ReportParts pendulum_pair_report(const Run& run) {
    static constexpr std::array<Quantity, 4> quantities = {{
        {"impacts", "", "", "impacts"},
        {"time followed", "", "followed_s", ""},
        {"energy lost in impacts", "", "energy_lost_J", ""},
        {"largest contact force", "max F", "peak_force_N", ""},
    }};
    ReportParts parts;
    if (const std::string status = text_at(run.summary, "status"); !status.empty()) {
        parts.badges = status_badge(status);
    }
    parts.results = quantity_table(run, quantities, "The motion gave no numbers.");
    parts.sections.push_back({"Impacts", file_table(run, "impacts.csv")});
    return parts;
}

}  // namespace stoss::postproc
