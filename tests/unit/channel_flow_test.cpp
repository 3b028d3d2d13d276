// Problem channel_flow: what comes in and goes out, threads, interruption, failure.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <numbers>
#include <string>

#include <models/channel.hpp>
#include <solved_case.hpp>
#include <solvers/case/memory.hpp>
#include <stoss/core/error.hpp>
#include <stoss/granular/plane_profile.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/csv.hpp>
#include <temporary_directory.hpp>

namespace {

using namespace stoss;
using tests::bytes;
using tests::number;
using tests::solve;
using tests::table;

const std::string small_channel =
    "problem: channel_flow\n"
    "channel: {length: 8 mm, width: 4 mm, height: 2 mm}\n"
    "obstacle: {x: 4 mm, y: 2.2 mm, radius: 0.6 mm}\n"
    "density: 2500 kg/m^3\n"
    "inflow: {radius: 0.235 mm, spacing: 0.5 mm, speed: 1 m/s, noise: 0.5 m/s}\n"
    "contact: {friction: 0.4}\n"
    "stepping: {step: 40 us}\n"
    "duration: 12 ms\n"
    "statistics: {every: 10, from: 6 ms, along: 16, across: 8}\n"
    "frames: 3\n";

/// The same for 80 steps: spheres come in, leave and are counted.
std::string brief_channel() {
    std::string text = small_channel;
    text.replace(text.find("12 ms"), 5, "3.2 ms");
    text.replace(text.find("6 ms"), 4, "1.6 ms");
    return text;
}

TEST(ChannelFlow, ThreadsDoNotChangeAByte) {
    const solvers::Outcome one = solve(brief_channel()), three = solve(brief_channel(), {3, true});
    EXPECT_GT(number(one, "spheres_in"), 0.0);
    EXPECT_GT(number(one, "spheres_out"), 0.0);
    EXPECT_EQ(one.files.size(), 6u);  // four frames, their list, the cells
    EXPECT_EQ(bytes(one), bytes(three));
}

TEST(ChannelFlow, AMotionThatDivergesBeforeTheFirstSampleHasNoCells) {
    const solvers::Outcome outcome = solve(brief_channel() + "gravity: [0, 0, -1e308]\n");
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    EXPECT_EQ(table(outcome, "cells.csv").rows(), 0u);
    EXPECT_TRUE(std::isnan(*outcome.summary.find("speed_peak_m_per_s")->number()));
}

/// A vertical pipe that is full at the start: all spheres have fallen out of it after 45 ms.
std::string emptying_pipe(const std::string& from) {
    return "problem: channel_flow\n"
           "channel: {length: 10 mm, width: 5 mm, height: 2 mm}\n"
           "density: 2500 kg/m^3\n"
           "gravity: [9.81, 0, 0]\n"
           "inflow: {radius: 0.235 mm, spacing: 0.5 mm, speed: 1 mm/s}\n"
           "contact: {friction: 0.4}\n"
           "stepping: {step: 100 us}\n"
           "duration: 80 ms\n"
           "statistics: {every: 50, along: 10, across: 5, from: " +
           from + "}\n";
}

TEST(ChannelFlow, CellsThatNeverHadASphereAreNoPicture) {
    const solvers::Outcome outcome = solve(emptying_pipe("60 ms"));
    EXPECT_EQ(outcome.ending, solvers::Ending::complete);
    EXPECT_EQ(number(outcome, "spheres_mean"), 0.0);
    EXPECT_EQ(table(outcome, "cells.csv").rows(), 50u);
    EXPECT_TRUE(std::ranges::none_of(
        outcome.files, [](const auto& file) { return file.first == "vtk/cells.vtp"; }));
    EXPECT_NE(tests::warning_with(outcome, "means over spheres are unknown"), "");
}

TEST(ChannelFlow, EmptySamplesAreLeftOutOfMeansOverSpheres) {
    const solvers::Outcome outcome = solve(emptying_pipe("0 s"));
    const io::Table& history = table(outcome, "history.csv");
    const auto count = history.numbers("spheres"), speed = history.numbers("speed_mean_m_per_s");
    double sum = 0.0, filled = 0.0;
    for (std::size_t row = 0; row < count.size(); ++row) {
        if (count[row] == 0.0) continue;
        sum += speed[row];
        filled += 1.0;
    }
    EXPECT_GT(filled, 0.0);
    EXPECT_LT(filled, static_cast<double>(count.size()));
    EXPECT_DOUBLE_EQ(number(outcome, "speed_mean_m_per_s"), sum / filled);
    EXPECT_NE(tests::warning_with(outcome, "the channel was empty at"), "");
    EXPECT_EQ(tests::warning_with(solve(brief_channel()), "the channel was empty at"), "");
}

TEST(ChannelFlow, TheInflowDoesNotDependOnTheStep) {
    for (const std::string step : {"45 us", "30 us", "7 us"}) {
        const solvers::Outcome outcome = solve(
            "problem: channel_flow\n"
            "channel: {length: 3 mm, width: 4 mm, height: 2 mm}\n"
            "density: 2500 kg/m^3\n"
            "inflow: {radius: 0.235 mm, spacing: 0.5 mm, speed: 1 m/s}\n"
            "gravity: [0, 0, 0]\n"
            "contact: {friction: 0}\n"
            "stepping: {step: " +
            step +
            "}\n"
            "duration: 50 ms\n"
            "frames: 0\n");
        constexpr double layer = 32.0;  // 8 x 4 spheres, every two radii
        const double way = number(outcome, "time_s") * 1.0;
        EXPECT_NEAR(number(outcome, "spheres_in"), layer * way / 0.47e-3, layer) << step;
    }
}

TEST(ChannelFlow, CellsThatDoNotFitIntoTheMemoryAreRefused) {
    std::string text = brief_channel();
    text.replace(text.find("along: 16, across: 8"), 20, "along: 10000, across: 10000");
    const bool is_large_machine = solvers::machine_memory() > 1.3e11;
    std::string words;
    try {
        (void)tests::read_case(text);
    } catch (const core::InputError& error) {
        words = error.what();
    }
    EXPECT_EQ(words.find("statistics.along: 10000: would take about") == std::string::npos,
              is_large_machine);
}

TEST(ChannelFlow, ADensityWhoseMassHasNoSquareIsRefused) {
    for (const std::string density : {"1e300 kg", "1e-300 kg"}) {
        std::string text = brief_channel();
        text.replace(text.find("2500 kg"), 7, density);
        EXPECT_THROW((void)tests::read_case(text), core::InputError) << density;
    }
}

TEST(ChannelFlow, OneSampleInTheMeansIsAWarning) {
    const auto has_warning = [](const std::string& text) {
        const auto warnings = solve(text).warnings;
        return std::any_of(warnings.begin(), warnings.end(), [](const std::string& each) {
            return each.find("fewer than two samples") != std::string::npos;
        });
    };
    EXPECT_FALSE(has_warning(brief_channel()));
    std::string text = brief_channel();
    text.replace(text.find("every: 10"), 9, "every: 1000");
    EXPECT_TRUE(has_warning(text));
}

void expect_the_same_bytes_after_interruption(const std::string& text,
                                              std::initializer_list<int> steps) {
    const std::string whole = bytes(solve(text));
    const tests::TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    for (const int last : steps) {
        {
            io::Checkpoint checkpoint(file, "case", false);
            int asked = 0;
            const auto cut = solve(text, {1, true, [&] { return ++asked > last; }, &checkpoint});
            EXPECT_EQ(cut.ending, solvers::Ending::interrupted);
            EXPECT_EQ(cut.items_done, static_cast<std::size_t>(last));
            checkpoint.save();
        }
        io::Checkpoint checkpoint(file, "case", true);
        const auto resumed = solve(text, {1, true, [] { return false; }, &checkpoint});
        EXPECT_EQ(bytes(resumed), whole) << last;
    }
}

TEST(ChannelFlow, InterruptedAnywhereItGoesOnToTheSameBytes) {
    expect_the_same_bytes_after_interruption(brief_channel(), {1, 13, 43, 79});
}

TEST(ChannelFlow, AnEmptyChannelGoesOnToTheSameBytes) {
    expect_the_same_bytes_after_interruption(emptying_pipe("60 ms"), {300, 700});
}

TEST(ChannelFlow, SpheresAndEnergyAreAccountedFor) {
    const solvers::Outcome outcome = solve(small_channel);
    const auto count = table(outcome, "history.csv").numbers("spheres");
    const auto ids = table(outcome, "spheres.csv").numbers("sphere");
    // A layer is 8 x 4; those of the start lose what would lie in the obstacle.
    const double came = number(outcome, "spheres_in"), left = number(outcome, "spheres_out");
    EXPECT_EQ(std::fmod(came, 32.0), 0.0);
    EXPECT_GT(came, 200.0);
    EXPECT_GT(left, 200.0);
    EXPECT_EQ(static_cast<double>(ids.size()), number(outcome, "spheres_last"));
    const double first = ids.back() + 1.0 - came;  // numbers go on
    EXPECT_EQ(number(outcome, "spheres_last"), first + came - left);
    EXPECT_EQ(count.back(), number(outcome, "spheres_last"));
    const double in = number(outcome, "energy_first_J") + number(outcome, "energy_in_J") +
                      number(outcome, "work_of_plane_J") +
                      number(outcome, "work_of_error_reduction_J");
    const double out = number(outcome, "energy_last_J") + number(outcome, "energy_out_J") +
                       number(outcome, "energy_lost_J");
    EXPECT_NEAR(in, out, 1e-12 * in);
    EXPECT_GT(number(outcome, "energy_lost_J"), 0.0);
}

TEST(ChannelFlow, TheDeepestOverlapOfTheSummaryIsThatOfTheMeans) {
    std::string text = small_channel;
    text.replace(text.find("from: 6 ms"), 10, "from: 10.8 ms");
    const solvers::Outcome outcome = solve(text);
    const io::Table& history = table(outcome, "history.csv");
    const auto time = history.numbers("time_s"), deepest = history.numbers("deepest_overlap_m");
    double before = 0.0, after = 0.0;
    for (std::size_t row = 0; row < time.size(); ++row) {
        double& largest = time[row] < 11e-3 ? before : after;  // a row after `from` at least
        largest = std::max(largest, deepest[row]);
    }
    EXPECT_NEAR(number(outcome, "deepest_overlap_m"), after, 1e-18);
    EXPECT_LT(after, before);
}

TEST(ChannelFlow, WarnsOfSpheresThatOverlapTooFar) {
    const std::string words = "of the smaller radius: rigid spheres should overlap far less";
    const solvers::Outcome deep = solve(brief_channel());
    EXPECT_GT(number(deep, "deepest_overlap_radii"), 0.1);
    EXPECT_NE(tests::warning_with(deep, words), "");
    std::string text = brief_channel();
    text.replace(text.find("step: 40 us"), 11, "step: 5 us, sweeps: 100");
    const solvers::Outcome shallow = solve(text);
    EXPECT_LT(number(shallow, "deepest_overlap_radii"), 0.1);
    EXPECT_EQ(tests::warning_with(shallow, words), "");
}

TEST(ChannelFlow, WithoutNoiseGravityAndFrictionLayersMoveOnAsTheyCame) {
    const solvers::Outcome outcome = solve(
        "problem: channel_flow\n"
        "channel: {length: 10 mm, width: 4 mm, height: 2 mm}\n"
        "density: 2500 kg/m^3\n"
        "inflow: {radius: 0.25 mm, spacing: 0.5 mm, speed: 1 m/s}\n"
        "gravity: [0, 0, 0]\n"
        "contact: {friction: 0}\n"
        "stepping: {step: 25 us}\n"
        "duration: 20 ms\n"
        "statistics: {every: 20, from: 5 ms, along: 10, across: 4}\n"
        "frames: 0\n");
    EXPECT_NEAR(number(outcome, "speed_mean_m_per_s"), 1.0, 1e-12);
    EXPECT_NEAR(number(outcome, "speed_peak_m_per_s"), 1.0, 1e-12);
    EXPECT_NEAR(number(outcome, "energy_lost_J"), 0.0, 1e-12 * number(outcome, "energy_in_J"));
    // A layer of 32 every two radii, which is 20 steps.
    EXPECT_NEAR(number(outcome, "inflow_per_s"), 32.0 / 0.5e-3, 0.05 * 32.0 / 0.5e-3);
    EXPECT_NEAR(number(outcome, "spheres_drift"), 0.0, 1e-12);
    EXPECT_EQ(outcome.files.size(), 1u);
}

TEST(ChannelFlow, EmptyChannelFillsFromTheInflow) {
    std::string text = small_channel;
    text.insert(text.find("noise: 0.5 m/s") + 14, ", filled: false");
    const auto count = table(solve(text), "history.csv").numbers("spheres");
    EXPECT_EQ(count.front(), 32.0);
    EXPECT_GT(count.back(), 10.0 * count.front());
}

TEST(ChannelFlow, NoSphereBeginsInTheObstacleOrTouchesAnother) {
    const models::Channel channel{8e-3, 4e-3, 2e-3};
    const models::ChannelObstacle obstacle{4e-3, 2.2e-3, 0.6e-3};
    EXPECT_NEAR(models::free_volume(channel, obstacle),
                2e-3 * (32e-6 - 0.36e-6 * (2.0 + 0.5 * std::numbers::pi)), 1e-20);
    models::ChannelInflow inflow{0.235e-3, 0.5e-3, 1.0, 0.5};
    const auto one = models::layer_of(inflow, channel, 2500.0, 3, 1e-3);
    const auto again = models::layer_of(inflow, channel, 2500.0, 3, 1e-3);
    const auto next = models::layer_of(inflow, channel, 2500.0, 4, 1e-3);
    ASSERT_EQ(one.size(), 32u);
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].velocity, again[i].velocity);
        EXPECT_NE(one[i].velocity, next[i].velocity);
        EXPECT_LE(std::abs(one[i].velocity.y()), 0.5);
        EXPECT_EQ(one[i].velocity.x(), 1.0);
    }
    granular::Spheres layer;
    for (const granular::Sphere& sphere : one)
        layer.add(sphere, static_cast<std::uint32_t>(layer.size()));
    EXPECT_LE(models::deepest_overlap(layer).share, 0.0);
}

