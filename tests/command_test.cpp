/// The real command `stoss`: what it says, how it ends, what it leaves behind.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <command.hpp>
#include <source_folder.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/json.hpp>

namespace stoss::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

/// A pinned beam on a coarse mesh: a collision takes a fraction of a millisecond.
const std::string body = R"(beam:
  length: 508 mm
  section: {shape: circle, radius: 6.35 mm}
  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34, density: 2710 kg/m^3}
  supports:
    - {type: pin, xi: 0}
striker:
  shape: cylinder
  radius: 6.35 mm
  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34}
motion: {angular_velocity: -6 rad/s}
mesh: {elements: 20, modes: 10}
integration: {scheme: newmark, step: 1 us}
)";
const std::string collision = "problem: beam_impact\n" + body + "location: {xi: 0.68}\n";
const std::string map =
    "problem: beam_impact_map\n" + body + "locations: {from: 0.3, to: 1, points: 12}\n";
const std::string long_map =
    "problem: beam_impact_map\n" + body + "locations: {from: 0.3, to: 1, points: 4000}\n";

std::string expecting(const std::string& quantity, const std::string& value) {
    return "expect:\n  - {quantity: " + quantity + ", value: " + value +
           ", tolerance: 1e-6, source: this test}\n";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The first words of the lines of a text.
Words first_words(const std::string& text) {
    Words found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        found.push_back(line.substr(0, line.find(' ')));
    }
    return found;
}

/// A folder with cases, in which the command runs.
class Command : public testing::Test {
  protected:
    Command() {
        write("collision.yaml", collision);
        write("map.yaml", map);
        write("long.yaml", long_map);
    }

    void write(const std::string& name, const std::string& text) const {
        io::write_text(folder_.file(name), text);
    }
    std::string text(const std::string& name) const { return io::read_text(folder_.file(name)); }
    bool exists(const std::string& name) const { return fs::exists(folder_.file(name)); }
    Conditions here() const { return {.directory = folder_.path()}; }
    Ended stoss(const Words& arguments) const { return stoss_command(arguments, here()); }

    /// Blocks until a run has made its directory, and then for `pause`: the run is at work.
    void wait_until_at_work(const std::string& directory,
                            std::chrono::steady_clock::duration pause = 200ms) const {
        const auto patience = std::chrono::steady_clock::now() + 200s;
        while (!exists(directory) && std::chrono::steady_clock::now() < patience) {
            std::this_thread::sleep_for(1ms);
        }
        std::this_thread::sleep_for(pause);
    }

    /// The long map on one thread into `directory`, ended by SIGINT after it worked for `pause`.
    Ended interrupted_run(const std::string& directory,
                          std::chrono::steady_clock::duration pause = 200ms) const {
        Running running({"run", "long.yaml", "-o", directory, "--threads", "1"}, here());
        wait_until_at_work(directory, pause);
        running.signal(SIGINT);
        return running.wait();
    }

    TemporaryDirectory folder_;
};

// ---- Exit codes

TEST_F(Command, ARunThatShowsWhatItExpectsEndsWith0) {
    write("case.yaml", map + expecting("collisions_failed", "0"));
    const Ended ended = stoss({"run", "case.yaml"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.err, "warning: 11 of 12 collisions: e is not predictable"))
        << ended.err;
    EXPECT_TRUE(contains(ended.out, "1 of 1 expectations hold")) << ended.out;
    for (const char* file :
         {"case.yaml", "map.csv", "summary.json", "provenance.json", "report.html", "figures"}) {
        EXPECT_TRUE(exists(std::string("runs/case/") + file)) << file;
    }
    EXPECT_FALSE(exists("runs/case/partial.csv"));
}

TEST_F(Command, PartsOfAMapAreMergedToTheBytesOfTheWhole) {
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "whole", "--quiet"}).code, 0);
    for (const char* part : {"2/3", "1/3", "3/3"}) {
        const std::string folder = std::string("part_") + part[0];
        const Ended ended = stoss({"run", "map.yaml", "-o", folder, "--shard", part});
        EXPECT_EQ(ended.code, 0) << ended.err;
        EXPECT_TRUE(contains(ended.out, std::string("part ") + part + ": ")) << ended.out;
        EXPECT_TRUE(exists(folder + "/partial.csv"));
        EXPECT_FALSE(exists(folder + "/summary.json"));
    }
    const Ended missing = stoss({"merge", "map.yaml", "part_1", "part_3", "-o", "merged"});
    EXPECT_EQ(missing.code, 2);
    EXPECT_TRUE(contains(missing.err,
                         "collisions are in these directories; give all parts\n"
                         "    hint: a part that was stopped goes on with"))
        << missing.err;
    const Ended into_part =
        stoss({"merge", "map.yaml", "part_1", "part_2", "part_3", "-o", "./part_2"});
    EXPECT_EQ(into_part.code, 2);
    EXPECT_TRUE(contains(into_part.err, "./part_2: error: is one of the parts")) << into_part.err;
    EXPECT_TRUE(exists("part_2/partial.csv"));
    const Ended ended =
        stoss({"merge", "map.yaml", "part_3", "part_1", "part_2", "part_1", "-o", "merged"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    for (const char* file : {"map.csv", "case.yaml"})
        EXPECT_EQ(text(std::string("merged/") + file), text(std::string("whole/") + file)) << file;
    std::size_t figures = 0;
    for (const auto& entry : fs::directory_iterator(folder_.file("whole/figures"))) {
        const std::string name = "figures/" + entry.path().filename().string();
        EXPECT_EQ(text("merged/" + name), text("whole/" + name)) << name;
        ++figures;
    }
    EXPECT_GT(figures, 0u);
    const auto without_time = [&](const std::string& name) {
        const std::string all = text(name);
        return all.substr(0, all.find("\"wall_time_s\""));
    };
    EXPECT_EQ(without_time("merged/summary.json"), without_time("whole/summary.json"));
    EXPECT_FALSE(exists("merged/partial.csv"));
}

TEST_F(Command, PartsThatAreNoneAreRefused) {
    const auto refused = [&](const Words& words, const std::string& reason) {
        const Ended ended = stoss(words);
        EXPECT_EQ(ended.code, 2);
        EXPECT_TRUE(contains(ended.err, reason)) << ended.err;
    };
    for (const char* part : {"0/3", "4/3", "1", "1/", "/3", "1/3x", "-1/3", "1/0"})
        refused({"run", "map.yaml", std::string("--shard=") + part}, "must be k/N");
    refused({"run", "collision.yaml", "-o", "single", "--shard", "1/2"},
            "cannot be divided into parts");
    refused({"run", "collision.yaml", "-o", "single", "--shard", "1/2"}, "these problems can: ");
    EXPECT_FALSE(exists("single"));
    const std::string impact =
        "problem: restitution\nspeed: 1 m/s\nmass: 10 g\n"
        "contact: {law: kelvin_voigt, stiffness: 10 kN/m, damping: 1}\n";
    write("impact.yaml", impact);
    for (const char* part : {"1/1", "1/3"}) {
        refused({"run", "impact.yaml", "-o", "impact", "--shard", part},
                "impact.yaml: error: problem: restitution: cannot be divided into parts in this "
                "case, which has nothing to share\n    hint: a case of ");
        EXPECT_FALSE(exists("impact/partial.csv"));
    }
    write("impacts.yaml", impact + "over: [{key: speed, from: 0.5, to: 5, points: 2}]\n");
    EXPECT_EQ(stoss({"run", "impacts.yaml", "-o", "third", "--shard", "3/3"}).code, 0);
    refused({"merge", "map.yaml", "nowhere"}, "nowhere: error: there is no such directory");
    EXPECT_EQ(stoss({"run", "map.yaml", "-o", "finished", "--quiet"}).code, 0);
    refused({"merge", "map.yaml", "finished", "-o", "merged"},
            "finished: error: holds no part: there is no partial.csv in it\n"
            "    hint: a finished run is not a part; `stoss run CASE.yaml --shard k/N` writes one; "
            "a part that was killed in its first 5 s keeps nothing");
    EXPECT_FALSE(exists("merged"));
    refused({"merge", "finished", "finished"},
            "finished: error: is a directory, and the case file comes first\n"
            "    hint: write `stoss merge CASE.yaml DIRECTORY ...`");
    EXPECT_EQ(stoss({"run", "map.yaml", "-o", "part", "--shard", "1/2"}).code, 0);
    refused({"merge", "map.yaml", "part", "--set", "motion.angular_velocity=-5 rad/s"},
            "hint: give merge the same case and the same --set as the parts");
}

TEST_F(Command, ADamagedPartIsRefused) {
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "part", "--shard", "1/1"}).code, 0);
    const std::string whole = text("part/partial.csv");
    std::string changed = whole;
    char& digit = changed[whole.find(',', whole.find('\n')) + 3];
    digit = digit == '1' ? '2' : '1';
    write("part/partial.csv", changed);
    const Ended merged = stoss({"merge", "map.yaml", "part", "-o", "merged"});
    EXPECT_EQ(merged.code, 2);
    EXPECT_EQ(merged.err,
              "part/partial.csv: error: is damaged\n    hint: compute this part again\n");
    const Ended resumed = stoss({"run", "map.yaml", "-o", "part", "--resume"});
    EXPECT_EQ(resumed.code, 2);
    EXPECT_TRUE(contains(resumed.err, "part/partial.csv: error: is damaged")) << resumed.err;
    EXPECT_FALSE(exists("merged/map.csv"));
}

