// A whole collision of the published beam at xi = 0.68, to its rigorous end.
#include <benchmark/benchmark.h>

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

}  // namespace
