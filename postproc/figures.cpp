#include <postproc/figures.hpp>

#include <filesystem>

#include <fmt/format.h>
#include <postproc/drawing.hpp>
#include <postproc/gnuplot.hpp>
#include <postproc/labels.hpp>
#include <postproc/presentation.hpp>
#include <postproc/run_data.hpp>
#include <postproc/svg.hpp>
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

Figures make_figures(const std::string& run_dir, bool with_pdf) {
    const Run run = read_run(run_dir);
    const std::vector<Plan> plans = presentation_of(run).figures(run);
    const Gnuplot gnuplot;
    make_folder(run.file("figures"));
    Figures figures;
    for (const Plan& plan : plans) {
        const GnuplotOutput output = gnuplot.plot(gnuplot_script(plan.drawing));
        const std::string file = "figures/" + plan.name + ".svg";
        io::write_text(run.file(file), tidy_svg(output.drawing, plan.name, spoken(plan.caption)));
        figures.files.push_back({file, plan.caption});
        if (with_pdf) {
            io::write_text(run.file("figures/" + plan.name + ".pdf"),
                           gnuplot.plot(gnuplot_script(plan.drawing, Format::pdf)).drawing);
        }
        if (!output.warnings.empty()) figures.warnings.push_back(file + ": " + output.warnings);
    }
    return figures;
}

}  // namespace stoss::postproc
