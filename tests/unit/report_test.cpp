#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <postproc/report/html.hpp>
#include <postproc/report/report_parts.hpp>
#include <sample_run.hpp>
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

std::string report_of(const SampleRun& run) {
    solvers::write_report(run.path());
    return run.read("report.html");
}

/// summary.json of the run with a further key.
void add_to_summary(const SampleRun& run, const char* key, io::Value value) {
    io::Value summary = io::parse_json(run.read("summary.json"), "summary.json");
    summary.set(key, std::move(value));
    run.write("summary.json", io::to_json(summary));
}

io::Value expectation(bool passed) {
    return io::Value::object()
        .set("quantity", "cor_kinematic")
        .set("expected", 0.6362)
        .set("tolerance", 1e-4)
        .set("computed", 0.637393)
        .set("difference", 0.001193)
        .set("passed", passed)
        .set("source", "Smith & Jones <2024>");
}

TEST(Report, OfACollisionHoldsNumbersWithUnitsFiguresAndProvenance) {
    const SampleRun run;
    CollisionSample{}.write(run, "The beam & the <cylinder>");
    const std::string html = report_of(run);
    for (const char* part : {"The beam &amp; the &lt;cylinder&gt;", "0.6374", "1234.5", "<svg",
                             "Figure 1.", "Energy balance", "2 × 10<sup>−12</sup>", "length",
                             "0.508 m", "BSD-3-Clause", "Provenance", "0.1.0", "<details>"}) {
        EXPECT_TRUE(contains(html, part)) << part;
    }
    EXPECT_FALSE(contains(html, "<cylinder>"));
}

TEST(Report, OfAMapHoldsOneRowASweptValueAndThreeFigures) {
    const SampleRun run;
    MapSample sample;
    sample.sweep = "motion.angular_velocity_rad_per_s";
    sample.swept = {"-4", "-6"};
    sample.write(run);
    const std::string html = report_of(run);
    EXPECT_TRUE(contains(html, "angular velocity (rad/s)"));
    EXPECT_TRUE(contains(html, "<td>−4</td>"));
    EXPECT_TRUE(contains(html, "<td>−6</td>"));
    EXPECT_TRUE(contains(html, "Figure 3."));
    EXPECT_TRUE(contains(html, "100 separated"));
}

TEST(Report, ShowsItsFiguresWithoutScriptsAndNeedsNoNetwork) {
    const SampleRun run;
    MapSample{}.write(run);
    const std::string html = report_of(run);
    const std::size_t script = html.find("<script");
    ASSERT_NE(script, std::string::npos);
    EXPECT_TRUE(contains(html.substr(0, script), "Figure 3."));
    EXPECT_FALSE(contains(html.substr(html.rfind("</script>")), "<section"));
    EXPECT_FALSE(contains(html, " src="));
    EXPECT_FALSE(contains(html, "url(http"));
    EXPECT_FALSE(contains(html, "@import"));
    EXPECT_FALSE(contains(html, "<link"));
}

TEST(Report, IdentifiersOfTheFiguresDoNotClash) {
    const SampleRun run;
    MapSample sample;
    sample.locations = 5;  // every point is marked, by a reference into the figure
    sample.write(run);
    const std::string html = report_of(run);
    std::vector<std::string> seen;
    for (std::size_t at = 0; (at = html.find("<circle id=", at)) != std::string::npos; ++at) {
        seen.push_back(html.substr(at, html.find(' ', at + 8) - at));
    }
    ASSERT_EQ(seen.size(), 6U);  // each figure in two widths
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), seen.size());
}

TEST(Report, ShowsWhichExpectationsAreMet) {
    const SampleRun run;
    CollisionSample{}.write(run);
    EXPECT_FALSE(contains(report_of(run), "<h2>Expectations"));
    io::Value list = io::Value::array();
    list.append(expectation(true));
    list.append(expectation(false).set("reason", "no such <column>"));
    add_to_summary(run, "expectations", std::move(list));
    const std::string html = report_of(run);
    EXPECT_TRUE(contains(html, "1 of 2 expectations met"));
    EXPECT_TRUE(contains(html, "✗ not met"));
    EXPECT_TRUE(contains(html, "Smith &amp; Jones &lt;2024&gt;"));
    EXPECT_TRUE(contains(html, "no such &lt;column&gt;"));
}

