// A packed box of spheres shared by processes: `mpirun -n N stoss_ranks COUNT STEPS`. Prints wall
// time a step and relaxations a second; held against N = 1 that is what a second process gives.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <solvers/distributed/ranks.hpp>

namespace {

using namespace stoss;
using Eigen::Vector3d;

constexpr double radius = 0.235e-3, spacing = 2.06 * radius;

granular::Stepping stepping() {
    granular::Stepping stepping;
    stepping.step = 50e-6;
    stepping.gravity = {0, 0, -9.81};
    stepping.mu = stepping.wall_mu = 0.4;
    stepping.margin = 0.1e-3;
    stepping.skin = 0.05e-3;
    return stepping;
}

/// A loose lattice, as in granular_benchmark.cpp.
std::vector<granular::Sphere> lattice(int count, int edge) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> v(-0.1, 0.1);
    const double mass = 2650.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
    std::vector<granular::Sphere> spheres;
    for (int i = 0; i < count; ++i) {
        const Vector3d place(i % edge + 0.5, i / edge % edge + 0.5, i / edge / edge + 0.5);
        spheres.push_back(
            {spacing * place, {v(engine), v(engine), v(engine)}, Vector3d::Zero(), radius, mass});
    }
    return spheres;
}

void run(int count, int steps) {
    const int edge = static_cast<int>(std::ceil(std::cbrt(count)));
    const double width = edge * spacing;
    const Vector3d still = Vector3d::Zero();
    const std::vector<granular::Wall> walls{
        granular::Plane{still, {1, 0, 0}, still}, granular::Plane{{width, 0, 0}, {-1, 0, 0}, still},
        granular::Plane{still, {0, 1, 0}, still}, granular::Plane{{0, width, 0}, {0, -1, 0}, still},
        granular::Plane{still, {0, 0, 1}, still}};
    const auto stream =
        solvers::distributed_stream(stepping(), walls, Vector3d::Constant(-radius),
                                    Vector3d::Constant(width + 2.0 * radius), radius);
    stream->add(lattice(count, edge));
    while (stream->time() < 5e-3) stream->step();  // until they touch
    std::size_t relaxations = 0;
    granular::StepReport report;
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; ++k) {
        report = stream->step().report;
        relaxations += report.contacts * static_cast<std::size_t>(report.sweeps);
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    fmt::print(
        "{:.2f} ms per step, {:.1f} million relaxations per second, {:.2f} contacts per sphere\n",
        1e3 * wall.count() / steps, 1e-6 * static_cast<double>(relaxations) / wall.count(),
        static_cast<double>(report.contacts) / count);
}

}  // namespace

int main(int argc, char** argv) {
    const solvers::Ranks ranks;
    if (ranks.is_first() && (argc != 3 || ranks.count() == 0)) {
        std::fputs("usage: mpirun -n N stoss_ranks COUNT STEPS\n", stderr);
        return 2;
    }
    if (!ranks.is_first()) {
        ranks.follow();
        return 0;
    }
    run(std::atoi(argv[1]), std::atoi(argv[2]));
    return 0;
}
