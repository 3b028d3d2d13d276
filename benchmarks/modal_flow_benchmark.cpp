// The exact flow of one mode over one step: what a table of propagators costs.
#include <benchmark/benchmark.h>

#include <stoss/modal/modal_flow.hpp>

namespace {

using namespace stoss;

/// `damping` as a multiple of the critical one, in percent.
void modal_flow(benchmark::State& state) {
    const double omega = 2e4;
    const double damping = 2.0 * omega * static_cast<double>(state.range(0)) / 100.0;
    double t = 1e-6;
    for (auto _ : state) {
        benchmark::DoNotOptimize(t);
        benchmark::DoNotOptimize(modal::modal_flow(omega * omega, damping, t));
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(modal_flow)->ArgName("percent_of_critical")->Arg(0)->Arg(1)->Arg(100)->Arg(200);

}  // namespace