TEST_F(Command, AnExpectationThatFailsEndsWith1AndKeepsTheResults) {
    write("case.yaml", collision + expecting("cor_kinematic", "2"));
    const Ended ended = stoss({"run", "case.yaml", "-o", "run"});
    EXPECT_EQ(ended.code, 1) << ended.err;
    EXPECT_TRUE(contains(ended.out, "not as expected: cor_kinematic: ")) << ended.out;
    EXPECT_TRUE(exists("run/summary.json"));
    EXPECT_EQ(stoss({"verify", "case.yaml"}).code, 1);
}

TEST_F(Command, AnExpectationOfAnUnknownQuantityFailsWithAReason) {
    write("case.yaml", collision + expecting("cor_kinematics", "0.6"));
    const Ended ended = stoss({"verify", "case.yaml"});
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(contains(ended.out,
                         "the result has no number of this name; did you mean "
                         "`cor_kinematic`?"))
        << ended.out;
}

TEST_F(Command, AnExpectationOfASweepThatTheCaseHasNotFailsWithAReason) {
    std::string pendulums = io::read_text(STOSS_SOURCE_DIR "/cases/published/pendulum_pair.yaml");
    pendulums.erase(pendulums.find("expect:"));
    write("case.yaml", pendulums +
                           "expect:\n  - {quantity: start_s, at: 1, sweep: \"1\", value: 1, "
                           "tolerance: 1, source: this test}\n");
    const Ended ended = stoss({"verify", "case.yaml"});
    EXPECT_EQ(ended.code, 1) << ended.err;
    EXPECT_TRUE(contains(ended.out, "nothing is swept, so the table has no column of a sweep"))
        << ended.out;
}

TEST_F(Command, VerifyOfACaseThatExpectsNothingFails) {
    const Ended ended = stoss({"verify", "collision.yaml"});
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(contains(ended.out, "the case has no expectations")) << ended.out;
}

TEST_F(Command, VerifyRunsACaseOnRequestIfItIsNamedItself) {
    fs::create_directory(fs::path(folder_.path()) / "long");
    write("long/case.yaml", "on_request: true\n" + collision + expecting("cor_kinematic", "2"));
    const Ended of_folder = stoss({"verify", "long"});
    EXPECT_EQ(of_folder.code, 0) << of_folder.err;
    EXPECT_TRUE(contains(of_folder.out, "(its keys; it runs if it is named)")) << of_folder.out;
    EXPECT_EQ(stoss({"verify", "long/case.yaml"}).code, 1);  // now what it expects counts
}

TEST_F(Command, ACollisionThatDoesNotEndInTimeEndsWith3) {
    for (const char* file : {"collision.yaml", "map.yaml"}) {
        const std::string directory = std::string("run-") + file;
        const Ended ended =
            stoss({"run", file, "-o", directory, "--set", "integration.time_limit=10 us"});
        EXPECT_EQ(ended.code, 3) << ended.out;
        EXPECT_TRUE(contains(ended.err, "no end within the time limit")) << ended.err;
        EXPECT_TRUE(exists(directory + "/summary.json"));
    }
}

TEST_F(Command, ACollisionThatDivergesAtOnceEndsWith3AndHasAReport) {
    const Ended ended =
        stoss({"run", "collision.yaml", "-o", "run", "--set", "integration={scheme: splitting}",
               "--set", "motion.vibration=[{mode: 2, displacement: -1e300 mm}]"});
    EXPECT_EQ(ended.code, 3) << ended.err;
    EXPECT_TRUE(contains(ended.err, "diverged")) << ended.err;
    EXPECT_TRUE(exists("run/report.html"));
}

// ---- Convergence

TEST_F(Command, ConvergeSaysHowWellACaseKnowsTheRestitution) {
    const Ended ended = stoss({"converge", "map.yaml"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    for (const char* words :
         {"order in modes", "order in elements", "order in step", "verdict",
          "the coefficient of restitution is known to", "for the paper",
          "Coefficients of restitution were computed with 10 modes and residual flexibility on 20 "
          "elements with a time step of 1e-06 s; with 20 modes on 80 elements "
          "with a time step of 2.5e-07 s they changed by at most"}) {
        EXPECT_TRUE(contains(ended.out, words)) << words << '\n' << ended.out;
    }
    const std::string directory = "runs/map_convergence/";
    for (const char* file :
         {"convergence.csv", "places.csv", "case.yaml", "figures/convergence.svg"}) {
        EXPECT_TRUE(exists(directory + file)) << file;
    }
    const std::string report = text(directory + "report.html");
    EXPECT_TRUE(contains(report, "Coefficients of restitution were computed with 10 modes"));
    EXPECT_TRUE(contains(report, "measured order"));
    const io::Value summary = io::parse_json(text(directory + "summary.json"), "summary.json");
    EXPECT_EQ(summary.find("places")->number(), 12.0);
    EXPECT_GT(summary.find("cor_change_max")->number(), 0.0);
}

TEST_F(Command, ConvergeComparesWithTheCollisionsOfTheRun) {
    ASSERT_EQ(stoss({"run", "map.yaml"}).code, 0);
    ASSERT_EQ(stoss({"converge", "map.yaml"}).code, 0);
    const io::Table run = io::read_csv(folder_.file("runs/map/map.csv"));
    const io::Table study = io::read_csv(folder_.file("runs/map_convergence/places.csv"));
    EXPECT_EQ(study.numbers("xi"), run.numbers("xi"));
    EXPECT_EQ(study.numbers("cor_kinematic"), run.numbers("cor_kinematic"));
}

TEST_F(Command, ConvergeStudiesTwentyFivePlacesOfALongMapAndTheWorstOfThoseInDoubt) {
    const Ended study = stoss({"converge", "long.yaml"});  // with 10 modes e is in doubt anywhere
    ASSERT_EQ(study.code, 0);
    EXPECT_TRUE(contains(study.out, "places were not studied, and at ")) << study.out;
    const auto xi = io::read_csv(folder_.file("runs/long_convergence/places.csv")).numbers("xi");
    ASSERT_EQ(xi.size(), 50u);
    EXPECT_EQ(xi.front(), 0.3);
    EXPECT_EQ(xi.back(), 1.0);
}

TEST_F(Command, MedianAndQuantileOfAStudyAreThoseOfTheEvenlySpacedPlaces) {
    const Ended study = stoss({"converge", "long.yaml"});
    ASSERT_EQ(study.code, 0) << study.err;
    EXPECT_TRUE(contains(study.out, "at 90 % of the 25 evenly spaced places")) << study.out;
    const io::Table places = io::read_csv(folder_.file("runs/long_convergence/places.csv"));
    std::vector<double> evenly_spaced;
    for (std::size_t i = 0; i < places.rows(); ++i) {
        if (places.numbers("in_quantiles")[i] == 1.0)
            evenly_spaced.push_back(std::abs(places.numbers("cor_change_modes")[i]));
    }
    ASSERT_EQ(evenly_spaced.size(), 25u);
    std::ranges::sort(evenly_spaced);
    const io::Table table = io::read_csv(folder_.file("runs/long_convergence/convergence.csv"));
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (table.texts("refined")[row] != "modes" || table.texts("role")[row] != "case") continue;
        EXPECT_EQ(table.numbers("places")[row], 50.0);
        EXPECT_EQ(table.numbers("places_in_quantiles")[row], 25.0);
        EXPECT_EQ(table.numbers("cor_change_median")[row], evenly_spaced[12]);
    }
}

TEST_F(Command, ConvergeStudiesThePlacesThatTheRunWarnsAbout) {
    write("strip.yaml", R"(problem: beam_impact_map
beam:
  length: 250 mm
  section: {shape: rectangle, width: 30 mm, height: 3 mm}
  material: aluminium
  supports: [{type: clamp, xi: 0}, {type: clamp, xi: 1}]
striker: {shape: sphere, radius: 10 mm, material: steel}
motion: {drop_height: 500 mm}
locations: {from: 20 mm, to: 125 mm, points: 30}
)");
    const Ended run = stoss({"run", "strip.yaml", "-o", "run"});
    ASSERT_TRUE(contains(run.err, "1 of 30 collisions: e is not predictable")) << run.err;
    ASSERT_TRUE(contains(run.err, "at xi = 0.4855")) << run.err;
    const Ended study = stoss({"converge", "strip.yaml", "-o", "study"});
    ASSERT_EQ(study.code, 0) << study.err;
    for (const char* words :
         {"at 25 of the 30 places with these settings; at xi = 0.4855 it is not",
          "4 places were not studied", "at 25 of the 30 places, by up to 0.0002 at one other"})
        EXPECT_TRUE(contains(study.out, words)) << words << '\n' << study.out;
    const io::Table places = io::read_csv(folder_.file("study/places.csv"));
    const auto xi = places.numbers("xi");
    EXPECT_EQ(xi.size(), 26u);
    EXPECT_TRUE(std::ranges::is_sorted(xi));
    EXPECT_TRUE(std::ranges::any_of(xi, [](double x) { return std::abs(x - 0.4855) < 1e-4; }));
    const io::Value summary = io::parse_json(text("study/summary.json"), "summary.json");
    EXPECT_EQ(summary.find("places_of_case")->number(), 30.0);
}

TEST_F(Command, ConvergeGivesTheSameBytesWithAnyNumberOfThreads) {
    for (const char* threads : {"1", "3"}) {
        ASSERT_EQ(stoss({"converge", "map.yaml", "-o", threads, "--threads", threads}).code, 0);
    }
    for (const char* file : {"convergence.csv", "places.csv", "figures/convergence.svg"}) {
        EXPECT_EQ(text(std::string("1/") + file), text(std::string("3/") + file)) << file;
    }
}

TEST_F(Command, ConvergeTakesTheNumberOfModesThatAutoComesTo) {
    const Ended ended = stoss({"converge", "collision.yaml", "-o", "study", "--set",
                               "mesh.modes=auto", "--set", "mesh.tolerance=1e-2"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const io::Value summary = io::parse_json(text("study/summary.json"), "summary.json");
    EXPECT_EQ(summary.find("modes")->number(), summary.find("modes_chosen")->number());
}

TEST_F(Command, AnInterruptedStudyOfConvergenceGoesOnToTheSameBytes) {
    const Words slow{"converge", "long.yaml", "--threads", "1", "--set", "integration.step=200 ns"};
    const auto into = [&](const char* directory, const char* more) {
        Words arguments = slow;
        arguments.insert(arguments.end(), {"-o", directory, more});
        return arguments;
    };
    Running running(into("cut", "--quiet"), here());
    wait_until_at_work("cut");
    running.signal(SIGINT);
    const Ended ended = running.wait();
    ASSERT_EQ(ended.code, 130) << ended.err;
    EXPECT_TRUE(contains(ended.err, "add --resume to go on")) << ended.err;
    ASSERT_EQ(stoss(into("cut", "--resume")).code, 0);
    ASSERT_EQ(stoss(into("whole", "--quiet")).code, 0);
    EXPECT_EQ(text("cut/places.csv"), text("whole/places.csv"));
    EXPECT_EQ(text("cut/convergence.csv"), text("whole/convergence.csv"));
}

TEST_F(Command, AStudyOfCollisionsThatDoNotEndInTimeEndsWith3) {
    const Ended ended = stoss({"converge", "map.yaml", "--set", "integration.time_limit=10 us"});
    EXPECT_EQ(ended.code, 3) << ended.out;
    EXPECT_TRUE(contains(ended.err, "raise integration.time_limit")) << ended.err;
}

TEST_F(Command, ACaseThatCannotBeStudiedIsRefusedBeforeItsDirectoryIsMade) {
    write("point.yaml",
          "problem: restitution\ncontact: {law: hertz, stiffness: 1e9}\n"
          "mass: 1 kg\nspeed: 1 m/s\n");
    write("swept.yaml", map + "sweep: {key: mesh.modes, values: [5, 8]}\n");
    write("wrong.yaml", map + "colour: red\n");
    const std::vector<std::pair<Words, std::string>> table{
        {{"converge", "point.yaml"},
         "problem: restitution: has no convergence study; must be beam_impact or beam_impact_map"},
        {{"converge", "swept.yaml"}, "sweep.key: mesh.modes: cannot be swept in a convergence"},
        {{"converge", "wrong.yaml"}, "colour"},
        {{"converge", "map.yaml", "--set", "mesh.elements=2000"},
         "mesh.elements: 2000: is too many for a convergence study"},
        {{"converge", "none.yaml"}, "none.yaml: cannot be read"},
    };
    for (const auto& [arguments, words] : table) {
        const Ended ended = stoss(arguments);
        EXPECT_EQ(ended.code, 2) << words;
        EXPECT_TRUE(contains(ended.err, words)) << ended.err;
    }
    EXPECT_FALSE(exists("runs"));
}

TEST_F(Command, AStudyAndARunOfOneCaseDoNotShareADirectory) {
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "run"}).code, 0);
    ASSERT_EQ(stoss({"converge", "map.yaml", "-o", "study"}).code, 0);
    for (const Words& arguments :
         {Words{"run", "map.yaml", "-o", "study"}, Words{"converge", "map.yaml", "-o", "run"}}) {
        const Ended ended = stoss(arguments);
        EXPECT_EQ(ended.code, 2);
        EXPECT_TRUE(contains(ended.err, "holds the results of another command")) << ended.err;
    }
    EXPECT_EQ(stoss({"converge", "map.yaml", "-o", "study"}).code, 0);
}

