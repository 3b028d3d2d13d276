#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <postproc/report/beam_map.hpp>
#include <postproc/report/drawing.hpp>
#include <postproc/report/figure_data.hpp>
#include <postproc/report/figures.hpp>
#include <postproc/report/gnuplot.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/layout.hpp>
#include <postproc/report/level_lines.hpp>
#include <postproc/report/svg.hpp>
#include <sample_run.hpp>
#include <solvers/problems/beam/beam_figures.hpp>
#include <solvers/problems/beam/beam_fit_figures.hpp>
#include <solvers/problems/beam/gradient_figures.hpp>
#include <solvers/problems/motion/motion_figures.hpp>
#include <solvers/problems/point/impact_figures.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>

namespace stoss::postproc {
namespace {

using tests::CollisionSample;
using tests::MapSample;
using tests::SampleRun;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) {
        ++count;
    }
    return count;
}

DrawnFigures make_figures(const std::string& run_dir, const FigureOptions& options = {}) {
    const Run run = read_run(run_dir);
    return make_figures(run, solvers::report_of(run), options);
}

/// Draws and holds every figure to what is true of all of them.
DrawnFigures drawn(const SampleRun& run) {
    DrawnFigures figures = make_figures(run.path());
    EXPECT_TRUE(figures.warnings.empty()) << figures.warnings.front();
    for (const DrawnFigure& figure : figures.files) {
        const std::string svg = run.read(figure.file);
        EXPECT_EQ(tests::xml_fault(svg), "") << figure.file;
        EXPECT_FALSE(contains(svg, "GNUPLOT")) << figure.file;
        EXPECT_FALSE(contains(svg, "gnuplot")) << figure.file;
        EXPECT_FALSE(contains(svg, "nan")) << figure.file;
        EXPECT_FALSE(figure.caption.empty());
    }
    return figures;
}

