/// `virtual_experiment`, `stoss encoder`, `stoss compare` and `stoss fit`, end to end by the real
/// command.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <command.hpp>
#include <encoder_signal.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/json.hpp>

namespace stoss::tests {
namespace {

namespace fs = std::filesystem;

/// A pinned beam on a coarse mesh.
const std::string body = R"(beam:
  length: 508 mm
  section: {shape: circle, radius: 6.35 mm}
  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34, density: 2710 kg/m^3}
  supports:
    - {type: pin, xi: 0}
  internal_damping: 1e6 Pa s
striker:
  shape: cylinder
  radius: 6.35 mm
  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34}
motion: {angular_velocity: -3 rad/s}
mesh: {elements: 20, modes: 10}
integration: {scheme: newmark, step: 1 us}
)";
const std::string experiment = "problem: virtual_experiment\n" + body +
                               "locations: {from: 0.3, to: 0.9, points: 4}\nrepeats: 2\n"
                               "bearing_friction: 0.2 rad/s^2\n";
const std::string map = "problem: beam_impact_map\ntitle: damped\n" + body;

class ExperimentCommand : public testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) const {
        io::write_text(folder_.file(name), text);
    }
    std::string text(const std::string& name) const { return io::read_text(folder_.file(name)); }
    io::Table table(const std::string& name) const { return io::read_csv(folder_.file(name)); }
    io::Value json(const std::string& name) const { return io::parse_json(text(name), name); }
    Ended stoss(const std::vector<std::string>& arguments) const {
        return stoss_command(arguments, {.directory = folder_.path()});
    }
    void run(const std::string& case_text, const std::string& directory,
             const std::vector<std::string>& more = {}) const {
        write(directory + ".yaml", case_text);
        std::vector<std::string> arguments{"run", directory + ".yaml", "-o", directory, "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Ended ended = stoss(arguments);
        ASSERT_EQ(ended.code, 0) << ended.err;
    }

    TemporaryDirectory folder_;
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(ExperimentCommand, EncoderRecoversTheTruthOfAVirtualExperiment) {
    run(experiment, "virtual");
    const Ended ended = stoss({"encoder", "virtual/traces", "-o", "measured"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.out, "synthetic: computed, not measured")) << ended.out;
    const io::Table truth = table("virtual/truth.csv"), found = table("measured/collisions.csv");
    ASSERT_EQ(found.rows(), 8u);
    EXPECT_EQ(found.texts("file"), truth.texts("file"));
    for (std::size_t i = 0; i < found.rows(); ++i) {
        EXPECT_NEAR(found.numbers("cor")[i], truth.numbers("cor_kinematic")[i], 0.01);
        EXPECT_NEAR(found.numbers("deceleration_before_rad_per_s2")[i], 0.2, 0.05);
        EXPECT_GE(found.numbers("impact_s")[i], truth.numbers("first_contact_s")[i]);
        EXPECT_LE(found.numbers("impact_s")[i], truth.numbers("separation_s")[i] + 1e-3);
    }
    for (const char* file :
         {"virtual/truth.csv", "virtual/traces/manifest.csv", "virtual/traces/trace_0001_001.csv",
          "measured/collisions.csv", "measured/experiment.csv"}) {
        EXPECT_TRUE(text(file).starts_with("# synthetic: computed by Stoss, not measured\n"))
            << file;
    }
    for (const char* directory : {"virtual", "measured"}) {
        EXPECT_TRUE(contains(text(std::string(directory) + "/report.html"),
                             "synthetic: computed, not measured"));
    }
    EXPECT_TRUE(contains(text("measured/figures/experiment.svg"), "synthetic"));
}

TEST_F(ExperimentCommand, ARunLeavesNoTracesOfTheRunBefore) {
    run(experiment, "virtual");
    const auto exists = [&](const std::string& name) {
        return fs::exists(folder_.file("virtual/traces/" + name));
    };
    ASSERT_TRUE(exists("trace_0001_002.csv"));
    write("virtual/traces/mine.csv", "mine");
    run(experiment, "virtual", {"--force", "--set", "repeats=1"});
    EXPECT_TRUE(exists("trace_0001_001.csv"));
    EXPECT_FALSE(exists("trace_0001_002.csv"));
    run(map + "locations: {from: 0.3, to: 0.9, points: 2}\n", "virtual", {"--force"});
    for (const char* const old : {"trace_0001_001.csv", "manifest.csv", "encoder.yaml"})
        EXPECT_FALSE(exists(old)) << old;
    EXPECT_EQ(text("virtual/traces/mine.csv"), "mine");
}

TEST_F(ExperimentCommand, EncoderLeavesNoTablesOfAnEarlierCommand) {
    run(experiment, "virtual");
    ASSERT_EQ(stoss({"encoder", "virtual/traces", "-o", "measured", "--quiet"}).code, 0);
    ASSERT_TRUE(fs::exists(folder_.file("measured/collisions.csv")));
    const std::string trace = "virtual/traces/trace_0001_001.csv";
    ASSERT_EQ(stoss({"encoder", trace, "-o", "measured", "--quiet"}).code, 0);
    EXPECT_TRUE(fs::exists(folder_.file("measured/trace.csv")));
    for (const char* old : {"measured/collisions.csv", "measured/experiment.csv"})
        EXPECT_FALSE(fs::exists(folder_.file(old))) << old;
    EXPECT_EQ(json("measured/provenance.json").find("tables")->items()->size(), 1u);
}

TEST_F(ExperimentCommand, EncoderNamesItsDirectoryByTheWholeNameOfAFolder) {
    run(experiment, "virtual");
    fs::rename(folder_.file("virtual/traces"), folder_.file("trial.1"));
    ASSERT_EQ(stoss({"encoder", "trial.1/", "--quiet"}).code, 0);
    EXPECT_TRUE(fs::exists(folder_.file("runs/trial.1_encoder/summary.json")));
}

TEST_F(ExperimentCommand, EqualSeedsGiveEqualBytes) {
    const std::string scattered = experiment + "scatter: {speed: 5 %, location: 1 mm}\n";
    run(scattered, "a", {"--threads", "1"});
    run(scattered, "b", {"--threads", "3"});
    run(scattered + "seed: 2\n", "c");
    for (const auto& entry : fs::recursive_directory_iterator(folder_.file("a"))) {
        const fs::path name = entry.path().lexically_relative(folder_.file("a"));
        const bool has_a_clock =
            name == "provenance.json" || name == "summary.json" || name == "report.html";
        if (!entry.is_regular_file() || has_a_clock) continue;
        EXPECT_EQ(text("a" / name), text("b" / name)) << name;
    }
    EXPECT_NE(text("a/traces/trace_0001_001.csv"), text("c/traces/trace_0001_001.csv"));
    EXPECT_EQ(json("a/provenance.json").find("seed")->number(), 1.0);
}

TEST_F(ExperimentCommand, CompareTellsTheDampedBeamFromTheUndamped) {
    run(experiment, "virtual");
    ASSERT_EQ(stoss({"encoder", "virtual/traces", "-o", "measured", "--quiet"}).code, 0);
    const std::string places = "locations_from: measured/experiment.csv\n";
    run(map + places, "damped");
    const auto replaced = [](const std::string& text, const std::string& old,
                             const std::string& now) {
        const std::size_t at = text.find(old);
        return fmt::format("{}{}{}", text.substr(0, at), now, text.substr(at + old.size()));
    };
    const std::string undamped =
        replaced(replaced(map + places, "1e6 Pa s", "0"), "damped", "undamped");
    run(undamped, "undamped");

    const Ended good =
        stoss({"compare", "damped", "measured/experiment.csv", "-o", "one", "--max-rmse", "0.01"});
    EXPECT_EQ(good.code, 0) << good.out;
    for (const char* wrong : {"nan", "-0.1", "0,01"}) {
        const Ended refused =
            stoss({"compare", "damped", "measured/experiment.csv", "--max-rmse", wrong});
        EXPECT_EQ(refused.code, 2) << wrong;
        EXPECT_TRUE(contains(refused.err, "must be a number of 0 or more, such as 0.02")) << wrong;
    }
    const Ended both = stoss({"compare", "damped", "undamped", "measured/experiment.csv", "-o",
                              "both", "--max-rmse", "0.01"});
    EXPECT_EQ(both.code, 1) << both.out;
    EXPECT_TRUE(contains(both.out, "not as asked for: an RMSE is above 0.01"));
    const io::Value summary = json("both/summary.json");
    const auto& comparisons = *summary.find("comparisons")->items();
    ASSERT_EQ(comparisons.size(), 2u);
    const double damped = *comparisons[0].find("rmse")->number();
    const double without = *comparisons[1].find("rmse")->number();
    EXPECT_LT(damped, 0.005);
    EXPECT_GT(without, 5.0 * damped);
    EXPECT_TRUE(summary.find("synthetic")->flag().value_or(false));
    EXPECT_EQ(table("both/comparison.csv").rows(), 4u);
    EXPECT_TRUE(contains(text("both/report.html"), "<svg"));
    // Two runs of one title: the labels of the curves have their directories.
    fs::copy(folder_.file("damped"), folder_.file("twin"), fs::copy_options::recursive);
    EXPECT_EQ(stoss({"compare", "damped", "twin", "measured/experiment.csv", "-o", "twins"}).code,
              0);
    for (const char* run : {"(damped)", "(twin)"}) {
        EXPECT_TRUE(contains(text("twins/figures/comparison.svg"), run)) << run;
    }
    for (const char* report : {"both/report.html", "damped/report.html"}) {
        EXPECT_TRUE(contains(text(report), "<td>χ² of the means</td>")) << report;
        EXPECT_TRUE(contains(text(report), "<td>probability</td>")) << report;
    }
    EXPECT_TRUE(contains(text("damped/report.html"), "<h2>Comparison</h2>"));
    EXPECT_TRUE(fs::exists(folder_.file("damped/figures/comparison.svg")));
    EXPECT_EQ(*json("damped/summary.json").find("measured_rmse_max")->number(), damped);
}

// Dry friction, of which the traces do not tell that it is dry, shifts every trace the same way.
TEST_F(ExperimentCommand, CompareDoesNotRejectTheTrueModelForTheKindOfFriction) {
    run(experiment + "encoder: {pulses_per_revolution: 200000}\n", "virtual",
        {"--set", "repeats=5", "--set", "locations={at: [0.4, 0.5, 0.6]}"});
    ASSERT_EQ(stoss({"encoder", "virtual/traces", "-o", "measured", "--quiet"}).code, 0);
    run(map + "locations_from: measured/experiment.csv\n", "model");
    const auto probability_of = [&](const std::string& file) {
        EXPECT_EQ(stoss({"compare", "model", file, "-o", "compared"}).code, 0);
        const io::Value summary = json("compared/summary.json");
        return *summary.find("comparisons")
                    ->items()
                    ->front()
                    .find("probability_of_means")
                    ->number();
    };
    EXPECT_GT(probability_of("measured/experiment.csv"), 0.05);
    EXPECT_GT(probability_of("measured/collisions.csv"), 0.05);
    const io::Table means = table("measured/experiment.csv");
    std::string scatter_alone = "xi,cor,sd,n\n";
    for (std::size_t i = 0; i < means.rows(); ++i)
        scatter_alone +=
            fmt::format("{},{},{},5\n", means.numbers("xi")[i], means.numbers("cor")[i],
                        means.numbers("cor_standard_deviation")[i]);
    write("scatter.csv", scatter_alone);
    EXPECT_LT(probability_of("scatter.csv"), 0.05);
}

TEST_F(ExperimentCommand, AMapWithoutRestitutionIsComparedWithNothing) {
    write("places.csv", "xi,cor\n0.5,0.9\n0.8,0.2\n");
    write("map.yaml", map + "locations_from: places.csv\n");
    const Ended ended =
        stoss({"run", "map.yaml", "-o", "map", "--set", "integration.time_limit=1 us"});
    EXPECT_EQ(ended.code, 3) << ended.out << ended.err;
    EXPECT_FALSE(contains(text("map/report.html"), "<h2>Comparison</h2>"));
    const Ended compared = stoss({"compare", "map", "places.csv", "-o", "nothing"});
    EXPECT_EQ(compared.code, 2);
    EXPECT_TRUE(contains(compared.err, "ended with the bodies apart")) << compared.err;
}

TEST_F(ExperimentCommand, ComparisonOverLengthsIsInTheUnitThatSuitsThem) {
    run(map + "locations: {from: 100 mm, to: 400 mm, points: 4}\n", "map");
    write("places.csv", "x [mm],cor\n150,0.9\n280,0.2\n");
    const Ended ended = stoss({"compare", "map", "places.csv", "-o", "compared"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.out, " at x = 280 mm\n")) << ended.out;
    EXPECT_TRUE(contains(text("compared/report.html"), "at x = 280 mm"));
    EXPECT_TRUE(contains(text("compared/figures/comparison.svg"), "(mm)"));
    EXPECT_DOUBLE_EQ(*json("compared/summary.json")
                          .find("comparisons")
                          ->items()
                          ->front()
                          .find("place_of_largest_difference")
                          ->number(),
                     0.28);
}

TEST_F(ExperimentCommand, MapSaysOfWhichCollisionsItsLargestTruncationIs) {
    write("map.yaml", map + "locations: {from: 0.3, to: 0.9, points: 4}\n");
    const Ended ended = stoss({"run", "map.yaml", "-o", "map"});
    const double open = *json("map/summary.json").find("not_predictable")->number();
    ASSERT_GT(open, 0.0);
    EXPECT_TRUE(contains(ended.out, fmt::format("(of the {} predictable collisions)", 4.0 - open)))
        << ended.out;
}

TEST_F(ExperimentCommand, ResultsOfACaseAreNotReplacedByAComparison) {
    write("places.csv", "xi,cor\n0.4,0.9\n0.5,0.8\n");
    run(map + "locations_from: places.csv\n", "map");
    const std::string kept = text("map/summary.json");
    const Ended ended = stoss({"compare", "map", "places.csv", "-o", "map"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.err,
              "map: error: holds a run of a case\n    hint: name another directory with -o\n");
    EXPECT_EQ(text("map/summary.json"), kept);
    ASSERT_EQ(stoss({"compare", "map", "places.csv", "-o", "compared"}).code, 0);
    EXPECT_EQ(stoss({"compare", "map", "places.csv", "-o", "compared"}).code, 0);
    const Ended other = stoss({"run", "map.yaml", "-o", "compared"});
    EXPECT_EQ(other.code, 2);
    EXPECT_TRUE(contains(other.err, "compared: error: holds the results of another command"));
}

TEST_F(ExperimentCommand, MapAtMeasuredPlacesRunsAgainWithoutTheTable) {
    write("places.csv", "x [mm],cor\n203.2,0.9\n254,0.8\n");
    run(map + "locations_from: places.csv\n", "first");
    fs::remove(folder_.file("places.csv"));
    const std::string resolved = text("first/case.yaml");
    run(resolved, "second");
    EXPECT_EQ(text("first/map.csv"), text("second/map.csv"));
    EXPECT_NEAR(table("first/map.csv").numbers("xi")[0], 0.4, 1e-15);
    EXPECT_NEAR(table("first/map.csv").numbers("xi")[1], 0.5, 1e-15);
}

const std::string uncertain = map + R"(locations: {from: 0.3, to: 0.9, points: 4}
uncertainty:
  samples: 16
  keys:
    - {key: beam.internal_damping, distribution: lognormal, relative_sigma: 20 %}
    - {key: location, distribution: normal, sigma: 0.5 mm}
)";

TEST_F(ExperimentCommand, UncertaintyOfOneSeedGivesEqualBytesOnAnyNumberOfThreads) {
    run(uncertain, "a", {"--threads", "1"});
    run(uncertain, "b", {"--threads", "3"});
    run(uncertain, "c", {"--set", "uncertainty.seed=2"});
    for (const char* name : {"map.csv", "uncertainty.csv", "figures/uncertainty.svg"}) {
        EXPECT_EQ(text(std::string("a/") + name), text(std::string("b/") + name)) << name;
    }
    EXPECT_EQ(text("a/map.csv"), text("c/map.csv"));
    EXPECT_NE(text("a/uncertainty.csv"), text("c/uncertainty.csv"));
    const io::Table found = table("a/uncertainty.csv"), nominal = table("a/map.csv");
    for (std::size_t i = 0; i < found.rows(); ++i) {
        EXPECT_EQ(found.numbers("samples")[i], 32.0);
        EXPECT_NEAR(found.numbers("cor_mean")[i], nominal.numbers("cor_kinematic")[i], 0.05);
        EXPECT_LT(found.numbers("cor_quantile_05")[i], found.numbers("cor_quantile_50")[i]);
        EXPECT_LT(found.numbers("cor_quantile_50")[i], found.numbers("cor_quantile_95")[i]);
    }
    EXPECT_EQ(json("a/provenance.json").find("seed")->number(), 1.0);
    EXPECT_TRUE(contains(text("a/report.html"), "<h2>Uncertainty</h2>"));
}

TEST_F(ExperimentCommand, UncertaintyBeyondTheEndOfTheBeamIsSaid) {
    const std::string at_the_end = "locations: {at: [0.9, 1.0]}";
    std::string text_of_case = uncertain;
    text_of_case.replace(text_of_case.find("locations:"), 42, at_the_end);
    write("end.yaml", text_of_case);
    const Ended ended = stoss({"run", "end.yaml", "-o", "end", "--quiet"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.err, "at 1 of 2 places some samples miss the beam")) << ended.err;
    const io::Table found = table("end/uncertainty.csv");
    EXPECT_EQ(found.numbers("samples")[0], 32.0);
    EXPECT_LT(found.numbers("samples")[1], 32.0);
    EXPECT_GT(found.numbers("samples")[1], 0.0);
    EXPECT_TRUE(std::isfinite(found.numbers("total_location")[0]));
    EXPECT_TRUE(std::isnan(found.numbers("total_location")[1]));
}

/// A beam that is known to be half as long as the case says, by samples that hardly differ.
TEST_F(ExperimentCommand, AnUncertainPlaceIsShiftedOnTheBeamOfItsSample) {
    const std::string head =
        "problem: beam_impact_map\n" + body.substr(0, body.find("integration:")) +
        "integration: {scheme: splitting, tolerance: 1e-7}\n"
        "locations: {from: 0.35, to: 0.9, points: 4}\nuncertainty:\n  samples: 8\n  keys:\n"
        "    - {key: location, distribution: uniform, from: 4 mm, to: 6 mm}\n"
        "    - {key: beam.length, distribution: uniform, from: 253.9999 mm, to: 254.0001 mm}\n";
    run(head, "long");
    run(head, "short", {"--set", "beam.length=254 mm"});
    const auto means = [&](const std::string& directory) {
        return table(directory + "/uncertainty.csv").numbers("cor_mean");
    };
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(means("long")[i], means("short")[i], 1e-9) << i;
}

/// The same beam with the default scheme, and what is to be found from measured.csv.
const std::string fit = "problem: beam_fit\n" + body.substr(0, body.find("integration:")) +
                        "experiment: measured.csv\nfit:\n"
                        "  - {key: beam.internal_damping, from: 1e5 Pa s, to: 1e7 Pa s, spacing: "
                        "logarithmic}\n";

TEST_F(ExperimentCommand, FitRecoversTheDampingBehindATable) {
    run("problem: beam_impact_map\n" + body.substr(0, body.find("integration:")) +
            "locations: {from: 0.3, to: 0.9, points: 9}\n",
        "truth");
    const io::Table truth = table("truth/map.csv");
    std::string rows = "xi,cor\n";
    for (std::size_t i = 0; i < truth.rows(); ++i) {
        const double error = i % 2 == 0 ? 0.002 : -0.002;
        rows += fmt::format("{},{}\n", truth.numbers("xi")[i],
                            truth.numbers("cor_kinematic")[i] + error);
    }
    write("measured.csv", rows);
    std::string elsewhere = fit;
    elsewhere.replace(elsewhere.find("1e6 Pa s"), 8, "3e5 Pa s");
    write("fit.yaml", elsewhere);
    const Ended ended = stoss({"fit", "fit.yaml", "measured.csv", "-o", "fitted", "--quiet"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.err, "");
    const io::Table found = table("fitted/parameters.csv");
    EXPECT_EQ(found.texts("key")[0], "beam.internal_damping");
    EXPECT_NEAR(found.numbers("value")[0], 1e6, 5e4);
    EXPECT_LT(found.numbers("low_95")[0], 1e6);
    EXPECT_GT(found.numbers("high_95")[0], 1e6);
    EXPECT_NEAR(*json("fitted/summary.json").find("rmse")->number(), 0.002, 5e-4);
    EXPECT_EQ(table("fitted/starts.csv").rows(), 16U);  // the first four end at two minima
    EXPECT_EQ(table("fitted/points.csv").rows(), 9U);
    EXPECT_TRUE(contains(text("fitted/report.html"), "<svg"));

    const std::string resolved = text("fitted/case.yaml");  // the table lies beside it
    write("fitted/again.yaml", resolved);
    ASSERT_EQ(stoss({"run", "fitted/again.yaml", "-o", "again", "--quiet"}).code, 0);
    EXPECT_EQ(text("again/parameters.csv"), text("fitted/parameters.csv"));
}

/// A table of true restitution with differences of 0.002, whose standard errors are stated.
std::string rows_with_errors(const io::Table& truth, double stated) {
    std::string rows = "xi,cor,sd\n";
    for (std::size_t i = 0; i < truth.rows(); ++i) {
        rows +=
            fmt::format("{},{},{}\n", truth.numbers("xi")[i],
                        truth.numbers("cor_kinematic")[i] + (i % 2 == 0 ? 0.002 : -0.002), stated);
    }
    return rows;
}

TEST_F(ExperimentCommand, FitSaysHowProbableItsResidualsAre) {
    run("problem: beam_impact_map\n" + body.substr(0, body.find("integration:")) +
            "locations: {from: 0.3, to: 0.9, points: 9}\n",
        "truth");
    write("fit.yaml", fit + "starts: 1\nweights: standard_error\n");
    const auto probability = [&](double stated) {
        write("measured.csv", rows_with_errors(table("truth/map.csv"), stated));
        EXPECT_EQ(
            stoss({"fit", "fit.yaml", "measured.csv", "-o", "fitted", "--quiet", "--force"}).code,
            0);
        return *json("fitted/summary.json").find("probability")->number();
    };
    EXPECT_LT(probability(0.0005), 1e-6);  // differences of four standard errors everywhere
    EXPECT_GT(probability(0.002), 0.05);   // of one
    EXPECT_EQ(json("fitted/summary.json").find("degrees_of_freedom")->number(), 8.0);
    EXPECT_TRUE(fs::exists(folder_.file("fitted/figures/measured_against_fitted.svg")));
    const std::string report = text("fitted/report.html");
    for (const char* const words :
         {"The scatter of the measurements explains the differences", "start: internal damping",
          "From the restitution at 9 positions", "points count less than in full"}) {
        EXPECT_TRUE(contains(report, words)) << words;
    }
    for (const double error : table("fitted/points.csv").numbers("cor_measured_standard_error")) {
        EXPECT_EQ(error, 0.002);
    }

    std::string rows = "xi,cor,sd,repeats\n0.3,0.9,0.002,3\n";
    for (const char* const xi : {"0.4", "0.5", "0.6"}) rows += xi + std::string(",0.8,0.002,5\n");
    write("measured.csv", rows);
    EXPECT_TRUE(contains(stoss({"fit", "fit.yaml", "measured.csv", "-o", "few", "--quiet"}).err,
                         "the standard errors of 3 repeats"));
}

/// A free bar and a sphere whose radius, modulus and density are sought: they act through mass and
/// stiffness alone.
const std::string free_bar = R"(beam:
  length: 300 mm
  section: {shape: rectangle, width: 12 mm, height: 8 mm}
  material: {youngs_modulus: 200 GPa, poisson_ratio: 0.29, density: 7850 kg/m^3}
  internal_damping: 2e6 Pa s
striker:
  shape: sphere
  radius: 8 mm
  material: {youngs_modulus: 70 GPa, poisson_ratio: 0.33, density: 2700 kg/m^3}
  velocity: 0.8 m/s
contact: {law: hunt_crossley, damping_factor: 0.15 s/m}
mesh: {elements: 30, modes: 10}
integration: {scheme: splitting, tolerance: 1e-8}
)";
const std::string fit_of_sphere = "problem: beam_fit\n" + free_bar + R"(experiment: measured.csv
loss: none
starts: 1
fit:
  - {key: striker.radius, from: 4 mm, to: 16 mm}
  - {key: striker.material.youngs_modulus, from: 20 GPa, to: 300 GPa}
  - {key: striker.material.density, from: 300 kg/m^3, to: 20000 kg/m^3}
)";

