#include <postproc/experiment/conformance_figures.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/html.hpp>
#include <postproc/report/report_parts.hpp>

namespace stoss::postproc {

namespace {

constexpr double least_error = 1e-12;  // an error below is drawn there

/// The answers of one kind as points, a curve for each program.
class AnswerCurves {
  public:
    AnswerCurves(const Run& run, std::string parameters)
        : table_(read_table(run, "answers.csv")), parameters_(std::move(parameters)) {}

    /// `value(asked, given)` is drawn against e asked; rows with gravity or without.
    template <class Value>
    std::vector<Curve> curves(bool with_gravity, const Value& value) const {
        const auto programs = table_.texts("program"), parameters = table_.texts("parameters");
        const auto asked = table_.numbers("cor_asked"), given = table_.numbers("cor_given");
        const auto gravity = table_.numbers("gravity_m_per_s2");
        std::vector<Curve> curves;
        std::string last;
        for (std::size_t row = 0; row < table_.rows(); ++row) {
            if (programs[row] != last) {
                last = programs[row];
                const std::size_t index = curves.size();
                curves.push_back(
                    {plain(last), line_style(index), {}, {}, Drawn::points, index % 7});
            }
            if (parameters[row] != parameters_ || (gravity[row] > 0.0) != with_gravity) continue;
            curves.back().x.push_back(asked[row]);
            curves.back().y.push_back(value(asked[row], given[row]));
        }
        return curves;
    }

  private:
    io::Table table_;
    std::string parameters_;
};

std::vector<Curve> without_titles(std::vector<Curve> curves) {
    for (Curve& each : curves) each.title.clear();
    return curves;
}

Figure own_figure(const Run& run) {
    Figure figure;
    figure.name = "own";
    figure.caption =
        "Restitution given against restitution asked for, with the coefficient that each program "
        "takes: two speeds and two masses. Black: what was asked for.";
    figure.drawing.x = {"{/:Italic e} asked for", 0.0, 1.0, 0.2};
    const AnswerCurves answers(run, "own");
    for (const bool with_gravity : {false, true}) {
        Panel panel;
        panel.height = 180.0;
        panel.name = with_gravity ? "with gravity" : "without gravity";
        panel.curves = answers.curves(with_gravity, [](double, double given) { return given; });
        Extent given = extent_from_zero({1.0});
        for (const Curve& each : panel.curves) given.include(each.y);
        panel.y = nice_axis("{/:Italic e} given", given, 5);
        if (with_gravity) panel.curves = without_titles(std::move(panel.curves));
        panel.curves.push_back({"", {"#000000", "solid", 0.7}, {0.0, 1.0}, {0.0, 1.0}});
        figure.drawing.panels.push_back(std::move(panel));
    }
    return figure;
}

Figure error_figure(const Run& run) {
    Figure figure;
    figure.name = "calibrated";
    figure.caption = fmt::format(
        "Size of the error |e given - e asked| with calibrated "
        "parameters; below {:.0e} it is drawn at {:.0e}.",
        least_error, least_error);
    figure.drawing.x = {"{/:Italic e} asked for", 0.0, 1.0, 0.2};
    const AnswerCurves answers(run, "calibrated");
    Extent extent;
    extent.include(least_error);
    for (const bool with_gravity : {false, true}) {
        Panel panel;
        panel.height = 140.0;
        panel.name = with_gravity ? "with gravity" : "without gravity";
        panel.curves = answers.curves(with_gravity, [](double asked, double given) {
            return std::max(std::abs(given - asked), least_error);
        });
        for (const Curve& each : panel.curves) extent.include(each.y);
        if (with_gravity) panel.curves = without_titles(std::move(panel.curves));
        figure.drawing.panels.push_back(std::move(panel));
    }
    for (Panel& panel : figure.drawing.panels)
        panel.y = log_axis("|error of {/:Italic e}|", extent);
    return figure;
}

}  // namespace

std::vector<Figure> conformance_figures(const Run& run) {
    return {own_figure(run), error_figure(run)};
}

ReportParts conformance_report(const Run& run) {
    ReportParts parts;
    std::vector<HtmlRow> rows;
    for (const io::Value& each : items_at(run.summary, "programs")) {
        rows.push_back({html_value_at(each, "program"), html_value_at(each, "answers"),
                        html_value_at(each, "cor_error_max_own"),
                        html_value_at(each, "cor_error_max_calibrated")});
    }
    parts.results = html_table({"program", "answers", "largest error of e, own coefficient",
                                "largest error of e, calibrated parameters"},
                               rows, 1);
    parts.sections.push_back({"Answers", file_table(run, "answers.csv", 1000)});
    parts.what_was_run = file_table(run, "questions.csv", 1000);
    return parts;
}

}  // namespace stoss::postproc