std::string message_of(const SampleRun& run) {
    try {
        make_figures(run.path());
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

TEST(Figures, StandAsPdfBesideTheSvgIfAskedFor) {
    const SampleRun run;
    MapSample{}.write(run);
    for (const DrawnFigure& figure : make_figures(run.path(), {.pdf = true}).files) {
        const std::string name = figure.file.substr(0, figure.file.size() - 4) + ".pdf";
        const std::string pdf = run.read(name);
        EXPECT_TRUE(pdf.starts_with("%PDF-")) << name;
        EXPECT_TRUE(contains(pdf, "%%EOF")) << name;
        // 340 px of 1/96 inch are 255 pt
        EXPECT_TRUE(contains(pdf, "/MediaBox [ 0 0 255")) << name;
    }
}

TEST(Figures, AreAsWideAsAskedForAndStandAsPng) {
    const SampleRun run;
    MapSample{}.write(run);
    for (const DrawnFigure& figure :
         make_figures(run.path(), {.pdf = true, .png = true, .width = 672.0}).files) {
        const std::string stem = figure.file.substr(0, figure.file.size() - 4);
        EXPECT_TRUE(contains(run.read(figure.file), "viewBox=\"0 0 672 ")) << stem;
        EXPECT_TRUE(contains(run.read(stem + ".pdf"), "/MediaBox [ 0 0 504")) << stem;
        const std::string png = run.read(stem + ".png");
        ASSERT_TRUE(png.starts_with("\x89PNG")) << stem;
        // The width follows the signature and the head of the first chunk: 672 px of 1/96
        // inch at 300 dots an inch.
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(png[at]); };
        EXPECT_EQ(256 * byte(18) + byte(19), 2100) << stem;
    }
}

TEST(Figures, HaveTheirNumbersAndAScriptBesideThem) {
    const SampleRun run;
    MapSample sample;
    sample.failed = {3};
    sample.write(run);
    make_figures(run.path());
    EXPECT_TRUE(run.read("figures/plot.py").starts_with("#!/usr/bin/env python3"));
    const io::Value all = io::parse_json(run.read("figures/figures.json"), "figures.json");
    const io::Value& figure = all.find("figures")->items()->front();
    EXPECT_EQ(*figure.find("name")->text(), "cor");
    const io::Value& panel = figure.find("panels")->items()->front();
    EXPECT_EQ(*panel.find("x")->find("label")->text(), "contact location x_c (mm)");
    const io::Value& curve = panel.find("curves")->items()->front();
    const auto index = static_cast<std::size_t>(*curve.find("y")->number());
    const io::Value::Array& y = *(*figure.find("columns")->items())[index].items();
    const std::vector<double> cor =
        read_map(read_run(run.path())).series[0].numbers.column("cor_kinematic");
    ASSERT_EQ(y.size(), cor.size());
    EXPECT_NEAR(*y[0].number(), cor[0], 1e-6 * std::abs(cor[0]));
    EXPECT_TRUE(y[3].is_null());
}

TEST(FigureData, LongLinesAreThinnedAndKeepTheirGaps) {
    Drawing drawing{{"time", 0.0, 1.0, 0.2}, {}, {Panel{}}};
    Curve straight{"", line_style(0), {}, {}};
    for (int i = 0; i <= 5000; ++i) {
        straight.x.push_back(i / 5000.0);
        straight.y.push_back(i == 2500 ? tests::nan : i / 5000.0);
    }
    drawing.panels[0].curves.push_back(straight);
    const io::Value data = figure_data("line", "A line.", drawing);
    const io::Value::Array& x = *data.find("columns")->items()->front().items();
    EXPECT_EQ(x.size(), 5U);  // two ends of each half, and the gap between them
}

TEST(FigureData, NearlyEqualNumbersStayApart) {
    Extent extent;
    extent.include(0.5);
    extent.include(0.5000004);
    Drawing drawing{tight_axis("place", extent, 6), {}, {Panel{}}};
    drawing.panels[0].curves.push_back({"", line_style(0), {0.5, 0.5000001, 0.5000004}, {0, 1, 0}});
    const io::Value data = figure_data("line", "A line.", drawing);
    const io::Value::Array& x = *data.find("columns")->items()->front().items();
    EXPECT_DOUBLE_EQ(*x[1].number(), 0.5000001);
    const io::Value& axis = *data.find("panels")->items()->front().find("x");
    EXPECT_DOUBLE_EQ(*axis.find("high")->number(), 0.5000004);
}

TEST(FigureData, AThinnedLineThatIsNotInTheLegendStaysOutOfIt) {
    Drawing drawing{{"time", 0.0, 1.0, 0.2}, {}, {Panel{}}};
    Curve straight{"of many", line_style(0), {}, {}};
    for (int i = 0; i <= 5000; ++i) {
        straight.x.push_back(i / 5000.0);
        straight.y.push_back(i / 5000.0);
    }
    straight.in_legend = false;
    drawing.panels[0].curves.push_back(straight);
    const io::Value data = figure_data("line", "A line.", drawing);
    const io::Value& panel = data.find("panels")->items()->front();
    EXPECT_FALSE(panel.find("curves")->items()->front().find("in_legend")->flag().value());
}

TEST(Widened, StretchesPanelsByTheRootUnlessTheyAreToScale) {
    Drawing drawing{{"time", 0.0, 1.0, 0.2}, {}, {Panel{}}};
    drawing.panels[0].height = 100.0;
    const double width = figure_width + 3.0 * usual_panel_width;  // panels four times as wide
    EXPECT_DOUBLE_EQ(widened(drawing, width).panels[0].height, 200.0);
    drawing.to_scale = true;
    EXPECT_DOUBLE_EQ(widened(drawing, width).panels[0].height, 400.0);
}

TEST(ScaleColor, GoesFromDarkToLight) {
    EXPECT_EQ(scale_color(0.0), "#440154");
    EXPECT_EQ(scale_color(1.0), "#FDE725");
    EXPECT_EQ(scale_color(0.4), "#2A788E");
    EXPECT_EQ(scale_color(7.0), "#FDE725");
}

TEST(XmlFault, FindsWhatIsNotWellFormed) {
    EXPECT_EQ(tests::xml_fault("<?xml version=\"1.0\"?><a x=\"1\"><b/>t &amp; t</a>"), "");
    EXPECT_NE(tests::xml_fault("<a><b></a></b>"), "");
    EXPECT_NE(tests::xml_fault("<a>"), "");
    EXPECT_NE(tests::xml_fault("<a>1 & 2</a>"), "");
    EXPECT_NE(tests::xml_fault("<a>1 < 2</a>"), "");
}

TEST(MapFigures, AreThreeWithTheirAxes) {
    const SampleRun run;
    MapSample{}.write(run);
    const DrawnFigures figures = drawn(run);
    ASSERT_EQ(figures.files.size(), 3U);
    EXPECT_TRUE(contains(run.read("figures/cor.svg"), "coefficient of restitution"));
    EXPECT_TRUE(contains(run.read("figures/cor.svg"), "contact location"));
    EXPECT_TRUE(contains(run.read("figures/energy.svg"), "energy fraction"));
    EXPECT_TRUE(contains(run.read("figures/energy.svg"), "mode 4"));
    EXPECT_TRUE(contains(run.read("figures/impulse_duration.svg"), "impulse"));
    EXPECT_TRUE(contains(run.read("figures/impulse_duration.svg"), "duration"));
    EXPECT_TRUE(contains(run.read("figures/impulse_duration.svg"), "sub-impacts"));
}

TEST(MapFigures, AreInUnitsOrScaledAsAskedFor) {
    const SampleRun run;
    MapSample{}.write(run);
    drawn(run);
    EXPECT_TRUE(contains(run.read("figures/cor.svg"), " (mm)"));
    EXPECT_TRUE(contains(run.read("figures/cor.svg"), ">500<"));  // the beam has 508 mm
    EXPECT_TRUE(contains(run.read("figures/impulse_duration.svg"), "N s)"));
    run.write("case.yaml", "problem: beam_impact_map\nplot: {axes: scaled}\n");
    drawn(run);
    EXPECT_FALSE(contains(run.read("figures/cor.svg"), " (mm)"));
    EXPECT_FALSE(contains(run.read("figures/impulse_duration.svg"), "N s)"));
}

TEST(MapFigures, BeamsOfSeveralLengthsKeepScaledPlaces) {
    Map map;
    map.sweep = "beam.length_m";
    for (const double length : {0.3, 0.6}) {
        map.series.push_back(
            {"", {"map.csv", {"xi", "x_m"}, {{0.5, 1.0}, {0.5 * length, length}}}, {}});
    }
    EXPECT_EQ(over_lengths(map).abscissa, "xi");
    map.series.pop_back();
    const Map one = over_lengths(map);
    EXPECT_EQ(one.abscissa, "x");
    EXPECT_EQ(one.unit, "mm");
    EXPECT_NEAR(one.length, 300.0, 1e-9);
    EXPECT_NEAR(one.series[0].numbers.column("x")[0], 150.0, 1e-9);
}

TEST(MapFigures, LossesAreDrawnOnlyWhereThereAreAny) {
    const SampleRun run;
    MapSample{}.write(run);
    drawn(run);
    EXPECT_FALSE(contains(run.read("figures/energy.svg"), ">damping loss<"));
    MapSample lossy;
    lossy.constant = 0.1;
    lossy.write(run);
    drawn(run);
    EXPECT_TRUE(contains(run.read("figures/energy.svg"), ">damping loss<"));
    EXPECT_TRUE(contains(run.read("figures/energy.svg"), ">contact loss<"));
}

TEST(MapFigures, KineticCoefficientIsDrawnWhereItDiffers) {
    const SampleRun run;
    MapSample{}.write(run);
    EXPECT_TRUE(contains(drawn(run).files[0].caption, "agrees with"));
    EXPECT_FALSE(contains(run.read("figures/cor.svg"), ">P</tspan>"));
    MapSample sample;
    sample.kinetic_shift = 0.05;
    sample.write(run);
    EXPECT_TRUE(contains(drawn(run).files[0].caption, "differs from e_{N} by up to 0.05"));
    EXPECT_TRUE(contains(run.read("figures/cor.svg"), ">P</tspan>"));
}

TEST(MapFigures, EverySweptValueHasItsCurveAndLegend) {
    const SampleRun run;
    MapSample sample;
    sample.sweep = "motion.angular_velocity_rad_per_s";
    sample.swept = {"-4", "-6", "-8"};
    sample.write(run);
    drawn(run);
    const std::string svg = run.read("figures/cor.svg");
    EXPECT_TRUE(contains(svg, "angular velocity (rad/s):"));
    for (const char* label : {">−4<", ">−6<", ">−8<"}) EXPECT_TRUE(contains(svg, label)) << label;
    EXPECT_EQ(occurrences(svg, "id=\"cor_plot_"), 3U);
}

/// The legend of the first figure of a map whose sweep is written with these values.
std::string legend_of_sweep(const std::vector<std::string>& written) {
    const SampleRun run;
    MapSample sample;
    sample.sweep = "beam.masses[0].mass_kg";
    sample.swept = {"0", "0.05"};
    sample.write(run);
    io::Value curves = io::Value::array();
    for (const std::string& value : written)
        curves.append(io::Value::object().set("beam.masses[0].mass", value));
    io::Value summary = io::parse_json(run.read("summary.json"), "summary.json");
    run.write("summary.json", io::to_json(summary.set("curves", std::move(curves))));
    const Map map = read_map(read_run(run.path()));
    return fmt::format("{}: {}, {}", map.sweep_words, map.series[0].words, map.series[1].words);
}

TEST(MapFigures, SweepIsShownInTheUnitThatTheCaseWrites) {
    EXPECT_EQ(legend_of_sweep({"0 g", "50 g"}), "beam.masses[0].mass (g): 0, 50");
    EXPECT_EQ(legend_of_sweep({"0 kg", "50 g"}), "beam.masses[0].mass: 0 kg, 50 g");
    EXPECT_EQ(legend_of_sweep({"0", "0.05"}), "beam.masses[0].mass (kg): 0, 0.05");
    EXPECT_EQ(legend_of_sweep({}), "beam.masses[0].mass (kg): 0, 0.05");
}

TEST(MapFigures, SweptStringsStandAsTheyAre) {
    const SampleRun run;
    MapSample sample;
    sample.sweep = "integration.force";
    sample.swept = {"lagged_1", "a{b}^c~d @e 'q' \"d\" `f` $g \\n <h> & i"};
    sample.write(run);
    drawn(run);
    const std::string svg = run.read("figures/cor.svg");
    EXPECT_TRUE(contains(svg, "lagged_1"));
    EXPECT_TRUE(contains(svg, "a{b}^c~d @e 'q' \"d\" `f` $g \\n &lt;h> &amp; i"));
}

TEST(MapFigures, ManySweptValuesAreColouredAndHaveSomeEnergyPanels) {
    const SampleRun run;
    MapSample sample;
    sample.sweep = "motion.speed_m_per_s";
    for (int i = 1; i <= 15; ++i) sample.swept.push_back(std::to_string(i));
    sample.write(run);
    const DrawnFigures figures = drawn(run);
    const std::string cor = run.read("figures/cor.svg");
    EXPECT_TRUE(contains(cor, ">15<"));  // the upper end of the scale, with no legend below it
    EXPECT_FALSE(contains(cor, ">14<"));
    EXPECT_TRUE(contains(cor, "stroke='rgb( 68,   1,  84)'"));
    EXPECT_EQ(occurrences(run.read("figures/energy.svg"), "energy fraction"), 4U);
    EXPECT_TRUE(contains(figures.files[2].caption, "4 of the 15 swept values"));
}

TEST(MapFigures, ScaleOfColoursInTheNumbersRisesWithTheSweptValue) {
    const SampleRun run;
    MapSample sample;
    sample.sweep = "motion.speed_m_per_s";
    for (int i = 15; i >= 1; --i) sample.swept.push_back(std::to_string(i));
    sample.write(run);
    make_figures(run.path());
    const io::Value all = io::parse_json(run.read("figures/figures.json"), "figures.json");
    const io::Value& panel = all.find("figures")->items()->front().find("panels")->items()->front();
    const io::Value::Array& colors = *panel.find("curve_scale")->find("colors")->items();
    const io::Value::Array& curves = *panel.find("curves")->items();
    EXPECT_EQ(*curves.front().find("title")->text(), "15");
    EXPECT_EQ(*curves.front().find("color")->text(), *colors.back().text());
    EXPECT_EQ(*curves[14].find("title")->text(), "1");
    EXPECT_EQ(*curves[14].find("color")->text(), *colors.front().text());
}

/// The caption of a map of which further modes change e by 0.01 at so many places of each curve.
std::string caption_of_truncation(std::size_t open, const std::vector<std::string>& swept = {}) {
    const SampleRun run;
    MapSample sample;
    sample.swept = swept;
    if (!swept.empty()) sample.sweep = "striker.mass_kg";
    sample.write(run);
    io::Table table = sample.table();
    std::vector<double> change(table.rows(), 1e-6);
    for (std::size_t row = 0; row < change.size(); ++row) {
        if (row % sample.locations < open) change[row] = 0.01;
    }
    table.columns.insert(table.columns.begin() + 1, {"cor_truncation", change});
    run.write("map.csv", io::to_csv(table));
    io::Value summary = io::parse_json(run.read("summary.json"), "summary.json");
    run.write("summary.json", io::to_json(summary.set("cor_tolerance", 1e-4)));
    return drawn(run).files.front().caption;
}

TEST(MapFigures, OnePlaceAndSeveralThatAreNotPredictableAreTold) {
    EXPECT_TRUE(contains(caption_of_truncation(1), "At one place, with a cross, that is more"));
    EXPECT_TRUE(contains(caption_of_truncation(3), "At 3 places, with crosses, that is more"));
    EXPECT_FALSE(contains(caption_of_truncation(0), "predictable"));
}

TEST(MapFigures, APlaceThatIsNotPredictableOnTwoCurvesIsOnePlace) {
    EXPECT_TRUE(contains(caption_of_truncation(1, {"1", "2"}), "At one place, with a cross, that"));
    EXPECT_TRUE(contains(caption_of_truncation(2, {"1", "2"}), "At 2 places, with crosses, that"));
}

TEST(MapFigures, ScaleOfColoursIsInAUnitWithAPrefix) {
    const SampleRun run;
    MapSample sample;
    sample.sweep = "beam.material.youngs_modulus_Pa";
    for (int i = 0; i < 15; ++i) sample.swept.push_back(std::to_string(200 + i) + "e9");
    sample.write(run);
    const Figure figure = beam_impact_map_figures(read_run(run.path())).front();
    const Panel& panel = figure.drawing.panels.front();
    EXPECT_EQ(panel.name, "youngs modulus (GPa)");
    EXPECT_NEAR(panel.curve_scale->low, 200.0, 1e-9);
    EXPECT_NEAR(panel.curve_scale->high, 214.0, 1e-9);
}

/// The figure of e of a beam at one place, over a swept key.
Figure figure_over_sweep(const std::string& key, const std::vector<std::string>& values) {
    const SampleRun run;
    MapSample sample;
    sample.locations = 1;
    sample.sweep = key;
    sample.swept = values;
    sample.write(run);
    return beam_impact_map_figures(read_run(run.path())).front();
}

TEST(MapFigures, AxisOfASweptKeyIsLogarithmicIfItsValuesAre) {
    const Axis decades = figure_over_sweep("striker.mass_kg", {"0.01", "0.1", "1"}).drawing.x;
    EXPECT_TRUE(decades.logarithmic);
    EXPECT_NEAR(decades.high, 1.0, 1e-12);
    EXPECT_FALSE(figure_over_sweep("striker.mass_kg", {"0.1", "0.2", "0.3"}).drawing.x.logarithmic);
}

TEST(MapFigures, SweptAnglesAreInDegrees) {
    const Figure over = figure_over_sweep("motion.inclination_rad", {"0", "0.5", "1"});
    EXPECT_EQ(over.drawing.x.label, "inclination (deg)");
    EXPECT_NEAR(over.drawing.panels.front().curves.front().x.back(), 57.2957795, 1e-6);
    EXPECT_TRUE(contains(over.caption, "against inclination (deg)")) << over.caption;
    const SampleRun run;
    MapSample sample;
    sample.sweep = "motion.inclination_rad";
    for (int i = 1; i <= 15; ++i) sample.swept.push_back(fmt::format("{:.1f}", 0.1 * i));
    sample.write(run);
    const Panel scale =
        beam_impact_map_figures(read_run(run.path())).front().drawing.panels.front();
    EXPECT_EQ(scale.name, "inclination (deg)");
    EXPECT_NEAR(scale.curve_scale->high, 85.9436693, 1e-6);
}

TEST(MapFigures, FailedLocationsLeaveGapsAndAreCounted) {
    const SampleRun run;
    MapSample sample;
    sample.failed = {10, 11, 30};
    sample.write(run);
    EXPECT_TRUE(contains(drawn(run).files[0].caption, "3 of 50 collisions"));
}

TEST(MapFigures, PointBetweenTwoGapsIsMarked) {
    const SampleRun run;
    MapSample sample;
    sample.write(run);
    drawn(run);
    EXPECT_FALSE(contains(run.read("figures/cor.svg"), "<use"));
    sample.failed = {10, 12};
    sample.write(run);
    drawn(run);
    EXPECT_EQ(occurrences(run.read("figures/cor.svg"), "<use"), 1U);
}

TEST(MapFigures, OneLocationIsOnePoint) {
    const SampleRun run;
    MapSample sample;
    sample.locations = 1;
    sample.write(run);
    drawn(run);
    EXPECT_EQ(occurrences(run.read("figures/cor.svg"), "<use"), 1U);
}

TEST(MapFigures, ConstantAndTinyAndHugeNumbersAreDrawn) {
    const SampleRun run;
    MapSample sample;
    for (const double constant : {0.0, 0.5, -3.0, 1e-12, 1e12, 1e-300, 1e300}) {
        sample.constant = constant;
        sample.write(run);
        drawn(run);
    }
}

TEST(MapFigures, MapWithoutAnyResultIsDrawnEmpty) {
    const SampleRun run;
    MapSample sample;
    sample.locations = 5;
    sample.failed = {0, 1, 2, 3, 4};
    sample.write(run);
    EXPECT_TRUE(contains(drawn(run).files[0].caption, "5 of 5 collisions"));
}

TEST(MapFigures, FiveThousandLocationsStaySmall) {
    const SampleRun run;
    MapSample sample;
    sample.locations = 5000;
    sample.write(run);
    const DrawnFigures figures = drawn(run);
    ASSERT_FALSE(figures.files.empty());
    for (const DrawnFigure& figure : figures.files) {
        EXPECT_LT(std::filesystem::file_size(run.file(figure.file)), 60'000U) << figure.file;
    }
}

TEST(MapFigures, SameRunGivesTheSameBytes) {
    const SampleRun run;
    MapSample{}.write(run);
    drawn(run);
    const std::string first = run.read("figures/energy.svg");
    drawn(run);
    EXPECT_EQ(run.read("figures/energy.svg"), first);
}

TEST(CollisionFigure, ShowsFourPanelsAndNumbersTheSubImpacts) {
    const SampleRun run;
    CollisionSample{}.write(run);
    const DrawnFigures figures = drawn(run);
    ASSERT_EQ(figures.files.size(), 1U);
    const std::string svg = run.read("figures/collision.svg");
    for (const char* label : {"gap ", " (µm)", ">rel<", "force ", " (kN)", "energy fraction",
                              ">(1)<", ">(2)<", ">(3)<", "time ", " (ms)", ">rigid<"}) {
        EXPECT_TRUE(contains(svg, label)) << label;
    }
    EXPECT_FALSE(contains(svg, ">(4)<"));
}

TEST(CollisionFigure, IsInUnitsOrScaledAsAskedFor) {
    const SampleRun run;
    CollisionSample{}.write(run);
    const auto axis = [&] {
        make_figures(run.path());
        const io::Value all = io::parse_json(run.read("figures/figures.json"), "figures.json");
        const io::Value& panel =
            all.find("figures")->items()->front().find("panels")->items()->front();
        return *panel.find("x")->find("label")->text();
    };
    EXPECT_EQ(axis(), "time t (ms)");
    run.write("case.yaml", "problem: beam_impact\nplot: {axes: scaled}\n");
    EXPECT_EQ(axis(), "time τ = t/T");
}

TEST(CollisionFigure, OneSubImpactOrVeryManyAreDrawn) {
    const SampleRun run;
    for (const std::size_t sub_impacts : {1U, 80U}) {
        CollisionSample sample;
        sample.sub_impacts = sub_impacts;
        sample.write(run);
        drawn(run);
        EXPECT_TRUE(contains(run.read("figures/collision.svg"), ">(1)<"));
        EXPECT_LE(occurrences(run.read("figures/collision.svg"), ">("), 21U);
    }
}

TEST(CollisionFigure, NumbersAreBesideTheirSubImpactsOrLeftOut) {
    for (const std::size_t count : {3U, 8U, 12U, 30U}) {
        const SampleRun run;
        CollisionSample sample;
        sample.sub_impacts = count;
        sample.write(run);
        const Drawing drawing = beam_impact_figures(read_run(run.path())).front().drawing;
        const Panel& force = drawing.panels[2];
        const double letter = 0.058 * (drawing.x.high - drawing.x.low);
        ASSERT_FALSE(force.notes.empty());
        for (std::size_t i = 0; i < force.notes.size(); ++i) {
            const Note& note = force.notes[i];
            const Band& band = force.bands[std::stoul(note.text.substr(1)) - 1];
            EXPECT_LE(std::abs(note.x - 0.5 * (band.low + band.high)), 0.61 * letter)
                << count << note.text;
            if (i == 0) continue;
            EXPECT_GE(note.x - force.notes[i - 1].x, 0.99 * letter) << count;
        }
    }
}

TEST(CollisionFigure, LongHistoryStaysSmall) {
    const SampleRun run;
    CollisionSample sample;
    sample.samples = 16000;
    sample.write(run);
    drawn(run);
    EXPECT_LT(std::filesystem::file_size(run.file("figures/collision.svg")), 80'000U);
}

TEST(CollisionFigure, FlightLongAfterTheLastSeparationIsNotDrawn) {
    const SampleRun run;
    CollisionSample{}.write(run);
    drawn(run);
    const std::string before = run.read("figures/collision.svg");
    std::string later = "0.1,6.0,-3.0";
    for (int column = 3; column < 19; ++column) later += ",0.0";
    run.write("history.csv", run.read("history.csv") + later + "\n");
    drawn(run);
    EXPECT_EQ(run.read("figures/collision.svg"), before);
}

TEST(CollisionFigure, HistoryOfOneSampleIsDrawn) {
    const SampleRun run;
    CollisionSample sample;
    sample.samples = 1;
    sample.write(run);
    drawn(run);
}

/// The figure of the derivatives, by one key, of a map with these rows.
Figure figure_of_gradient(const SampleRun& run, const std::string& map_rows,
                          const std::string& gradient_rows) {
    run.write("summary.json", R"({"problem": "beam_impact_map", "title": "a map"})");
    run.write("map.csv", "xi,status,striker.mass_kg\n" + map_rows);
    run.write("gradient.csv", "key,xi,value,d_cor_kinematic,log_cor_kinematic\n" + gradient_rows);
    return gradient_figure(read_run(run.path()));
}

Curve curve_of_gradient(const SampleRun& run, const std::string& map_rows,
                        const std::string& gradient_rows) {
    return figure_of_gradient(run, map_rows, gradient_rows).drawing.panels.front().curves.front();
}

TEST(GradientFigure, PlacesInAnyOrderAreDrawnFromLeftToRight) {
    const SampleRun run;
    const Curve curve = curve_of_gradient(
        run, "0.3,separated,1\n0.7,separated,1\n0.5,separated,1\n0.3,separated,2\n",
        "mass,0.3,1,300,1\nmass,0.7,1,700,1\nmass,0.5,1,500,1\nmass,0.3,2,9,1\n");
    EXPECT_EQ(curve.x, (std::vector<double>{0.3, 0.5, 0.7}));
    EXPECT_EQ(curve.y, (std::vector<double>{3.0, 5.0, 7.0}));
}

TEST(GradientFigure, OfOnePlaceUnderSeveralSweptValuesIsThatOfTheFirst) {
    const SampleRun run;
    const Curve curve = curve_of_gradient(run, "0.5,separated,1\n0.5,separated,2\n",
                                          "mass,0.5,1,100,1\nmass,0.5,2,200,1\n");
    EXPECT_EQ(curve.x, std::vector<double>{0.5});
    EXPECT_EQ(curve.y, std::vector<double>{1.0});
}

TEST(GradientFigure, SaysForWhichSweptValueItIsDrawn) {
    const SampleRun run;
    const auto caption = [&](const std::string& map_rows) {
        return figure_of_gradient(run, map_rows, "mass,0.5,1,100,1\n").caption;
    };
    EXPECT_TRUE(contains(caption("0.5,separated,1\n0.5,separated,2\n"),
                         " Drawn for striker.mass (kg) = 1, the first of 2 values."));
    EXPECT_FALSE(contains(caption("0.5,separated,1\n"), "Drawn for"));
}

TEST(GradientFigure, LegendHasTheKeysAsTheyAreTyped) {
    const SampleRun run;
    const Curve curve =
        curve_of_gradient(run, "0.5,separated,1\n", "beam.material.youngs_modulus,0.5,1,100,1\n");
    EXPECT_EQ(unmarked(curve.title), "beam.material.youngs_modulus");
}

/// A run of `restitution` over two keys: e falls with both, from 1 to 0 at the far corner. The
/// damping goes from `unit` to twice of it.
void write_restitution(const SampleRun& run, int slow, int fast, double unit = 1.0) {
    run.write("summary.json", R"({"problem": "restitution", "title": "two keys",
        "place": "contact.damping_factor_s_per_m", "second_place": "speed_m_per_s"})");
    std::string table = "speed_m_per_s,contact.damping_factor_s_per_m,cor\n";
    for (int i = 0; i < slow; ++i) {
        for (int j = 0; j < fast; ++j) {
            const double x = i / (slow - 1.0), y = j / (fast - 1.0);
            table += fmt::format("{},{},{}\n", 1.0 + x, unit * (1.0 + y), 1.0 - 0.5 * (x + y));
        }
    }
    run.write("map.csv", table);
}

TEST(RestitutionFigures, LinesOfEqualRestitutionEndAtTheFrame) {
    const SampleRun run;
    write_restitution(run, 8, 9);
    const Figure figure = restitution_figures(read_run(run.path())).back();
    ASSERT_EQ(figure.name, "cor_map");
    const Panel& panel = figure.drawing.panels.front();
    ASSERT_FALSE(panel.curves.empty());
    for (const Curve& curve : panel.curves) {
        std::vector<std::size_t> seen;
        for (std::size_t i = 0; i < curve.y.size(); ++i) {
            if (std::isfinite(curve.y[i])) seen.push_back(i);
        }
        ASSERT_GE(seen.size(), 3U) << curve.title;
        for (const std::size_t end : {seen.front(), seen.back()}) {
            const auto is_at = [](double value, double edge) {
                return std::abs(value - edge) < 1e-9;
            };
            EXPECT_TRUE(is_at(curve.x[end], 1.0) || is_at(curve.x[end], 2.0) ||
                        is_at(curve.y[end], 1.0) || is_at(curve.y[end], 2.0))
                << curve.title << ": " << curve.x[end] << ", " << curve.y[end];
        }
    }
}

TEST(RestitutionFigures, LinesOfEqualRestitutionAreAllDrawn) {
    const SampleRun run;
    write_restitution(run, 4, 5);
    std::string table = "speed_m_per_s,contact.damping_factor_s_per_m,cor\n";
    for (int i = 0; i < 4; ++i) {  // e is 1 in the middle of the damping and 0 at both ends of it
        for (int j = 0; j < 11; ++j)
            table += fmt::format("{},{},{}\n", 1 + i, 1.0 + j, 1.0 - std::abs(j - 5) / 5.0);
    }
    run.write("map.csv", table);
    const Figure figure = restitution_figures(read_run(run.path())).back();
    for (const Curve& curve : figure.drawing.panels.front().curves) {
        if (curve.title != "0.5") continue;
        const auto [low, high] = std::ranges::minmax(curve.y, {}, [](double y) {
            return std::isnan(y) ? 6.0 : y;  // between the two lines
        });
        EXPECT_NEAR(low, 3.5, 1e-12);
        EXPECT_NEAR(high, 8.5, 1e-12);
        EXPECT_EQ(curve.x.size(), 9U);  // four points of each line, and the gap
        return;
    }
    FAIL() << "there is no line of 0.5";
}

/// x and y at -1, ..., 1 in `n` steps, with the number f(x, y).
template <class F>
Grid sampled_grid(std::size_t n, const F& f) {
    Grid grid;
    for (std::size_t i = 0; i <= n; ++i)
        grid.x.push_back(2.0 * static_cast<double>(i) / static_cast<double>(n) - 1.0);
    grid.y = grid.x;
    for (const double x : grid.x)
        for (const double y : grid.y) grid.numbers.push_back(f(x, y));
    return grid;
}

TEST(LevelLines, CircleIsOneClosedLine) {
    const LevelLines lines =
        level_lines(sampled_grid(41, [](double x, double y) { return x * x + y * y; }), 0.25);
    ASSERT_GT(lines.x.size(), 40U);
    EXPECT_EQ(lines.x.front(), lines.x.back());
    EXPECT_EQ(lines.y.front(), lines.y.back());
    for (std::size_t i = 0; i < lines.x.size(); ++i)
        EXPECT_NEAR(std::hypot(lines.x[i], lines.y[i]), 0.5, 1e-3);  // (step)^2/(8 r)
}

TEST(LevelLines, HyperbolaHasTwoBranches) {
    const Grid grid = sampled_grid(20, [](double x, double y) { return x * y; });
    const LevelLines lines = level_lines(grid, 0.05);
    std::size_t gaps = 0;
    for (std::size_t i = 0; i < lines.x.size(); ++i) {
        if (std::isnan(lines.x[i]))
            ++gaps;
        else
            EXPECT_NEAR(lines.x[i] * lines.y[i], 0.05, 1e-12);
    }
    EXPECT_EQ(gaps, 1U);
}

TEST(LevelLines, SaddleIsJoinedByItsMean) {
    // The first line begins at x = 0: it cuts off the corner (0, 1), or the corner (0, 0).
    const auto slope = [](double corner) {
        const LevelLines lines =
            level_lines({{0.0, 1.0}, {0.0, 1.0}, {corner, 0.0, 0.0, 2.0}}, 1.0);
        return (lines.y[1] - lines.y[0]) / (lines.x[1] - lines.x[0]);
    };
    EXPECT_NEAR(slope(4.0), 0.5, 1e-12);   // from (0, 3/4) to (1/2, 1)
    EXPECT_NEAR(slope(1.5), -1.0, 1e-12);  // from (0, 1/3) to (1/3, 0)
}

TEST(LevelLines, MissingNumberEndsALine) {
    Grid grid = sampled_grid(4, [](double x, double) { return x; });
    grid.numbers[2 * 5 + 2] = tests::nan;  // the middle
    const LevelLines lines = level_lines(grid, 0.25);
    std::size_t points = 0;
    for (const double y : lines.y) {
        points += std::isfinite(y);
        EXPECT_FALSE(y == 0.0);  // both cells beside it lack a corner
    }
    EXPECT_EQ(points, 4U);
}

TEST(RestitutionFigures, SmallNumbersOfALinearAxisGetAnotherUnit) {
    const SampleRun run;
    write_restitution(run, 8, 9, 1e-5);
    const Figure figure = restitution_figures(read_run(run.path())).back();
    const Panel& panel = figure.drawing.panels.front();
    EXPECT_TRUE(unmarked(panel.y.label).ends_with("damping factor (µs/m)")) << panel.y.label;
    EXPECT_NEAR(panel.y.low, 10.0, 1e-12);
    EXPECT_NEAR(panel.y.high, 20.0, 1e-12);
    for (const Curve& curve : panel.curves)
        for (const double y : curve.y) EXPECT_FALSE(y < 10.0 - 1e-9 || y > 20.0 + 1e-9) << y;
}

/// The figure of a fit whose band is so wide on both sides, and whose differences reach 0.002.
Figure fit_figure_with_band(double half_width) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "beam_fit", "title": "a fit"})");
    run.write("experiment.csv", "xi,cor\n0.3,0.9\n0.7,0.5\n");
    run.write("points.csv",
              "xi,cor_measured,cor_fitted,difference,weight,cor_measured_standard_error,"
              "cor_fitted_standard_error\n0.3,0.9,0.902,0.002,1,0,0\n0.7,0.5,0.499,-0.001,1,0,0\n");
    std::string curve = "xi,cor_kinematic,cor_low_95,cor_high_95\n";
    for (const double xi : {0.3, 0.5, 0.7}) {
        curve += fmt::format("{},{},{},{}\n", xi, 1.0 - xi, 1.0 - xi - half_width,
                             1.0 - xi + half_width);
    }
    run.write("curve.csv", curve);
    return beam_fit_figures(read_run(run.path())).front();
}