TEST(Report, ListsWarningsAndFailedLocations) {
    const SampleRun run;
    MapSample sample;
    sample.failed = {3};
    sample.write(run);
    io::Value warnings = io::Value::array();
    warnings.append("reduce integration.step");
    add_to_summary(run, "warnings", std::move(warnings));
    const std::string html = report_of(run);
    EXPECT_TRUE(contains(html, "<h2>Warnings"));
    EXPECT_TRUE(contains(html, "reduce integration.step"));
    EXPECT_TRUE(contains(html, "not separated</li>"));
    EXPECT_TRUE(contains(html, "1 not separated"));
}

TEST(Report, ManyFailuresAreNotAllListed) {
    const SampleRun run;
    MapSample sample;
    for (std::size_t row = 0; row < 30; ++row) sample.failed.push_back(row);
    sample.write(run);
    EXPECT_TRUE(contains(report_of(run), "and 18 more"));
}

TEST(Report, OfAMapOfThreeTimesFourHundredStaysSmall) {
    const SampleRun run;
    MapSample sample;
    sample.locations = 400;
    sample.sweep = "motion.angular_velocity_rad_per_s";
    sample.swept = {"-4", "-6", "-8"};
    sample.write(run);
    solvers::write_report(run.path());
    EXPECT_LT(std::filesystem::file_size(run.file("report.html")), 1'000'000U);
}

TEST(Report, SaysHowToCite) {
    const SampleRun run;
    MapSample{}.write(run);
    const std::string html = report_of(run);
    EXPECT_TRUE(contains(html, "@software{stoss,"));
    EXPECT_TRUE(contains(html, "author  = {{The Stoss developers}}"));
}

TEST(Report, WordsOfACaseCannotEndItsScripts) {
    const SampleRun run;
    MapSample sample;
    sample.sweep = "name";
    sample.swept = {"</script><b>", "x"};
    sample.write(run);
    const std::string html = report_of(run);
    std::size_t ends = 0;
    for (std::size_t at = 0; (at = html.find("</script>", at)) != std::string::npos; ++at) ++ends;
    EXPECT_EQ(ends, 2U);  // the numbers, and what shows them
}

TEST(Report, SameRunGivesTheSameBytes) {
    const SampleRun run;
    CollisionSample{}.write(run);
    EXPECT_EQ(report_of(run), report_of(run));
}

TEST(Report, FailedCollisionHasNoNumbersButAReport) {
    const SampleRun run;
    CollisionSample{}.write(run);
    run.write("summary.json", io::to_json(io::Value::object()
                                              .set("problem", "beam_impact")
                                              .set("status", "not_separated")
                                              .set("cor_kinematic", tests::nan)));
    const std::string html = report_of(run);
    EXPECT_TRUE(contains(html, "not separated"));
    EXPECT_TRUE(contains(html, "The collision gave no numbers."));
}

TEST(Report, IsWrittenWithoutFiguresBeforeTheirErrorIsThrown) {
    const SampleRun run;
    CollisionSample{}.write(run);
    run.write("figures", "a file stands where the folder should be");
    EXPECT_THROW(solvers::write_report(run.path()), core::FileError);
    const std::string html = run.read("report.html");
    EXPECT_TRUE(contains(html, "no figures: "));
    EXPECT_TRUE(contains(html, "0.6374"));
    EXPECT_FALSE(contains(html, "<svg"));
}

TEST(Report, OfAnIncompleteRunSaysWhatIsMissing) {
    for (const char* missing : {"provenance.json", "case.yaml", "map.csv", "summary.json"}) {
        const SampleRun run;
        MapSample{}.write(run);
        run.remove(missing);
        try {
            solvers::write_report(run.path());
            ADD_FAILURE() << missing;
        } catch (const core::FileError& error) {
            EXPECT_TRUE(contains(error.what(), std::string(missing) + " is missing"))
                << error.what();
        }
        EXPECT_FALSE(run.has("report.html")) << missing;
    }
}

