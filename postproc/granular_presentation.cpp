#include <postproc/granular_presentation.hpp>

#include <array>

#include <postproc/labels.hpp>
#include <postproc/report_parts.hpp>

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
    Extent extent;
    extent.include(0.0);
    extent.include(y);
    Panel panel;
    panel.y = nice_axis(label, extent, 4);
    panel.curves.push_back({"", line_style(style), x, y});
    return panel;
}

Plan settling(const Run& run) {
    const Numbers history = read_numbers(run, "history.csv");
    std::string time_unit, energy_unit, length_unit;
    const auto time = with_prefix(history.column("time_s"), "s", time_unit);
    std::vector<double> kinetic = history.column("energy_translation_J");
    for (std::size_t i = 0; i < kinetic.size(); ++i)
        kinetic[i] += history.column("energy_rotation_J")[i];
    kinetic = with_prefix(kinetic, "J", energy_unit);
    const auto overlap = with_prefix(history.column("deepest_overlap_m"), "m", length_unit);
    Plan plan;
    plan.name = "settling";
    plan.caption =
        "Kinetic energy of all spheres; contacts that press, per sphere; and the deepest overlap "
        "since the sample before.";
    Extent extent;
    extent.include(0.0);
    extent.include(time);
    plan.drawing.x = tight_axis("time {/:Italic t}" + time_unit, extent, 6);
    plan.drawing.panels = {
        panel_of(time, kinetic, "kinetic energy" + energy_unit, 0),
        panel_of(time, history.column("contacts_per_sphere"), "contacts a sphere", 1),
        panel_of(time, overlap, "overlap" + length_unit, 2)};
    return plan;
}

Plan distribution(const Run& run) {
    const Numbers rdf = read_numbers(run, "rdf.csv");
    const std::vector<double>& r = rdf.column("distance_diameters");
    Plan plan;
    plan.name = "rdf";
    plan.caption =
        "Radial distribution function of the centres in the bed at the end, over the distance in "
        "mean diameters; 1: as if placed at random. Each distance is counted about the spheres "
        "that "
        "are at least as far from the border of the bed.";
    Extent extent;
    extent.include(0.0);
    extent.include(r.back());
    plan.drawing.x = nice_axis("distance {/:Italic r/d} (−)", extent, 6);
    plan.drawing.panels.push_back(
        panel_of(r, rdf.column("g"), "{/:Italic g}({/:Italic r}) (−)", 0));
    plan.drawing.panels.back().height = 180.0;
    return plan;
}

Plan packing(const Run& run) {
    const Numbers profile = read_numbers(run, "profile.csv");
    std::string unit;
    const auto height = with_prefix(profile.column("height_m"), "m", unit);
    Plan plan;
    plan.name = "solid_fraction";
    plan.caption =
        "Solid fraction of horizontal slices of the box at the end. The floor orders the lowest "
        "layers.";
    Extent extent;
    extent.include(0.0);
    extent.include(height);
    plan.drawing.x = nice_axis("height {/:Italic z}" + unit, extent, 6);
    plan.drawing.panels.push_back(
        panel_of(height, profile.column("solid_fraction"), "solid fraction (−)", 0));
    plan.drawing.panels.back().height = 180.0;
    return plan;
}

bool has_numbers(const Run& run, const char* table, const char* column) {
    Extent extent;
    extent.include(read_numbers(run, table).column(column));
    return !extent.none();
}

}  // namespace

std::vector<Plan> box_settle_figures(const Run& run) {
    std::vector<Plan> plans{settling(run)};
    // A few spheres are too small a bed for any distance.
    if (has_numbers(run, "rdf.csv", "g")) plans.push_back(distribution(run));
    if (has_numbers(run, "profile.csv", "solid_fraction")) plans.push_back(packing(run));
    return plans;
}

ReportParts box_settle_report(const Run& run) {
    static constexpr std::array<Quantity, 11> quantities = {{
        {"spheres", "", "", "spheres"},
        {"time followed", "", "time_s", ""},
        {"contacts that press, per sphere", "", "", "contacts_per_sphere"},
        {"solid fraction, from a tenth to nine tenths of the bed", "", "", "solid_fraction"},
        {"height of the bed: twice that of the centre of mass", "", "bed_height_m", ""},
        {"deepest overlap of all steps", "", "deepest_overlap_m", ""},
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

}  // namespace stoss::postproc