TEST(FitFigures, DifferencesHoldTheBandOrTheCaptionSaysThatItIsCut) {
    const Figure held = fit_figure_with_band(0.004);
    EXPECT_GE(held.drawing.panels[1].y.high, 4.0);  // in 10^-3
    EXPECT_LE(held.drawing.panels[1].y.low, -4.0);
    EXPECT_FALSE(contains(held.caption, "is cut"));
    const Figure cut = fit_figure_with_band(0.05);
    EXPECT_LT(cut.drawing.panels[1].y.high, 10.0);
    EXPECT_TRUE(contains(cut.caption, "The band is cut where it leaves the lower panel."));
}

TEST(SlidingRodFigures, ContactsWithoutAResultAreNotDrawn) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "sliding_rod", "title": "a rod", "failures": 1,
        "least_critical_mu": 1.333, "least_critical_angle_rad": 1.107})");
    run.write("critical.csv", "angle_rad,critical_mu\n0.5,3\n1.107,1.333\n1.4,3\n");
    run.write("rod.csv", "angle_rad,mu,impulse_n_N_s\n0.7,0.5,0\n0.8,2.5,1\n0.9,0.5,nan\n");
    const Figure figure = sliding_rod_figures(read_run(run.path())).front();
    const std::vector<Curve>& curves = figure.drawing.panels.front().curves;
    ASSERT_EQ(curves.size(), 3U);
    EXPECT_EQ(curves[1].x.size(), 1U) << curves[1].title;
    EXPECT_EQ(curves[2].x.size(), 1U) << curves[2].title;
    EXPECT_TRUE(contains(figure.caption, "Not drawn, since without a result: 1."));
    for (const char* words : {"Above it (orange)", "Below it (blue)", "filled with an impulse"})
        EXPECT_TRUE(contains(figure.caption, words)) << words;
}