/// The message with which the report of a run ends.
std::string report_error(const SampleRun& run) {
    try {
        solvers::write_report(run.path());
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

TEST(Report, OfADamagedSummaryEndsWithAMessage) {
    const SampleRun contacts;
    contacts.write("map.csv",
                   "mu,impulse_n_N_s,slip_m_per_s,dissipated_energy_J\n0.1,1.0,2.0,3.0\n");
    for (const auto& [place, sweep] : {std::pair{io::Value(1), io::Value("mu")},
                                       std::pair{io::Value("mu"), io::Value(io::Value::array())}}) {
        contacts.write("summary.json", io::to_json(io::Value::object()
                                                       .set("problem", "rigid_contact")
                                                       .set("contacts_that_stick", 1)
                                                       .set("place", place)
                                                       .set("sweep", sweep)));
        EXPECT_TRUE(contains(report_error(contacts), "there is no such column"))
            << report_error(contacts);
    }
    const SampleRun map;
    MapSample{}.write(map);
    map.write("uncertainty.csv", "xi,cor_mean,cor_quantile_05,cor_quantile_95\n0.5,0.6,0.5,0.7\n");
    io::Value keys = io::Value::array();
    keys.append(1);
    add_to_summary(map, "uncertainty",
                   io::Value::object().set("samples", 64).set("keys", std::move(keys)));
    EXPECT_TRUE(contains(report_error(map), "uncertainty.csv: the column ")) << report_error(map);
}

TEST(Report, ShowsWhatADamagedProvenanceHolds) {
    const SampleRun run;
    MapSample{}.write(run);
    for (const char* facts : {"[1]", R"({"version": 3, "tables": [1]})", "null"}) {
        run.write("provenance.json", facts);
        EXPECT_TRUE(contains(report_of(run), "How to cite")) << facts;
    }
    run.write("provenance.json", "{");
    EXPECT_TRUE(contains(report_error(run), "provenance.json")) << report_error(run);
}

TEST(Registry, EveryProblemHasAReport) {
    for (const solvers::Problem& problem : solvers::problems()) {
        postproc::Run run;
        run.problem = problem.name;
        EXPECT_NO_THROW(solvers::report_of(run)) << problem.name;
    }
}

TEST(FileTable, ShowsTheFirstRowsWithWordsAndUnits) {
    const SampleRun run;
    io::Table table;
    table.add("scheme", std::vector<std::string>{"verlet", "a<b", "rk4"});
    table.add("step_s", std::vector<double>{1e-6, -0.5, 2.0});
    run.write("schemes.csv", io::to_csv(table));
    const std::string html = file_table({run.path(), {}, {}, {}}, "schemes.csv", 2);
    for (const char* part : {">step (s)<", ">verlet<", "a&lt;b", "−0.5", "first 2 of 3 rows"}) {
        EXPECT_TRUE(contains(html, part)) << part << html;
    }
    EXPECT_FALSE(contains(html, "rk4"));
}

TEST(Html, NumbersReadAsInPrint) {
    EXPECT_EQ(html_number(0.637393), "0.637393");
    EXPECT_EQ(html_number(-6.0), "−6");
    EXPECT_EQ(html_number(1.5e-12), "1.5 × 10<sup>−12</sup>");
    EXPECT_EQ(html_number(-2e20), "−2 × 10<sup>20</sup>");
    EXPECT_EQ(html_number(tests::nan), "–");
    EXPECT_EQ(html_number(-HUGE_VAL), "−∞");
}

TEST(Html, TextIsEscapedAndSubscriptsAreSet) {
    EXPECT_EQ(html_text("e_{N} < \"1\" & 'x'"),
              "e<sub>N</sub> &lt; &quot;1&quot; &amp; &#39;x&#39;");
    EXPECT_EQ(html_text("open _{ end"), "open _{ end");
}

}  // namespace
}  // namespace stoss::postproc
