// What the figures of single problems call their axes, curves and marks.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sample_run.hpp>
#include <solvers/problems/beam/beam_figures.hpp>
#include <solvers/problems/beam/uncertainty_figures.hpp>
#include <solvers/problems/granular/granular_figures.hpp>
#include <solvers/problems/point/impact_figures.hpp>
#include <solvers/problems/point/structure_figures.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>

namespace stoss::postproc {
namespace {

using tests::MapSample;
using tests::SampleRun;

std::vector<std::string> titles_of(const Panel& panel) {
    std::vector<std::string> titles;
    for (const Curve& curve : panel.curves) {
        if (!curve.title.empty()) titles.push_back(curve.title);
    }
    return titles;
}

TEST(UncertaintyFigure, IndicesOutsideZeroToOneAreDrawnAsTheyAre) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "beam_impact_map", "title": "a beam",
        "uncertainty": {"samples": 64, "keys": [{"key": "k"}]}})");
    run.write("uncertainty.csv",
              "xi,cor_mean,cor_quantile_05,cor_quantile_95,first_order_k,total_k\n"
              "0.4,0.6,0.5,0.7,-0.19,1.03\n0.5,0.6,0.5,0.7,0.4,0.5\n");
    const Figure figure = uncertainty_figure(read_run(run.path()));
    const Panel &first_order = figure.drawing.panels[1], &total = figure.drawing.panels[2];
    EXPECT_EQ(first_order.curves[0].y.front(), -0.19);
    EXPECT_LE(first_order.y.low, -0.19);
    EXPECT_EQ(first_order.y.label, "first-order Sobol index");
    EXPECT_EQ(total.curves[0].y.front(), 1.03);
    EXPECT_GE(total.y.high, 1.03);
    EXPECT_NE(figure.caption.find("estimates from 64 samples"), std::string::npos);
}

TEST(MapFigures, MarksHaveTheirNamesInTheLegend) {
    const SampleRun run;
    MapSample{}.write(run);
    io::Value summary = io::parse_json(run.read("summary.json"), "summary.json");
    summary.set("marks", io::Value::object()
                             .set("mode_1_node_1", 0.5)
                             .set("mode_1_node_2", 0.6)
                             .set("mode_2_node_1", 0.61)
                             .set("percussion", 0.605));
    run.write("summary.json", io::to_json(summary));
    for (const Figure& figure : beam_impact_map_figures(read_run(run.path()))) {
        const std::vector<std::string> titles = titles_of(figure.drawing.panels.front());
        for (const char* name : {"node of mode 1", "node of mode 2", "centre of percussion"})
            EXPECT_EQ(std::ranges::count(titles, name), 1) << figure.name << ": " << name;
        for (const Panel& panel : figure.drawing.panels) EXPECT_TRUE(panel.notes.empty());
    }
}

TEST(MapFigures, MarksOfManyModesDiffer) {
    const SampleRun run;
    MapSample{}.write(run);
    io::Value summary = io::parse_json(run.read("summary.json"), "summary.json");
    io::Value marks = io::Value::object();
    for (int mode = 1; mode <= 27; ++mode)
        marks.set(fmt::format("mode_{}_node_1", mode), 0.4 + 0.001 * mode);
    run.write("summary.json", io::to_json(summary.set("marks", std::move(marks))));
    const Figure figure = beam_impact_map_figures(read_run(run.path())).front();
    std::set<std::string> looks;
    for (const Curve& curve : figure.drawing.panels.front().curves) {
        if (curve.title.starts_with("node of mode"))
            looks.insert(curve.style.color + curve.style.dashes);
    }
    EXPECT_EQ(looks.size(), 27U);
    EXPECT_NE(figure.caption.find("Nodes of modes above 9 are dashed."), std::string::npos);
}

