/// The estimate of the error of modal truncation, held against many modes on random beams:
///     stoss_truncation_sweep BEAMS [THREADS]
/// Each beam is struck at twenty places with 16 to 44 modes and residual flexibility, and again
/// with 2.5 times as many modes on the same mesh. Prints how the estimate compares with the change,
/// and exits with 1 if it is off by more than a factor of ten at more than one place in ten.
/// Changes below 1e-6, and estimates below it, count as the same.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

#include <models/mode_choice.hpp>
#include <models/truncation.hpp>
#include <stoss/core/parallel.hpp>

namespace {

using namespace stoss;

constexpr int places = 20;
constexpr double floor_of_change = 1e-6;

double uniform(std::mt19937& random, double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
}

/// A steel or aluminium bar, free, on a pin, clamped at one end or both, or on two pins, and a
/// sphere that strikes it.
models::BeamCollision random_collision(unsigned seed) {
    std::mt19937 random(seed);
    const models::Material steel{.youngs_modulus = 210e9, .poisson_ratio = 0.3, .density = 7850.0};
    const models::Material aluminium{
        .youngs_modulus = 70e9, .poisson_ratio = 0.3, .density = 2700.0};
    models::BeamCollision collision;
    models::Beam& beam = collision.beam;
    beam.length = uniform(random, 0.1, 1.0);
    beam.material = random() % 2 == 0 ? steel : aluminium;
    const double height = beam.length / uniform(random, 15.0, 100.0);
    beam.section.shape = models::Rectangle{.width = 2.0 * height, .height = height};
    switch (random() % 5) {
        case 1:
            beam.supports = {{models::SupportType::pin, 0.0}};
            break;
        case 2:
            beam.supports = {{models::SupportType::clamp, 0.0}};
            break;
        case 3:
            beam.supports = {{models::SupportType::clamp, 0.0}, {models::SupportType::clamp, 1.0}};
            break;
        case 4:
            beam.supports = {{models::SupportType::pin, 0.0}, {models::SupportType::pin, 1.0}};
            break;
        default:
            break;
    }
    collision.striker.shape = models::Sphere{.radius = height * uniform(random, 0.5, 3.0)};
    collision.striker.material =
        models::SurfaceMaterial{.youngs_modulus = 210e9, .poisson_ratio = 0.3};
    collision.striker.mass = beam.mass() * std::pow(10.0, uniform(random, -2.0, 0.0));
    collision.striker.velocity = uniform(random, 0.1, 5.0);
    collision.integration.scheme = time::Splitting{.tolerance = 1e-8};
    return collision;
}

struct Compared {
    double change, estimate;
};

std::vector<Compared> compare(unsigned seed) {
    models::BeamCollision collision = random_collision(seed);
    std::vector<double> at;
    for (int i = 0; i < places; ++i) at.push_back(0.02 + 0.96 * (i + 0.5) / places);
    const int chosen = models::choose_modes(std::span(&collision, 1), at, {.threads = 1})->modes;
    collision.mesh.modes = seed % 2 == 0 ? 7 * chosen / 10 : chosen;
    collision.mesh.elements = 10 * *collision.mesh.modes;
    models::BeamCollision richer = collision;
    richer.mesh.modes = 5 * *collision.mesh.modes / 2;
    const models::BeamModel model(collision), reference(richer);
    const models::Truncation truncation(model);
    std::vector<Compared> compared;
    for (const double xi : at) {
        const impact::CollisionResult result = model.collide(xi), exact = reference.collide(xi);
        const auto estimate = truncation.of(xi, result);
        if (exact.status != impact::Status::separated || !estimate) continue;
        compared.push_back({std::abs(result.cor_kinematic - exact.cor_kinematic), *estimate});
    }
    return compared;
}

}  // namespace

int main(int count, char** arguments) {
    const int beams = count > 1 ? std::atoi(arguments[1]) : 0;
    const int threads = count > 2 ? std::atoi(arguments[2]) : 0;
    if (beams < 1) {
        std::fprintf(stderr, "usage: %s BEAMS [THREADS]\n", arguments[0]);
        return 2;
    }
    std::vector<std::vector<Compared>> found(static_cast<std::size_t>(beams));
    core::parallel_for(found.size(), threads,
                       [&](std::size_t i) { found[i] = compare(static_cast<unsigned>(i) + 1); },
                       {});
    std::vector<double> ratios, changes;
    std::size_t small = 0, within = 0, all = 0, low = 0;
    for (const auto& beam : found) {
        for (const Compared& each : beam) {
            ++all;
            changes.push_back(each.change);
            const double change = std::max(each.change, floor_of_change);
            const double estimate = std::max(each.estimate, floor_of_change);
            small += each.change <= floor_of_change && each.estimate <= floor_of_change;
            within += estimate <= 10.0 * change && change <= 10.0 * estimate;
            low += change > 10.0 * estimate;
            if (each.change > floor_of_change) ratios.push_back(each.estimate / each.change);
        }
    }
    std::ranges::sort(ratios);
    std::ranges::sort(changes);
    const auto at = [](const std::vector<double>& sorted, double part) {
        return sorted.empty()
                   ? 0.0
                   : sorted[static_cast<std::size_t>(part * (double(sorted.size()) - 1.0))];
    };
    std::printf("beams                                   %d\n", beams);
    std::printf("collisions                              %zu\n", all);
    std::printf("change of e: median, 90 %%, largest      %.1e, %.1e, %.1e\n", at(changes, 0.5),
                at(changes, 0.9), at(changes, 1.0));
    std::printf("change and estimate below %.0e          %zu\n", floor_of_change, small);
    std::printf("estimate/change: 5 %%, median, 95 %%      %.2g, %.2g, %.2g\n", at(ratios, 0.05),
                at(ratios, 0.5), at(ratios, 0.95));
    std::printf("within a factor of 10                   %.1f %%\n",
                100.0 * double(within) / double(all));
    std::printf("change more than 10 times the estimate  %.1f %%\n",
                100.0 * double(low) / double(all));
    return 10 * within >= 9 * all ? 0 : 1;
}