TEST(SlidingRodFigures, WordsAreBesideThePoints) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "sliding_rod", "title": "a rod",
        "least_critical_mu": 1.333, "least_critical_angle_rad": 1.107})");
    run.write("critical.csv", "angle_rad,critical_mu\n0.5,3\n1.107,1.333\n1.4,3\n");
    std::string rod = "angle_rad,mu,impulse_n_N_s\n";
    for (const double degrees : {40.0, 60.0}) {
        for (const double mu : {0.5, 0.67, 0.93})
            rod += fmt::format("{},{},0\n", degrees * 0.0174532925, mu);
    }
    run.write("rod.csv", rod);
    const Panel panel = sliding_rod_figures(read_run(run.path())).front().drawing.panels.front();
    const Note& note = panel.notes.back();
    ASSERT_EQ(note.text, "the tip slides on");
    const double half = 0.5 * text_width(note.text) * 90.0 / usual_panel_width;
    for (const Curve& curve : panel.curves) {
        if (curve.drawn != Drawn::points) continue;
        for (const double angle : curve.x) EXPECT_GT(std::abs(angle - note.x), half);
    }
    EXPECT_LE(note.x + half, 90.0);
}

TEST(SphereFigures, LabelsOfMeasurementsStandAsTheyAre) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "sphere_impact", "title": "a sphere",
        "place": "motion.angle_rad", "measurements": 1})");
    run.write("map.csv",
              "motion.angle_rad,cor,slip_m_per_s,slip_of_rigid_spheres_m_per_s,"
              "angular_velocity_rad_per_s,friction_loss_J\n0.1,0.9,1,1,2,3\n0.2,0.9,2,2,3,4\n");
    run.write("comparison.csv",
              "label,quantity,motion.angle_rad,measured\nGorham & Kharaz,cor,0.1,0.8\n");
    const Figure figure = sphere_impact_figures(read_run(run.path())).back();
    EXPECT_EQ(figure.name, "comparison");
    EXPECT_EQ(figure.drawing.panels.front().curves.back().title, plain("Gorham & Kharaz"));
}