TEST(SphereFigures, AnglesAreInDegrees) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "sphere_impact", "title": "a sphere",
        "place": "motion.angle_rad", "measurements": 1})");
    run.write("map.csv",
              "motion.angle_rad,cor,cor_tangential,slip_m_per_s,slip_of_rigid_spheres_m_per_s,"
              "angular_velocity_rad_per_s,friction_loss_J\n"
              "0,0.9,0.8,1,1,2,3\n0.7853981633974483,0.9,0.8,2,2,3,4\n");
    run.write("comparison.csv",
              "label,quantity,motion.angle_rad,measured\n"
              "others,cor_tangential,0.7853981633974483,0.8\n");
    for (const Figure& figure : sphere_impact_figures(read_run(run.path()))) {
        EXPECT_EQ(figure.drawing.x.label, "angle (deg)") << figure.name;
        EXPECT_NEAR(figure.drawing.panels.front().curves.front().x.back(), 45.0, 1e-12);
    }
    const Figure comparison = sphere_impact_figures(read_run(run.path())).back();
    EXPECT_NEAR(comparison.drawing.panels.front().curves.back().x.front(), 45.0, 1e-12);
    EXPECT_EQ(comparison.drawing.panels.front().y.label, "tangential restitution");
}

TEST(SphereFigures, AxisOfTheTangentialForceIsThatOfTheForce) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "sphere_impact", "title": "a sphere",
        "status": "separated", "mu": 1000})");
    run.write("path.csv",
              "time_s,overlap_m,normal_force_N,tangential_force_N,slip_m_per_s,energy_kinetic_J,"
              "energy_stored_J,normal_loss_J,friction_loss_J\n"
              "0,0,0,0,0,1,0,0,0\n1e-6,1e-5,200,7,0.1,1,0,0,0\n2e-6,0,0.001,1,0,1,0,0,0\n");
    const Panel panel = sphere_impact_figures(read_run(run.path())).front().drawing.panels[2];
    EXPECT_LE(panel.y.high, 10.0);
    EXPECT_EQ(panel.curves[0].y[1], 7.0);
    EXPECT_EQ(panel.curves[1].y[2], 1.0);  // the bound, where it is on the axis
}

TEST(SphereFigures, BoundsOfFrictionHoldTheAdhesion) {
    const SampleRun run;
    run.write("path.csv",
              "time_s,overlap_m,normal_force_N,tangential_force_N,slip_m_per_s,energy_kinetic_J,"
              "energy_stored_J,normal_loss_J,friction_loss_J\n"
              "0,0,-4,2,1,1,0,0,0\n1e-6,1e-5,20,12,1,1,0,0,0\n2e-6,0,-8,0,1,1,0,0,0\n");
    const auto figure = [&](const std::string& adhesion) {
        run.write("summary.json", R"({"problem": "sphere_impact", "title": "a sphere",
            "status": "separated", "mu": 0.5, "friction_adhesion_N": )" +
                                      adhesion + "}");
        return sphere_impact_figures(read_run(run.path())).front();
    };
    const Figure adhesive = figure("6");
    const std::vector<Curve>& curves = adhesive.drawing.panels[2].curves;
    EXPECT_EQ(curves[1].y, (std::vector<double>{1.0, 13.0, 0.0}));
    EXPECT_EQ(curves[2].y[1], -13.0);
    EXPECT_NE(adhesive.caption.find("±μ(F + 6 N), with adhesion, as"), std::string::npos);
    const Figure plain_contact = figure("0");
    EXPECT_EQ(plain_contact.drawing.panels[2].curves[1].y[1], 10.0);
    EXPECT_NE(plain_contact.caption.find("bounds ±μF as far"), std::string::npos);
}

TEST(StructureFigures, SayWhatTheRatiosAreOverAndWhatTheCirclesAre) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "structure_impact", "title": "a plate"})");
    const std::string plate =
        "target,inelasticity_parameter,cor,duration_ratio,peak_force_ratio\n"
        "plate,0.1,0.9,1,1\nplate,0.5,0.5,1.1,0.8\n";
    run.write("map.csv", plate);
    run.write("chart.csv", plate + "beam,0.1,0.8,1,1\n");
    const auto panels = structure_impact_figures(read_run(run.path())).front().drawing.panels;
    const std::vector<std::string> titles = titles_of(panels[0]);
    EXPECT_EQ(std::ranges::count(titles, "impacts of this run"), 1);
    EXPECT_EQ(panels[1].y.label, "duration, rigid = 1");
    EXPECT_EQ(panels[2].y.label, "peak force, rigid = 1");
}