TEST(ChannelObstacle, HasItsWallsAfterThePlanesOfTheChannel) {
    const models::Channel channel{8e-3, 4e-3, 2e-3};
    const models::ChannelObstacle obstacle{4e-3, 2e-3, 0.6e-3};
    const auto walls = models::walls_of(channel, obstacle, 1.0);
    ASSERT_EQ(std::ssize(models::walls_of(channel, {}, 1.0)), models::channel_walls);
    ASSERT_GT(std::ssize(walls), models::channel_walls);
    for (std::ptrdiff_t k = 0; k < std::ssize(walls); ++k)
        EXPECT_EQ(std::holds_alternative<granular::Plane>(walls[static_cast<std::size_t>(k)]),
                  k < models::channel_walls)
            << k;
}

TEST(ChannelObstacle, AreaInACellIsThatOfACountOfPoints) {
    const models::ChannelObstacle obstacle{4e-3, 2.2e-3, 0.6e-3};
    const auto walls = models::walls_of({8e-3, 4e-3, 2e-3}, obstacle, 1.0);
    const auto is_inside = [&](double x, double y) {
        return std::any_of(walls.begin() + 5, walls.end(), [&](const granular::Wall& wall) {
            return granular::near(wall, {x, y, 1e-3}).distance < 0.0;
        });
    };
    constexpr int points = 400;  // along an edge of a cell
    for (const double x : {3.1e-3, 3.4e-3, 3.7e-3, 3.9e-3, 4.3e-3, 4.5e-3}) {
        for (const double y : {1.3e-3, 1.6e-3, 1.9e-3, 2.1e-3, 2.4e-3, 2.7e-3}) {
            const Eigen::Vector2d low(x, y), size(0.35e-3, 0.29e-3);
            int inside = 0;
            for (int i = 0; i < points; ++i) {
                for (int k = 0; k < points; ++k)
                    inside += is_inside(x + (i + 0.5) / points * size.x(),
                                        y + (k + 0.5) / points * size.y());
            }
            EXPECT_NEAR(obstacle.area_in(low, low + size) / size.prod(),
                        inside / (1.0 * points * points), 2e-3)
                << x << " " << y;
        }
    }
}