/// The restitution of the free bar plus `shift`, with errors of 0.001 that cancel one another.
std::string measured_on(const io::Table& truth, double shift) {
    std::string rows = "xi,cor\n";
    for (std::size_t i = 0; i < truth.rows(); ++i) {
        const double error = std::array{1.0, -1.0, -1.0, 1.0}[i % 4] * 1e-3;
        rows += fmt::format("{},{}\n", truth.numbers("xi")[i],
                            truth.numbers("cor_kinematic")[i] + shift + error);
    }
    return rows;
}

/// A soft striker stays longer on the beam than the motion is followed.
TEST_F(ExperimentCommand, FitLeavesAsideASearchThatBeginsWhereThereIsNoResult) {
    const std::string followed =
        body.substr(0, body.find("integration:")) + "integration: {time_limit: 20 ms}\n";
    run("problem: beam_impact_map\n" + followed + "locations: {from: 0.3, to: 0.9, points: 5}\n",
        "truth");
    write("measured.csv", measured_on(table("truth/map.csv"), 0.0));
    run("problem: beam_fit\n" + followed +
            "experiment: measured.csv\nstarts: 8\nfit:\n"
            "  - {key: striker.material.youngs_modulus, from: 100 kPa, to: 200 GPa, spacing: "
            "logarithmic}\n",
        "fitted");
    const std::vector<double> left = table("fitted/starts.csv").numbers("residual_rms");
    EXPECT_GT(std::ranges::count(left, INFINITY), 0);
    EXPECT_LT(std::ranges::count(left, INFINITY), 8);
    EXPECT_NEAR(*json("fitted/summary.json").find("rmse")->number(), 1e-3, 3e-4);
}