// ---- Bad usage

TEST_F(Command, BadUsageEndsWith2AndSaysWhatIsWrong) {
    const std::vector<std::pair<Words, std::string>> table{
        {{}, "stoss new beam_impact_map     write a commented case to start from"},
        {{"frobnicate", "map.yaml"},
         "error: frobnicate: is not a command of stoss; write run, converge, merge, check, "},
        {{"rn", "map.yaml"}, "error: rn: is not a command of stoss\n    hint: did you mean `run`?"},
        {{"new", "beam_inpact"}, "hint: did you mean `beam_impact`?"},
        {{"new", "beam_impact_map", "map.yaml"}, "map.yaml: error: exists already"},
        {{"completion", "tcsh"}, "tcsh"},
        {{"describe", "nothing"}, "hint: `stoss list problems` shows what there is"},
        {{"describe", "beam_impact", "striker.shap"}, "hint: did you mean `shape`?"},
        {{"contacts", "none.csv"}, "stoss contacts: error: none.csv: there is no such file\n"},
        {{"contacts", "none.csv", "--hypothesis", "newton"},
         "--restitution: is missing\n    hint: `--hypothesis` needs a coefficient of restitution"},
        {{"run"},
         "error: stoss run: `case` is missing: the case file (YAML)\n    hint: `stoss run --help`"},
        {{"list"}, "error: stoss list: `what` is missing: laws, problems, schemes or materials\n"},
        {{"converge"}, "error: stoss converge: `case` is missing"},
        {{"run", "map.yaml", "other.yaml"}, "error: stoss run: there is no place for other.yaml\n"},
        {{"run", "map.yaml", "--bogus"},
         "error: --bogus: is not an option of stoss run\n    hint: they are listed by"},
        {{"run", "map.yaml", "--forse"},
         "error: --forse: is not an option of stoss run\n    hint: did you mean `--force`?"},
        {{"report", "map.yaml", "--wdith=9 cm"}, "hint: did you mean `--width`?"},
        {{"new", "beam"},
         "hint: did you mean `beam_fit`, `beam_impact`, `beam_impact_map` or `beam_optimize`?"},
        {{"report", "map.yaml"}, "error: map.yaml: is a file; give the directory of the run, ."},
        {{"run", "map.yaml", "-o"}, "--output: 1 required TEXT missing"},
        {{"run", "map.yaml", "--set"}, "--set"},
        {{"run", "map.yaml", "--threads", "0"}, "--threads: Value 0 not in range"},
        {{"run", "map.yaml", "-o", ""}, "--output: the name is empty; give one"},
        {{"contacts", "table.csv", "-o", ""}, "--output: the name is empty; give one"},
        {{"run", "map.yaml", "--threads", "two"}, "--threads: Value two not in range"},
        {{"list", "colours"}, "colours"},
        {{"describe", "herz"}, "hint: did you mean `hertz`?"},
        {{"run", "none.yaml"}, "error: none.yaml: cannot be read: No such file or directory"},
        {{"check", "none.yaml"}, "error: none.yaml: cannot be read: No such file or directory"},
        {{"verify", "none.yaml"}, "error: none.yaml: there is no such file or folder"},
        {{"run", "."}, "error: .: cannot be read: Is a directory"},
        {{"check", "."}, "error: .: cannot be read: Is a directory"},
        {{"report", "none"}, "error: none: there is no such directory"},
        {{"report", "."}, "summary.json is missing"},
    };
    for (const auto& [arguments, words] : table) {
        const Ended ended = stoss(arguments);
        EXPECT_EQ(ended.code, 2) << words;
        EXPECT_EQ(ended.out, "") << words;
        EXPECT_TRUE(contains(ended.err, words)) << ended.err;
    }
    EXPECT_FALSE(exists("runs"));
}

TEST_F(Command, HelpAndVersionEndWith0) {
    EXPECT_EQ(stoss({"--help"}).code, 0);
    EXPECT_EQ(stoss({"run", "--help"}).code, 0);
    const std::string version = stoss({"--version"}).out;
    EXPECT_TRUE(version.starts_with("stoss "));
    for (const char* library : {"Eigen3 3.", "VTK 9.", "yaml-cpp 0.", "fmt ", "hwy 1."}) {
        EXPECT_TRUE(contains(version, library)) << version;
    }
}

TEST_F(Command, OnlyAUnitThatIsConvertedNeedsTheDatabaseOfUnits) {
    write("plain.yaml", "problem: bouncing_ball\nmass: 0.01\nheight: 0.3 m\ncor: 0.8\n");
    setenv("UDUNITS2_XML_PATH", "none.xml", 1);
    const Ended plain = stoss({"check", "plain.yaml"}), converted = stoss({"check", "map.yaml"});
    unsetenv("UDUNITS2_XML_PATH");
    EXPECT_EQ(plain.code, 0) << plain.err;
    EXPECT_NE(converted.code, 0);
    EXPECT_TRUE(contains(converted.err, "the unit database of UDUNITS-2")) << converted.err;
}

