// What derivatives cost: collisions along the published beam without and with them.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

const std::vector<std::string> all_keys{"striker.radius",
                                        "beam.length",
                                        "beam.section.radius",
                                        "beam.material.youngs_modulus",
                                        "beam.material.density",
                                        "beam.material.poisson_ratio",
                                        "striker.material.youngs_modulus",
                                        "striker.material.poisson_ratio",
                                        "motion.angular_velocity",
                                        "location"};

/// Of e, by the first keys of the list; none: the collisions alone.
void collide_with_keys(benchmark::State& state) {
    models::BeamCollision parameters = published_beam();
    resolve_modes(parameters, static_cast<int>(state.range(1)));
    parameters.integration.scheme =
        time::Splitting{std::pow(10.0, static_cast<double>(state.range(2)))};
    const models::BeamModel model(parameters);
    const models::BeamGradients gradients(model,
                                          {all_keys.begin(), all_keys.begin() + state.range(0)});
    constexpr std::array of{impact::Quantity::cor_kinematic};
    double sum = 0.0;
    for (auto _ : state) {
        for (std::size_t i = 0; i < places; ++i) {
            sum += state.range(0) == 0 ? model.collide(place(i)).cor_kinematic
                                       : gradients.at(place(i), of).by_key(0, 0);
        }
    }
    benchmark::DoNotOptimize(sum);
    state.SetItemsProcessed(static_cast<std::int64_t>(places) * state.iterations());
}
BENCHMARK(collide_with_keys)
    ->ArgNames({"keys", "modes", "log10_tolerance"})
    ->ArgsProduct({{0, 1, 10}, {25, 100}, {-6, -8}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