TEST_F(ExperimentCommand, FitGivesNoIntervalToAnyOfThreeKeysThatActThroughTwoNumbers) {
    run("problem: beam_impact_map\n" + free_bar + "locations: {from: 0.1, to: 0.9, points: 15}\n",
        "truth");
    write("measured.csv", measured_on(table("truth/map.csv"), 0.0));
    write("fit.yaml", fit_of_sphere);
    const Ended ended = stoss({"fit", "fit.yaml", "measured.csv", "-o", "fitted", "--quiet"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const io::Table found = table("fitted/parameters.csv");
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(std::isnan(found.numbers("standard_error")[i])) << found.texts("key")[i];
        EXPECT_EQ(found.numbers("low_95")[i], found.numbers("from")[i]);
        EXPECT_EQ(found.numbers("high_95")[i], found.numbers("to")[i]);
        EXPECT_TRUE(contains(ended.err, "not identified: " + found.texts("key")[i])) << ended.err;
    }
    const std::vector<double> known =
        table("fitted/combinations.csv").numbers("relative_standard_error");
    EXPECT_LT(known[0], 0.01);
    EXPECT_LT(known[1], 0.2);
    EXPECT_TRUE(std::isnan(known[2]));
}

TEST_F(ExperimentCommand, FitKeepsTheIntervalOfAKeyBesideOthersThatItLeavesOpen) {
    run("problem: beam_impact_map\n" + free_bar + "locations: {from: 0.1, to: 0.9, points: 15}\n",
        "truth");
    write("measured.csv", measured_on(table("truth/map.csv"), 0.0));
    write("fit.yaml",
          fit_of_sphere + "  - {key: contact.damping_factor, from: 0 s/m, to: 1 s/m}\n");
    ASSERT_EQ(stoss({"fit", "fit.yaml", "measured.csv", "-o", "fitted", "--quiet"}).code, 0);
    const io::Table found = table("fitted/parameters.csv");
    EXPECT_TRUE(std::isnan(found.numbers("standard_error")[1]));
    EXPECT_LT(found.numbers("standard_error")[3], 0.2 * found.numbers("value")[3]);
}

TEST_F(ExperimentCommand, FitLeavesOutAKeyThatIsPushedAgainstZero) {
    run("problem: beam_impact_map\n" + free_bar + "locations: {from: 0.1, to: 0.9, points: 15}\n",
        "truth", {"--set", "contact.damping_factor=0 s/m"});
    write("measured.csv", measured_on(table("truth/map.csv"), 0.01));
    write("fit.yaml",
          fit_of_sphere + "  - {key: contact.damping_factor, from: 0 s/m, to: 1 s/m}\n");
    const Ended ended = stoss({"fit", "fit.yaml", "measured.csv", "-o", "fitted", "--quiet"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const io::Table found = table("fitted/parameters.csv");
    EXPECT_EQ(found.numbers("value")[3], 0.0);
    EXPECT_TRUE(std::isnan(found.numbers("standard_error")[3]));
    EXPECT_TRUE(
        contains(ended.err, "contact.damping_factor ended at its bound 0 s/m: it counts as fixed"))
        << ended.err;
    EXPECT_FALSE(contains(ended.err, "nan")) << ended.err;
    EXPECT_TRUE(contains(ended.err, "% of striker.radius")) << ended.err;
    EXPECT_FALSE(contains(ended.err, "% of the range of contact.damping_factor")) << ended.err;
    const io::Table known = table("fitted/combinations.csv");
    EXPECT_EQ(known.rows(), 3u);
    for (const double exponent : known.numbers("exponent_contact.damping_factor"))
        EXPECT_EQ(exponent, 0.0);
    EXPECT_TRUE(contains(text("fitted/report.html"), "It counts as fixed there"));
}

TEST_F(ExperimentCommand, AnInterruptedFitGoesOnToTheSameBytes) {
    run("problem: beam_impact_map\n" + free_bar + "locations: {from: 0.1, to: 0.9, points: 15}\n",
        "truth");
    write("measured.csv", measured_on(table("truth/map.csv"), 0.0));
    write("fit.yaml", fit_of_sphere);
    const auto into = [](const std::string& directory, const std::string& more) {
        return std::vector<std::string>{
            "fit",       "fit.yaml", "measured.csv", "-o",        directory,
            "--threads", "1",        "--set",        "starts=60", more};
    };
    Running running(into("cut", "--quiet"), {.directory = folder_.path()});
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(200);
    while (!fs::exists(folder_.file("cut")) && std::chrono::steady_clock::now() < patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    running.signal(SIGINT);
    const Ended cut = running.wait();
    ASSERT_EQ(cut.code, 130) << cut.err;
    EXPECT_TRUE(contains(cut.err, "of 60 searches are done and kept in cut; add --resume"))
        << cut.err;
    const Ended resumed = stoss(into("cut", "--resume"));
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    ASSERT_EQ(stoss(into("whole", "--quiet")).code, 0);
    for (const char* const name : {"/parameters.csv", "/starts.csv"})
        EXPECT_EQ(text(std::string("cut") + name), text(std::string("whole") + name)) << name;
}

TEST_F(ExperimentCommand, FitNamesTheTableAndLineThatItCannotRead) {
    write("fit.yaml", fit);
    write("measured.csv", "xi,cor\n0.3,0.9\n0.4,many\n");
    const Ended ended = stoss({"fit", "fit.yaml", "measured.csv"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(contains(ended.err, "measured.csv:3:1: error: cor: many:")) << ended.err;
    write("measured.csv", "speed [m/s],cor\n0.3,0.9\n0.4,0.8\n");
    const Ended speeds = stoss({"fit", "fit.yaml", "measured.csv"});
    EXPECT_EQ(speeds.code, 2);
    EXPECT_TRUE(contains(speeds.err, "is a speed; the locations are wanted")) << speeds.err;
    EXPECT_TRUE(contains(speeds.err, "along the beam only: name a column of places")) << speeds.err;
}

TEST_F(ExperimentCommand, FitAndCompareNameTheProblemsThatTheyTake) {
    const std::string point =
        "problem: restitution\nspeed: 1 m/s\nmass: 10 g\n"
        "contact: {law: kelvin_voigt, stiffness: 10 kN/m, damping: 1}\n"
        "over: [{key: speed, from: 0.5, to: 5, points: 3}]\n";
    write("measured.csv", "speed [m/s],cor\n0.5,0.9\n1,0.8\n");
    run(point, "point");
    const Ended fitted = stoss({"fit", "point.yaml", "measured.csv"});
    EXPECT_EQ(fitted.code, 2);
    EXPECT_TRUE(contains(fitted.err,
                         "point.yaml:1:10: error: problem: restitution: cannot be "
                         "fitted: `stoss fit` needs `problem: beam_fit`"))
        << fitted.err;
    const Ended compared = stoss({"compare", "point", "measured.csv"});
    EXPECT_EQ(compared.code, 2);
    EXPECT_TRUE(contains(compared.err, "point: error: is a run of `restitution`")) << compared.err;
    EXPECT_TRUE(contains(compared.err, "only runs of beam_impact_map can be compared"))
        << compared.err;
    const Ended file = stoss({"compare", "point/map.csv", "measured.csv"});
    EXPECT_TRUE(
        contains(file.err, "point/map.csv: is a file; give the directory of the run, point"))
        << file.err;
}

TEST_F(ExperimentCommand, FitReadsATableWhateverItsName) {
    write("fit.yaml", fit);
    const std::string name = "it's run #2: a.csv";
    write(name, "speed [m/s],cor\n0.3,0.9\n0.4,0.8\n");
    const Ended ended = stoss({"fit", "fit.yaml", name});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(contains(ended.err, name + ": error: ")) << ended.err;
    EXPECT_TRUE(contains(ended.err, "is a speed; the locations are wanted")) << ended.err;
}

TEST_F(ExperimentCommand, AnInterruptedFolderOfTracesEndsWith130) {
    const EncoderSignal signal;
    std::string counts = "t,counts\n";
    for (std::size_t i = 0; i < signal.samples(); ++i) {
        counts += fmt::format("{},{}\n", signal.time(i), signal.counts(i));
    }
    fs::create_directory(folder_.file("traces"));
    write("traces/trace.csv", counts);
    std::string manifest = "file,xi\n";
    for (int i = 0; i < 2000; ++i) {  // it would take half a minute
        const std::string name = fmt::format("{}.csv", i);
        fs::create_hard_link(folder_.file("traces/trace.csv"), folder_.file("traces/" + name));
        manifest += name + ",0.5\n";
    }
    write("traces/manifest.csv", manifest);
    Running running({"encoder", "traces", "--pulses", "2000", "-o", "out", "--threads", "1"},
                    {.directory = folder_.path()});
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    running.signal(SIGINT);
    const Ended ended = running.wait();
    EXPECT_EQ(ended.code, 130) << ended.err;
    EXPECT_FALSE(fs::exists(folder_.file("out")));
}

TEST_F(ExperimentCommand, RowsAndTracesThatAreLeftOutOfAFolderAreCounted) {
    const EncoderSignal signal;
    std::string counts = "t,counts\n";
    for (std::size_t i = 0; i < signal.samples(); ++i) {
        counts += fmt::format("{},{}\n", signal.time(i),
                              i < 2 ? std::string("?") : std::to_string(signal.counts(i)));
    }
    fs::create_directory(folder_.file("traces"));
    for (const char* const name : {"a", "b", "c"})
        write(fmt::format("traces/{}.csv", name), counts);
    write("traces/manifest.csv", "file,xi\na.csv,0.5\n");
    const Ended ended = stoss({"encoder", "traces", "--pulses", "2000", "--skip-bad", "-o", "out"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(
        ended.err, "warning: b.csv: is not in manifest.csv and is left out; so is one more file"))
        << ended.err;
    EXPECT_TRUE(contains(ended.err, "warning: a.csv: 2 rows are left out")) << ended.err;
    EXPECT_EQ(json("out/summary.json").find("rows_left_out")->number(), 2.0);
}

TEST_F(ExperimentCommand, OneTraceIsMeasuredWithOptions) {
    const EncoderSignal signal;
    std::string counts = "counts\n";
    for (std::size_t i = 0; i < signal.samples(); ++i) {
        counts += std::to_string(signal.counts(i)) + "\n";
    }
    write("trace.csv", counts);
    const Ended ended = stoss({"encoder", "trace.csv", "--pulses", "2000", "--rate", "2 kHz"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.out, "coefficient of restitution 0.")) << ended.out;
    const io::Value summary = json("runs/trace_encoder/summary.json");
    EXPECT_NEAR(*summary.find("cor")->number(), 0.5, 0.005);
    EXPECT_FALSE(summary.find("synthetic")->flag().value_or(true));
    EXPECT_TRUE(fs::exists(folder_.file("runs/trace_encoder/figures/encoder.svg")));
}

TEST_F(ExperimentCommand, RestitutionThatCannotBeIsSaid) {
    fs::create_directory(folder_.file("traces"));
    const auto write_trace = [&](const std::string& name, double cor) {
        EncoderSignal signal;
        signal.cor = cor;
        std::string counts = "t,counts\n";
        for (std::size_t i = 0; i < signal.samples(); ++i) {
            counts += fmt::format("{},{}\n", signal.time(i), signal.counts(i));
        }
        write("traces/" + name, counts);
    };
    write_trace("usual.csv", 0.5);
    write_trace("fast.csv", 1.2);
    write_trace("through.csv", -0.4);
    const Ended usual = stoss({"encoder", "traces/usual.csv", "--pulses", "2000"});
    EXPECT_EQ(usual.err, "");
    const Ended fast = stoss({"encoder", "traces/fast.csv", "--pulses", "2000"});
    EXPECT_EQ(fast.code, 0) << fast.err;
    EXPECT_TRUE(fast.err.starts_with("warning: traces/fast.csv: coefficient of restitution 1."))
        << fast.err;
    EXPECT_TRUE(contains(fast.err, "is > 1: the beam is faster after the impact than before"))
        << fast.err;
    write("traces/manifest.csv", "file,xi\nusual.csv,0.4\nthrough.csv,0.5\n");
    const Ended both = stoss({"encoder", "traces", "--pulses", "2000", "-o", "both"});
    // Not the first line on a slow machine: progress comes before it.
    EXPECT_TRUE(contains(both.err, "warning: through.csv: coefficient of restitution -0.4"))
        << both.err;
    EXPECT_TRUE(contains(both.err, "is < 0: the beam does not turn back")) << both.err;
}

TEST_F(ExperimentCommand, MedianErrorOfTwoTracesIsTheMeanOfBoth) {
    fs::create_directory(folder_.file("traces"));
    write("traces/manifest.csv", "file,xi\nslow.csv,0.4\nfast.csv,0.5\n");
    for (const auto& [name, omega] : {std::pair{"slow.csv", -1.0}, std::pair{"fast.csv", -6.0}}) {
        EncoderSignal signal;
        signal.omega_before = omega;
        std::string counts = "t,counts\n";
        for (std::size_t i = 0; i < signal.samples(); ++i)
            counts += fmt::format("{},{}\n", signal.time(i), signal.counts(i));
        write(std::string("traces/") + name, counts);
    }
    const Ended ended = stoss({"encoder", "traces", "--pulses", "2000", "-o", "both"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const auto errors = table("both/collisions.csv").numbers("cor_standard_error");
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_GT(errors[0], 1.1 * errors[1]);
    EXPECT_DOUBLE_EQ(*json("both/summary.json").find("cor_standard_error_median")->number(),
                     0.5 * (errors[0] + errors[1]));
}

TEST_F(ExperimentCommand, AMotionThatFrictionDoesNotExplainIsWarnedOf) {
    const auto warning_of = [&](const EncoderSignal& signal) {
        std::string trace = "t,counts\n";
        for (std::size_t i = 0; i < signal.samples(); ++i)
            trace += fmt::format("{},{}\n", signal.time(i), signal.counts(i));
        write("trace.csv", trace);
        const Ended ended = stoss({"encoder", "trace.csv", "--pulses", "2000", "-o", "run"});
        EXPECT_EQ(ended.code, 0) << ended.err;
        return ended.err;
    };
    EncoderSignal torque, drive, coarse;
    torque.acceleration = 8.0;
    const std::string driven = warning_of(torque);
    EXPECT_TRUE(contains(driven, "trace.csv: a torque accelerates the beam by ")) << driven;
    EXPECT_NEAR(*json("run/summary.json").find("deceleration_before_rad_per_s2")->number(), 8.0,
                0.1);
    EXPECT_NEAR(*json("run/summary.json").find("cor")->number(), 0.5, 5e-3);
    const std::string doubt = "it may be an error of the counts";
    EXPECT_FALSE(contains(driven, doubt)) << driven;
    torque.acceleration = 0.03;
    torque.vibration = 0.0;
    EXPECT_TRUE(contains(warning_of(torque), doubt));
    drive.dry_friction = -3.0;
    EXPECT_TRUE(contains(warning_of(drive), "trace.csv: deceleration by friction -3.0"));
    coarse.omega_before = -0.05;
    coarse.vibration = 0.0;
    const std::string uncertain = warning_of(coarse);
    EXPECT_TRUE(
        contains(uncertain, "has a standard error above 0.1: the trace does not determine it"))
        << uncertain;
}

TEST_F(ExperimentCommand, AStandardErrorBeyondDoublesIsNotPrinted) {
    std::string trace = "time_s,angle_rad\n";
    double angle = 0.3;
    for (int i = 0; i < 200; ++i) {
        angle += i < 100 ? 0.005 : -0.003;
        trace +=
            std::to_string(5 * i) + "e-81," + std::to_string(angle + 1e-3 * std::sin(i * i)) + "\n";
    }
    write("trace.csv", trace);
    const Ended ended = stoss({"encoder", "trace.csv", "--window", "1e-78 s"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.out, "deceleration before")) << ended.out;
    EXPECT_FALSE(contains(ended.out, "inf")) << ended.out;
}

TEST_F(ExperimentCommand, BadInputEndsWith2AndNamesFileAndLine) {
    write("trace.csv", "t,counts\n0,1\n1,x\n");
    write("table.csv", "xi,cor\n0.2,much\n");
    const Ended trace = stoss({"encoder", "trace.csv", "--pulses", "2000"});
    EXPECT_EQ(trace.code, 2);
    EXPECT_TRUE(trace.err.starts_with("trace.csv:3:1: error: counts: x: must be a finite number"))
        << trace.err;
    const Ended option = stoss({"encoder", "trace.csv", "--pulses", "-1"});
    EXPECT_EQ(option.code, 2);
    EXPECT_TRUE(contains(option.err, "pulses_per_revolution: -1: must be")) << option.err;
    const Ended compared = stoss({"compare", ".", "table.csv"});
    EXPECT_EQ(compared.code, 2);
    EXPECT_TRUE(compared.err.starts_with("table.csv:2:1: error: cor: much:")) << compared.err;
    EXPECT_EQ(stoss({"compare", "table.csv"}).code, 2);
    EXPECT_EQ(stoss({"encoder", "nothing.csv"}).code, 2);
}

}  // namespace
}  // namespace stoss::tests