TEST_F(Command, CheckGoesOnAfterABadCase) {
    write("bad.yaml", "problem: none\n");
    const Ended ended = stoss({"check", "bad.yaml", "map.yaml", "none.yaml"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(ended.out.starts_with("map.yaml: ok\n")) << ended.out;
    EXPECT_TRUE(contains(ended.err, "bad.yaml:1:10: error: problem: none: ")) << ended.err;
    EXPECT_TRUE(contains(ended.err, "error: none.yaml: ")) << ended.err;
}

TEST_F(Command, CheckSaysWhatWasUnderstoodAndWarnsOfWhatIsHardlyMeant) {
    write("strip.yaml",
          "problem: beam_impact\n"
          "beam:\n"
          "  length: 0.3\n"
          "  section: {shape: rectangle, width: 25 mm, height: 3 mm}\n"
          "  material: steel\n"
          "  supports: [{type: clamp, xi: 0}]\n"
          "striker: {shape: sphere, radius: 15 m, material: steel, velocity: 2.43 m/s}\n"
          "location: {x: 99 mm}\n");
    const Ended ended = stoss({"check", "strip.yaml"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    for (const char* words :
         {"strip.yaml: ok\n", "mass of the beam                 176.6 g\n",
          "approach speed                   2.43 m/s\n", "read as SI: beam.length = 0.3 m\n"}) {
        EXPECT_TRUE(contains(ended.out, words)) << words << ended.out;
    }
    EXPECT_TRUE(contains(ended.err, "warning: strip.yaml: striker.radius: 15 m: ")) << ended.err;
}

TEST_F(Command, RunPutsWhatWasUnderstoodIntoSummaryAndReport) {
    const Ended ended = stoss({"run", "map.yaml", "-o", "run", "--set", "locations.points=3",
                               "--set", "motion={angular_velocity: -6000 rad/s}"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.err, "warning: motion.angular_velocity: -6000 rad/s: "));
    EXPECT_TRUE(contains(text("run/summary.json"), "motion.angular_velocity: -6000 rad/s: "));
    EXPECT_TRUE(contains(text("run/summary.json"), "\"quantity\": \"mass of the beam\""));
    EXPECT_TRUE(contains(text("run/report.html"), "What was understood"));
    EXPECT_TRUE(contains(text("run/report.html"), "motion.angular_velocity: -6000 rad/s: "));
}

// ---- --set

TEST_F(Command, SetChangesTheCaseAndIsWrittenDown) {
    const Ended ended = stoss({"run", "map.yaml", "-o", "run", "--set", "locations.points=3",
                               "--set", "motion={angular_velocity: -4 rad/s}"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(first_words(text("run/map.csv")).size(), 4u);  // header and three rows
    EXPECT_TRUE(contains(text("run/case.yaml"), "points: 3\n"));
    EXPECT_TRUE(contains(text("run/case.yaml"), "angular_velocity: -4 rad/s\n"));
}

TEST_F(Command, ABadSettingIsRefusedInTheWordsOfTheCase) {
    const std::vector<std::pair<std::string, std::string>> table{
        {"locations.points", "error: --set: locations.points: must be written key.path=value\n"},
        {"=3", "error: --set: =3: must be written key.path=value\n"},
        {"expect=[]",
         "error: --set: expect=[]: cannot be set: what a case expects is not compared with results "
         "of changed keys\n    hint: write it into the case\n"},
        {"beam.lenght=1 m",
         "--set beam.lenght=1 m: error: beam.lenght: is not a key here\n    hint: did you mean "
         "`length`?\n"},
        {"beam.length=-1 m", "--set beam.length=-1 m: error: beam.length: -1 m: must be > 0 m\n"},
        {"beam.length=1 s",
         "--set beam.length=1 s: error: beam.length: 1 s: is a time; this key wants a length (m)\n"
         "    hint: write it for example as \"12.7 mm\"\n"},
        {"beam..length=1",
         "error: beam..length: is not the path of a key\n"
         "    hint: write the keys with points between them, as in `beam.length`\n"},
        {"beam.supports[3].xi=0",
         "error: beam.supports[3].xi: cannot be set: item [3] does not exist, there are 1 "
         "(counted from 0)\n    hint: set the whole sequence instead\n"},
        {"beam.supports=[1",
         "error: a key must be a single word, not a sequence or a mapping\n"
         "    hint: a bracket that opens here may not be closed\n"},
    };
    for (const auto& [setting, words] : table) {
        const Ended ended = stoss({"run", "map.yaml", "-o", "run", "--set", setting});
        EXPECT_EQ(ended.code, 2) << setting;
        EXPECT_TRUE(ended.err.ends_with(words)) << ended.err;
    }
    EXPECT_FALSE(exists("run"));
}

// ---- Catalogue

TEST_F(Command, EverythingListedIsDescribed) {
    std::size_t listed = 0;
    for (const char* what : {"laws", "problems", "schemes"}) {
        const Ended list = stoss({"list", what});
        EXPECT_EQ(list.code, 0);
        for (const std::string& name : first_words(list.out)) {
            const Ended described = stoss({"describe", name});
            EXPECT_EQ(described.code, 0) << described.err;
            EXPECT_TRUE(described.out.starts_with(name + ": ")) << described.out;
            ++listed;
        }
    }
    EXPECT_GE(listed, 4u);
}

TEST_F(Command, AStartingCaseOfEveryProblemIsAcceptedAndSaysWhatItsKeysMean) {
    for (const std::string& problem : first_words(stoss({"list", "problems"}).out)) {
        fs::create_directory(folder_.file(problem));
        const std::string file = problem + "/case.yaml";
        const Ended made = stoss({"new", problem, file});
        EXPECT_EQ(made.code, 0) << made.err;
        EXPECT_TRUE(contains(made.out, "stoss run " + file)) << made.out;
        const Ended checked = stoss({"check", file});
        EXPECT_EQ(checked.code, 0) << checked.err;
        EXPECT_TRUE(contains(text(file), "\nproblem: " + problem + "  # kind of problem"));
        EXPECT_EQ(stoss({"new", problem, file}).code, 2) << "it exists already";
        EXPECT_EQ(stoss({"new", problem, file, "--force"}).code, 0);
    }
}

TEST_F(Command, DescribeIsAsWideAsTheTerminalAndGoesOneLevelDown) {
    setenv("COLUMNS", "60", 1);
    const Ended root = stoss({"describe", "beam_impact_map"});
    const Ended below = stoss({"describe", "beam_impact_map", "striker.shape"});
    unsetenv("COLUMNS");
    for (const Ended& ended : {root, below}) {
        EXPECT_EQ(ended.code, 0) << ended.err;
        std::istringstream lines(ended.out);
        std::string heading;
        std::getline(lines, heading);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 60u) << line;
    }
    EXPECT_FALSE(contains(root.out, "crossing_angle"));
    EXPECT_TRUE(contains(below.out, "shape: cylinder"));
    EXPECT_TRUE(contains(below.out, "crossing_angle"));
    EXPECT_TRUE(contains(below.out, "such as \"12.7 mm\""));
    const Ended all = stoss({"describe", "beam_impact_map", "--all"});
    EXPECT_TRUE(contains(all.out, "kind or unit")) << all.out;
    EXPECT_TRUE(contains(all.out, "crossing_angle"));
}

TEST_F(Command, DescribePromisesNoStiffnessWhereACaseGivesNoBodies) {
    for (const char* problem : {"modal_impact", "impact_motion", "bouncing_ball", "beam_impact"}) {
        const std::string all = stoss({"describe", problem, "--all"}).out;
        const std::string computed =
            "if left out, computed from the shapes and materials of the "
            "two bodies";
        std::size_t found = 0;
        for (std::size_t at = all.find(computed); at != std::string::npos;
             at = all.find(computed, at + 1)) {
            EXPECT_TRUE(
                all.substr(at + computed.size()).starts_with(", where the case gives these"))
                << problem;
            ++found;
        }
        EXPECT_GE(found, 10u) << problem;
    }
}

TEST_F(Command, DescribeGivesTheRangeOfAPlaceAsANumber) {
    const Ended place = stoss({"describe", "beam_impact_map", "locations"});
    EXPECT_EQ(place.code, 0) << place.err;
    EXPECT_TRUE(contains(place.out, "a pure number between 0 and 1, or a length")) << place.out;
}

TEST_F(Command, AMistakeInAKeyThatChoosesListsTheKeysOfAllChoicesOnce) {
    write("striker.yaml", "problem: beam_impact\nstriker: {kind: 3}\n");
    const std::string all = stoss({"check", "striker.yaml"}).err;
    const std::size_t begin = all.find("hint: the keys here are ");
    ASSERT_NE(begin, std::string::npos) << all;
    const std::string hint = all.substr(begin, all.find('\n', begin) - begin);
    for (const char* key : {" radius,", " crossing_angle,", " length,"}) {
        const std::size_t first = hint.find(key);
        ASSERT_NE(first, std::string::npos) << hint;
        EXPECT_EQ(hint.find(key, first + 1), std::string::npos) << hint;
    }
}

TEST_F(Command, TheManualPageAndTheCompletionsKnowEveryCommand) {
    const Ended man = stoss({"man"});
    EXPECT_TRUE(man.out.starts_with(".TH STOSS 1")) << man.out;
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Ended ended = stoss({"completion", shell});
        EXPECT_EQ(ended.code, 0) << ended.err;
        for (const char* command : {"run", "describe", "new", "contacts", "completion"}) {
            EXPECT_TRUE(contains(ended.out, command)) << shell << ' ' << command;
            EXPECT_TRUE(contains(man.out, std::string(".SS stoss ") + command)) << command;
        }
        EXPECT_TRUE(contains(ended.out, "beam_impact_map")) << shell;
    }
}

// ---- Settings and results on the terminal

TEST_F(Command, ASchemeThatIsSetLeavesOutTheKeysOfTheFormerOne) {
    const Ended ended = stoss({"run", "collision.yaml", "--set", "integration.scheme=splitting"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.err,
                         "--set integration.scheme=splitting: integration.step is left out, it "
                         "belongs to another scheme"))
        << ended.err;
    const Ended both = stoss({"run", "collision.yaml", "--force", "--set",
                              "integration.scheme=splitting", "--set", "integration.step=1 us"});
    EXPECT_EQ(both.code, 2) << "what is set itself is not left out";
    EXPECT_TRUE(contains(both.err, "`step` belongs to `scheme: newmark`")) << both.err;
}

TEST_F(Command, ARunPrintsItsSummaryAsJson) {
    const Ended ended = stoss({"run", "collision.yaml", "--json"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out, text("runs/collision/summary.json"));
    const Ended closing = stoss({"run", "collision.yaml"});
    for (const char* quantity : {"cor_kinematic", "peak_force_N", "separation_s"})
        EXPECT_TRUE(contains(closing.out, quantity)) << closing.out;
    const io::Value facts = io::parse_json(text("runs/collision/provenance.json"), "facts");
    for (const char* key : {"threads", "wall_time_s", "cpu_time_s", "collisions_per_s"})
        EXPECT_NE(facts.find(key), nullptr) << key;
}

/// What a DEM user does with a strip and a ball in millimetres and a drop height.
TEST_F(Command, AStripAndABallReachFigureAndTableInThreeCommands) {
    ASSERT_EQ(stoss({"new", "beam_impact_map", "strip.stoss.yaml"}).code, 0);
    const Words changes{"--set",
                        "beam={length: 300 mm, section: {shape: rectangle, width: 25 mm, height: 3 "
                        "mm}, material: steel, supports: [{type: clamp, xi: 0}]}",
                        "--set",
                        "striker={shape: sphere, radius: 5 mm, material: steel}",
                        "--set",
                        "motion={drop_height: 300 mm}",
                        "--set",
                        "locations={from: 50 mm, to: 290 mm, points: 20}"};
    Words run{"run", "strip.stoss.yaml"};
    run.insert(run.end(), changes.begin(), changes.end());
    const Ended ended = stoss(run);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.out, "smallest e")) << ended.out;
    EXPECT_TRUE(exists("runs/strip/map.csv"));
    EXPECT_TRUE(exists("runs/strip/figures/cor.svg"));
    EXPECT_EQ(stoss({"report", "runs/strip"}).code, 0);
}

TEST_F(Command, ManyContactsComeFromATableAndGoIntoATable) {
    std::string table =
        "A_nn_per_kg,A_nt_per_kg,A_no_per_kg,A_tt_per_kg,A_to_per_kg,A_oo_per_kg,speed_m_per_s,"
        "inclination_deg,azimuth_deg,friction\n";
    for (int i = 0; i < 100'000; ++i)
        table += fmt::format("0.5,0,0,1.75,0,1.75,1,{},30,0.2\n", i % 89);
    write("contacts.csv", table);
    const Ended ended = stoss({"contacts", "contacts.csv", "--restitution", "0.5"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(ended.out.starts_with("100000 contacts in ")) << ended.out;
    const io::Table solved = io::read_csv(folder_.file("contacts_solved.csv"));
    ASSERT_EQ(solved.rows(), 100000u);
    EXPECT_EQ(solved.numbers("impulse_n_N_s").front(), 2.0);
    EXPECT_EQ(solved.numbers("impulse_n_with_restitution_N_s").front(), 3.0);
    EXPECT_EQ(solved.numbers("friction").back(), 0.2);
    const Ended refused = stoss({"contacts", "contacts.csv", "--restitution", "2"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, "restitution.coefficient: 2: must be between 0 and 1"))
        << refused.err;
}

constexpr const char* two_contacts =
    "A_nn_per_kg;A_nt_per_kg;A_no_per_kg;A_tt_per_kg;A_to_per_kg;A_oo_per_kg;b_n_m_per_s;"
    "b_t_m_per_s;b_o_m_per_s;mu;run\n"
    "0,5;0;0;1,75;0;1,75;1;0;0;0,2;17\n0,5;0;0;1,75;0;1,75;1;0,5;0;0,2;18\n";

TEST_F(Command, ATableOfContactsMayHaveSemicolonsAndDecimalCommas) {
    write("contacts.csv", two_contacts);
    const Ended ended = stoss({"contacts", "contacts.csv", "-o", "solved.csv"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    const io::Table solved = io::read_csv(folder_.file("solved.csv"));
    EXPECT_EQ(solved.numbers("impulse_n_N_s").front(), 2.0);
    EXPECT_EQ(solved.texts("run"), (std::vector<std::string>{"17", "18"}));
}

TEST_F(Command, ATableOfContactsIsNotWrittenOver) {
    write("contacts.csv", two_contacts);
    fs::create_symlink("contacts.csv", folder_.file("other.csv"));
    for (const char* name : {"contacts.csv", "./contacts.csv", "other.csv"}) {
        const Ended ended = stoss({"contacts", "contacts.csv", "-o", name});
        EXPECT_EQ(ended.code, 2);
        EXPECT_TRUE(contains(ended.err, "is the table of contacts itself")) << ended.err;
        EXPECT_EQ(text("contacts.csv"), two_contacts);
    }
}

TEST_F(Command, EveryContactThatReboundsHasAStatus) {
    // Newton's hypothesis creates energy where the slip turns round.
    write("contacts.csv",
          "A_nn_per_kg,A_nt_per_kg,A_no_per_kg,A_tt_per_kg,A_to_per_kg,A_oo_per_kg,b_n_m_per_s,"
          "b_t_m_per_s,b_o_m_per_s,mu\n"
          "0.5,0,0,1.75,0,1.75,1,0,0,0.2\n1,-0.8,0,1,0,1,1,-1,0,0.7\n");
    const Ended ended = stoss({"contacts", "contacts.csv", "--restitution", "0.9", "--hypothesis",
                               "newton", "-o", "solved.csv"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    const auto status = io::read_csv(folder_.file("solved.csv")).texts("status_with_restitution");
    EXPECT_EQ(status[0], "solved");
    EXPECT_TRUE(status[1].starts_with("refused")) << status[1];
}

TEST_F(Command, AContactThatFailsLeavesTheOthersTheirNumbers) {
    // The impulse of the first one is beyond the largest number.
    write("contacts.csv",
          "A_nn_per_kg,A_nt_per_kg,A_no_per_kg,A_tt_per_kg,A_to_per_kg,A_oo_per_kg,b_n_m_per_s,"
          "b_t_m_per_s,b_o_m_per_s,mu\n"
          "1e-250,0,0,1e-250,0,1e-250,1e100,2e100,0,0.2\n0.5,0,0,1.75,0,1.75,1,0,0,0.2\n");
    const Ended ended = stoss({"contacts", "contacts.csv", "--restitution", "0.3", "--hypothesis",
                               "stronge", "-o", "solved.csv"});
    EXPECT_EQ(ended.code, 3);
    EXPECT_TRUE(contains(ended.err, "contacts.csv: not every contact could be solved"))
        << ended.err;
    const io::Table solved = io::read_csv(folder_.file("solved.csv"));
    EXPECT_EQ(solved.texts("status_with_restitution")[1], "solved");
    EXPECT_EQ(solved.numbers("impulse_n_N_s")[1], 2.0);
}

TEST_F(Command, ALineWarnsOnStandardError) {
    const Ended ended = stoss({"cor", "--law", "hertz", "--speed", "10 km/s", "--body.radius",
                               "5 mm", "--body.material", "glass", "--target.shape", "sphere",
                               "--target.radius", "5 mm", "--json"});
    EXPECT_EQ(ended.code, 0);
    EXPECT_TRUE(ended.err.starts_with("warning: the deepest overlap is 3.2 of the smaller radius"))
        << ended.err;
    EXPECT_NE(io::parse_json(ended.out, "summary").members(), nullptr);
}

TEST_F(Command, TheSchemaIsJsonThatKnowsEveryProblemLawAndScheme) {
    const Ended schema = stoss({"schema"});
    EXPECT_EQ(schema.code, 0);
    EXPECT_NE(io::parse_json(schema.out, "schema").members(), nullptr);
    for (const char* what : {"laws", "problems", "schemes"}) {
        for (const std::string& name : first_words(stoss({"list", what}).out)) {
            EXPECT_TRUE(contains(schema.out, '"' + name + '"')) << name;
        }
    }
}

// ---- Memory

TEST_F(Command, WorkThatTheMemoryCannotHoldIsRefusedBeforeItStarts) {
    write("fine.yaml",
          "problem: restitution\n"
          "mass: 1 kg\n"
          "speed: 1 m/s\n"
          "contact: {law: viscoelastic, stiffness: 1e6, damping_factor: 1e-3}\n"
          "over:\n"
          "  - {key: speed, from: 1 m/s, to: 2 m/s, points: 1000000}\n"
          "  - {key: mass, from: 1 kg, to: 2 kg, points: 1000000}\n");
    write("many.yaml",
          "problem: box_settle\n"
          "box: {x: 100 m, y: 100 m, z: 100 m}\n"
          "density: 2500 kg/m^3\n"
          "lattice: {count: 100000000, radius: 1 mm, seed: 1}\n"
          "contact: {friction: 0.4}\n"
          "stepping: {step: 100 us}\n"
          "duration: 1 s\n"
          "frames: 10000\n");
    for (const auto& [file, key] : {std::pair{"fine.yaml", "over[0].points: 1000000: "},
                                    std::pair{"many.yaml", "lattice.count: 100000000: "}}) {
        const Ended ended = stoss({"run", file, "-o", "run"});
        EXPECT_EQ(ended.code, 2);
        EXPECT_TRUE(contains(ended.err, std::string(key) + "would take about ")) << ended.err;
        EXPECT_TRUE(contains(ended.err, " TB of memory, and this machine has ")) << ended.err;
        EXPECT_FALSE(exists("run"));
    }
}

// ---- Directories and disks

TEST_F(Command, ADirectoryThatCannotBeMadeIsTold) {
    write("file", "kept");
    for (const char* directory : {"file", "file/run", "/proc/run", "/dev/full", "/dev/full/run"}) {
        const Ended ended = stoss({"run", "map.yaml", "-o", directory});
        EXPECT_EQ(ended.code, 2) << directory;
        EXPECT_TRUE(
            ended.err.starts_with(std::string("error: ") + directory + ": cannot be created: "))
            << ended.err;
    }
    EXPECT_EQ(text("file"), "kept");
}

TEST_F(Command, ADirectoryThatIsReadOnlyIsTold) {
    fs::permissions(folder_.path(), fs::perms(0755));
    fs::create_directory(folder_.file("run"));
    fs::permissions(folder_.file("run"), fs::perms(0555));
    Conditions conditions = here();
    conditions.obeys_permissions = true;
    const Ended inside = stoss_command({"run", "map.yaml", "-o", "run"}, conditions);
    EXPECT_EQ(inside.code, 2);
    EXPECT_EQ(inside.err, "error: run: cannot be written: Permission denied\n");
    const Ended below = stoss_command({"run", "map.yaml", "-o", "run/deeper"}, conditions);
    EXPECT_EQ(below.code, 2);
    EXPECT_EQ(below.err, "error: run/deeper: cannot be created: Permission denied\n");
}

TEST_F(Command, ADiskThatFillsUpLeavesNoHalfFile) {
    Conditions conditions = here();
    for (const rlim_t bytes : {rlim_t{0}, rlim_t{700}, rlim_t{3000}}) {
        conditions.largest_file = bytes;
        const std::string directory = "run" + std::to_string(bytes);
        const Ended ended = stoss_command({"run", "map.yaml", "-o", directory}, conditions);
        EXPECT_EQ(ended.code, 2) << bytes;
        for (const auto& entry : fs::recursive_directory_iterator(folder_.file(directory))) {
            const std::string name = entry.path().filename().string();
            if (name == "partial.csv") {  // a slow machine keeps rows before the disk is full
                EXPECT_TRUE(
                    first_words(io::read_text(entry.path().string())).back().starts_with("end,"));
                continue;
            }
            EXPECT_TRUE(name == "case.yaml" || name == "provenance.json") << name;
        }
        EXPECT_EQ(stoss({"run", "map.yaml", "-o", directory}).code, 0) << "once there is room";
    }
}

TEST_F(Command, WordsThatCannotBeWrittenAreAnErrorOrChangeNothing) {
    Conditions conditions = here();
    conditions.out = "/dev/full";
    const Ended ended = stoss_command({"list", "laws"}, conditions);
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.err, "error: standard output cannot be written: No space left on device\n");
    conditions.err = "/dev/full";
    EXPECT_EQ(stoss_command({"describe", "none"}, conditions).code, 2);
    EXPECT_EQ(stoss_command({"run", "none.yaml"}, conditions).code, 2);
    EXPECT_EQ(stoss_command({"check", "map.yaml"}, conditions).code, 2);
}

TEST_F(Command, AFullDiskIsNamedAsTheReason) {
    Conditions conditions = here();
    conditions.largest_file = 3000;
    const Ended ended = stoss_command({"run", "map.yaml", "-o", "run", "--quiet"}, conditions);
    EXPECT_EQ(ended.err, "error: run/map.csv: cannot be written: File too large\n");
}

TEST_F(Command, AReportBeyondTheLimitOfFileSizesDoesNotCostTheNumbers) {
    Conditions conditions = here();
    conditions.largest_file = 10'000;  // bytes: the tables fit, the report does not
    const Ended ended =
        stoss_command({"run", "map.yaml", "-o", "run", "--set", "locations.points=3"}, conditions);
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(ended.err.ends_with("error: run/report.html: cannot be written: File too large\n"))
        << ended.err;
    EXPECT_TRUE(exists("run/map.csv"));
    EXPECT_TRUE(exists("run/summary.json"));
}

TEST_F(Command, FiguresThatCannotBeDrawnDoNotCostTheNumbers) {
    Conditions conditions = here();
    conditions.scratch = folder_.file("none");
    const Ended ended = stoss_command({"run", "map.yaml", "-o", "run"}, conditions);
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(contains(ended.err, "temporary directory for gnuplot")) << ended.err;
    EXPECT_TRUE(exists("run/map.csv"));
    EXPECT_TRUE(exists("run/summary.json"));
    EXPECT_TRUE(contains(text("run/report.html"), "no figures: "));
    EXPECT_EQ(stoss({"report", "run"}).code, 0);
    EXPECT_TRUE(exists("run/figures"));
    EXPECT_FALSE(contains(text("run/report.html"), "no figures: "));
}

/// What a run has kept lasts until its report is there.
TEST_F(Command, ARunThatStopsInItsReportGoesOnFromWhatItKept) {
    ASSERT_EQ(interrupted_run("run").code, 130);
    Conditions conditions = here();
    conditions.scratch = folder_.file("none");
    const Words resumed{"run", "long.yaml", "-o", "run", "--resume"};
    EXPECT_EQ(stoss_command(resumed, conditions).code, 2);
    EXPECT_TRUE(exists("run/partial.csv"));
    EXPECT_EQ(stoss(resumed).code, 0);
    EXPECT_TRUE(exists("run/figures"));
    EXPECT_FALSE(exists("run/partial.csv"));
}

TEST_F(Command, ARunInterruptedInItsReportKeepsItsResultsAndEndsWith130) {
    Running running({"run", "map.yaml", "-o", "run"}, here());
    wait_until_at_work("run/summary.json", 0ms);  // written before the first figure
    running.signal(SIGINT);
    const Ended ended = running.wait();
    EXPECT_EQ(ended.code, 130) << ended.err;
    EXPECT_TRUE(
        ended.err.ends_with("interrupted: the results are in run; `stoss report run` draws them\n"))
        << ended.err;
    EXPECT_TRUE(exists("run/map.csv"));
    EXPECT_FALSE(exists("run/report.html"));
    EXPECT_EQ(stoss({"report", "run"}).code, 0);
    EXPECT_TRUE(exists("run/report.html"));
}

TEST_F(Command, ALongCalibrationEndsInTheMiddle) {
    // It would take many seconds.
    std::string wanted;
    for (int i = 1000; i < 9000; ++i) wanted += fmt::format("{}0.{}", i > 1000 ? "," : "", i);
    Running running({"calibrate", "--law", "linear_damping", "--mass", "1", "--stiffness", "1e6",
                     "--speed", "1", "--cor", wanted},
                    here());
    std::this_thread::sleep_for(300ms);
    running.signal(SIGINT);
    const Ended ended = running.wait();
    EXPECT_EQ(ended.code, 130) << ended.err;
    EXPECT_EQ(ended.out, "");
}

TEST_F(Command, ASingleCollisionEndsInTheMiddle) {
    // It would take minutes.
    Running running({"run", "collision.yaml", "-o", "run", "--set", "integration.step=1 ps"},
                    here());
    wait_until_at_work("run");
    running.signal(SIGINT);
    const Ended ended = running.wait();
    EXPECT_EQ(ended.code, 130);
    EXPECT_EQ(ended.err, "interrupted\n");
}

TEST_F(Command, TwoRunsIntoOneDirectoryRefuseEachOther) {
    Running first({"run", "long.yaml", "-o", "run", "--threads", "1"}, here());
    wait_until_at_work("run");
    const Ended second = stoss({"run", "map.yaml", "-o", "run"});
    EXPECT_EQ(second.code, 2);
    EXPECT_EQ(second.err, "error: run: cannot be written: another run is writing there\n");
    first.signal(SIGINT);
    EXPECT_EQ(first.wait().code, 130);
    EXPECT_EQ(stoss({"run", "long.yaml", "-o", "run"}).code, 0);
}

// ---- Files in a directory are kept

const std::string replace_hint =
    "    hint: name another directory with -o, or replace what is there with --force\n";

TEST_F(Command, TheResultsOfAnotherCaseAreReplacedOnlyByForce) {
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "run"}).code, 0);
    const std::string kept = text("run/map.csv");
    const Words changed{"run", "map.yaml", "-o",
                        "run", "--set",    "motion.angular_velocity=-5 rad/s"};
    const Ended refused = stoss(changed);
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err,
              "run: error: holds the results of another case: motion.angular_velocity is -6 rad/s "
              "there and -5 rad/s here\n" +
                  replace_hint);
    EXPECT_EQ(text("run/map.csv"), kept);
    Words forced = changed;
    forced.push_back("--force");
    EXPECT_EQ(stoss(forced).code, 0);
    EXPECT_NE(text("run/map.csv"), kept);
    EXPECT_EQ(stoss(changed).code, 0) << "now it is the same case";
    EXPECT_EQ(stoss({"run", "map.yaml", "-o", "run"}).code, 2);
}

TEST_F(Command, AnotherProblemIsAnotherCase) {
    ASSERT_EQ(stoss({"run", "collision.yaml", "-o", "run"}).code, 0);
    const Ended refused = stoss({"run", "map.yaml", "-o", "run"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, "problem is beam_impact there and beam_impact_map here"))
        << refused.err;
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "run", "--force"}).code, 0);
    EXPECT_FALSE(exists("run/history.csv")) << "a table of the case that was replaced";
    EXPECT_TRUE(exists("run/map.csv"));
}

TEST_F(Command, TheSameCaseMayRunAgain) {
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "run"}).code, 0);
    write("run/notes.txt", "mine");
    fs::create_directory_symlink(folder_.file("run"), folder_.file("link"));
    fs::create_directory(folder_.file("elsewhere"));
    write("elsewhere/renamed.yaml", "title: another\n" + map + expecting("collisions_failed", "0"));
    for (const Words& again : {Words{"run", "map.yaml", "-o", "run"},
                               {"run", "map.yaml", "-o", "link/", "--threads", "1"},
                               {"run", "elsewhere/renamed.yaml", "-o", "run"},
                               {"run", "run/case.yaml", "-o", "run"},
                               {"run", "map.yaml", "-o", "run", "--set", "locations.points=12"}}) {
        const Ended ended = stoss(again);
        EXPECT_EQ(ended.code, 0) << ended.err;
    }
    EXPECT_EQ(text("run/notes.txt"), "mine");
}

