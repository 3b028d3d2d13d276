/// Long problems go on where they were interrupted, and give the bytes of a run without a break.

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <string>

#include <solved_case.hpp>
#include <solvers/app/run.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/io/checkpoint.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::solvers {
namespace {

const std::string beam =
    "beam:\n"
    "  length: 508 mm\n"
    "  section: {shape: circle, radius: 6.35 mm}\n"
    "  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34, density: 2710 kg/m^3}\n"
    "  supports: [{type: pin, xi: 0}]\n"
    "  internal_damping: 1e6 Pa s\n"
    "striker:\n"
    "  shape: cylinder\n"
    "  radius: 6.35 mm\n"
    "  material: {youngs_modulus: 68.3 GPa, poisson_ratio: 0.34}\n"
    "motion: {angular_velocity: -3 rad/s}\n"
    "mesh: {elements: 20, modes: 8}\n"
    "integration: {scheme: splitting, tolerance: 1e-4}\n"
    "locations: {from: 0.3, to: 0.9, points: 3}\n";

const std::string experiment =
    "problem: virtual_experiment\n" + beam + "repeats: 4\nscatter: {speed: 5 %, location: 1 mm}\n";
const std::string uncertain =
    "problem: beam_impact_map\n" + beam +
    "uncertainty:\n"
    "  samples: 8\n"
    "  keys: [{key: beam.internal_damping, distribution: lognormal, relative_sigma: 20 %}]\n";

const std::string ball =
    "problem: impact_motion\n"
    "bodies:\n"
    "  - {name: ball, kind: point_mass, mass: 1 g}\n"
    "  - {name: table, kind: surface, motion: [{amplitude: 0.3 mm, frequency: 30 Hz}]}\n"
    "contacts:\n"
    "  - {name: ball, first: {body: ball}, second: {body: table}, gap: 1 mm, cor: 0.5}\n"
    "gravity: 9.81 m/s^2\n";
const std::string bouncing = ball + "end: {time: 2 s}\noutput: {samples: 20}\n";
const std::string diagram =
    ball +
    "poincare: {frequency: 300 Hz, transient: 0, periods: 1}\n"
    "over: [{key: 'bodies[1].motion[0].amplitude', from: 0.2 mm, to: 0.3 mm, points: 6}]\n";

using tests::solve;

const auto never = [] { return false; };

class Resume : public testing::TestWithParam<std::string> {};

TEST_P(Resume, GivesTheBytesOfARunWithoutABreak) {
    const tests::TemporaryDirectory directory;
    const std::string file = directory.file("partial.csv");
    {
        io::Checkpoint checkpoint(file, "case", false);
        std::atomic<int> asked{0};
        const auto stop = [&] { return ++asked > 6; };
        const Outcome cut = solve(GetParam(), {1, true, stop, &checkpoint});
        EXPECT_EQ(cut.ending, Ending::interrupted);
        EXPECT_GT(cut.items_done, 0U);
        EXPECT_LT(cut.items_done, cut.item_count);
        checkpoint.save();
    }
    io::Checkpoint checkpoint(file, "case", true);
    EXPECT_GT(checkpoint.restored(), 0U);
    const Outcome resumed = solve(GetParam(), {2, true, never, &checkpoint});
    const Outcome whole = solve(GetParam(), {1, true, never, nullptr});
    EXPECT_EQ(resumed.ending, Ending::complete);
    EXPECT_EQ(resumed.items_done, resumed.item_count);
    EXPECT_EQ(resumed.warnings, whole.warnings);
    ASSERT_EQ(resumed.tables.size(), whole.tables.size());
    for (std::size_t i = 0; i < whole.tables.size(); ++i) {
        EXPECT_EQ(resumed.tables[i].first, whole.tables[i].first);
        EXPECT_EQ(io::to_csv(resumed.tables[i].second), io::to_csv(whole.tables[i].second))
            << whole.tables[i].first;
    }
}

INSTANTIATE_TEST_SUITE_P(OfLongProblems, Resume,
                         testing::Values(experiment, uncertain, bouncing, diagram));

TEST(Merge, ThatIsInterruptedIsStoppedAndNotRefused) {
    const tests::TemporaryDirectory directory;
    RunRequest request;
    request.case_file = directory.file("map.yaml");
    io::write_text(request.case_file, "problem: beam_impact_map\n" + beam);
    request.directory = directory.file("part");
    request.shard = "1/2";
    request.quiet = true;
    run(request);
    request.shard.clear();
    const std::string part = request.directory;
    request.directory = directory.file("merged");
    EXPECT_THROW(merge(request, {part}), core::InputError);
    {
        const core::InterruptGuard guard;
        std::raise(SIGTERM);
        EXPECT_THROW(merge(request, {part}), core::Stopped);
    }
    const core::InterruptGuard forgets;  // the signal: later tests of this program are not stopped
}

}  // namespace
}  // namespace stoss::solvers
