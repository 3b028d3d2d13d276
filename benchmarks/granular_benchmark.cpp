// Spheres of 0.47 mm packed in a box: relaxations a second, cost against number, bytes a sphere.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include <stoss/granular/assembly.hpp>

namespace {

using namespace stoss::granular;
using Eigen::Vector3d;

constexpr double radius = 0.235e-3;

Stepping stepping(int microseconds, int sweeps) {
    Stepping stepping;
    stepping.step = 1e-6 * microseconds;
    stepping.gravity = {0, 0, -9.81};
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.sweeps = sweeps;
    stepping.margin = 0.1e-3;
    stepping.skin = 0.05e-3;
    return stepping;
}

/// `count` spheres that fell from a loose lattice into a box as deep as it is wide, so that it is
/// half full, until they had come to rest: large boxes take longer.
std::shared_ptr<Assembly> settled(int count, int threads, const Stepping& stepping) {
    const double spacing = 2.06 * radius;
    const int edge = static_cast<int>(std::ceil(std::cbrt(count)));
    const double width = edge * spacing;
    const std::vector<Wall> walls{
        Plane{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, Plane{{width, 0, 0}, {-1, 0, 0}, {0, 0, 0}},
        Plane{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}, Plane{{0, width, 0}, {0, -1, 0}, {0, 0, 0}},
        Plane{{0, 0, 0}, {0, 0, 1}, {0, 0, 0}}};
    auto assembly = std::make_shared<Assembly>(stepping, walls, threads);
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> v(-0.1, 0.1);
    const double mass = 2650.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
    for (int i = 0; i < count; ++i) {
        const Vector3d place(i % edge + 0.5, i / edge % edge + 0.5, i / edge / edge + 0.5);
        assembly->add(
            {spacing * place, {v(engine), v(engine), v(engine)}, Vector3d::Zero(), radius, mass});
    }
    const double fall = std::sqrt(width / 9.81);
    while (assembly->time() < fall) assembly->step();
    return assembly;
}

/// Arguments: spheres, threads, step [us], sweeps.
void packed_box(benchmark::State& state) {
    static std::map<std::vector<std::int64_t>, std::shared_ptr<Assembly>> packed;
    const int count = static_cast<int>(state.range(0)), threads = static_cast<int>(state.range(1));
    const int microseconds = static_cast<int>(state.range(2));
    auto& assembly = packed[{count, threads, microseconds, state.range(3)}];
    if (!assembly) {
        assembly =
            settled(count, threads, stepping(microseconds, static_cast<int>(state.range(3))));
    }
    const auto relaxations = assembly->relaxations();
    StepReport report;
    double deepest = 0.0;
    for (auto _ : state) {
        report = assembly->step();
        deepest = std::max(deepest, report.deepest_overlap);
    }
    const auto done = static_cast<double>(assembly->relaxations() - relaxations);
    using benchmark::Counter;
    state.counters["relaxations/s"] = Counter(done, Counter::kIsRate);
    // Seconds for a simulated millisecond.
    state.counters["s/ms"] = Counter(static_cast<double>(state.iterations()) * microseconds / 1e3,
                                     Counter::kIsRate | Counter::kInvert);
    state.counters["contacts/sphere"] = static_cast<double>(report.contacts) / count;
    state.counters["bytes/sphere"] = static_cast<double>(assembly->bytes()) / count;
    state.counters["overlap/radius"] = deepest / radius;
}
// By the time of the processor, which is that of one core: other programs may run. The last one has
// a step and sweeps that let the deepest overlap come to about a hundredth of the radius.
BENCHMARK(packed_box)
    ->Args({2000, 1, 50, 10})
    ->Args({20000, 1, 50, 10})
    ->Args({200000, 1, 50, 10})
    ->Args({20000, 1, 100, 5})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(packed_box)->Args({20000, 2, 50, 10})->Unit(benchmark::kMillisecond)->UseRealTime();

/// 2000 dumbbells that fell for 60 ms into a narrow box; argument: friction.
void packed_clumps(benchmark::State& state) {
    Stepping of_clumps = stepping(50, 10);
    of_clumps.friction = static_cast<Friction>(state.range(0));
    const double spacing = 4.06 * radius;
    const int edge = 10;
    const double width = edge * spacing;
    Assembly assembly(
        of_clumps,
        {Plane{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, Plane{{width, 0, 0}, {-1, 0, 0}, {0, 0, 0}},
         Plane{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}, Plane{{0, width, 0}, {0, -1, 0}, {0, 0, 0}},
         Plane{}},
        1);
    Clump dumbbell;
    dumbbell.members = {{{-radius, 0, 0}, radius}, {{radius, 0, 0}, radius}};
    const MassProperties solid = mass_properties(dumbbell.members);
    dumbbell.mass = 2650.0 * solid.volume;
    dumbbell.inertia = 2650.0 * solid.inertia.diagonal();
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> random(-1.0, 1.0);
    for (int i = 0; i < 2000; ++i) {
        dumbbell.position =
            spacing * Vector3d(i % edge + 0.5, i / edge % edge + 0.5, i / edge / edge + 0.5);
        dumbbell.orientation =
            Eigen::Quaterniond(random(engine), random(engine), random(engine), 1.0).normalized();
        assembly.add(dumbbell);
    }
    while (assembly.time() < 60e-3) assembly.step();
    const auto relaxations = assembly.relaxations();
    StepReport report;
    for (auto _ : state) report = assembly.step();
    state.counters["relaxations/s"] = benchmark::Counter(
        static_cast<double>(assembly.relaxations() - relaxations), benchmark::Counter::kIsRate);
    state.counters["contacts/clump"] = static_cast<double>(report.contacts) / 2000.0;
    state.counters["bytes/sphere"] = static_cast<double>(assembly.bytes()) / 4000.0;
}
BENCHMARK(packed_clumps)
    ->Arg(static_cast<int>(Friction::maximum_dissipation))
    ->Arg(static_cast<int>(Friction::coulomb))
    ->Unit(benchmark::kMillisecond);

}  // namespace
