// Whole collisions of the published beam, to their rigorous end: at xi = 0.68 and along the beam.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

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

/// A map of the model, its places one by one or side by side.
void collide_map(benchmark::State& state, const models::BeamModel& model, bool side_by_side) {
    constexpr std::size_t places = 40;
    std::size_t steps = 0, begun = 0;
    const auto next = [&](models::BeamModel::CollisionRequest& request) {
        request = {begun, &model, 0.2 + 0.02 * static_cast<double>(begun)};
        return begun++ < places;
    };
    const auto take = [&](std::size_t, const impact::CollisionResult& result) {
        steps += result.steps;
    };
    models::BeamModel::CollisionRequest request;
    for (auto _ : state) {
        begun = 0;
        if (side_by_side) {
            models::BeamModel::collide_all(next, take);
        } else {
            while (next(request)) take(request.id, model.collide(request.xi));
        }
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(places) * state.iterations());
    state.counters["steps"] =
        benchmark::Counter(static_cast<double>(steps) / places, benchmark::Counter::kAvgIterations);
}

/// By the exponent of the tolerance.
void collide_splitting(benchmark::State& state, bool side_by_side) {
    models::BeamCollision parameters = published_beam();
    resolve_modes(parameters, static_cast<int>(state.range(1)));
    parameters.integration.scheme =
        time::Splitting{std::pow(10.0, static_cast<double>(state.range(0)))};
    collide_map(state, models::BeamModel(parameters), side_by_side);
}
BENCHMARK_CAPTURE(collide_splitting, one_by_one, false)
    ->ArgNames({"log10_tolerance", "modes"})
    ->ArgsProduct({{-5, -6}, {25}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(collide_splitting, side_by_side, true)
    ->ArgNames({"log10_tolerance", "modes"})
    ->ArgsProduct({{-4, -5, -6, -8}, {25}})
    ->Args({-6, 100})
    ->Unit(benchmark::kMillisecond);

/// By a law that damps, its restitution given, at tolerance 1e-6.
template <class Law>
void collide_damped(benchmark::State& state) {
    models::BeamCollision parameters = published_beam();
    Law law;
    law.restitution = 0.7;
    parameters.contact.law = law;
    parameters.integration.scheme = time::Splitting{1e-6};
    collide_map(state, models::BeamModel(parameters), true);
}
BENCHMARK(collide_damped<contact::HuntCrossley>)->Unit(benchmark::kMillisecond);
BENCHMARK(collide_damped<contact::KuwabaraKono>)->Unit(benchmark::kMillisecond);
BENCHMARK(collide_damped<contact::LinearDamping>)->Unit(benchmark::kMillisecond);
BENCHMARK(collide_damped<contact::Tsuji>)->Unit(benchmark::kMillisecond);

}  // namespace
