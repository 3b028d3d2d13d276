// What derivatives cost: collisions along the published beam without and with them, in turn.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include <models/beam_gradients.hpp>
#include <published_beam.hpp>

namespace {

using namespace stoss;

constexpr std::size_t places = 40;
double place(std::size_t i) {
    return 0.2 + 0.02 * static_cast<double>(i);
}

/// CPU time of this thread [s]: other programs of the machine do not count.
double thread_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

/// Of e. The counter `collisions` is the median of the times of pairs: a sweep of all places with
/// derivatives in sweeps without.
void gradient_in_collisions(benchmark::State& state, const std::vector<std::string>& keys) {
    models::BeamCollision parameters = published_beam();
    resolve_modes(parameters, static_cast<int>(state.range(0)));
    parameters.integration.scheme =
        time::Splitting{std::pow(10.0, static_cast<double>(state.range(1)))};
    const models::BeamModel model(parameters);
    const models::BeamGradients gradients(model, keys);
    constexpr std::array of{impact::Quantity::cor_kinematic};
    double sum = 0.0;
    std::vector<double> ratios;
    for (auto _ : state) {
        const double begin = thread_time();
        for (std::size_t i = 0; i < places; ++i) sum += model.collide(place(i)).cor_kinematic;
        const double middle = thread_time();
        for (std::size_t i = 0; i < places; ++i) sum += gradients.at(place(i), of).by_key(0, 0);
        const double with = thread_time() - middle;
        ratios.push_back(with / (middle - begin));
        state.SetIterationTime(with);
    }
    benchmark::DoNotOptimize(sum);
    state.SetItemsProcessed(static_cast<std::int64_t>(places) * state.iterations());
    state.counters["collisions"] = median(ratios);
}

void with_cases(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"modes", "log10_tolerance"})
        ->ArgsProduct({{25, 100}, {-6, -8}})
        ->UseManualTime()
        ->Iterations(31)
        ->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(gradient_in_collisions, striker_radius, {"striker.radius"})->Apply(with_cases);
BENCHMARK_CAPTURE(gradient_in_collisions, angular_velocity, {"motion.angular_velocity"})
    ->Apply(with_cases);
BENCHMARK_CAPTURE(gradient_in_collisions, youngs_modulus, {"beam.material.youngs_modulus"})
    ->Apply(with_cases);
BENCHMARK_CAPTURE(gradient_in_collisions, density, {"beam.material.density"})->Apply(with_cases);
BENCHMARK_CAPTURE(gradient_in_collisions, length, {"beam.length"})->Apply(with_cases);
BENCHMARK_CAPTURE(gradient_in_collisions, poisson_ratio, {"beam.material.poisson_ratio"})
    ->Apply(with_cases);
BENCHMARK_CAPTURE(gradient_in_collisions, location, {"location"})->Apply(with_cases);
BENCHMARK_CAPTURE(gradient_in_collisions, internal_damping, {"beam.internal_damping"})
    ->Apply(with_cases);
BENCHMARK_CAPTURE(gradient_in_collisions, ten_keys,
                  {"striker.radius", "beam.length", "beam.section.radius",
                   "beam.material.youngs_modulus", "beam.material.density",
                   "beam.material.poisson_ratio", "striker.material.youngs_modulus",
                   "striker.material.poisson_ratio", "motion.angular_velocity", "location"})
    ->Apply(with_cases);

}  // namespace
