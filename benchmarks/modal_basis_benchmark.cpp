// The modes of the published beam, matrices included: what comes before the first collision.
#include <benchmark/benchmark.h>

#include <published_beam.hpp>

namespace {

using namespace stoss;

void modal_basis(benchmark::State& state) {
    models::BeamCollision parameters = published_beam();
    resolve_modes(parameters, static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(models::BeamModel(parameters));
}
BENCHMARK(modal_basis)->ArgName("modes")->Arg(10)->Arg(25)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
