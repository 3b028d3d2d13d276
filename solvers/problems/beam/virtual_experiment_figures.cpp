#include <solvers/problems/beam/virtual_experiment_figures.hpp>

#include <utility>

#include <postproc/experiment/experiment_figures.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>

namespace stoss::postproc {

std::vector<Figure> virtual_experiment_figures(const Run& run) {
    const Numbers truth = [&] {
        const io::Table table = read_table(run, "truth.csv");
        Numbers numbers{table.file, {"xi_struck", "cor_kinematic"}, {}};
        for (const std::string& name : numbers.names) {
            numbers.columns.push_back(table.numbers(name));
        }
        return numbers;
    }();
    Figure figure;
    figure.name = "truth";
    figure.caption =
        "Synthetic data: e_{N} of each simulated collision against the place that was struck. The "
        "traces contain it only with noise.";
    Panel panel;
    panel.height = 180.0;
    Curve curve{
        "synthetic data, truth", {"#000000", "solid", 1.0}, truth.columns[0], truth.columns[1]};
    curve.drawn = Drawn::points;
    curve.symbol = open_circle;
    Extent cor, place;
    cor.include(curve.y);
    place.include(curve.x);
    panel.curves.push_back(std::move(curve));
    panel.y = cor_axis(cor);
    figure.drawing.x = place_axis(Abscissa::xi, place);
    figure.drawing.panels.push_back(std::move(panel));
    return {figure};
}

ReportParts virtual_experiment_report(const Run& run) {
    ReportParts parts;
    parts.badges = synthetic_badge(true);
    parts.results = input_table(run, {"traces", "locations", "samples_per_trace", "resolution_rad",
                                      "cor_kinematic_min", "cor_kinematic_max", "seed"});
    parts.sections.push_back({"Truth", file_table(run, "truth.csv")});
    return parts;
}

}  // namespace stoss::postproc