TEST(MotionFigures, OnlyLengthsAndVelocitiesHaveAPrefix) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "impact_motion", "title": "a motion"})");
    run.write("map.csv", "key\n1\n");
    const auto label = [&](const std::string& key) {
        run.write("sections.csv", key + ",gap_m\n2e-6,1e-3\n4e-6,2e-3\n");
        return motion_figures(read_run(run.path())).front().drawing.x.label;
    };
    EXPECT_EQ(label("drive.amplitude_m"), "amplitude (µm)");
    EXPECT_EQ(label("bodies[0].velocity_m_per_s"), "velocity (µm/s)");
    EXPECT_EQ(label("contacts[0].stiffness_N_per_m"), "stiffness (N/m)");
    EXPECT_EQ(label("contacts[0].damping_N_s_per_m"), "damping (N s/m)");
    EXPECT_EQ(label("contacts[0].damping_factor_s_per_m"), "damping factor (s/m)");
}

TEST(MotionFigures, VariedKeyIsOnALogarithmicAxisIfItsValuesAre) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "impact_motion", "title": "a motion"})");
    run.write("map.csv", "drive.amplitude_m,lyapunov_1_per_s\n1e-6,-1\n1e-5,-2\n1e-4,1\n");
    run.write("sections.csv", "drive.amplitude_m,gap_m\n1e-6,1\n1e-6,1\n1e-5,2\n1e-4,3\n");
    for (const Figure& figure : motion_figures(read_run(run.path()))) {
        EXPECT_TRUE(figure.drawing.x.logarithmic) << figure.name;
        EXPECT_NEAR(figure.drawing.x.high, 100.0, 1e-9) << figure.name;  // [µm]
    }
    run.write("sections.csv", "base.angle_rad,gap_m\n0,1\n1,2\n");
    const Axis angle = motion_figures(read_run(run.path())).front().drawing.x;
    EXPECT_EQ(angle.label, "angle (deg)");
    EXPECT_NEAR(angle.high, 57.2957795, 1e-6);
}

TEST(MotionFigures, ImpactsAreBoxesInTheRowOfTheirContact) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "impact_motion", "title": "a motion"})");
    run.write(
        "history.csv",
        "time_s,gap_left_m,gap_right_m,energy_modes_J,energy_contacts_J,energy_lost_J,work_J\n"
        "0,1e-3,1e-3,1,0,0,0\n1,1e-3,1e-3,1,0,0,0\n");
    run.write("impacts.csv", "contact,start_s,end_s\nright,0.2,0.4\nright,0.6,0.6\n");
    const Panel panel = motion_figures(read_run(run.path()))[1].drawing.panels.front();
    EXPECT_EQ(panel.y.low, 0.5);
    EXPECT_EQ(panel.y.high, 2.5);
    ASSERT_EQ(panel.fills.size(), 1U);
    const Fill& boxes = panel.fills.front();
    ASSERT_EQ(boxes.x.size(), 6U);
    EXPECT_EQ(boxes.x[1], 0.4);
    EXPECT_GT(boxes.x[4], boxes.x[3]);  // what is short can still be seen
    EXPECT_TRUE(std::isnan(boxes.x[2]));
    EXPECT_LT(boxes.low[0], 2.0);
    EXPECT_GT(boxes.high[0], 2.0);
    ASSERT_EQ(panel.curves.size(), 1U);
    EXPECT_EQ(panel.curves.front().title, "right");
    EXPECT_EQ(panel.curves.front().style.color, boxes.color);
}

TEST(MakeFigures, SaysWhatIsMissing) {
    const SampleRun run;
    EXPECT_TRUE(contains(message_of(run), "summary.json is missing"));
    CollisionSample{}.write(run);
    run.remove("sub_impacts.csv");
    EXPECT_TRUE(contains(message_of(run), "sub_impacts.csv is missing"));
    EXPECT_THROW(make_figures(run.file("nowhere")), core::FileError);
    EXPECT_THROW(make_figures(run.file("summary.json")), core::FileError);
}

