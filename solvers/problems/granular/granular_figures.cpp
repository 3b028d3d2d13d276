#include <solvers/problems/granular/granular_figures.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::postproc {

namespace {

/// Numbers with a prefix of their unit that suits the largest.
std::vector<double> with_prefix(std::vector<double> values, const char* unit, std::string& words) {
    Extent extent;
    extent.include(values);
    const Magnitude magnitude = si_prefix(extent, unit);
    for (double& value : values) value *= magnitude.factor;
    words = magnitude.words;
    return values;
}

Panel panel_of(const std::vector<double>& x, const std::vector<double>& y, const std::string& label,
               std::size_t style) {
    const Extent extent = extent_from_zero(y);
    Panel panel;
    panel.y = nice_axis(label, extent, 4);
    panel.curves.push_back({"", line_style(style), x, y});
    return panel;
}

Figure settling(const Run& run) {
    const Numbers history = read_numbers(run, "history.csv");
    std::string time_unit, energy_unit, length_unit;
    const auto time = with_prefix(history.column("time_s"), "s", time_unit);
    std::vector<double> kinetic = history.column("energy_translation_J");
    for (std::size_t i = 0; i < kinetic.size(); ++i)
        kinetic[i] += history.column("energy_rotation_J")[i];
    kinetic = with_prefix(kinetic, "J", energy_unit);
    const auto overlap = with_prefix(history.column("deepest_overlap_m"), "m", length_unit);
    Figure figure;
    figure.name = "settling";
    figure.caption =
        "Kinetic energy of all spheres; contacts that press, per sphere; and the deepest overlap "
        "since the sample before.";
    figure.drawing.x = tight_axis("time {/:Italic t}" + time_unit, extent_from_zero(time), 6);
    figure.drawing.panels = {
        panel_of(time, kinetic, "kinetic energy" + energy_unit, 0),
        panel_of(time, history.column("contacts_per_sphere"), "contacts per sphere", 1),
        panel_of(time, overlap, "overlap" + length_unit, 2)};
    return figure;
}

Figure distribution(const Run& run, const std::string& caption) {
    const Numbers rdf = read_numbers(run, "rdf.csv");
    const std::vector<double>& r = rdf.column("distance_diameters");
    Figure figure;
    figure.name = "rdf";
    figure.caption = caption;
    Extent extent;
    extent.include(0.0);
    extent.include(r.back());
    figure.drawing.x = nice_axis("distance {/:Italic r/d} (−)", extent, 6);
    figure.drawing.panels.push_back(
        panel_of(r, rdf.column("g"), "{/:Italic g}({/:Italic r}) (−)", 0));
    figure.drawing.panels.back().height = 180.0;
    return figure;
}

Figure packing(const Run& run) {
    const Numbers profile = read_numbers(run, "profile.csv");
    std::string unit;
    const auto height = with_prefix(profile.column("height_m"), "m", unit);
    Figure figure;
    figure.name = "solid_fraction";
    figure.caption =
        "Solid fraction of horizontal slices of the box at the end. The floor orders the lowest "
        "layers.";
    figure.drawing.x = nice_axis("height" + unit, extent_from_zero(height), 6);
    figure.drawing.panels.push_back(
        panel_of(height, profile.column("solid_fraction"), "solid fraction (−)", 0));
    figure.drawing.panels.back().height = 180.0;
    return figure;
}

/// The run over time: what is in the channel, how it moves, how well contacts are solved.
Figure filling(const Run& run) {
    const Numbers history = read_numbers(run, "history.csv");
    std::string time_unit, length_unit;
    const auto time = with_prefix(history.column("time_s"), "s", time_unit);
    const auto overlap = with_prefix(history.column("deepest_overlap_m"), "m", length_unit);
    Figure figure;
    figure.name = "history";
    figure.caption =
        "Solid fraction of the channel; contacts that press, per sphere; mean speed of the "
        "spheres; the deepest overlap and the largest residual of the contacts since the sample "
        "before.";
    figure.drawing.x = tight_axis("time {/:Italic t}" + time_unit, extent_from_zero(time), 6);
    figure.drawing.panels = {
        panel_of(time, history.column("solid_fraction"), "solid fraction (−)", 0),
        panel_of(time, history.column("contacts_per_sphere"), "contacts per sphere", 1),
        panel_of(time, history.column("speed_mean_m_per_s"), "mean speed (m/s)", 2),
        panel_of(time, overlap, "overlap" + length_unit, 3),
        panel_of(time, history.column("residual_m_per_s"), "residual (m/s)", 4)};
    return figure;
}

/// Where the energy that came in stays.
Figure energy_balance(const Run& run) {
    const Numbers history = read_numbers(run, "history.csv");
    std::string time_unit;
    const auto time = with_prefix(history.column("time_s"), "s", time_unit);
    // What is lost is often nearly the work of the plane: a solid line, and dashes over it.
    const std::array columns{
        std::pair{"energy_lost_J", "lost"},
        std::pair{"work_of_plane_J", "work of the plane"},
        std::pair{"energy_in_J", "with spheres that came in"},
        std::pair{"energy_out_J", "with spheres that left"},
        std::pair{"work_of_error_reduction_J", "work of error reduction"},
    };
    Extent energies;
    energies.include(0.0);
    for (const auto& [column, words] : columns) energies.include(history.column(column));
    const Magnitude magnitude = si_prefix(energies, "J");
    Figure figure;
    figure.name = "energy";
    figure.caption =
        "Energy since the start: what came in and was done on the spheres, what left with them and "
        "what was lost.";
    figure.drawing.x = tight_axis("time {/:Italic t}" + time_unit, extent_from_zero(time), 6);
    Panel panel;
    panel.y = nice_axis("energy" + magnitude.words, scaled(energies, magnitude.factor), 5);
    panel.height = 180.0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        std::vector<double> values = history.column(columns[k].first);
        for (double& value : values) value *= magnitude.factor;
        panel.curves.push_back({columns[k].second, line_style(k), time, std::move(values)});
    }
    figure.drawing.panels = {std::move(panel)};
    return figure;
}