TEST_F(Command, ACaseThatLeavesModesOpenIsTheSameCaseAgain) {
    const Words left_open{"run",   "map.yaml",        "-o",    "run",
                          "--set", "mesh.modes=auto", "--set", "mesh.tolerance=1e-2"};
    ASSERT_EQ(stoss(left_open).code, 0);
    EXPECT_EQ(stoss(left_open).code, 0);
    EXPECT_EQ(stoss({"run", "run/case.yaml", "-o", "run"}).code, 0) << "the modes as they came out";
    const Ended refused = stoss({"run", "map.yaml", "-o", "run"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, "mesh.")) << refused.err;
}

TEST_F(Command, AFileThatACaseNamesBelongsToTheCase) {
    const auto table = [](const std::string& cor) { return "xi,cor\n0.4,0.7\n0.7," + cor + "\n"; };
    write("measured.csv", table("0.6"));
    write("compared.yaml", "problem: beam_impact_map\n" + body + "locations_from: measured.csv\n");
    const Words again{"run", "compared.yaml", "-o", "run"};
    ASSERT_EQ(stoss(again).code, 0);
    EXPECT_EQ(stoss(again).code, 0);
    write("measured.csv", table("0.65"));
    const Ended refused = stoss(again);
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, "another case: locations_from ")) << refused.err;
}

