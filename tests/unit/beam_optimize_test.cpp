// Where searches for keys of a beam begin, and what an optimisation says of the case and the
// design.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <models/beam_collision.hpp>
#include <models/beam_model.hpp>
#include <sample_run.hpp>
#include <solved_case.hpp>
#include <solvers/problems/beam/beam_optimize.hpp>
#include <solvers/problems/beam/beam_optimize_figures.hpp>
#include <solvers/problems/beam/sought_keys.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {
namespace {

const std::string beam_and_striker = R"(
beam:
  length: 300 mm
  section: {shape: rectangle, width: 12 mm, height: 8 mm}
  material: {youngs_modulus: 70 GPa, poisson_ratio: 0.33, density: 2700 kg/m^3}
  masses: [{xi: 0.2, mass: 10 g}]
  internal_damping: 2e6 Pa s
striker:
  shape: sphere
  radius: 6 mm
  material: {youngs_modulus: 210 GPa, poisson_ratio: 0.3, density: 7800 kg/m^3}
  velocity: 0.5 m/s
mesh: {elements: 10, modes: 5}
)";

models::BeamCollision collision() {
    return io::read<models::BeamCollision>(io::parse_yaml(beam_and_striker, "case.yaml"));
}

Sought sought(const std::string& key, double from, double to, Spacing spacing = Spacing::linear) {
    Sought sought{key, "", {}};
    sought.range.from = from;
    sought.range.to = to;
    sought.range.spacing = spacing;
    return sought;
}

double first_start(const Sought& key) {
    return key.value(starts_of(collision(), {key}, 1).front().front());
}

TEST(Searches, BeginAtTheBoundNearestToTheCase) {
    const std::string mass = "beam.masses[0].mass";  // 10 g
    EXPECT_DOUBLE_EQ(first_start(sought(mass, 0.005, 0.05)), 0.01);
    EXPECT_EQ(first_start(sought(mass, 0.02, 0.05)), 0.02);
    EXPECT_EQ(first_start(sought(mass, 0.002, 0.005)), 0.005);
    EXPECT_EQ(first_start(sought(mass, 0.02, 0.05, Spacing::logarithmic)), 0.02);
    EXPECT_EQ(first_start(sought("beam.masses[0].xi", 0.3, 0.5)), 0.3);
    // 0 has no logarithm
    EXPECT_EQ(first_start(sought("beam.external_damping", 1.0, 10.0, Spacing::logarithmic)), 1.0);
}

TEST(Searches, ThatBeginElsewhereThanTheCaseAreDoubtful) {
    const auto doubts = [](double from, double to) {
        return echo_of(collision(), {sought("beam.masses[0].mass", from, to)}, std::vector{0.5})
            .doubts;
    };
    EXPECT_TRUE(doubts(0.005, 0.05).empty());
    EXPECT_TRUE(doubts(0.01, 0.05).empty());
    ASSERT_EQ(doubts(0.02, 0.05).size(), 1u);
    EXPECT_EQ(to_warning(doubts(0.02, 0.05).front()),
              "beam.masses[0].mass: 0.01: is outside its bounds, 0.02 to 0.05; the first search "
              "begins at 0.02");
}

struct Solved {
    InputEcho echo;
    Outcome outcome;

    io::Table table(const std::string& name) const {
        for (const auto& [file, table] : outcome.tables)
            if (file == name) return table;
        return {};
    }
};

/// A case that searches the mass between these bounds; that of the case is 10 g.
std::string mass_between(const std::string& from, const std::string& to, int starts) {
    return fmt::format(
        "problem: beam_optimize\n{}goal: given\ntarget: 0.4\nstarts: {}\n"
        "locations: {{at: [0.5, 0.7]}}\n"
        "design: [{{key: \"beam.masses[0].mass\", from: {}, to: {}}}]\n",
        beam_and_striker, starts, from, to);
}

Solved solved_between(const std::string& from, const std::string& to) {
    const std::string text = mass_between(from, to, 1);
    const auto given = beam_optimize_problem.read(io::parse_yaml(text, "case.yaml"));
    RunOptions options;
    options.quiet = true;
    return {given->echo(), given->solve(options)};
}

TEST(BeamOptimize, BeforeIsTheCaseOutsideTheBoundsToo) {
    const Solved outside = solved_between("20 g", "50 g");
    EXPECT_EQ(outside.table("starts.csv").numbers("start_beam.masses[0].mass_kg")[0], 0.02);
    EXPECT_EQ(outside.table("design.csv").numbers("before")[0], 0.01);
    const models::BeamModel model(collision());
    double squares = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
        const double xi = outside.table("places.csv").numbers("xi")[i];
        const double e = model.collide(xi).cor_kinematic;
        EXPECT_NEAR(outside.table("places.csv").numbers("before")[i], e, 1e-12);
        squares += std::pow(e - 0.4, 2);
    }
    EXPECT_NEAR(*outside.outcome.summary.find("rms_before")->number(), std::sqrt(squares / 2.0),
                1e-12);
    EXPECT_EQ(outside.outcome.summary.find("gradient_norm_before"), nullptr);
    ASSERT_EQ(outside.echo.doubts.size(), 1u);
    EXPECT_EQ(to_warning(outside.echo.doubts.front()),
              "beam.masses[0].mass: 0.01 kg: is outside its bounds, 0.02 kg to 0.05 kg; the first "
              "search begins at 0.02 kg");

    const Solved inside = solved_between("5 g", "50 g");
    EXPECT_TRUE(inside.echo.doubts.empty());
    EXPECT_NEAR(*inside.outcome.summary.find("rms_before")->number(), std::sqrt(squares / 2.0),
                1e-12);
    EXPECT_GT(*inside.outcome.summary.find("gradient_norm_before")->number(), 0.0);
}