Figure along_the_channel(const Run& run) {
    const Numbers profile = read_numbers(run, "profile.csv");
    std::string unit;
    const auto x = with_prefix(profile.column("x_m"), "m", unit);
    Figure figure;
    figure.name = "profile";
    figure.caption =
        "Means over the cross section and the samples: speed, angular speed, and solid fraction "
        "of the space beside the obstacle.";
    figure.drawing.x = nice_axis("along the channel {/:Italic x}" + unit, extent_from_zero(x), 6);
    figure.drawing.panels = {
        panel_of(x, profile.column("speed_m_per_s"), "speed (m/s)", 0),
        panel_of(x, profile.column("angular_speed_rad_per_s"), "angular speed (rad/s)", 1),
        panel_of(x, profile.column("solid_fraction"), "solid fraction (−)", 2)};
    return figure;
}

/// The distance of neighbouring values in a column of a grid.
double cell_of(std::vector<double> centres) {
    std::sort(centres.begin(), centres.end());
    centres.erase(std::unique(centres.begin(), centres.end()), centres.end());
    double least = centres.size() < 2 ? 2.0 * centres.front() : core::infinity;
    for (std::size_t i = 1; i < centres.size(); ++i)
        least = std::min(least, centres[i] - centres[i - 1]);
    return least;
}

/// Seen from above.
Figure plan_view(const Run& run) {
    const Numbers cells = read_numbers(run, "cells.csv");
    std::string unit;
    const auto x = with_prefix(cells.column("x_m"), "m", unit);
    const double factor = x.front() / cells.column("x_m").front();
    auto y = cells.column("y_m");
    for (double& value : y) value *= factor;
    Figure figure;
    figure.name = "cells";
    figure.caption =
        "The channel from above: means over its height and the samples of the speed, the angular "
        "speed and the solid fraction. The spheres come in from the left.";
    const double width = cell_of(x), height = cell_of(y);
    const auto axis = [](const std::string& label, const std::vector<double>& centres,
                         double size) {
        Extent extent;
        extent.include(0.0);
        extent.include(*std::max_element(centres.begin(), centres.end()) + 0.5 * size);
        return tight_axis(label, extent, 5);
    };
    figure.drawing.x = axis("along the channel {/:Italic x}" + unit, x, width);
    const Axis across = axis("{/:Italic y}" + unit, y, height);
    figure.drawing.to_scale = true;
    for (const auto& [column, name] : {std::pair{"speed_m_per_s", "speed (m/s)"},
                                       {"angular_speed_rad_per_s", "angular speed (rad/s)"},
                                       {"solid_fraction", "solid fraction (−)"}}) {
        Panel panel;
        panel.y = across;
        panel.name = name;
        // Lengths look alike on both axes, as far as the page allows.
        panel.height = std::clamp(usual_panel_width * across.high / figure.drawing.x.high, 40.0,
                                  2.0 * usual_panel_width);
        const std::vector<double>& values = cells.column(column);
        const Extent extent = extent_from_zero(values);
        panel.tiles = {x, y, values, width, height, nice_axis("", extent, 5)};
        figure.drawing.panels.push_back(std::move(panel));
    }
    return figure;
}