TEST(ChannelFlow, SolidFractionsOfSlabsAndCellsAreOfTheSpaceBesideTheObstacle) {
    const solvers::Outcome outcome = solve(small_channel);
    const models::Channel channel{8e-3, 4e-3, 2e-3};
    const models::ChannelObstacle obstacle{4e-3, 2.2e-3, 0.6e-3};
    const auto volume = [&](const io::Table& part, double dx, double dy) {
        double sum = 0.0;
        for (std::size_t row = 0; row < part.rows(); ++row) {
            const double x = part.numbers("x_m")[row];
            const double y = dy < channel.width ? part.numbers("y_m")[row] : 0.5 * dy;
            sum += part.numbers("solid_fraction")[row] *
                   models::free_volume(channel, obstacle, {x - 0.5 * dx, y - 0.5 * dy},
                                       {x + 0.5 * dx, y + 0.5 * dy});
        }
        return sum;
    };
    const double slabs = volume(table(outcome, "profile.csv"), 0.5e-3, 4e-3);
    const double cells = volume(table(outcome, "cells.csv"), 0.5e-3, 0.5e-3);
    EXPECT_NEAR(slabs / cells, 1.0, 1e-12);
    // The summary has the spheres beyond the outlet until they are taken out.
    EXPECT_NEAR(slabs / models::free_volume(channel, obstacle), number(outcome, "solid_fraction"),
                0.02 * number(outcome, "solid_fraction"));
    // 16 x 8 cells; two of them, 3.5 to 4.5 mm by 2 to 2.5 mm, are inside the obstacle.
    EXPECT_EQ(table(outcome, "cells.csv").rows(), 126u);
}

