// Whole collisions of the published beam, to their rigorous end: at xi = 0.68 and along the beam.
#include <benchmark/benchmark.h>

#include <cmath>

#include <published_beam.hpp>

namespace {

using namespace stoss;

models::BeamModel model_with_modes(int modes, time::ForceEvaluation force) {
    models::BeamCollision parameters = published_beam(force, 1e-7);
    resolve_modes(parameters, modes);
    return models::BeamModel(parameters);
}

void collide_newmark(benchmark::State& state, time::ForceEvaluation force) {
    const models::BeamModel model = model_with_modes(static_cast<int>(state.range(0)), force);
    std::size_t steps = 0;
    for (auto _ : state) steps += model.collide(0.68).steps;
    state.SetItemsProcessed(state.iterations());
    state.counters["steps"] =
        benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kAvgIterations);
}
BENCHMARK_CAPTURE(collide_newmark, implicit, time::ForceEvaluation::implicit)
    ->ArgName("modes")
    ->Arg(10)
    ->Arg(25)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(collide_newmark, lagged, time::ForceEvaluation::lagged)
    ->ArgName("modes")
    ->Arg(25)
    ->Unit(benchmark::kMillisecond);

/// By the exponent of the tolerance; the places are those of a map.
void collide_splitting(benchmark::State& state) {
    models::BeamCollision parameters = published_beam();
    resolve_modes(parameters, static_cast<int>(state.range(1)));
    parameters.integration.scheme =
        time::Splitting{std::pow(10.0, static_cast<double>(state.range(0)))};
    const models::BeamModel model(parameters);
    constexpr int places = 40;
    std::size_t steps = 0;
    for (auto _ : state) {
        for (int i = 0; i < places; ++i) steps += model.collide(0.2 + 0.02 * i).steps;
    }
    state.SetItemsProcessed(places * state.iterations());
    state.counters["steps"] =
        benchmark::Counter(static_cast<double>(steps) / places, benchmark::Counter::kAvgIterations);
}
BENCHMARK(collide_splitting)
    ->ArgNames({"log10_tolerance", "modes"})
    ->ArgsProduct({{-4, -5, -6, -8}, {25}})
    ->Args({-6, 100})
    ->Unit(benchmark::kMillisecond);

}  // namespace