TEST(MakeFigures, ForeignSummaryIsRefused) {
    const SampleRun run;
    run.write("summary.json", "{\"a\": 1}\n");
    EXPECT_TRUE(contains(message_of(run), "the key `problem` is missing"));
    run.write("summary.json", "{\"problem\": \"weather\"}\n");
    EXPECT_TRUE(contains(message_of(run), "no figures for the problem `weather`"));
    run.write("summary.json", "[1, 2]\n");
    EXPECT_THROW(make_figures(run.path()), core::FileError);
    run.write("summary.json", "{ nonsense");
    EXPECT_THROW(make_figures(run.path()), core::InputError);
}

TEST(MakeFigures, DamagedTableIsToldWithItsPlace) {
    const SampleRun run;
    MapSample{}.write(run);
    run.write("map.csv", "xi,status\n0.2,separated\n");
    EXPECT_TRUE(contains(message_of(run), "cor_kinematic"));
    run.write("map.csv", "xi,cor_kinematic\n0.2,0.5\n");
    EXPECT_TRUE(contains(message_of(run), "status"));
    run.write("map.csv", "xi,cor_kinematic,status\n0.2,oops,separated\n");
    EXPECT_TRUE(contains(message_of(run), "map.csv:2"));
    run.write("map.csv", "xi,cor_kinematic,status\n");
    EXPECT_TRUE(contains(message_of(run), "no rows"));
}

TEST(MakeFigures, FolderThatCannotBeMadeIsAFileError) {
    const SampleRun run;
    CollisionSample{}.write(run);
    run.write("figures", "a file stands where the folder should be");
    EXPECT_THROW(make_figures(run.path()), core::FileError);
}

TEST(LineStyle, TwentyEightCurvesCanBeToldApart) {
    for (std::size_t i = 0; i < 28; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const LineStyle a = line_style(i);
            const LineStyle b = line_style(j);
            EXPECT_FALSE(a.color == b.color && a.dashes == b.dashes) << i << " " << j;
        }
    }
}

TEST(Thinned, KeepsEndsAndStaysWithinTheTolerance) {
    std::vector<double> x(2000);
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = 0.1 * static_cast<double>(i);
        y[i] = 40.0 * std::sin(0.1 * x[i]);
    }
    const auto kept = thinned(x, y, 0.1);
    ASSERT_GE(kept.size(), 2U);
    EXPECT_EQ(kept.front(), 0U);
    EXPECT_EQ(kept.back(), x.size() - 1);
    EXPECT_LT(kept.size(), 300U);
    for (std::size_t k = 1; k < kept.size(); ++k) {
        for (std::size_t i = kept[k - 1]; i <= kept[k]; ++i) {
            const double t = (x[i] - x[kept[k - 1]]) / (x[kept[k]] - x[kept[k - 1]]);
            const double line = (1.0 - t) * y[kept[k - 1]] + t * y[kept[k]];
            // Steepest slope 4: a distance of 0.1 is a height of at most 0.1 sqrt(1 + 16).
            EXPECT_LE(std::abs(y[i] - line), 0.1 * std::sqrt(17.0) + 1e-9);
        }
    }
}

TEST(Thinned, StraightLineIsItsEndsAndSpikesStay) {
    std::vector<double> x(100);
    std::iota(x.begin(), x.end(), 0.0);
    std::vector<double> y(100, 1.0);
    EXPECT_EQ(thinned(x, y, 0.1), (std::vector<std::size_t>{0, 99}));
    y[50] = 9.0;
    EXPECT_EQ(thinned(x, y, 0.1), (std::vector<std::size_t>{0, 49, 50, 51, 99}));
    EXPECT_TRUE(thinned({}, {}, 0.1).empty());
    EXPECT_EQ(thinned({1.0}, {1.0}, 0.1), (std::vector<std::size_t>{0}));
}

TEST(NiceAxis, HoldsTheDataWithRoundTicks) {
    Extent extent;
    extent.include(std::vector<double>{0.123, tests::nan, 0.987});
    const Axis axis = nice_axis("a", extent, 5);
    EXPECT_DOUBLE_EQ(axis.low, 0.0);
    EXPECT_DOUBLE_EQ(axis.high, 1.0);
    EXPECT_DOUBLE_EQ(axis.step, 0.2);
}

TEST(NiceAxis, IsNeverEmpty) {
    const Axis none = nice_axis("a", Extent{}, 5);
    EXPECT_LT(none.low, none.high);
    for (const double value : {0.0, 0.637, -2e9, 1e-300}) {
        Extent extent;
        extent.include(value);
        const Axis axis = nice_axis("a", extent, 5);
        EXPECT_LT(axis.low, axis.high) << value;
        EXPECT_LE(axis.low, value);
        EXPECT_GE(axis.high, value);
        EXPECT_GT(axis.step, 0.0);
    }
}

TEST(TightAxis, IsTightHoweverNearItsNumbersAre) {
    Extent extent;
    extent.include(0.5);
    extent.include(0.5000004);
    const Axis axis = tight_axis("a", extent, 6);
    EXPECT_EQ(axis.low, 0.5);
    EXPECT_EQ(axis.high, 0.5000004);
    EXPECT_LT(axis.step, 4e-7);
}

TEST(TightAxis, EqualNumbersAreWidened) {
    for (const double other : {0.3, 0.1 + 0.2}) {
        Extent extent;
        extent.include(0.3);
        extent.include(other);
        const Axis axis = tight_axis("a", extent, 6);
        EXPECT_NEAR(axis.low, 0.2925, 1e-12);
        EXPECT_NEAR(axis.high, 0.3075, 1e-12);
    }
}

TEST(LogAxis, HoldsTheDataInWholeDecades) {
    Extent extent;
    extent.include_positive({-5.0, 0.0, 3e-7, 0.2, tests::nan});
    const Axis axis = log_axis("a", extent);
    EXPECT_DOUBLE_EQ(axis.low, 1e-7);
    EXPECT_DOUBLE_EQ(axis.high, 1.0);
    EXPECT_DOUBLE_EQ(axis.step, 10.0);
    EXPECT_TRUE(axis.logarithmic);
}

TEST(LogAxis, IsNeverEmptyAndItsTicksStayFew) {
    const Axis none = log_axis("a", Extent{});
    EXPECT_LT(none.low, none.high);
    Extent wide;
    wide.include(1e-16);
    wide.include(1e3);
    EXPECT_DOUBLE_EQ(log_axis("a", wide).step, 1e3);
}

TEST(LogAxis, EndsWhereDoublesDo) {
    Extent widest;
    widest.include(std::numeric_limits<double>::denorm_min());
    widest.include(std::numeric_limits<double>::max());
    const Axis axis = log_axis("a", widest);
    EXPECT_DOUBLE_EQ(axis.low, 1e-307);
    EXPECT_DOUBLE_EQ(axis.high, 1e308);
}

/// What gnuplot makes of a drawing.
GnuplotOutput plotted(const Drawing& drawing) {
    const GnuplotOutput output = Gnuplot{}.plot(gnuplot_script(drawing));
    EXPECT_EQ(output.warnings, "");
    EXPECT_EQ(tests::xml_fault(output.drawing), "");
    return output;
}

/// A panel with its own logarithmic axes above one on the axis of the drawing.
Drawing two_axes() {
    Panel upper;
    upper.x = Axis{"step", 1e-6, 1e-2, 10.0, true};
    upper.y = Axis{"error", 1e-8, 1.0, 100.0, true};
    upper.curves.push_back({"measured", line_style(0), {1e-5, 1e-4, 1e-3}, {1e-7, 1e-5, 1e-3}});
    Panel lower;
    lower.y = Axis{"force", 0.0, 1.0, 0.5};
    lower.curves.push_back({"", line_style(1), {0.0, 1.0}, {0.0, 1.0}});
    return {{"time", 0.0, 1.0, 0.2}, {}, {upper, lower}};
}

TEST(Drawing, PanelMayHaveItsOwnLogarithmicAxes) {
    const std::string svg = plotted(two_axes()).drawing;
    EXPECT_TRUE(contains(svg, ">step<"));
    EXPECT_TRUE(contains(svg, ">time<"));
    EXPECT_TRUE(contains(svg, ">−6</tspan>"));  // of 10 to the -6
}

TEST(Drawing, TicksOfALogarithmicAxisThatAreNoDecadesAreWrittenInFull) {
    Drawing drawing = two_axes();
    drawing.panels[0].x = Axis{"modes", 8.0, 64.0, 2.0, true};
    drawing.panels[0].curves[0].x = {8.0, 20.0, 64.0};
    const std::string svg = plotted(drawing).drawing;
    for (const char* tick : {">8<", ">16<", ">32<", ">64<"})
        EXPECT_TRUE(contains(svg, tick)) << tick;
}

TEST(Drawing, TicksOfALogarithmicAxisOverManyDecadesAreListed) {
    // gnuplot alone would count to the ratio of two ticks, which takes hours.
    Extent wide;
    wide.include(1e-3);
    wide.include(1e81);
    Drawing drawing = two_axes();
    drawing.panels[0].y = log_axis("error", wide);
    const std::string svg = plotted(drawing).drawing;
    for (const char* exponent : {">−3</tspan>", ">9</tspan>", ">69</tspan>", ">81</tspan>"})
        EXPECT_TRUE(contains(svg, exponent)) << exponent;
}