TEST(PlaneProfile, MeansAreThoseOfTheSpheresInAColumn) {
    granular::Spheres spheres;
    const auto add = [&](double x, double y, double v, double omega) {
        spheres.add({{x, y, 7.0}, {v, 0, 0}, {0, omega, 0}, 0.5, 1.0}, 0);
    };
    add(0.5, 0.5, 1.0, 3.0);
    add(0.9, 0.1, -3.0, 1.0);
    add(1.5, 1.5, 5.0, 0.0);
    add(2.5, 0.5, 100.0, 0.0);  // outside
    granular::PlaneProfile profile({{0, 0, 0}, {2, 2, 1}}, 2, 2);
    profile.sample(spheres);
    profile.sample(spheres);
    const auto first = profile.column(0, 0);
    EXPECT_EQ(first.spheres, 2.0);
    EXPECT_NEAR(first.volume, 2.0 * std::numbers::pi / 6.0, 1e-15);
    EXPECT_EQ(first.velocity.x(), -1.0);
    EXPECT_EQ(first.speed, 2.0);
    EXPECT_EQ(first.angular_speed, 2.0);
    EXPECT_EQ(profile.column(0, 1).spheres, 0.0);
    EXPECT_TRUE(std::isnan(profile.column(0, 1).speed));
    EXPECT_EQ(profile.slice(1).speed, 5.0);
}

}  // namespace