TEST(BeamOptimize, GoesOnWithTheSearchesThatTheCheckpointKeeps) {
    const std::string text = mass_between("5 g", "50 g", 3);
    io::Checkpoint cut("case");
    const std::string nothing = cut.text();
    const Outcome stopped =
        tests::solve(text, {1, true, [&] { return cut.text() != nothing; }, &cut});
    EXPECT_EQ(stopped.ending, Ending::interrupted);
    EXPECT_EQ(stopped.items_done, 1u);
    EXPECT_EQ(stopped.item_count, 3u);

    std::size_t asked = 0;
    const auto count_and_go_on = [&] {
        ++asked;
        return false;
    };
    const Outcome whole = tests::solve(text, {1, true, count_and_go_on, nullptr});
    const std::size_t asked_by_whole = std::exchange(asked, 0);
    io::Checkpoint kept("case");
    kept.take_text(cut.text(), "cut");
    EXPECT_EQ(kept.restored(), 1u);
    const Outcome resumed = tests::solve(text, {1, true, count_and_go_on, &kept});
    EXPECT_EQ(resumed.ending, Ending::complete);
    EXPECT_LT(asked, asked_by_whole);  // the first search is not made again
    EXPECT_EQ(tests::bytes(resumed), tests::bytes(whole));
    EXPECT_EQ(resumed.warnings, whole.warnings);
}

/// One target for two keys: each search reaches it with others.
TEST(BeamOptimize, SaysOfOtherDesignsWhetherTheyAreAsGood) {
    const std::string text =
        "problem: beam_optimize\n" + beam_and_striker +
        "goal: given\ntarget: 0.4\nstarts: 3\nlocations: {at: [0.6]}\ndesign:\n"
        "  - {key: \"beam.masses[0].mass\", from: 5 g, to: 50 g}\n"
        "  - {key: striker.radius, from: 4 mm, to: 9 mm}\n";
    const Outcome found = tests::solve(text);
    const io::Table& starts = tests::table(found, "starts.csv");
    for (const double rms : starts.numbers("end_rms")) EXPECT_LT(rms, 1e-9);
    EXPECT_NE(tests::warning_with(found, "2 of 3 searches ended in another design that is as good"),
              "");
    EXPECT_EQ(tests::warning_with(found, "which is worse"), "");
    const io::Table& design = tests::table(found, "design.csv");
    EXPECT_EQ(design.numbers("after")[0], starts.numbers("end_beam.masses[0].mass_kg")[0]);
    EXPECT_EQ(design.numbers("after")[1], starts.numbers("end_striker.radius_m")[0]);
}

TEST(BeamOptimize, HasTheKeyFiguresOfTheDesign) {
    const Solved run = solved_between("20 g", "50 g");
    const double added = run.table("design.csv").numbers("after")[0] - 0.01;
    EXPECT_GE(added, 0.01);
    const io::Value of_all = to_value(run.echo.figures);
    const io::Value& of_case = of_all.items()->front();
    const io::Value& of_design =
        run.outcome.summary.find("key_figures_of_design")->items()->front();
    EXPECT_EQ(*of_design.find("quantity")->text(), "mass of the beam");
    EXPECT_NEAR(*of_design.find("low")->number() - *of_case.find("low")->number(), added, 1e-12);
}

}  // namespace
}  // namespace stoss::solvers

namespace stoss::postproc {
namespace {

TEST(BeamOptimizeReport, ShowsTheKeyFiguresOfTheCaseBesideThoseOfTheDesign) {
    const tests::SampleRun run;
    run.write("summary.json", R"({"problem": "beam_optimize", "title": "a design",
        "key_figures": [{"quantity": "mass of the beam", "text": "87.8 g"}],
        "key_figures_of_design": [{"quantity": "mass of the beam", "text": "97.8 g"}]})");
    run.write(
        "design.csv",
        "key,unit,before,after,from,to,at_bound,cost_gradient\nm,kg,0.01,0.02,0.02,0.05,lower,"
        "0\n");
    run.write("starts.csv", "start_m_kg,end_m_kg\n0.02,0.02\n");
    const auto sections = beam_optimize_report(read_run(run.path())).sections;
    EXPECT_EQ(sections.front().heading, "Key figures of the case and of the design");
    const std::string& table = sections.front().content;
    EXPECT_LT(table.find("before"), table.find("after"));
    EXPECT_LT(table.find("87.8 g"), table.find("97.8 g"));
}

}  // namespace
}  // namespace stoss::postproc