TEST_F(Command, ABundleHoldsWhatIsNeededToRunTheCaseAgain) {
    const std::string modes = std::string(STOSS_SOURCE_DIR) + "/cases/tutorial/imported_beam";
    write("beam.yaml", io::read_text(modes + ".yaml"));
    write("imported_beam_modes.csv", io::read_text(modes + "_modes.csv"));
    ASSERT_EQ(stoss({"run", "beam.yaml", "-o", "beam", "--quiet"}).code, 0);
    const Ended ended = stoss({"report", "beam", "--bundle"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.out, "beam.tar")) << ended.out;
    fs::create_directory(folder_.file("elsewhere"));
    const std::string unpack =
        "tar -xf '" + folder_.file("beam.tar") + "' -C '" + folder_.file("elsewhere") + "'";
    ASSERT_EQ(std::system(unpack.c_str()), 0);
    for (const char* file : {"summary.json", "provenance.json"})
        EXPECT_EQ(text(std::string("elsewhere/beam/") + file), text(std::string("beam/") + file));
    ASSERT_EQ(stoss({"run", "elsewhere/beam/case.yaml", "-o", "again", "--quiet"}).code, 0);
    EXPECT_EQ(text("again/collisions.csv"), text("beam/collisions.csv"));
    EXPECT_EQ(stoss({"report", "elsewhere", "--bundle"}).code, 2);  // no run
}

