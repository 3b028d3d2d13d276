// Spheres of 0.47 mm packed in a box: relaxations a second, cost against number, bytes a sphere.

#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <random>

#include <stoss/granular/assembly.hpp>

namespace {

using namespace stoss::granular;
using Eigen::Vector3d;

constexpr double radius = 0.235e-3;

Stepping stepping() {
    Stepping stepping;
    stepping.step = 50e-6;
    stepping.gravity = {0, 0, -9.81};
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.sweeps = 10;
    stepping.margin = 0.1e-3;
    stepping.skin = 0.05e-3;
    return stepping;
}

/// `count` spheres that fell for 25 ms from a loose lattice into a box as deep as it is wide, so
/// that it is half full.
std::shared_ptr<Assembly> settled(int count, int threads) {
    const double spacing = 2.06 * radius;
    const int edge = static_cast<int>(std::ceil(std::cbrt(count)));
    const double width = edge * spacing;
    const std::vector<Wall> walls{
        Plane{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, Plane{{width, 0, 0}, {-1, 0, 0}, {0, 0, 0}},
        Plane{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}, Plane{{0, width, 0}, {0, -1, 0}, {0, 0, 0}},
        Plane{{0, 0, 0}, {0, 0, 1}, {0, 0, 0}}};
    auto assembly = std::make_shared<Assembly>(stepping(), walls, threads);
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> v(-0.1, 0.1);
    const double mass = 2650.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
    for (int i = 0; i < count; ++i) {
        const Vector3d place(i % edge + 0.5, i / edge % edge + 0.5, i / edge / edge + 0.5);
        assembly->add(
            {spacing * place, {v(engine), v(engine), v(engine)}, Vector3d::Zero(), radius, mass});
    }
    for (int i = 0; i < 500; ++i) assembly->step();
    return assembly;
}

/// Arguments: spheres, threads.
void packed_box(benchmark::State& state) {
    static std::map<std::pair<int, int>, std::shared_ptr<Assembly>> packed;
    const int count = static_cast<int>(state.range(0)), threads = static_cast<int>(state.range(1));
    auto& assembly = packed[{count, threads}];
    if (!assembly) assembly = settled(count, threads);
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
    // Seconds for a simulated millisecond, which takes 20 steps of 50 us.
    state.counters["s/ms"] = Counter(static_cast<double>(state.iterations()) / 20.0,
                                     Counter::kIsRate | Counter::kInvert);
    state.counters["contacts/sphere"] = static_cast<double>(report.contacts) / count;
    state.counters["bytes/sphere"] = static_cast<double>(assembly->bytes()) / count;
    state.counters["overlap/radius"] = deepest / radius;
}
// By the time of the processor, which is that of one core: other programs may run.
BENCHMARK(packed_box)->ArgsProduct({{2000, 20000, 200000}, {1}})->Unit(benchmark::kMillisecond);
BENCHMARK(packed_box)->Args({20000, 2})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
