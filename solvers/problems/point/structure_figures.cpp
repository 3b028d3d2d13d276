#include <solvers/problems/point/structure_figures.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <postproc/report/report_parts.hpp>

namespace stoss::postproc {

namespace {

constexpr std::array<Quantity, 9> quantities{
    {{"parameter of the structure", "λ, η", "", "inelasticity_parameter"},
     {"coefficient of restitution", "e", "cor", ""},
     {"its estimated error", "", "cor_error", ""},
     {"duration of the contact force", "t", "duration_s", ""},
     {"largest force", "F_{max}", "peak_force_N", ""},
     {"largest overlap", "x_{max}", "peak_overlap_m", ""},
     {"least distance to an edge", "", "edge_distance_m", ""},
     {"length of the bending wave", "", "wavelength_m", ""},
     {"impacts", "", "impacts", ""}}};

/// The rows of one structure as a curve.
Curve curve_of(const io::Table& table, const std::string& target, const char* column) {
    const auto targets = table.texts("target");
    const auto x = table.numbers("inelasticity_parameter"), y = table.numbers(column);
    Curve curve;
    for (std::size_t row = 0; row < targets.size(); ++row) {
        if (targets[row] != target) continue;
        curve.x.push_back(x[row]);
        curve.y.push_back(y[row]);
    }
    return curve;
}

Panel chart_panel(const io::Table& chart, const io::Table& map, const char* column,
                  const std::string& label) {
    Panel panel;
    panel.height = 130.0;
    Extent extent;
    extent.include(0.0);
    extent.include(1.0);
    for (const char* const target : {"plate", "beam"}) {
        Curve curve = curve_of(chart, target, column);
        if (curve.x.empty()) continue;
        curve.style = line_style(panel.curves.size());
        curve.title = target == std::string("plate") ? "plate, {/:Italic λ}" : "beam, {/:Italic η}";
        extent.include(curve.y);
        Curve impacts = curve_of(map, target, column);
        impacts.title = "impacts of this run";
        impacts.style = {"#000000", "solid", 1.0};
        impacts.drawn = Drawn::points;
        impacts.symbol = open_circle;
        panel.curves.push_back(std::move(curve));
        if (!impacts.x.empty()) panel.curves.push_back(std::move(impacts));
    }
    panel.y = nice_axis(label, extent, 5);
    return panel;
}

}  // namespace

std::vector<Figure> structure_impact_figures(const Run& run) {
    const io::Table chart = read_table(run, "chart.csv"), map = read_table(run, "map.csv");
    Figure figure;
    figure.name = "chart";
    figure.caption =
        "Coefficient of restitution e, duration and peak force against the parameter of the "
        "structure. Duration and peak force are relative to those of the same impact on a rigid "
        "body. Circles: the impacts of this run.";
    Extent extent;
    extent.include(chart.numbers("inelasticity_parameter"));
    figure.drawing.x = tight_axis("{/:Italic λ} of a plate, {/:Italic η} of a beam", extent, 6);
    figure.drawing.panels = {
        chart_panel(chart, map, "cor", "restitution {/:Italic e}"),
        chart_panel(chart, map, "duration_ratio", "duration, rigid = 1"),
        chart_panel(chart, map, "peak_force_ratio", "peak force, rigid = 1"),
    };
    for (std::size_t i = 1; i < figure.drawing.panels.size(); ++i)
        for (Curve& curve : figure.drawing.panels[i].curves) curve.title.clear();
    return {figure};
}

ReportParts structure_impact_report(const Run& run) {
    ReportParts parts;
    parts.results = quantity_table(run, quantities, "");
    parts.sections.push_back({"Table", file_table(run, "map.csv")});
    return parts;
}

}  // namespace stoss::postproc