TEST_F(Command, AClickShowsNoCollisionThatTheMapOfTheRunDoesNotHave) {
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "run", "--quiet"}).code, 0);
    const std::string of_run = text("run/figures/figures.json");
    EXPECT_TRUE(contains(of_run, "\"histories\""));
    std::string other = text("run/case.yaml");
    const std::string speed = "-6 rad/s";
    const std::size_t place = other.find(speed);
    ASSERT_NE(place, other.npos);
    write("run/case.yaml", other.replace(place, speed.size(), "-7 rad/s"));
    ASSERT_EQ(stoss({"report", "run"}).code, 0);
    EXPECT_FALSE(contains(text("run/figures/figures.json"), "\"histories\""));
}

TEST_F(Command, TheAxesOfARunMayBeDrawnOtherwiseInItsDirectory) {
    ASSERT_EQ(stoss({"run", "collision.yaml", "-o", "run", "--quiet"}).code, 0);
    const std::string physical = text("run/figures/collision.svg"), table = text("run/history.csv");
    ASSERT_EQ(stoss({"report", "run", "--axes", "scaled"}).code, 0);
    const std::string scaled = text("run/figures/collision.svg");
    EXPECT_NE(scaled, physical);
    ASSERT_EQ(
        stoss({"run", "collision.yaml", "-o", "run", "--quiet", "--set", "plot.axes=scaled"}).code,
        0);
    EXPECT_EQ(text("run/figures/collision.svg"), scaled);
    EXPECT_EQ(text("run/history.csv"), table);
    EXPECT_EQ(stoss({"report", "run", "--axes", "round"}).code, 2);
}

TEST_F(Command, AnInterruptedRunOfAnotherCaseIsKept) {
    ASSERT_EQ(stoss({"run", "long.yaml", "-o", "run", "--shard", "1/400"}).code, 0);
    const std::string kept = text("run/partial.csv");
    for (const Words& other : {Words{"run", "map.yaml", "-o", "run"},
                               {"run", "map.yaml", "-o", "run", "--shard", "1/2"},
                               {"merge", "map.yaml", "run", "-o", "run"}}) {
        const Ended refused = stoss(other);
        EXPECT_EQ(refused.code, 2);
        EXPECT_EQ(refused.err,
                  "run: error: holds an interrupted run of another case\n" + replace_hint);
        EXPECT_EQ(text("run/partial.csv"), kept);
    }
    EXPECT_EQ(stoss({"run", "long.yaml", "-o", "run", "--shard", "2/400"}).code, 0);
    EXPECT_EQ(stoss({"run", "map.yaml", "-o", "run", "--force"}).code, 0);
    EXPECT_FALSE(exists("run/partial.csv"));
}

TEST_F(Command, ARunLeavesNoFilesOfTheRunBeforeInItsDirectory) {
    ASSERT_EQ(stoss({"run", "collision.yaml", "-o", "run"}).code, 0);
    ASSERT_EQ(stoss({"report", "run", "--png"}).code, 0);
    const Words old{"run/history.csv", "run/vtk/beam.pvd", "run/vtk/beam_0000.vtp",
                    "run/figures/collision.svg", "run/figures/collision.png"};
    for (const std::string& file : old) EXPECT_TRUE(exists(file)) << file;
    write("run/vtk/mine.vtp", "mine");
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "run", "--force"}).code, 0);
    for (const std::string& file : old) EXPECT_FALSE(exists(file)) << file;
    EXPECT_EQ(text("run/vtk/mine.vtp"), "mine");
}

TEST_F(Command, AFolderOfSomebodyElseIsRefused) {
    const auto holds = [&](const std::string& name) {
        return Words{"run", "map.yaml", "-o", name};
    };
    for (const char* file : {"etc/passwd", "home/.profile", "cases/case.yaml", "data/partial.csv",
                             "web/provenance.json", "runs/run/map.csv"}) {
        fs::create_directories(fs::path(folder_.file(file)).parent_path());
        write(file, "{\"mine\": true}");
        const std::string folder = fs::path(file).begin()->string();
        Words words = holds(folder);
        for (const bool force : {false, true}) {
            if (force) words.push_back("--force");
            const Ended refused = stoss(words);
            EXPECT_EQ(refused.code, 2) << file;
            EXPECT_EQ(refused.err, folder +
                                       ": error: is not empty and is not the directory of a run\n"
                                       "    hint: give a new or an empty directory with -o\n");
        }
        EXPECT_EQ(text(file), "{\"mine\": true}");
        EXPECT_EQ(std::distance(fs::directory_iterator(folder_.file(folder)), {}), 1) << file;
    }
    fs::create_directory(folder_.file("empty"));
    EXPECT_EQ(stoss(holds("empty")).code, 0);
}

TEST_F(Command, ACaseThatCannotBeReadIsNotReplaced) {
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "run"}).code, 0);
    write("run/case.yaml", "beam: [");
    const Ended refused = stoss({"run", "map.yaml", "-o", "run"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, "holds results whose case cannot be read")) << refused.err;
    EXPECT_EQ(stoss({"run", "map.yaml", "-o", "run", "--force"}).code, 0);
}

TEST_F(Command, ResumeWhereNothingWasInterruptedSaysSo) {
    for (const char* attempt : {"new", "finished"}) {
        const Ended ended = stoss({"run", "map.yaml", "-o", "run", "--resume"});
        EXPECT_EQ(ended.code, 0) << attempt;
        EXPECT_TRUE(ended.err.starts_with(
            "warning: run: there is no interrupted run to resume; the run starts from the "
            "beginning\n"))
            << ended.err;
        EXPECT_TRUE(exists("run/map.csv"));
    }
}

// ---- Closing lines