TEST(Drawing, TicksOfNearlyEqualNumbersHaveEnoughDigits) {
    Extent extent;
    extent.include(0.30000001);
    extent.include(0.30000007);
    Drawing drawing = two_axes();
    drawing.x = tight_axis("place", extent, 6);
    drawing.panels[1].curves[0].x = {0.30000001, 0.30000007};
    EXPECT_TRUE(contains(gnuplot_script(drawing), "\n0.30000001 0\n0.30000007 1\n"));
    const std::string svg = plotted(drawing).drawing;
    for (const char* tick : {">0.30000002<", ">0.30000004<", ">0.30000006<"})
        EXPECT_TRUE(contains(svg, tick)) << tick;
}

TEST(Drawing, WhatIsNotPositiveLeavesAGapOnALogarithmicAxis) {
    Drawing drawing = two_axes();
    Curve& curve = drawing.panels[0].curves[0];
    curve.x = {1e-5, 1e-4, 0.0, 1e-3, 1e-3};
    curve.y = {1e-7, 1e-5, 1e-4, -1.0, 1e-3};
    const std::string script = gnuplot_script(drawing);
    EXPECT_EQ(occurrences(script, "\n1e-05 1e-07\n"), 2U);  // of the line, and as a point
    EXPECT_FALSE(contains(script, "0 0.0001"));
    EXPECT_FALSE(contains(script, "0.001 -1"));
    plotted(drawing);
}

TEST(Drawing, PointsOfAPngAreAsLargeAsThoseOfTheSvg) {
    // A point is 2 * 0.375 of the 10.5 px of the font wide in SVG, 6 px in PNG at scale 1.
    const std::string script = gnuplot_script(two_axes(), Format::png);
    EXPECT_TRUE(contains(script, fmt::format("pointscale {:g} ", 0.75 * 10.5 / 6.0 * 300.0 / 96.0)))
        << script;
}

TEST(Drawing, PointsHaveSymbolsAndErrorBars) {
    Drawing drawing = two_axes();
    Curve& curve = drawing.panels[1].curves[0];
    curve = {"experiment",
             line_style(1),
             {0.2, 0.5, 0.8},
             {0.1, 0.4, 0.5},
             Drawn::points,
             2,
             {0.05, 0.05, tests::nan}};
    const std::string svg = plotted(drawing).drawing;
    EXPECT_EQ(occurrences(svg, "<use xlink:href='#gpPt8'"), 4U);  // with the sample in the legend
    const std::string script = gnuplot_script(drawing);
    EXPECT_TRUE(contains(script, "heads size screen 0.006,90"));
    EXPECT_FALSE(contains(script, "with lines notitle lc rgb '#D55E00'"));
}

TEST(Drawing, TilesAreColouredByTheirValues) {
    Drawing drawing = two_axes();
    Panel& panel = drawing.panels[1];
    panel.name = "speed";
    panel.tiles = {{0.25, 0.75, 0.5},  {0.5, 0.5, 0.5}, {0.0, 2.0, tests::nan}, 0.5, 1.0,
                   {"", 0.0, 2.0, 0.5}};
    const std::string svg = plotted(drawing).drawing;
    EXPECT_TRUE(contains(svg, "rgb( 68,   1,  84)"));  // the two ends of the scale
    EXPECT_TRUE(contains(svg, "rgb(253, 231,  37)"));
    const std::string script = gnuplot_script(drawing);
    EXPECT_TRUE(contains(script, "\n0.25 0.5 0\n0.75 0.5 2\nEOD"));  // no value, no tile
}

TEST(Drawing, HatchedBandIsSlantedLinesInsideItself) {
    Drawing drawing = two_axes();
    const std::string before = gnuplot_script(drawing);
    drawing.panels[1].bands.push_back({0.25, 0.75, true});
    const std::string script = gnuplot_script(drawing);
    const std::size_t lines = occurrences(script, "nohead back lc rgb '#B0B0B0'");
    EXPECT_GT(lines, 20U);
    EXPECT_EQ(occurrences(before, "'#B0B0B0'"), 0U);
    for (std::size_t at = 0; (at = script.find("set arrow from 0.", at)) != std::string::npos;) {
        at += std::string_view("set arrow from ").size();
        const double begin = std::stod(script.substr(at));
        const double end = std::stod(script.substr(script.find(" to ", at) + 4));
        EXPECT_GE(begin, 0.25 - 1e-6);
        EXPECT_LE(end, 0.75 + 1e-6);
        EXPECT_GT(end, begin);
    }
    plotted(drawing);
}

TEST(Drawing, AreaBetweenTwoCurvesIsFilled) {
    Drawing drawing = two_axes();
    drawing.panels[1].fills.push_back(
        {"#F6E3D3", {0.0, 0.5, 1.0}, {0.0, 0.1, 0.0}, {1.0, 0.6, 1.0}});
    EXPECT_TRUE(contains(gnuplot_script(drawing), "0.5 0.1 0.6\n"));
    EXPECT_TRUE(contains(plotted(drawing).drawing, "rgb(246, 227, 211)"));
}

TEST(Drawing, AFilledAreaHasAGapWhereXIsNotANumber) {
    Drawing drawing = two_axes();
    drawing.panels[1].fills.push_back({"#F6E3D3",
                                       {0.1, 0.3, tests::nan, 0.6, 0.6001},
                                       {0.2, 0.2, 0.2, 0.2, 0.2},
                                       {0.4, 0.4, 0.4, 0.4, 0.4}});
    EXPECT_EQ(occurrences(plotted(drawing).drawing, "<polygon fill = 'rgb(246, 227, 211)'"), 2U);
}

TEST(Drawing, LongNameOfAPanelHasSeveralLinesInsideIt) {
    Drawing drawing = two_axes();
    drawing.panels[1].name =
        "the ball that hangs at the left end of the long beam, against the steel stop";
    const double height = Layout(two_axes()).height;
    const Layout layout(drawing);
    const PlacedPanel& placed = layout.panels[1];
    ASSERT_EQ(placed.name.size(), 2U);
    for (const std::string& line : placed.name) EXPECT_LE(text_width(line), placed.width) << line;
    EXPECT_EQ(layout.height, height + name_row + legend_row);
    EXPECT_TRUE(contains(plotted(drawing).drawing, ">" + placed.name[1] + "<"));
}

TEST(Drawing, ScaleOfColoursHasRoomForItsNumbersAndItsName) {
    Drawing drawing = two_axes();
    drawing.panels[1].name = "modulus of elasticity of the beam and of the ball (Pa)";
    drawing.panels[1].curve_scale = Axis{"", 1.9e11, 2.1e11, 2e10};
    const Layout layout(drawing);
    const PlacedPanel& placed = layout.panels[1];
    EXPECT_EQ(placed.scale->high, "2.1e+11");
    EXPECT_LT(placed.scale->right + text_width("2.1e+11"), layout.width);
    for (const std::string& line : placed.name)
        EXPECT_LT(placed.left + text_width(line), placed.scale->begin) << line;
    plotted(drawing);
}

TEST(Drawing, NoteStandsAtItsHeight) {
    Drawing drawing = two_axes();
    drawing.panels[1].notes = {{0.5, "above"}, {0.5, "in the middle", 0.4}};
    const std::string script = gnuplot_script(drawing);
    EXPECT_TRUE(contains(script, "'above' at 0.5, graph"));
    EXPECT_TRUE(contains(script, "'in the middle' at 0.5, 0.4 center"));
}

TEST(Wrapped, LinesAreNoWiderThanAskedForAndHoldAllWords) {
    const std::string text = "Restitution along the pinned beam with {/:Italic e of a} damping";
    std::string joined;
    for (const std::string& line : wrapped(text, 120.0)) {
        EXPECT_LE(text_width(line), 120.0) << line;
        joined += (joined.empty() ? "" : " ") + line;
    }
    EXPECT_EQ(joined, text);
    EXPECT_EQ(wrapped(text, 1000.0), std::vector<std::string>{text});
    const std::vector<std::string> cut =
        wrapped(plain("a_name_without_any_blank_to_break_at"), 90.0);
    ASSERT_EQ(cut.size(), 1U);
    EXPECT_LE(text_width(cut[0]), 90.0);
    EXPECT_TRUE(cut[0].ends_with("…"));
}

TEST(TextWidth, CountsLettersRatherThanBytes) {
    const double letter = text_width("a");
    EXPECT_DOUBLE_EQ(text_width("µ"), letter);
    EXPECT_DOUBLE_EQ(text_width("ж"), letter);
    EXPECT_DOUBLE_EQ(text_width("Ж"), text_width("X"));
    EXPECT_DOUBLE_EQ(text_width("É"), text_width("E"));
    EXPECT_DOUBLE_EQ(text_width("e\u0301"), text_width("e"));  // an accent has no width
}

TEST(TextWidth, OfWideLettersIsTheSizeOfTheFont) {
    for (const char* wide : {"碰", "ド", "충", "ｍ"}) EXPECT_DOUBLE_EQ(text_width(wide), font_size);
    EXPECT_DOUBLE_EQ(text_width("碰撞"), 2.0 * font_size);
}

