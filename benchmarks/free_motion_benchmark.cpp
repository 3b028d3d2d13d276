// The look ahead after a separation: the published beam at xi = 0.68, thrown back by an impulse.
#include <benchmark/benchmark.h>

#include <vector>

#include <published_beam.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/free_motion.hpp>
#include <stoss/modal/modal_body.hpp>

namespace {

using namespace stoss;

void time_to_contact(benchmark::State& state) {
    models::BeamCollision parameters = published_beam();
    resolve_modes(parameters, static_cast<int>(state.range(0)));
    const modal::ModalBody beam = models::BeamModel(parameters).beam().at(0.68);
    const modal::ModalBody striker = modal::point_mass(core::infinity);
    constexpr double speed = 2.0;  // of the contact point before and after the push [m/s]
    impact::ContactPair pair(beam, striker);
    const std::vector<double> rigid_rates{-speed / beam.phi.front()};
    pair.set({beam.phi, rigid_rates}, {striker.phi, {}});

    double mobility = 0.0;  // speed of the contact point per impulse [1/kg]
    for (const double phi : pair.phi) mobility += phi * phi;
    const double impulse = 2.0 * speed / mobility;
    const std::vector<double> q(pair.modes(), 0.0);
    std::vector<double> rate = pair.initial_rates;
    for (std::size_t j = 0; j < pair.modes(); ++j) rate[j] += impulse * pair.phi[j];

    impact::FreeMotion flight(pair);
    for (auto _ : state) benchmark::DoNotOptimize(flight.time_to_contact(q, rate, 1e-7, 1.0));
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(time_to_contact)
    ->ArgName("modes")
    ->Arg(10)
    ->Arg(25)
    ->Arg(100)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