TEST_F(Command, TheClosingLinesOfAMapShowTheSmallestRestitutionAndWhere) {
    write("swept.yaml",
          map + "sweep: {key: motion.angular_velocity, values: [-4 rad/s, -6 rad/s]}\n");
    const Ended ended = stoss({"run", "swept.yaml", "-o", "run"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const io::Table rows = io::read_csv(folder_.file("run/map.csv"));
    const auto cor = rows.numbers("cor_kinematic"), xi = rows.numbers("xi"),
               x = rows.numbers("x_m");
    const auto least = static_cast<std::size_t>(std::ranges::min_element(cor) - cor.begin());
    const io::Value summary = io::parse_json(text("run/summary.json"), "summary");
    EXPECT_EQ(summary.find("cor_kinematic_min")->number(), cor[least]);
    EXPECT_EQ(summary.find("xi_of_min")->number(), xi[least]);
    EXPECT_EQ(summary.find("x_of_min_m")->number(), x[least]);
    const std::string line = fmt::format(
        "  smallest e           {:.6g} at xi = {:.4g} (x = {:.5g} mm), motion.angular_velocity = "
        "{}\n",
        cor[least], xi[least], 1e3 * x[least], least < 12 ? "-4 rad/s" : "-6 rad/s");
    EXPECT_TRUE(contains(ended.out, line)) << line << ended.out;
}

TEST_F(Command, TheClosingLinesOfACollisionShowItsRestitution) {
    EXPECT_TRUE(contains(stoss({"run", "collision.yaml"}).out, "  cor_kinematic        0."));
}

// ---- The same bytes

TEST_F(Command, TheNumberOfThreadsDoesNotChangeAByte) {
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "one", "--threads", "1"}).code, 0);
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "two", "--threads", "2"}).code, 0);
    for (const char* file : {"/map.csv", "/case.yaml"}) {
        EXPECT_EQ(text("one" + std::string(file)), text("two" + std::string(file)));
    }
}

TEST_F(Command, TheWrittenCaseGivesTheSameBytesAgain) {
    const std::vector<std::pair<std::string, Words>> table{
        {"collision.yaml", {"case.yaml", "history.csv", "sub_impacts.csv"}},
        {"map.yaml", {"case.yaml", "map.csv"}}};
    for (const auto& [file, results] : table) {
        const std::string again = "again-" + file;
        ASSERT_EQ(stoss({"run", file, "-o", "first-" + file}).code, 0);
        ASSERT_EQ(stoss({"run", "first-" + file + "/case.yaml", "-o", again}).code, 0);
        for (const std::string& result : results) {
            EXPECT_EQ(text("first-" + file + '/' + result), text(again + '/' + result)) << result;
        }
    }
}

TEST_F(Command, TheWrittenCaseHasTheNumberOfModesThatAutoCameTo) {
    const Words left_open{"--set", "mesh.modes=auto", "--set", "mesh.tolerance=1e-2"};
    for (const std::string file : {"collision.yaml", "map.yaml"}) {
        Words first{"run", file, "-o", "first-" + file};
        first.insert(first.end(), left_open.begin(), left_open.end());
        ASSERT_EQ(stoss(first).code, 0);
        const std::string written = text("first-" + file + "/case.yaml");
        const io::Value summary = io::parse_json(text("first-" + file + "/summary.json"), file);
        const int modes = static_cast<int>(summary.find("modes_chosen")->number().value());
        EXPECT_TRUE(contains(written, "modes: " + std::to_string(modes) + "\n")) << written;
        EXPECT_GE(modes, 10);
        EXPECT_LT(summary.find("modes_cor_change")->number().value(), 1e-2);
        ASSERT_EQ(stoss({"run", "first-" + file + "/case.yaml", "-o", "again-" + file}).code, 0);
        EXPECT_EQ(text("again-" + file + "/case.yaml"), written);
    }
    EXPECT_EQ(text("first-map.yaml/map.csv"), text("again-map.yaml/map.csv"));
}

TEST_F(Command, ASweepOfTheMeshKeepsTheWordAuto) {
    write("swept.yaml", map + "sweep: {key: mesh.elements, values: [20, 40]}\n");
    ASSERT_EQ(stoss({"run", "swept.yaml", "-o", "first", "--set", "mesh.modes=auto", "--set",
                     "mesh.tolerance=1e-2"})
                  .code,
              0);
    EXPECT_TRUE(contains(text("first/case.yaml"), "modes: auto\n"));
    ASSERT_EQ(stoss({"run", "first/case.yaml", "-o", "again"}).code, 0);
    EXPECT_EQ(text("first/map.csv"), text("again/map.csv"));
}

// ---- Interrupted and killed runs

TEST_F(Command, AnInterruptedMapGoesOnToTheSameBytes) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(stoss({"run", "long.yaml", "-o", "whole"}).code, 0);
    const auto life = std::chrono::steady_clock::now() - begin;

    // An emulated program needs a second before its first collision: the pause follows the speed of
    // this machine.
    const Ended ended = interrupted_run("run", life / 4);
    EXPECT_EQ(ended.code, 130) << ended.err;
    EXPECT_TRUE(contains(ended.err, "interrupted: ")) << ended.err;
    EXPECT_TRUE(contains(ended.err, " of 4000 collisions are done and kept in run; add --resume"))
        << ended.err;
    const std::string kept = text("run/partial.csv");
    EXPECT_TRUE(kept.starts_with("stoss checkpoint,"));
    EXPECT_GT(first_words(kept).size(), 2u) << "rows between head and end";
    EXPECT_FALSE(exists("run/map.csv"));
    EXPECT_FALSE(exists("run/summary.json"));

    EXPECT_EQ(stoss({"run", "long.yaml", "-o", "run", "--resume"}).code, 0);
    EXPECT_TRUE(text("run/map.csv") == text("whole/map.csv"));
    EXPECT_FALSE(exists("run/partial.csv"));

    // The time of the run is not that of all its collisions.
    EXPECT_TRUE(contains(text("whole/provenance.json"), "collisions_per_s"));
    EXPECT_FALSE(contains(text("run/provenance.json"), "collisions_per_s"));
}

TEST_F(Command, ResumeAfterAChangeOfTheCaseIsRefused) {
    ASSERT_EQ(interrupted_run("run").code, 130);
    const std::string kept = text("run/partial.csv");
    Words resumed{
        "run", "long.yaml", "-o", "run", "--resume", "--set", "motion.angular_velocity=-5 rad/s"};
    const Ended ended = stoss(resumed);
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.err, "run: error: holds an interrupted run of another case\n" + replace_hint);
    resumed.push_back("--force");
    const Ended forced = stoss(resumed);
    EXPECT_EQ(forced.code, 2);
    EXPECT_EQ(forced.err,
              "run/partial.csv: error: the case changed since this was written\n"
              "    hint: run without --resume to start again\n");
    EXPECT_EQ(text("run/partial.csv"), kept);
}

TEST_F(Command, ADamagedCheckpointIsRefused) {
    ASSERT_EQ(interrupted_run("run").code, 130);
    const std::string kept = text("run/partial.csv");
    write("run/partial.csv", kept.substr(0, kept.size() / 2));
    const Ended ended = stoss({"run", "long.yaml", "-o", "run", "--resume"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.err,
              "run/partial.csv: error: is damaged\n"
              "    hint: run without --resume to start again\n");
}

/// Kills runs at moments spread over their whole life. A file under its final name is
/// whole, and --resume completes the rest.
TEST_F(Command, ARunKilledAtAnyMomentLeavesNoHalfFile) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(stoss({"run", "map.yaml", "-o", "whole"}).code, 0);
    const auto life = std::chrono::steady_clock::now() - begin;
    constexpr int moments = 12;
    for (int moment = 1; moment <= moments; ++moment) {
        const std::string directory = "run" + std::to_string(moment);
        {
            Running running({"run", "map.yaml", "-o", directory}, here());
            std::this_thread::sleep_for(life * moment / moments);
            running.signal(SIGKILL);
            running.wait();
        }
        for (const char* file : {"/map.csv", "/case.yaml"}) {
            if (!exists(directory + file)) continue;
            EXPECT_EQ(text(directory + file), text("whole" + std::string(file))) << moment;
        }
        if (exists(directory + "/summary.json")) {
            EXPECT_NO_THROW(io::parse_json(text(directory + "/summary.json"), "summary"));
        }
        if (exists(directory + "/report.html")) {
            EXPECT_TRUE(contains(text(directory + "/report.html"), "</html>"));
        }
        ASSERT_EQ(stoss({"run", "map.yaml", "-o", directory, "--resume"}).code, 0);
        EXPECT_EQ(text(directory + "/map.csv"), text("whole/map.csv"));
        for (const auto& entry : fs::directory_iterator(folder_.file(directory))) {
            EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
        }
    }
}

TEST_F(Command, AResumedMapThatIsKilledCanBeResumedAgain) {
    ASSERT_EQ(stoss({"run", "long.yaml", "-o", "whole"}).code, 0);
    ASSERT_EQ(interrupted_run("run").code, 130);
    const std::string kept = text("run/partial.csv");
    {
        Running running({"run", "long.yaml", "-o", "run", "--resume", "--threads", "1"}, here());
        std::this_thread::sleep_for(100ms);
        running.signal(SIGKILL);
        EXPECT_EQ(running.wait().code, 128 + SIGKILL);
    }
    EXPECT_EQ(text("run/partial.csv"), kept);
    EXPECT_EQ(stoss({"run", "long.yaml", "-o", "run", "--resume"}).code, 0);
    EXPECT_TRUE(text("run/map.csv") == text("whole/map.csv"));
}

}  // namespace
}  // namespace stoss::tests
