#include <postproc/report/figures.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/drawing.hpp>
#include <postproc/report/figure_data.hpp>
#include <postproc/report/gnuplot.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/page_files.hpp>
#include <postproc/report/report_parts.hpp>
#include <postproc/report/svg.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/file.hpp>

namespace stoss::postproc {

namespace {

namespace fs = std::filesystem;

void make_folder(const std::string& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw core::FileError(fmt::format("cannot create {}: {}", folder, error.message()));
    }
}

/// The drawing as SVG with identifiers that begin with `prefix`; what gnuplot complains of goes to
/// `warnings`.
std::string svg_of(const Gnuplot& gnuplot, const Drawing& drawing, const std::string& prefix,
                   const Figure& figure, std::vector<std::string>& warnings) {
    const GnuplotOutput output = gnuplot.plot(gnuplot_script(drawing));
    if (!output.warnings.empty()) warnings.push_back(prefix + ": " + output.warnings);
    std::string name = figure.name;
    std::ranges::replace(name, '_', ' ');
    return tidy_svg(output.drawing, prefix, name, spoken(figure.caption));
}

/// One figure: its files, and what the report shows of it.
DrawnFigure drawn_figure(const Run& run, const Gnuplot& gnuplot, const Figure& figure,
                         const FigureOptions& options, std::vector<std::string>& warnings) {
    const std::string path = "figures/" + figure.name;
    const Drawing& narrow = figure.drawing;
    const Drawing drawing = widened(narrow, options.width);
    io::write_text(run.file(path + ".svg"),
                   svg_of(gnuplot, drawing, figure.name, figure, warnings));
    const auto also = [&](Format format, const char* suffix) {
        io::write_text(run.file(path + suffix),
                       gnuplot.plot(gnuplot_script(drawing, format)).drawing);
    };
    if (options.pdf) also(Format::pdf, ".pdf");
    if (options.png) also(Format::png, ".png");

    DrawnFigure drawn{path + ".svg", figure.caption, "", "",
                      figure_data(figure.name, figure.caption, narrow)};
    io::Value places = io::Value::object().set("narrow", panel_places(narrow));
    drawn.narrow = options.width == narrow.width
                       ? io::read_text(run.file(path + ".svg"))
                       : svg_of(gnuplot, narrow, figure.name, figure, warnings);
    if (!narrow.to_scale) {
        const Drawing wide = widened(narrow);
        drawn.wide = svg_of(gnuplot, wide, "wide_" + figure.name, figure, warnings);
        places.set("wide", panel_places(wide));
    }
    drawn.data.set("places", std::move(places));
    if (!figure.histories.empty()) drawn.data.set("histories", histories_data(figure.histories));
    return drawn;
}

}  // namespace

DrawnFigures make_figures(const Run& run, const Report& report, const FigureOptions& options) {
    const std::vector<Figure> figures = report.figures(run);
    const Gnuplot gnuplot;
    make_folder(run.file("figures"));
    DrawnFigures drawn;
    io::Value::Array data;
    for (const Figure& figure : figures) {
        drawn.files.push_back(drawn_figure(run, gnuplot, figure, options, drawn.warnings));
        data.push_back(drawn.files.back().data);
    }
    io::write_text(run.file("figures/figures.json"), figures_json(std::move(data)));
    io::write_text(run.file("figures/plot.py"), std::string(page_files::plot));
    return drawn;
}

std::vector<std::string> files_of_figures(const std::string& run_dir) {
    const std::string list = run_dir + "/figures/figures.json";
    std::vector<std::string> files;
    if (!fs::exists(list)) return files;
    try {
        const io::Value drawn = io::parse_json(io::read_text(list), list);
        for (const io::Value& figure : items_at(drawn, "figures")) {
            const std::string name = text_at(figure, "name");
            if (name.find('/') != name.npos) continue;  // not one of ours
            for (const char* suffix : {".svg", ".pdf", ".png"}) {
                std::string file = fmt::format("figures/{}{}", name, suffix);
                if (fs::exists(fmt::format("{}/{}", run_dir, file)))
                    files.push_back(std::move(file));
            }
        }
    } catch (const core::InputError&) {  // damaged: nothing is known of its figures
    }
    return files;
}

}  // namespace stoss::postproc
