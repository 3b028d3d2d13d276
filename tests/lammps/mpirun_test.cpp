// `mpirun -n N stoss run`: what it writes, how it ends, how it goes on.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <command.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/json.hpp>

namespace stoss::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

const std::string channel = R"(problem: channel_flow
channel: {length: 8 mm, width: 4 mm, height: 2 mm}
obstacle: {x: 4 mm, y: 2.2 mm, radius: 0.6 mm}
density: 2500 kg/m^3
inflow: {radius: 0.235 mm, spacing: 0.5 mm, speed: 1 m/s, noise: 0.5 m/s}
contact: {friction: 0.4}
stepping: {step: 40 us}
duration: 24 ms
statistics: {every: 10, from: 6 ms, along: 16, across: 8}
frames: 2
)";

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class Mpirun : public testing::Test {
  protected:
    Mpirun() { io::write_text(folder_.file("channel.yaml"), channel); }

    std::string file(const std::string& name) const { return folder_.file(name); }
    Conditions here() const { return {.directory = folder_.path()}; }
    /// Behind mpirun. As root, and with more processes than cores, Open MPI starts only if told so;
    /// on a busy machine a process needs more than a second for its last words.
    static Words words(int processes, const Words& arguments) {
        Words words{"--allow-run-as-root",
                    "--oversubscribe",
                    "--mca",
                    "odls_base_sigkill_timeout",
                    "3",
                    "-n",
                    std::to_string(processes),
                    STOSS_PROGRAM};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return words;
    }
    Ended run(int processes, const Words& arguments) const {
        return stoss_command(words(processes, arguments), here());
    }
    Ended alone(const std::string& arguments) const {
        const std::string command =
            fmt::format("cd {} && {} {} > out 2> err", folder_.path(), STOSS_PROGRAM, arguments);
        const int status = std::system(command.c_str());
        return {WEXITSTATUS(status), io::read_text(file("out")), io::read_text(file("err"))};
    }
    double number(const std::string& directory, const char* key) const {
        const std::string name = file(directory + "/summary.json");
        return *io::parse_json(io::read_text(name), name).find(key)->number();
    }
    std::string first_line(const std::string& name) const {
        std::ifstream in(file(name));
        std::string line;
        std::getline(in, line);
        return line;
    }
    std::set<std::string> files(const std::string& directory) const {
        std::set<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(file(directory)))
            names.insert(entry.path().lexically_relative(file(directory)).string());
        return names;
    }
    /// A process that mpirun started, other than the first.
    static int follower(int mpirun) {
        for (const auto& entry : fs::directory_iterator("/proc")) {
            const std::string id = entry.path().filename().string();
            if (id.find_first_not_of("0123456789") != std::string::npos) continue;
            std::ifstream status(entry.path() / "status"), environment(entry.path() / "environ");
            const std::string words{std::istreambuf_iterator<char>(status), {}},
                variables{std::istreambuf_iterator<char>(environment), {}};
            if (contains(words, fmt::format("\nPPid:\t{}\n", mpirun)) &&
                contains(variables, "OMPI_COMM_WORLD_RANK=1"))
                return std::stoi(id);
        }
        return 0;
    }
    void wait_for(const std::string& name) const {
        const auto patience = std::chrono::steady_clock::now() + 60s;
        while (!fs::exists(file(name)) && std::chrono::steady_clock::now() < patience)
            std::this_thread::sleep_for(10ms);
    }

    TemporaryDirectory folder_;
};