bool has_numbers(const Run& run, const char* table, const char* column) {
    Extent extent;
    extent.include(read_numbers(run, table).column(column));
    return !extent.none();
}

}  // namespace

std::vector<Figure> box_settle_figures(const Run& run) {
    std::vector<Figure> figures{settling(run)};
    // A few spheres are too small a bed for any distance.
    if (has_numbers(run, "rdf.csv", "g")) {
        figures.push_back(distribution(
            run,
            "Radial distribution function of the centres in the bed at the end, over the distance "
            "in mean diameters; 1: as if placed at random. Each distance is counted about the "
            "spheres that are at least as far from the border of the bed."));
    }
    if (has_numbers(run, "profile.csv", "solid_fraction")) figures.push_back(packing(run));
    return figures;
}

ReportParts box_settle_report(const Run& run) {
    static constexpr std::array<Quantity, 11> quantities = {{
        {"spheres", "", "", "spheres"},
        {"time followed", "", "time_s", ""},
        {"contacts that press, per sphere", "", "", "contacts_per_sphere"},
        {"solid fraction, from a tenth to nine tenths of the bed", "", "", "solid_fraction"},
        {"height of the bed: twice that of the centre of mass", "", "bed_height_m", ""},
        {"deepest overlap of all steps", "", "deepest_overlap_m", "deepest_overlap_radii"},
        {"deepest overlap in the last step", "", "deepest_overlap_last_m", ""},
        {"largest speed since the last sample but one", "", "largest_speed_last_m_per_s", ""},
        {"sweeps in a step, mean", "", "", "sweeps_mean"},
        {"energy lost", "", "energy_lost_J", ""},
        {"work of error reduction", "", "work_of_error_reduction_J", ""},
    }};
    ReportParts parts;
    parts.results = quantity_table(run, quantities, "The motion gave no numbers.");
    return parts;
}

std::vector<Figure> channel_flow_figures(const Run& run) {
    std::vector<Figure> figures{filling(run), energy_balance(run)};
    if (has_numbers(run, "cells.csv", "x_m")) {
        figures.push_back(along_the_channel(run));
        figures.push_back(plan_view(run));
    }
    // No distance can be counted in a channel that is lower than two spheres.
    if (has_numbers(run, "rdf.csv", "g")) {
        figures.push_back(distribution(
            run,
            "Radial distribution function of the centres from 12/15 to 14/15 of the length, mean "
            "of the samples, over the distance in diameters; 1: as if placed at random. Each "
            "distance is counted about the spheres that are at least as far from the border of "
            "this region."));
    }
    return figures;
}

ReportParts channel_flow_report(const Run& run) {
    static constexpr std::array<Quantity, 17> quantities = {{
        {"time followed", "", "time_s", ""},
        {"spheres in the channel, mean", "", "", "spheres_mean"},
        {"drift of their number, second half of the samples over the first", "", "",
         "spheres_drift"},
        {"contacts that press, per sphere", "", "", "contacts_per_sphere"},
        {"coordination number: contacts of a sphere that press", "", "", "coordination_number"},
        {"overlaps, per sphere", "", "", "overlaps_per_sphere"},
        {"coordination number of overlaps", "", "", "coordination_number_of_overlaps"},
        {"solid fraction of the channel without the obstacle", "", "", "solid_fraction"},
        {"mean speed", "", "speed_mean_m_per_s", ""},
        {"highest mean speed of a cell", "", "speed_peak_m_per_s", ""},
        {"mean angular speed", "", "angular_speed_mean_rad_per_s", ""},
        {"deepest overlap of the steps after `statistics.from`", "", "deepest_overlap_m",
         "deepest_overlap_radii"},
        {"spheres that come in per second", "", "inflow_per_s", ""},
        {"spheres that leave per second", "", "outflow_per_s", ""},
        {"work of the pushing plane", "", "work_of_plane_J", ""},
        {"work of error reduction", "", "work_of_error_reduction_J", ""},
        {"energy lost", "", "energy_lost_J", ""},
    }};
    ReportParts parts;
    parts.results = quantity_table(run, quantities, "The motion gave no numbers.");
    return parts;
}

}  // namespace stoss::postproc