TEST(TextWidth, OfAMinusIsThatOfTheSignAndNotOfTheHyphen) {
    EXPECT_NEAR(text_width("−") / font_size, 0.584, 1e-12);  // Helvetica
    EXPECT_GT(text_width("−"), text_width("-"));
    // The margin of an axis has room for the sign.
    Drawing drawing{{"x", 0.0, 1.0, 0.5}, {}, {Panel{}}};
    drawing.panels[0].y = {"y", 0.1, 0.12345, 0.00005};
    const double positive = Layout(drawing).left_margin;
    drawing.panels[0].y = {"y", -0.12345, -0.1, 0.00005};
    const double sign = Layout(drawing).left_margin - positive;
    EXPECT_GT(sign, 0.58 * tick_font_size);
}

TEST(Drawing, LongLegendHasSeveralLinesInsideTheFigure) {
    Drawing drawing = two_axes();
    drawing.panels[0].curves[0].title = "Restitution along the pinned beam with internal damping";
    const Layout layout(drawing);
    const Legend& legend = layout.panels[0].legend;
    ASSERT_EQ(legend.cells[0].lines.size(), 2U);
    EXPECT_EQ(legend.height, 2.0 * legend_row);
    for (const std::string& line : legend.cells[0].lines)
        EXPECT_LE(legend_sample + text_width(line), layout.panels[0].width) << line;
    EXPECT_TRUE(contains(plotted(drawing).drawing, ">internal damping<"));
}

TEST(Drawing, WhatIsDrawnNowhereIsNotInTheLegend) {
    Drawing drawing = two_axes();
    std::vector<Curve>& curves = drawing.panels[0].curves;
    curves[0].title = "drawn";
    curves.push_back({"gaps", line_style(2), {1e-4, 1e-3}, {tests::nan, 0.0}});  // 0 on a log axis
    curves.push_back({"below", line_style(1), {}, {}});
    curves.push_back({"empty", line_style(3), {}, {}});
    curves.push_back({"fill", {"#123456", "solid", 6.0}, {}, {}});
    drawing.panels[1].fills = {{"#123456", {0.1, 0.2}, {0.1, 0.1}, {0.2, 0.2}}};
    const std::string svg = plotted(drawing).drawing;
    for (const char* title : {">drawn<", ">below<", ">fill<"})
        EXPECT_TRUE(contains(svg, title)) << title;
    for (const char* title : {">gaps<", ">empty<"}) EXPECT_FALSE(contains(svg, title)) << title;
    const io::Value data = figure_data("a", "A figure.", drawing);
    const io::Value& panel = data.find("panels")->items()->front();
    std::vector<bool> in_legend;
    for (const io::Value& curve : *panel.find("curves")->items())
        in_legend.push_back(curve.find("in_legend")->flag().value());
    EXPECT_EQ(in_legend, (std::vector<bool>{true, false, true, false, true}));
}

TEST(Labels, MarkupOfGnuplotCanBeLeftOut) {
    EXPECT_EQ(unmarked("impulse ∫ {/:Italic P} d{/:Italic τ}"), "impulse ∫ P dτ");
    EXPECT_EQ(unmarked("{/:Italic e}_{N}"), "e_N");
    EXPECT_EQ(unmarked(plain("a_b {c}")), "a_b {c}");
}

TEST(Labels, KeysBecomeWordsWithUnits) {
    EXPECT_EQ(words_of_key("motion.angular_velocity_rad_per_s"), "angular velocity (rad/s)");
    EXPECT_EQ(words_of_key("integration.force"), "force");
    EXPECT_EQ(words_of_key("beam.length_m"), "length (m)");
}

TEST(Labels, UnitsThatEndInAnotherUnitAreKnown) {
    EXPECT_EQ(words_of_key("lyapunov_1_per_s"), "lyapunov (1/s)");
    EXPECT_EQ(words_of_key("inflow_per_s"), "inflow (1/s)");
    EXPECT_EQ(words_of_key("opening_per_kg"), "opening (1/kg)");
    EXPECT_EQ(words_of_key("frequency_Hz"), "frequency (Hz)");
    EXPECT_EQ(words_of_key("inertia_kg_m2"), "inertia (kg m^2)");
    EXPECT_EQ(words_of_key("deceleration_before_rad_per_s2"), "deceleration before (rad/s^2)");
    EXPECT_EQ(words_of_key("contact.damping_factor_s_m_to_alpha-beta"),
              "damping factor (s m^(α−β))");
    EXPECT_EQ(words_of_key("beam.springs[0].rotation_N_m_per_rad"), "rotation (N m/rad)");
    EXPECT_EQ(words_of_key("beam.dashpots[0].rotation_N_m_s_per_rad"), "rotation (N m s/rad)");
    EXPECT_EQ(words_of_key("angular_velocity_1_rad_per_s"), "angular velocity 1 (rad/s)");
}

TEST(Labels, ValuesOfOneRatioAreLogarithmic) {
    EXPECT_TRUE(is_logarithmic({1.0, 2.0, 4.0, 8.0}));
    EXPECT_TRUE(is_logarithmic({100.0, 10.0, 1.0}));
    EXPECT_TRUE(is_logarithmic({1.0, 1.0, 10.0, 10.0, 100.0}));
    EXPECT_FALSE(is_logarithmic({1.0, 2.0, 5.0, 10.0}));  // only the first and last ratios agree
    EXPECT_FALSE(is_logarithmic({1000.0, 1000.001, 1000.002}));
    EXPECT_FALSE(is_logarithmic({1.0, 10.0}));
    EXPECT_FALSE(is_logarithmic({0.0, 1.0, 2.0}));
    EXPECT_FALSE(is_logarithmic({3.0, 3.0, 3.0}));
    EXPECT_FALSE(is_logarithmic({1.0, tests::nan, 4.0}));
}

TEST(Labels, AxisOfAKeyIsThatOfItsValues) {
    const Axis decades = key_axis("speed (m/s)", {0.01, 0.1, 1.0});
    EXPECT_TRUE(decades.logarithmic);
    EXPECT_NEAR(decades.low, 0.01, 1e-15);
    const Axis even = key_axis("speed (m/s)", {0.5, 1.0, 1.5});
    EXPECT_FALSE(even.logarithmic);
    EXPECT_EQ(even.high, 1.5);
}

TEST(Labels, AnglesAreDrawnInDegrees) {
    EXPECT_EQ(drawn_key("motion.angle_rad").name, "motion.angle_deg");
    EXPECT_NEAR(drawn_key("motion.angle_rad").factor * std::acos(-1.0), 180.0, 1e-12);
    EXPECT_EQ(drawn_key("motion.speed_m_per_s").name, "motion.speed_m_per_s");
    EXPECT_EQ(drawn_key("motion.speed_m_per_s").factor, 1.0);
}

TEST(Labels, PrefixSuitsTheLargestNumber) {
    Extent extent;
    extent.include(-4e-5);
    extent.include(1e-6);
    EXPECT_EQ(si_prefix(extent, "m").words, " (µm)");
    EXPECT_DOUBLE_EQ(si_prefix(extent, "m").factor, 1e6);
    EXPECT_EQ(si_prefix(Extent{}, "m").words, " (m)");
    Extent modulus;
    modulus.include(2.1e11);
    EXPECT_EQ(si_prefix(modulus, "Pa").words, " (GPa)");
    const auto words = [](double largest) {
        Extent other;
        other.include(largest);
        return si_prefix(other, "J").words;
    };
    EXPECT_EQ(words(2e-15), " (fJ)");
    EXPECT_EQ(words(3e-12), " (pJ)");
    EXPECT_EQ(words(3e-9), " (nJ)");
    EXPECT_EQ(words(4e13), " (TJ)");
    EXPECT_EQ(power_of_ten(extent).words, " (10^{-6})");
    Extent ordinary;
    ordinary.include(0.06);
    EXPECT_EQ(power_of_ten(ordinary).words, "");
}

TEST(Labels, PrefixesAreForUnitsThatMayHaveOne) {
    for (const char* unit : {"Pa", "m/s", "N/m", "s"}) EXPECT_TRUE(takes_prefix(unit)) << unit;
    for (const char* unit : {"", "kg", "kg m^2", "rad/s", "1/s", "ns", "percent"})
        EXPECT_FALSE(takes_prefix(unit)) << unit;
}

TEST(TidySvg, HasARoleAndANameForScreenReaders) {
    const std::string svg =
        tidy_svg("<svg \n width=\"1\"\n>\n</svg>\n", "wide_a", "a & b", "words");
    EXPECT_TRUE(contains(svg, "<svg role=\"img\" aria-label=\"a &amp; b\"")) << svg;
    EXPECT_EQ(tests::xml_fault(svg), "");
}

TEST(TidySvg, RefusesADrawingThatIsCutOff) {
    EXPECT_THROW(tidy_svg("<svg><g>", "a", "a", "b"), core::FileError);
    EXPECT_THROW(tidy_svg("", "a", "a", "b"), core::FileError);
}

}  // namespace
}  // namespace stoss::postproc