TEST(HypothesesFigure, EndsOnOneSpotShareASymbol) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "impact_hypotheses", "title": "a rod"})");
    run.write("routh_path.csv",
              "impulse_n_N_s,velocity_n_m_per_s,slip_m_per_s\n0,-1,0.4\n1.5,0.6,0\n");
    run.write("hypotheses.csv",
              "solution,impulse_n_N_s,velocity_n_m_per_s,velocity_t_m_per_s,velocity_o_m_per_s\n"
              "newton,1.32,0.5,0,0\npoisson,1.28,0.457,0,0\n"
              "maximum_dissipation_newton,1.32000001,0.5,0,0\n");
    const Figure figure = impact_hypotheses_figures(read_run(run.path())).front();
    const std::vector<std::string> expected{"Routh's path", "newton, maximum dissipation newton",
                                            "poisson"};
    EXPECT_EQ(titles_of(figure.drawing.panels.front()), expected);
    const Panel& magnified = figure.drawing.panels.back();
    EXPECT_GT(magnified.x->low, 1.0);
    EXPECT_LT(magnified.x->high - magnified.x->low, 0.1);
}

TEST(RigidContactFigures, LegendNamesTheSweptKeyAndAnglesAreInDegrees) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "rigid_contact", "title": "contacts",
        "contacts_that_stick": 1, "place": "motion.angle_rad", "sweep": "mu"})");
    run.write("map.csv",
              "motion.angle_rad,impulse_n_N_s,slip_m_per_s,dissipated_energy_J,mu\n"
              "0,1,2,3,0.1\n0.7853981633974483,1,2,3,0.1\n"
              "0,1,2,3,0.5\n0.7853981633974483,1,2,3,0.5\n");
    const Drawing drawing = rigid_contact_figures(read_run(run.path())).front().drawing;
    EXPECT_EQ(drawing.x.label, "angle (°)");
    EXPECT_NEAR(drawing.x.high, 45.0, 1e-12);
    EXPECT_EQ(drawing.panels[0].legend_title, "mu:");
    EXPECT_EQ(titles_of(drawing.panels[0]), (std::vector<std::string>{"0.1", "0.5"}));
    EXPECT_TRUE(drawing.panels[1].legend_title.empty());
}

TEST(RigidContactFigures, ObjectiveAlongTheEdgeHasNoRoomForWhatIsNotOnIt) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "rigid_contact", "title": "a contact",
        "b_n_m_per_s": 1, "sticking_t_N_s": 0.1, "sticking_o_N_s": 0})");
    run.write("contours.csv", "contour,objective_J,impulse_t_N_s,impulse_o_N_s\n1,-1,0,0\n");
    run.write("section.csv",
              "angle_rad,opening_per_kg,impulse_t_N_s,impulse_o_N_s,objective_J\n"
              "-1,1,0.5,-0.8,0.3\n0,1,1,0,-0.8\n1,1,0.5,0.8,0.3\n");
    run.write("solutions.csv",
              "solution,branch,impulse_t_N_s,impulse_o_N_s,dissipated_energy_J\n"
              "maximum_dissipation,stick,0.1,0,100\ncoulomb_1,slide,1,0,0.8\n");
    const Figure figure = rigid_contact_figures(read_run(run.path()))[1];
    ASSERT_EQ(figure.name, "objective");
    EXPECT_GE(figure.drawing.panels.front().y.low, -1.0);
    EXPECT_NE(figure.caption.find("Solutions that do not slide are not on the edge"),
              std::string::npos);
}

TEST(RigidContactFigures, AxisOfTheKeyIsLogarithmicIfItsValuesAre) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "rigid_contact", "title": "contacts",
        "contacts_that_stick": 1, "place": "mu"})");
    run.write("map.csv",
              "mu,impulse_n_N_s,slip_m_per_s,dissipated_energy_J\n"
              "0.01,1,2,3\n0.1,1,2,3\n1,1,2,3\n");
    const Axis x = rigid_contact_figures(read_run(run.path())).front().drawing.x;
    EXPECT_TRUE(x.logarithmic);
    EXPECT_NEAR(x.low, 0.01, 1e-15);
}