TEST_F(Mpirun, FilesColumnsAndStatisticsAreThoseOfOneProcess) {
    ASSERT_EQ(alone("run channel.yaml -o alone --quiet").code, 0);
    for (const int processes : {1, 2, 4}) {
        const std::string folder = fmt::format("on_{}", processes);
        const Ended ended = run(processes, {"run", "channel.yaml", "-o", folder, "--quiet"});
        ASSERT_EQ(ended.code, 0) << ended.err;
        EXPECT_EQ(files(folder), files("alone"));
        for (const char* table :
             {"history.csv", "profile.csv", "cells.csv", "rdf.csv", "spheres.csv"}) {
            EXPECT_EQ(first_line(folder + '/' + table), first_line(std::string("alone/") + table));
        }
        // What came in is given; all else is one sample of chance.
        EXPECT_EQ(number(folder, "spheres_in"), number("alone", "spheres_in"));
        for (const auto& [key, tolerance] :
             {std::pair{"spheres_mean", 0.04}, std::pair{"solid_fraction", 0.04},
              std::pair{"speed_mean_m_per_s", 0.04}, std::pair{"contacts_per_sphere", 0.12},
              std::pair{"rdf_peak_diameters", 0.05}}) {
            const double expected = number("alone", key);
            EXPECT_NEAR(number(folder, key), expected, tolerance * expected)
                << key << " on " << processes;
        }
        EXPECT_EQ(number(folder, "processes"), processes);
        EXPECT_LT(number(folder, "process_imbalance"), 1.25);
    }
}

TEST_F(Mpirun, AProcessThatIsKilledLeavesACheckpointToGoOnFrom) {
    const Words long_run{"run", "channel.yaml", "-o", "run", "--set", "duration=10 s"};
    {
        Running running(words(2, long_run), here());
        wait_for("run/partial.csv");
        const int other = follower(running.id());
        ASSERT_GT(other, 0);
        kill(other, SIGKILL);
        const Ended ended = running.wait();
        EXPECT_NE(ended.code, 0);
        EXPECT_TRUE(contains(ended.err, "add --resume to go on")) << ended.err;
        EXPECT_FALSE(fs::exists(file("run/summary.json")));
    }
    // Another number of processes may go on; one without mpirun may not.
    const Ended refused = alone("run channel.yaml -o run --set 'duration=10 s' --resume");
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, "resume it with mpirun")) << refused.err;
    Words resumed = long_run;
    resumed.push_back("--resume");
    Running running(words(1, resumed), here());
    std::this_thread::sleep_for(2s);
    running.signal(SIGTERM);
    const Ended ended = running.wait();
    EXPECT_TRUE(contains(ended.err, "interrupted: ")) << ended.err;
    EXPECT_TRUE(contains(ended.err, "are done and kept in run; add --resume to go on"));
}

TEST_F(Mpirun, AResumedRunHasTheStatisticsOfAWhole) {
    ASSERT_EQ(run(2, {"run", "channel.yaml", "-o", "whole", "--quiet"}).code, 0);
    Running running(words(2, {"run", "channel.yaml", "-o", "cut", "--quiet"}), here());
    wait_for("cut");
    std::this_thread::sleep_for(100ms);
    // A wish to stop that one process alone hears is told to all.
    const int other = follower(running.id());
    ASSERT_GT(other, 0);
    kill(other, SIGTERM);
    const Ended ended = running.wait();
    ASSERT_EQ(ended.code, 130) << ended.err;
    EXPECT_TRUE(contains(ended.err, "of 600 steps are done")) << ended.err;
    ASSERT_EQ(run(2, {"run", "channel.yaml", "-o", "cut", "--quiet", "--resume"}).code, 0);
    EXPECT_EQ(number("cut", "spheres_in"), number("whole", "spheres_in"));
    for (const auto& [key, tolerance] :
         {std::pair{"spheres_mean", 0.04}, std::pair{"speed_mean_m_per_s", 0.04},
          std::pair{"contacts_per_sphere", 0.12}}) {
        EXPECT_NEAR(number("cut", key), number("whole", key), tolerance * number("whole", key))
            << key;
    }
    EXPECT_EQ(number("cut", "steps"), 600.0);
}

TEST_F(Mpirun, AProblemForOneProcessIsRefusedOnce) {
    io::write_text(file("ball.yaml"),
                   "problem: restitution\nlaw: hertz\nstiffness: 1e7\nmass: 1 g\nspeed: 1 m/s\n");
    const Ended ended = run(2, {"run", "ball.yaml"});
    EXPECT_EQ(ended.code, 2);
    const std::string words =
        "ball.yaml: error: problem: restitution: is computed in one process; mpirun started 2\n"
        "    hint: start it without mpirun; --shard k/N spreads it over machines\n";
    EXPECT_TRUE(ended.err.starts_with(words) &&
                ended.err.find(words) == ended.err.rfind("ball.yaml: "))
        << ended.err;
}

}  // namespace
}  // namespace stoss::tests
