#include <solvers/problems/beam/beam_fit_figures.hpp>

#include <utility>

#include <postproc/experiment/experiment_figures.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>

namespace stoss::postproc {

namespace {

Panel fit_panel(const Experiment& experiment, const Numbers& curve) {
    const LineStyle bound{"#56B4E9", "solid", 0.9};
    const std::vector<double>& xi = curve.column("xi");
    Panel panel;
    panel.height = 180.0;
    panel.curves = {{"95 % confidence", bound, xi, curve.column("cor_low_95")},
                    {"", bound, xi, curve.column("cor_high_95")},
                    {"fitted", {"#0072B2", "solid", 1.2}, xi, curve.column("cor_kinematic")},
                    measured_curve(experiment)};
    Extent extent;
    for (const Curve& each : panel.curves) extent.include(each.y);
    include_bars(extent, experiment);
    panel.y = cor_axis(extent);
    return panel;
}

}  // namespace

std::vector<Figure> beam_fit_figures(const Run& run) {
    Experiment experiment = read_experiment(run.required_file("experiment.csv"), false);
    const Numbers points = read_numbers(run, "points.csv"), curve = read_numbers(run, "curve.csv");
    experiment.abscissa = Abscissa::xi;
    for (std::size_t i = 0; i < experiment.points.size(); ++i) {
        experiment.points[i].place = points.column("xi")[i];
    }
    Figure figure;
    figure.name = "fit";
    figure.caption =
        measured_caption(experiment) +
        " Line: computed with the fitted keys, with the 95 % confidence band that their "
        "covariance makes. Below: fitted less measured.";
    Extent place;
    place.include(points.column("xi"));
    figure.drawing.x = place_axis(Abscissa::xi, place);
    Panel below;
    below.height = 80.0;
    below.curves.push_back({"",
                            {"#000000", "solid", 0.8},
                            points.column("xi"),
                            points.column("difference"),
                            Drawn::points,
                            open_circle});
    below.y = nice_axis("difference", extent_from_zero(points.column("difference")), 4);
    figure.drawing.panels = {fit_panel(experiment, curve), std::move(below)};
    return {figure};
}

ReportParts beam_fit_report(const Run& run) {
    ReportParts parts;
    parts.badges = synthetic_badge(is_synthetic(run));
    parts.results = file_table(run, "parameters.csv");
    parts.sections.push_back({"Where the searches ended", file_table(run, "starts.csv")});
    parts.sections.push_back({"Points", file_table(run, "points.csv", 200)});
    return parts;
}

}  // namespace stoss::postproc