TEST(CalibrationFigure, AxisHoldsWhatIsGivenOutsideZeroToOne) {
    const SampleRun run;
    run.write("summary.json",
              R"({"problem": "calibrate", "title": "a law", "place": "cor_wanted"})");
    const auto axis = [&](const std::string& given) {
        run.write("map.csv", "cor_wanted,cor_given\n0.2,0.2\n0.8," + given + "\n");
        return calibrate_figures(read_run(run.path())).front().drawing.panels.front().y;
    };
    EXPECT_EQ(axis("0.8").low, 0.0);
    EXPECT_EQ(axis("0.8").high, 1.0);
    EXPECT_GE(axis("1.3").high, 1.3);
    EXPECT_LE(axis("-0.1").low, -0.1);
}

TEST(BouncingBallFigures, CaptionSaysHowManyFlightsAreDrawn) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "bouncing_ball", "title": "a ball",
        "drop_height_m": 1, "fall_s": 0.45})");
    const auto caption = [&](int flights) {
        std::string table = "time_s,duration_s,flight_s,apex_m,speed_m_per_s,cor\n";
        for (int i = 0; i < flights; ++i) table += fmt::format("{},0.001,0.1,0.1,1,0.5\n", 1 + i);
        run.write("map.csv", table + "100,0.001,0,0,1,0\n");  // the ball comes to rest
        return bouncing_ball_figures(read_run(run.path())).front().caption;
    };
    EXPECT_NE(caption(61).find(" The first 60 of 61 flights are drawn."), std::string::npos);
    EXPECT_EQ(caption(60).find("flights are drawn"), std::string::npos);
}

TEST(BouncingBallFigures, FlightsInADentAreParabolasOfGravity) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "bouncing_ball", "title": "a ball",
        "drop_height_m": 20, "fall_s": 2})");  // g = 10 m/s^2
    run.write("map.csv",
              "time_s,duration_s,flight_s,apex_m,speed_m_per_s,cor\n"
              "2,0.5,0.4,-0.1,20,0.1\n2.9,0.5,0,-0.3,2,0\n");
    const Curve flights =
        bouncing_ball_figures(read_run(run.path())).front().drawing.panels.front().curves.front();
    std::size_t seen = 0;
    for (std::size_t i = 0; i < flights.x.size(); ++i) {
        const double after_apex = flights.x[i] - 2.7;
        if (flights.x[i] < 2.4) continue;
        ++seen;
        EXPECT_NEAR(flights.y[i], -0.1 - 5.0 * after_apex * after_apex, 1e-12);
    }
    EXPECT_GT(seen, 10U);
    EXPECT_NEAR(flights.y.front(), 20.0, 1e-12);
}

TEST(ChannelFigures, WorkOfThePlaneIsDashedOverWhatIsLost) {
    const SampleRun run;
    run.write("summary.json", R"({"problem": "channel_flow", "title": "a channel"})");
    run.write("history.csv",
              "time_s,solid_fraction,contacts_per_sphere,speed_mean_m_per_s,deepest_overlap_m,"
              "residual_m_per_s,energy_in_J,work_of_plane_J,work_of_error_reduction_J,"
              "energy_out_J,energy_lost_J\n0,0,0,0,0,0,0,0,0,0,0\n1,0.1,2,1,1e-6,0,1,2,0,0.5,2\n");
    for (const char* file : {"cells.csv", "rdf.csv"}) run.write(file, "x_m,g\nnan,nan\n");
    const std::vector<Figure> figures = channel_flow_figures(read_run(run.path()));
    EXPECT_EQ(figures[0].drawing.panels[1].y.label, "contacts per sphere");
    const std::vector<Curve>& curves = figures[1].drawing.panels.front().curves;
    ASSERT_EQ(curves[0].title, "lost");
    EXPECT_EQ(curves[0].style.dashes, "solid");
    ASSERT_EQ(curves[1].title, "work of the plane");
    EXPECT_NE(curves[1].style.dashes, "solid");
}

}  // namespace
}  // namespace stoss::postproc
