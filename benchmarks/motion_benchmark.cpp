// What a collision costs as a motion with one contact, beside the same one by `beam_impact`: twelve
// beams of 25 modes, CPU time of both in turn. The modes are known; all that follows from them,
// such as tables of propagators, is part of the cost. Both have the same accuracy of one collision:
// the tolerance of a motion is for 10,000 impacts, that of `beam_impact` for one.
//
//     ./dev bench one_contact
//
// Counters: `beam_impact_ms` and `ratio` of a beam; of all, the geometric mean of the ratios and
// the largest one.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <stdexcept>
#include <vector>

#include <models/beam_model.hpp>
#include <models/impact_motion.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace {

using namespace stoss;
using models::SupportType;

constexpr int modes = 25;
constexpr double impacts_of_a_motion = 1e4;  // that its tolerance is for
constexpr std::size_t count = 12;

/// CPU time of this process [s].
double cpu_time() {
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

models::Beam beam_of(std::size_t index) {
    models::Beam beam;
    beam.length = 0.2 + 0.1 * static_cast<double>(index % 4);
    beam.section.shape = models::Rectangle{0.02, 0.004 + 0.002 * static_cast<double>(index % 3)};
    beam.material = index % 2 == 0 ? models::Material{210e9, 0.3, 7850.0}
                                   : models::Material{70e9, 0.33, 2700.0};
    if (index / 4 == 1) beam.supports = {{SupportType::clamp, 0.0}};
    if (index / 4 == 2) beam.supports = {{SupportType::pin, 0.0}, {SupportType::pin, 1.0}};
    return beam;
}

/// A ball of a tenth of the mass of the beam hits it at 1 m/s.
struct Collision {
    models::BeamModel model;
    motion::System system;
    double xi = 0.0, tolerance = 0.0;  // of one collision

    /// A model keeps its tables from one collision to the next: here they are made anew.
    double by_beam_impact() const {
        const models::BeamModel::Bodies bodies = model.bodies_at(xi);
        return impact::collide(bodies.first(), bodies.second(), model.contact_at(xi),
                               model.parameters().integration.scheme, model.time_limit())
            .impulse;
    }
    double by_motion() const {
        motion::ImpactMotion moving(system, impacts_of_a_motion * tolerance);
        double impulse = 0.0;
        moving.advance(5.0, [&](const motion::Impact& each) {
            impulse += each.impulse;
            return true;
        });
        return impulse;
    }
};

/// `log10_tolerance`: of one collision.
Collision collision_of(std::size_t index, std::int64_t log10_tolerance) {
    const double tolerance = std::pow(10.0, static_cast<double>(log10_tolerance));
    const models::Beam beam = beam_of(index);
    const double xi = 0.3 + 0.05 * static_cast<double>(index), mass = 0.1 * beam.mass();
    contact::Hertz law;
    law.stiffness = 1e9;

    models::BeamCollision collision;
    collision.beam = beam;
    collision.striker.shape = models::Sphere{0.01};
    collision.striker.material = {210e9, 0.3};
    collision.striker.mass = mass;
    collision.motion.approach_speed = 1.0;
    collision.contact.law = law;
    collision.mesh.modes = modes;
    collision.integration.scheme = time::Splitting{tolerance};
    collision.integration.time_limit = 5.0;

    models::MotionModel model;
    models::BeamInMotion body;
    body.beam = beam;
    body.modes = modes;
    models::PointBody ball;
    ball.mass = mass;
    ball.velocity = 1.0;
    model.bodies = {{"beam", body}, {"ball", ball}};
    models::MotionContact contact{"contact", {"beam", xi}, {"ball"}, 0.0, {}, {}, {}};
    contact.contact = models::ContactParameters{law};
    model.contacts = {contact};
    return {models::BeamModel(collision), models::motion_system(model).system, xi, tolerance};
}

/// CPU times of one collision by both [s].
struct Times {
    double beam_impact = 0.0, motion = 0.0;

    double ratio() const { return motion / beam_impact; }
};

void run(const Collision& collision, Times& times) {
    const double begin = cpu_time();
    const double expected = collision.by_beam_impact();
    const double middle = cpu_time();
    const double found = collision.by_motion();
    times.beam_impact += middle - begin;
    times.motion += cpu_time() - middle;
    if (!(std::abs(found / expected - 1.0) < std::max(1e-7, 10.0 * collision.tolerance)))
        throw std::runtime_error("impact_motion and beam_impact are not the same collision");
}

void one_contact(benchmark::State& state) {
    const Collision collision =
        collision_of(static_cast<std::size_t>(state.range(0)), state.range(1));
    Times sum;
    for (auto _ : state) {
        const double before = sum.motion;
        run(collision, sum);
        state.SetIterationTime(sum.motion - before);
    }
    state.counters["beam_impact_ms"] =
        benchmark::Counter(1e3 * sum.beam_impact, benchmark::Counter::kAvgIterations);
    state.counters["ratio"] = sum.ratio();
}
BENCHMARK(one_contact)
    ->ArgNames({"beam", "log10_tolerance"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, count - 1, 1), {-10}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void one_contact_of_all(benchmark::State& state) {
    std::vector<Collision> collisions;
    for (std::size_t i = 0; i < count; ++i) collisions.push_back(collision_of(i, state.range(0)));
    std::array<Times, count> sums{};
    for (auto _ : state) {
        double motion = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            motion -= sums[i].motion;
            run(collisions[i], sums[i]);
            motion += sums[i].motion;
        }
        state.SetIterationTime(motion);
    }
    double logarithms = 0.0, worst = 0.0;
    for (const Times& each : sums) {
        logarithms += std::log(each.ratio());
        worst = std::max(worst, each.ratio());
    }
    state.counters["ratio"] = std::exp(logarithms / static_cast<double>(count));
    state.counters["worst"] = worst;
}
BENCHMARK(one_contact_of_all)
    ->ArgName("log10_tolerance")
    ->Arg(-10)
    ->Arg(-6)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(3.0);

}  // namespace
