#include <postproc/report/figures.hpp>

#include <filesystem>

#include <fmt/format.h>
#include <postproc/report/drawing.hpp>
#include <postproc/report/gnuplot.hpp>
#include <postproc/report/labels.hpp>
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

}  // namespace

DrawnFigures make_figures(const Run& run, const Report& report, bool with_pdf) {
    const std::vector<Figure> figures = report.figures(run);
    const Gnuplot gnuplot;
    make_folder(run.file("figures"));
    DrawnFigures drawn;
    for (const Figure& figure : figures) {
        const GnuplotOutput output = gnuplot.plot(gnuplot_script(figure.drawing));
        const std::string file = "figures/" + figure.name + ".svg";
        io::write_text(run.file(file),
                       tidy_svg(output.drawing, figure.name, spoken(figure.caption)));
        drawn.files.push_back({file, figure.caption});
        if (with_pdf) {
            io::write_text(run.file("figures/" + figure.name + ".pdf"),
                           gnuplot.plot(gnuplot_script(figure.drawing, Format::pdf)).drawing);
        }
        if (!output.warnings.empty()) drawn.warnings.push_back(file + ": " + output.warnings);
    }
    return drawn;
}

}  // namespace stoss::postproc
