// What one impact and one calibration cost.
#include <benchmark/benchmark.h>

#include <stoss/impact/calibrate.hpp>

namespace {

using namespace stoss;

template <class L>
contact::Law law(double exponent) {
    L law;
    law.stiffness = 1.0;
    if constexpr (requires { law.exponent = exponent; }) law.exponent = exponent;
    contact::Law any = law;
    if (!impact::damping_key(any).empty()) impact::set_damping(any, 0.3);
    return any;
}

/// Argument: the exponent in hundredths.
template <class L>
void restitution(benchmark::State& state) {
    const contact::Law any = law<L>(static_cast<double>(state.range(0)) / 100.0);
    impact::Impact impact{1.0, 1.0, 0.05};
    for (auto _ : state) {
        impact.speed = 2.0 - impact.speed * 0.999;
        benchmark::DoNotOptimize(impact::restitution(any, impact));
    }
}
BENCHMARK(restitution<contact::Hertz>)->Arg(150)->Arg(137);
BENCHMARK(restitution<contact::KelvinVoigt>)->Arg(100);
BENCHMARK(restitution<contact::LinearDamping>)->Arg(150)->Arg(137);
BENCHMARK(restitution<contact::HuntCrossley>)->Arg(150)->Arg(137);
BENCHMARK(restitution<contact::KuwabaraKono>)->Arg(150);
BENCHMARK(restitution<contact::Tsuji>)->Arg(150);

/// Argument: the wanted restitution in ten-thousandths.
template <class L>
void calibrate(benchmark::State& state) {
    const contact::Law any = law<L>(1.5);
    const double cor = static_cast<double>(state.range(0)) / 10000.0;
    for (auto _ : state) benchmark::DoNotOptimize(impact::calibrate(any, {1.0, 1.0}, {cor}));
}
BENCHMARK(calibrate<contact::KelvinVoigt>)->Arg(5000);
BENCHMARK(calibrate<contact::LinearDamping>)->Arg(9000)->Arg(5000)->Arg(100);
BENCHMARK(calibrate<contact::HuntCrossley>)->Arg(5000);
BENCHMARK(calibrate<contact::KuwabaraKono>)->Arg(5000);

}  // namespace
